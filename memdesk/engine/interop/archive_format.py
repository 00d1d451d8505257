"""Format of a MemDesk archive, and its import: every record of a user or of all users, with its use and the texts of
its files."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any

from memdesk.engine.interop import reading
from memdesk.engine.interop.batches import (
    EDITS_AT_ONCE,
    Batch,
    ImportedRecord,
    Item,
    Move,
    Source,
    Step,
    Used,
    check_record,
    pack_batches,
)
from memdesk.engine.interop.imported_records import uses
from memdesk.engine.interop.reading import Peek, Row
from memdesk.files.atomic import write_atomic
from memdesk.files.places import Desk
from memdesk.files.reading import MEGABYTE, Left
from memdesk.model.curation import TAG
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import RELATION
from memdesk.model.errors import Refused, StorageFailed
from memdesk.model.kind import Kind
from memdesk.model.kinds import KINDS
from memdesk.model.message import message
from memdesk.model.review import PROPOSAL
from memdesk.store import document_versions

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


def file_of(kind: Kind[Any]) -> str:
    return f"{kind.table}.jsonl"


def columns_of(kind: Kind[Any]) -> tuple[str, ...]:
    """Return the columns of a record that an archive contains: all but its number, which belongs to the desk."""
    return tuple(name for name in kind.columns if name != "seq")


RECORDS: dict[str, Kind[Any]] = {file_of(kind): kind for kind in ORDER}


LINE_BYTES = 64 * 1024 * 1024
"""Most bytes of one record: far above the longest turn, and small enough for memory."""
ON_ITS_WAY = 0
"""Retirement time of a document whose versions are still being imported: time 0, which no other document has."""
_PARTS = frozenset((MANIFEST, README, USAGE, VERSIONS, BESIDE, *RECORDS))


class ArchiveIn:
    """Output of `memdesk export archive`, in this version of the format."""

    name = "archive"
    reads = message("A MemDesk archive (`.zip`): everything back as it was")

    def sniff(self, peek: Peek) -> bool:
        return peek.head.startswith(b"PK") and _manifest(peek).get("format") == FORMAT

    def open(self, peek: Peek) -> Source:
        archive = Archive(peek, _manifest(peek))
        archive.check()
        return Source(
            format=self.name,
            says=message("MemDesk archive"),
            total=archive.batches,
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
            raise reading.other_version(peek.name, message("a MemDesk archive"), version, VERSION)
        self.files: Row = manifest["files"] if isinstance(manifest.get("files"), dict) else {}
        self.user_id: str | None = manifest.get("user_id")
        self.batches = 0

    def check(self) -> None:
        """Read the archive once. Raises Refused, naming the file and line that is wrong."""
        with self._opened() as zip:
            reading.check_growth(zip, self.path, self.name)
            for name in (*RECORDS, USAGE, BESIDE, VERSIONS):
                self._check_lines(zip, name)
            for name in {row["content_hash"] for row in self._rows(zip, VERSIONS)}:
                self._text(zip, name)
            for name, kind in RECORDS.items():
                count = sum(1 for _ in self._creations(zip, name, kind, {}))
                self.batches += -(-count // EDITS_AT_ONCE)
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
                creations = self._creations(zip, name, kind, beside)
                like = Batch(name=kind.table.replace("_", " "), file=self.name, steps=(), exact=True)
                if kind is DOCUMENT:
                    yield from self._documents(zip, creations, like)
                else:
                    yield from pack_batches(creations, like)
            yield from uses(self.name, self._uses(zip))

    def _documents(
        self, zip: zipfile.ZipFile, creations: Iterator[ImportedRecord], like: Batch
    ) -> Iterator[Batch]:
        """Yield each document with its versions in order, as far as the archive has them."""
        kept: dict[str, list[Row]] = defaultdict(list)
        for row in self._rows(zip, VERSIONS):
            kept[row["document_id"]].append(row)
        batch: list[Step] = []
        for creation in creations:
            for number, group in enumerate(_document_steps(creation, kept[creation.id])):
                if batch and (number or len(batch) + len(group) > EDITS_AT_ONCE):
                    yield self._with_texts(zip, batch, like)
                    batch = []
                batch += group
        if batch:
            yield self._with_texts(zip, batch, like)

    def _with_texts(self, zip: zipfile.ZipFile, steps: list[Step], like: Batch) -> Batch:
        return replace(
            like, steps=tuple(steps), texts=_hashes(steps), text_of=lambda name: self._text(zip, name)
        )

    def _creations(
        self, zip: zipfile.ZipFile, name: str, kind: Kind[Any], beside: Row
    ) -> Iterator[ImportedRecord]:
        columns = set(columns_of(kind))
        for number, row in enumerate(self._rows(zip, name), 1):
            where = message("{archive}: line {number} of {file}", archive=self.name, number=number, file=name)
            missing = columns - row.keys() - kind.defaults.keys()
            if missing or not isinstance(row.get("id"), str):
                raise Refused(
                    message("{where} lacks `{missing}`.", where=where, missing=min(missing, default="id"))
                )
            fields = {column: row[column] for column in columns & row.keys()}
            unknown = {column: value for column, value in row.items() if column not in columns}
            extra = {**beside.get(row["id"], {}), **unknown}
            yield check_record(ImportedRecord(kind=kind, id=row["id"], fields=fields, beside=extra), where)

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
                            "{archive}: line {number} of {file} is not a JSON object.",
                            archive=self.name,
                            number=number,
                            file=name,
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
        except reading.TORN as error:
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
        except reading.TORN as error:
            raise self._damaged(message("the archive")) from error

    def _damaged(self, what: str) -> Refused:
        return Refused(
            message("{name} is damaged: {what} is not as its manifest says.", name=self.name, what=what),
            next=message("Nothing was brought in; make the archive again."),
        )


def _document_steps(creation: ImportedRecord, kept: list[Row]) -> Iterator[list[Step]]:
    """Yield the steps that create a document and apply its later texts, in groups of one change each.

    The document is retired until the last step, so that no earlier text is searched. A version that was kept
    only because it clashed is applied and reverted within one change, which is how it is recognised; a text
    that came back later does so in another change."""
    now, retired = creation.fields["content_hash"], creation.fields.get("retired_at")
    texts = [(row["content_hash"], bool(row.get("beside"))) for row in kept] or [(now, False)]
    last = next(name for name, beside in reversed(texts) if not beside)
    stood, before = texts[0][0], ""
    group: list[Step] = [
        replace(creation, fields={**creation.fields, "content_hash": stood, "retired_at": ON_ITS_WAY})
    ]
    for name, beside in [*texts[1:], *([(now, False)] if now != last else [])]:
        if name == before or len(group) >= EDITS_AT_ONCE // 2:
            yield group
            group = []
        group.append(_turned(creation.id, stood, name))
        if beside:
            group.append(_turned(creation.id, name, stood))
        else:
            before, stood = stood, name
    group.append(_moved(creation.id, stood, {"retired_at": retired}))
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
    except reading.TORN:
        return {}
    return found if isinstance(found, dict) else {}


ARCHIVE_IN = ArchiveIn()


SEAL = "seal"
"""Entry of the manifest that has the seal of all its other entries, among them the digest of every file."""
KEY_BYTES = 32
OWN, CHANGED, FOREIGN = "own", "changed", "foreign"
"""Origins of an archive: made by this desk, made by it and changed since, made elsewhere."""


def sealed(desk: Desk, manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest with the desk's seal. Raises StorageFailed where the key cannot be read or made."""
    if not desk.archive_key.exists():
        write_atomic(desk.archive_key, secrets.token_bytes(KEY_BYTES))
    key = _key(desk)
    return {**manifest, SEAL: {"desk": _name(key), "mac": _mac(key, manifest)}}


def origin(desk: Desk, manifest: dict[str, Any]) -> str:
    """Return OWN, CHANGED or FOREIGN for the manifest of an archive. Raises StorageFailed."""
    seal = manifest.get(SEAL)
    if not isinstance(seal, dict) or not desk.archive_key.exists():
        return FOREIGN
    key = _key(desk)
    if seal.get("desk") != _name(key):
        return FOREIGN
    rest = {name: value for name, value in manifest.items() if name != SEAL}
    given = str(seal.get("mac")).encode("utf-8", "replace")
    return OWN if hmac.compare_digest(given, _mac(key, rest).encode()) else CHANGED


def _key(desk: Desk) -> bytes:
    try:
        key = desk.archive_key.read_bytes()
    except OSError as error:
        raise StorageFailed(
            message(
                "The key {path} cannot be read: {strerror}.",
                path=desk.archive_key,
                strerror=error.strerror,
            )
        ) from error
    if len(key) != KEY_BYTES:
        raise StorageFailed(
            message("The key {path} is damaged.", path=desk.archive_key),
            next=message("Remove the file; archives made before then count as made elsewhere."),
        )
    return key


def _name(key: bytes) -> str:
    """Return the name of the desk in its seals, from which the key cannot be computed."""
    return hmac.new(key, b"memdesk archive: name", hashlib.sha256).hexdigest()[:32]


def _mac(key: bytes, manifest: dict[str, Any]) -> str:
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, b"memdesk archive: manifest\n" + text.encode(), hashlib.sha256).hexdigest()
