"""Export of a MemDesk archive: every record of a user or of all users, with its use and the texts of its
files."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

from memdesk import __version__
from memdesk.engine.interop import reading
from memdesk.engine.interop.exporting import ExportSelection
from memdesk.engine.interop.parcels import (
    EDITS_AT_ONCE,
    ImportedRecord,
    Item,
    Move,
    Parcel,
    Source,
    Step,
    Used,
    Uses,
    check_record,
    order_references,
    pack_parcels,
)
from memdesk.engine.interop.reading import Peek
from memdesk.engine.interop.seal import sealed
from memdesk.engine.workspace.layouts import Place
from memdesk.files.reading import MEGABYTE, Left
from memdesk.model.curation import TAG
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import RELATION
from memdesk.model.errors import Refused
from memdesk.model.exports import ExportFormat
from memdesk.model.instant import to_datetime
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, KINDS, TIMELINE
from memdesk.model.message import Message, message, term
from memdesk.model.profile import TRAIT
from memdesk.model.proposal import PROPOSAL
from memdesk.store import archiving, document_versions
from memdesk.store.records import BATCH

FORMAT = "memdesk-archive"
VERSION = 1
MANIFEST, README = "manifest.json", "README.md"
USAGE, VERSIONS, BESIDE = "usage.jsonl", "versions.jsonl", "beside.jsonl"
TEXTS = "texts/"
HISTORY_FOLDER = "history/"
HISTORY = ("changes", "edits", "recalls")
_NAMING_ANY = (RELATION, PROPOSAL, TAG)
ORDER: tuple[Kind[Any], ...] = (*(kind for kind in KINDS if kind not in _NAMING_ANY), *_NAMING_ANY)
"""All kinds, each after the kinds it refers to; kinds that can refer to any record come last."""

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


def file_of(kind: Kind[Any]) -> str:
    return f"{kind.table}.jsonl"


def columns_of(kind: Kind[Any]) -> tuple[str, ...]:
    """Return the columns of a record that an archive contains: all but its number, which belongs to the desk."""
    return tuple(name for name in kind.columns if name != "seq")


RECORDS: dict[str, Kind[Any]] = {file_of(kind): kind for kind in ORDER}


Row = dict[str, Any]
LINE_BYTES = 64 * 1024 * 1024
"""Most bytes of one record: far above the longest turn, and small enough for memory."""
USES_AT_ONCE = 1_000
ON_ITS_WAY = 0
"""Retirement time of a document whose versions are still being imported: time 0, which no other document has."""
_PARTS = frozenset((MANIFEST, README, USAGE, VERSIONS, BESIDE, *RECORDS))
_TORN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, KeyError, NotImplementedError, RuntimeError)


class ArchiveIn:
    """Output of `memdesk export archive`, in this version of the format."""

    name = "archive"
    reads = "A MemDesk archive (`.zip`): everything back as it was"

    def sniff(self, peek: Peek) -> bool:
        return peek.head.startswith(b"PK") and _manifest(peek).get("format") == FORMAT

    def open(self, peek: Peek, registered: tuple[Place, ...]) -> Source:
        archive = Archive(peek, _manifest(peek))
        archive.check()
        return Source(
            format=self.name,
            says=message("MemDesk archive"),
            total=archive.parcels,
            channel="",
            items=archive.items(),
            exact=True,
            user_id=archive.user_id,
            manifest=archive.manifest,
        )


class Archive:
    """Open archive. user_id: the user it belongs to, None for several users."""

    def __init__(self, peek: Peek, manifest: Row) -> None:
        self.path, self.name, self.manifest = peek.path, peek.name, manifest
        self.text_bytes = max(LINE_BYTES, peek.limit_bytes)
        version = manifest.get("version")
        if not isinstance(version, int) or version > VERSION:
            raise Refused(
                message(
                    "{peek} is a MemDesk archive of version {version}; this MemDesk reads version {count}.",
                    peek=peek.name,
                    version=version,
                    count=VERSION,
                ),
                next=message("Install the newer MemDesk."),
            )
        self.files: Row = manifest["files"] if isinstance(manifest.get("files"), dict) else {}
        self.user_id: str | None = manifest.get("user_id")
        self.parcels = 0

    def check(self) -> None:
        """Read the archive once. Raises Refused, naming the file and line that is wrong."""
        with self._opened() as zip:
            reading.check_growth(zip, self.path, self.name)
            for name in (*RECORDS, USAGE, BESIDE, VERSIONS):
                self._check_lines(zip, name)
            for name in {row["content_hash"] for row in self._rows(zip, VERSIONS)}:
                self._text(zip, name)
            for name, kind in RECORDS.items():
                count = sum(1 for _ in self._births(zip, name, kind, {}))
                self.parcels += -(-count // EDITS_AT_ONCE)
            for _ in self._uses(zip):
                pass

    def items(self) -> Iterator[Item]:
        """Yield its contents kind by kind; a record comes after the records it refers to."""
        with self._opened() as zip:
            for name in zip.namelist():
                if name not in _PARTS and not name.startswith((TEXTS, HISTORY_FOLDER)):
                    yield Left(name=f"{self.name}, {name}", why=message("It is no part of an archive."))
            beside = {row["id"]: row["beside"] for row in self._rows(zip, BESIDE)}
            for name, kind in RECORDS.items():
                births = self._births(zip, name, kind, beside)
                like = Parcel(name=kind.table.replace("_", " "), file=self.name, steps=(), exact=True)
                if kind is DOCUMENT:
                    yield from self._documents(zip, births, like)
                else:
                    yield from pack_parcels(order_references(births), like)
            uses = self._uses(zip)
            while rows := tuple(islice(uses, USES_AT_ONCE)):
                yield Uses(name="use", file=self.name, rows=rows)

    def _documents(
        self, zip: zipfile.ZipFile, births: Iterator[ImportedRecord], like: Parcel
    ) -> Iterator[Parcel]:
        """Yield each document with its versions in order, as far as the archive has them."""
        kept: dict[str, list[Row]] = defaultdict(list)
        for row in self._rows(zip, VERSIONS):
            kept[row["document_id"]].append(row)
        batch: list[Step] = []
        for birth in births:
            for number, group in enumerate(_document_steps(birth, kept[birth.id])):
                if batch and (number or len(batch) + len(group) > EDITS_AT_ONCE):
                    yield self._with_texts(zip, batch, like)
                    batch = []
                batch += group
        if batch:
            yield self._with_texts(zip, batch, like)

    def _with_texts(self, zip: zipfile.ZipFile, steps: list[Step], like: Parcel) -> Parcel:
        return replace(
            like, steps=tuple(steps), texts=_hashes(steps), text_of=lambda name: self._text(zip, name)
        )

    def _births(
        self, zip: zipfile.ZipFile, name: str, kind: Kind[Any], beside: Row
    ) -> Iterator[ImportedRecord]:
        columns = set(columns_of(kind))
        for number, row in enumerate(self._rows(zip, name), 1):
            where = f"{self.name}: line {number} of {name}"
            missing = columns - row.keys() - kind.defaults.keys()
            if missing or not isinstance(row.get("id"), str):
                raise Refused(
                    message("{where} lacks `{missing}`.", where=where, missing=min(missing, default="id"))
                )
            fields = {column: row[column] for column in columns & row.keys()}
            unknown = {column: value for column, value in row.items() if column not in columns}
            told = {**beside.get(row["id"], {}), **unknown}
            yield check_record(ImportedRecord(kind=kind, id=row["id"], fields=fields, beside=told), where)

    def _uses(self, zip: zipfile.ZipFile) -> Iterator[Used]:
        for number, row in enumerate(self._rows(zip, USAGE), 1):
            try:
                lines = None if row["lines"] is None else (int(row["lines"][0]), int(row["lines"][1]))
                yield Used(
                    id=str(row["id"]),
                    lines=lines,
                    access_count=int(row["access_count"]),
                    last_accessed=int(row["last_accessed"]),
                    salience=float(row["salience"]),
                )
            except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
                raise Refused(
                    message(
                        "{name}: line {count} of {usage} is no use of a memory.",
                        name=self.name,
                        count=number,
                        usage=USAGE,
                    )
                ) from error

    def _rows(self, zip: zipfile.ZipFile, name: str) -> Iterator[Row]:
        """Yield the objects of a JSON Lines file. Raises Refused, naming a line that is not an object."""
        if self._is_older(zip, name):
            return
        with zip.open(name) as file:
            for number, line in enumerate(_lines(file), 1):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    row = None
                if not isinstance(row, dict):
                    raise Refused(
                        message(
                            "{name}: line {count} of {name2} is not a JSON object.",
                            name=self.name,
                            count=number,
                            name2=name,
                        )
                    )
                yield row

    def _text(self, zip: zipfile.ZipFile, name: str) -> str:
        """Return a text by its hash. Raises Refused if the hash differs, or the text is larger than any file
        on a desk may be."""
        try:
            if zip.getinfo(f"{TEXTS}{name}").file_size > self.text_bytes:
                raise Refused(
                    message(
                        "{name} holds a text larger than {count} MB.",
                        name=self.name,
                        count=self.text_bytes // MEGABYTE,
                    )
                )
            text = zip.read(f"{TEXTS}{name}").decode("utf-8", "surrogatepass")
        except (*_TORN, UnicodeDecodeError) as error:
            raise self._damaged(f"{TEXTS}{name}") from error
        if document_versions.hash_of(text) != name:
            raise self._damaged(f"{TEXTS}{name}")
        return text

    def _check_lines(self, zip: zipfile.ZipFile, name: str) -> None:
        if self._is_older(zip, name):
            return
        digest, count = hashlib.sha256(), 0
        with zip.open(name) as file:
            for line in _lines(file):
                digest.update(line)
                count += 1
        if self.files.get(name) != {"lines": count, "sha256": digest.hexdigest()}:
            raise self._damaged(name)

    def _is_older(self, zip: zipfile.ZipFile, name: str) -> bool:
        """Return True for records that the archive neither has nor names: it is older than their kind."""
        return name in RECORDS and name not in self.files and name not in zip.namelist()

    @contextmanager
    def _opened(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self.path) as zip:
                reading.check_names(zip, self.name)
                yield zip
        except _TORN as error:
            raise self._damaged("the archive") from error

    def _damaged(self, what: str) -> Refused:
        return Refused(
            message("{name} is damaged: {what} is not as its manifest says.", name=self.name, what=what),
            next=message("Nothing was brought in; make the archive again."),
        )


def _document_steps(birth: ImportedRecord, kept: list[Row]) -> Iterator[list[Step]]:
    """Yield the steps that create a document and apply its later texts, in groups of one change each.

    The document is retired until the last step, so that no earlier text is searched. A version that was kept
    only because it clashed is applied and reverted within one change, which is how it is recognised; a text
    that came back later does so in another change."""
    now, retired = birth.fields["content_hash"], birth.fields.get("retired_at")
    texts = [(row["content_hash"], bool(row.get("beside"))) for row in kept] or [(now, False)]
    last = next(name for name, beside in reversed(texts) if not beside)
    stood, before = texts[0][0], ""
    group: list[Step] = [
        replace(birth, fields={**birth.fields, "content_hash": stood, "retired_at": ON_ITS_WAY})
    ]
    for name, beside in [*texts[1:], *([(now, False)] if now != last else [])]:
        if name == before or len(group) >= EDITS_AT_ONCE // 2:
            yield group
            group = []
        group.append(_turned(birth.id, stood, name))
        if beside:
            group.append(_turned(birth.id, name, stood))
        else:
            before, stood = stood, name
    group.append(_moved(birth.id, stood, {"retired_at": retired}))
    yield group


def _turned(document_id: str, was: str, text: str) -> Move:
    return _moved(document_id, was, {"content_hash": text})


def _moved(document_id: str, was: str, after: Row) -> Move:
    before = {"content_hash": was, "retired_at": ON_ITS_WAY}
    return Move(kind=DOCUMENT, id=document_id, before=before, after=after)


def _hashes(steps: list[Step]) -> tuple[str, ...]:
    fields = (step.fields if isinstance(step, ImportedRecord) else step.after for step in steps)
    return tuple(dict.fromkeys(each["content_hash"] for each in fields if "content_hash" in each))


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    while line := file.readline(LINE_BYTES + 1):
        if len(line) > LINE_BYTES:
            raise zipfile.BadZipFile("a line without an end")
        yield line


def _manifest(peek: Peek) -> Row:
    """Return the manifest of a ZIP, empty if there is none."""
    try:
        with zipfile.ZipFile(peek.path) as zip, zip.open(MANIFEST) as file:
            found = json.loads(file.read(LINE_BYTES))
    except (*_TORN, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


ARCHIVE_IN = ArchiveIn()


STEP_ROWS = 1_000


class ArchiveOut:
    """ZIP of JSON Lines, from which an empty desk can be restored exactly."""

    about = ExportFormat(
        name="archive",
        says=message("Everything, to bring back or to keep: a ZIP of JSON Lines"),
        suffix=".zip",
        comes_back=True,
        holds=tuple(kind.table for kind in ORDER),
        past="all",
        kinds=(*(name for name in TIMELINE if not BY_NAME[name].owner), TRAIT.name, DOCUMENT.name),
        leaves=message("Working memory, scratchpads and settings stay; vectors are made anew."),
    )
    everybody = True

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        counts: Counter[str] = Counter()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as zip:
            packing = _Packing(zip, wanted, sum(_sizes(wanted).values()))
            for name, kind in RECORDS.items():
                counts[kind.table] = packing.lines(name, _rows(wanted, kind), term(kind.label))
            packing.lines(USAGE, _uses(wanted), message("Use"))
            packing.lines(BESIDE, _beside(wanted), message("Records"))
            counts["versions"] = packing.lines(VERSIONS, _versions(wanted), message("Version"))
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
        hashes = dict.fromkeys(each.content_hash for each in _kept(self.wanted))
        for name in hashes:
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


def _sizes(wanted: ExportSelection) -> dict[str, int]:
    return {kind.table: archiving.count(wanted.db, kind, wanted.chosen) for kind in ORDER}


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


def _beside(wanted: ExportSelection) -> Iterator[Row]:
    for kind in ORDER:
        batch: list[str] = []
        for record in archiving.all_records(wanted.db, kind, wanted.chosen):
            batch.append(record.id)
            if len(batch) == BATCH:
                yield from _extra_fields(wanted, batch)
                batch.clear()
        yield from _extra_fields(wanted, batch)


def _extra_fields(wanted: ExportSelection, ids: list[str]) -> Iterator[Row]:
    for id, told in archiving.extra_data(wanted.db, ids).items():
        yield {"id": id, "beside": told}


def _kept(wanted: ExportSelection) -> Iterator[archiving.Version]:
    return archiving.versions(wanted.db, wanted.chosen)


def _versions(wanted: ExportSelection) -> Iterator[Row]:
    return (asdict(each) for each in _kept(wanted))


ARCHIVE_OUT = ArchiveOut()
