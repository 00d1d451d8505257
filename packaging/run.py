"""Set MemDesk up from a checkout, then start it on the sample desk (`demo`) or check it (`test`).

This script and its two neighbours use the standard library alone: they run before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from environment import CHECKOUT, SetupFailed, interpreter, say, set_up
from system_packages import OFFSCREEN_LIBRARIES, SCREEN_PROGRAMS, WINDOW_LIBRARIES, provide_if_easy

OLDEST = (3, 11)

PYTEST = "pytest"
FAILED_TESTS = 1
"""The exit code of pytest that means failed tests, and nothing worse."""

USAGE = """\
python3 packaging/run.py demo [ARGUMENTS]   set up, then start `memdesk demo ARGUMENTS`
python3 packaging/run.py test [ARGUMENTS]   set up, then run every check; with arguments, `pytest ARGUMENTS` alone

The environment lives in .venv inside the checkout, or where MEMDESK_VENV says. Remove it to start over."""


def main(arguments: Sequence[str]) -> int:
    """Run the named command. Returns its exit code: 1 when set-up or a check failed, 2 for a bad question."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        print(USAGE, file=sys.stderr)
        return 2
    try:
        refuse_old_python(sys.version_info[:2], command=arguments[0])
        return COMMANDS[arguments[0]](arguments[1:])
    except SetupFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def demo(arguments: Sequence[str]) -> int:
    """Set up and become `memdesk demo`, so that signals and the exit code are its own."""
    venv = set_up("run", OFFSCREEN_LIBRARIES + WINDOW_LIBRARIES)
    python = str(interpreter(venv))
    os.execv(python, [python, "-m", "memdesk", "demo", *arguments])


def test(arguments: Sequence[str]) -> int:
    """Set up and run every check to its end, naming those that failed; with arguments, pytest alone."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    provide_if_easy((*WINDOW_LIBRARIES, *SCREEN_PROGRAMS), say)
    if arguments:
        return run_check([str(interpreter(venv)), "-m", "pytest", *arguments])
    failed = [name for name, command in checks(venv) if not passes(name, command)]
    say(f"Failed: {', '.join(failed)}." if failed else "Every check passed.")
    return 1 if failed else 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"demo": demo, "test": test}


def refuse_old_python(version: tuple[int, ...], *, command: str) -> None:
    """Raises SetupFailed for a Python before 3.11, naming a newer one if the machine has it."""
    if version >= OLDEST:
        return
    names = (f"python3.{minor}" for minor in range(19, OLDEST[1] - 1, -1))
    newer = next((name for name in names if shutil.which(name)), None)
    advice = (
        f"This machine has a newer one: {newer} packaging/run.py {command}"
        if newer
        else "Install a newer one and run this script with it."
    )
    raise SetupFailed(f"MemDesk needs Python 3.11 or later, and this is {version[0]}.{version[1]}. {advice}")


def checks(venv: Path) -> tuple[tuple[str, list[str]], ...]:
    """Every check with its command, quickest first."""
    python = str(interpreter(venv))
    return (
        ("ruff check", [python, "-m", "ruff", "check"]),
        ("ruff format --check", [python, "-m", "ruff", "format", "--check"]),
        # Given to the interpreter, so that a venv moved with its checkout still finds it.
        ("lint-imports", [python, str(venv / "bin" / "lint-imports")]),
        ("mypy", [python, "-m", "mypy", "memdesk", "packaging"]),
        # Most of a test is waiting for a service, and each has its own: past four they only crowd the machine.
        (PYTEST, [python, "-m", "pytest", "-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"]),
    )


def passes(name: str, command: Sequence[str]) -> bool:
    """Run one check, saying its name first and how long it took after.

    Tests that fail beside others are asked once more, one by one: a window that waited in vain on a crowded machine
    is no defect, and what is one fails again."""
    say(f"\n{name}")
    started = time.monotonic()
    code = run_check(command)
    if name == PYTEST and code == FAILED_TESTS:
        say("The tests above failed beside others. They are asked once more, one by one.")
        alone = ["--last-failed", "--last-failed-no-failures", "none", "--maxfail", "1"]
        code = run_check([*command[:3], *alone])
    good = code == 0
    say(f"{name}: {'passed' if good else 'failed'} in {time.monotonic() - started:.1f} s.")
    return good


def run_check(command: Sequence[str]) -> int:
    """Run a check in the checkout; windows are drawn in memory unless QT_QPA_PLATFORM says otherwise."""
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    return subprocess.run(command, cwd=CHECKOUT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
