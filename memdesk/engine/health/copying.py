"""Copy of a desk into an empty one: from a folder into a database, back, or between two of a kind."""

from __future__ import annotations

import shutil
from contextlib import closing

from memdesk.engine.engine import now
from memdesk.engine.opening import open_store
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.files.places import Desk
from memdesk.model.backup import DeskCopied
from memdesk.model.errors import NotFound
from memdesk.model.message import message
from memdesk.store.copying import copy

FILES = ("settings.toml", "agents.json", "secrets.json", "secrets.key", "archive.key")
"""Files of a desk's folder that belong to its memory on any computer."""


def copy_desk(source: Desk, target: Desk, progress: Progress = ignore_progress) -> DeskCopied:
    """Copy the memory of a desk, and the files that belong to it, into a desk without memory.

    Raises NotFound, Conflict or StorageFailed; the target has no memory then. Killed at any moment, the target is empty
    or complete."""
    if source.address is None and not source.database.exists():
        raise NotFound(
            message("There is no desk in {folder}.", folder=source.folder), next=message("Check the name.")
        )
    with closing(open_store(source, now)) as old, closing(open_store(target, now)) as new:
        counts, hash = copy(old, new, lambda rows: progress(rows, 0, message("Copying rows")))
    for name in FILES:
        if (source.folder / name).exists():
            shutil.copy2(source.folder / name, target.folder / name)
    return DeskCopied(rows=counts, hash=hash.hex())
