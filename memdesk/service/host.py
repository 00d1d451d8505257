"""What a route may reach: the engine, the jobs, and the switch that ends the service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.files.places import Desk
from memdesk.model.backup import RestoreBackup
from memdesk.service.acts import Acts
from memdesk.service.jobs import Jobs


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One running service.

    acts: what is asked for that takes long, written down. socket_mark: which socket is its own; stop: asks it to end,
    from any thread; restore: asks it to end, put a backup in place, and begin again. watched: folders in which what
    another program writes is seen at once.
    """

    desk: Desk
    engine: Engine
    jobs: Jobs
    acts: Acts
    started_at: datetime
    socket_mark: tuple[int, int] | None
    stop: Callable[[], object]
    restore: Callable[[RestoreBackup], object]
    watched: set[Path] = field(default_factory=set)
