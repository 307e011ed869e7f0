# SPDX-License-Identifier: MIT
"""Reads a TOML file of settings that nobody else may have written. Knows no setting."""

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from pydantic import ValidationError

from m4bench.model.errors import InputError
from m4bench.model.record import Record

LONGEST = 1 << 20
_LINE = re.compile(r"\(at line (\d+), column \d+\)")
Settings = TypeVar("Settings", bound=Record)


def config_folder() -> Path:
    """Return the platform's folder of the user's settings."""
    return Path(platformdirs.user_config_path("m4bench"))


def is_there(path: Path) -> bool:
    """Tell whether something stands at a path, readable or not.

    Raises:
        InputError: that cannot be told, as nobody may look there.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise InputError(f"cannot be looked at ({error.strerror})", file=path) from error
    return True


def guarded_text(path: Path, *, private: bool = False) -> str:
    """Return the text of a file that only its owner, who is this user or root, can have written.

    Args:
        path: the file.
        private: whether others may not read it either.

    Raises:
        InputError: it cannot be read, is not such a file, or others can write it or its folder.
    """
    try:
        # a pipe would keep whoever opens it waiting
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except ValueError:
        raise InputError("a path holds no NUL", file=str(path).replace("\0", "?")) from None
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        os.close(descriptor)
        raise InputError("is no file", file=path)
    with os.fdopen(descriptor, "rb") as stream:
        _refuse_others(path, facts, private=private)
        content = stream.read(LONGEST + 1)
    for folder in {path.absolute().parent, path.resolve().parent}:
        _refuse_open_folder(folder)
    if len(content) > LONGEST:
        raise InputError(f"is longer than {LONGEST} bytes", file=path)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", file=path) from None


def _refuse_others(path: Path, facts: os.stat_result, *, private: bool) -> None:
    if facts.st_uid not in (0, os.geteuid()):
        raise InputError("belongs to another user", file=path, remedy="use one of your own")
    if private and facts.st_mode & 0o077:
        raise InputError("others can read it", file=path, remedy=f"chmod 600 {path}")
    if facts.st_mode & 0o022:
        raise InputError("others can write it", file=path, remedy=f"chmod go-w {path}")


def _refuse_open_folder(folder: Path) -> None:
    mode = folder.stat().st_mode
    if mode & 0o022 and not mode & stat.S_ISVTX:
        raise InputError(
            "others can replace files in it", file=folder, remedy=f"chmod go-w {folder}"
        )


def read_tables(path: Path) -> tuple[dict[str, Any], str]:
    """Return the tables of a guarded TOML file, and its text.

    Raises:
        InputError: as `guarded_text`; or it is no TOML, told with the line and without a word of it.
    """
    text = guarded_text(path)
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        row = int(found[1]) if found else None
        raise InputError("is no TOML", file=path, row=row, remedy="mend that line") from None
    except (ValueError, RecursionError):
        raise InputError(
            "nests too deeply or holds a number of too many digits", file=path
        ) from None


def checked(
    model: type[Settings],
    table: object,
    path: Path,
    *,
    place: str,
    header: str,
    text: str,
    nth: int = 0,
) -> Settings:
    """Return a table of a file as its model.

    Args:
        model: what it has to be.
        table: what the file has.
        path: the file.
        place: the table's name in an error.
        header: the line that begins it, for the row in an error.
        text: the file's text.
        nth: which of the tables with this header it is.

    Raises:
        InputError: with file, row and setting, and never a value.
    """
    rows = _rows(text, header)
    row = rows[nth] if nth < len(rows) else None
    if not isinstance(table, Mapping):
        raise InputError("is no table", file=path, row=row, column=place)
    try:
        return model.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    setting = ".".join(str(part) for part in first["loc"])
    problem = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        problem = f"there is no such setting; choose of: {', '.join(sorted(model.model_fields))}"
    elif first["type"] == "missing":
        problem = "is missing"
    column = f"{place}.{setting}" if setting else place
    row = _row_of(text, row, str(first["loc"][0])) if first["loc"] else row
    raise InputError(problem[:1].lower() + problem[1:], file=path, row=row, column=column)


def _rows(text: str, header: str) -> list[int]:
    """Return the rows on which a table begins."""
    wanted = re.sub(r"[\s\"']", "", header)
    return [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if re.sub(r"[\s\"']", "", line.partition("#")[0]) == wanted
    ]


def _row_of(text: str, begin: int | None, setting: str) -> int | None:
    """Return the row of a setting in the table that begins at a row, or that row."""
    if begin is None:
        return None
    named = re.compile(rf"\s*[\"']?{re.escape(setting)}[\"']?\s*[.=]")
    for number, line in enumerate(text.splitlines()[begin:], begin + 1):
        if line.lstrip().startswith("["):
            break
        if named.match(line):
            return number
    return begin
