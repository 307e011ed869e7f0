# SPDX-License-Identifier: MIT
"""A third party's suite without tables: the answer to its one task is a word, in a file `answer.txt`."""

from pathlib import Path

from m4bench.data.store import Store
from m4bench.model.errors import InputError
from m4bench.model.hashing import sha256_text
from m4bench.model.score import KeyScore, Score, StrictResult
from m4bench.model.task import Convention, DropRules, ScoringRules, Task, TaskVersion
from m4bench.suites.suite import StageRequest, Staging

ANSWER = "heron"
WORDS = "/data/words/words.txt"
RULES = ScoringRules(key=(), values=(), scored=(), required=(), row_coverage=1.0, accuracy=1.0)
TASK = Task(
    name="toy-word",
    suite="toy",
    family="toy",
    title="Find the word",
    mode="standard",
    site="toy",
    difficulty="easy",
    grain=WORDS,
    reference="word",
    version=TaskVersion(scoring=1, interface=2),
    drops=DropRules(target=()),
    scoring=RULES,
    deliverable="answer.txt",
)


class ToySuite:
    """One task, two conditions, two schemas, a time-out of its own."""

    name = "toy"
    conditions = ("plain", "plain+hint")
    schemas = ("upright", "mirrored")
    timeout_seconds = 20

    def tasks(self) -> dict[str, Task]:
        """Return the one task."""
        return {TASK.name: TASK}

    def stage(self, task: Task, request: StageRequest) -> Staging:
        """Show one file read-only and copy one small one."""
        root = request.store.root / "toy"
        if not root.is_dir():
            raise InputError("no toy data", file=root)
        manifest = request.store.dataset("toy").manifest()
        binds = {} if request.host_paths else {WORDS: root / "words.txt"}
        return Staging(
            instruction=f"Find the word ({request.condition}).\n",
            files={"skills/word/SKILL.md": root / "skill.md"},
            binds=binds,
            dataset_hash=sha256_text((root / "words.txt").read_text()),
            reference_hash=sha256_text(ANSWER),
            access=manifest.access,
            release=manifest.release,
            modified=manifest.modified,
            inputs={"words": "w1"},
        )

    def score(
        self, task: Task, deliverable: Path, *, store: Store, dataset: str, convention: Convention
    ) -> Score:
        """Give 1 for the word."""
        error = None if deliverable.is_file() else "no answer"
        right = error is None and deliverable.read_text(errors="replace").strip() == ANSWER
        keys = KeyScore(
            reference=1, output=int(right), matched=int(right), missing=int(not right), extra=0,
            duplicate=0, unreadable=0, precision=float(right), recall=float(right), f1=float(right),
        )  # fmt: skip
        return Score(
            task=task.name,
            dataset=dataset,
            convention=convention,
            reward=float(right),
            columns={},
            keys=keys,
            ordered_nmae=None,
            strict=StrictResult(passed=right, checks=()),
            error=error,
        )

    def baseline(self, kind: str, task: Task, request: StageRequest) -> str:
        """The reference knows the word; the naive one takes the first in the file."""
        word = repr(ANSWER) if kind == "reference" else f"open({WORDS!r}).read().split()[0]"
        return f"open('answer.txt', 'w').write({word})\n"
