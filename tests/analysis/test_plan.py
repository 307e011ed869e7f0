# SPDX-License-Identifier: MIT
"""Declared analyses: what a file may say, what is refused, what is supplied, and how a contrast is read."""

import os
from pathlib import Path

import pytest

from m4bench.analysis.plan import (
    PAPER_PLAN,
    Sides,
    contrasts_only,
    default_plan,
    read_plan,
    resolve,
)
from m4bench.analysis.reading import read_run_table
from m4bench.analysis.runs import RunTable, Setting, System
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from m4bench.model.errors import InputError
from tests.report.campaign.sample_runs import build_run, table

PUBLISHED = ("codex_primary_runs.csv", "codex_followup_runs.csv", "oss_runs.csv")
MINI, OSS = System("codex", "gpt-5.4-mini", "medium"), System("pi-ollama", "gpt-oss:20b", "")


def plan_of(folder: Path, text: str) -> AnalysisPlan:
    """Read a plan that consists of this text."""
    path = folder / "analysis.toml"
    path.write_text(text, encoding="utf-8")
    return read_plan(path)


def runs_of(*values: dict[str, object]) -> RunTable:
    """Return a table with a run for each of these places."""
    return table(build_run(trial=at, **value) for at, value in enumerate(values, 1))


@pytest.fixture(scope="module")
def published(shared: Path) -> RunTable:
    """All released runs."""
    return read_run_table([shared / "published" / name for name in PUBLISHED])


def test_a_whole_plan_is_read(tmp_path: Path) -> None:
    """Every key has its place; a campaign's other tables are none of an analysis."""
    plan = plan_of(
        tmp_path,
        """
        version = 1
        name = "a campaign"
        [[arms]]
        tasks = ["mimic-sofa-24h"]
        [analysis]
        contrasts = ["with-skill:no-skill", { contrast = "a:b", claim = "non-inferiority", margin = 0.02 }]
        exploratory = ["model=x:model=y"]
        weighting = "family"
        denominator = "all"
        interval = "family-bootstrap-t"
        confidence = 0.9
        draws = 5000
        seed = 7
        [budget]
        usd = 3
        """,
    )
    assert plan == AnalysisPlan(
        contrasts=(
            DeclaredContrast(contrast="with-skill:no-skill"),
            DeclaredContrast(contrast="a:b", claim="non-inferiority", margin=0.02),
        ),
        exploratory=(DeclaredContrast(contrast="model=x:model=y"),),
        weighting="family",
        denominator="all",
        interval="family-bootstrap-t",
        confidence=0.9,
        draws=5000,
        seed=7,
        declared=True,
    )


def test_what_a_plan_leaves_out_has_its_default(tmp_path: Path) -> None:
    """An empty table is a declared plan with the defaults."""
    assert plan_of(tmp_path, "[analysis]\n") == AnalysisPlan(declared=True)
    whole = 'contrasts = [{ contrast = "a:b", claim = "equivalence", margin = 0.1 }]'
    assert plan_of(tmp_path, f"[analysis]\n{whole}\n").contrasts[0].margin == 0.1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("contrast = []", ["[analysis], contrast: is no key of an analysis", "did you mean contrasts?"]),
        ("weigthing = 'task'", ["[analysis], weigthing", "did you mean weighting?"]),
        ("declared = true", ["declared: is no key"]),
        ("p = 1", ["p: is no key", "keys are: format_version, contrasts"]),
        ("contrasts = 'a:b'", ["contrasts: is not a list"]),
        ("contrasts = [1]", ["entry 1 of contrasts: is neither a text nor a table"]),
        ("contrasts = ['x:y', 'a']", ["entry 2 of contrasts: has no two sides"]),
        ("contrasts = ['a:b', 'a:b']", ["contrast a:b is named twice"]),
        ("contrasts = ['a:b']\nexploratory = ['a:b']", ["contrast a:b is named twice"]),
        ("contrasts = ['a:b', 'b:a']", ["contrasts a:b and b:a are the same, turned round"]),
        ("contrasts = ['model=x:y:model=z']\nexploratory = ['model=z:model=x:y']", ["turned round"]),
        ("contrasts = [{contrast='a:b', marign=1.0}]", ["entry 1 of contrasts, marign", "margin?"]),
        ("contrasts = [{claim='difference'}]", ["entry 1 of contrasts, contrast: is missing"]),
        ("contrasts = [{contrast='a:b', claim='equivalence'}]", ["entry 1 of contrasts: a claim", "has a margin"]),
        ("contrasts = [{contrast='a:b', margin=0.1}]", ["entry 1 of contrasts", "a difference none"]),
        ("contrasts = [{contrast='a:b', claim='same'}]", ["contrasts, claim", "choose: difference, non-inferiority"]),
        *(
            (
                f"contrasts = [{{contrast='a:b', claim='{claim}'}}]",
                ["choose: difference, non-inferiority, equivalence; superiority is a difference"],
            )
            for claim in ("noninferiority", "superiority")
        ),
        *(
            (
                f"contrasts = ['x:y', {{contrast='a:b', claim='equivalence', margin={margin}}}]",
                ["entry 2 of contrasts, margin", "a margin is in units of the reward, between 0 and 1"],
            )
            for margin in ("1", "1.0", "5", "0", "-0.1", "'wide'", "nan")
        ),
        ("weighting = 'row'", ["weighting: has no such choice", "choose: task, family"]),
        ("interval = 'family-bootstrap'", ["choose: family-t, family-bootstrap-t"]),
        ("denominator = 3", ["denominator: has no such choice", "choose: valid, all"]),
        ("draws = '5000'", ["draws: should be a valid integer"]),
        ("draws = 10", ["draws: should be greater than or equal to 1000"]),
        ("draws = true", ["draws: should be a valid integer"]),
        ("seed = -1", ["seed: "]),
        ("seed = 1979-05-27", ["seed: should be a valid integer"]),
        ("confidence = 95", ["confidence: should be less than or equal to 0.9999"]),
        ("confidence = 0.9999999999999999", ["confidence: should be less than or equal to 0.9999"]),
        ("confidence = 0.5", ["confidence: should be greater than 0.5"]),
        ("format_version = 2", ["format_version: ", "newer m4bench"]),
        ("format_version = 0", ["format_version: is no format", "write 1, or leave it out"]),
        ("format_version = -5", ["format_version: is no format"]),
        (f"draws = {'9' * 5000}", ["holds a number that is too long"]),
        (f"draws = 0x{'f' * 5000}", ["holds a number that is too long"]),
        (f"draws = {'9' * 4000}", ["draws: "]),
        (f"contrasts = {[f'a:{n}' for n in range(1001)]}", ["contrasts: names 1,001 contrasts", "at most 1,000"]),
        (f"contrasts = ['{'a' * 500}:{'b' * 500}']", ["entry 1 of contrasts: is 1,001 letters long"]),
        ("contrasts = ['x:y', 'a:b']\nexploratory = ['c:d', 'a:b']", ["entry 2 of exploratory: the contrast a:b is"]),
    ],
)  # fmt: skip
def test_a_wrong_plan_is_refused_with_its_key(tmp_path: Path, text: str, words: list[str]) -> None:
    """One line names the file, the key and what is meant."""
    with pytest.raises(InputError) as caught:
        plan_of(tmp_path, f"[analysis]\n{text}\n")
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 800
    assert all(word in line for word in ("analysis.toml", *words)), line


def test_long_texts_are_cut_in_an_error(tmp_path: Path) -> None:
    """A key or contrast of hundreds of letters is told by its beginning and end."""
    long = f"begin{'x' * 400}:{'y' * 400}end"
    for text in (f"'{long}' = 1", f"contrasts = ['{long}', '{long}']"):
        with pytest.raises(InputError, match=r"beginx{94}…y{96}end") as caught:
            plan_of(tmp_path, f"[analysis]\n{text}\n")
        assert len(str(caught.value)) < 600


@pytest.mark.parametrize("kind", ["device", "pipe", "large"])
def test_only_a_regular_file_of_a_plans_size_is_read(tmp_path: Path, kind: str) -> None:
    """A device without end and a pipe nobody writes to are refused at once."""
    path = tmp_path / "plan.toml"
    if kind == "device":
        path = Path("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_text("[analysis]\n" + "#" * 1_000_000)
    with pytest.raises(InputError, match=r"is not a regular file|is larger than 1 MB"):
        read_plan(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[analysis", "is not TOML"),
        ("contrasts = []", r"has no \[analysis\] table"),
        ("analysis = 3", r"has no \[analysis\] table"),
    ],
)
def test_a_file_without_an_analysis_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """So is one that is not there."""
    with pytest.raises(InputError, match=words):
        plan_of(tmp_path, text)
    with pytest.raises(InputError, match="cannot be read"):
        read_plan(tmp_path / "none.toml")


def test_the_hash_of_a_plan_tells_every_choice(tmp_path: Path) -> None:
    """Two plans have one hash only if they are the same, however they were written."""
    first = plan_of(tmp_path, "[analysis]\nseed = 1\ncontrasts = ['a:b']\n")
    same = plan_of(tmp_path, "[analysis]\ncontrasts = [{contrast = 'a:b'}]\nseed = 1\n")
    other = plan_of(tmp_path, "[analysis]\nseed = 2\ncontrasts = ['a:b']\n")
    assert first.digest() == same.digest() != other.digest()
    assert contrasts_only(first, ["a:b"]).digest() != first.digest()


def test_contrasts_named_alone_replace_those_of_a_plan(tmp_path: Path) -> None:
    """They are primary, declared by nobody, and the plan's other choices stay."""
    plan = plan_of(tmp_path, "[analysis]\nseed = 5\nexploratory = ['a:b']\n")
    chosen = contrasts_only(plan, ["x:y", "y:z"])
    assert [one.contrast for one in chosen.contrasts] == ["x:y", "y:z"]
    assert (chosen.exploratory, chosen.declared, chosen.seed) == ((), False, 5)
    with pytest.raises(InputError, match="named twice"):
        contrasts_only(plan, ["x:y", "x:y"])
    with pytest.raises(InputError, match="x:y and y:x are the same, turned round"):
        contrasts_only(plan, ["x:y", "y:x"])


def test_the_supplied_plan_asks_what_the_runs_can_answer(published: RunTable) -> None:
    """Of the released runs: the skill, its controls, and schemas with the skill; none without a second side."""
    plan = default_plan(published)
    assert [one.contrast for one in plan.contrasts] == [
        "with-skill:no-skill",
        "with-skill-decoy:no-skill",
        "with-skill-rawsql:with-skill",
        "operational-spec:no-skill",
        "with-skill:operational-spec",
    ]
    exploratory = [one.contrast for one in plan.exploratory]
    assert "with-skill@obfuscated:with-skill" in exploratory
    assert not any("all" in one or "checks" in one or "shifted" in one for one in exploratory)
    assert not plan.declared


@pytest.mark.parametrize(
    ("places", "contrasts"),
    [
        ([{"condition": "no-skill"}], []),
        ([{"condition": "no-skill"}, {"condition": "no-skill", "system": MINI}], []),
        ([{"condition": "no-skill"}, {"condition": "with-skill"}], ["with-skill:no-skill"]),
        ([{"condition": "no-skill"}, {"condition": "with-skill", "system": MINI}], []),
        ([{"condition": "no-skill"}, {"condition": "with-skill", "task": "demo-weaning"}], []),
        (
            [
                {"condition": "no-skill"},
                {
                    "condition": "with-skill",
                    "setting": Setting("mimic-iv-demo", "", "current", "strict", "bwrap", "open"),
                },
            ],
            [],
        ),
        (
            [
                {"condition": "no-skill", "schema": "obfuscated"},
                {"condition": "with-skill", "schema": "obfuscated"},
            ],
            ["with-skill@obfuscated:no-skill@obfuscated"],
        ),
        ([{"condition": "approve"}, {"condition": "deny"}], []),
    ],
)
def test_a_contrast_is_supplied_where_a_pair_exists(
    places: list[dict[str, object]], contrasts: list[str]
) -> None:
    """Both sides within one task, system and setting; systems alone are compared by standings, not by a contrast."""
    plan = default_plan(runs_of(*places))
    assert [one.contrast for one in (*plan.contrasts, *plan.exploratory)] == contrasts


def test_the_plan_of_the_paper_can_be_asked_of_its_runs(published: RunTable) -> None:
    """Each of its contrasts has runs on both sides."""
    plan = read_plan(PAPER_PLAN)
    assert plan.declared
    assert plan.seed == 20260504
    for one in (*plan.contrasts, *plan.exploratory):
        sides = resolve(one.contrast, published)
        assert any(sides.treatment.matches(run) for run in published)
        assert any(sides.control.matches(run) for run in published)


def values_of(sides: Sides) -> tuple[dict[str, str], dict[str, str]]:
    """Return what the two sides fix."""
    return dict(sides.treatment.values), dict(sides.control.values)


NATIVE = {"schema": "native"}


@pytest.mark.parametrize(
    ("contrast", "treatment", "control"),
    [
        ("with-skill:no-skill", {"condition": "with-skill"} | NATIVE, {"condition": "no-skill"} | NATIVE),
        ("with-skill@obfuscated : with-skill",
         {"condition": "with-skill", "schema": "obfuscated"}, {"condition": "with-skill"} | NATIVE),
        ("model=gpt-5.5:model=gpt-5.4-mini", {"model": "gpt-5.5"}, {"model": "gpt-5.4-mini"}),
        ("model=gpt-oss:20b:model=gpt-5.5", {"model": "gpt-oss:20b"}, {"model": "gpt-5.5"}),
        ("model=gpt-5.5:model=gpt-oss:20b", {"model": "gpt-5.5"}, {"model": "gpt-oss:20b"}),
        ("agent=codex,effort=medium : agent=pi-ollama, effort=provider-default",
         {"agent": "codex", "effort": "medium"}, {"agent": "pi-ollama", "effort": "provider-default"}),
        ("condition=with-skill:condition=no-skill", {"condition": "with-skill"}, {"condition": "no-skill"}),
        ("dataset=eicu:dataset=mimic-iv", {"dataset": "eicu"}, {"dataset": "mimic-iv"}),
    ],
)  # fmt: skip
def test_a_contrast_is_read(
    published: RunTable, contrast: str, treatment: dict[str, str], control: dict[str, str]
) -> None:
    """A condition alone is of the native schema; values may hold colons, and blanks do not matter."""
    sides = resolve(contrast, published)
    assert values_of(sides) == (treatment, control)
    assert sides.treatment.named == frozenset(treatment)
    assert sides.control.named == frozenset(control)
    expected = [
        run for run in published if run.condition == treatment.get("condition", run.condition)
    ]
    assert any(sides.treatment.matches(run) for run in expected)
    assert not any(sides.treatment.matches(run) and sides.control.matches(run) for run in published)


@pytest.mark.parametrize(
    ("contrast", "labels"),
    [
        ("with-skill:no-skill", ("with-skill", "no-skill")),
        ("with-skill@obfuscated:with-skill", ("with-skill@obfuscated", "with-skill")),
        ("model=gpt-5.5:model=gpt-oss:20b", ("gpt-5.5", "gpt-oss:20b")),
        (
            "model=gpt-5.5,agent=codex:agent=codex,model=gpt-5.4-mini",
            ("codex · gpt-5.5", "codex · gpt-5.4-mini"),
        ),
    ],
)
def test_a_side_is_called_as_it_was_written(
    published: RunTable, contrast: str, labels: tuple[str, str]
) -> None:
    """Fields lose their names, and stand in one order whichever they were written in."""
    sides = resolve(contrast, published)
    assert (sides.treatment.label, sides.control.label) == labels


def test_a_native_side_takes_no_run_of_another_schema(published: RunTable) -> None:
    """The skill's runs on transformed schemas are not among those of `with-skill`: 280 are, of 540."""
    sides = resolve("with-skill:no-skill", published.where(lambda run: run.system.agent == "codex"))
    assert (
        sum(sides.treatment.matches(run) for run in published if run.system.agent == "codex") == 280
    )


@pytest.mark.parametrize(
    ("contrast", "words"),
    [
        ("with-skill", ["has no two sides", "TREATMENT:CONTROL"]),
        ("with-skill:", ["has an empty side"]),
        (":", ["has an empty side"]),
        ("with-skill:no-skil", ["no run has the condition no-skil", "there are: no-skill, operational-spec"]),
        ("with-skill@shifted:no-skill", ["no run has the schema shifted", "native, obfuscated"]),
        ("model=gpt-6:model=gpt-5.5", ["no run has the model gpt-6", "gpt-oss:20b"]),
        ("model=gpt-oss:20b:model=gpt-6", ["no run has the model gpt-6", "gpt-oss:20b"]),
        ("model=gpt-6:model=gpt-oss:20b", ["no run has the model gpt-6", "gpt-oss:20b"]),
        ("modle=x:modle=y", ["has no field modle", "fields are: condition"]),
        ("model=gpt-5.5,model=x:model=y", ["names model twice"]),
        ("with-skill:with-skill", ["same runs on both sides"]),
        ("with-skill@native:with-skill", ["same runs on both sides"]),
        ("with-skill:condition=no-skill", ["fixes schema on one side only"]),
        ("model=gpt-5.5:no-skill", ["fixes condition, model, schema on one side only"]),
        ("no-skill@obfuscated:operational-spec@obfuscated", ["no run is of operational-spec@obfuscated"]),
        ("agent=codex,model=gpt-oss:20b:agent=pi-ollama,model=gpt-oss:20b", ["no run is of agent=codex"]),
    ],
)  # fmt: skip
def test_a_contrast_that_cannot_be_asked_is_refused(
    published: RunTable, contrast: str, words: list[str]
) -> None:
    """One line tells the contrast, what is wrong and what there is."""
    with pytest.raises(InputError) as caught:
        resolve(contrast, published)
    assert all(word in str(caught.value) for word in (contrast, *words)), str(caught.value)


def test_a_contrast_of_two_readings_is_refused() -> None:
    """Where colons in names allow two splits, more has to be said."""
    models = ("a", "b:model=c", "a:model=b", "c")
    runs = runs_of(*[{"system": System("tool", model, "")} for model in models])
    with pytest.raises(InputError, match="can be read as a minus b:model=c or a:model=b minus c"):
        resolve("model=a:model=b:model=c", runs)


def test_a_condition_may_hold_an_at(published: RunTable) -> None:
    """A suite's condition that occurs in the runs is taken whole."""
    runs = runs_of({"condition": "ward@night"}, {"condition": "ward"})
    assert values_of(resolve("ward@night:ward", runs))[0] == {"condition": "ward@night"} | NATIVE


def test_an_agent_without_a_model_can_be_named() -> None:
    """An empty value means that there is none."""
    runs = runs_of({"system": System("naive", "", "")}, {"system": OSS})
    assert values_of(resolve("model=gpt-oss:20b:model=", runs)) == (
        {"model": "gpt-oss:20b"},
        {"model": ""},
    )


NAIVE = System("naive", "", "")


@pytest.mark.parametrize(
    ("systems", "contrast", "compared"),
    [
        ((OSS, NAIVE), "with-skill:no-skill", {OSS}),
        ((OSS, NAIVE), "condition=with-skill,agent=naive:condition=no-skill,agent=naive", {NAIVE}),
        ((NAIVE, System("empty", "", "")), "with-skill:no-skill", {NAIVE, System("empty", "", "")}),
        # Someone's agent of that name has a model, and is one to be measured.
        ((OSS, System("naive", "m", "")), "with-skill:no-skill", {OSS, System("naive", "m", "")}),
    ],
)
def test_baselines_stand_aside_where_no_agent_is_named(
    systems: tuple[System, ...], contrast: str, compared: set[System]
) -> None:
    """No mean over agents takes a baseline in, publishable or not; where nothing else ran they are compared."""
    conditions = ("with-skill", "no-skill")
    runs = runs_of(*({"system": one, "condition": name} for one in systems for name in conditions))
    sides = resolve(contrast, runs)
    assert {run.system for run in runs if any(side.matches(run) for side in sides)} == compared


def test_a_plan_saved_with_a_mark_of_its_encoding_is_read(tmp_path: Path) -> None:
    """Some editors begin a file with a byte-order mark."""
    path = tmp_path / "plan.toml"
    path.write_text('[analysis]\ncontrasts = ["with-skill:no-skill"]\n', encoding="utf-8-sig")
    assert read_plan(path).contrasts[0].contrast == "with-skill:no-skill"


@pytest.mark.parametrize(
    "text",
    [
        f"[analysis]\ncontrasts = {'[' * 50_000}",
        '[analysis]\ncontrasts = [{ contrast = "a:b", claim = "equivalence", margin = inf }]',
        '[analysis]\ncontrasts = [{ contrast = "a:b", claim = "equivalence", margin = nan }]',
    ],
)
def test_a_plan_of_nothing_but_trouble_is_refused_in_a_line(tmp_path: Path, text: str) -> None:
    """Endless nesting and margins that are no number end like any other bad input."""
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_plan(path)
    assert str(refused.value).startswith(f"{path}")
    assert "\n" not in str(refused.value)
