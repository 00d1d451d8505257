"""Lines follow their facts: what is decided over a fact is written into the files it is read from, in one change.

A fact that is retired or gives way takes its lines with it, for a line struck through would still reach prompts; one
that is restored brings them back; another claim stands in the old one's place. Jobs do not write into files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import telling, ties
from memdesk.engine.workspace.disk import on_disk, one_writer, path_of, placed, version_edit
from memdesk.engine.workspace.homes import AGENT
from memdesk.engine.workspace.layouts import holds_facts
from memdesk.engine.workspace.lines import brought_back, exchanged, rewritten, said, standing
from memdesk.engine.workspace.ties import Spot, Tie, holds
from memdesk.engine.workspace.writing import ROUNDS, current, taken_back
from memdesk.files.atomic import write_over
from memdesk.files.manner import manner_of, plain
from memdesk.files.merge import lines_of
from memdesk.model.change import Applied, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.store import records, versions
from memdesk.store.connection import Connection

T = TypeVar("T")
Verb = Callable[[Connection], tuple[Change | None, T]]


def decide(engine: Engine, verb: Verb[T], about: Collection[str]) -> tuple[Applied | None, T]:
    """Carry a verb out as the store's `decide` does, with the lines of the facts among `about` in the same change.

    A file that cannot be read, or written as text, is left as it is. Raises what the verb raises; StorageFailed, and
    Conflict where another program writes a file all the time: nothing is changed then.
    """
    for _ in range(ROUNDS):
        with engine.store.reading() as db:
            files = {each.relation.target_id for each in ties.of_facts(db, list(about)) if each.follows}
        if not files:
            return engine.store.decide(verb)
        try:
            return _decide(engine, verb, files)
        except _Met:
            continue
    raise Conflict("A file that this is read from is written all the time by another program.")


def paths(engine: Engine, applied: Applied) -> tuple[str, ...]:
    """The files that a change has moved, by their paths."""
    ids = sorted({edit.id for edit in applied.edits if edit.kind == DOCUMENT.name})
    with engine.store.reading() as db:
        return tuple(each.path for each in records.many(db, DOCUMENT, "id", ids))


class _Met(Conflict):
    """Somebody wrote into the file in that very moment."""


def _decide(engine: Engine, verb: Verb[T], files: Collection[str]) -> tuple[Applied | None, T]:
    with one_writer:
        lines = _Lines(engine=engine, files=frozenset(each for each in files if _seen(engine, each)))
        applied, answer = engine.store.decide(lambda db: lines.with_verb(db, verb))
        if applied is not None and lines.texts:
            with taken_back(engine, applied.id, lines.author):
                lines.write()
    return applied, answer


def _seen(engine: Engine, document_id: str) -> bool:
    """Whether a file can be written to; what was edited outside is recorded first."""
    try:
        document, workspace = placed(engine, document_id)
        return document.retired_at is None and not current(engine, document, workspace).mended
    except (NotFound, Refused):
        return False


@dataclass(slots=True, kw_only=True)
class _Lines:
    """The lines that one change decides over. files: documents just seen on the disk; texts: what they are to hold."""

    engine: Engine
    files: frozenset[str]
    author: str = ""
    texts: dict[str, str] = field(default_factory=dict)

    def with_verb(self, db: Connection, verb: Verb[T]) -> tuple[Change | None, T]:
        """The verb's change with the lines of its facts, on the writer's connection."""
        change, answer = verb(db)
        if change is not None:
            self.author = change.author
            change = replace(change, edits=(*change.edits, *self._edits(db, change)))
        return change, answer

    def write(self) -> None:
        """Bring the disk to what the change says of the files, all or none."""
        done = []
        try:
            for id, text in self.texts.items():
                document, workspace = placed(self.engine, id)
                file, path = on_disk(self.engine, document, workspace), path_of(document, workspace)
                data, stands = file.manner.exact(text), file.manner.exact(file.text)
                if write_over(path, data, stands) is not None:
                    raise _Met(f"{document.path} was written in that very moment.")
                done.append((path, data, stands))
        except (Conflict, StorageFailed):
            for path, data, stands in reversed(done):
                write_over(path, stands, data)
            raise

    def _edits(self, db: Connection, change: Change) -> Iterator[Edit]:
        moved: dict[str, Fact] = {}
        for edit in change.edits:
            if edit.kind == FACT.name and edit.before is not None and edit.after is not None:
                known = moved.get(edit.id) or records.need(db, FACT, edit.id)
                moved[edit.id] = replace(known, **edit.after)
        found = [each for each in ties.of_facts(db, list(moved)) if self._may_write(db, each, change.author)]
        spots = [self._spot(db, each, moved) for each in found]
        for id, text in self.texts.items():
            yield version_edit(db, records.need(db, DOCUMENT, id), text, self.engine.clock())
        for tie, spot in zip(found, spots, strict=True):
            now = self._written(tie, spot) if holds(moved[tie.fact.id]) else spot
            if now != tie.spot:
                yield tie.at(now)

    def _may_write(self, db: Connection, tie: Tie, author: str) -> bool:
        """Whether the file of this line goes with the fact: an agent writes into no other agent's files."""
        if not tie.follows or tie.relation.target_id not in self.files:
            return False
        document: Document = records.need(db, DOCUMENT, tie.relation.target_id)
        own = author.removeprefix(AGENT).casefold()
        return not author.startswith(AGENT) or (document.agent_id or own).casefold() == own

    def _spot(self, db: Connection, tie: Tie, moved: Mapping[str, Fact]) -> Spot:
        """Let the file hold the line exactly while the fact holds, and say what it claims; returns the tie's line."""
        document: Document = records.need(db, DOCUMENT, tie.relation.target_id)
        was = versions.text_of(db, document.content_hash)
        told = plain(self.texts.get(document.id, was))
        fact, spot = moved[tie.fact.id], tie.spot
        stands = standing(told).get(spot.said)
        if stands and _told_by_others(db, tie, moved):
            return spot
        line = rewritten(lines_of(told)[stands[0] - 1] if stands else spot.line, tie.fact.claim, fact.claim)
        if not stands and holds(fact) and not tie.holds and spot.version:
            version = versions.text_of(db, spot.version)
            told = brought_back(told, version, spot.number, line)
            spot = replace(spot, line=line, gone=False)
        elif stands and not holds(fact):
            told = exchanged(told, self._saying(db, document, told, tie), lambda _: None)
            number = standing(was).get(spot.said, stands)[0]
            spot = replace(spot, line=line, version=document.content_hash, number=number)
        elif fact.claim != tie.fact.claim and (stands or not holds(fact)):
            told = exchanged(
                told, frozenset((spot.said,)), lambda each: rewritten(each, tie.fact.claim, fact.claim)
            )
            spot = replace(spot, line=line)
        if told != plain(self.texts.get(document.id, was)):
            self.texts[document.id] = manner_of(was, encoding="utf-8", bom=b"").woven(was, told)
        return spot

    def _written(self, tie: Tie, spot: Spot) -> Spot:
        """Where the line of a fact that holds stands in the text that was just made."""
        text = self.texts.get(tie.relation.target_id)
        numbers = standing(text or "").get(spot.said)
        if text is None or not numbers:
            return spot
        return replace(spot, version=versions.hash_of(text), number=numbers[0], times=len(numbers))

    def _saying(self, db: Connection, document: Document, text: str, tie: Tie) -> frozenset[str]:
        """What the lines say that tell this fact, in whatever words."""
        words = {tie.spot.said}
        workspace: Workspace = records.need(db, WORKSPACE, document.workspace_id)
        if holds_facts(document.path, workspace.layout):
            lines = lines_of(text)
            voice = telling.voice_of(document.path, document.agent_id, self.engine.person)
            claims = telling.claimed(lines, voice)
            words |= {said(lines[number - 1]) for number in claims.get(claim_hash(tie.fact.claim), ())}
        return frozenset(words)


def _told_by_others(db: Connection, tie: Tie, moved: Mapping[str, Fact]) -> bool:
    """Whether the line also tells another fact, which stays: then it stays as it is."""
    return any(
        each.fact.id != tie.fact.id and each.spot.said == tie.spot.said
        and holds(moved.get(each.fact.id, each.fact))
        for each in ties.in_file(db, tie.relation.target_id)
    )  # fmt: skip
