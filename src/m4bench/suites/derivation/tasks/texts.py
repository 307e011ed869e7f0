# SPDX-License-Identifier: MIT
"""Reads a text that a condition puts before an agent; one that is missing, empty or no text stops the run."""

from pathlib import Path

from m4bench.model.errors import InputError


def given_text(path: Path, condition: str) -> str:
    """Return a text that a condition gives.

    Raises:
        InputError: it is missing, empty or no text; the error names the file and the condition.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        problem = f"is missing, so that the condition {condition} has nothing to give"
        raise InputError(problem, file=path) from error
    except OSError as error:
        problem = f"cannot be read for the condition {condition} ({error.strerror})"
        raise InputError(problem, file=path) from error
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 text, and the condition {condition} gives it"
        raise InputError(problem, file=path) from error
    if not text.strip():
        problem = f"is empty, so that the condition {condition} has nothing to give"
        raise InputError(problem, file=path)
    return text
