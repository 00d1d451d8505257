"""Setting MemDesk up, on a copy of the scripts and a real virtual environment, with nothing installed or downloaded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests import costs

CHECKOUT = Path(__file__).parent.parent
PROGRAM = 'import os, sys; print(*sys.argv[1:], os.environ.get("QT_QPA_PLATFORM")); sys.exit(7)'
"""Stands where MemDesk would be installed: it tells what it was given."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the set-up scripts and a project file."""
    copy = tmp_path / "checkout"
    shutil.copytree(CHECKOUT / "packaging", copy / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CHECKOUT / "pyproject.toml", copy)
    return copy


@pytest.fixture
def ready(checkout: Path) -> Path:
    """A checkout whose environment was set up from it as it stands."""
    make_environment(checkout / ".venv")
    ask(checkout, "(venv / 'memdesk-run.stamp').write_text(environment.fingerprint(venv))")
    return checkout


def make_environment(folder: Path) -> None:
    venv.create(folder, symlinks=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "memdesk.py").write_text(PROGRAM)


def run(checkout: Path, *arguments: str, path: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run the script where neither apt-get nor dpkg-query can be found, unless `path` has them."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("MEMDESK_VENV", "QT_QPA_PLATFORM")
    }
    command = [sys.executable, str(checkout / "packaging" / "run.py"), *arguments]
    return subprocess.run(
        command,
        cwd=checkout,
        env={**kept, "PATH": path, **more},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def ask(checkout: Path, question: str, **more: str) -> str:
    """What the scripts answer from inside; `venv` is the checkout's environment."""
    lines = (
        "import pathlib, sys",
        f"sys.path.insert(0, {str(checkout / 'packaging')!r})",
        "import environment, run, system_packages",
        f"venv = pathlib.Path({str(checkout / '.venv')!r})",
        question,
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.strip()


def program(folder: Path, name: str, script: str) -> Path:
    """An executable script for a PATH of its own."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_ready_environment_starts_the_demo_with_its_arguments_and_exit_code(ready: Path) -> None:
    done = run(ready, "demo", "--serve", "--keep", "here")
    assert (done.stdout, done.returncode) == ("demo --serve --keep here None\n", 7)


def test_a_try_runs_on_a_desk_that_is_gone_afterwards(ready: Path) -> None:
    (site_packages,) = (ready / ".venv" / "lib").glob("python*/site-packages")
    (site_packages / "memdesk.py").write_text(
        "import os, sys\n"
        "desk = os.environ['MEMDESK_DESK']\n"
        "os.makedirs(desk, exist_ok=True)\n"
        "print(*sys.argv[1:], desk)\n"
        "sys.exit(3)\n"
    )
    done = run(ready, "try", "recall", "dogs")
    *command, desk = done.stdout.split()
    assert (command, done.returncode) == (["recall", "dogs"], 3)
    assert not Path(desk).parent.exists()


def test_an_environment_elsewhere_is_used_when_the_variable_names_it(ready: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (ready / ".venv").rename(elsewhere)
    assert run(ready, "demo", MEMDESK_VENV=str(elsewhere)).returncode == 7


def test_what_was_installed_for_the_checks_is_enough_for_the_demo_and_not_the_other_way(ready: Path) -> None:
    question = "print(environment.is_ready(venv, 'run'), environment.is_ready(venv, 'dev'))"
    assert ask(ready, question) == "True False"
    (ready / ".venv" / "memdesk-run.stamp").rename(ready / ".venv" / "memdesk-dev.stamp")
    assert ask(ready, question) == "True True"


def test_an_environment_is_no_longer_ready_once_the_project_file_changes(ready: Path) -> None:
    with open(ready / "pyproject.toml", "a", encoding="utf-8") as project:
        project.write("# another dependency\n")
    assert ask(ready, "print(environment.is_ready(venv, 'run'))") == "False"


def test_an_environment_is_neither_ready_nor_whole_once_its_interpreter_is_gone(ready: Path) -> None:
    python = ready / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert ask(ready, "print(environment.is_ready(venv, 'run'), environment.is_whole(venv))") == "False False"


def test_an_environment_without_pip_is_not_whole(ready: Path) -> None:
    assert ask(ready, "print(environment.is_whole(venv))") == "False"


def test_a_folder_that_is_no_environment_is_left_alone(checkout: Path, tmp_path: Path) -> None:
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "to-jun.txt").write_text("Dear Jun")
    done = run(checkout, "demo", MEMDESK_VENV=str(letters))
    assert done.returncode == 1
    assert "MEMDESK_VENV" in done.stderr
    assert [path.name for path in letters.iterdir()] == ["to-jun.txt"]


def test_an_unknown_word_gets_the_usage_and_exit_code_2(checkout: Path) -> None:
    done = run(checkout, "install")
    assert (done.returncode, done.stdout) == (2, "")
    assert "packaging/run.py demo" in done.stderr


def test_an_old_python_gets_a_sentence_that_names_a_newer_one(checkout: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin", "python3.12", "exit 0")
    question = """
try:
    run.refuse_old_python((3, 9), command="test")
except environment.SetupFailed as said:
    print(said)"""
    said = ask(checkout, question, PATH=str(tmp_path / "bin"))
    assert "needs Python 3.11 or later, and this is 3.9" in said
    assert "python3.12 packaging/run.py test" in said


def test_a_python_without_venv_gets_the_name_of_the_package_that_has_it(checkout: Path) -> None:
    question = """
environment.importlib.util.find_spec = lambda name: None
try:
    environment.make_venv(venv)
except environment.SetupFailed as said:
    print(said)"""
    package = f"python3.{sys.version_info.minor}-venv"
    assert ask(checkout, question).endswith(f"(Debian and Ubuntu: {package}), and run this again.")


def test_tests_that_failed_beside_others_are_named_with_how_they_did_alone(checkout: Path) -> None:
    tests = checkout / "tests"
    tests.mkdir()
    (tests / "test_some.py").write_text(
        "from pathlib import Path\n"
        "def test_unsteady():\n"
        "    there = Path(__file__).with_suffix('.seen').exists()\n"
        "    Path(__file__).with_suffix('.seen').touch()\n"
        "    assert there\n"
        "def test_broken():\n"
        "    assert False\n"
        "def test_good():\n"
        "    pass\n"
    )
    said = ask(checkout, "print('all passed:', run.passes('pytest', [sys.executable, '-m', 'pytest']))")
    assert "  failed  tests/test_some.py::test_broken\n" in said
    assert "  passed alone  tests/test_some.py::test_unsteady\n" in said
    assert "all passed: False" in said and "test_good" not in said


BACKEND = """\
def build_wheel(*_):
    raise SystemExit("no compiler")
"""
"""Backend of a package that cannot be built."""


def test_an_install_that_failed_says_what_to_do_about_what_pip_met(checkout: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "backend.py").write_text(BACKEND)
    (package / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "package"\nversion = "1"\n'
    )
    away = ("--index-url", "http://127.0.0.1:9/", "--retries", "0")
    for asked, says in (
        ((*away, "numpy"), "The package index cannot be reached"),
        (("--no-index", "numpy>=900"), "There is no numpy>=900 for Python 3"),
        (("--no-index", str(package)), "A package had to be compiled, and could not be. Ready-made"),
    ):
        log = tmp_path / "pip.log"
        log.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pip", "install", "--ignore-installed", "--no-deps", "--log", log]
        command += ["--target", tmp_path / "target", *asked]
        assert subprocess.run(command, capture_output=True, check=False).returncode
        assert ask(checkout, f"print(environment.advice(open({str(log)!r}).read()))").startswith(says), asked
    for met, says in (
        ("Read timed out\nerror: command 'cc' failed", "A package had to be compiled"),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("Temporary failure in name resolution", "The package index cannot be reached"),
        ('No matching distribution found for qt>=6; extra == "window"', "There is no qt>=6 for Python 3"),
        ("AssertionError", "Run this again"),
    ):
        assert ask(checkout, f"print(environment.advice({met!r}))").startswith(says), met


def test_a_package_that_another_one_provides_is_not_missing(checkout: Path, tmp_path: Path) -> None:
    listed = "installed\\tlibglib2.0-0t64\\tlibglib2.0-0 (= 2.84), libgio\\nconfig-files\\tlibegl1\\t"
    program(tmp_path / "bin", "dpkg-query", f"printf '{listed}\\n'")
    program(tmp_path / "bin", "apt-get", "exit 0")
    question = "print(*system_packages.missing_packages(['libglib2.0-0', 'libegl1', 'libglib2.0-0t64']))"
    assert ask(checkout, question, PATH=str(tmp_path / "bin")) == "libegl1"


def test_the_line_to_run_goes_through_sudo_where_there_is_one(checkout: Path, tmp_path: Path) -> None:
    question = "print(system_packages.apt_line(['libegl1']))"
    install = "apt-get install -y --no-install-recommends libegl1"
    alone = ask(checkout, question, PATH=str(tmp_path))
    assert alone == f"su -c 'apt-get update && {install}'"
    program(tmp_path / "bin", "sudo", "exit 0")
    assert ask(checkout, question, PATH=str(tmp_path / "bin")) == f"sudo apt-get update && sudo {install}"


def test_nothing_is_asked_of_apt_where_nothing_is_missing(ready: Path, tmp_path: Path) -> None:
    names = ask(
        ready, "print(*system_packages.OFFSCREEN_LIBRARIES, *system_packages.WINDOW_LIBRARIES)"
    ).split()
    listed = "".join(f"installed\\t{name}\\t\\n" for name in names)
    program(tmp_path / "bin", "dpkg-query", f"printf '{listed}'")
    program(tmp_path / "bin", "apt-get", "echo apt-get was run; exit 1")
    assert run(ready, "demo", path=str(tmp_path / "bin")).stdout == "demo None\n"


@pytest.mark.parametrize("apt", ["exit 1", "exec sleep 60"])
def test_the_checks_go_on_without_a_screen_that_apt_cannot_give_in_time(
    checkout: Path, tmp_path: Path, apt: str
) -> None:
    program(tmp_path / "bin", "dpkg-query", "exit 0")
    program(tmp_path / "bin", "apt-get", apt)
    question = (
        "system_packages.PATIENCE_S, system_packages.os.geteuid = 0.2, lambda: 0;"
        "system_packages.provide_if_easy(['xvfb'], print)"
    )
    assert ask(checkout, question, PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin").splitlines() == [
        "Installing packages for tests on a screen: xvfb.",
        "They could not be had; the tests that need them are skipped.",
    ]


def test_the_quick_part_runs_every_check_and_names_journeys_that_there_are(ready: Path) -> None:
    said = ask(ready, "print(*(' '.join(command) for _, command in run.checks(venv, run.QUICK)), sep='\\n')")
    *lint, pytest_line = said.splitlines()
    assert len(lint) == 5 and pytest_line.endswith(" --quick")
    for file, _, test in (word.partition("::") for word in costs.JOURNEYS):
        assert f"def {test}(" in (CHECKOUT / file).read_text(encoding="utf-8"), test


def test_the_skeleton_of_a_call_is_a_declaration_a_verb_and_a_test_that_are_still_to_be_written(
    checkout: Path,
) -> None:
    for part in (
        "memdesk/api",
        "memdesk/model",
        "memdesk/engine/memory",
        "memdesk/engine/browsing",
        "tests/engine",
    ):
        shutil.copytree(CHECKOUT / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
    script = checkout / "packaging" / "new_call.py"
    words = ("goals.pause", "PauseGoal", "GoalChanged")
    done = subprocess.run([sys.executable, str(script), *words], capture_output=True, text=True, check=False)
    files = [line.removeprefix("finish ") for line in done.stdout.splitlines()]
    assert (done.returncode, files) == (
        0,
        [
            "memdesk/model/goal.py",
            "memdesk/api/goals.py",
            "memdesk/engine/memory/goals.py",
            "tests/engine/test_goals.py",
        ],
    )
    declared, verb = ((checkout / file).read_text(encoding="utf-8") for file in files[1:3])
    declaration = " ".join(declared.partition("PAUSE = ")[2].split())
    assert declaration.startswith('Post( "goals.pause", PauseGoal, GoalChanged, ')
    assert '"memory.goals:pause", role=TODO, example=TODO' in declaration
    assert "def pause(engine: Engine, ask: PauseGoal, *, author: str) -> GoalChanged:" in verb
    assert "    PauseGoal,\n" in declared and "    PauseGoal,\n" in verb
    words = ("goals.oldest", "ListOldest", "GoalsPage")
    subprocess.run([sys.executable, str(script), *words], capture_output=True, check=True)
    declared, verb = (
        (checkout / "memdesk" / file).read_text(encoding="utf-8")
        for file in ("api/goals.py", "engine/browsing/details.py")
    )
    assert "OLDEST = Get(" in declared and '"browsing.details:oldest"' in declared
    assert "def oldest(engine: Engine, ask: ListOldest) -> GoalsPage:" in verb
    asked = subprocess.run([sys.executable, str(script), "panel"], capture_output=True, check=False)
    assert asked.returncode == 2


def test_a_new_panel_is_made_declared_and_refused_a_second_time(checkout: Path) -> None:
    table = checkout / "memdesk/gui/panels/__init__.py"
    table.parent.mkdir(parents=True)
    shutil.copy(CHECKOUT / "memdesk/gui/panels/__init__.py", table)
    made = run(checkout, "new", "panel", "notes")
    assert made.returncode == 0, made.stderr
    assert (
        'PanelEntry(name="notes", title=marked("Notes"), icon="facts", place="memory")' in table.read_text()
    )
    for path in (*made.stdout.split("\n")[:4], "memdesk/gui/panels/notes_panel.py"):
        if path.endswith(".py"):
            compile((checkout / path).read_text(), path, "exec")
    assert run(checkout, "new", "panel", "notes").returncode == 2
    assert run(checkout, "new", "panel", "Two Words").returncode == 2
    assert "panel" in run(checkout, "new").stderr


def test_the_quick_part_leaves_out_what_is_costly_but_for_one_test_of_a_file_that_costs_little_more() -> None:
    spent = {"a.py::one": 0.2, "a.py::two": 0.25, "b.py::one": 0.9, "c.py::one": 0.05, "c.py::two": 0.2}
    assert costs.costly(spent) == ["a.py::two", "b.py::one", "c.py::two"]
