# SPDX-License-Identifier: MIT
"""A session with a PostgreSQL server, and its faults told in one line without a value or a secret.

Knows no derivation.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from m4bench.model.errors import InputError

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:  # pragma: no cover # of an installation without the extra
    raise InputError(
        "PostgreSQL needs the package psycopg",
        remedy="from the project's folder: pip install -e '.[postgres]'",
    ) from error

OLDEST = 140000
_WORK_MEMORY = "128MB"
_LOCK = 0x6D34_6265_6E63
_SETTINGS = (
    "SET TimeZone = 'UTC'",
    "SET DateStyle = 'ISO, YMD'",
    "SET extra_float_digits = 3",
    "SET client_encoding = 'UTF8'",
    "SET client_min_messages = 'warning'",
    "SET jit = off",
    f"SET work_mem = '{_WORK_MEMORY}'",
)
_SCHEME = re.compile(r"postgres(?:ql)?://")
_PLACE = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(:\d*)?")
_SECRET = ("password", "sslpassword")
# What a SQLSTATE, or the class it begins with, means to the one who runs a build.
_FAULTS = {
    "42501": ("the user lacks a right", "grant CREATE on the database and its schemas"),
    "53100": ("the server's disk is full", "free space there; nothing half-written was kept"),
    "53200": ("the server is out of memory", "lower its work_mem, or build fewer at a time"),
    "53": ("the server lacks resources", "see the server's log"),
    "57014": ("the server stopped the statement", "raise its statement_timeout"),
    "57": ("the server was shut down", "start it and run the build again"),
    "08": ("the connection was lost", "run the build again; what is built stays"),
    "2BP01": ("something made by others depends on a table", "drop that first, then build again"),
    "55P03": ("a table is locked by somebody", "wait for them and build again"),
    "25006": ("the server is read-only", "give the URL of one that can be written to"),
}


@contextmanager
def server_faults(what: str) -> Iterator[None]:
    """Turn a fault of the server into one line; its own text can hold values.

    Raises:
        InputError: whatever failed, with what to do.
    """
    try:
        yield
    except psycopg.Error as error:
        state = error.sqlstate or ("08" if isinstance(error, psycopg.OperationalError) else "")
        problem, remedy = _FAULTS.get(state) or _FAULTS.get(state[:2]) or ("", "")
        if not problem:
            kind = type(error).__name__
            problem = f"the server refused it ({kind}{f', SQLSTATE {state}' if state else ''})"
            remedy = "see the server's log"
        raise InputError(f"{what} in PostgreSQL: {problem}", remedy=remedy) from None


def _require_plain(url: str) -> None:
    """Refuse a URL of which it cannot be told what the password is: libpq would take a part of it for a place.

    Raises:
        InputError: without any part of the URL.
    """
    found = _SCHEME.match(url)
    if found is None:
        return
    authority, _, beyond = url[found.end() :].partition("/")
    credentials, _, places = authority.rpartition("@")
    plain = all(_PLACE.fullmatch(place) for place in places.partition("?")[0].split(","))
    if "@" in credentials + beyond or not plain:
        raise InputError(
            "the URL of the server can be read in two ways",
            remedy="percent-encode the password: %40 for @, %2F for /, %3A for :, %3F for ?, or leave it "
            "out and use PGPASSWORD or ~/.pgpass",
        )


def _place(url: str) -> tuple[str, list[str]]:
    """Return where a URL leads, its host and database, and all that is secret in it."""
    _require_plain(url)
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        # The parser's own text can repeat the password.
        raise InputError(
            "the URL of the server cannot be read",
            remedy="give --url postgresql://USER@HOST:PORT/DATABASE",
        ) from None
    host, port = parts.get("host") or "the local socket", parts.get("port") or 5432
    secrets = [str(parts[name]) for name in _SECRET if parts.get(name)]
    return f"{host}:{port}/{parts.get('dbname') or ''}", secrets


@contextmanager
def session(url: str) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """Yield a connection with the settings a build needs, the only such one to its database.

    Raises:
        InputError: the server cannot be reached, refuses the user, is too old or not in UTF-8, or another
            build is at work in the database.
    """
    place, secrets = _place(url)
    try:
        connection = psycopg.connect(
            url, autocommit=True, connect_timeout=15, application_name="m4bench"
        )
    except psycopg.Error as error:
        told = str(error).strip().splitlines()
        reason = told[0] if told else type(error).__name__
        for secret in secrets:
            reason = reason.replace(secret, "…")
        raise InputError(
            f"no session with PostgreSQL at {place}: {reason}",
            remedy="check --url, the server and the user's password (also PGPASSWORD or ~/.pgpass)",
        ) from None
    try:
        with server_faults("opening a session"):
            _prepare(connection, place)
        yield connection
    finally:
        with suppress(psycopg.Error):
            connection.close()


def _prepare(connection: "psycopg.Connection[tuple[object, ...]]", place: str) -> None:
    if connection.info.server_version < OLDEST:
        raise InputError(
            f"the server at {place} is PostgreSQL {connection.info.server_version // 10000}",
            remedy=f"version {OLDEST // 10000} or newer is needed",
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise InputError(
            f"the database at {place} is in {encoding}", remedy="create one with ENCODING 'UTF8'"
        )
    for setting in _SETTINGS:
        connection.execute(setting.encode())
    row = connection.execute(f"SELECT pg_try_advisory_lock({_LOCK})".encode()).fetchone()
    if row is None or not row[0]:
        raise InputError(
            f"another build is at work in the database at {place}", remedy="wait for it to end"
        )
