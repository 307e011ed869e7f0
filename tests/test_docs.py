# SPDX-License-Identifier: MIT
"""The documentation held against the code: commands exist, the tutorial runs, nothing is left out."""

import csv
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from m4bench.cli.commands import app
from m4bench.harness.sandbox import probe
from tests.conftest import REQUIRED_VARIABLE

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
FIRST_RUN = ROOT / "docs" / "tutorial" / "first-run.md"
PAPER_TABLE = ROOT / "docs" / "tutorial" / "paper-table.md"
COMMAND_LINE = ROOT / "docs" / "reference" / "cli.md"
LEAST_COMMANDS = 30

BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^ *```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
INLINE = re.compile(r"`m4bench ([^`\n]+)`")
OPTION = re.compile(r"--[a-z][a-z-]*")
FIGURE = re.compile(r"(?<![\w.])-?\d+\.\d{2,}(?![\w.]*\w)|\b\d+(?: of |/)\d+\b")
LEAST_FIGURES = 30
BOUNDS = ("delta", "low", "high")


class Shown(NamedTuple):
    """A command as a page shows it; `words` begin after the program's name."""

    page: Path
    words: list[str]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: m4bench {shlex.join(self.words)}"


def console_lines(page: Path, mark: str | None = None) -> Iterator[str]:
    """Yield the lines after a prompt in console blocks, all or those under a mark."""
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["language"] == "console" and (mark is None or block["mark"] == mark):
            for line in block["body"].replace("\\\n", " ").splitlines():
                if line.strip().startswith("$ "):
                    yield line.strip().removeprefix("$ ")


def shown_commands() -> list[Shown]:
    """Return every `m4bench` command of a console block on any page."""
    return [
        Shown(page, words[1:])
        for page in PAGES
        for line in console_lines(page)
        if (words := shlex.split(line, comments=True)) and words[0] == "m4bench"
    ]


def options_of(command: Any) -> dict[str, Any]:
    """Return a command's options by each of their names."""
    return {
        name: parameter
        for parameter in command.params
        if parameter.param_type_name == "option"
        for name in parameter.opts
    }


def find(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that words name, and the words after it."""
    command: Any = typer.main.get_command(app)
    rest = list(words)
    while hasattr(command, "get_command"):
        assert rest, f"names no command: {words}"
        named = command.get_command(None, rest[0])
        assert named is not None, f"there is no command {rest[0]} in: {words}"
        command = named
        rest.pop(0)
    return command, rest


def problems(words: list[str]) -> list[str]:
    """Return what a command's parser would refuse in words: options, their values, arguments."""
    command, rest = find(words)
    options = options_of(command)
    found, given, positional = [], set(), 0
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            positional += 1
            continue
        name, _, value = word.partition("=")
        if name not in options:
            found.append(f"no option {name}")
            continue
        given.add(options[name].name)
        if not options[name].is_flag and not value:
            if not rest:
                found.append(f"{name} has no value")
            else:
                rest.pop(0)
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    least = sum(argument.required for argument in arguments)
    if positional < least or (
        positional > len(arguments) and all(argument.nargs == 1 for argument in arguments)
    ):
        found.append(f"{positional} arguments, not {least} to {len(arguments)}")
    missing = {p.name for p in options.values() if p.required} - given
    return found + [f"--{name} is missing" for name in sorted(missing)]


def all_commands() -> dict[str, Any]:
    """Return every command by its full name."""
    found = {}
    whole: Any = typer.main.get_command(app)
    for name in whole.list_commands(None):
        command = whole.get_command(None, name)
        if hasattr(command, "commands"):
            found |= {f"{name} {below}": inner for below, inner in command.commands.items()}
        else:
            found[name] = command
    return found


@pytest.mark.parametrize("shown", shown_commands(), ids=str)
def test_commands_shown_are_commands_that_exist(shown: Shown) -> None:
    """A command in a console block has only options that exist, all that it needs, and fitting arguments."""
    assert problems(shown.words) == []


def test_the_pages_show_commands() -> None:
    """The search for commands finds them, so that the test above is not empty."""
    assert len(shown_commands()) >= LEAST_COMMANDS


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("run mimic-sofa-24h --condition no-skill --agent naive", "--results is missing"),
        ("report results --out report --colour", "no option --colour"),
        ("report results --out", "has no value"),
        ("tasks show", "0 arguments"),
        ("tasks show a b", "2 arguments"),
    ],
)
def test_a_wrong_command_would_be_noticed(words: str, problem: str) -> None:
    """The check itself refuses what the command line refuses."""
    assert problem in " ".join(problems(words.split()))


def test_commands_in_running_text_exist() -> None:
    """A command named within a sentence exists, and so do its options."""
    for page in PAGES:
        for words in INLINE.findall(page.read_text(encoding="utf-8")):
            if words.startswith(("COMMAND", "release ")):
                continue
            path = [word for word in words.split() if re.fullmatch(r"[a-z]+", word)][:2]
            named = next((n for n in (" ".join(path), path[0]) if n in all_commands()), None)
            groups = {name.split()[0] for name in all_commands()}
            assert named or path[0] in groups, f"{page.name}: m4bench {words}"
            if named:
                known = options_of(all_commands()[named])
                assert set(OPTION.findall(words)) <= set(known), f"{page.name}: m4bench {words}"


def sections() -> dict[str, str]:
    """Return the command-line page's sections by the command or group they are about."""
    parts = re.split(r"^## m4bench (\w+)$", COMMAND_LINE.read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", sorted(all_commands()))
def test_every_command_and_option_is_described(name: str) -> None:
    """The command-line page has each command, and its section each of the command's options."""
    section = sections()[name.split()[0]]
    assert " " not in name or f"`{name}" in section
    options = set(options_of(all_commands()[name])) - {"--help"}
    assert options <= set(OPTION.findall(section))


@pytest.mark.parametrize("group", sorted(sections()))
def test_no_option_is_described_that_is_gone(group: str) -> None:
    """An option in a section belongs to one of its commands."""
    known = {
        option
        for name, command in all_commands().items()
        if name.split()[0] == group
        for option in options_of(command)
    }
    assert set(OPTION.findall(sections()[group])) <= known


def listed_packages(heading: str) -> set[str]:
    """Return the packages in the table under a heading of the dependencies' page."""
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([a-z0-9-]+)` \|", section, flags=re.M))


def names_of(requirements: list[str]) -> set[str]:
    """Return the names of requirements."""
    return {re.split(r"[=<>~ \[]", line)[0].lower() for line in requirements if line}


@pytest.mark.parametrize(
    ("heading", "source"),
    [
        ("At run time", "dependencies"),
        ("For building", "build"),
        ("For development", "dev"),
        ("In the agents' Python", "runtime.in"),
    ],
)
def test_every_direct_dependency_is_explained(heading: str, source: str) -> None:
    """The page names exactly the packages that are declared."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    if source == "runtime.in":
        folder = ROOT / "src" / "m4bench" / "harness" / "sandbox"
        declared = (folder / source).read_text().splitlines()
    elif source == "dependencies":
        declared = project["dependencies"]
    else:
        declared = project["optional-dependencies"][source]
    assert listed_packages(heading) == names_of(declared)


def test_links_of_pages_outside_the_site_lead_somewhere() -> None:
    """README and CHANGELOG link only to files that exist."""
    for page in PAGES[:2]:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (ROOT / target).is_file(), target


def test_the_two_commands_are_targets() -> None:
    """What the README says first can be done."""
    makefile = (ROOT / "Makefile").read_text()
    commands = [line for line in console_lines(ROOT / "README.md") if line.startswith("make ")]
    assert commands == ["make demo", "make test"]
    assert all(re.search(rf"^{line.split()[1]}:", makefile, flags=re.M) for line in commands)


def test_the_changelog_has_this_version() -> None:
    """The newest entry is the version that the package carries."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)
    assert headings[0] == version


def test_the_site_builds_strictly_and_fetches_nothing(tmp_path: Path) -> None:
    """No page is missing or left out, no link is broken, and no page loads anything from elsewhere."""
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) >= len(PAGES) - 2
    loads = re.compile(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=\"?(https?:)?//")
    assert not [page.name for page in pages if loads.search(page.read_text(encoding="utf-8"))]


class Followed(NamedTuple):
    """A folder in which a tutorial was followed, and what each of its commands printed, by the command's line."""

    folder: Path
    printed: dict[str, str]


def follow(page: Path, folder: Path) -> Followed:
    """Save the files that a tutorial shows and run its runnable commands, in their order, to the letter."""
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["mark"] and block["mark"].startswith("file: "):
            (folder / block["mark"].removeprefix("file: ")).write_text(block["body"])
    environment = os.environ | {"M4BENCH_STORE": str(folder / "store"), "COLUMNS": "200"}
    printed = {}
    for line in console_lines(page, mark="runnable"):
        words = shlex.split(line)
        assert words[0] == "m4bench"
        done = subprocess.run(
            [sys.executable, "-m", "m4bench.cli.main", *words[1:]],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        printed[line] = done.stdout
    return Followed(folder, printed)


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    """The tutorial from clone to report, followed."""
    isolation = probe()
    if not isolation.ready:
        if os.environ.get(REQUIRED_VARIABLE) == "1":
            pytest.fail(f"the tutorial needs a sandbox: {isolation.reason}")
        pytest.skip(f"the tutorial needs a sandbox: {isolation.reason}")
    return follow(FIRST_RUN, tmp_path_factory.mktemp("first-run"))


@pytest.fixture(scope="module")
def paper_table(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    """The tutorial from runs to the paper's table, followed."""
    return follow(PAPER_TABLE, tmp_path_factory.mktemp("paper-table"))


@pytest.mark.sandbox
def test_the_first_tutorial_holds_what_it_promises(first_run: Followed) -> None:
    """Followed to the letter, it ends with the order of rewards that its text describes."""
    report = first_run.folder / "report"
    assert (report / "index.html").is_file()
    with (report / "tables" / "runs.csv").open(newline="") as stream:
        runs = list(csv.DictReader(stream))
    assert len(runs) == 4
    program = {run["agent"] + run["agent_options"]: float(run["reward"]) for run in runs}
    reward = {
        name: next(value for key, value in program.items() if name in key)
        for name in ("reference", "naive", "constant_agent", "charting_agent")
    }
    assert reward["reference"] == 1
    assert 0 < reward["naive"] < 1
    assert 0 < reward["constant_agent"] < reward["charting_agent"] < 1


def squeezed(text: str) -> str:
    """Return text with one blank for several and none at the ends of its lines."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def figures(text: str) -> set[str]:
    """Return the decimal numbers and the shares in a text, `25 of 280` as `25/280`, without a plus."""
    plain = text.replace("$-$", "-").replace("\u2212", "-")
    return {one.replace(" of ", "/") for one in FIGURE.findall(plain)}


def test_excerpts_are_what_the_command_above_them_printed(paper_table: Followed) -> None:
    """Each block marked as printed stands, line below line, in the output of the last command above it."""
    last, compared = "", 0
    for block in BLOCK.finditer(PAPER_TABLE.read_text(encoding="utf-8")):
        if block["mark"] == "runnable":
            last = block["body"].strip().removeprefix("$ ")
        elif block["mark"] == "printed":
            assert f"\n{squeezed(block['body'])}\n" in f"\n{squeezed(paper_table.printed[last])}\n"
            compared += 1
    assert compared == PAPER_TABLE.read_text(encoding="utf-8").count("<!-- printed -->") >= 6


def test_figures_in_the_text_are_those_of_the_commands(paper_table: Followed) -> None:
    """A figure in a sentence or table was printed, or written into a table, by a command no section later."""
    known = set()
    checked = 0
    for section in PAPER_TABLE.read_text(encoding="utf-8").split("\n## "):
        for block in BLOCK.finditer(section):
            if block["mark"] == "runnable":
                line = block["body"].strip().removeprefix("$ ")
                known |= figures(paper_table.printed[line])
                if line.startswith("m4bench report"):
                    for table in (paper_table.folder / "report" / "tables").glob("*.tex"):
                        known |= figures(table.read_text(encoding="utf-8"))
        quoted = figures(BLOCK.sub("", section))
        assert quoted <= known, section.splitlines()[0]
        checked += len(quoted)
    assert checked >= LEAST_FIGURES


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("gains 0.136, or +0.120 (family)", {"0.136", "0.120"}),
        ("from -0.024 to 0.024.", {"-0.024", "0.024"}),
        ("$-$0.056 \u22120.101", {"-0.056", "-0.101"}),
        ("25 of 280 against 13/280", {"25/280", "13/280"}),
        ("gpt-5.4-mini, DuckDB 1.5.6, 95 %, arXiv 2610.37459v1", set()),
    ],
)
def test_figures_are_found_in_text(text: str, found: set[str]) -> None:
    """The check above sees figures, and takes neither versions nor names for one."""
    assert figures(text) == found


def test_the_table_of_other_choices_is_that_of_the_report(paper_table: Followed) -> None:
    """Its rows have the figures of the same lines of the report's table, rounded."""
    with (paper_table.folder / "report/tables/sensitivity.csv").open(newline="") as stream:
        lines = {
            line["changed"]: [line["tasks"], *(f"{float(line[x]):.3f}" for x in BOUNDS)]
            for line in csv.DictReader(stream)
            if (line["contrast"], line["metric"]) == ("with-skill:no-skill", "reward")
        }
    text = PAPER_TABLE.read_text(encoding="utf-8")
    table = text.split("| changed | tasks | delta | low | high |\n|---|---|---|---|---|\n")[1]
    rows = [row.strip("| ").split(" | ") for row in table.split("\n\n")[0].splitlines()]
    assert len(rows) == 4
    assert {row[0]: row[1:] for row in rows}.items() <= lines.items()


def test_the_paper_of_the_tutorial_finds_what_it_takes_in(paper_table: Followed) -> None:
    """The table and the figure that its LaTeX names were written, and the table bears the label it refers to."""
    paper = (paper_table.folder / "main.tex").read_text(encoding="utf-8")
    (table,) = re.findall(r"\\input\{(.*?)\}", paper)
    (figure,) = re.findall(r"\\includegraphics\[.*?\]\{(.*?)\}", paper)
    assert r"\label{tab:contrasts}" in (paper_table.folder / f"{table}.tex").read_text()
    assert (paper_table.folder / figure).read_bytes().startswith(b"%PDF")
