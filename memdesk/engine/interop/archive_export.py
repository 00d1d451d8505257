"""Export of a MemDesk archive: every record of a user or of all users, with its use and the texts of its files."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from memdesk import __version__
from memdesk.engine.interop.archive_format import (
    BESIDE,
    FORMAT,
    HISTORY,
    HISTORY_FOLDER,
    MANIFEST,
    ORDER,
    README,
    RECORDS,
    TEXTS,
    USAGE,
    VERSION,
    VERSIONS,
    columns_of,
    sealed,
)
from memdesk.engine.interop.exporting import STEP_ROWS, ExportSelection
from memdesk.engine.interop.reading import Row
from memdesk.model.document import DOCUMENT
from memdesk.model.instant import to_datetime
from memdesk.model.interop import ExportFormat
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, TIMELINE
from memdesk.model.message import Message, message, term
from memdesk.model.profile import TRAIT
from memdesk.store import archiving, document_versions
from memdesk.store.records import BATCH

SAYS = f"""# A MemDesk archive

Everything that a desk remembers of a user, or of all its users, in files that anyone can read. Bring it back with
`memdesk import`: an empty desk then remembers the same, under the same ids; a desk that has some of it gains the rest.

- `{MANIFEST}`: the format and its version, whose memory this is, of every file its number of lines and SHA-256, and
  a seal by which the desk that made it knows it again.
- `NAME.jsonl`: one record a line, in the order of their birth, retired ones too. NAME is one of
  {", ".join(kind.table for kind in ORDER)}.
  Times are microseconds since 1970 in UTC. What is JSON within JSON (`metadata`, `properties`, `details`) is text.
- `{USAGE}`: how often each memory was recalled, when last, and how strong it was then. `lines` names a passage of a
  document.
- `{VERSIONS}`: the texts that every file had, oldest first, with who wrote them; `{TEXTS}` holds each text once,
  named by its BLAKE2b of 128 bits. `beside`: the text clashed with the one before it, and was kept.
- `{BESIDE}`: what other programs' exports told of a record that no column holds.
- `history/`: the journal, where it was asked for. It is for reading; an import leaves it.

Not in it: working memory and scratchpads, which are short-lived, settings, and vectors, which are made anew.
"""


class ArchiveOut:
    """ZIP of JSON Lines, from which an empty desk can be restored exactly."""

    about = ExportFormat(
        name="archive",
        says=message("Archive: everything, to bring back or to keep"),
        suffix=".zip",
        comes_back=True,
        holds=tuple(kind.table for kind in ORDER),
        past="all",
        kinds=(*(name for name in TIMELINE if not BY_NAME[name].owner), TRAIT.name, DOCUMENT.name),
        leaves=message("Working memory, scratchpads and settings stay; vectors are made anew."),
    )

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        counts: Counter[str] = Counter()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zip:
            total = sum(archiving.count(wanted.db, kind, wanted.chosen) for kind in ORDER)
            packing = _Packing(zip, wanted, total)
            for name, kind in RECORDS.items():
                counts[kind.table] = packing.lines(name, _rows(wanted, kind), term(kind.label))
            packing.lines(USAGE, _uses(wanted), message("Use"))
            packing.lines(BESIDE, _extra_rows(wanted), message("Records"))
            counts["versions"] = packing.lines(
                VERSIONS, map(asdict, archiving.versions(wanted.db, wanted.chosen)), message("Version")
            )
            packing.texts()
            if wanted.history:
                packing.history()
            packing.close()
        return counts


class _Packing:
    """Writer of an archive. members: the manifest entries of the JSON Lines files."""

    def __init__(self, zip: zipfile.ZipFile, wanted: ExportSelection, total: int) -> None:
        self.zip, self.wanted, self.total, self.done = zip, wanted, total, 0
        self.members: dict[str, Row] = {}

    def lines(self, name: str, rows: Iterable[Row], what: Message) -> int:
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
        versions = archiving.versions(self.wanted.db, self.wanted.chosen)
        for name in dict.fromkeys(each.content_hash for each in versions):
            self._step(self.done, message("Texts"))
            text = document_versions.text_of(self.wanted.db, name)
            self.zip.writestr(f"{TEXTS}{name}", text.encode("utf-8", "surrogatepass"))

    def history(self) -> None:
        for table in HISTORY:
            rows = archiving.history(self.wanted.db, self.wanted.chosen.user_id, table)
            self.lines(f"{HISTORY_FOLDER}{table}.jsonl", rows, message("Journal"))

    def close(self) -> None:
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "memdesk": __version__,
            "made_at": to_datetime(self.wanted.at).isoformat(),
            "user_id": self.wanted.chosen.user_id,
            "files": self.members,
        }
        self.zip.writestr(README, SAYS)
        manifest = sealed(self.wanted.engine.desk, manifest)
        self.zip.writestr(MANIFEST, json.dumps(manifest, indent=1))

    def _step(self, done: int, what: Message) -> None:
        self.wanted.progress(done, self.total, what)


def _rows(wanted: ExportSelection, kind: Kind[Any]) -> Iterator[Row]:
    columns = columns_of(kind)
    for record in archiving.all_records(wanted.db, kind, wanted.chosen):
        yield {name: getattr(record, name) for name in columns}


def _uses(wanted: ExportSelection) -> Iterator[Row]:
    goes = _ids(wanted) if wanted.chosen.is_narrow else None
    for id, lines, use in archiving.uses(wanted.db, wanted.chosen.user_id):
        if goes is None or id in goes:
            yield {"id": id, "lines": lines, **asdict(use)}


def _ids(wanted: ExportSelection) -> set[str]:
    return {each.id for kind in ORDER for each in archiving.all_records(wanted.db, kind, wanted.chosen)}


def _extra_rows(wanted: ExportSelection) -> Iterator[Row]:
    for kind in ORDER:
        ids = (each.id for each in archiving.all_records(wanted.db, kind, wanted.chosen))
        while batch := list(islice(ids, BATCH)):
            for id, fields in archiving.extra_data(wanted.db, batch).items():
                yield {"id": id, "beside": fields}


ARCHIVE_OUT = ArchiveOut()
