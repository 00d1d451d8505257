"""The MCP memory server's file: a JSON object on each line, entities first, then relations, no final newline."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.toolsets import knowledge
from memdesk.files.reading import sound
from memdesk.model.change import Change
from memdesk.model.errors import Refused
from memdesk.model.ids import new_id
from memdesk.model.tools import AskGraphFile, GraphFile, GraphTakenIn, TakeInGraph
from memdesk.store import semantic
from memdesk.store.connection import Connection

Line = dict[str, Any]
WEIGHT_AT_MOST = 400
"""Records that the lines of one change may bear together: far enough below what a change holds."""
OBSERVATIONS_AT_ONCE = 150
_TEXTS = {"entity": ("name", "entityType"), "relation": ("from", "to", "relationType")}


def write_out(engine: Engine, ask: AskGraphFile) -> GraphFile:
    """A channel's graph as the server's file."""
    with engine.store.reading() as db:
        channel = semantic.standing_channel(db, ask.user_id, ask.channel)
        graph = knowledge.whole(db, ask.user_id, channel)
    told = graph.spoken(graph.nodes.values(), touching=False, whole=True)
    entities = ({"type": "entity", **each} for each in told["entities"])
    relations = ({"type": "relation", **each} for each in told["relations"])
    text = "\n".join(map(_dumped, (*entities, *relations)))
    return GraphFile(text=text, entities=len(told["entities"]), relations=len(told["relations"]))


def take_in(engine: Engine, ask: TakeInGraph, *, author: str) -> GraphTakenIn:
    """Bring a server's file into a channel, in one run. What is there already is not brought twice.

    Raises Refused, naming the line, when one is not of the format; nothing is changed then.
    """
    lines = _parsed(ask.text)
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)
    run = new_id("run", engine.clock())
    counts = {"entities": 0, "observations": 0, "relations": 0}
    for batch in _batches(lines):
        for name, count in _brought(engine, ask, batch, channel, author, run).items():
            counts[name] += count
    return GraphTakenIn(run=run, **counts)


def _brought(
    engine: Engine, ask: TakeInGraph, batch: Sequence[Line], channel: str, author: str, run: str
) -> dict[str, int]:
    """Bring some lines in, in one change; returns how much of it was new."""

    def verb(db: Connection) -> tuple[Change | None, dict[str, int]]:
        draft = Draft(
            engine=engine,
            db=db,
            user_id=ask.user_id,
            channel=channel,
            agent_id=ask.agent_id,
            at=engine.clock(),
        )
        counts = {"entities": 0, "observations": 0, "relations": 0}
        for line in batch:
            if line["type"] == "relation":
                ends = line["from"], line["to"]
                counts["relations"] += knowledge.relate(draft, *ends, line["relationType"], _beside(line))
                continue
            id, name, new = knowledge.introduce(draft, line["name"], line["entityType"], _beside(line))
            counts["entities"] += new
            counts["observations"] += sum(knowledge.observe(draft, id, name, o) for o in line["observations"])
        if not draft.edits:
            return None, counts
        title = f"Imported a knowledge graph: {len(batch)} lines"
        change = Change(
            op="import", title=title, author=author, edits=tuple(draft.edits), channel=channel, user_id=ask.user_id,
            run=run,
        )  # fmt: skip
        return change, counts

    return engine.store.decide(verb)[1]


def _parsed(text: str) -> list[Line]:
    """The lines of a file. Raises Refused for one that is not of the format."""
    return [
        _line(number, line)
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1)
        if line.strip()
    ]


def _line(number: int, text: str) -> Line:
    try:
        line: Line = json.loads(text)
    except (ValueError, RecursionError):
        raise _refused(number, "is not JSON, or is torn") from None
    kind = line.get("type") if isinstance(line, dict) else None
    if kind not in _TEXTS:
        raise _refused(number, "is neither an entity nor a relation")
    for name in _TEXTS[kind]:
        if not isinstance(line.get(name), str) or not line[name].strip():
            raise _refused(number, f"has no text in `{name}`")
    if kind == "entity" and not _are_texts(line.get("observations")):
        raise _refused(number, "has no list of texts in `observations`")
    if sound(told := _dumped(line)) != told or "\\u0000" in told:
        raise _refused(number, "holds a NUL or half a character")
    return line


def _beside(line: Line) -> Line:
    """The fields of a line that the graph does not know."""
    known = {"type", "observations", *_TEXTS[line["type"]]}
    return {name: value for name, value in line.items() if name not in known}


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and each.strip() for each in value)


def _refused(number: int, why: str) -> Refused:
    return Refused(f"Line {number} {why}.", next="Nothing was brought in; mend the line and try again.")


def _batches(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines in groups that fit into a change each, in order; an entity with many observations comes in parts."""
    batch: list[Line] = []
    weight = 0
    for line in chain.from_iterable(map(_parts, lines)):
        heavy = 3 if line["type"] == "relation" else 1 + 2 * len(line["observations"])
        if batch and weight + heavy > WEIGHT_AT_MOST:
            yield batch
            batch, weight = [], 0
        batch.append(line)
        weight += heavy
    if batch:
        yield batch


def _parts(line: Line) -> Iterator[Line]:
    said = line.get("observations", [])
    if len(said) <= OBSERVATIONS_AT_ONCE:
        yield line
        return
    for start in range(0, len(said), OBSERVATIONS_AT_ONCE):
        yield {**line, "observations": said[start : start + OBSERVATIONS_AT_ONCE]}


def _dumped(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))
