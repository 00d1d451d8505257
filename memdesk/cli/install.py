"""install: connect the desk to a runtime on this machine. It shows the change, and makes it with --apply."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memdesk.api import agents
from memdesk.api.tools.toolsets import BY_NAME as SETS
from memdesk.cli.command import Command, Context
from memdesk.cli.runtimes import BY_NAME, DeskCommand, Runtime
from memdesk.files.atomic import create, write_atomic
from memdesk.model.agent import NamedAgent, agent_key
from memdesk.model.errors import NotFound, Refused
from memdesk.model.status import Nothing

TOKEN = "memdesk.token"
"""Name of the file with the agent's token, in the folder of the runtime's settings."""
BACKUP = "{name}.before-memdesk-{at:%Y%m%dT%H%M%S%f}"
"""Name of the copy of a settings file made before each of our changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """Change to a runtime's settings. diff: the change, line by line; "" for none. backup: "" where none was
    made. token_file: the file with the agent's token."""

    runtime: str
    file: str
    diff: str
    applied: bool
    backup: str
    also: str
    token_file: str


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runtime", choices=tuple(BY_NAME), help="what to plug the desk into")
    parser.add_argument("--apply", action="store_true", help="make the change; without it, it is only shown")
    parser.add_argument("--uninstall", action="store_true", help="take out what an installation put in")
    parser.add_argument("--set", choices=SETS, help="the set of tools it is to have (default: what suits it)")
    parser.add_argument("--file", metavar="FILE", help="its settings (default: where it keeps them)")


def install(context: Context) -> int:
    """Show the exact change to a runtime's settings; with --apply, make a backup and apply it.

    Only entries that call memdesk are added, and only they are removed with --uninstall. The rest of the file
    stays unchanged. The agent gets a token in the file memdesk.token beside it: from then on nobody without one signs
    with its name."""
    args = context.args
    runtime = BY_NAME[args.runtime]
    named = Path(args.file).expanduser() if args.file else runtime.file()
    # Beside the name, not behind a link: dotfiles are shared, and a token is not.
    token = named.absolute().with_name(TOKEN)
    # Behind a link lies the file itself, as dotfiles are often kept.
    path = Path(os.path.realpath(named))
    before, settings = _settings_in(path)
    program = _program(context, runtime, token)
    after = _changed(runtime, settings, program, path, args)
    diff = "".join(_lines(before, after, path))
    backup = ""
    if args.apply and diff:
        backup = _back_up(path, before)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(path, after.encode())
    if args.apply:
        _give_up_token(context, program, token) if args.uninstall else _give_token(context, program, token)
    also = "" if args.uninstall else runtime.also.format(mcp=_mcp(runtime, program, args.set))
    done = Installed(
        runtime=runtime.name,
        file=str(path),
        diff=diff,
        applied=bool(args.apply and diff),
        backup=backup,
        also=also,
        token_file=str(token),
    )
    context.out.answer(done, _told(done))
    _note(context, runtime, done)
    return 0


def _changed(
    runtime: Runtime, settings: dict[str, Any], program: DeskCommand, path: Path, args: argparse.Namespace
) -> str:
    """Return the text of the settings file after the change."""
    try:
        if args.uninstall:
            wanted = runtime.removed(settings)
        else:
            wanted = runtime.added(settings, program, args.set or runtime.set)
    except (AttributeError, TypeError, KeyError) as wrong:
        raise Refused(
            f"{path} is not shaped as {runtime.name} has it.", next="Correct it, or name another with --file."
        ) from wrong
    return json.dumps(wanted, indent=2, ensure_ascii=False) + "\n" if wanted or path.exists() else ""


def _settings_in(path: Path) -> tuple[str, dict[str, Any]]:
    """Return a settings file's text and its parsed content; empty where there is no file. Raises Refused."""
    try:
        text = path.read_text(encoding="utf-8")
        settings = json.loads(text) if text.strip() else {}
    except FileNotFoundError:
        return "", {}
    except (OSError, ValueError) as wrong:
        raise Refused(
            f"{path} cannot be read as JSON: {wrong}.",
            next="A file with comments is not rewritten. Show the change with --file NEW.json, and make it by hand.",
        ) from wrong
    if not isinstance(settings, dict):
        raise Refused(f"{path} holds no JSON object.", next="Correct it, or name another with --file.")
    return text, settings


def _give_token(context: Context, program: DeskCommand, file: Path) -> None:
    """Write a token of the agent into a file, unless there is one and the agent has one on the desk."""
    known = context.call(agents.LIST, Nothing()).rows
    has_one = any(row.token_since and agent_key(row.agent) == agent_key(program.agent) for row in known)
    if has_one and file.exists():
        return
    made = context.call(agents.ADD, NamedAgent(agent=program.agent))
    file.unlink(missing_ok=True)
    create(file, made.token.encode() + b"\n")


def _give_up_token(context: Context, program: DeskCommand, file: Path) -> None:
    """Revoke the agent's tokens, and remove the file with one."""
    if not file.exists():
        return
    with suppress(NotFound):
        context.call(agents.REVOKE, NamedAgent(agent=program.agent))
    file.unlink()


def _program(context: Context, runtime: Runtime, token: Path) -> DeskCommand:
    found = shutil.which("memdesk")
    words = (found,) if found else (sys.executable, "-m", "memdesk")
    named = context.args.desk or os.environ.get("MEMDESK_DESK")
    desk = str(Path(named).expanduser().absolute()) if named else None
    agent = context.args.agent or runtime.name
    return DeskCommand(
        words=words,
        agent=agent,
        channel=context.args.channel,
        desk=desk,
        place=context.desk,
        token_file=str(token),
    )


def _mcp(runtime: Runtime, program: DeskCommand, set: str | None) -> str:
    return shlex.join(program.command("mcp", "--set", set or runtime.set))


def _lines(before: str, after: str, path: Path) -> Iterator[str]:
    if before.strip() and json.loads(before) == (json.loads(after) if after else None):
        return
    for line in difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), str(path), str(path)
    ):
        yield line if line.endswith("\n") else line + "\n"


def _back_up(path: Path, before: str) -> str:
    """Copy the file's old text to a backup and return its path; "" where there was none."""
    if not before:
        return ""
    backup = path.with_name(BACKUP.format(name=path.name, at=datetime.now().astimezone()))
    create(backup, before.encode())
    return str(backup)


def _told(done: Installed) -> Iterator[str]:
    yield from done.diff.splitlines()
    if done.also:
        yield "" if done.diff else f"{done.file} needs no change."
        yield f"And for its tools:  {done.also}"


def _note(context: Context, runtime: Runtime, done: Installed) -> None:
    if context.out.json:
        return
    if done.applied:
        kept = f" What was there is kept in {done.backup}." if done.backup else ""
        context.out.note(f"{done.file} is changed.{kept} {runtime.afterwards}")
    elif done.diff:
        context.out.note("Nothing is changed yet; --apply makes this change.")
    elif not done.also:
        context.out.note(f"{done.file} needs no change.")


COMMANDS = (Command(name="install", run=install, declare=_declare, scope=("channel", "agent")),)
