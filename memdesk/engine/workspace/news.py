"""Differences between a file's new text and its last one, as steps of one line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import telling, ties
from memdesk.engine.workspace.layouts import holds_facts
from memdesk.engine.workspace.lines import Moves, moves, said, standing
from memdesk.engine.workspace.telling import Told, Voice
from memdesk.files.manner import plain
from memdesk.files.merge import lines_of
from memdesk.model.document import Document, Workspace
from memdesk.store import versions
from memdesk.store.connection import Connection

LINES_AT_ONCE = 20
"""Lines whose facts go into one change; with their entities they stay far below its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Change of one line. gone: its former words; fresh: its present number, 0 for none."""

    gone: str = ""
    fresh: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Differences between a file's new text and its last one.

    before, after: the hashes of both. believes: True if each line is read as a fact. gone: the former numbers
    of removed lines by their words. told: the facts read from the new lines. claims: line numbers by the hash
    of the claim they state, filled only where a line with a fact was removed. carried: ids of the facts that
    new lines were written from, by line number. steps: the steps to draft, one group for each change."""

    before: str
    after: str
    believes: bool = False
    gone: Mapping[str, int] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    told: Told = field(default_factory=Told)
    claims: Mapping[str, list[int]] = field(default_factory=dict)
    carried: Mapping[int, str] = field(default_factory=dict)
    steps: tuple[tuple[Step, ...], ...] = ()


def read_news(
    db: Connection, document: Document | None, text: str, *, believes: bool, voice: Voice,
    carried: Mapping[str, str] | None = None,
) -> News:  # fmt: skip
    """Return the differences between a file's new text and its last one; "" for a file that is removed.

    document: None for a file that is not on the desk yet. believes: True if each line is read as a fact; else
    only lines that a fact was learned from are followed. A file that comes back is read again, except for
    lines whose facts left recall before they did. carried: ids of facts by the lines that were written from
    them; such a line is tied to its fact and not read as another one."""
    away = document is None or document.retired_at is not None
    before = "" if document is None or away else versions.text_of(db, document.content_hash)
    found = News(before=versions.hash_of(before), after=versions.hash_of(text), believes=believes)
    tied = ties.in_file(db, document.id) if document is not None else []
    if not (tied or believes or carried) or (found.before == found.after and not away):
        return found
    held = {each.spot.said for each in tied}
    back = {each.spot.said for each in tied if each.spot.gone}
    moved = moves(before, text)
    lines = lines_of(plain(text))
    edited = {words: moved.fresh[other] for words, other in moved.became.items() if words in held}
    fresh = {number for words, number in moved.fresh.items() if not (away and words in held)}
    here = standing(text) if back else {}
    from_facts = {
        moved.fresh[words]: id for line, id in (carried or {}).items() if (words := said(line)) in moved.fresh
    }
    read = telling.read(lines, fresh if believes else edited.values(), voice)
    again = {here[each][0] for each in back & here.keys()}
    steps = _steps(moved, edited, held, read.lines.keys() | again | from_facts.keys())
    return replace(
        found,
        gone=moved.gone,
        lines=tuple(lines),
        told=read,
        claims=telling.claimed(lines, voice) if believes and any(step.gone for step in steps) else {},
        carried=from_facts,
        steps=tuple(tuple(steps[at : at + LINES_AT_ONCE]) for at in range(0, len(steps), LINES_AT_ONCE)),
    )


def news_of(
    engine: Engine,
    document: Document,
    workspace: Workspace,
    text: str,
    carried: Mapping[str, str] | None = None,
) -> News:
    """Return the news of a known file's new text. carried: as in `read_news`."""
    with engine.store.reading() as db:
        return told(engine, db, document, workspace, text, carried)


def told(
    engine: Engine, db: Connection, document: Document, workspace: Workspace, text: str,
    carried: Mapping[str, str] | None = None,
) -> News:  # fmt: skip
    """Return the same as `news_of`, on an open connection."""
    believes = holds_facts(document.path, workspace.layout)
    voice = telling.voice_of(document.path, document.agent_id, engine.person)
    return read_news(db, document, text, believes=believes, voice=voice, carried=carried)


def _steps(moved: Moves, edited: Mapping[str, int], held: set[str], telling: set[int]) -> list[Step]:
    """Return steps for removed lines first, each with the line in its place, then for lines that state facts
    or are back."""
    gone = [Step(gone=words, fresh=edited.get(words, 0)) for words in moved.gone if words in held]
    replacing = {step.fresh for step in gone}
    fresh = [Step(fresh=number) for number in sorted(telling - replacing)]
    return gone + fresh
