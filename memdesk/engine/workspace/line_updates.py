"""Update of files after a decision about facts: the lines they are read from change in the same change.

A fact that is retired or forgotten loses its lines, because a line struck through would still reach
prompts. A restored fact gets them back, and a corrected claim replaces the old one. The lines of a
superseded fact pass to the new one, unless that already has a line in the workspace. Jobs do not write
into files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from memdesk.engine.engine import Engine, Verb
from memdesk.engine.memory import line_links
from memdesk.engine.memory.draft import Draft, shielded
from memdesk.engine.memory.line_links import (
    Spot,
    Tie,
    change_lines,
    is_current,
    line_numbers_by_words,
    normalised_words,
    reset_line,
    restore_line,
    rewrite_line,
)
from memdesk.engine.workspace import line_facts
from memdesk.engine.workspace.disk import (
    AGENT,
    as_written,
    document_and_workspace,
    on_disk,
    one_writer,
    path_of,
    version_edit,
)
from memdesk.engine.workspace.layouts import holds_facts
from memdesk.engine.workspace.statements import voice_of
from memdesk.engine.workspace.writing import ROUNDS, current, undone_on_failure
from memdesk.files.atomic import write_over
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain, text_format_of
from memdesk.model.change import Applied, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document
from memdesk.model.entity import RELATION, Relation
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.message import message
from memdesk.store import document_versions, records, run_context
from memdesk.store.connection import Connection


@dataclass(frozen=True, slots=True)
class StateAfter:
    """Edits of a change applied to the stored records. facts: the facts that the edits create or change, as
    they will be."""

    db: Connection
    edits: Sequence[Edit]
    facts: dict[str, Fact] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for edit in self.edits:
            if edit.kind != FACT.name or edit.after is None:
                continue
            if edit.before is None:
                self.facts[edit.id] = Fact(**(FACT.defaults | edit.after))
            else:
                known = self.facts.get(edit.id) or records.need(self.db, FACT, edit.id)
                self.facts[edit.id] = replace(known, **edit.after)

    def ties(self) -> list[Tie]:
        """Return the ties of these facts as they are stored now."""
        return line_links.ties_of_facts(self.db, list(self.facts))

    def relation(self, tie: Tie) -> Relation:
        """Return a tie's relation as it will be."""
        now = tie.relation
        for edit in self.edits:
            if edit.kind == RELATION.name and edit.id == now.id and edit.after is not None:
                now = replace(now, **edit.after)
        return now

    def heir(self, fact: Fact) -> Fact | None:
        """Return the fact that supersedes this one; None where there is none that may take over its lines."""
        id = fact.superseded_by
        heir: Fact | None = None if id is None else self.facts.get(id) or records.get(self.db, FACT, id)
        if heir is None or not is_current(heir) or heir.promoted_from is not None:
            return None
        forgotten = any(each.spot.gone for each in line_links.ties_of_facts(self.db, [heir.id]))
        return None if forgotten else heir

    def lines_of(self, fact: Fact) -> Iterator[tuple[str, Spot]]:
        """Yield (document id, line) of a fact's own lines: those it keeps and those the change creates."""
        for each in line_links.ties_of_facts(self.db, [fact.id]):
            if self.relation(each).retired_at is None:
                yield each.relation.target_id, each.spot
        yield from ((document, spot) for id, document, spot in self._created_ties() if id == fact.id)

    def words_of_others(self, tie: Tie) -> set[str]:
        """Return the normalised words of the lines in a tie's file from which other, current facts are read."""
        told = {
            each.spot.said
            for each in line_links.ties_in_file(self.db, tie.relation.target_id)
            if each.fact.id != tie.fact.id
            and each.holds
            and is_current(self.facts.get(each.fact.id, each.fact))
        }
        return told | {
            spot.said for _, document, spot in self._created_ties() if document == tie.relation.target_id
        }

    def _created_ties(self) -> Iterator[tuple[str, str, Spot]]:
        """Yield (fact id, document id, line) of the ties that the edits create."""
        for edit in self.edits:
            if (spot := line_links.new_tie_spot(edit)) is not None and edit.after is not None:
                yield edit.after["source_id"], edit.after["target_id"], spot


T = TypeVar("T")


def decide(
    engine: Engine, verb: Verb[T], about: Collection[str], *, forgotten: Collection[str] = ()
) -> tuple[Applied | None, T]:
    """Carry a verb out as the store's `decide` does, with the lines of the facts among `about` in the same
    change.

    forgotten: facts that are kept while their lines are removed. In a rehearsal, files are taken as last
    recorded. A file that cannot be read, or written as text, is left as it is. Raises the verb's errors,
    StorageFailed, and Conflict where another program keeps writing to a file; nothing is changed then."""
    if not about:
        return engine.store.decide(verb)
    for _ in range(ROUNDS):
        with engine.store.reading() as db:
            files = {
                each.relation.target_id for each in line_links.ties_of_facts(db, list(about)) if each.follows
            }
        if not files:
            return engine.store.decide(verb)
        try:
            return _decide(engine, verb, files, forgotten)
        except _ConcurrentWrite:
            continue
    raise Conflict(message("A file that this is read from is written all the time by another program."))


class _ConcurrentWrite(Conflict):
    """Conflict: another program wrote to the file at the same moment."""


def _decide(
    engine: Engine, verb: Verb[T], files: Collection[str], forgotten: Collection[str]
) -> tuple[Applied | None, T]:
    with one_writer:
        seen = frozenset(each for each in files if _is_writable(engine, each))
        lines = _Lines(engine=engine, files=seen, forgotten=frozenset(forgotten))
        applied, answer = engine.store.decide(lambda db: lines.with_verb(db, verb))
        if applied is not None and lines.texts:
            with undone_on_failure(engine, applied.id, lines.author):
                lines.write()
    return applied, answer


def _is_writable(engine: Engine, document_id: str) -> bool:
    """Return True if a file can be written to; an outside edit is recorded first."""
    try:
        document, workspace = document_and_workspace(engine, document_id)
        look = on_disk if run_context.is_rehearsal() else current
        return document.retired_at is None and not look(engine, document, workspace).mended
    except (NotFound, Refused):
        return False


@dataclass(slots=True, kw_only=True)
class _Lines:
    """Lines that one change affects.

    files: documents just checked on the disk. texts: their new texts by document id. passed: lines that now
    state another fact's claim, with the tie they had."""

    engine: Engine
    files: frozenset[str]
    forgotten: frozenset[str]
    author: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    passed: list[tuple[Tie, Fact, Spot]] = field(default_factory=list)

    def with_verb(self, db: Connection, verb: Verb[T]) -> tuple[Change | None, T]:
        """Return the verb's change with the edits of its facts' lines, and its answer, on the writer's connection."""
        change, answer = verb(db)
        if change is not None:
            self.author = change.author
            change = replace(change, edits=(*change.edits, *self._edits(StateAfter(db, change.edits))))
        return change, answer

    def write(self) -> None:
        """Write the new texts to the disk, all or none."""
        done = []
        try:
            for id, text in self.texts.items():
                document, workspace = document_and_workspace(self.engine, id)
                file, path = on_disk(self.engine, document, workspace), path_of(document, workspace)
                manner = as_written(self.engine, file, text, path, author=self.author)
                data, stands = manner.exact(text), file.manner.exact(file.text)
                if write_over(path, data, stands) is not None:
                    raise _ConcurrentWrite(
                        message("{path} was written in that very moment.", path=document.path)
                    )
                done.append((path, data, stands))
        except (Conflict, StorageFailed):
            for path, data, stands in reversed(done):
                write_over(path, stands, data)
            raise

    def _edits(self, left: StateAfter) -> Iterator[Edit]:
        found = [each for each in left.ties() if self._may_write(left.db, each)]
        spots = [self._spot(left, each) for each in found]
        for id, text in self.texts.items():
            yield version_edit(left.db, records.need(left.db, DOCUMENT, id), text, self.engine.clock())
        for tie, spot in zip(found, spots, strict=True):
            now = spot if self._leaves(left.facts[tie.fact.id]) else self._written(tie, spot)
            relation = left.relation(tie)
            if relation.source_id == tie.fact.id and now != tie.spot:
                yield tie.at(now)
            elif relation.source_id != tie.fact.id and (now != tie.spot or not tie.holds):
                yield self._handed_over(tie)
        for tie, heir, spot in self.passed:
            if left.relation(tie).source_id == tie.fact.id:
                yield from self._inherited(left.db, tie, heir, spot)

    def _handed_over(self, tie: Tie) -> Edit:
        """Return the edit for a tie that passed to the fact kept by a merge: the tie gets the line, or ends."""
        spot = next((spot for each, _, spot in self.passed if each.relation.id == tie.relation.id), None)
        return tie.cut(self.engine.clock()) if spot is None else tie.at(self._written(tie, spot))

    def _inherited(self, db: Connection, tie: Tie, heir: Fact, spot: Spot) -> Iterator[Edit]:
        draft = Draft.of(self.engine, db, heir, heir.channel)
        line_links.tie(
            draft,
            heir.id,
            tie.relation.target_id,
            self._written(tie, spot),
            confidence=tie.relation.confidence,
        )
        yield from draft.edits

    def _leaves(self, fact: Fact) -> bool:
        return not is_current(fact) or fact.id in self.forgotten

    def _may_write(self, db: Connection, tie: Tie) -> bool:
        """Return True if the file of this line is to change with the fact.

        An agent writes neither into another agent's files nor over a fact that a person pinned or wrote."""
        if not tie.follows or tie.relation.target_id not in self.files:
            return False
        if not self.author.startswith(AGENT):
            return True
        document = records.need(db, DOCUMENT, tie.relation.target_id)
        own = self.author.removeprefix(AGENT).casefold()
        mine = (document.agent_id or own).casefold() == own
        return mine and not shielded(db, [tie.fact.id], self.author)

    def _spot(self, left: StateAfter, tie: Tie) -> Spot:
        """Change the file's text so that it has the line only while the fact is current, with the fact's
        claim; return the tie's line."""
        document: Document = records.need(left.db, DOCUMENT, tie.relation.target_id)
        was = document_versions.text_of(left.db, document.content_hash)
        current = plain(self.texts.get(document.id, was))
        fact, spot = left.facts[tie.fact.id], tie.spot
        leaves, stands, others = (
            self._leaves(fact),
            line_numbers_by_words(current).get(spot.said),
            left.words_of_others(tie),
        )
        if stands and spot.said in others:
            return spot
        line = rewrite_line(
            lines_of(current)[stands[0] - 1] if stands else spot.line, tie.fact.claim, fact.claim
        )
        if not stands and not leaves and not is_current(tie.fact) and spot.version:
            version = document_versions.text_of(left.db, spot.version)
            current = restore_line(current, version, spot.number, line)
            spot = replace(spot, line=line, gone=False)
        elif stands and leaves:
            heirs = self._heirs_line(left, document, current, tie, line)
            words = self._saying(left.db, document, current, tie) - others
            current = change_lines(
                current, words, lambda each: heirs if normalised_words(each) == tie.spot.said else None
            )
            number = line_numbers_by_words(was).get(spot.said, stands)[0]
            spot = replace(spot, line=line, version=document.content_hash, number=number)
        elif fact.claim != tie.fact.claim and (stands or leaves or spot.gone):
            tail = self._tail(left.db, document, current, stands[0]) - others if stands else frozenset()
            line = reset_line(spot.line, fact.claim) if tail else line
            current = change_lines(
                current,
                tail | {spot.said},
                lambda each: (
                    None
                    if each and normalised_words(each) in tail
                    else reset_line(each, fact.claim)
                    if tail
                    else rewrite_line(each, tie.fact.claim, fact.claim)
                ),
            )
            spot = replace(spot, line=line)
        if current != plain(self.texts.get(document.id, was)):
            self.texts[document.id] = text_format_of(was, encoding="utf-8", bom=b"").with_manner(was, current)
        return replace(spot, gone=spot.gone or fact.id in self.forgotten)

    def _heirs_line(self, left: StateAfter, document: Document, text: str, tie: Tie, line: str) -> str | None:
        """Return the line with the claim of the fact that supersedes this one; None where there is none or it
        has a line already."""
        fact = left.facts[tie.fact.id]
        heir = left.heir(fact)
        if heir is None or self._has_line(left, heir, document):
            return None
        now = rewrite_line(line, fact.claim, heir.claim)
        if normalised_words(now) in line_numbers_by_words(text) and normalised_words(now) != tie.spot.said:
            return None
        self.passed.append((tie, heir, Spot(version="", number=0, line=now)))
        return now

    def _has_line(self, left: StateAfter, heir: Fact, document: Document) -> bool:
        """Return True if a fact already has a line in the workspace of a document."""
        own = [*left.lines_of(heir)]
        own += [(tie.relation.target_id, spot) for tie, each, spot in self.passed if each.id == heir.id]
        for id, spot in own:
            other: Document = records.need(left.db, DOCUMENT, id)
            if other.workspace_id == document.workspace_id and other.retired_at is None:
                text = (
                    self.texts[id]
                    if id in self.texts
                    else document_versions.text_of(left.db, other.content_hash)
                )
                if spot.said in line_numbers_by_words(text):
                    return True
        return False

    def _written(self, tie: Tie, spot: Spot) -> Spot:
        """Return the spot of a line in the text that was just made."""
        text = self.texts.get(tie.relation.target_id)
        numbers = line_numbers_by_words(text or "").get(spot.said)
        if text is None or not numbers:
            return spot
        return replace(spot, version=document_versions.hash_of(text), number=numbers[0])

    def _tail(self, db: Connection, document: Document, text: str, number: int) -> frozenset[str]:
        """Return the normalised words of the lines in which the statement of a line goes on."""
        workspace = records.need(db, WORKSPACE, document.workspace_id)
        voice = voice_of(self.engine, document.path, document.agent_id, workspace.layout)
        lines = lines_of(text)
        return frozenset(normalised_words(lines[n - 1]) for n in line_facts.tail_of(lines, number, voice))

    def _saying(self, db: Connection, document: Document, text: str, tie: Tie) -> frozenset[str]:
        """Return the normalised words of all lines that state this fact, in any wording."""
        words = {tie.spot.said}
        workspace = records.need(db, WORKSPACE, document.workspace_id)
        if holds_facts(document.path, workspace.layout):
            lines = lines_of(text)
            voice = voice_of(self.engine, document.path, document.agent_id, workspace.layout)
            claims = line_facts.lines_by_claim(lines, voice)
            words |= {
                normalised_words(lines[number - 1]) for number in claims.get(claim_hash(tie.fact.claim), ())
            }
        return frozenset(words)
