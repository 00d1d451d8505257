"""MemDesk as Hermes' memory provider: it keeps what is said, tells what fits before a turn, and gives two tools.

`memdesk install hermes` writes desk.json beside this file: the desk's socket, the agent and its token. Only the
standard library is used. Where the desk is away, the agent goes on without."""

from __future__ import annotations

import json
import logging
import queue
import socket
import subprocess
import threading
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from agent.memory_provider import MemoryProvider

logger = logging.getLogger(__name__)
SECONDS, START_SECONDS, FLUSH_SECONDS = 5.0, 15.0, 10.0
SETTINGS = Path(__file__).with_name("desk.json")
TOOLS = {
    "memdesk_search": (
        "Search what earlier conversations said and what is known. Use it when the user refers to earlier work, a "
        "decision, a preference or a person, and the answer is not in this conversation.",
        "query",
        "What to look for; a name finds more than a sentence",
        "recall_user_history",
        "topic",
    ),
    "memdesk_store": (
        "Keep one fact for later conversations: a sentence with its subject in it. Never a password or a key.",
        "text",
        "The fact",
        "remember_fact",
        "claim",
    ),
}


class _Connection(HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("desk", timeout=SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(SECONDS)
        self.sock.connect(self._path)


class Desk:
    """Calls of one desk's service. settings: those in desk.json."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self.agent = settings.get("agent") or "hermes"
        self.channel = settings.get("channel") or self.agent

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return the answer; the service is started once where none runs. Raises OSError or ValueError."""
        try:
            return self._send(path, body)
        except (FileNotFoundError, ConnectionRefusedError):
            start = self._settings.get("start")
            if not start:
                raise
            subprocess.run(
                start, timeout=START_SECONDS, check=False, capture_output=True, stdin=subprocess.DEVNULL
            )
            return self._send(path, body)

    def _send(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"content-type": "application/json", "x-memdesk-agent": quote(self.agent)}
        if named := self._settings.get("token_file"):
            headers["authorization"] = "Bearer " + Path(named).read_text(encoding="ascii").strip()
        desk = _Connection(self._settings["socket"])
        try:
            desk.request("POST", path, json.dumps(body), headers)
            answer = desk.getresponse()
            said = json.loads(answer.read())
        finally:
            desk.close()
        if answer.status != 200:
            raise ValueError(said.get("says", f"the desk answered {answer.status}"))
        return said

    def event(self, moment: str, **said: Any) -> str:
        """Report an event of a session; return the memory for a turn that begins."""
        ask = {"moment": moment, "agent_id": self.agent, "channel": self.channel, "said": json.dumps(said)}
        output = self.post("/v1/hooks/event", ask).get("output")
        return json.loads(output)["hookSpecificOutput"]["additionalContext"] if output else ""


class MemDeskProvider(MemoryProvider):
    """Provider over one desk. Turns are written by one thread of their own, in their order."""

    def __init__(self) -> None:
        self._desk: Desk | None = None
        self._session = ""
        self._writes = True
        self._prompted = ("", "")
        self._waiting: queue.Queue[tuple[str, dict[str, Any]] | None] = queue.Queue()
        self._writer: threading.Thread | None = None

    @property
    def name(self) -> str:
        return "memdesk"

    def is_available(self) -> bool:
        return SETTINGS.is_file()

    def unavailable_reason(self) -> str:
        return "" if self.is_available() else "Run `memdesk install hermes --apply`."

    def initialize(self, session_id: str, **kwargs: Any) -> None:
        self._desk = Desk(json.loads(SETTINGS.read_text(encoding="utf-8")))
        self._session = session_id
        # What a schedule or a sub-agent says to itself is nobody's memory.
        self._writes = kwargs.get("agent_context", "primary") == "primary"

    def system_prompt_block(self) -> str:
        return (
            "# Memory\nEarlier conversations are kept by MemDesk. What fits is told before a turn; "
            "memdesk_search finds more."
        )

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        session = session_id or self._session
        if self._desk is None or not query.strip() or not self._writes:
            return ""
        self._flush()
        try:
            told = self._desk.event("prompt", session_id=session, prompt=query)
        except (OSError, ValueError) as wrong:
            logger.warning("memdesk: %s; the session goes on without.", wrong)
            return ""
        self._prompted = (session, query)
        return told

    def sync_turn(
        self, user_content: str, assistant_content: str, *, session_id: str = "", **_more: Any
    ) -> None:
        session = session_id or self._session
        if not self._writes:
            return
        if user_content.strip() and self._prompted != (session, user_content):
            self._write("prompt", session_id=session, prompt=user_content)
        if assistant_content.strip():
            self._write("stop", session_id=session, last_assistant_message=assistant_content)

    def on_delegation(self, task: str, result: str, *, child_session_id: str = "", **_more: Any) -> None:
        said = {"session_id": self._session, "agent_id": child_session_id, "agent_type": "sub-agent"}
        self._write("subagent-stop", **said, last_assistant_message=result)

    def on_session_switch(self, new_session_id: str, **_more: Any) -> None:
        self._session = new_session_id

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "description": description,
                "parameters": {
                    "type": "object",
                    "properties": {word: {"type": "string", "description": says}},
                    "required": [word],
                },
            }
            for name, (description, word, says, _, _) in TOOLS.items()
        ]

    def handle_tool_call(self, tool_name: str, args: dict[str, Any], **_more: Any) -> str:
        _, word, _, tool, field = TOOLS[tool_name]
        if self._desk is None:
            return json.dumps({"error": "The desk is not connected."})
        self._flush()
        place = urlencode({"channel": self._desk.channel, "session_id": self._session})
        try:
            answer = self._desk.post(f"/v1/tools/agentx/{tool}?{place}", {field: str(args.get(word, ""))})
        except (OSError, ValueError) as wrong:
            return json.dumps({"error": f"The desk is away: {wrong}"})
        return json.dumps({"error" if answer.get("is_error") else "result": answer["text"]})

    def shutdown(self) -> None:
        self._flush()
        if self._writer is not None:
            self._waiting.put(None)
            self._writer.join(FLUSH_SECONDS)

    def _write(self, moment: str, **said: Any) -> None:
        if self._writer is None:
            self._writer = threading.Thread(target=self._write_all, daemon=True)
            self._writer.start()
        self._waiting.put((moment, said))

    def _write_all(self) -> None:
        while (given := self._waiting.get()) is not None:
            moment, said = given
            try:
                if self._desk is not None:
                    self._desk.event(moment, **said)
            except (OSError, ValueError) as wrong:
                logger.warning("memdesk: a turn was not kept: %s", wrong)
            finally:
                self._waiting.task_done()
        self._waiting.task_done()

    def _flush(self) -> None:
        """Wait until the turns before are written, so that a recall finds them; FLUSH_SECONDS at most."""
        done = threading.Thread(target=self._waiting.join, daemon=True)
        done.start()
        done.join(FLUSH_SECONDS)


def register(ctx: Any) -> None:
    """Register the provider with Hermes."""
    ctx.register_memory_provider(MemDeskProvider())
