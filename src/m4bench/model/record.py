# SPDX-License-Identifier: MIT
"""The base of everything written to disk as JSON: validated, immutable, versioned."""

from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticSerializationError

from m4bench.model.errors import InputError
from m4bench.model.files import write_text
from m4bench.model.legible import writable


class Record(BaseModel):
    """A frozen value whose fields are all declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    def writable(self) -> Self:
        """Return the record as JSON can hold it: bytes that are not UTF-8, as in a file's name, are told as escapes."""
        try:
            self.model_dump_json()
        except PydanticSerializationError:
            return self.model_validate(_writable(self.model_dump(by_alias=True)))
        return self


def _writable(value: Any) -> Any:
    match value:
        case str():
            return writable(value)
        case dict():
            return {_writable(name): _writable(one) for name, one in value.items()}
        case list() | tuple():
            return [_writable(one) for one in value]
    return value


class Document(Record):
    """A record with a place on disk and a format version of its own."""

    format_version: int

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read and validate a document.

        Raises:
            InputError: the file is missing, is not text or JSON, or does not fit the format.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", file=path) from error
        except UnicodeDecodeError:
            raise InputError(
                "is not UTF-8 text",
                file=path,
                remedy=f"it is not a {cls.__name__} this version can read",
            ) from None
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "document"
            raise InputError(
                f"{first['msg']}",
                file=path,
                column=place,
                remedy=f"it is not a {cls.__name__} this version can read",
            ) from error

    def write(self, path: Path, *, mode: int | None = None) -> None:
        """Write the document beside its place and rename it into it."""
        write_text(path, self.writable().model_dump_json(indent=2) + "\n", mode=mode)
