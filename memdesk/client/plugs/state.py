"""State of each runtime on this machine: whether the desk is plugged in, and the program it calls is still there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memdesk.client.plugs.entries import SERVER
from memdesk.client.plugs.installing import Plan, desk_command, plan, token_file
from memdesk.client.plugs.runtimes import RUNTIMES, Runtime
from memdesk.files.places import Desk, default_desk
from memdesk.model.errors import Refused

_PROGRAM = re.compile(r"[\"'\s]((?:/[^\"'\s/]+)+/(?:python[\d.]*|hook\.py|memdesk))(?=[\"'\s])")


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
        runtime=runtime,
        state=PlugState.MOVED if gone else PlugState.INSTALLED,
        plugin=plugin,
        says=gone,
    )
