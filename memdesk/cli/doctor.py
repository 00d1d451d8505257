"""doctor: find problems of a desk, even one that cannot be opened, and repair those that can be repaired."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memdesk.api import models
from memdesk.cli.backup import alone
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import unlock
from memdesk.cli.output import plain
from memdesk.client.direct import answers
from memdesk.client.plugs import json5_text
from memdesk.client.plugs.entries import SERVER
from memdesk.client.plugs.runtimes import BY_NAME, RUNTIMES
from memdesk.model.backup import Examination, Finding, Repaired
from memdesk.model.errors import MemDeskError
from memdesk.model.message import message
from memdesk.model.status import Nothing

WRONG = 1
"""Exit code when a problem was found."""
KEYS = {
    "language": "MEMDESK_MODEL_KEY",
    "embedder": "MEMDESK_EMBEDDER_KEY",
    "reranker": "MEMDESK_RERANKER_KEY",
}


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="show what a repair would do")
    parser.add_argument("--yes", action="store_true", help="with --repair: do it")


def doctor(context: Context) -> int:
    """Check the desk, with or without its service, and print each problem with what to do about it.

    --repair shows what a repair would do. With --yes as well, a new database is built from everything that
    can be read, the journal and the newest good backup. It replaces the damaged one, and all losses are
    listed. The exit code is 1 if there is a problem."""
    unlock(context.desk)
    found = context.rooms.examine(context.desk)
    found = replace(found, findings=(*found.findings, *_hooks(), *_keys(context)))
    if context.args.repair and context.args.yes and found.plan:
        done = alone(context, lambda: context.rooms.repair(context.desk))
        context.out.answer(done, _repaired(done))
        return WRONG if done.lost or done.missing or done.since else 0
    context.out.answer(found, _lines(found, repair=context.args.repair))
    return 0 if found.is_well else WRONG


def _lines(found: Examination, *, repair: bool) -> Iterator[str]:
    for each in found.findings:
        yield f"{'ok  ' if each.ok else 'BAD '} {each.area:<10} {plain(each.says)}"
        if each.next:
            yield f"     {'':<10} {plain(each.next)}"
    if not found.is_well:
        wrong = sum(not each.ok for each in found.findings)
        yield f"\n{wrong} of {len(found.findings)} findings are bad."
    else:
        yield "\nAll is well."
    if repair and found.plan:
        yield "\nA repair would, with --yes:"
        yield from (f"  {number}. {plain(step)}" for number, step in enumerate(found.plan, 1))
    elif repair:
        yield "\nThere is nothing that a repair could mend."


def _repaired(done: Repaired) -> Iterator[str]:
    yield plain(done.says)
    for each in done.lost:
        yield f"  lost: {each.kind} {plain(each.id)}" + (f" “{plain(each.title)}”" if each.title else "")
    if done.kept:
        yield f"The database as it was is kept among the backups as {done.kept}."


# What lies outside the desk.


def _hooks() -> Iterator[Finding]:
    """Yield a finding for each hook or MCP server of a runtime that calls MemDesk; bad if the program or the
    desk is missing."""
    for file in _files():
        for words in _calls(_read(file)):
            program = Path(words[3] if "--socket" in words else words[0])
            if shutil.which(words[0]) is None or ("--socket" in words and not program.is_file()):
                yield Finding(
                    area="hooks",
                    ok=False,
                    says=message("{file} calls {program}, which is not there.", file=file, program=program),
                    next=message("`memdesk install RUNTIME --apply` puts in the one that is."),
                )
            elif "--desk" in words[:-1] and not Path(words[words.index("--desk") + 1]).is_dir():
                named = words[words.index("--desk") + 1]
                yield Finding(
                    area="hooks",
                    ok=False,
                    says=message(
                        "{file} names the desk {named}, which is not there.", file=file, named=named
                    ),
                    next=message("`memdesk install RUNTIME --apply --desk DIR` names the one that is."),
                )
            else:
                yield Finding(
                    area="hooks", ok=True, says=message("{file} calls {program}.", file=file, program=program)
                )


def _files() -> Iterator[Path]:
    for runtime in RUNTIMES:
        yield runtime.file()
    claude = os.environ.get("CLAUDE_CONFIG_DIR")
    yield (Path(claude) if claude else Path.home()) / ".claude.json"
    codex = BY_NAME["codex"].file()
    yield codex.with_name("config.toml")
    plugin = BY_NAME["claude-code"].file().parent / "skills" / SERVER
    yield from (plugin / "hooks" / "hooks.json", plugin / ".mcp.json")


def _read(file: Path) -> Any:
    try:
        text = file.read_text(encoding="utf-8")
        return tomllib.loads(text) if file.suffix == ".toml" else json5_text.read(text)
    except (OSError, ValueError, RecursionError):
        return None


def _calls(settings: Any) -> Iterator[list[str]]:
    """Yield the words of every command in a runtime's settings that calls `memdesk hook` or `memdesk mcp`."""
    if isinstance(settings, dict):
        command, rest = settings.get("command"), settings.get("args", [])
        if isinstance(command, str):
            words = [*_split(command), *(str(word) for word in rest if isinstance(rest, list))]
            if any("memdesk" in word for word in words[:4]) and {"hook", "mcp", "--socket"} & set(words[1:6]):
                yield words
        for value in settings.values():
            yield from _calls(value)
    elif isinstance(settings, list):
        for value in settings:
            yield from _calls(value)


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command) or [command]
    except ValueError:
        return [command]


def _keys(context: Context) -> Iterator[Finding]:
    """Yield a finding for each API key that is set here but was not set when the service started."""
    try:
        rows = context.call(models.LIST, Nothing()).rows if answers(context.desk) else ()
    except MemDeskError:
        return
    for row in rows:
        variable = KEYS.get(row.role, "")
        if row.url and row.key == "none" and os.environ.get(variable):
            yield Finding(
                area="models",
                ok=False,
                says=message(
                    "{variable} is set here, and the service was started without it.", variable=variable
                ),
                next=message("`memdesk stop`, then start it again from here."),
            )


COMMANDS = (Command(name="doctor", run=doctor, declare=_declare),)
