"""Acts on a set of memories in words: the set is found and the act previewed. `curation.bulk` carries it out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdesk.engine.browsing import tables
from memdesk.engine.browsing.act_words import Deed, Reading, Surroundings, read_act
from memdesk.engine.engine import Engine
from memdesk.engine.memory.bulk import preview_bulk
from memdesk.engine.memory.tags import list_tags
from memdesk.model.curation import BULK_AT_MOST, WORDS_AT_MOST, ActReading, Bulk, ListTags, ReadAct
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.instant import to_datetime
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, TABLED
from memdesk.model.message import Message, message
from memdesk.model.timeline import AskTable
from memdesk.store import browsing, search

EXAMPLES = "“all facts about the old flat → past”, “everything from Forge since Tuesday → quarantine”"
STATES = {"restore": "retired", "unpin": "pinned"}
"""State of the memories that an act is for, where it is not the current ones."""
_ACTS = {
    "past": message("Mark as past"),
    "retire": message("Retire"),
    "quarantine": message("Quarantine"),
    "restore": message("Restore"),
    "pin": message("Pin"),
    "unpin": message("Unpin"),
    "promote": message("Promote to _global"),
}


_NEXT = message(
    "Acts are: past, retire, quarantine, restore, pin, unpin, promote, to a channel, tag a word. Examples: {examples}.",
    examples=EXAMPLES,
)


def read(engine: Engine, ask: ReadAct, *, author: str) -> ActReading:
    """Return an act in words as it was understood, with its effect on each memory. Nothing is written.

    Where a word was not understood, or the set is empty or too large, why_not has the reason and nothing is offered.
    Raises BadAsk for a text that is too long."""
    if len(ask.text) > WORDS_AT_MOST:
        raise BadAsk(message("An act in words has at most {count} characters.", count=WORDS_AT_MOST))
    with engine.store.reading() as db:
        around = Surroundings(
            now=to_datetime(engine.clock()).astimezone(),
            channels=search.channels_of(db, ask.user_id),
            agents=browsing.agents(db),
            looked_at_channels=ask.channels,
            looked_at_agents=ask.agents,
        )
    around = replace(
        around, tags=[each.tag for each in list_tags(engine, ListTags(user_id=ask.user_id)).rows]
    )
    words = read_act(ask.text, around)
    kinds = _kinds(words)
    found = ActReading(
        understood=_understood(words, kinds, ask),
        unknown=tuple(words.unknown),
        queries=tuple(_query(words, kind, ask) for kind in kinds),
    )
    if words.unknown or not words.deed.verb or not kinds:
        return replace(found, why_not=_why_not(words), next=_NEXT)
    return _previewed(engine, found, words.deed, author)


def _kinds(words: Reading) -> list[Kind[Any]]:
    """Return the kinds of memory in the set that the act is for."""
    verb = words.deed.verb
    asked = [BY_NAME[name] for name in words.kinds] or list(TABLED)
    if words.set.confidence_below is not None or words.set.categories or words.set.sources:
        asked = [FACT]
    return [kind for kind in asked if not verb or verb in (*kind.acts, *_also(kind))]


def _also(kind: Kind[Any]) -> tuple[str, ...]:
    """Return the acts on many that have no button for one memory."""
    return ("past", "unpin") if kind is FACT else ("unpin",) if "pin" in kind.acts else ()


def _query(words: Reading, kind: Kind[Any], ask: ReadAct) -> AskTable:
    state = words.set.state if words.set.state != "current" else STATES.get(words.deed.verb, "current")
    return replace(
        words.set,
        kind=kind.name,
        user_id=ask.user_id,
        channels=words.set.channels or ask.channels,
        agents=words.set.agents or ask.agents,
        state=state if state in kind.states else "current",
    )


def _understood(words: Reading, kinds: list[Kind[Any]], ask: ReadAct) -> tuple[Message, ...]:
    """Return the parts of the act in words: what is done, to which kinds, and what narrows the set."""
    deed = words.deed
    match deed.verb:
        case "":
            act = []
        case "move":
            act = [message("Move to {channel}", channel=deed.channel)]
        case "tag":
            act = [message("Tag {tags}", tags=[f"#{tag}" for tag in deed.tags])]
        case verb:
            act = [_ACTS[verb]]
    named = [message("{kinds}", kinds=[kind.plural for kind in kinds])] if kinds else []
    looked_at = []
    if ask.channels and not words.set.channels:
        looked_at.append(message("in {channels}", channels=list(ask.channels)))
    if ask.agents and not words.set.agents:
        looked_at.append(message("from {agents}", agents=list(ask.agents)))
    return (*act, *named, *words.parts, *looked_at)


def _why_not(words: Reading) -> Message:
    if words.unknown:
        return message("Not understood: {words}.", words=[f"“{each}”" for each in words.unknown])
    if not words.deed.verb:
        return message("No act is named.")
    return message("This cannot be done with such memories.")


def _previewed(engine: Engine, found: ActReading, deed: Deed, author: str) -> ActReading:
    """Return the reading with the memories of its set and what the act would do to each."""
    pages = [tables.table(engine, replace(query, limit=BULK_AT_MOST)) for query in found.queries]
    total, ids = sum(page.total for page in pages), tuple(row.id for page in pages for row in page.rows)
    found = replace(found, total=total)
    if not total:
        return replace(
            found,
            why_not=message("No memory is in this set."),
            next=message("Try fewer conditions, or other words."),
        )
    if total > BULK_AT_MOST:
        return replace(
            found,
            why_not=message(
                "{total} memories are in this set; at most {most} can be changed at once.",
                total=f"{total:,}",
                most=f"{BULK_AT_MOST:,}",
            ),
            next=message("Narrow it by a channel, an agent, a time or more words."),
        )
    act = Bulk(verb=deed.verb, ids=ids, channel=deed.channel or None, tags=deed.tags)
    seen = preview_bulk(engine, act, author=author)
    if not seen.will:
        return replace(
            found, rows=seen.rows, why_not=message("All of them are so already, or cannot be changed.")
        )
    return replace(found, act=act, will=seen.will, rows=seen.rows)
