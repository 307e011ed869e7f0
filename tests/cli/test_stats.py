# SPDX-License-Identifier: MIT
"""`m4bench stats` and `m4bench published` as a user meets them, and their pages held against the code."""

import io
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from m4bench.analysis.csv_rows import READ
from m4bench.analysis.plan import read_plan
from m4bench.analysis.results import Analysis, ContrastResult
from m4bench.analysis.run_csv import COLUMNS
from m4bench.cli.commands import run_commands
from m4bench.cli.options import print_json
from m4bench.model.analysis import AnalysisPlan, DeclaredContrast
from tests.report.records import build_run, write_runs

DOCS = Path(__file__).parents[2] / "docs" / "reference"
PRIMARY = "codex_primary_runs.csv"
TASKS = ("mimic-sofa-24h", "mimic-meld-24h", "mimic-sirs-24h-raw")


class Done(NamedTuple):
    """A command that has ended."""

    returncode: int
    stdout: str
    stderr: str


def m4bench(*arguments: object) -> Done:
    """Run the command line in this process, as its door does."""
    said, told, code = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["m4bench", *map(str, arguments)])
        patch.setattr(sys, "stdout", said)
        patch.setattr(sys, "stderr", told)
        try:
            run_commands()
        except SystemExit as ending:
            code = int(ending.code or 0)
    return Done(code, said.getvalue(), told.getvalue())


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper's run tables as the program hands them out."""
    folder = tmp_path_factory.mktemp("paper")
    assert m4bench("published", "--to", folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs: three tasks, with and without a skill, a skill's gain of 0.1, 0.2 and 0.3."""
    runs = [
        build_run(
            task,
            condition=condition,
            model="big\u202e[bold]",
            trial=trial,
            rates={"value": 0.5 + (0.1 * place if condition == "with-skill" else 0.0)},
        )
        for place, task in enumerate(TASKS, 1)
        for condition in ("no-skill", "with-skill")
        for trial in (1, 2)
    ]
    return write_runs(tmp_path_factory.mktemp("made") / "results", runs)


@pytest.fixture(scope="module")
def whole(paper: Path) -> dict[str, Any]:
    """What is printed of the primary runs as JSON, with the paper's tables."""
    done = m4bench("stats", paper / PRIMARY, "--published", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"reading {PRIMARY}\n"
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_headline_of_the_paper_is_found(whole: dict[str, Any]) -> None:
    """28 tasks in 15 families, +0.136, 26 improved, 25 and 13 strict passes of 280, as published."""
    first = whole["contrasts"][0]
    assert first["contrast"] == "with-skill:no-skill"
    assert (first["tasks"], first["families"], first["positive"]) == (28, 15, 26)
    assert round(first["delta"], 3) == 0.136
    assert [round(first[name], 3) for name in ("control", "treatment")] == [0.703, 0.839]
    assert (first["task_bootstrap"]["low"], first["task_bootstrap"]["high"]) == pytest.approx(
        (0.085, 0.191), abs=5e-4
    )
    assert [side["passes"] for side in first["strict"]] == [25, 13]
    assert first["interval"]["low"] < first["delta"] < first["interval"]["high"]
    assert whole["plan"]["declared"] is False


def test_the_tables_of_the_paper_come_with_the_rest(whole: dict[str, Any]) -> None:
    """They are there when asked for, each by name with its rows, and nothing else is changed by them."""
    assert "codex_native_skill_effect" in whole["published"]
    assert whole["published"]["codex_native_skill_effect"]["rows"]
    rest = {name: value for name, value in whole.items() if name != "published"}
    assert Analysis.model_validate_json(json.dumps(rest)).runs == 760


def test_a_terminal_is_told_the_same(paper: Path) -> None:
    """Delta, interval, test, counts and strict passes stand in a block, figures to three decimals."""
    done = m4bench("stats", paper / PRIMARY, "--contrast", "with-skill:no-skill", "--published")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    for words in (
        "with-skill minus no-skill (primary)",
        "over 28 tasks in 15 families, 280 and 280 runs",
        "reward 0.839 and 0.703",
        "delta +0.136, 95 % [0.054, 0.217] (family-t)",
        # 14 of the 2**15 flips of families go as far, as docs/explanation/intervals.md reckons.
        "p 0.0004 (exact); Holm: 0.0004",
        "detectable 0.114: the smallest true delta that would be found with a power of 80 % by Student's t test",
        "tasks 26 of 28 improved, 2 declined, 0 unchanged",
        "strict passes 25/280 and 13/280",
        "codex · gpt-5.4-mini · medium with-skill native 0.071 ",  # 10 of 140, five trials each
        "codex_native_skill_effect: ",
        "of the paper's tables are of other runs or of none",
    ):
        assert words in said
    assert "with-skill-decoy minus" not in said
    assert "not declared before the runs" in said


def test_a_folder_of_runs_is_compared(results: Path) -> None:
    """Deltas of 0.1, 0.2 and 0.3 in three families: a mean of 0.2, its t interval by hand, p = 2/8."""
    found = json.loads(m4bench("stats", results, "--json").stdout)
    first = found["contrasts"][0]
    assert first["delta"] == pytest.approx(0.2, abs=1e-9)
    # The standard error is 0.1 / sqrt(3); Student's t with 2 degrees of freedom has 4.302653 at 97.5 %.
    assert first["interval"]["high"] - 0.2 == pytest.approx(4.302653 * 0.1 / 3**0.5, rel=1e-6)
    assert first["p_value"] == pytest.approx(0.25)
    assert list(found["sources"]) == ["results"]


def test_a_hostile_name_is_shown_and_not_obeyed(results: Path) -> None:
    """A model's name can neither reverse a line nor be taken for markup."""
    said = m4bench("stats", results).stdout
    assert "\u202e" not in said
    assert "big\\u202e[bold]" in said


@pytest.mark.parametrize(
    ("contrasts", "code", "words"),
    [
        (["with-skill:no-skill"], 0, ["with-skill minus no-skill (primary)"]),
        (["no-skill:with-skill"], 0, ["no-skill minus with-skill (primary)"]),
        (["no-skill:with-skill", "with-skill:no-skill"], 2, ["are the same, turned round"]),
        (["with-skill:no-skil"], 2, ["no run has the condition no-skil", "there are: no-skill, with-skill"]),
        (["with-skill"], 2, ["has no two sides"]),
        (["a:b", "a:b"], 2, ["named twice"]),
    ],
)  # fmt: skip
def test_contrasts_are_named(
    results: Path, contrasts: list[str], code: int, words: list[str]
) -> None:
    """Those that are named are compared; one that cannot be is one line and exit code 2."""
    options = [part for one in contrasts for part in ("--contrast", one)]
    done = m4bench("stats", results, *options)
    assert done.returncode == code, done.stderr
    said = done.stdout if code == 0 else done.stderr.partition("m4bench: ")[2]
    assert all(word in said for word in words), said
    assert code == 0 or (said.count("\n") == 1 and not done.stdout)


def test_a_declared_analysis_is_followed(results: Path, tmp_path: Path) -> None:
    """Its choices and its hash stand in what is printed; contrasts named beside it replace its own."""
    path = tmp_path / "analysis.toml"
    path.write_text("[analysis]\nseed = 5\ncontrasts = ['with-skill:no-skill']\n")
    found = json.loads(m4bench("stats", results, "--analysis", path, "--json").stdout)
    assert found["plan"]["seed"] == 5
    assert found["plan"]["declared"] is True
    assert found["plan_hash"] == read_plan(path).digest()
    other = m4bench(
        "stats", results, "--analysis", path, "--contrast", "no-skill:with-skill", "--json"
    )
    replaced = json.loads(other.stdout)
    assert replaced["contrasts"][0]["contrast"] == "no-skill:with-skill"
    assert (replaced["plan"]["seed"], replaced["plan"]["declared"]) == (5, False)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("weighting = 'family'", "[analysis], contrasts: the declared analysis names no contrast"),
        (
            "contrasts = ['with-skill:no-skill', ':']",
            "[analysis], entry 2 of contrasts: contrast :",
        ),
        (
            "exploratory = ['no-skill:no-skill']",
            "[analysis], entry 1 of exploratory: contrast no-skill:no-skill has the same runs",
        ),
        (
            "contrasts = ['with-skil:no-skill']",
            "entry 1 of contrasts: contrast with-skil:no-skill: no",
        ),
        (f"contrasts = ['{'x' * 500}:no-skill']", f"{'x' * 99}…{'x' * 90}:no-skill: no run"),
        (
            "contrasts = ['with-skill:no-skill']\nexploratory = ['no-skill@native:with-skill']",
            "entry 1 of exploratory: the contrasts with-skill:no-skill and no-skill@native:with-skill",
        ),
        (
            "contrasts = [{contrast='with-skill:no-skill', claim='equivalence', margin=5}]",
            "a margin is in units of the reward, between 0 and 1",
        ),
    ],
)
def test_a_mistaken_plan_is_one_line_and_exit_code_2(
    results: Path, tmp_path: Path, plan: str, words: str
) -> None:
    """Nothing is shown by a margin no reward can pass, and nothing is compared by weights alone."""
    path = tmp_path / "analysis.toml"
    path.write_text(f"[analysis]\n{plan}\n")
    for done in (
        m4bench("stats", results, "--analysis", path),
        m4bench("report", results, "--out", tmp_path / "out", "--analysis", path),
    ):
        assert (done.returncode, done.stdout) == (2, "")
        last = done.stderr.splitlines()[-1]
        assert f"{path}: [analysis], " in last
        assert words in last
        assert len(last) < 1000


def test_the_record_of_an_analysis_holds_no_letter_that_reorders(
    results: Path, tmp_path: Path
) -> None:
    """`analysis.json` beside a page is ASCII, and the same as what is printed."""
    assert m4bench("report", results, "--out", tmp_path / "out").returncode == 0
    content = (tmp_path / "out" / "analysis.json").read_bytes()
    assert content.isascii()
    assert json.loads(content) == json.loads(m4bench("stats", results, "--json").stdout)


def test_a_source_without_a_name_is_refused() -> None:
    """An unset variable in a script is not the current folder."""
    done = m4bench("stats", "")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "m4bench: a source of runs has an empty name; name a runs CSV or a folder of runs\n"
    )


def test_a_number_without_a_sign_in_json_is_never_printed() -> None:
    """No program is handed NaN or Infinity."""
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="Out of range float values"):
            print_json({"number": number})


def test_lines_that_go_elsewhere_are_whole(tmp_path: Path) -> None:
    """No name is cut, no line broken, and none ends in blanks where standard output is no terminal."""
    name = "a-model-" + "of-a-long-name-" * 20
    runs = [
        build_run(task, condition=condition, model=f"{name}{number}", rates={"value": 0.5})
        for task in TASKS
        for condition in ("no-skill", "with-skill")
        for number in (1, 2)
    ]
    lost = build_run(TASKS[0], model=f"{name}1", trial=2, state="infrastructure")
    said = m4bench("stats", write_runs(tmp_path / "results", [*runs, lost])).stdout
    first, second, *rest = said.splitlines()
    assert re.fullmatch(r"13 runs of 3 tasks in 3 families; .* \([0-9a-f]{12}\)", first)
    assert second == "1 run has no measurement: in no mean"
    whole = f"solver · {name}1; solver · {name}2"
    assert f"   systems        {whole}" in rest
    assert any(line.startswith(f"   within system  solver · {name}1: ") for line in rest)
    assert any(line.endswith("  no measurement") for line in rest)
    assert not any(line != line.rstrip() for line in rest)
    (heading,) = [line for line in rest if line.startswith("Systems under no-skill")]
    assert heading.endswith("those that share a letter are not told apart (95 %, Holm)")


@pytest.mark.parametrize(
    ("interval", "beside"), [("family-t", "bootstrap-t"), ("family-bootstrap-t", "Student's t")]
)
def test_both_intervals_are_printed(
    results: Path, tmp_path: Path, interval: str, beside: str
) -> None:
    """The plan's beside the delta, and the other below it."""
    path = tmp_path / "analysis.toml"
    path.write_text(f"[analysis]\ninterval = '{interval}'\ncontrasts = ['with-skill:no-skill']\n")
    lines = m4bench("stats", results, "--analysis", path).stdout.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("   delta "))
    assert lines[at + 1].startswith(f"   {beside} ")
    assert ("(family-t)" in lines[at + 1]) is (beside == "Student's t")


def test_models_compared_are_not_called_conditions(paper: Path) -> None:
    """Two systems are compared, and four pairs of arms are held equal."""
    done = m4bench("stats", paper / PRIMARY, "--contrast", "model=gpt-5.5:model=gpt-5.4-mini")
    said = " ".join(done.stdout.split())
    assert (
        "systems codex · gpt-5.4-mini · medium; codex · gpt-5.5 · medium held equal 4 pairs of arms: "
        in said
    )
    assert "within codex · medium · no-skill: +0.127" in said


HEADER = (
    "run_id,task,condition,schema,agent,model,trial,reward,strict_pass,publishable,agent_status"
)


def rows_of(agent: str, condition: str, rewards: list[float | None]) -> list[str]:
    """Return rows of runs of three tasks in turn; None is a run that the provider failed."""
    return [
        f"r{agent}{condition}{place},{TASKS[place % 3]},{condition},native,{agent},m-{agent},{place // 3 + 1},"
        + ("" if reward is None else f"{reward}")
        + f",False,True,{'provider-error' if reward is None else 'completed'}"
        for place, reward in enumerate(rewards)
    ]


PLAN = "contrasts = ['with-skill:no-skill', 'agent=b,model=m-b:agent=a,model=m-a']"


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (
            f"{PLAN}\n",
            [
                "1 run has no measurement: in no mean",
                "Arms: mean rewards, each task equal",
                # Nine runs, of which eight are measured: (0.5 + 0.5 + 0.5) / 3.
                "a · m-a no-skill native 3 8 of 9 0.500 0/8 1",
                # Of the three tasks one has two measured trials only.
                "a · m-a no-skill native 0.000 0.000, 0.000 0.000, 0.000 (2 tasks)",
                "with-skill minus no-skill (primary) over 3 tasks in 3 families, 9 and 8 runs",
                "tasks 2 of 3 improved, 1 declined, 0 unchanged",
                "b · m-b minus a · m-a (primary)",
                "delta 0.000,",
                "tasks 0 of 3 higher, 0 lower, 3 unchanged",
                "with-skill − no-skill strict 0.000",
                "b · m-b − a · m-a strict 0.000",
            ],
        ),
        (
            f"{PLAN}\nweighting = 'family'\ndenominator = 'all'\n",
            [
                "1 run has no measurement: in every mean as 0",
                "Arms: mean rewards, each family equal",
                # One of three runs of a task is 0: (1/3 + 0.5 + 0.5) / 3.
                "a · m-a no-skill native 3 9 0.444 0/9 1",
            ],
        ),
    ],
    ids=["valid", "all"],
)
def test_figures_and_words_follow_the_plan(plan: str, words: list[str], tmp_path: Path) -> None:
    """What is averaged, what becomes of unmeasured runs, which side is better, and no zero below zero."""
    rows = [
        *rows_of("a", "no-skill", [None, *[0.5] * 8]),
        *rows_of("a", "with-skill", [0.6, 0.4, 0.8] * 3),
        *rows_of("b", "no-skill", [0.5] * 9),
    ]
    table, declared = tmp_path / "runs.csv", tmp_path / "plan.toml"
    table.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")
    declared.write_text(f"[analysis]\n{plan}")
    done = m4bench("stats", table, "--analysis", declared)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert [word for word in words if word not in said] == []
    assert not re.search(r"[-−+]0\.000\b", said)
    assert "agent=" not in said


@pytest.mark.parametrize(("families", "how"), [(20, "(exact)"), (21, "(random flips)")])
def test_a_p_value_of_random_flips_is_told_from_an_exact_one(
    families: int, how: str, tmp_path: Path
) -> None:
    """Of more than 20 families not all flips are counted."""
    rows = [
        f"r{place}{condition},task-{place},family-{place},{condition},native,a,m,1,{reward},False,True"
        for place in range(families)
        for condition, reward in (("no-skill", 0.5), ("with-skill", 0.5 + 0.01 * (place % 7)))
    ]
    header = "run_id,task,family,condition,schema,agent,model,trial,reward,strict_pass,publishable"
    table = tmp_path / "runs.csv"
    table.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    said = m4bench("stats", table).stdout.splitlines()
    (line,) = [line for line in said if line.startswith("   p ")]
    assert how in line


def test_arms_that_differ_in_setting_only_are_told_apart(tmp_path: Path) -> None:
    """What differs between arms has a column, what is the same has none, and what is not publishable is marked."""
    header = (
        "run_id,task,condition,schema,agent,model,trial,reward,strict_pass,publishable,convention"
    )
    rows = [
        f"r{convention}{condition},mimic-sofa-24h,{condition},native,a,m,1,0.5,False,{kept},{convention}"
        for convention, kept in (("current", "False"), ("published", "True"))
        for condition in ("no-skill", "with-skill")
    ]
    table = tmp_path / "runs.csv"
    table.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    said = " ".join(m4bench("stats", table).stdout.split())
    assert "system condition schema convention tasks runs reward strict" in said
    assert "a · m no-skill native current 1 1 0.500 0/1 not publishable" in said
    assert "a · m no-skill native published 1 1 0.500 0/1 a · m" in said
    assert said.index("no-skill, published (primary)") < said.index("no-skill, current (primary)")


def test_a_baseline_is_called_one_and_compared_where_it_is_named(tmp_path: Path) -> None:
    """Beside an agent it is no system of the contrast of conditions, and has a side where it is asked for."""
    header = "run_id,task,condition,schema,agent,model,trial,reward,strict_pass,publishable"
    rows = [
        f"r{agent}{condition},mimic-sofa-24h,{condition},native,{agent},,1,{reward},False,True"
        for agent, reward in (("mine", 0.4), ("naive", 0.9))
        for condition in ("no-skill", "with-skill")
    ]
    table = tmp_path / "runs.csv"
    table.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    done = m4bench("stats", table)
    said = " ".join(done.stdout.split())
    assert "over 1 task in 1 family, 1 and 1 run systems mine reward 0.400 and 0.400" in said
    assert "naive no-skill native 1 1 0.900 0/1 baseline" in said
    assert "stand aside where no agent is named: naive" in done.stderr
    named = m4bench("stats", table, "--contrast", "agent=mine:agent=naive").stdout
    assert "systems mine; naive" in " ".join(named.split())
    assert "delta −0.500" in " ".join(named.split())


def test_runs_without_a_second_side_are_told_as_they_are(results: Path, tmp_path: Path) -> None:
    """Arms are there, nothing is compared, and the paper's tables are of other runs."""
    folder = write_runs(tmp_path / "one", [build_run(task) for task in TASKS])
    done = m4bench("stats", folder, "--published")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "nothing is compared" in said
    assert "solver no-skill native 3 3" in said
    assert "codex_native_skill_effect" not in said


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda path: None, "is not there"),
        (lambda path: path.mkdir(), "holds no finished run; make one with: m4bench run"),
        (lambda path: path.write_text("a,b\n1,2\n"), "row 1, column run_id: is missing"),
        (lambda path: path.write_bytes(b"PAR1\xff\xfe"), "is not UTF-8 text"),
    ],
)
def test_what_is_no_run_is_one_line_and_exit_code_2(tmp_path: Path, write: Any, words: str) -> None:
    """Nothing is printed on standard output."""
    write(tmp_path / "runs")
    done = m4bench("stats", tmp_path / "runs")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_the_same_runs_give_the_same_bytes(results: Path) -> None:
    """Twice, and under another seed of Python's hashes."""
    first, second = (
        subprocess.run(
            [sys.executable, "-m", "m4bench.cli.main", "stats", results, "--json"],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second


def test_the_released_runs_are_handed_out_byte_for_byte(paper: Path, shared: Path) -> None:
    """Three tables and whose they are."""
    for path in sorted((shared / "published").glob("*.csv")):
        assert (paper / path.name).read_bytes() == path.read_bytes()
    assert "MIT" in (paper / "README.md").read_text()
    assert len(list(paper.iterdir())) == 4


def test_no_file_of_the_user_is_replaced(tmp_path: Path) -> None:
    """Another file of the same name stays and nothing is written; the same files may be there."""
    (tmp_path / PRIMARY).write_text("mine")
    refused = m4bench("published", "--to", tmp_path)
    assert refused.returncode == 2
    assert "is another file; name another folder, or move it" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == [PRIMARY]
    (tmp_path / PRIMARY).unlink()
    for _ in range(2):
        done = m4bench("published", "--to", tmp_path, "--json")
        assert done.returncode == 0, done.stderr
    assert PRIMARY in json.loads(done.stdout)["tables"][0]


@pytest.mark.parametrize(
    ("place", "words"),
    [(None, "no folder was named; say where with --to DIR"), ("file", "is a file")],
)
def test_a_place_to_write_is_needed(tmp_path: Path, place: str | None, words: str) -> None:
    """A folder is named, and it is one."""
    (tmp_path / "file").write_text("")
    done = m4bench("published", *(["--to", tmp_path / place] if place else []))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert place is not None or words in done.stderr


def listed(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the rows below a table's heading row that begins so."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def names_in(rows: list[list[str]]) -> list[str]:
    """Return the names between backticks in the first cell of each row."""
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row[0])]


def test_the_page_on_the_table_names_its_columns() -> None:
    """Every column that is written has a line, no other has one, and those an analysis reads are told."""
    rows = listed("runs-csv.md", "column")
    assert sorted(names_in(rows)) == sorted(COLUMNS)
    assert {row[2] for row in rows} == {"yes", "no"}
    assert sorted(names_in([row for row in rows if row[2] == "yes"])) == sorted(READ)


@pytest.mark.parametrize(
    ("heading", "fields"),
    [
        ("key", set(AnalysisPlan.model_fields) - {"declared"}),
        ("key of a contrast", set(DeclaredContrast.model_fields)),
        ("field", {*Analysis.model_fields, "published"}),
        ("field of a contrast", set(ContrastResult.model_fields)),
    ],
)
def test_the_page_on_stats_names_every_field(heading: str, fields: set[str]) -> None:
    """What a plan may hold and what is printed stand on the page, and nothing that does not exist."""
    assert set(names_in(listed("stats.md", heading))) == fields


def test_the_defaults_on_the_page_are_the_defaults() -> None:
    """The third column of the plan's keys is what an empty plan holds."""
    empty = AnalysisPlan().model_dump(mode="json")
    for row in listed("stats.md", "key"):
        (name,) = names_in([row])
        told = row[2].strip("`")
        assert told == (str(empty[name]) if empty[name] != [] else "none"), name


def test_the_example_on_the_page_is_an_analysis(tmp_path: Path) -> None:
    """It is read, and shows each key."""
    text = (DOCS / "stats.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```", text, flags=re.M | re.S)
    path = tmp_path / "analysis.toml"
    path.write_text(example)
    assert len(read_plan(path).contrasts) == 2
    shown = set(tomllib.loads(example)["analysis"])
    assert shown == set(AnalysisPlan.model_fields) - {"declared", "format_version"}
