"""Work on a desk that is killed after one step on the disk, after two, and so on, each time on a copy of its own.

A killed process is a fork, so a script that has no threads yet does the killing: a test gives it to `said_by`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from memdesk.files.places import Desk
from tests.effort import stride

CHECKOUT = Path(__file__).resolve().parents[2]
STEPS = frozenset({"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "shutil.copyfile"})
"""Audit events of Python that are steps on the disk."""
KILLED = 9


def said_by(script: str, folder: Path) -> list[str]:
    """Run a script with `folder` and the stride as its arguments. Returns the words it printed."""
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder), str(stride())],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def at_each_step(
    whole: Desk, by: int, work: Callable[[Desk], Any], look: Callable[[Desk], str]
) -> tuple[int, list[str]]:
    """Kill `work` on a copy of a desk after 0, `by`, 2 `by` … steps, until it comes to its end.

    Returns the steps of the last try, and what `look` said of each copy."""
    steps, seen, code = 0, [], KILLED
    while code == KILLED:
        desk = Desk(whole.folder.with_name(str(steps)))
        found = whole.folder.with_name("found")
        shutil.copytree(whole.folder, desk.folder)
        code = in_a_child(partial(_killed_after, steps, work, desk))
        assert in_a_child(partial(_noted, look, desk, found)) == 0, steps
        seen.append(found.read_text())
        shutil.rmtree(desk.folder)
        steps += by
    assert code == 0
    return steps, seen


def in_a_child(work: Callable[[], Any]) -> int:
    """Do something in a child process. Returns its exit code, 1 where it raised."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001 - a fork must never go on as its parent
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _killed_after(steps: int, work: Callable[[Desk], Any], desk: Desk) -> None:
    count = 0

    def hook(event: str, given: object) -> None:
        nonlocal count
        if event in STEPS and str(desk.folder) in repr(given):
            count += 1
            if count > steps:
                os._exit(KILLED)

    sys.addaudithook(hook)
    work(desk)


def _noted(look: Callable[[Desk], str], desk: Desk, found: Path) -> None:
    found.write_text(look(desk))
