"""The checkout's own virtual environment: made when missing or broken, filled when what it was filled from changed."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib
import importlib.util
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from system_packages import provide

CHECKOUT = Path(__file__).resolve().parent.parent
VENV_PACKAGE = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
"""Package of Debian and Ubuntu with the ensurepip of this very Python, which need not be the system's own."""


class SetupFailed(Exception):
    """Set-up cannot go on; the message is for a person and says what to do."""


def say(sentence: str) -> None:
    print(sentence, flush=True)


def place() -> Path:
    """The folder of the environment, which may not be there yet."""
    return Path(os.environ.get("MEMDESK_VENV") or CHECKOUT / ".venv").absolute()


def set_up(flavour: str, libraries: Sequence[str]) -> Path:
    """The environment, ready: system packages offered or installed, venv whole, MemDesk installed in it.

    flavour: "run", or "dev" with the tools the checks need. When all is in place this only looks, in 0.1 s.
    """
    venv = place()
    with one_at_a_time(venv.parent):
        ready = is_ready(venv, flavour)
        broken = not ready and not is_whole(venv)
        lacks_ensurepip = broken and importlib.util.find_spec("ensurepip") is None
        provide((*([VENV_PACKAGE] if lacks_ensurepip else []), *libraries), say)
        if broken:
            make_venv(venv)
        if not ready:
            install(venv, flavour)
    return venv


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Hold a lock on `folder`, so that two set-ups started together do not tread on each other."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise SetupFailed(f"Cannot use {folder}: {error.strerror}. {ELSEWHERE}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


ELSEWHERE = "Let MEMDESK_VENV name another folder for the environment."


def interpreter(venv: Path) -> Path:
    return venv / "bin" / "python"


def stamp(venv: Path, flavour: str) -> Path:
    """Written after a good install; holds the fingerprint of what was installed."""
    return venv / f"memdesk-{flavour}.stamp"


def fingerprint(venv: Path) -> str:
    """Changes with pyproject.toml, with the interpreter behind the venv, and when the checkout moves."""
    parts = (
        (CHECKOUT / "pyproject.toml").read_bytes(),
        os.fsencode(interpreter(venv).resolve()),
        os.fsencode(CHECKOUT),
    )
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_ready(venv: Path, flavour: str) -> bool:
    """Whether the last good install still holds. A "dev" install is all that "run" needs, and more."""
    if not interpreter(venv).exists():
        return False
    expected = fingerprint(venv)
    stamps = {stamp(venv, flavour), stamp(venv, "dev")}
    return any(path.is_file() and path.read_text() == expected for path in stamps)


def is_whole(venv: Path) -> bool:
    """Whether the venv has an interpreter that is new enough and a pip that can be imported."""
    question = "import pip._internal, sys; sys.exit(sys.version_info < (3, 11))"
    try:
        answer = subprocess.run([str(interpreter(venv)), "-c", question], capture_output=True, check=False)
    except OSError:
        return False
    return answer.returncode == 0


def make_venv(venv: Path) -> None:
    """Make the venv anew. Raises SetupFailed where the folder holds anything but an old venv."""
    if venv.exists() and not (venv / "pyvenv.cfg").exists() and any(venv.iterdir()):
        raise SetupFailed(f"{venv} holds something else than a virtual environment. {ELSEWHERE}")
    importlib.invalidate_caches()  # ensurepip may have come with VENV_PACKAGE a moment ago
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupFailed(
            f"{sys.executable} cannot make a virtual environment: its ensurepip module is missing. Install your"
            f" system's package for it (Debian and Ubuntu: {VENV_PACKAGE}), and run this again."
        )
    say(f"Making a virtual environment in {venv}.")
    command = [sys.executable, "-m", "venv", "--clear", str(venv)]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if made.returncode:
        raise SetupFailed(f"{made.stdout}{sys.executable} could not make {venv} (see above). {ELSEWHERE}")


def install(venv: Path, flavour: str) -> None:
    """Install the checkout in place, with its dependencies; the stamp says so only once all went well."""
    say("Installing MemDesk and what it needs: some 500 MB, one to three minutes the first time.")
    for old in (stamp(venv, "run"), stamp(venv, "dev")):
        old.unlink(missing_ok=True)
    log = venv / "pip.log"
    log.unlink(missing_ok=True)
    quiet = [] if sys.stdout.isatty() else ["--quiet", "--progress-bar", "off"]
    command = [str(interpreter(venv)), "-m", "pip", "install", "--disable-pip-version-check", *quiet]
    command += ["--log", str(log), "--editable", f"{CHECKOUT}[{EXTRAS[flavour]}]"]
    if subprocess.run(command, check=False).returncode:
        said = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        raise SetupFailed(f"pip could not install MemDesk (see above). {advice(said)}")
    stamp(venv, flavour).write_text(fingerprint(venv))


EXTRAS = {"run": "window", "dev": "dev"}
"""The extra of each flavour."""


def advice(log: str) -> str:
    """Return what to do about a failed install, from the log of pip. Most specific first: a build that failed has
    used the network."""
    if "No space left on device" in log:
        return f"The disk is full: free some space. {ELSEWHERE}"
    if "from versions: none" in log and any(sign in log for sign in OFFLINE):
        return "The package index cannot be reached: check the network, and run this again."
    if found := re.search(r"No matching distribution found for ([^\s;]+)", log):
        return f"There is no {found[1]} for Python {platform.python_version()} on {platform.machine()}. {PLATFORMS}"
    if any(sign in log for sign in NOT_BUILT):
        return f"A package had to be compiled, and could not be. {PLATFORMS}"
    if any(sign in log for sign in OFFLINE):
        return "The package index cannot be reached: check the network, and run this again."
    return "Run this again to see whether it was a passing fault."


OFFLINE = (
    "NewConnectionError",
    "Temporary failure in name resolution",
    "Connection refused",
    "Read timed out",
)
"""Phrases of pip and its libraries where the package index does not answer."""
NOT_BUILT = ("Failed building wheel", "Failed to build", "error: command '", "MetadataGenerationFailed")
"""Phrases of pip and setuptools where a package could not be compiled, or not even described."""
PLATFORMS = (
    "Ready-made packages are there for Python 3.11 to 3.14 on x86-64 with glibc 2.34 or later, and on ARM with 2.39"
    " or later; without the window (`pipx install .`), on ARM with 2.28."
)
