"""Learning of a fact from a line of any file; from then on a change of either updates the other."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.found import FoundFact
from memdesk.engine.memory.draft import CLAIM_CHARACTERS
from memdesk.engine.wording import shortened, tidied
from memdesk.engine.workspace import files, telling, ties
from memdesk.engine.workspace.disk import one_writer, placed
from memdesk.engine.workspace.facts_follow import draft_for, source_of
from memdesk.engine.workspace.lines import said, standing
from memdesk.engine.workspace.telling import Line, Told, believe
from memdesk.engine.workspace.ties import Spot
from memdesk.engine.workspace.writing import current
from memdesk.files.manner import plain
from memdesk.files.merge import lines_of
from memdesk.model.change import Change
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import CERTAINTY
from memdesk.model.workspace import LearnLine, LineLearned
from memdesk.store import records, versions
from memdesk.store.connection import Connection


def learn_line(engine: Engine, ask: LearnLine, *, author: str) -> LineLearned:
    """Learn the fact that a line states, in its own words or in those of `claim`. A known fact is tied to the
    line.

    Raises NotFound, Refused for a file that is no text, BadAsk for a line without a word, Conflict when the
    line is no longer there."""
    with one_writer:
        document, workspace = placed(engine, ask.document_id or _document_id(engine, Path(ask.file)))
        file = current(engine, document, workspace)
        lines = lines_of(plain(file.text))
        number = _number(lines, ask)
        voice = telling.voice_of(document.path, document.agent_id, engine.person)
        told = _told(telling.read(lines, [number], voice), number, lines[number - 1], ask)
        spot = Spot(
            version=versions.hash_of(file.text), number=number, line=lines[number - 1],
        )  # fmt: skip

        def verb(db: Connection) -> tuple[Change | None, tuple[str, str]]:
            now: Document = records.need(db, DOCUMENT, document.id)
            draft = draft_for(engine, db, now)
            for each in ties.in_file(db, now.id):
                if each.spot.gone and each.spot.said == spot.said:
                    draft.edits.append(each.cut(draft.at))
            (id,) = believe(draft, told, spot, document_id=now.id, source=source_of(author))
            claim = told.facts[0].claim
            change = Change(
                op="learn", title=shortened(claim, 120), author=author, edits=tuple(draft.edits), channel=draft.channel,
                user_id=draft.user_id, details={"path": now.path, "line": number},
            )  # fmt: skip
            return (change if draft.edits else None), (id, claim)

        applied, (id, claim) = engine.store.decide(verb)
    return LineLearned(fact_id=id, claim=claim, line=number, change=None if applied is None else applied.id)


def _document_id(engine: Engine, path: Path) -> str:
    """Return the document id of a file; a file that only the disk has is taken in first. Raises NotFound."""
    with engine.store.reading() as db:
        found: list[Workspace] = records.find(db, WORKSPACE, retired_at=None)
    homes = sorted(
        (each for each in found if path.is_relative_to(each.path)), key=lambda each: -len(each.path)
    )
    for each in homes:
        known = files.read(engine, each, path.relative_to(each.path).as_posix())
        if known is not None:
            return known[0].id
    raise NotFound(f"{path} is in no workspace of this desk.", next="Import its folder first.")


def _number(lines: list[str], ask: LearnLine) -> int:
    """Return the number of the requested line: where it was seen, else the nearest with the same words."""
    words = said(ask.text) if ask.text else said(lines[ask.line - 1]) if 0 < ask.line <= len(lines) else ""
    if not words and (ask.text or 0 < ask.line <= len(lines)):
        raise BadAsk("That line says nothing.", next="Name a line with words in it.")
    numbers = standing("\n".join(lines)).get(words)
    if not numbers:
        raise Conflict("That line is no longer in the file.", next="Read the file again.")
    return min(numbers, key=lambda number: abs(number - ask.line))


def _told(told: Told, number: int, line: str, ask: LearnLine) -> Told:
    """Return the line's content as one fact: in the requested words, else in its own."""
    known = told.lines.get(number, Line())
    read = known.facts[0] if known.facts else None
    claim = tidied(ask.claim or (read.claim if read else said(line)), "A claim", CLAIM_CHARACTERS)
    fact = FoundFact(
        claim=claim,
        category=ask.category or (read.category if read else "fact"),
        certainty="explicit",
        confidence=CERTAINTY["explicit"],
        temporal=read.temporal if read else None,
        about=read.about if read else (),
        utterance_id=str(number),
        quote=read.quote if read else line.strip(),
    )
    return Told(lines={number: Line(facts=[fact], relations=known.relations)}, entities=told.entities)
