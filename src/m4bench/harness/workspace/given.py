# SPDX-License-Identifier: MIT
"""The texts that stand in a work folder beside instruction and data: skills where agents look for them, programs.

It knows neither a task nor what a text says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from m4bench.model.hashing import sha256_record, sha256_text

RULE = "=" * 20


@dataclass(frozen=True)
class Given:
    """One text of a work folder, and whether it can be executed."""

    text: str
    executable: bool = False


def given_files(
    skills: Mapping[str, str], programs: Mapping[str, str], folders: Sequence[str]
) -> dict[str, Given]:
    """Return the texts by their path in the work folder: each skill once in every folder an agent looks into.

    Args:
        skills: texts by path below a folder of skills.
        programs: texts by path in the work folder.
        folders: the folders of skills, relative to the work folder.
    """
    found = {name: Given(text, executable=True) for name, text in sorted(programs.items())}
    for folder in folders:
        found |= {f"{folder}/{name}": Given(text) for name, text in sorted(skills.items())}
    return found


def given_hashes(given: Mapping[str, Given]) -> dict[str, str]:
    """Return the sha256 of each text by path."""
    return {name: sha256_text(one.text) for name, one in sorted(given.items())}


def given_as_text(instruction: str, given: Mapping[str, Given]) -> str:
    """Return an instruction as it is, then each text whole below a line with its paths; one that stands twice once."""
    paths: dict[str, list[str]] = {}
    for name, one in given.items():
        paths.setdefault(one.text, []).append(name)
    parts = [instruction]
    for text, names in paths.items():
        parts.append(f"{RULE} {', '.join(names)} {RULE}\n{text}")
    return "".join(part if part.endswith("\n") else f"{part}\n" for part in parts)


def materials_hash(instruction: str, given: Mapping[str, Given]) -> str:
    """Return one sha256 of all that is put before an agent as text: the instruction, each path and each text."""
    executable = sorted(name for name, one in given.items() if one.executable)
    return sha256_record([sha256_text(instruction), given_hashes(given), executable])
