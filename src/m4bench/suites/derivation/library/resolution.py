# SPDX-License-Identifier: MIT
"""From the SQL a file holds to the SQL that runs: parameters and macros replaced, as text, comments kept.

`$name` stands for a parameter, whose value is SQL and may name other parameters; a macro is a scalar
expression shared by several files, `CREATE MACRO name(argument, …) AS expression;`. Knows no convention.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from m4bench.model.errors import InputError

if TYPE_CHECKING:
    from sqlglot.tokens import Token

_PARAMETER = re.compile(r"\$([a-z][a-z0-9_]*)")
_MACRO = re.compile(
    r"^CREATE MACRO (?P<name>[a-z][a-z0-9_]*)\((?P<arguments>[a-z0-9_, ]*)\) AS\s(?P<body>.*?);\s*$",
    re.DOTALL | re.MULTILINE,
)
_PLAIN = re.compile(r"[\w.]+\Z")
_DEPTH = 20


def parameters_of(sql: str) -> set[str]:
    """Return the names of the parameters a text mentions."""
    return set(_PARAMETER.findall(sql))


def with_values(sql: str, values: Mapping[str, str]) -> str:
    """Return a text with each `$name` replaced by its value.

    Raises:
        InputError: a parameter has no value, or values mention each other in a circle.
    """
    for _ in range(_DEPTH):
        named = parameters_of(sql)
        if not named:
            return sql
        if unknown := sorted(named - set(values)):
            raise InputError(f"the parameter ${unknown[0]} is not declared")
        sql = _PARAMETER.sub(lambda found: values[found[1]].strip(), sql)
    raise InputError(f"parameters name each other in a circle: {', '.join(sorted(named))}")


@dataclass(frozen=True)
class Macro:
    """A shared expression: its name, its arguments and its body."""

    name: str
    arguments: tuple[str, ...]
    body: str


def read_macros(folder: Path) -> dict[str, Macro]:
    """Return the macros of a folder's files by name; none when there is no such folder.

    Raises:
        InputError: a name is taken twice, or a file holds none.
    """
    found: dict[str, Macro] = {}
    for path in sorted(folder.glob("*.sql")):
        macros = list(_MACRO.finditer(path.read_text(encoding="utf-8")))
        if not macros:
            raise InputError("holds no macro", file=path, remedy="CREATE MACRO name(a) AS …;")
        for each in macros:
            if each["name"] in found:
                raise InputError(f"the macro {each['name']} is defined twice", file=path)
            arguments = tuple(part.strip() for part in each["arguments"].split(",") if part.strip())
            found[each["name"]] = Macro(each["name"], arguments, each["body"].strip())
    return found


def expanded(sql: str, macros: Mapping[str, Macro]) -> str:
    """Return a text with every call of a macro replaced by its expression.

    Raises:
        InputError: a call gives another number of arguments than the macro takes, or macros call each
            other in a circle.
    """
    if not macros:
        return sql
    call = re.compile(rf"\b({'|'.join(map(re.escape, macros))})\s*\(")
    for _ in range(_DEPTH):
        if not call.search(sql):
            return sql
        changed = _expanded_once(sql, macros)
        if changed == sql:
            return sql
        sql = changed
    raise InputError("macros call each other in a circle")


def _expanded_once(sql: str, macros: Mapping[str, Macro]) -> str:
    tokens = _tokens(sql)
    parts: list[str] = []
    done = 0
    place = 0
    while place < len(tokens) - 1:
        token = tokens[place]
        if not _is_call(tokens, place, macros):
            place += 1
            continue
        arguments, last = _arguments(sql, tokens, place + 1)
        macro = macros[token.text]
        if len(arguments) != len(macro.arguments):
            raise InputError(
                f"{macro.name} takes {len(macro.arguments)} arguments and is given {len(arguments)}"
            )
        parts += [sql[done : token.start], f"({_filled(macro, arguments)})"]
        done = tokens[last].end + 1
        place = last + 1
    return "".join(parts) + sql[done:]


def _tokens(sql: str) -> "list[Token]":
    import sqlglot  # loaded only where a macro is called

    tokens: list[Token] = sqlglot.tokenize(sql, read="duckdb")
    return tokens


def _is_call(tokens: "list[Token]", place: int, macros: Mapping[str, Macro]) -> bool:
    from sqlglot.tokens import TokenType

    return (
        tokens[place].text in macros
        and tokens[place].token_type is TokenType.VAR
        and tokens[place + 1].token_type is TokenType.L_PAREN
        and not (place and tokens[place - 1].token_type is TokenType.DOT)
    )


def _arguments(sql: str, tokens: "list[Token]", opening: int) -> tuple[list[str], int]:
    """Return the texts between an opening parenthesis and its partner, and the partner's place."""
    from sqlglot.tokens import TokenType

    depth = 0
    cuts = [tokens[opening].end + 1]
    for place in range(opening, len(tokens)):
        match tokens[place].token_type:
            case TokenType.L_PAREN | TokenType.L_BRACKET | TokenType.L_BRACE:
                depth += 1
            case TokenType.R_PAREN | TokenType.R_BRACKET | TokenType.R_BRACE:
                depth -= 1
                if depth == 0:
                    texts = list(_between(sql, cuts, tokens[place].start))
                    return ([] if texts == [""] else texts), place
            case TokenType.COMMA if depth == 1:
                cuts.append(tokens[place].end + 1)
    raise InputError(f"a parenthesis after {tokens[opening - 1].text} is not closed")


def _between(sql: str, cuts: list[int], end: int) -> Iterator[str]:
    ends = [*(cut - 1 for cut in cuts[1:]), end]
    for start, stop in zip(cuts, ends, strict=True):
        yield sql[start:stop].strip()


def _filled(macro: Macro, arguments: list[str]) -> str:
    from sqlglot.tokens import TokenType

    given = dict(zip(macro.arguments, arguments, strict=True))
    tokens = _tokens(macro.body)
    parts: list[str] = []
    done = 0
    for place, token in enumerate(tokens):
        after_dot = place and tokens[place - 1].token_type is TokenType.DOT
        if token.text not in given or token.token_type is TokenType.STRING or after_dot:
            continue
        text = given[token.text]
        ending = "\n" if "--" in text else ""
        parts += [
            macro.body[done : token.start],
            text if _PLAIN.match(text) else f"({text}{ending})",
        ]
        done = token.end + 1
    return "".join(parts) + macro.body[done:]
