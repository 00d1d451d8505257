"""Import of Hindsight's archive: documents as conversations of their chunks, and the facts and observations
drawn from them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from memdesk.engine.interop import imported_records, reading
from memdesk.engine.interop.batches import ImportedRecord, Source
from memdesk.engine.interop.imported_records import Fields, stable_id
from memdesk.engine.interop.reading import ZIP, Peek
from memdesk.engine.memory.remember import TURN_CHARACTERS
from memdesk.engine.workspace.layouts import slug
from memdesk.files.reading import Left
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.message import message
from memdesk.model.turn import CONVERSATION, TURN

VERSION = 1
MANIFEST, OBSERVATIONS = "manifest.json", "observations.json"
_CONFIDENCE = 0.85


class Hindsight:
    """Archive of a bank's documents, or of a complete bank; its documents, facts and observations are imported."""

    name = "hindsight"
    reads = message(
        "A Hindsight archive (`.zip`, `schema_version` 1): documents as conversations, facts with "
        "entities and causes, observations"
    )

    def sniff(self, peek: Peek) -> bool:
        if not peek.head.startswith(ZIP):
            return False
        with reading.opened(peek.path, peek.name) as archive:
            if MANIFEST not in archive.namelist():
                return False
            manifest = reading.json_in(archive, MANIFEST, peek.name)
        return isinstance(manifest, dict) and "source_bank_id" in manifest

    def open(self, peek: Peek) -> Source:
        with reading.opened(peek.path, peek.name) as archive:
            reading.check_size(archive, peek)
            bank = _Bank(archive, peek)
            created, left = list(bank.creations()), list(bank.left())
        batches = imported_records.batches(message("documents of {bank}", bank=bank.name), peek.name, created)
        return Source.of(
            self.name, message("Hindsight archive"), peek, *batches, *left, channel=slug(bank.name)
        )


class _Bank:
    """Reader of an archive. facts: the ids of each document's facts, in the order of the file."""

    def __init__(self, archive: zipfile.ZipFile, peek: Peek) -> None:
        self.archive, self.file = archive, peek.name
        manifest = Fields(reading.json_in(archive, MANIFEST, self.file), f"{self.file}, {MANIFEST}")
        version = manifest.row.get("schema_version", VERSION)
        if version != VERSION:
            raise reading.other_version(self.file, message("a Hindsight archive"), version, VERSION)
        self.name, self.exported_at = manifest.needed("source_bank_id"), manifest.at("exported_at")
        self.count = manifest.count("document_count")
        self.facts: dict[str, list[str]] = {}
        self.known: set[str] = set()
        self.ties: list[ImportedRecord] = []

    def creations(self) -> Iterator[ImportedRecord]:
        names = [name for name in self.archive.namelist() if _is_document(name)]
        if self.count is not None and len(names) < self.count:
            raise Refused(
                message(
                    "{file} has {count} of its {expected} documents.",
                    file=self.file,
                    count=len(names),
                    expected=self.count,
                ),
                next=message("Export it again."),
            )
        for name in names:
            yield from self._document(
                Fields(reading.json_in(self.archive, name, self.file), f"{self.file}, {name}")
            )
        if OBSERVATIONS in self.archive.namelist():
            value = reading.json_in(self.archive, OBSERVATIONS, self.file)
            for row in Fields({"observations": value}, self.file).rows("observations"):
                yield from self._observation(row)
        # A tie may name a fact of a later document, so that all of them come last.
        yield from self.ties

    def left(self) -> Iterator[Left]:
        for name in self.archive.namelist():
            if name not in (MANIFEST, OBSERVATIONS) and not _is_document(name) and not name.endswith("/"):
                yield Left(
                    name=f"{self.file}, {name}", why=message("The desk has no place for this part of a bank.")
                )

    def _document(self, row: Fields) -> Iterator[ImportedRecord]:
        given = row.needed("id")
        id = f"{self.name}/{given}"
        text, tags = row.text("original_text"), row.texts("tags")
        chunks = sorted(row.rows("chunks"), key=lambda each: each.count("chunk_index", 0) or 0)
        said = [each.text("chunk_text") for each in chunks] or [text]
        turns = [part for each in said for part in _parts(each)]
        facts, created = list(row.rows("facts")), self._created_at(row.at("created_at"))
        beside = row.rest | ({"original_text": text} if _words("".join(said)) != _words(text) else {})
        yield imported_records.creation(
            CONVERSATION,
            id,
            Fields(beside, row.where),
            title=given,
            consolidated_index=len(turns) - 1 if facts else -1,
            started_at=created,
        )
        for number, words in enumerate(turns):
            yield imported_records.creation(
                TURN,
                f"{id}/{number + 1}",
                Fields({}, row.where),
                conversation_id=id,
                turn_index=number,
                role="user",
                speaker="user",
                content=words,
                created_at=created,
            )
        self.ties.extend(imported_records.tags(id, tags, row.where))
        # Where every chunk is one turn, a fact of a chunk is a fact of that turn.
        turn_of = (
            {each.count("chunk_index", 0): n for n, each in enumerate(chunks)}
            if len(turns) == len(said)
            else {}
        )
        self.facts[given] = ids = [self._id_of(given, fact) for fact in facts]
        for fact_id, fact in zip(ids, facts, strict=True):
            number = turn_of.get(fact.count("chunk_index"), 0)
            yield from self._fact(fact_id, fact, f"{id}/{number + 1}" if turns else None)
        for fact_id, fact in zip(ids, facts, strict=True):
            self._causes(fact_id, fact, ids)

    def _fact(self, id: str, row: Fields, turn_id: str | None) -> Iterator[ImportedRecord]:
        entities, tags = row.texts("entities"), row.texts("tags")
        row.skip("causal_relations", "source_id")
        created = self._created_at(row.at("created_at", "mentioned_at", "event_date"))
        for name in entities:
            if (entity_id := imported_records.entity_id(name, self.name)) not in self.known:
                self.known.add(entity_id)
                yield imported_records.entity(entity_id, name, Fields({}, row.where), created_at=created)
        yield imported_records.fact(
            id,
            row.needed("text"),
            row,
            category=row.text("fact_type") or "fact",
            confidence=_CONFIDENCE,
            source_turn_id=turn_id,
            valid_from=row.at("occurred_start"),
            valid_to=row.at("occurred_end"),
            created_at=created,
        )
        self.ties.extend(
            imported_records.about(
                id,
                (imported_records.entity_id(name, self.name) for name in entities),
                row.where,
                created_at=created,
            )
        )
        self.ties.extend(imported_records.derived(id, turn_id, row.where, created_at=created))
        self.ties.extend(imported_records.tags(id, tags, row.where, created_at=created))

    def _observation(self, row: Fields) -> Iterator[ImportedRecord]:
        """Yield a conclusion drawn from facts of any document, as a fact."""
        id = (
            row.optional("source_id")
            or f"{FACT.prefix}_{stable_id(self.name, 'observation', row.needed('text'))}"
        )
        tags, created = row.texts("tags"), self._created_at(row.at("mentioned_at", "event_date"))
        for source in row.rows("sources"):
            target = self._fact_at(
                self.facts.get(source.needed("document_id"), []), source.count("fact_index"), source
            )
            self.ties.append(
                imported_records.relation(id, "DERIVED_FROM", target, row.where, created_at=created)
            )
        yield imported_records.fact(
            id,
            row.needed("text"),
            row,
            category="observation",
            confidence=_CONFIDENCE,
            valid_from=row.at("occurred_start"),
            valid_to=row.at("occurred_end"),
            created_at=created,
        )
        self.ties.extend(imported_records.tags(id, tags, row.where, created_at=created))

    def _causes(self, id: str, row: Fields, ids: list[str]) -> None:
        for each in row.rows("causal_relations"):
            target = self._fact_at(ids, each.count("target_fact_index"), each)
            if target != id:
                self.ties.append(imported_records.tie(id, each.needed("relation_type"), target, each.where))

    def _fact_at(self, ids: list[str], index: int | None, row: Fields) -> str:
        if index is None or index >= len(ids):
            raise Refused(message("{where} names a fact that is not in the archive.", where=row.where))
        return ids[index]

    def _id_of(self, document: str, row: Fields) -> str:
        given = row.optional("source_id")
        kind = row.text("fact_type"), row.needed("text")
        return given or f"{FACT.prefix}_{stable_id(self.name, document, *kind)}"

    def _created_at(self, at: int | None) -> int | None:
        return self.exported_at if at is None else at


def _words(text: str) -> str:
    """Return a text without its spaces, because spaces at the edges of chunks do not matter."""
    return "".join(text.split())


def _is_document(name: str) -> bool:
    return name.startswith("documents/") and name.endswith(".json")


def _parts(text: str) -> Iterator[str]:
    """Yield a text in pieces that fit into a turn."""
    for start in range(0, len(text), TURN_CHARACTERS):
        yield text[start : start + TURN_CHARACTERS]


HINDSIGHT = Hindsight()
