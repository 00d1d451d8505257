"""Installation of plugs: their state on this machine; the change to files is made out, shown, then carried out."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from memdesk.client.plugs.entries import SERVER, DeskCommand
from memdesk.client.plugs.runtimes import RUNTIMES, Part, Plug, Runtime
from memdesk.files.atomic import create, write_atomic
from memdesk.files.places import Desk, default_desk
from memdesk.model.errors import Refused
from memdesk.model.message import message

TOKEN = "memdesk.token"
"""Name of the file with the agent's token, in the folder of the runtime's settings."""
BACKUP = "{name}.before-memdesk-{at:%Y%m%dT%H%M%S%f}"
"""Name of the copy of a settings file made before each of our changes."""
_PROGRAM = re.compile(r"[\"'\s]((?:/[^\"'\s/]+)+/(?:python[\d.]*|hook\.py|memdesk))(?=[\"'\s])")
"""Program in a command of ours."""
OWN_LINES = 120
"""Length up to which a file of a plugin is shown; what calls the desk is shorter, its program is longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """Change to one file. before, after: its text, "" for no file. own: it is wholly ours."""

    path: Path
    before: str
    after: str
    own: bool

    def diff(self) -> Iterator[str]:
        """Yield the change line by line; of a long program of ours, only its name and length."""
        if self.own and self.before.count("\n") + self.after.count("\n") > OWN_LINES:
            lines = message(
                "{before} lines of MemDesk's own become {after}",
                before=self.before.count(chr(10)),
                after=self.after.count(chr(10)),
            )
            yield from (f"--- {self.path}\n", f"+++ {self.path}\n", f"@@ {lines} @@\n")
            return
        old, new = (text.splitlines(keepends=True) for text in (self.before, self.after))
        for line in difflib.unified_diff(old, new, str(self.path), str(self.path)):
            yield line if line.endswith("\n") else line + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Change to the files of a runtime. file: its settings. also: the command that the user runs besides."""

    runtime: Runtime
    file: Path
    token_file: Path
    program: DeskCommand
    changes: tuple[FileChange, ...]
    also: str

    @property
    def diff(self) -> str:
        return "".join(line for change in self.changes for line in change.diff())

    def carry_out(self) -> tuple[str, ...]:
        """Make the change, and return the backups of the files that were changed."""
        return carry_out(self.changes, self.file.parent)


def carry_out(changes: Iterable[FileChange], root: Path) -> tuple[str, ...]:
    """Make changes to files, and return the backups. root: the folder below which empty folders are removed.

    A file that is as it was before our first change keeps no backups."""
    backups = []
    for change in changes:
        # Where nothing is left, nothing of others was in it.
        if change.before and change.after and not change.own:
            backups.append(_back_up(change.path, change.before))
        if change.after:
            change.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomic(change.path, change.after.encode())
        else:
            change.path.unlink(missing_ok=True)
            _remove_empty(change.path.parent, root)
        backups = [each for each in backups if each not in _surplus_backups(change)]
    return tuple(backups)


def plan(
    runtime: Runtime,
    program: DeskCommand,
    *,
    file: Path | None = None,
    set: str | None = None,
    plugin: bool = False,
    uninstall: bool = False,
) -> Plan:
    """Return the change that connects a runtime, or takes it out. Raises Refused for a file that is not understood."""
    # Beside the name, not behind a link: dotfiles are shared, and a token is not.
    named = file or runtime.file()
    plug = Plug(file=named.absolute(), program=program, set=set or runtime.set, plugin=plugin)
    changes = [_change(runtime, part, uninstall) for part in runtime.parts(plug)]
    also = "" if uninstall or plugin else runtime.also
    return Plan(
        runtime=runtime,
        file=Path(os.path.realpath(named)),
        token_file=token_file(runtime, file),
        program=program,
        changes=tuple(each for each in changes if each.before != each.after),
        also=also.format(mcp=shlex.join(program.command("mcp", "--set", plug.set))),
    )


def token_file(runtime: Runtime, file: Path | None = None) -> Path:
    """Return the file with the token of a runtime's agent."""
    return (file or runtime.file()).absolute().with_name(TOKEN)


def desk_command(
    desk: Desk,
    agent: str,
    *,
    folder: str | None = None,
    channel: str | None = None,
    token: Path | None = None,
) -> DeskCommand:
    """Return the command by which a runtime calls us. folder: the desk's, if it is not the usual one."""
    found = shutil.which("memdesk")
    return DeskCommand(
        words=(found,) if found else (sys.executable, "-m", "memdesk"),
        agent=agent,
        channel=channel,
        desk=folder,
        place=desk,
        token_file=str(token) if token else None,
    )


def _change(runtime: Runtime, part: Part, uninstall: bool) -> FileChange:
    # Behind a link lies the file itself, as dotfiles are often kept.
    path = Path(os.path.realpath(part.path))
    before = read_text(path)
    try:
        after = (part.removed if uninstall else part.added)(before)
    except ValueError as wrong:
        raise Refused(
            message("{path} is not understood: {wrong}.", path=path, wrong=wrong),
            next=message("Correct it, or name another with --file."),
        ) from wrong
    except (AttributeError, TypeError, KeyError) as wrong:
        raise Refused(
            message("{path} is not shaped as {runtime} has it.", path=path, runtime=runtime.title),
            next=message("Correct it, or name another with --file."),
        ) from wrong
    return FileChange(path=path, before=before, after=after, own=part.own)


def read_text(path: Path) -> str:
    """Return the text of a file, "" where there is none. Raises Refused for one that cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as wrong:
        raise Refused(
            message("{path} cannot be read: {error}.", path=path, error=wrong),
            next=message("Correct it, or name another with --file."),
        ) from wrong


def _back_up(path: Path, text: str) -> str:
    backup = path.with_name(BACKUP.format(name=path.name, at=datetime.now().astimezone()))
    create(backup, text.encode())
    return str(backup)


def _surplus_backups(change: FileChange) -> set[str]:
    """Remove the backups of a file that is again what the first of them holds; return their names."""
    path = change.path
    found = sorted(path.parent.glob(BACKUP.partition("{at")[0].format(name=path.name) + "*"))
    if not found or found[0].read_text(encoding="utf-8") != change.after:
        return set()
    for each in found:
        each.unlink()
    return {str(each) for each in found}


def _remove_empty(folder: Path, up_to: Path) -> None:
    """Remove folders that our files leave empty, below the runtime's own."""
    with suppress(OSError):
        while folder != up_to and up_to in folder.parents:
            folder.rmdir()
            folder = folder.parent


class PlugState(StrEnum):
    """State of one runtime. absent: it keeps no settings here. moved: its settings call a program that is gone.
    unread: its settings are not understood."""

    INSTALLED = "installed"
    READY = "ready"
    ABSENT = "absent"
    MOVED = "moved"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeState:
    """Runtime with its state. plugin: it is plugged in as a plugin. says: why its settings are not understood, or the
    program that is gone."""

    runtime: Runtime
    state: PlugState
    plugin: bool
    says: str = ""

    @property
    def name(self) -> str:
        return self.runtime.name


def runtime_states(desk: Desk) -> tuple[RuntimeState, ...]:
    """Return the state of every runtime that there is a plug for."""
    return tuple(_state(runtime, desk) for runtime in RUNTIMES)


def change_for(runtime: Runtime, desk: Desk, *, plugin: bool = False, uninstall: bool = False) -> Plan:
    """Return the change that plugs a desk into a runtime under its own name, or out. Raises Refused."""
    folder = None if desk.folder == default_desk().folder else str(desk.folder)
    program = desk_command(desk, runtime.name, folder=folder, token=token_file(runtime))
    return plan(runtime, program, plugin=plugin, uninstall=uninstall)


def _state(runtime: Runtime, desk: Desk) -> RuntimeState:
    plugin = runtime.has_plugin and (runtime.file().parent / "skills" / SERVER).is_dir()
    try:
        out = change_for(runtime, desk, uninstall=True)
    except Refused as wrong:
        return RuntimeState(runtime=runtime, state=PlugState.UNREAD, plugin=plugin, says=wrong.says)
    if not out.changes:
        state = PlugState.READY if runtime.file().parent.is_dir() else PlugState.ABSENT
        return RuntimeState(runtime=runtime, state=state, plugin=False)
    ours = "\n".join(line for line in out.diff.splitlines() if line.startswith("-"))
    gone = next((path for path in _PROGRAM.findall(ours) if not Path(path).exists()), "")
    return RuntimeState(
        runtime=runtime, state=PlugState.MOVED if gone else PlugState.INSTALLED, plugin=plugin, says=gone
    )
