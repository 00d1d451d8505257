"""The house as a whole: its walls stand, its rooms need no Qt, and no number of the code grows past its limit."""

from __future__ import annotations

import ast
import functools
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grimp

import memdesk

CHECKOUT = Path(__file__).parent.parent
MODULES = sorted((CHECKOUT / "memdesk").rglob("*.py"))
LINES_AT_MOST = 500


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


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
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memdesk."):
            source = (node.module or "").split(".")[1]
            private = [alias.name for alias in node.names if alias.name.startswith("_")]
            yield from (f"{path}: {name}" for name in private if source != room and name != "__version__")


def test_every_module_says_what_lives_in_it() -> None:
    silent = [path for path in MODULES if not ast.get_docstring(parsed(path))]
    assert not silent


def test_no_file_outgrows_its_reader() -> None:
    """Except the list of migrations: it only grows, and what stands in it is never changed."""
    long = [
        path
        for path in MODULES
        if len(path.read_text(encoding="utf-8").splitlines()) > LINES_AT_MOST and path.name != "migrations.py"
    ]
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
    assert f"## [{memdesk.__version__}]" in (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout and keep what it says."""
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=100, check=False)
