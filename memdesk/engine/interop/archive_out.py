"""Export of a MemDesk archive: every record of a user or of all users, with its use and the texts of its
files."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from memdesk import __version__
from memdesk.engine.interop import archive_form as form
from memdesk.engine.interop.exporting import Wanted
from memdesk.model.exports import ExportFormat
from memdesk.model.instant import to_datetime
from memdesk.model.kind import Kind
from memdesk.store import archiving, versions
from memdesk.store.records import BATCH

Row = dict[str, Any]
STEP_ROWS = 1_000


class ArchiveOut:
    """ZIP of JSON Lines, from which an empty desk can be restored exactly."""

    about = ExportFormat(
        name="archive", says="Everything, to bring back or to keep: a ZIP of JSON Lines", suffix=".zip",
        comes_back=True, holds=tuple(kind.table for kind in form.ORDER), past="all",
        kinds=("conversation", "fact", "entity", "goal", "strategy", "tool_call", "trait", "document"),
        leaves="Working memory, scratchpads and settings stay; vectors are made anew.",
    )  # fmt: skip
    everybody = True

    def write(self, wanted: Wanted, target: Path) -> Counter[str]:
        counts: Counter[str] = Counter()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zip:
            packing = _Packing(zip, wanted, sum(_sizes(wanted).values()))
            for name, kind in form.RECORDS.items():
                counts[kind.table] = packing.lines(name, _rows(wanted, kind), kind.label)
            packing.lines(form.USAGE, _uses(wanted), "Use")
            packing.lines(form.BESIDE, _beside(wanted), "Records")
            counts["versions"] = packing.lines(form.VERSIONS, _versions(wanted), "Version")
            packing.texts()
            if wanted.history:
                packing.history()
            packing.close()
        return counts


class _Packing:
    """Writer of an archive. members: the manifest entries of the JSON Lines files."""

    def __init__(self, zip: zipfile.ZipFile, wanted: Wanted, total: int) -> None:
        self.zip, self.wanted, self.total, self.done = zip, wanted, total, 0
        self.members: dict[str, Row] = {}

    def lines(self, name: str, rows: Iterable[Row], what: str) -> int:
        """Write a JSON Lines file; return its number of lines. Raises Cancelled between two of them."""
        digest, count = hashlib.sha256(), 0
        with self.zip.open(name, "w", force_zip64=True) as file:
            for count, row in enumerate(rows, 1):
                line = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                digest.update(line)
                file.write(line)
                if count % STEP_ROWS == 0:
                    self._step(min(self.done + count, self.total), what)
        self.done = min(self.done + count, self.total)
        self._step(self.done, what)
        self.members[name] = {"lines": count, "sha256": digest.hexdigest()}
        return count

    def texts(self) -> None:
        """Write the text of every file version, each text once."""
        hashes = dict.fromkeys(each.content_hash for each in _kept(self.wanted))
        for name in hashes:
            self._step(self.done, "Texts")
            text = versions.text_of(self.wanted.db, name)
            self.zip.writestr(f"{form.TEXTS}{name}", text.encode("utf-8", "surrogatepass"))

    def history(self) -> None:
        for table in form.HISTORY:
            rows = archiving.history(self.wanted.db, self.wanted.chosen.user_id, table)
            self.lines(f"{form.HISTORY_FOLDER}{table}.jsonl", rows, "Journal")

    def close(self) -> None:
        manifest = {
            "format": form.FORMAT, "version": form.VERSION, "memdesk": __version__,
            "made_at": to_datetime(self.wanted.at).isoformat(), "user_id": self.wanted.chosen.user_id,
            "files": self.members,
        }  # fmt: skip
        self.zip.writestr(form.README, form.SAYS)
        self.zip.writestr(form.MANIFEST, json.dumps(manifest, indent=1))

    def _step(self, done: int, what: str) -> None:
        self.wanted.progress(done, self.total, what)


def _sizes(wanted: Wanted) -> dict[str, int]:
    return {kind.table: archiving.count(wanted.db, kind, wanted.chosen) for kind in form.ORDER}


def _rows(wanted: Wanted, kind: Kind) -> Iterator[Row]:
    columns = form.columns_of(kind)
    for record in archiving.every(wanted.db, kind, wanted.chosen):
        yield {name: getattr(record, name) for name in columns}


def _uses(wanted: Wanted) -> Iterator[Row]:
    goes = _ids(wanted) if wanted.chosen.is_narrow else None
    for id, lines, use in archiving.uses(wanted.db, wanted.chosen.user_id):
        if goes is None or id in goes:
            yield {"id": id, "lines": lines, **asdict(use)}


def _ids(wanted: Wanted) -> set[str]:
    return {each.id for kind in form.ORDER for each in archiving.every(wanted.db, kind, wanted.chosen)}


def _beside(wanted: Wanted) -> Iterator[Row]:
    for kind in form.ORDER:
        batch: list[str] = []
        for record in archiving.every(wanted.db, kind, wanted.chosen):
            batch.append(record.id)
            if len(batch) == BATCH:
                yield from _told(wanted, batch)
                batch.clear()
        yield from _told(wanted, batch)


def _told(wanted: Wanted, ids: list[str]) -> Iterator[Row]:
    for id, told in archiving.beside(wanted.db, ids).items():
        yield {"id": id, "beside": told}


def _kept(wanted: Wanted) -> Iterator[archiving.Version]:
    return archiving.versions(wanted.db, wanted.chosen)


def _versions(wanted: Wanted) -> Iterator[Row]:
    return (asdict(each) for each in _kept(wanted))


ARCHIVE_OUT = ArchiveOut()
