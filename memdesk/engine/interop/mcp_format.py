"""Import and export of the MCP memory server's file: a channel's graph, or those of all channels merged."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.interop import mcp_dialects
from memdesk.engine.interop.batches import GraphLines, Source, grouped
from memdesk.engine.interop.exporting import ExportSelection, current_records
from memdesk.engine.interop.reading import NOT_JSON, Peek
from memdesk.engine.interop.reading import parsed as parsed_json
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import NAME_CHARACTERS, Draft
from memdesk.engine.memory.quarantine import read_ahead
from memdesk.engine.toolsets import knowledge
from memdesk.engine.workspace.placing import ImportContext
from memdesk.files.reading import Left, without_unstorable
from memdesk.model.change import Change
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.interop import ExportFormat
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message, verbatim
from memdesk.model.tools import AskGraphFile, GraphFile, GraphTakenIn, TakeInGraph
from memdesk.model.trust import AGENT, IMPORT, Door, door
from memdesk.store import archiving, semantic
from memdesk.store.connection import Connection

Line = dict[str, Any]
WEIGHT_AT_MOST, OBSERVATION, OBSERVATIONS_AT_ONCE = 40, 4, 9
"""Milliseconds for which the lines of one change keep other writers waiting; those that an observation takes, which is
compared with what is believed; and most observations of an entity in one change. Another line takes one."""
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""NUL as JSON escapes it; after another backslash it is only the text of the escape."""
_TEXTS = {"entity": ("name", "entityType"), "relation": ("from", "to", "relationType")}


def write_out(engine: Engine, ask: AskGraphFile) -> GraphFile:
    """Return a channel's graph in the server's file format."""
    with engine.store.reading() as db:
        channel = semantic.current_channel(db, ask.user_id, ask.channel)
        graph = knowledge.channel_graph(db, ask.user_id, channel)
        carried = knowledge.carried_lines(graph)
    lines = graph_lines(graph)
    text = "\n".join(filter(None, (file_text(lines), *carried)))
    return GraphFile(text=text, entities=len(lines["entities"]), relations=len(lines["relations"]))


def graph_lines(graph: knowledge.Graph) -> dict[str, list[Line]]:
    """Return the entities and relations of a graph in the file's form, without the type of each line."""
    lines: dict[str, list[Line]] = graph.spoken(graph.nodes.values(), None, touching=False, whole=True)
    return lines


def file_text(parts: Mapping[str, Sequence[Line]]) -> str:
    """Return entities and relations as the text of a file."""
    entities = ({"type": "entity", **each} for each in parts["entities"])
    relations = ({"type": "relation", **each} for each in parts["relations"])
    return "\n".join(map(_dumped, (*entities, *relations)))


def take_in(engine: Engine, ask: TakeInGraph, *, author: str) -> GraphTakenIn:
    """Import a server's file into a channel, in one run. Records already there are not added twice. Lines that are no
    part of the graph, which the server skips, are kept as they are and go out again.

    Raises Refused, naming the line, if a line does not match the format; nothing is changed in this case."""
    lines, others = parsed(ask.text)
    place = _Place(
        user_id=ask.user_id,
        channel=ensure_channel(engine, ask.user_id, ask.channel, author=author),
        agent_id=ask.agent_id,
        author=author,
        run=new_id("run", engine.clock()),
        # The file of a server that the agent had before is the agent's own memory.
        door=door(AGENT),
    )
    counts: Counter[str] = Counter()
    for batch in batches(lines):
        counts += _entered(engine, batch, place)
    counts["carried"] = engine.store.decide(partial(_carried, engine, others=others, place=place))[1]
    return GraphTakenIn(
        carried=counts["carried"],
        run=place.run,
        entities=counts["entities"],
        observations=counts["facts"],
        relations=counts["relations"],
    )


def count_new(
    engine: Engine, db: Connection, lines: GraphLines, context: ImportContext, channel: str
) -> Counter[str]:
    """Return the number of entities, facts and relations that these lines would add on this connection."""
    return _drafted(engine, db, lines.lines, _Place.of(lines, context, channel))[1]


def import_lines(engine: Engine, lines: GraphLines, context: ImportContext, channel: str) -> Counter[str]:
    """Import some lines, in one change of the import's run; return the counts of new records."""
    place = _Place.of(lines, context, ensure_channel(engine, context.user_id, channel, author=context.author))
    return _entered(engine, lines.lines, place)


def _entered(engine: Engine, batch: Sequence[Line], place: _Place) -> Counter[str]:
    for line in batch:
        for said in line.get("observations", ()):
            read_ahead(knowledge.claim_of(line["name"], said), said, by_person=False)
    return engine.store.decide(partial(_drafted, engine, batch=batch, place=place))[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Target of imported lines: user, channel and agent, with the author and the run. door: where they come from."""

    user_id: str
    channel: str
    agent_id: str | None
    author: str
    run: str
    door: Door = door(IMPORT)

    @classmethod
    def of(cls, lines: GraphLines, context: ImportContext, channel: str) -> _Place:
        agent_id = context.agent_id or lines.agent_id
        return cls(
            user_id=context.user_id,
            channel=channel,
            agent_id=agent_id,
            author=context.author,
            run=context.run,
        )


def _drafted(
    engine: Engine, db: Connection, batch: Sequence[Line], place: _Place
) -> tuple[Change | None, Counter[str]]:
    """Return the change that imports some lines, None if all are known, and the counts of new records."""
    draft = Draft.of(engine, db, place, place.channel, door=place.door)
    counts: Counter[str] = Counter()
    for line in batch:
        if line["type"] == "relation":
            ends = line["from"], line["to"]
            counts["relations"] += knowledge.relate(draft, *ends, line["relationType"], _unknown_fields(line))
            continue
        id, name, new = knowledge.introduce(draft, line["name"], line["entityType"], _unknown_fields(line))
        counts["entities"] += new
        counts["facts"] += sum(knowledge.observe(draft, id, name, o) for o in line["observations"])
    return _imported(
        draft, message("Imported a knowledge graph: {count} lines", count=len(batch)), place
    ), +counts


def _imported(draft: Draft, title: Message, place: _Place) -> Change | None:
    if not draft.edits:
        return None
    return draft.change("import", title, author=place.author, run=place.run)


def _carried(
    engine: Engine, db: Connection, others: Sequence[str], place: _Place
) -> tuple[Change | None, int]:
    """Return the change that keeps lines which are no part of the graph, and how many are new."""
    draft = Draft.of(engine, db, place, place.channel, door=place.door)
    kept = knowledge.carry(draft, others)
    return _imported(draft, message("Lines beside a knowledge graph: {kept}", kept=kept), place), kept


def parsed(text: str) -> tuple[list[Line], list[str]]:
    """Return the entities and relations of a file, and its other lines as they are. Raises Refused for a line that is
    torn, or is an entity or a relation without its fields."""
    lines, others = list[Line](), list[str]()
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        value = _line(number, line)
        if isinstance(value, dict) and value.get("type") in _TEXTS:
            lines.append(_checked(number, value))
        elif without_unstorable(line) != line:
            raise _refused(number, message("holds a NUL or half a character"))
        else:
            others.append(line)
    return lines, others


def _line(number: int, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _refused(number, message("is not JSON, or is torn")) from None


def _checked(number: int, line: Line) -> Line:
    """Return a line of the server's format. Raises Refused for any other value."""
    kind = line.get("type") if isinstance(line, dict) else None
    if not isinstance(kind, str) or kind not in _TEXTS:
        raise _refused(number, message("is neither an entity nor a relation"))
    for name in _TEXTS[kind]:
        if not isinstance(line.get(name), str) or not line[name].strip():
            raise _refused(number, message("has no text in `{name}`", name=name))
    if kind == "entity" and not _are_texts(line.get("observations")):
        raise _refused(number, message("has no list of texts in `observations`"))
    if without_unstorable(dumped := _dumped(line)) != dumped or _NUL.search(dumped):
        raise _refused(number, message("holds a NUL or half a character"))
    return line


def _unknown_fields(line: Line) -> Line:
    """Return the fields of a line that the graph does not know."""
    known = {"type", "observations", *_TEXTS[line["type"]]}
    return {name: value for name, value in line.items() if name not in known}


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _refused(number: int, why: str) -> Refused:
    return Refused(
        message("Line {count} {why}.", count=number, why=why),
        next=message("Nothing was brought in; mend the line and try again."),
    )


def batches(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield lines in groups that fit into a change each, in order; an entity with many observations is split."""
    return grouped(
        chain.from_iterable(map(_parts, lines)),
        lambda line: 1 + OBSERVATION * len(line.get("observations", ())),
        WEIGHT_AT_MOST,
    )


def _parts(line: Line) -> Iterator[Line]:
    said = line.get("observations", [])
    if len(said) <= OBSERVATIONS_AT_ONCE:
        yield line
        return
    for start in range(0, len(said), OBSERVATIONS_AT_ONCE):
        yield {**line, "observations": said[start : start + OBSERVATIONS_AT_ONCE]}


def _dumped(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def _readable(peek: Peek) -> tuple[list[Line], list[Left]]:
    """Return the lines of a file in any dialect, in the server's form, and the lines that have no such form."""
    values, torn = peek.lines
    names = mcp_dialects.names_by_id(value for _, value in values)
    lines: list[Line] = []
    left = list(torn)
    for number, value in values:
        try:
            line = _checked(number, mcp_dialects.in_server_form(value, names))
            _check_names(number, line)
            lines.append(line)
        except Refused as error:
            left.append(
                Left(name=message("{name}, line {count}", name=peek.name, count=number), why=error.says)
            )
    return lines, left


def _check_end(peek: Peek) -> None:
    """Raise Refused for a file that breaks off in a line: servers write it again each time, so that any number of
    lines may be missing after that one."""
    text = peek.file.text.rstrip()
    if parsed_json(text[text.rfind("\n") + 1 :]) is NOT_JSON:
        raise Refused(
            message(
                "{peek} is torn: its last line, {count}, breaks off.",
                peek=peek.name,
                count=text.count(chr(10)) + 1,
            ),
            next=message("Nothing was brought in; copy the file again."),
        )


def _check_names(number: int, line: Line) -> None:
    """Raise Refused for a name that is too long for the desk."""
    names = [line[name] for name in ("name", "from", "to") if name in line]
    if any(len(name) > NAME_CHARACTERS for name in names):
        raise _refused(number, message("has a name of more than {count} characters", count=NAME_CHARACTERS))


class McpLines:
    """Knowledge graph file, in parts that each fit into one change."""

    name = "mcp-memory"
    reads = message(
        "The MCP memory server's `memory.jsonl`, also in other servers' dialects: entities, observations as "
        "facts, relations"
    )

    def sniff(self, peek: Peek) -> bool:
        if peek.suffix not in (".json", ".jsonl", ".ndjson"):
            return False
        return mcp_dialects.is_graph(value for _, value in peek.lines[0][:50])

    def open(self, peek: Peek) -> Source:
        _check_end(peek)
        lines, left = _readable(peek)
        if left and not lines:
            raise Refused(
                message("{peek}: {why}", peek=peek.name, why=left[0].why),
                next=message("Nothing was brought in; mend the file."),
            )
        parts = (
            GraphLines(name="knowledge graph", file=peek.name, lines=tuple(batch)) for batch in batches(lines)
        )
        says = message("Knowledge graph of the MCP memory server")
        return Source.of(self.name, says, peek, *parts, *left)


MCP_LINES = McpLines()


class McpOut:
    """Entities with their observations, and their relations, one JSON object per line."""

    about = ExportFormat(
        name="mcp-memory",
        says=message("The MCP memory server’s file"),
        suffix=".jsonl",
        comes_back=True,
        holds=("entities", "facts", "relations"),
        leaves=message(
            "Facts become observations of the entities they are about; times, confidence and sources stay."
        ),
    )

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        channels = _channels(wanted)
        entities: dict[str, Line] = {}
        relations: dict[tuple[str, ...], Line] = {}
        for number, channel in enumerate(channels):
            wanted.progress(number, len(channels), verbatim(channel))
            graph = knowledge.channel_graph(wanted.db, wanted.user, channel)
            parts = graph_lines(_narrowed(wanted, graph) if wanted.chosen.is_narrow else graph)
            for each in parts["entities"]:
                _join(entities, each)
            for each in parts["relations"]:
                ends = each["from"].casefold(), each["relationType"], each["to"].casefold()
                relations.setdefault(ends, each)
        whole = {"entities": list(entities.values()), "relations": list(relations.values())}
        target.write_text(file_text(whole), "utf-8")
        return Counter({name: len(rows) for name, rows in whole.items()})


def _channels(wanted: ExportSelection) -> list[str]:
    one = wanted.chosen.channel
    return archiving.channels(wanted.db, wanted.user) if one is None else [one]


def _narrowed(wanted: ExportSelection, graph: knowledge.Graph) -> knowledge.Graph:
    """Return the chosen part of a graph: the entities, the facts about them, and the relations between them."""
    goes = {each.id for kind in (ENTITY, FACT, RELATION) for each in current_records(wanted, kind)}
    nodes = {
        id: replace(node, facts=[fact for fact in node.facts if fact.id in goes])
        for id, node in graph.nodes.items()
        if id in goes
    }
    return replace(graph, nodes=nodes, relations=[each for each in graph.relations if each.id in goes])


def _join(entities: dict[str, Line], each: Line) -> None:
    """Merge an entity into those of the same name, because the file identifies an entity by its name across
    channels."""
    known = entities.setdefault(each["name"].casefold(), each)
    if known is not each:
        known["entityType"] = next(
            (type for type in (known["entityType"], each["entityType"]) if type != mcp_dialects.UNTYPED),
            mcp_dialects.UNTYPED,
        )
        known["observations"] = list(dict.fromkeys((*known["observations"], *each["observations"])))


MCP_OUT = McpOut()
