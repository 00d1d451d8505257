"""Export events of the timeline to a file, as CSV or JSON Lines; a failed export leaves no file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, TextIO

from memdesk.contract import history
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.model.errors import StorageFailed
from memdesk.model.history import AskHistory, EventRow

PAGE_ROWS = 1000
COLUMNS = tuple(each.name for each in fields(EventRow))
FORMATS = {"csv": "CSV (*.csv)", "jsonl": "JSON Lines (*.jsonl)"}
"""File suffixes and their names in the file dialog."""
Write = Callable[[EventRow], object]


async def export(session: Session, ask: AskHistory, path: Path, told: Callable[[int], object]) -> int:
    """Write the events that match an ask to a file, newest first, and return their number. path: ends with a
    suffix of FORMATS.

    told: called with the number written so far. The file appears only when it is complete. Raises
    StorageFailed."""
    part = path.with_name(f".{path.name}.part")
    written, before = 0, ask.before
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            write = _writer(file, path.suffix.lower())
            while True:
                wanted = replace(ask, first=0, limit=PAGE_ROWS, before=before, count=False)
                page = await session.call(history.PAGE, wanted)
                for event in page.rows:
                    write(event)
                written += len(page.rows)
                told(written)
                if len(page.rows) < PAGE_ROWS:
                    break
                before = page.rows[-1].id
        part.replace(path)
    except OSError as wrong:
        raise StorageFailed(
            tr("{file} could not be written: {reason}.", file=path.name, reason=wrong.strerror or str(wrong)),
            next=tr("Choose another place, or make room on the disk."),
        ) from wrong
    finally:
        part.unlink(missing_ok=True)
    return written


def _writer(file: TextIO, suffix: str) -> Write:
    if suffix == ".jsonl":
        return lambda event: file.write(json.dumps(_plain(event), ensure_ascii=False) + "\n")
    table = csv.DictWriter(file, COLUMNS)
    table.writeheader()
    return lambda event: table.writerow(_plain(event))


def _plain(event: EventRow) -> dict[str, Any]:
    """Return an event as a dict, with its time in RFC 3339."""
    return asdict(event) | {"at": event.at.isoformat()}
