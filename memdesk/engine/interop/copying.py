"""Import of a folder as a copy on the desk, instead of registering it in its place."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from memdesk.engine.interop.items import Item, Note, Source
from memdesk.engine.workspace.layouts import Place, named_after, slug
from memdesk.files.atomic import write_atomic
from memdesk.files.reading import MEGABYTE, read_bytes
from memdesk.model.errors import Refused


def onto_desk(source: Source, start: Path, home: Path, registered: tuple[Place, ...]) -> Source:
    """Return the source with its workspaces moved to `home`, the user's folder on the desk, under a name that
    is always the same."""
    mark = hashlib.blake2b(os.fsencode(start), digest_size=3).hexdigest()
    folder = home / f"{slug(named_after(start)) or 'folder'}-{mark}"
    known = {place.path: place for place in registered}
    return replace(source, items=_moved(source, start, folder, known))


def keep(note: Note) -> None:
    """Copy a note's file into its workspace, if that is elsewhere.

    Raises Refused if the copy on the desk has another text by now; the copy is not changed."""
    there = note.place.path / note.relative
    if there == note.path:
        return
    data, _ = read_bytes(note.path, note.name, limit_bytes=note.size_bytes + MEGABYTE)
    if not there.exists():
        there.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(there, data)
    elif read_bytes(there, note.name, limit_bytes=there.stat().st_size + MEGABYTE)[0] != data:
        raise Refused(f"{note.name} says something else on the desk by now; that copy was left as it is.")


def _moved(source: Source, start: Path, folder: Path, known: dict[Path, Place]) -> Iterator[Item]:
    for item in source.items:
        if isinstance(item, Note):
            path = folder / item.place.path.relative_to(start)
            yield replace(item, place=known.get(path) or replace(item.place, path=path))
        else:
            yield item
