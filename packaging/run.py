"""Set MemDesk up from a checkout, then start it on the sample desk (`demo`), check it (`test`) or try it (`faults`).

This script and its two neighbours use the standard library alone: they run before anything is installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from environment import CHECKOUT, SetupFailed, interpreter, place, say, set_up
from system_packages import OFFSCREEN_LIBRARIES, SCREEN_PROGRAMS, WINDOW_LIBRARIES, provide_if_easy

OLDEST = (3, 11)

PYTEST = "pytest"
FAILED_TESTS = 1
"""The exit code of pytest that means failed tests, and nothing worse."""
LAST_FAILED = Path(".pytest_cache", "v", "cache", "lastfailed")
"""Where pytest keeps their names: a JSON object of them."""

QUICK = "--quick"
USAGE = """\
python3 packaging/run.py demo [ARGUMENTS]   set up, then start `memdesk demo ARGUMENTS`
python3 packaging/run.py test [ARGUMENTS]   set up, then run every check; with arguments, `pytest ARGUMENTS` alone
python3 packaging/run.py test --quick       set up, then run every check, of the tests those that cost little
python3 packaging/run.py faults [ARGUMENTS] set up, then kill, damage, starve and tire it, and print what held (hours)
                                            faults [kills|damages|surroundings|endurance] [--count N] [--operations N]
python3 packaging/run.py bench [ARGUMENTS]  set up, then measure speed and size beside other memories, in turns
                                            bench [--sizes 1000,10000,100000] [--million] [--alone] [--rounds N]
python3 packaging/run.py tasks [NUMBERS]    set up, then do the tasks of a person on a screen, and count keys and clicks
python3 packaging/run.py check              set up, then run the checks without the tests: format, lint, types, texts
python3 packaging/run.py numbers            set up, then print the size and plainness of the code with their limits
python3 packaging/run.py pictures [ARGUMENTS] set up, then draw every panel into build/pictures
python3 packaging/run.py try [ARGUMENTS]    set up, then run `memdesk ARGUMENTS` (open) on a desk, then delete the desk
python3 packaging/run.py new KIND NAME      write a skeleton: `new panel NAME`, `new call NAME ASK ANSWER`

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
    """Set up and run every check to its end, naming those that failed; with arguments, pytest alone.

    With --quick and nothing else, every check with a part of the tests."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    provide_if_easy((*WINDOW_LIBRARIES, *SCREEN_PROGRAMS), say)
    quick = list(arguments) == [QUICK]
    if arguments and not quick:
        return run_check([str(interpreter(venv)), "-m", "pytest", *arguments])
    chosen = checks(venv, *([QUICK] if quick else ()))
    return report([name for name, command in chosen if not passes(name, command)])


def report(failed: Sequence[str]) -> int:
    """Print which checks failed. Returns the exit code."""
    say(f"Failed: {', '.join(failed)}." if failed else "Every check passed.")
    return 1 if failed else 0


def faults(arguments: Sequence[str]) -> int:
    """Set up and run the faults of tests/faults: 1 when a promise did not hold."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    return run_check([str(interpreter(venv)), "-m", "tests.faults", *arguments])


def bench(arguments: Sequence[str]) -> int:
    """Set up and measure MemDesk beside its neighbours, as tests/bench/beside.py describes."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    return run_check([str(interpreter(venv)), "-m", "tests.bench.beside", *arguments])


def tasks(arguments: Sequence[str]) -> int:
    """Set up and do the tasks of tests/gui/screen/task_list.py: 1 when one could not be done."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    return run_check([str(interpreter(venv)), "-m", "tests.gui.screen.tasks", *arguments])


def check(arguments: Sequence[str]) -> int:
    """Set up and run every check but the tests."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    return report([name for name, command in checks(venv) if name != PYTEST and not passes(name, command)])


def pictures(arguments: Sequence[str]) -> int:
    """Set up and draw the panels."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    return run_check([str(interpreter(venv)), "packaging/pictures.py", *arguments])


def try_out(arguments: Sequence[str]) -> int:
    """Set up and run memdesk on a new desk; end its service and delete the desk after it."""
    memdesk = [str(interpreter(set_up("run", OFFSCREEN_LIBRARIES + WINDOW_LIBRARIES))), "-m", "memdesk"]
    with tempfile.TemporaryDirectory(prefix="memdesk-try-") as folder:
        environment = {**os.environ, "MEMDESK_DESK": str(Path(folder, "desk"))}
        command = [*memdesk, *(arguments or ["open"])]
        code = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False).returncode
        subprocess.run([*memdesk, "stop"], cwd=CHECKOUT, env=environment, check=False, capture_output=True)
    return code


def numbers(arguments: Sequence[str]) -> int:
    """Set up and print the numbers of the code: 1 if one is above its limit."""
    venv = set_up("dev", OFFSCREEN_LIBRARIES)
    return run_check([str(interpreter(venv)), "packaging/code_numbers.py", *arguments])


def new(arguments: Sequence[str]) -> int:
    """Make a skeleton by the script of its kind, packaging/new_KIND.py."""
    scripts = {path.stem.removeprefix("new_"): path for path in Path(__file__).parent.glob("new_*.py")}
    if not arguments or arguments[0] not in scripts:
        print(f"Say what to make: {', '.join(sorted(scripts))}.", file=sys.stderr)
        return 2
    # The environment's has ruff, which formats the skeleton; without one it is made all the same.
    python = interpreter(place())
    own = str(python) if python.exists() else sys.executable
    return run_check([own, str(scripts[arguments[0]]), *arguments[1:]])


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "demo": demo,
    "test": test,
    "check": check,
    "faults": faults,
    "bench": bench,
    "tasks": tasks,
    "numbers": numbers,
    "pictures": pictures,
    "try": try_out,
    "new": new,
}


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


def checks(venv: Path, *tests: str) -> tuple[tuple[str, list[str]], ...]:
    """Every check with its command, quickest first. tests: arguments of pytest."""
    python = str(interpreter(venv))
    at_once = str(workers(quick=QUICK in tests))
    return (
        ("ruff check", [python, "-m", "ruff", "check"]),
        ("ruff format --check", [python, "-m", "ruff", "format", "--check"]),
        # Given to the interpreter, so that a venv moved with its checkout still finds it.
        ("lint-imports", [python, str(venv / "bin" / "lint-imports")]),
        ("translations", [python, "packaging/translations.py", "--check"]),
        ("mypy", [python, "-m", "mypy", "memdesk", "packaging"]),
        (PYTEST, [python, "-m", "pytest", "-n", at_once, "--dist", "worksteal", *tests]),
    )


def workers(*, quick: bool = False) -> int:
    """Return how many tests run at once: each waits as often as it works, and more than four slow each other down.

    quick: of the tests that cost little, which seldom wait; each worker reads all of them first."""
    processors = os.cpu_count() or 1
    return min(4, processors if quick else 2 * processors)


def passes(name: str, command: Sequence[str]) -> bool:
    """Run one check, saying its name first and how long it took after.

    Tests that fail beside others are run once more, one by one: a window that waited in vain on a crowded machine
    is no defect, and what is one fails again. They are named, also where they pass then."""
    say(f"\n{name}")
    started = time.monotonic()
    if name == PYTEST:
        (CHECKOUT / LAST_FAILED).unlink(missing_ok=True)  # It would go on naming tests that are no more.
    code = run_check(command)
    again: list[str] = []
    if name == PYTEST and code == FAILED_TESTS:
        again = last_failed()
        say(f"Failed beside others, and run once more, one by one: {len(again)}.")
        alone = ["--last-failed", "--last-failed-no-failures", "none", "--maxfail", "10"]
        code = run_check([*command[:3], *alone])
    good = code == 0
    say(f"{name}: {'passed' if good else 'failed'} in {time.monotonic() - started:.1f} s.")
    if again:
        still = last_failed()
        for test in again:
            say(f"  {'failed' if test in still else 'passed alone'}  {test}")
    return good


def last_failed() -> list[str]:
    """The tests that failed when they were run last, as pytest keeps them for --last-failed."""
    try:
        return sorted(json.loads((CHECKOUT / LAST_FAILED).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


def run_check(command: Sequence[str]) -> int:
    """Run a check in the checkout; windows are drawn in memory unless QT_QPA_PLATFORM says otherwise."""
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    return subprocess.run(command, cwd=CHECKOUT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
