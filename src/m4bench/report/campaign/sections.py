# SPDX-License-Identifier: MIT
"""What the sections on a campaign hold: an analysis in the order and the bounds of a page. Knows no markup.

What a page has no room for stands in the tables beside it, and each bounded section says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from m4bench.analysis.order import convention_key, schema_key
from m4bench.analysis.results import (
    Analysis,
    ArmResult,
    ContrastResult,
    SchemaRobustness,
    Standings,
)
from m4bench.harness.finished.states import UNMEASURED
from m4bench.report.campaign import writing
from m4bench.report.campaign.caveats import FamilyCaveats
from m4bench.report.campaign.remarks import Lacking, Remark, lacking, remarks
from m4bench.report.campaign.section_rows import (
    MOST_SYSTEMS,
    Agreement,
    Choices,
    Declared,
    TaskTable,
    choices,
    declared,
    task_table,
)
from m4bench.report.wording import plural

MOST_CONTRASTS = 12
MOST_ARMS = 60
REWARD = "reward"


@dataclass(frozen=True)
class CampaignSections:
    """An analysis as sections of a page."""

    analysis: Analysis
    caveats: Sequence[FamilyCaveats] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems by name."""
        return tuple(sorted({arm.system for arm in self.analysis.arms}))

    @property
    def primary(self) -> tuple[ContrastResult, ...]:
        """The primary contrasts."""
        return tuple(one for one in self.analysis.contrasts if one.role == "primary")

    @property
    def exploratory(self) -> tuple[ContrastResult, ...]:
        """The others: exploratory contrasts, and other metrics of any contrast."""
        return tuple(one for one in self.analysis.contrasts if one.role != "primary")

    @property
    def declared(self) -> tuple[Declared, ...]:
        """What the analysis fixes, in the order of its table."""
        return declared(self.analysis.plan)

    @property
    def is_contrasted(self) -> bool:
        """Whether arms are contrasted, or a contrast was asked for."""
        return bool(self.analysis.contrasts) or self.analysis.plan.declared

    @property
    def task_tables(self) -> tuple[TaskTable, ...]:
        """The contrasts in reward task by task, primary ones first."""
        return tuple(task_table(one) for one in self._in_reward[:MOST_CONTRASTS])

    def remarks(self, contrasts: Sequence[ContrastResult]) -> list[Remark]:
        """What limits some contrasts, said once."""
        return remarks(contrasts)

    def lacking(self, contrast: ContrastResult) -> list[Lacking]:
        """What one side of a contrast lacks."""
        return lacking(contrast)

    def held(self, contrast: ContrastResult) -> str:
        """Say within how many systems a contrast is made, or what else is held equal."""
        if not contrast.held_equal or set(contrast.held_equal) == set(contrast.systems):
            return plural(len(contrast.systems), "system")
        named = "; ".join(contrast.held_equal[:MOST_SYSTEMS])
        more = len(contrast.held_equal) - MOST_SYSTEMS
        return f"held equal: {named}" + (f" and {more} more" if more > 0 else "")

    @property
    def choices(self) -> tuple[Choices, ...]:
        """The contrasts in reward that were worked out under other choices too."""
        return tuple(
            choices(one)
            for one in self._in_reward[:MOST_CONTRASTS]
            if one.sensitivity or one.by_mode
        )

    @property
    def contrasts_left_out(self) -> int:
        """How many contrasts have no table by task and none of other choices on the page."""
        return max(len(self._in_reward) - MOST_CONTRASTS, 0)

    @property
    def described(self) -> tuple[ContrastResult, ...]:
        """The contrasts with one of the published intervals."""
        return tuple(
            one
            for one in self.analysis.contrasts
            if one.task_bootstrap or one.family_bootstrap or one.task_sign_flip is not None
        )

    @property
    def arms(self) -> tuple[ArmResult, ...]:
        """The arms with a measurement, as many as a page has room for."""
        return _with_room(self._measured)

    @property
    def arms_left_out(self) -> int:
        """How many arms stand in the table beside the page alone."""
        return len(self._measured) - len(self.arms)

    @property
    def arms_unmeasured(self) -> int:
        """How many arms have no measurement, so that nothing but their ends can be told."""
        return len(self.analysis.arms) - len(self._measured)

    @property
    def usual_k(self) -> int:
        """The largest number of trials for which most arms have a chance of passing."""
        found = [max(arm.pass_at) for arm in self.analysis.arms if arm.pass_at]
        return max(set(found), key=lambda k: (found.count(k), k)) if found else 0

    @property
    def several_settings(self) -> tuple[str, ...]:
        """Which parts of a setting differ among the arms, so that a row has to name them."""
        fields = ("dataset", "convention", "access")
        return tuple(
            name for name in fields if len({getattr(arm, name) for arm in self.analysis.arms}) > 1
        )

    @property
    def schemas(self) -> tuple[tuple[str, tuple[SchemaRobustness, ...]], ...]:
        """The lines of each contrast in several schemas."""
        grouped = groupby(self.analysis.schemas, key=attrgetter("contrast"))
        return tuple((contrast, tuple(lines)) for contrast, lines in grouped)

    @property
    def conventions(self) -> tuple[str, ...]:
        """The conventions of the references, where there are several."""
        found = sorted({arm.convention for arm in self.analysis.arms}, key=convention_key)
        return tuple(found) if len(found) > 1 else ()

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """The arms that were held against references of several conventions, in order of the arms."""
        arms: dict[tuple[str, str, str], dict[str, ArmResult]] = {}
        for arm in self.analysis.arms:
            place = (arm.system, arm.condition, arm.schema_name)
            arms.setdefault(place, {})[arm.convention] = arm
        return tuple(
            Agreement(*place, tuple(sorted(found.items(), key=lambda one: convention_key(one[0]))))
            for place, found in arms.items()
            if len(found) > 1
        )

    @property
    def states(self) -> tuple[str, ...]:
        """The ways of not completing that count as 0; the others are counted as unmeasured."""
        every = {
            state for arm in self.analysis.arms for state, runs in arm.failures.items() if runs
        }
        lost = sum(arm.failures.get(state, 0) for arm in self.analysis.arms for state in UNMEASURED)
        if lost > sum(arm.unmeasured for arm in self.analysis.arms):
            return tuple(sorted(every))
        return tuple(sorted(every - set(UNMEASURED)))

    def lost(self, arm: ArmResult) -> str:
        """Say of which states an arm's unmeasured runs are, where the table has no column of those."""
        return ", ".join(
            state
            for state, runs in sorted(arm.failures.items())
            if runs and state in UNMEASURED and state not in self.states
        )

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of variation, in the order in which components tell them."""
        parts = [part.name for found in self.analysis.components for part in found.components]
        return tuple(dict.fromkeys(parts))

    @property
    def groups(self) -> tuple[Standings, ...]:
        """The groups of several systems, in which something can be told apart."""
        return tuple(one for one in self.analysis.standings if len(one.standings) > 1)

    @property
    def lone(self) -> tuple[Standings, ...]:
        """The groups of one system."""
        return tuple(one for one in self.analysis.standings if len(one.standings) == 1)

    @property
    def headline(self) -> tuple[Standings, ...]:
        """The groups on which the first primary contrast stands: its conditions in the first schema and setting.

        Where there is no such contrast, the first group.
        """
        first = self.groups[:1]
        if not first or not self.primary:
            return first
        own = first[0]
        setting = (own.schema_name, own.convention, own.dataset, own.access, own.drops)
        sides = {self.primary[0].treatment_label, self.primary[0].control_label}
        return (
            tuple(
                one
                for one in self.groups
                if one.condition in sides
                and (one.schema_name, one.convention, one.dataset, one.access, one.drops) == setting
            )
            or first
        )

    @property
    def costs_told(self) -> tuple[str, ...]:
        """Which of cost, tokens and time any shown arm's runs told."""
        measures = ("cost_usd", "tokens", "seconds")
        return tuple(
            name for name in measures if any(getattr(arm, name) is not None for arm in self.costed)
        )

    @property
    def undeclared(self) -> str:
        """The sentence that stands over results which nobody declared before the runs; empty of declared ones."""
        plan = self.analysis.plan
        return "" if plan.declared or not self.analysis.contrasts else writing.UNDECLARED

    def caveat_of(self, family: str) -> int | None:
        """Return the place of a family's caveats among all, from 1 on; None where it has none."""
        names = [one.family for one in self.caveats]
        return names.index(family) + 1 if family in names else None

    @property
    def incomplete(self) -> tuple[ArmResult, ...]:
        """The arms with a run that did not complete or was not measured, as many as a page has room for."""
        return _with_room(self._incomplete)

    @property
    def incomplete_left_out(self) -> int:
        """How many of them stand in the table beside the page alone."""
        return len(self._incomplete) - len(self.incomplete)

    @property
    def costed(self) -> tuple[ArmResult, ...]:
        """The arms whose runs told cost, tokens or time, as many as a page has room for."""
        return _with_room(self._costed)

    @property
    def costed_left_out(self) -> int:
        """How many of them stand in the table beside the page alone."""
        return len(self._costed) - len(self.costed)

    @property
    def _incomplete(self) -> tuple[ArmResult, ...]:
        return tuple(
            arm for arm in self.analysis.arms if arm.unmeasured or any(arm.failures.values())
        )

    @property
    def _costed(self) -> tuple[ArmResult, ...]:
        return tuple(
            arm
            for arm in self._measured
            if (arm.cost_usd, arm.tokens, arm.seconds) != (None, None, None)
        )

    @property
    def apart(self) -> int:
        """How many runs count in the rows of arms and enter no comparison, since others are publishable."""
        counted = sum(arm.entering for arm in self.analysis.arms)
        as_nothing = self.analysis.unmeasured if self.analysis.plan.denominator == "all" else 0
        return max(counted - self.analysis.entering - as_nothing, 0)

    @property
    def task_tables_exact(self) -> bool:
        """Whether no p-value of the tasks that are shown is of random exchanges."""
        return all(delta.exact for shown in self.task_tables for delta in shown.deltas)

    @property
    def _measured(self) -> tuple[ArmResult, ...]:
        return tuple(arm for arm in self.analysis.arms if arm.entering)

    @property
    def _in_reward(self) -> tuple[ContrastResult, ...]:
        ordered = (*self.primary, *self.exploratory)
        return tuple(one for one in ordered if one.metric == REWARD)


def is_worth_showing(analysis: Analysis) -> bool:
    """Tell whether runs have anything to compare: a contrast, or on several tasks several arms or trials.

    Baselines are the ends of the scale and no arms to be compared.
    """
    arms = [arm for arm in analysis.arms if arm.entering and not arm.is_baseline]
    several = len(arms) > 1 or any(max(arm.pass_at, default=0) > 1 for arm in arms)
    return bool(analysis.contrasts) or (analysis.tasks > 1 and several)


def _with_room(arms: tuple[ArmResult, ...]) -> tuple[ArmResult, ...]:
    """Return as many arms as a page has room for, in their order: those in native schema and first convention first."""
    kept = sorted(
        range(len(arms)),
        key=lambda place: (
            schema_key(arms[place].schema_name),
            convention_key(arms[place].convention),
            place,
        ),
    )
    return tuple(arms[place] for place in sorted(kept[:MOST_ARMS]))
