"""Update of facts after their lines in a file changed.

An edited line replaces its fact by the one it states now. A removed line retires its fact, and restores it
when it comes back. A fact that has another source stays, and so does one that a person pinned or wrote,
unless a person edits the line; a fact that stays loses only its tie to the line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.findings import FoundFact
from memdesk.engine.memory import line_links
from memdesk.engine.memory.draft import PERSON, Draft, protected, shielded
from memdesk.engine.memory.line_links import Spot, Tie, line_numbers_by_words, normalised_words
from memdesk.engine.workspace.line_facts import LineContent, Step, TextChange, draft_line_facts, read_lines
from memdesk.engine.workspace.page import (
    CODE,
    COMMENT,
    FRONT_MATTER,
    HEADING,
    OPEN_TASK,
    QUESTION,
    TABLE_HEAD,
    TABLE_RULE,
)
from memdesk.engine.workspace.statements import voice_of
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain
from memdesk.model.change import Change, Edit
from memdesk.model.document import Document, Workspace
from memdesk.model.entity import RELATION
from memdesk.model.fact import FACT, IMPORTED, Fact, claim_hash
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.model.trust import of_lines
from memdesk.store import document_versions, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import decided_by_people
from memdesk.store.proposing import answered_among

_NEVER_READ = frozenset((HEADING, CODE, COMMENT, OPEN_TASK, QUESTION, TABLE_HEAD, TABLE_RULE, FRONT_MATTER))
"""Reasons of lines that no rules ever read as facts."""


def apply_all_but_last(
    engine: Engine,
    document: Document,
    found: TextChange,
    *,
    author: str,
    title: Message,
    apart: Sequence[Edit] = (),
) -> str | None:
    """Carry out all groups of steps but the last; return the run they belong to, None where one change is
    enough.

    apart: edits of the last change, which handle their own facts."""
    run = new_id("run", engine.clock()) if len(found.steps) > 1 else None
    apply_groups(engine, document, found, found.steps[:-1], author=author, title=title, run=run, apart=apart)
    return run


def apply_groups(
    engine: Engine,
    document: Document,
    found: TextChange,
    groups: Sequence[tuple[Step, ...]],
    *,
    author: str,
    title: Message,
    run: str | None,
    apart: Sequence[Edit] = (),
) -> None:
    """Carry out these groups of steps, each as a separate change in the run."""
    for group in groups:

        def verb(db: Connection, group: tuple[Step, ...] = group) -> tuple[Change | None, None]:
            draft = draft_for(engine, db, document, author)
            FactUpdates(
                draft=draft, text_change=found, document_id=document.id, author=author, apart=apart
            ).take(group)
            change = draft.change("update", title, author=author, run=run)
            return (change if draft.edits else None), None

        engine.store.decide(verb)


def last_group_edits(
    engine: Engine,
    db: Connection,
    document: Document,
    found: TextChange,
    *,
    author: str,
    apart: Sequence[Edit] = (),
) -> tuple[Edit, ...]:
    """Return the edits of the last group, for the change that records the file. Call it on the writer's connection."""
    if not found.steps:
        return ()
    draft = draft_for(engine, db, document, author)
    following = FactUpdates(
        draft=draft, text_change=found, document_id=document.id, author=author, apart=apart
    )
    following.take(found.steps[-1])
    return tuple(draft.edits)


def draft_for(engine: Engine, db: Connection, document: Document, author: str = "") -> Draft:
    """Return a draft for records read from a file, with the file's user, channel and agent.

    author: who wrote the lines; a person's are trusted."""
    return Draft.of(engine, db, document, document.channel, door=of_lines(author))


def source_of(author: str) -> str:
    """Return the source of facts in lines that this author wrote: person, explicit (an agent), or import for others."""
    if author.startswith(PERSON):
        return "person"
    return "explicit" if author.startswith("agent:") else IMPORTED


def outdated(
    engine: Engine, db: Connection, document: Document, workspace: Workspace
) -> list[tuple[Tie, int]]:
    """Return the facts that an import read from lines of a file which state them no more by the present rules, each
    with its tie and the number of its line.

    Left out are facts that have another source, that a person pinned, decided about or was asked about, and lines that
    one took in: older desks have no mark of it, but a fact in a heading or in code was always chosen."""
    text = document_versions.text_of(db, document.content_hash)
    lines, here = lines_of(plain(text)), line_numbers_by_words(text)
    found = [
        (each, here[each.spot.said])
        for each in line_links.ties_in_file(db, document.id)
        if each.holds and each.spot.said in here and each.fact.source == IMPORTED and not each.spot.chosen
    ]
    voice = voice_of(engine, document.path, document.agent_id, workspace.layout)
    told = read_lines(lines, [number for _, numbers in found for number in numbers], voice)
    found = [
        (each, numbers) for each, numbers in found if not _NEVER_READ & {told.reasons.get(n) for n in numbers}
    ]
    claims = {number: {claim_hash(fact.claim) for fact in line.facts} for number, line in told.lines.items()}
    gone = [
        (each, numbers[0])
        for each, numbers in found
        if not any(claim_hash(each.fact.claim) in claims.get(number, ()) for number in numbers)
    ]
    ids = [each.fact.id for each, _ in gone]
    answered = answered_among(db, ids)
    decided = decided_by_people(db, [question for asked in answered.values() for question in asked])
    kept = protected(db, ids) | {id for id, asked in answered.items() if decided.intersection(asked)}
    kept |= {each.fact.id for each, _ in gone if each.fact.source_turn_id is not None}
    ties = Counter(each.fact.id for each in line_links.ties_of_facts(db, ids) if not each.spot.gone)
    return [(each, number) for each, number in gone if each.fact.id not in kept and ties[each.fact.id] == 1]


def read_again(
    engine: Engine,
    db: Connection,
    document: Document,
    workspace: Workspace,
    found: Collection[str],
    *,
    author: str,
    run: str,
) -> tuple[Change | None, int]:
    """Return the change that puts what their lines state now in the place of these facts, or retires them, and how
    many they are. found: ids of outdated facts. The ties stay, so that the lines are not read as new ones."""
    due = [(tie, number) for tie, number in outdated(engine, db, document, workspace) if tie.fact.id in found]
    if not due:
        return None, 0
    draft = draft_for(engine, db, document)
    lines = lines_of(plain(document_versions.text_of(db, document.content_hash)))
    voice = voice_of(engine, document.path, document.agent_id, workspace.layout)
    told = read_lines(lines, [number for _, number in due], voice)
    for tie, number in due:
        content = told.lines.get(number, LineContent())
        spot = replace(tie.spot, number=number, headings=content.headings)
        ids = draft_line_facts(draft, told, spot, document_id=document.id, source=IMPORTED)
        if ids:
            draft.supersede(tie.fact, ids[0])
        else:
            draft.edits.append(records.update_edit(FACT, tie.fact, retired_at=draft.at))
    title = message("Read again: {path}", path=document.path)
    change = draft.change("update", title, author=author, run=run)
    return change, len(due)


@dataclass(slots=True, kw_only=True)
class FactUpdates:
    """Drafter of the changes to facts that moved lines cause.

    source: the source of new facts; by default from the author. apart: edits of the same change, which handle
    their own facts. seen_to: ids of facts and ties that are handled elsewhere."""

    draft: Draft
    text_change: TextChange
    document_id: str
    author: str
    source: str = ""
    apart: Sequence[Edit] = ()
    seen_to: Collection[str] = ()
    _tied: dict[str, list[Tie]] = field(default_factory=dict)
    _done: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seen_to = {edit.id for edit in self.apart}.union(self.seen_to)
        for each in line_links.ties_in_file(self.draft.db, self.document_id):
            if not {each.fact.id, each.relation.id} & seen_to:
                self._tied.setdefault(each.spot.said, []).append(each)
        for number in self._saying(self._claims_apart()):
            self._done[number] = []

    def _claims_apart(self) -> set[str]:
        """Return the claim hashes of the facts that `apart` handles, directly or through their ties."""
        ids = [edit.id for edit in self.apart if edit.kind == FACT.name]
        tied = [edit.id for edit in self.apart if edit.kind == RELATION.name]
        ids += [each.source_id for each in records.many(self.draft.db, RELATION, "id", tied)]
        claims = {each.id: each.claim for each in records.many(self.draft.db, FACT, "id", ids)}
        for edit in self.apart:
            if edit.kind == FACT.name and edit.after and "claim" in edit.after:
                claims[edit.id] = edit.after["claim"]
        return {claim_hash(claim) for claim in claims.values()}

    def _saying(self, hashes: set[str]) -> list[int]:
        """Return the numbers of the lines that state one of these claims."""
        return [
            number
            for number, line in self.text_change.line_facts.lines.items()
            if any(claim_hash(fact.claim) in hashes for fact in line.facts)
        ]

    def take(self, steps: tuple[Step, ...] = ()) -> None:
        """Draft the changes for some steps of the text change."""
        for step in steps:
            if step.gone:
                self._gone(step.gone, step.fresh)
            if self.text_change.believes or not step.gone:
                self._believe(step.fresh)

    def _gone(self, words: str, fresh: int) -> None:
        """Draft the changes to the facts of a removed line. fresh: the number of the line in its place, 0 for none."""
        for each in self._tied.get(words, []):
            left = replace(each.spot, version=self.text_change.before, number=self.text_change.gone[words])
            if not each.holds:
                self._let_go(each)
            elif again := self._claims(each):
                self._respell(each, again)
            elif self._stays(each):
                self._cut(each)
                self._ask(each, fresh)
            elif ids := [id for id in self._believe(fresh, each.fact) if id != each.fact.id]:
                self.draft.supersede(each.fact, ids[0])
                self.draft.edits.append(each.at(left))
            elif each.fact.source_turn_id is not None:
                self._cut(each)
            else:
                self.draft.edits.append(records.update_edit(FACT, each.fact, retired_at=self.draft.at))
                self.draft.edits.append(each.at(replace(left, gone=True)))

    def _claims(self, tie: Tie) -> int:
        """Return the number of a line that states this fact's claim, 0 for none."""
        hash = claim_hash(tie.fact.claim)
        return next(iter((*self._saying({hash}), *self.text_change.claims.get(hash, ()))), 0)

    def _respell(self, tie: Tie, number: int) -> None:
        """Move the tie to a line that states the claim in other words; the fact takes its wording unless it
        is protected."""
        line = self._fact_read(tie.fact, number)
        if line is not None and line.claim != tie.fact.claim and not self._shielded(tie):
            self.draft.edits.append(records.update_edit(FACT, tie.fact, claim=line.claim, quote=line.quote))
        if any(
            each.fact.id == tie.fact.id
            for each in self._tied.get(normalised_words(self.text_change.lines[number - 1]), [])
        ):
            self._cut(tie)
        else:
            self.draft.edits.append(tie.at(self._spot(number)))
        self._done[number] = [tie.fact.id]

    def _stays(self, tie: Tie) -> bool:
        """Return True if the fact outlives its line: a person pinned or wrote it, or it is read elsewhere too."""
        others = (
            each for each in line_links.ties_of_facts(self.draft.db, [tie.fact.id]) if not each.spot.gone
        )
        return self._shielded(tie) or any(each.relation.id != tie.relation.id for each in others)

    def _shielded(self, tie: Tie) -> bool:
        return bool(shielded(self.draft.db, [tie.fact.id], self.author))

    def _ask(self, tie: Tie, fresh: int) -> None:
        """Propose a contradiction where the fact of an edited line is protected, so that a person decides
        which one is true."""
        for id in self._believe(fresh, tie.fact) if self._shielded(tie) else ():
            if id != tie.fact.id:
                self.draft.propose(
                    "contradiction", id, tie.fact.id, reason=message("The line it was read from was edited.")
                )

    def _believe(self, number: int, before: Fact | None = None) -> list[str]:
        """Return the ids of the facts that a line states, drafted on first use; none for line 0.

        before: the fact of the line it replaced, in whose channel it is drafted."""
        if number and number not in self._done:
            self._done[number] = (
                self._carried(number)
                or self._back(number)
                or draft_line_facts(
                    self._draft_beside(before),
                    self.text_change.line_facts,
                    self._spot(number),
                    document_id=self.document_id,
                    source=self.source or source_of(self.author),
                )
            )
        return self._done.get(number, [])

    def _draft_beside(self, fact: Fact | None) -> Draft:
        """Return this draft, or one in the channel of a fact whose edits go into the same change."""
        if fact is None or fact.channel == self.draft.channel:
            return self.draft
        return replace(self.draft, channel=fact.channel, _entities={}, _facts={})

    def _carried(self, number: int) -> list[str]:
        """Tie a line to the fact it was written from; return that fact's id, none where it has left recall
        meanwhile."""
        fact = records.get(self.draft.db, FACT, self.text_change.carried.get(number, ""))
        if fact is None or not line_links.is_current(fact):
            return []
        line_links.tie(self.draft, fact.id, self.document_id, self._spot(number), confidence=fact.confidence)
        return [fact.id]

    def _back(self, number: int) -> list[str]:
        """Restore the facts that left recall with a line that is back; return their ids."""
        returned: list[str] = []
        for each in self._tied.get(normalised_words(self.text_change.lines[number - 1]), []):
            fact = each.fact
            if not each.spot.gone or fact.superseded_by is not None:
                continue
            holder = semantic.fact_claiming(self.draft.db, fact.user_id, fact.channel, fact.claim)
            if holder is None or holder.id == fact.id:
                edit = self._remembered(fact, number) if fact.retired_at is None else {"retired_at": None}
                self.draft.edits.append(records.update_edit(FACT, fact, **edit))
                self.draft.edits.append(each.at(self._spot(number)))
                returned.append(fact.id)
        return returned

    def _remembered(self, fact: Fact, number: int) -> dict[str, Any]:
        """Return new values for a forgotten fact whose line was written again: at least as confident and
        salient as a new one."""
        line = self._fact_read(fact, number)
        return {
            "temporal": line.temporal if line else None,
            "confidence": max(fact.confidence, line.confidence if line else 0.0),
            "salience": max(fact.salience, self.draft.engine.settings.new_salience),
            "salience_at": self.draft.at,
        }

    def _fact_read(self, fact: Fact, number: int) -> FoundFact | None:
        """Return the fact read from a line that has this fact's claim; None for none."""
        facts = self.text_change.line_facts.lines.get(number, LineContent()).facts
        return next((each for each in facts if claim_hash(each.claim) == claim_hash(fact.claim)), None)

    def _spot(self, number: int) -> Spot:
        line = self.text_change.lines[number - 1]
        return Spot(
            version=self.text_change.after,
            number=number,
            line=line,
            headings=self.text_change.line_facts.lines.get(number, LineContent()).headings,
            chosen=number in self.text_change.chosen,
        )

    def _let_go(self, tie: Tie) -> None:
        """End the tie of a fact that left recall before its line.

        If no line is left in the file, the tie stays, so that the line is not read as new when the file comes
        back."""
        if any(self.text_change.lines):
            self._cut(tie)

    def _cut(self, tie: Tie) -> None:
        self.draft.edits.append(tie.cut(self.draft.at))
