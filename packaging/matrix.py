"""Run the README's two commands on bare Debian and Ubuntu systems, made by debootstrap below build/roots.

python3 packaging/matrix.py [--user] [--test ARGUMENT]... [SYSTEM]...

SYSTEM: bookworm, trixie or sid (Python 3.11, 3.13, 3.14), jammy or noble (3.11, 3.12); the first two by default.
--user: as an ordinary user, after the line of apt that the command prints was run. --test: arguments of the second
command, to run a part of the checks. It needs root, debootstrap and the network, and prints one line for each command:
the seconds it took, its exit code, and the size of .venv."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from environment import CHECKOUT
from system_packages import OFFSCREEN_LIBRARIES, WINDOW_LIBRARIES

ROOTS = CHECKOUT / "build" / "roots"


@dataclass(frozen=True)
class System:
    """Where a bare system comes from, and the Python a person has there who reads the README."""

    mirror: str = "http://deb.debian.org/debian"
    python: str = "python3"
    options: tuple[str, ...] = ()
    sources: str = ""  # apt's sources, where the Python of that system came with its updates


UBUNTU = "http://archive.ubuntu.com/ubuntu"
UNSIGNED = ("--no-check-gpg", "--components=main,universe")
"""Debian has no package of Ubuntu's keys; these systems are thrown away."""
UPDATES = "".join(f"deb {UBUNTU} jammy{pocket} main universe\n" for pocket in ("", "-updates"))
SYSTEMS = {
    "bookworm": System(),
    "trixie": System(),
    "sid": System(),
    "jammy": System(UBUNTU, "python3.11", UNSIGNED, UPDATES),
    "noble": System(UBUNTU, options=UNSIGNED),
}
DEBOOTSTRAP_SCRIPTS = Path("/usr/share/debootstrap/scripts")
PLACE = "srv/memdesk"
USER = "mara"
LIMIT_S = 3 * 3600


def main(arguments: Sequence[str]) -> int:
    """Run the commands on each system. Returns 1 if one failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", action="store_true")
    parser.add_argument("--test", action="append", default=[])
    parser.add_argument("systems", nargs="*", choices=SYSTEMS, default=["bookworm", "trixie"])
    asked = parser.parse_args(arguments)
    codes = [run_both(system, user=asked.user, test=asked.test) for system in asked.systems]
    return int(any(codes))


def run_both(system: str, *, user: bool, test: Sequence[str]) -> int:
    root = bare_root(system)
    place_checkout(root)
    who = USER if user else "root"
    python = SYSTEMS[system].python
    with mounted(root):
        if user:
            needed = [f"{python}-venv", *OFFSCREEN_LIBRARIES, *WINDOW_LIBRARIES]
            inside(root, "root", ["sh", "-c", f"apt-get update -q && apt-get install -yq {' '.join(needed)}"])
            inside(root, "root", ["sh", "-c", f"id {USER} || useradd -m {USER}; chown -R {USER} /{PLACE}"])
        codes = []
        for words in (["demo"], ["test", *test]):
            started = time.monotonic()
            done = inside(root, who, [python, "packaging/run.py", *words])
            (ROOTS / f"{system}-{who}-{words[0]}.log").write_text(done.stdout, encoding="utf-8")
            size = sum(file.lstat().st_size for file in (root / PLACE / ".venv").rglob("*")) // 1_000_000
            took = time.monotonic() - started
            print(
                f"{system:<10} {who:<6} {' '.join(words):<24} {took:6.0f} s  exit {done.returncode}  .venv {size} MB"
            )
            sys.stdout.flush()
            codes.append(done.returncode)
    return int(any(codes))


def bare_root(system: str) -> Path:
    """Return a new copy of the bare system; debootstrap makes the first one."""
    bare, root = ROOTS / f"{system}.bare", ROOTS / system
    asked = SYSTEMS[system]
    if not bare.exists():
        included = "ca-certificates" if asked.sources else f"{asked.python},ca-certificates"
        options = ["--variant=minbase", f"--include={included}", *asked.options]
        script = [] if (DEBOOTSTRAP_SCRIPTS / system).exists() else [str(DEBOOTSTRAP_SCRIPTS / "jammy")]
        subprocess.run(
            ["debootstrap", *options, system, str(bare), asked.mirror, *script],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        if asked.sources:
            (bare / "etc" / "apt" / "sources.list").write_text(asked.sources, encoding="utf-8")
            shutil.copy("/etc/resolv.conf", bare / "etc" / "resolv.conf")
            install = f"apt-get update -q && apt-get install -yq --no-install-recommends {asked.python}"
            subprocess.run(["chroot", str(bare), "sh", "-c", install], check=True, stdout=subprocess.DEVNULL)
    # A run that was killed, or a debootstrap whose /proc was in use, leaves folders of the kernel: they are neither
    # removed nor copied.
    unmount(root)
    subprocess.run(["rm", "-rf", "--one-file-system", str(root)], check=True)
    subprocess.run(["cp", "-a", "--one-file-system", str(bare), str(root)], check=True)
    return root


def place_checkout(root: Path) -> None:
    """Put the last commit into the root, and the certificates by which this machine reaches its package index."""
    place = root / PLACE
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(CHECKOUT), str(place)], check=True)
    # debootstrap leaves this file to the installer; older systems know localhost by it alone.
    (root / "etc" / "hosts").write_text("127.0.0.1 localhost\n", encoding="utf-8")
    for file in (
        Path("/etc/resolv.conf"),
        Path(os.environ.get("PIP_CERT", "/etc/ssl/certs/ca-certificates.crt")),
    ):
        copy = root / file.relative_to("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)


@contextlib.contextmanager
def mounted(root: Path) -> Iterator[None]:
    """Give the root the kernel's folders for the time of the block."""
    try:
        for *how, where in MOUNTS:
            subprocess.run(["mount", *how, str(root / where)], check=True)
        yield
    finally:
        unmount(root)


MOUNTS = (
    ("-t", "proc", "proc", "proc"),
    ("-t", "sysfs", "sysfs", "sys"),
    ("--bind", "/dev", "dev"),
    ("-t", "tmpfs", "tmpfs", "dev/shm"),
)


def unmount(root: Path) -> None:
    """Take the kernel's folders from the root, as far as they are there."""
    for *_, where in reversed(MOUNTS):
        subprocess.run(["umount", "-l", str(root / where)], check=False, stderr=subprocess.DEVNULL)


def inside(root: Path, user: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in the root, in the checkout, with nothing of this machine's environment but pip's."""
    home = "/root" if user == "root" else f"/home/{user}"
    kept = {name: value for name, value in os.environ.items() if name in ("PIP_CERT", "PIP_INDEX_URL")}
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "LANG": "C.UTF-8", **kept}
    settings = [f"{name}={value}" for name, value in environment.items()]
    command = [
        "chroot",
        f"--userspec={user}",
        str(root),
        "/usr/bin/env",
        "-C",
        f"/{PLACE}",
        *settings,
        *words,
    ]
    return subprocess.run(
        command,
        env={"PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
