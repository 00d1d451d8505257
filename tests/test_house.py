"""The house as a whole: its walls stand, its rooms need no Qt, and the README tells the truth about all of it."""

from __future__ import annotations

import ast
import graphlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

import memdesk
from memdesk.cli.program import COMMANDS, parser

CHECKOUT = Path(__file__).parent.parent
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = sorted((CHECKOUT / "memdesk").rglob("*.py"))
LINES_AT_MOST = 600


def test_the_walls_stand() -> None:
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = run(sys.executable, "-c", lint, "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_imports_run_in_a_circle() -> None:
    graph = grimp.build_graph("memdesk", exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    graphlib.TopologicalSorter(imports).prepare()


def test_no_room_takes_another_rooms_private_names() -> None:
    assert not [name for path in MODULES for name in private_imports(path)]


def private_imports(path: Path) -> Iterator[str]:
    """Names with a leading underscore that a module takes from a module of another room."""
    room = path.relative_to(CHECKOUT / "memdesk").parts[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memdesk."):
            source = (node.module or "").split(".")[1]
            private = [alias.name for alias in node.names if alias.name.startswith("_")]
            yield from (f"{path}: {name}" for name in private if source != room and name != "__version__")


def test_every_module_says_what_lives_in_it() -> None:
    silent = [path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert not silent


def test_no_file_outgrows_its_reader() -> None:
    long = [path for path in MODULES if len(path.read_text(encoding="utf-8").splitlines()) > LINES_AT_MOST]
    assert not long


def test_no_number_of_the_code_is_above_its_limit() -> None:
    done = run(sys.executable, "packaging/code_numbers.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_room_but_gui_can_be_imported_where_qt_is_absent() -> None:
    without_qt = """
import importlib, pkgutil, sys, memdesk
sys.modules["PySide6"] = sys.modules["qasync"] = None
for module in pkgutil.walk_packages(memdesk.__path__, "memdesk.", onerror=lambda name: None):
    if module.name.split(".")[1] not in ("gui", "__main__"):
        importlib.import_module(module.name)
"""
    done = run(sys.executable, "-c", without_qt)
    assert done.returncode == 0, done.stderr


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["project"]["version"] == memdesk.__version__
    assert f"## [{memdesk.__version__}]" in (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_readme_starts_with_exactly_two_commands() -> None:
    commands = [line for block in blocks("Start") for line in block.splitlines()]
    assert commands == ["python3 packaging/run.py demo", "python3 packaging/run.py test"]
    assert run(*commands[1].split()[:1], "packaging/run.py", "--help").returncode == 0


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = CHECKOUT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "packaging/run.py test" in script.read_text(encoding="utf-8")


def test_the_readmes_tables_are_fresh() -> None:
    done = run(sys.executable, "packaging/reference.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_tells_every_command_and_no_other() -> None:
    told = re.findall(r"^\| `memdesk (\w+)", section("Use it"), re.MULTILINE)
    assert sorted(told) == sorted(command.name for command in COMMANDS)


@pytest.mark.parametrize("line", re.findall(r"^\| `memdesk (\w+.*?)` \|", README, re.MULTILINE))
def test_every_option_in_the_readmes_table_exists(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *rest = line.split()
    with pytest.raises(SystemExit):
        parser().parse_args([name, "--help"])
    known = capsys.readouterr().out
    assert all(option.strip("[]") in known for option in rest if option.startswith("[--"))


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs curl and bash")
def test_the_readmes_curl_lines_work_as_printed(tmp_path: Path) -> None:
    script = "\n".join(
        f"echo; echo '## block {n}'\n{block}" for n, block in enumerate(blocks("Connect an agent"))
    )
    home = visitors_home(tmp_path)
    try:
        done = run("bash", "-u", "-c", script, env=home)
    finally:
        run("memdesk", "stop", env={**home, "MEMDESK_DESK": str(tmp_path / "memdesk-try")})
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"says"' not in done.stdout, done.stdout
    for expected in ('"turn_index":0', '"parts":', '"op":"learn"', '"undid":', 'data: {"id":', '"openapi"'):
        assert expected in done.stdout, f"{expected} is not in {done.stdout}"


def visitors_home(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody with an empty home and `memdesk` on the path."""
    program = tmp_path / "bin" / "memdesk"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memdesk "$@"\n')
    program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MEMDESK_"))}
    return {**kept, "HOME": str(tmp_path), "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}


def section(title: str) -> str:
    """The README between one second-level heading and the next."""
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def blocks(title: str) -> list[str]:
    """The shell blocks of a section, in order."""
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", section(title), re.DOTALL)]


def run(*command: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout and keep what it says."""
    path = (env or os.environ)["PATH"]
    program = shutil.which(command[0], path=path) or command[0]
    return subprocess.run(
        [program, *command[1:]],
        cwd=CHECKOUT,
        env=env,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
