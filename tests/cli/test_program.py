"""The command line itself: its words, its help, and how its answers are drawn."""

from __future__ import annotations

import io
import subprocess
import sys
from importlib import import_module

import pytest

from memdesk.api.endpoints import ENDPOINTS
from memdesk.cli.declared import commands_of
from memdesk.cli.output import Output, fitted, plain, tallied, width
from memdesk.cli.program import WORDS, commands_named, parser
from memdesk.model.errors import ALL_ERRORS


def test_every_command_has_help() -> None:
    for word in WORDS:
        commands = list(commands_named(word))
        assert word.summary and commands and all(command.help for command in commands)


def test_every_command_of_a_module_or_a_declaration_is_listed() -> None:
    listed = {path for word in WORDS for path in word.modules}
    names = {word.name for word in WORDS}
    for path in sorted(listed):
        module = import_module(f"memdesk.{path}")
        found = commands_of(module) if path.startswith("api.") else module.COMMANDS
        assert {each.name.partition(" ")[0] for each in found} <= names
    faces = [call for call in ENDPOINTS if call.face is not None]
    assert {f"api.{call.resource}" for call in faces} <= listed


@pytest.mark.parametrize("words", [("--help",), ("status", "--help"), ("facts", "--help")])
def test_help_loads_neither_pydantic_nor_an_event_loop_nor_a_client_of_http(words: tuple[str, ...]) -> None:
    heavy = ["pydantic", "httpx", "asyncio", "ulid", "memdesk.client.wire"]
    script = (
        "import sys\nfrom memdesk.cli.program import parser\n"
        f"try: parser({words!r}).parse_args({words!r})\nexcept SystemExit: pass\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert said.stderr.strip() == b"[]"


def test_help_documents_every_exit_code() -> None:
    said = parser().format_help()
    for error in ALL_ERRORS:
        assert f"\n  {error.exit_code:<4} " in said


def test_exit_codes_tell_the_errors_apart() -> None:
    codes = [error.exit_code for error in ALL_ERRORS]
    assert len(set(codes)) == len(codes)


def test_a_client_command_loads_no_engine_no_server_and_no_window() -> None:
    heavy = [
        "memdesk.engine",
        "memdesk.service",
        "memdesk.store",
        "memdesk.gui",
        "fastapi",
        "uvicorn",
        "numpy",
        "PySide6",
    ]
    script = f"import sys, memdesk.__main__; print([name for name in {heavy!r} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert said.stdout.strip() == b"[]"


def test_a_service_starts_without_what_only_model_servers_and_tools_need() -> None:
    heavy = ["httpx", "rich", "jsonschema", "fastapi"]
    script = f"import sys, memdesk.service.serve; print([name for name in {heavy!r} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert said.stdout.strip() == b"[]"


def test_a_system_without_its_sockets_and_locks_gets_a_sentence() -> None:
    code = (
        "import shutil, sys; sys.platform = 'win32'; sys.modules['fcntl'] = None; "
        "from memdesk.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.startswith("MemDesk does not run on Windows yet:") and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "columns"), [("tea", 3), ("陈阿姨", 6), ("ｶﾀｶﾅ", 4), ("e\u0301", 1), ("a\u200db", 2), ("", 0)]
)
def test_width_counts_the_columns_a_terminal_uses(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize("columns", range(1, 12))
def test_fitted_text_never_passes_its_columns(columns: int) -> None:
    assert width(fitted("陈阿姨 likes 桂花糕 a lot", columns)) <= columns


def test_memory_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in plain("red \x1b[31malert\x07")
    assert "\u202e" not in plain("gpj.\u202eexe")
    assert plain("two\nlines\tand\u2028more") == "two lines and more"
    assert plain("👩‍💻 works") == "👩‍💻 works"


def test_columns_align_whatever_the_script() -> None:
    out = Output(out=io.StringIO(), err=io.StringIO())
    head, *rows = out.table(("NAME", "WHAT"), [("陈阿姨", "cake"), ("Jo", "tea")])
    assert head == "NAME    WHAT"
    assert rows == ["陈阿姨  cake", "Jo      tea"]


def test_counts_read_as_words() -> None:
    assert (
        tallied({"files": 1, "entities": 1, "turns": 2400, "skipped": 0}) == "1 file, 1 entity, 2,400 turns"
    )
    assert tallied({"turns": 0}) == "nothing"
