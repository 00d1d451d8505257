"""Import of Letta's agent files (.af): an agent's memory blocks as facts under keys, and its messages as a
conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memdesk.engine.extraction.language import sentences
from memdesk.engine.interop import imported_records
from memdesk.engine.interop.batches import ImportedRecord, Item, Source, left_out
from memdesk.engine.interop.chat_messages import Talk, chat_of
from memdesk.engine.interop.imported_records import Fields, stable_id
from memdesk.engine.interop.reading import NOT_JSON, Peek, parsed
from memdesk.engine.memory.claims import VALUE_CHARACTERS
from memdesk.engine.workspace.layouts import slug
from memdesk.engine.workspace.line_facts import SENTENCES_FROM
from memdesk.engine.workspace.page import read_page
from memdesk.files.reading import Left
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.message import message

_TIMES_ENCODED = 3
_OTHERS = ("groups", "files", "sources", "tools", "mcp_servers", "skills")
_READ = ("core_memory", "block_ids", "memory_blocks", "in_context_message_ids", "in_context_message_indices")
_SECRETS = ("secrets", "tool_exec_environment_variables")
"""Fields that may contain keys and passwords of an agent's tools; they are not imported."""
_CONFIDENCE = 0.95
BLOCK_CHARACTERS = 240
"""Length up to which a block is one fact under its label."""


class Letta:
    """Agents with their blocks, in files of today's version and of versions before 2025."""

    name = "letta"
    reads = message(
        "Letta agent files (`.af`), also those encoded twice and older ones: blocks as facts under keys, "
        "messages as a conversation"
    )

    def sniff(self, peek: Peek) -> bool:
        if peek.suffix not in (".af", ".json"):
            return False
        return _is_agents(_decoded(peek.json))

    def open(self, peek: Peek) -> Source:
        whole = Fields(_decoded(peek.json), peek.name)
        if "core_memory" in whole.row:
            return Source.of(self.name, message("Letta agent file"), peek, *_items(whole, whole, peek))
        items = [item for agent in whole.rows("agents") for item in _items(whole, agent, peek)]
        for name in _OTHERS:
            count = len(list(whole.rows(name)))
            items += left_out(
                f"{peek.name}, {name}", message("An agent file's {name} are no memory", name=name), count
            )
        return Source.of(self.name, message("Letta agent file"), peek, *items)


def _decoded(value: Any) -> Any:
    """Return the content of a file: an official sample is JSON that was encoded as a JSON string again."""
    for _ in range(_TIMES_ENCODED):
        if not isinstance(value, str):
            break
        value = parsed(value)
    return value


def _is_agents(value: Any) -> bool:
    return (
        value is not NOT_JSON
        and isinstance(value, dict)
        and ({"agents", "blocks"} <= value.keys() or {"core_memory", "agent_type"} <= value.keys())
    )


def _items(whole: Fields, agent: Fields, peek: Peek) -> Iterator[Item]:
    name = agent.needed("name")
    channel = slug(name) or slug(peek.path.stem)
    facts = [fact for block in _blocks(whole, agent) for fact in _facts(name, block)]
    yield from imported_records.batches(message("blocks of {name}", name=name), peek.name, facts, channel)
    talk = Talk(
        stable_id("letta", name, agent.text("id")),
        about={"title": name, "agent_id": name, "channel": channel},
    )
    for each in agent.rows("messages"):
        if each.row.get("role") != "system":
            talk.hear(each.row, each.where)
    agent.skip(*_READ, *_SECRETS)
    talk.beside = agent.rest
    if talk.messages:
        yield chat_of(peek, talk)
    elif talk.beside:
        yield Left(
            name=message("{peek}, settings of {name}", peek=peek.name, name=name),
            why=message("Without messages there is nothing to keep them with."),
        )


def _blocks(whole: Fields, agent: Fields) -> Iterator[Fields]:
    """Yield the blocks of an agent, from the places that any version of the format uses. Raises Refused for a
    missing block."""
    wanted = set(agent.texts("block_ids"))
    shared = [block for block in whole.rows("blocks") if block.text("id") in wanted] if wanted else []
    missing = wanted - {block.text("id") for block in shared}
    if missing:
        raise Refused(
            message(
                "{where} names the block {missing}, which is not in the file.",
                where=agent.where,
                missing=min(missing),
            )
        )
    yield from shared
    yield from agent.rows("memory_blocks")
    yield from agent.rows("core_memory")


def _facts(agent: str, block: Fields) -> Iterator[ImportedRecord]:
    """Yield a block's facts: a short block as a fact with its label as key, a longer one statement by statement.

    Block ids are unique only in the file, so the label is part of the id."""
    label, value = block.needed("label"), block.text("value")
    tidy = " ".join(value.split())
    lines = [line.words for line in read_page(value.split("\n"), to_agent=True).lines if line.words]
    if len(tidy) <= BLOCK_CHARACTERS or not lines:
        profile = {"key": label, "value": tidy} if tidy and len(tidy) <= VALUE_CHARACTERS else {}
        yield _fact(agent, label, value, f"{label}: {value}" if value else label, block, profile)
        return
    for claim in dict.fromkeys(part for line in lines for part in _parts(line)):
        yield _fact(agent, label, claim, claim, block, {"quote": f"{label}: {claim}"})


def _parts(line: str) -> Iterator[str]:
    """Yield a line, or the sentences of a very long one."""
    if len(line) <= SENTENCES_FROM:
        yield line
        return
    yield from (each.text.strip() for each in sentences(line) if each.text.strip())


def _fact(
    agent: str, label: str, value: str, claim: str, block: Fields, profile: dict[str, str]
) -> ImportedRecord:
    return imported_records.fact(
        f"{FACT.prefix}_{stable_id('letta', agent, label, value)}",
        claim,
        block,
        agent_id=agent,
        source="explicit",
        confidence=_CONFIDENCE,
        **profile,
    )


LETTA = Letta()
