# SPDX-License-Identifier: MIT
"""An invented campaign and its analysis by plain arithmetic, for tests of its report."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import fmean

from scipy.stats import t as student

from m4bench.analysis.results import (
    Analysis,
    ArmResult,
    ContrastResult,
    FamilyDelta,
    Interval,
    Pair,
    SchemaRobustness,
    Sensitivity,
    Standing,
    Standings,
    StrictCount,
    SystemDelta,
    TaskDelta,
)
from m4bench.analysis.runs import RunRow, RunTable, System, entering
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from tests.report.campaign.sample_runs import (
    CONTROLS as CONTROLS,
)
from tests.report.campaign.sample_runs import (
    FAMILIES as FAMILIES,
)
from tests.report.campaign.sample_runs import (
    LARGE as LARGE,
)
from tests.report.campaign.sample_runs import (
    PUBLISHED as PUBLISHED,
)
from tests.report.campaign.sample_runs import (
    SMALL as SMALL,
)
from tests.report.campaign.sample_runs import (
    SPECIFIED as SPECIFIED,
)
from tests.report.campaign.sample_runs import (
    TRIALS as TRIALS,
)
from tests.report.campaign.sample_runs import (
    build_run as build_run,
)
from tests.report.campaign.sample_runs import (
    sample_table as sample_table,
)
from tests.report.campaign.sample_runs import (
    table as table,
)


def sample_analysis() -> Analysis:
    """Return the analysis of `sample_table`: two primary contrasts and an exploratory one."""
    return build_analysis(
        sample_table(),
        ("with-skill:no-skill", "with-skill-rawsql:no-skill"),
        ("with-skill-decoy:no-skill",),
    )


def build_analysis(
    runs: RunTable,
    primary: Sequence[str] = ("with-skill:no-skill",),
    exploratory: Sequence[str] = (),
) -> Analysis:
    """Return an analysis by plain arithmetic; p-values and bootstrap intervals are invented, and look so."""
    plan = AnalysisPlan(
        contrasts=tuple(DeclaredContrast(contrast=one) for one in primary),
        exploratory=tuple(DeclaredContrast(contrast=one) for one in exploratory),
        declared=True,
    )
    families = runs.families()
    contrasts = [_contrast(runs, one, "primary") for one in primary]
    contrasts += [_contrast(runs, one, "exploratory") for one in exploratory]
    return Analysis(
        m4bench="0.0.0",
        plan=plan,
        plan_hash=plan.digest(),
        sources=dict(runs.sources),
        runs=len(runs),
        entering=sum(len(entering(cell)) for cell in runs.cells().values()),
        unmeasured=sum(not run.valid for run in runs),
        tasks=len(families),
        families=families,
        contrasts=tuple(contrasts),
        arms=_arms(runs),
        schemas=_schemas(runs),
        components=(),
        standings=_standings(runs),
        methods="Differences are paired by task and system; families are the clusters.",
        notes=("a note of the analysis",),
    )


def rewards(
    runs: RunTable, condition: str, *, schema: str = "native", convention: str = "published"
) -> dict[tuple[str, str], float]:
    """Return the mean reward of each task and system, by names."""
    return {
        (key.task, str(key.system)): fmean(
            run.reward for run in entering(cell) if run.reward is not None
        )
        for key, cell in runs.cells().items()
        if (key.condition, key.schema, key.setting.convention) == (condition, schema, convention)
        and entering(cell)
    }


def clustered(
    values: Sequence[float], groups: Sequence[str], method: str = "family-t"
) -> Interval | None:
    """Return the interval of a mean by sums of deviations within clusters; none of a single cluster."""
    count, clusters = len(values), sorted(set(groups))
    if len(clusters) < 2:
        return None
    mean = fmean(values)
    sums = [
        sum(v - mean for v, g in zip(values, groups, strict=True) if g == one) for one in clusters
    ]
    wide = sqrt(len(clusters) / (len(clusters) - 1) * sum(s * s for s in sums)) / count
    half = wide * float(student.ppf(0.975, len(clusters) - 1))
    return Interval(low=mean - half, high=mean + half, method=method, level=0.95)


def _contrast(runs: RunTable, contrast: str, role: str) -> ContrastResult:
    treatment, control = contrast.split(":")
    families = runs.families()
    above, below = rewards(runs, treatment), rewards(runs, control)
    pairs = sorted(set(above) & set(below))
    systems = sorted({system for _, system in pairs})
    tasks = sorted({task for task, _ in pairs})
    deltas = [_task_delta(task, families[task], pairs, above, below) for task in tasks]
    values = [one.delta for one in deltas]
    groups = [one.family for one in deltas]
    interval = clustered(values, groups)
    wider = (
        Interval(
            low=interval.low - 0.01,
            high=interval.high + 0.03,
            method="family-bootstrap-t",
            level=0.95,
        )
        if interval
        else None
    )
    return ContrastResult(
        contrast=contrast,
        treatment_label=treatment,
        control_label=control,
        metric="reward",
        role=role,  # type: ignore[arg-type]
        systems=tuple(systems),
        tasks=len(tasks),
        families=len(set(groups)),
        runs=(_count(runs, treatment), _count(runs, control)),
        treatment=fmean(one.treatment for one in deltas),
        control=fmean(one.control for one in deltas),
        delta=fmean(values),
        interval=interval,
        bootstrap_t=wider,
        p_value=0.0312 if interval else None,
        p_adjusted=0.0625 if interval else None,
        detectable=0.07 if interval else None,
        positive=sum(value > 1e-9 for value in values),
        negative=sum(value < -1e-9 for value in values),
        unchanged=sum(abs(value) <= 1e-9 for value in values),
        strict=(_strict(runs, treatment), _strict(runs, control)),
        task_bootstrap=None,
        family_bootstrap=None,
        family_balanced=None,
        task_sign_flip=None,
        equivalence=None,
        by_system=tuple(_system_delta(one, pairs, above, below, families) for one in systems),
        by_mode=(),
        task_deltas=tuple(deltas),
        family_deltas=tuple(
            FamilyDelta(
                family=family,
                tasks=groups.count(family),
                delta=fmean(one.delta for one in deltas if one.family == family),
            )
            for family in sorted(set(groups))
        ),
        sensitivity=(
            Sensitivity(
                name="each family equal",
                tasks=len(tasks),
                families=len(set(groups)),
                delta=fmean(values),
                interval=interval,
                p_value=None,
            ),
        ),
        publishable=all(run.publishable for run in runs),
        missing=(),
        notes=(),
    )


Means = dict[tuple[str, str], float]


def _task_delta(
    task: str, family: str, pairs: Sequence[tuple[str, str]], above: Means, below: Means
) -> TaskDelta:
    own = [pair for pair in pairs if pair[0] == task]
    treatment, control = fmean(above[pair] for pair in own), fmean(below[pair] for pair in own)
    return TaskDelta(
        task=task,
        family=family,
        mode="raw" if task.endswith("-raw") else "standard",
        treatment=treatment,
        control=control,
        delta=treatment - control,
        by_system={pair[1]: above[pair] - below[pair] for pair in own},
        runs=(TRIALS * len(own), TRIALS * len(own)),
        p_value=0.04,
        p_adjusted=0.08,
    )


def _system_delta(
    system: str,
    pairs: Sequence[tuple[str, str]],
    above: Means,
    below: Means,
    families: dict[str, str],
) -> SystemDelta:
    own = [pair for pair in pairs if pair[1] == system]
    values = [above[pair] - below[pair] for pair in own]
    groups = [families[task] for task, _ in own]
    return SystemDelta(
        system=system,
        tasks=len(own),
        families=len(set(groups)),
        treatment=fmean(above[pair] for pair in own),
        control=fmean(below[pair] for pair in own),
        delta=fmean(values),
        interval=clustered(values, groups),
        task_bootstrap=None,
        positive=sum(value > 1e-9 for value in values),
        negative=sum(value < -1e-9 for value in values),
    )


def _where(runs: RunTable, keep: Callable[[RunRow], bool]) -> list[RunRow]:
    return [run for cell in runs.where(keep).cells().values() for run in entering(cell)]


def _of(condition: str) -> Callable[[RunRow], bool]:
    return lambda run: (
        (run.condition, run.schema, run.setting.convention)
        == (
            condition,
            "native",
            "published",
        )
    )


def _count(runs: RunTable, condition: str) -> int:
    return len(_where(runs, _of(condition)))


def _strict(runs: RunTable, condition: str) -> StrictCount:
    found = _where(runs, _of(condition))
    return StrictCount(passes=sum(run.strict for run in found), runs=len(found))


def _mean(values: Iterable[float | None]) -> float | None:
    told = [value for value in values if value is not None]
    return fmean(told) if told else None


def _arms(runs: RunTable) -> tuple[ArmResult, ...]:
    keys = sorted({(run.system, run.condition, run.schema, run.setting.convention) for run in runs})
    return tuple(_arm(runs, *key) for key in keys)


def _arm(runs: RunTable, system: System, condition: str, schema: str, convention: str) -> ArmResult:
    def own(run: RunRow) -> bool:
        return (run.system, run.condition, run.schema, run.setting.convention) == (
            system,
            condition,
            schema,
            convention,
        )

    mine = runs.where(own)
    counted = _where(runs, own)
    means = {
        (key.task, mine.families()[key.task]): fmean(
            run.reward for run in entering(cell) if run.reward is not None
        )
        for key, cell in mine.cells().items()
        if entering(cell)
    }
    states = [run.state for run in mine if run.valid and run.state != "completed"]
    tokens = [
        (run.input_tokens or 0) + (run.output_tokens or 0) for run in counted if run.input_tokens
    ]
    return ArmResult(
        system=str(system),
        agent=system.agent,
        model=system.model,
        effort=system.effort,
        condition=condition,
        schema_name=schema,
        convention=convention,
        dataset=PUBLISHED.dataset,
        access=PUBLISHED.access,
        tasks=len({run.task for run in mine}),
        families=len({run.family for run in mine}),
        runs=len(mine),
        entering=len(counted),
        reward=_mean(means.values()),
        interval=clustered(list(means.values()), [family for _, family in means])
        if means
        else None,
        strict=StrictCount(passes=sum(run.strict for run in counted), runs=len(counted)),
        pass_at={1: 0.25, 3: 0.5},
        pass_all={1: 0.25, 3: 0.125},
        key_f1=None,
        ordered_nmae=None,
        failures={state: states.count(state) for state in sorted(set(states))},
        unmeasured=sum(not run.valid for run in mine),
        cost_usd=_mean(run.cost_usd for run in counted),
        tokens=_mean(tokens),
        seconds=_mean(run.seconds for run in counted),
        publishable=all(run.publishable for run in mine),
    )


def _schemas(runs: RunTable) -> tuple[SchemaRobustness, ...]:
    found = []
    native = {side: rewards(runs, side) for side in ("with-skill", "no-skill")}
    for schema in sorted({run.schema for run in runs} - {"native"}):
        above = rewards(runs, "with-skill", schema=schema)
        below = rewards(runs, "no-skill", schema=schema)
        for system in sorted({system for _, system in above}):
            pairs = [pair for pair in above if pair[1] == system]
            for name, (up, down) in {
                "native": (native["with-skill"], native["no-skill"]),
                schema: (above, below),
            }.items():
                told = all(pair in down for pair in pairs)
                values = [up[pair] - down[pair] for pair in pairs] if told else []
                whole = fmean(
                    native["with-skill"][pair] - native["no-skill"][pair] for pair in pairs
                )
                found.append(
                    SchemaRobustness(
                        contrast="with-skill:no-skill",
                        schema_name=name,
                        system=system,
                        tasks=len(pairs),
                        treatment=fmean(up[pair] for pair in pairs),
                        control=fmean(down[pair] for pair in pairs) if told else None,
                        delta=fmean(values) if told else None,
                        interval=clustered(values, [runs.families()[task] for task, _ in pairs])
                        if told
                        else None,
                        positive=sum(value > 1e-9 for value in values),
                        ratio=fmean(values) / whole if told else None,
                    )
                )
    return tuple({(one.schema_name, one.system): one for one in found}.values())


def _standings(runs: RunTable) -> tuple[Standings, ...]:
    arms = [
        arm
        for arm in _arms(runs)
        if (arm.condition, arm.schema_name, arm.convention) == ("with-skill", "native", "published")
        and arm.reward is not None
    ]
    if len(arms) < 2:
        return ()
    standings = [
        Standing(
            system=arm.system,
            tasks=arm.tasks,
            reward=arm.reward or 0.0,
            interval=arm.interval,
            strict=arm.strict,
            letters="a" if place == 0 else "ab" if place == 1 else "b",
            tied_with=(),
            publishable=arm.publishable,
        )
        for place, arm in enumerate(sorted(arms, key=lambda arm: -(arm.reward or 0.0)))
    ]
    pairs = [
        Pair(
            first=first.system,
            second=second.system,
            tasks=first.tasks,
            families=2,
            delta=first.reward - second.reward,
            interval=None,
            p_value=0.2,
            p_adjusted=0.2,
        )
        for place, first in enumerate(standings)
        for second in standings[place + 1 :]
    ]
    return (
        Standings(
            condition="with-skill",
            schema_name="native",
            convention="published",
            dataset=PUBLISHED.dataset,
            access=PUBLISHED.access,
            standings=tuple(standings),
            pairs=tuple(pairs),
            notes=(),
        ),
    )
