"""Import of OpenClaw's session files: a header, then the entries of a tree; the last entry ends the current branch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdesk.engine.interop.batches import Source, left_out
from memdesk.engine.interop.chat_messages import Talk, channel_of, chat_of
from memdesk.engine.interop.reading import Peek, other_version
from memdesk.engine.workspace.layouts import slug
from memdesk.model.message import message

VERSION = 3
Entry = dict[str, Any]


class OpenClaw:
    """Session of OpenClaw. Messages on abandoned branches are left out, and counted."""

    name = "openclaw session"
    reads = message("An OpenClaw session (`.jsonl`, up to version 3): the branch that counts")

    def sniff(self, peek: Peek) -> bool:
        head = peek.first if peek.suffix == ".jsonl" else {}
        return head.get("type") == "session" and isinstance(head.get("id"), str) and "timestamp" in head

    def open(self, peek: Peek) -> Source:
        (_, head), *rest = peek.lines[0]
        version = head.get("version", 1)
        if not isinstance(version, int) or version > VERSION:
            raise other_version(peek.name, message("an OpenClaw session"), version, VERSION)
        entries = [(number, value) for number, value in rest if isinstance(value, dict)]
        path = _branch(entries)
        agent = _agent_of(peek.path.absolute())
        talk = Talk(str(head["id"]), about={"agent_id": agent or "openclaw", "created_at": head["timestamp"]})
        for number, entry in path:
            if entry.get("type") == "message":
                talk.hear(entry, message("{name}, line {count}", name=peek.name, count=number))
            elif entry.get("type") == "session_info" and entry.get("name"):
                talk.about = {**talk.about, "title": entry["name"]}
        others = [entry for _, entry in path if entry.get("type") not in ("message", "session_info")]
        about = {
            name: value for name, value in head.items() if name not in ("type", "id", "timestamp") and value
        }
        talk.beside = about | ({"entries": others} if others else {})
        aside = sum(entry.get("type") == "message" for _, entry in entries) - sum(
            entry.get("type") == "message" for _, entry in path
        )
        left = left_out(
            message("{peek}, other branches", peek=peek.name),
            message("Messages on branches that were left behind"),
            aside,
        )
        chats = [chat_of(peek, talk)] if talk.messages else []
        return Source.of(
            self.name,
            message("OpenClaw session"),
            peek,
            *peek.lines[1],
            *left,
            *chats,
            channel=slug(agent) if agent else channel_of(peek.path),
        )


def _branch(entries: list[tuple[int, Entry]]) -> list[tuple[int, Entry]]:
    """Return the path from the root to the last entry; all entries if some have no id, as in version 1."""
    by_id = {entry["id"]: (number, entry) for number, entry in entries if isinstance(entry.get("id"), str)}
    if len(by_id) < len(entries):
        return entries
    found: list[tuple[int, Entry]] = []
    at: Any = entries[-1][1]["id"] if entries else None
    while isinstance(at, str) and at in by_id:
        found.append(by_id.pop(at))
        at = found[-1][1].get("parentId")
    return found[::-1]


def _agent_of(path: Path) -> str:
    """Return the agent of a session, "" if unknown: OpenClaw stores sessions as agents/AGENT/sessions/ID.jsonl."""
    return path.parents[1].name if path.parent.name == "sessions" and path.parents[2].name == "agents" else ""


OPENCLAW = OpenClaw()
