# SPDX-License-Identifier: MIT
# ruff: noqa: PTH101, PTH112, PTH115, PTH118, PTH123, PTH208, SIM115, RUF005
"""Run inside a sandbox: says what it could see and do, as JSON."""

import ctypes
import json
import os
import socket
import subprocess
import sys

found = {"imports": {}, "read": [], "written": [], "named": [], "calls": {}}


def shell(*command):
    return subprocess.run(command, capture_output=True, text=True)


for module in ("duckdb", "numpy", "pandas", "pyarrow", "m4bench", "pip", "setuptools"):
    found["imports"][module] = shell("python3", "-c", f"import {module}").returncode == 0
found["duckdb"] = shell("duckdb", "--version").stdout.strip()
found["python"] = shell("which", "python", "python3").stdout.split()
for path in json.load(open("/agent/secrets.json")) + [
    "/etc/shadow",
    "/proc/1/environ",
    "/proc/1/root/etc",
    "/proc/1/mem",
    "/proc/kcore",
    "/proc/keys",
    "/proc/cmdline",
    "/proc/partitions",
    "/proc/modules",
]:
    try:
        seen = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
    except OSError:
        continue
    if seen or not path.startswith("/proc/"):
        found["read"].append(path)
for folder in (
    "/",
    "/usr",
    "/usr/local",
    "/usr/lib/python3/dist-packages",
    "/etc",
    "/run",
    "/run/inside",
    "/data",
    "/agent",
    "/runtime",
    "/runtime/bin",
    "/dev",
    "/proc/sys/kernel",
    "/home",
):
    try:
        open(os.path.join(folder, "planted"), "w").close()
        found["written"].append(folder)
    except OSError:
        pass
for path in (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/vm/drop_caches",
    "/data/shown/words.txt",
    "/run/inside/supervise.py",
    "/runtime/pyvenv.cfg",
    sys.executable,
):
    try:
        open(path, "a").close()
        found["written"].append(path)
    except OSError:
        pass
for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
    try:
        os.chmod(device, 0o600)
        found["written"].append(device)
    except OSError:
        pass
for folder in ("/task", "/tmp", os.environ["HOME"], "/dev/shm"):
    open(os.path.join(folder, "mine"), "w").close()
found["home"] = sorted(set(os.listdir(os.environ["HOME"])) - {"mine"})
for root, folders, files in os.walk("/"):
    if root in ("/proc", "/sys"):
        folders.clear()
        continue
    found["named"] += [
        os.path.join(root, one) for one in folders + files if "m4bench" in one.lower()
    ]
found["interfaces"] = [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]
try:
    socket.create_connection(("192.0.2.1", 80), timeout=2)
    found["network"] = True
except OSError:
    found["network"] = False
found["processes"] = len([one for one in os.listdir("/proc") if one.isdigit()])
found["environment"] = sorted(os.environ)
found["ids"] = [os.getuid(), os.geteuid(), os.getgid(), socket.gethostname()]
found["stdin"] = os.readlink("/proc/self/fd/0")
found["descriptors"] = sorted(os.listdir("/proc/self/fd"))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
found["capabilities"] = [status[name].strip() for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")]
found["no_new_privileges"] = status["NoNewPrivs"].strip()
found["taken_first"] = open("/proc/self/oom_score_adj").read().strip()
found["seccomp"] = status["Seccomp"].strip()
libc = ctypes.CDLL(None, use_errno=True)
found["calls"]["unshare user"] = libc.unshare(0x10000000) == 0
found["calls"]["mount"] = libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0
found["calls"]["memfd_create"] = libc.memfd_create(b"x", 0) >= 0
found["calls"]["ptrace"] = libc.ptrace(16, 1, 0, 0) == 0
if os.uname().machine == "x86_64":
    found["calls"]["keyctl"] = libc.syscall(250, 0, -3, 0) >= 0
    found["calls"]["io_uring_setup"] = libc.syscall(425, 8, 0) >= 0
with open("output.csv", "w") as output:
    json.dump(found, output)
