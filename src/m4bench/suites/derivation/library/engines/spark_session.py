# SPDX-License-Identifier: MIT
"""A Spark session of our own: started, bounded, quiet, ended; its faults told in one line. Knows no derivation."""

import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from m4bench.model.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST_JAVA = 17
LEAST_MEMORY_MIB = 512
SECONDS_TO_REACH = 10
SECONDS_FOR_WORKERS = 90
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_MEMORY = re.compile(r"(\d+(?:\.\d+)?) ?([KMGT])i?B?", re.IGNORECASE)
_MASTER = re.compile(
    r"local(\[(\*|\d+)(, ?\d+)?\])?|local-cluster\[\d+, ?\d+, ?\d+\]|spark://[^\s,@]+:\d+(,[^\s,@]+:\d+)*|k8s://\S+|yarn"
)
_LOGGING = """\
rootLogger.level = error
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {file}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d %p %c: %m%n%ex
"""


def memory_in_mib(text: str) -> int:
    """Return an amount of memory such as `4GB` in MiB.

    Raises:
        InputError: it is no amount, or less than Spark can start with.
    """
    found = _MEMORY.fullmatch(text.strip())
    mib = int(float(found[1]) * _UNITS[found[2].upper()] / 2**20) if found else 0
    if mib < LEAST_MEMORY_MIB:
        raise InputError(
            f"{text!r} is not enough memory for Spark",
            remedy=f"give --memory-limit of at least {LEAST_MEMORY_MIB}MB",
        )
    return mib


def require_java() -> None:
    """Make sure that a Java is there which Spark can run on.

    Raises:
        InputError: there is none, or it is too old.
    """
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    remedy = f"install Java {OLDEST_JAVA} or newer (Debian: openjdk-17-jre-headless)"
    if java is None:
        raise InputError("Spark needs Java, and there is no java on the PATH", remedy=remedy)
    if home and not os.access(java, os.X_OK):
        raise InputError(
            f"JAVA_HOME says {home}, which has no bin/java", remedy="correct or unset JAVA_HOME"
        )
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(?:1\.)?(\d+)', told.stderr + told.stdout)
    if told.returncode or version is None:
        raise InputError(f"{java} does not run", remedy=remedy)
    if int(version[1]) < OLDEST_JAVA:
        raise InputError(f"Spark does not run on Java {version[1]} ({java})", remedy=remedy)


def require_master(master: str) -> None:
    """Make sure that a master is one Spark knows, and that a stand-alone one answers.

    Raises:
        InputError: it is not, or does not.
    """
    if "@" in master:
        raise InputError(
            "the address of a Spark master has no user or password in it",
            remedy="give --master spark://HOST:PORT, and secrets in Spark's own configuration",
        )
    if not _MASTER.fullmatch(master):
        # After a colon could stand a password.
        told = "what --master names" if ":" in master else repr(master)
        raise InputError(
            f"{told} is no Spark master",
            remedy="give --master local[*], spark://HOST:PORT, k8s://URL or yarn",
        )
    if not master.startswith("spark://"):
        return
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        with (
            suppress(OSError, ValueError),
            socket.create_connection((host, int(port)), timeout=SECONDS_TO_REACH),
        ):
            return
    raise InputError(
        f"no Spark master answers at {master}", remedy="check the address and that it is running"
    )


def _settings(master: str, memory: str, scratch: Path) -> dict[str, str]:
    local = master.startswith("local")
    options = (
        f"-Dlog4j2.configurationFile=file:{scratch}/log4j2.properties -Djava.io.tmpdir={scratch}"
    )
    settings = {
        "spark.master": master,
        "spark.app.name": "m4bench",
        "spark.submit.deployMode": "client",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": f"{memory_in_mib(memory)}m",
        "spark.driver.extraJavaOptions": options,
        "spark.local.dir": str(scratch),
        "spark.sql.warehouse.dir": f"file:{scratch}/warehouse",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.timestampType": "TIMESTAMP_NTZ",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.parquet.compression.codec": "zstd",
        "spark.sql.parquet.inferTimestampNTZ.enabled": "true",
        "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
        "spark.sql.parquet.int96RebaseModeInWrite": "CORRECTED",
        "spark.sql.shuffle.partitions": "32",
        "spark.python.sql.dataFrameDebugging.enabled": "false",
    }
    if local:
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return settings


@contextmanager
def session(master: str, memory: str, scratch: Path) -> Iterator["SparkSession"]:
    """Yield a session whose files all lie in `scratch`, and end it with its Java process.

    Args:
        master: `local[*]`, `spark://HOST:PORT`, …
        memory: of this machine's Java process, such as `4GB`.
        scratch: a folder of this build's own.

    Raises:
        InputError: PySpark or Java is missing, the master cannot be reached, or the session does not start.
    """
    try:
        from pyspark import SparkConf, SparkContext
        from pyspark.java_gateway import launch_gateway
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise InputError(
            "the engine spark needs PySpark", remedy="pip install 'm4bench[spark]'"
        ) from error
    settings = _settings(master, memory, scratch)
    require_java()
    require_master(master)
    log = scratch / "spark.log"
    (scratch / "log4j2.properties").write_text(_LOGGING.format(file=log), encoding="utf-8")
    configuration = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    handler = signal.getsignal(signal.SIGINT)
    gateway: Any = None
    with _quiet_python(), (scratch / "java.log").open("wb") as output:
        try:
            with faults_told("starting Spark", scratch):
                streams = {"stdout": output, "stderr": output}
                launch: Any = launch_gateway
                gateway = launch(conf=configuration, popen_kwargs=streams)
                context = SparkContext(gateway=gateway, conf=configuration)
            signal.signal(signal.SIGINT, handler)
            yield SparkSession(context)
        finally:
            _end(gateway)
            signal.signal(signal.SIGINT, handler)
            # PySpark keeps these of the process's first session; the next one has another Java.
            SparkContext._active_spark_context = None
            SparkContext._gateway = None
            SparkContext._jvm = None
            SparkSession._instantiatedSession = None


def _end(gateway: Any) -> None:
    """End the Java process, at first kindly."""
    if gateway is None:
        return
    process: subprocess.Popen[bytes] = gateway.proc
    with suppress(Exception):  # whatever it was doing, it has to go
        gateway.shutdown()
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _quiet_python() -> Iterator[None]:
    """Keep PySpark and Py4J from printing what the engine says, which can hold values, or an interrupt's trace."""
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "py4j", "pyspark"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    root = logging.getLogger()
    root.addFilter(_not_an_interrupt)
    try:
        yield
    finally:
        root.removeFilter(_not_an_interrupt)


def _not_an_interrupt(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith("KeyboardInterrupt while sending command")


def await_workers(spark: "SparkSession") -> None:
    """Wait until a worker has joined.

    Raises:
        InputError: none does in time.
    """
    until = time.monotonic() + SECONDS_FOR_WORKERS
    while time.monotonic() < until:
        joined = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size()
        if joined > 1:  # the driver is one of them
            return
        time.sleep(0.2)
    raise InputError(
        f"no worker of the Spark master took the work within {SECONDS_FOR_WORKERS} seconds",
        remedy="start workers, or free their cores and memory",
    )


def _conditions(error: BaseException) -> tuple[str, str]:
    """Return the name of an error and all it says, which is looked through and never shown."""
    condition = getattr(error, "getCondition", lambda: None)()
    java = getattr(error, "java_exception", None)
    name = str(condition or (java.getClass().getSimpleName() if java else type(error).__name__))
    return name, str(error)


@contextmanager
def faults_told(what: str, place: Path) -> Iterator[None]:
    """Turn a fault of Spark into one line; its own text can hold values.

    Raises:
        InputError: whatever failed, with what to do.
    """
    from py4j.protocol import Py4JError, Py4JNetworkError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JNetworkError, ConnectionError) as error:
        raise InputError(
            f"{what}: Spark's Java process ended", remedy="raise --memory-limit; nothing was kept"
        ) from error
    except (PySparkException, Py4JError) as error:
        name, text = _conditions(error)
        for sign, problem, remedy in _SIGNS:
            if sign in text or sign in name:
                raise InputError(f"{what}: {problem}", file=place, remedy=remedy) from error
        raise InputError(
            f"{what} failed in Spark ({name})",
            file=place,
            remedy="check the source with: m4bench data verify",
        ) from error


_SIGNS = (
    ("No space left on device", "the disk is full", "free space; nothing half-written was kept"),
    ("Disk quota exceeded", "the disk is full", "free space; nothing half-written was kept"),
    ("OutOfMemoryError", "it needs more memory", "raise --memory-limit"),
    ("UnsupportedClassVersionError", "its Java is too old", f"install Java {OLDEST_JAVA}"),
    ("JAVA_GATEWAY_EXITED", "Java did not start", "check java, JAVA_HOME and --memory-limit"),
    ("Permission denied", "a file may not be read or written", "check permissions"),
    ("AccessControlException", "a file may not be read or written", "check permissions"),
    ("SparkFileNotFoundException", "a worker does not see a file", "give --work on shared storage"),
    ("FAILED_READ_FILE", "a worker cannot read a file", "give --source on shared storage"),
    ("PATH_NOT_FOUND", "a file is not there", "check the store with: m4bench data verify"),
    ("All masters are unresponsive", "the master does not answer", "check --master"),
    ("SparkContext was shut down", "the cluster ended the session", "see the master's log"),
)
