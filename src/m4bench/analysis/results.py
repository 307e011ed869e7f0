# SPDX-License-Identifier: MIT
"""What an analysis found, as `m4bench stats --json` prints it. Holds numbers and says what they are; computes none."""

from typing import Literal

from pydantic import Field

from m4bench.harness.audit.publishability import is_baseline
from m4bench.model.analysis import AnalysisPlan, Claim
from m4bench.model.record import Record

RESULTS_FORMAT = 1
Role = Literal["primary", "exploratory"]


class Interval(Record):
    """A confidence interval in units of the metric; `method` names how it was made, `level` its nominal coverage.

    Of a reward or a share it ends at 0 and 1, of a difference of two at -1 and 1. `draw_errors` are the standard
    errors of the two ends for what was drawn at random: how far another seed moves them. None where nothing was, or
    where a published procedure fixes the seed.
    """

    low: float
    high: float
    method: str
    level: float
    draw_errors: tuple[float, float] | None = None


class TaskDelta(Record):
    """One task of a contrast: means over systems of the cells' means, each system equal.

    `p_value` is of the exact or Monte Carlo test that exchanges labels of trials within a system (None where no
    exchange is possible), `p_adjusted` Benjamini and Hochberg's over the tasks of the contrast. `exact`: all
    exchanges were counted, and none drawn at random.
    """

    task: str
    family: str
    mode: str
    treatment: float
    control: float
    delta: float
    by_system: dict[str, float]
    runs: tuple[int, int]
    p_value: float | None
    p_adjusted: float | None
    exact: bool = True


class FamilyDelta(Record):
    """The mean of a family's task deltas."""

    family: str
    tasks: int
    delta: float


class SystemDelta(Record):
    """A contrast within one system, or within one of what else is held equal."""

    system: str
    tasks: int
    families: int
    treatment: float
    control: float
    delta: float
    interval: Interval | None
    task_bootstrap: Interval | None
    positive: int
    negative: int


class Sensitivity(Record):
    """The same contrast under one other choice, named so that a reader knows what was changed."""

    name: str
    tasks: int
    families: int
    delta: float
    interval: Interval | None
    p_value: float | None


class Equivalence(Record):
    """Whether a control is shown to match: two one-sided tests at the family level against a margin.

    `interval` is Student's t one of level 1 - 2 alpha, whatever interval the plan has; `shown` when it lies within
    the margin (for non-inferiority: above minus the margin), and so before any correction. `p_value` is the
    claim's, of the same test. Not shown is no proof of a difference.
    """

    claim: Claim
    margin: float
    interval: Interval
    p_value: float
    shown: bool


class StrictCount(Record):
    """Strict passes of so many runs."""

    passes: int
    runs: int


class ContrastResult(Record):
    """One comparison of two arms over the tasks and systems both have.

    `interval` is the one the plan asks for (clustered by family); `family_t` and `bootstrap_t` are Student's t one and
    the cluster bootstrap-t one, of which it is either. `p_value` is that of a difference, by the sign-flip of family
    sums, exact up to 20 families. `p_adjusted` is corrected, Holm's over the primary contrasts or Benjamini and
    Hochberg's over the exploratory ones; a primary one that cannot be tested counts in Holm's with a p-value of 1. It
    is of the p-value that belongs to what is claimed, which is
    `equivalence.p_value` for equivalence and non-inferiority (None where that cannot be tested), else `p_value`.
    `systems` are those on either side; `held_equal` names what is the same on both sides of the pairs, by which
    `by_system` and the tasks' `by_system` are told: the systems themselves where conditions are compared.
    `task_bootstrap`, `family_bootstrap` and `family_balanced` are the published percentile intervals,
    `task_sign_flip` the published test (of rewards only): descriptives, conditional on the tasks, drawn with
    `descriptive_seed`; None of those that have no width. `exact`: `p_value` counts all sign vectors, as it does up to
    20 families; random ones beyond. `detectable` is the smallest true delta that would be found with a power of 80 %
    by Student's t test, before correction; of a claim of non-inferiority or equivalence the smallest margin that its
    own test would show if there were no difference; None where the families are too few for their test to show a
    difference at all, or where no delta is as large. `runs` are those with a number in this metric. `positive`,
    `negative` and `unchanged` count task deltas with a threshold of 1e-9, in `ordered_nmae` those below 0 as
    positive, since there less is better. `missing` names task
    and system pairs one side lacks. `setting` names the convention, dataset, access or drops it is of, where the runs
    have several; empty where there is one.
    """

    contrast: str
    treatment_label: str
    control_label: str
    metric: str
    role: Role
    setting: str = ""
    systems: tuple[str, ...]
    held_equal: tuple[str, ...] = ()
    tasks: int
    families: int
    runs: tuple[int, int]
    treatment: float
    control: float
    delta: float
    interval: Interval | None
    bootstrap_t: Interval | None
    family_t: Interval | None = None
    p_value: float | None
    p_adjusted: float | None
    exact: bool = True
    detectable: float | None
    positive: int
    negative: int
    unchanged: int
    strict: tuple[StrictCount, StrictCount]
    task_bootstrap: Interval | None
    family_bootstrap: Interval | None
    family_balanced: Interval | None
    task_sign_flip: float | None
    descriptive_seed: int | None = None
    equivalence: Equivalence | None
    by_system: tuple[SystemDelta, ...]
    by_mode: tuple[Sensitivity, ...]
    task_deltas: tuple[TaskDelta, ...]
    family_deltas: tuple[FamilyDelta, ...]
    sensitivity: tuple[Sensitivity, ...]
    publishable: bool
    missing: tuple[str, ...]
    notes: tuple[str, ...]


class ArmResult(Record):
    """A system under a condition and schema over its tasks: each task equal, or each family, as the plan weighs.

    `pass_at[k]`: the chance that one of k trials passes strictly; `pass_all[k]`: that all of k do; means over the
    `pass_tasks[k]` tasks with at least k trials, weighed as rewards are, absent where there is none. Where a larger k
    has fewer tasks, it is of other tasks and tells nothing about one more trial. `failures` counts runs by state
    that did not complete. `cost_usd`, `tokens` (input and output) and `seconds` are means a run over the runs that told
    them; `told_by` says for each how many did. `dataset` joins with " + "
    the data sets of tasks that do not overlap; `drops` says what was taken out of the databases.
    """

    system: str
    agent: str
    model: str
    effort: str
    condition: str
    schema_name: str
    convention: str
    dataset: str
    access: str
    tasks: int
    families: int
    runs: int
    entering: int
    reward: float | None
    interval: Interval | None
    strict: StrictCount
    pass_at: dict[int, float]
    pass_all: dict[int, float]
    pass_tasks: dict[int, int] = Field(default_factory=dict)
    key_f1: float | None
    ordered_nmae: float | None
    failures: dict[str, int]
    unmeasured: int
    cost_usd: float | None
    tokens: float | None
    seconds: float | None
    told_by: dict[str, int] = Field(default_factory=dict)
    drops: str = ""
    publishable: bool

    @property
    def is_baseline(self) -> bool:
        """Whether it is one of the benchmark's own baselines, which are no measured agents."""
        return is_baseline(self.agent, self.model)


class Component(Record):
    """A variance component of the reward, in squared units, with its share of the total."""

    name: str
    variance: float
    deviation: float
    share: float
    levels: int


class VarianceComponents(Record):
    """Where rewards vary under one condition and schema: between families, tasks, models, and trials.

    Restricted maximum likelihood; `converged` false means the figures must not be used. `setting` as of a contrast.
    """

    condition: str
    schema_name: str
    runs: int
    cells: int
    components: tuple[Component, ...]
    converged: bool
    setting: str = ""


class Standing(Record):
    """A system's place: letters it shares with every system it is not told apart from; none where it stands alone.

    Told apart are two whose p-value, by Holm's correction over the pairs, is at most 1 - the plan's confidence.
    """

    system: str
    tasks: int
    reward: float
    interval: Interval | None
    strict: StrictCount
    letters: str
    tied_with: tuple[str, ...]
    publishable: bool


class Pair(Record):
    """Two systems on the tasks both have."""

    first: str
    second: str
    tasks: int
    families: int
    delta: float
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None


class Standings(Record):
    """Systems compared under one condition, schema and setting; ties are groups, there are no ranks.

    `aside` names those without a publishable run, which are not compared where others have one.
    """

    condition: str
    schema_name: str
    convention: str
    dataset: str
    access: str
    drops: str = ""
    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    aside: tuple[str, ...] = ()
    notes: tuple[str, ...]


class SchemaRobustness(Record):
    """How a contrast fares in another schema, on the tasks that both schemas have.

    `native_delta` is the native delta on the same `tasks`, `ratio` the delta in this schema divided by it. The native
    line itself is of the tasks that all lines have, and may be of fewer. Where the control was not run
    in this schema, `treatment` is over the tasks with it there and both natively, and the rest is None.
    """

    contrast: str
    schema_name: str
    system: str
    tasks: int
    treatment: float | None
    control: float | None
    delta: float | None
    interval: Interval | None
    positive: int | None
    ratio: float | None
    native_delta: float | None = None


class Analysis(Record):
    """Everything an analysis found, in the order it is shown."""

    format_version: int = RESULTS_FORMAT
    m4bench: str
    plan: AnalysisPlan
    plan_hash: str
    sources: dict[str, str]
    runs: int
    entering: int
    unmeasured: int
    tasks: int
    families: dict[str, str]
    contrasts: tuple[ContrastResult, ...]
    arms: tuple[ArmResult, ...]
    schemas: tuple[SchemaRobustness, ...]
    components: tuple[VarianceComponents, ...]
    standings: tuple[Standings, ...]
    methods: str
    notes: tuple[str, ...]
