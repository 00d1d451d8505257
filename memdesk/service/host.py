"""Objects that a call may use: the engine, the jobs, and the callback that ends the service."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.files.places import Desk
from memdesk.model.backup import RestoreBackup
from memdesk.service.confirming import Confirmations
from memdesk.service.long_acts import Acts, Jobs


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """Running service.

    acts: long acts, which are recorded. socket_mark: identifies its own socket. stop: asks it to end, from any thread.
    restore: asks it to end, restore a backup, and start again. refusals: the number of error answers by code.
    confirmations: acts that wait for a click in the window. watched: folders in which changes by other programs are
    noticed at once."""

    desk: Desk
    engine: Engine
    jobs: Jobs
    acts: Acts
    started_at: datetime
    socket_mark: tuple[int, int] | None
    stop: Callable[[], object]
    restore: Callable[[RestoreBackup], object]
    refusals: Counter[str] = field(default_factory=Counter)
    confirmations: Confirmations = field(default_factory=lambda: Confirmations(lambda: None))
    watched: set[Path] = field(default_factory=set)
