# SPDX-License-Identifier: MIT
"""Where a family's definition comes from, where it departs from the clinical one, and who signed its texts.

Reads `PROVENANCE.yaml` of a family's folder. It knows no rows and no scores, and it never states that a text
is signed: that follows from the reviews of the versions there are.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import Field, StringConstraints, ValidationError, model_validator

from m4bench.model.errors import InputError
from m4bench.model.record import Record
from m4bench.model.task import Task
from m4bench.suites.derivation.library.catalogue import Derivation, library
from m4bench.suites.derivation.tasks.roots import task_roots
from m4bench.suites.derivation.tasks.texts import read_regular

PROVENANCE = "PROVENANCE.yaml"
REFERENCES = "references"

Part = Literal["card", "skill", "operational_spec", "checks"]
"""A text of a family that has versions and that a clinician can sign."""
Scope = Literal["card", "skill", "operational_spec", "checks", "sources", "departures"]
Verdict = Literal["approved", "approved with remarks", "changes needed"]

PARTS: tuple[Part, ...] = get_args(Part)
APPROVING: frozenset[Verdict] = frozenset({"approved", "approved with remarks"})

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Version = Annotated[int, Field(ge=1)]
_Doi = Annotated[str, StringConstraints(pattern=r"^10\.\d{4,9}/\S+$")]


class Source(Record):
    """A publication, what it is the source of, and its DOI where that is known for certain."""

    citation: Text
    source_of: Text
    doi: _Doi | None = None


class Open(Record):
    """An entry of a derivation's `unresolved`, named by the words it begins with."""

    derivation: Text
    says: Text


class Departure(Record):
    """Something in which the published convention is not the clinical definition.

    Attributes:
        what: what the convention does, and what the clinical definition says where that is not plain from it.
        effect: how the answer differs.
        adjudicated: the parameters of conventions that decide it otherwise, as `derivation.parameter`; the
            derivation is a concept, or `references.` and the name of a reference.
        unresolved: entries of derivations that say why it is left as it is. With neither, nobody has offered
            another rule.
    """

    what: Text
    effect: Text
    adjudicated: tuple[Text, ...] = ()
    unresolved: tuple[Open, ...] = ()

    @property
    def standing(self) -> Literal["adjudicated", "adjudicated in part", "unresolved", "kept"]:
        """Tell what the adjudicated convention does about it."""
        if self.adjudicated:
            return "adjudicated in part" if self.unresolved else "adjudicated"
        return "unresolved" if self.unresolved else "kept"


class Versions(Record):
    """The version of each text of a family. `card` is the highest interface version of its tasks."""

    card: _Version
    skill: _Version
    operational_spec: _Version
    checks: _Version

    def of(self, part: Part) -> int:
        """Return the version of a part."""
        version: int = getattr(self, part)
        return version


class Change(Record):
    """What changed on a day, and the versions that came of it; a part that did not change is not named."""

    date: date
    versions: dict[Part, _Version] = Field(min_length=1)
    says: Text


class Review(Record):
    """One clinician's reading of a family's texts.

    Attributes:
        reviewer: the name of the person, as they sign.
        profession: their profession and field, such as `intensivist`.
        date: the day of the verdict.
        of_version: the version read of every text in the scope.
        scope: what was read: texts of the family, its `sources`, its `departures`.
        verdict: `approved` and `approved with remarks` sign, `changes needed` does not.
        comment: remarks in the reviewer's own words; may be empty, unless changes are needed.
        signature: what the reviewer signs with: their name written by themselves in the change that brings
            the review, or a detached signature of the texts.
    """

    reviewer: Text
    profession: Text
    date: date
    of_version: dict[Part, _Version] = Field(default_factory=dict)
    scope: tuple[Scope, ...] = Field(min_length=1)
    verdict: Verdict
    comment: str = ""
    signature: Text

    @model_validator(mode="after")
    def _covers_what_it_names(self) -> "Review":
        read = {part for part in PARTS if part in self.scope}
        if read != set(self.of_version):
            raise ValueError("of_version and scope name different texts")
        if self.verdict not in APPROVING and not self.comment.strip():
            raise ValueError("a comment says which changes are needed")
        return self

    def signs(self, part: Part, version: int) -> bool:
        """Tell whether it approves this version of a part."""
        return self.verdict in APPROVING and self.of_version.get(part) == version


class Provenance(Record):
    """What a family's `PROVENANCE.yaml` holds."""

    family: Text
    sources: tuple[Source, ...] = Field(min_length=1)
    departures: tuple[Departure, ...]
    versions: Versions
    changes: tuple[Change, ...] = Field(min_length=1)
    reviews: tuple[Review, ...] = ()

    @model_validator(mode="after")
    def _log_leads_to_the_versions(self) -> "Provenance":
        days = [change.date for change in self.changes]
        if days != sorted(days):
            raise ValueError("changes are not in the order of their dates")
        for part in PARTS:
            logged = [change.versions[part] for change in self.changes if part in change.versions]
            if logged != list(range(1, self.versions.of(part) + 1)):
                raise ValueError(f"the changes do not lead from 1 to the version of {part}")
        for review in self.reviews:
            if any(version > self.versions.of(part) for part, version in review.of_version.items()):
                raise ValueError("a review is of a version that does not exist yet")
        return self

    @property
    def signed_parts(self) -> tuple[Part, ...]:
        """Return the texts whose present version a reviewer approved and no later review of it refused."""
        return tuple(part for part in PARTS if self._signed(part))

    def _signed(self, part: Part) -> bool:
        version = self.versions.of(part)
        of_it = [review for review in self.reviews if review.of_version.get(part) == version]
        last = {review.reviewer: review for review in sorted(of_it, key=lambda each: each.date)}
        return bool(last) and all(review.signs(part, version) for review in last.values())

    @property
    def signed(self) -> bool:
        """Tell whether all texts are signed as they are now."""
        return self.signed_parts == PARTS


def provenance_path(family: str, root: Path | None = None) -> Path:
    """Return the file of a family, below `root` or the first root of tasks that has the family."""
    roots = task_roots() if root is None else (root,)
    folders = [each / family for each in roots]
    return next((each for each in folders if each.is_dir()), folders[0]) / PROVENANCE


def read_yaml(path: Path) -> Any:
    """Return what a YAML file holds.

    Raises:
        InputError: it cannot be read, or is not YAML; the error names the line.
    """
    try:
        return yaml.safe_load(read_regular(path))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", file=path) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError("is not YAML", file=path, row=mark.line + 1 if mark else None) from error


def invalid(error: ValidationError, path: Path) -> InputError:
    """Return the error that names the file and the field of the first thing that does not fit."""
    first = error.errors(include_input=False, include_url=False)[0]
    message = first["msg"].removeprefix("Value error, ")
    place = ".".join(str(part) for part in first["loc"])
    return InputError(message[:1].lower() + message[1:], file=path, column=place or None)


def provenance(family: str, root: Path | None = None) -> Provenance:
    """Return the provenance of a family.

    Raises:
        InputError: there is no such file, or it does not fit; the error names the file and the field.
    """
    path = provenance_path(family, root)
    content = read_yaml(path)
    try:
        stated = Provenance.model_validate(content)
    except ValidationError as error:
        raise invalid(error, path) from error
    if stated.family != path.parent.name:
        raise InputError(f"must be {path.parent.name}", file=path, column="family")
    return stated


def _derivation(name: str) -> Derivation | None:
    kind, _, reference = name.partition(".")
    known = library()
    return (
        known.references.get(reference)
        if kind == REFERENCES and reference
        else known.concepts.get(name)
    )


def pointer_problems(adjudicated: Iterable[str], unresolved: Iterable[Open]) -> Iterator[str]:
    """Tell which pointers to conventions and to what they leave open lead nowhere."""
    for pointer in adjudicated:
        name, _, parameter = pointer.rpartition(".")
        derivation = _derivation(name)
        if derivation is None:
            yield f"{pointer}: no derivation is called {name}"
            continue
        named = [each for each in derivation.written.parameters if each.name == parameter]
        if not named:
            yield f"{pointer}: {name} has no such parameter"
        elif named[0].under("adjudicated") == named[0].published:
            yield f"{pointer}: the adjudicated convention decides it as the published one"
    for entry in unresolved:
        derivation = _derivation(entry.derivation)
        if derivation is None:
            yield f"no derivation is called {entry.derivation}"
            continue
        found = [e for e in derivation.header.unresolved if e.says.startswith(entry.says)]
        if len(found) != 1:
            yield (
                f"{len(found)} unresolved entries of {entry.derivation} begin with: {entry.says}"
            )


def _skill_versions(folder: Path) -> dict[str, str]:
    """Return the version that each skill of a family states in its front matter; empty where it states none."""
    versions = {}
    for file in sorted(folder.glob("skills/*/SKILL.md")):
        parts = file.read_text(encoding="utf-8").split("---\n", 2)
        fields = yaml.safe_load(parts[1]) if len(parts) > 2 and not parts[0].strip() else {}
        versions[file.parent.name] = str(fields.get("metadata", {}).get("version", ""))
    return versions


def provenance_problems(
    family: str, tasks: Iterable[Task], root: Path | None = None
) -> Iterator[str]:
    """Tell what a family's provenance says that is not so: pointers that lead nowhere, versions that differ.

    Args:
        family: the family.
        tasks: its tasks.
        root: the folder of families to read; default: all there are.

    Raises:
        InputError: there is no provenance, or it does not fit.
    """
    stated = provenance(family, root)
    for departure in stated.departures:
        yield from pointer_problems(departure.adjudicated, departure.unresolved)
    interfaces = [task.version.interface for task in tasks]
    if interfaces and max(interfaces) != stated.versions.card:
        yield f"versions.card is not {max(interfaces)}, the interface version of the tasks"
    for name, version in _skill_versions(provenance_path(family, root).parent).items():
        if version != str(stated.versions.skill):
            yield f"versions.skill is not the version of the skill {name}"
