"""A fact said in one session is told in the next, after a reset and a restart of the service, through every door.

Each door keeps to a channel of its own, so that what it tells can only be what came in through it.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from memdesk.client import MemoryHook, connect
from memdesk.files.places import Desk
from tests.conftest import Service
from tests.mcp.runtimes import Hands, over_http, over_stdio
from tests.warm import ran

NAMES = {"http": "Whiskerino", "python": "Marzipan", "hook": "Sirena", "stdio": "Bramble", "mcp": "Quillon"}
QUESTION = "What is my cat called?"
FIRST, NEXT = "monday", "tuesday"


def fact(channel: str) -> str:
    return f"My cat is called {NAMES[channel]}."


@dataclass(frozen=True, kw_only=True)
class Door:
    """How a runtime uses a desk. say: tell it the channel's fact in the first session, and reset that.

    ask: what it is told before the question, in the next.
    """

    say: Callable[[Desk, str], None]
    ask: Callable[[Desk, str], str]


def posted(desk: Desk, path: str, asked: dict[str, Any]) -> dict[str, Any]:
    transport = httpx.HTTPTransport(uds=str(desk.socket))
    with httpx.Client(transport=transport, headers={"X-MemDesk-Agent": "iris"}, timeout=60) as http:
        said = http.post(f"http://desk/v1/{path}", json=asked)
        assert said.status_code == 200, said.text
        return dict(said.json())


def run(desk: Desk, *words: str, given: str = "") -> str:
    done = ran([*words, "--desk", str(desk.folder)], given)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def say_http(desk: Desk, channel: str) -> None:
    began = posted(desk, "context/create_session", {"session_id": f"{channel}-{FIRST}", "channel": channel})
    message = {"role": "user", "content": fact(channel)}
    posted(desk, "context/compact", {"session_id": f"{channel}-{FIRST}", "messages": [message]})
    anew = posted(desk, "context/reset_session", {"session_id": f"{channel}-{FIRST}"})
    assert anew["turns"] == 0 and anew["conversation_id"] != began["conversation_id"]


def ask_http(desk: Desk, channel: str) -> str:
    messages = [{"role": "user", "content": QUESTION}]
    asked = {"session_id": f"{channel}-{NEXT}", "channel": channel, "messages": messages}
    return str(posted(desk, "context/prompt", asked)["text"])


def say_python(desk: Desk, channel: str) -> None:
    with connect(str(desk.folder), agent="iris") as client:
        hook = MemoryHook(client, session_id=f"{channel}-{FIRST}", channel=channel)
        hook.after_turn([{"role": "user", "content": fact(channel)}])
        hook.reset()


def ask_python(desk: Desk, channel: str) -> str:
    with connect(str(desk.folder), agent="iris") as client:
        hook = MemoryHook(client, session_id=f"{channel}-{NEXT}", channel=channel)
        return hook.before_turn([{"role": "user", "content": QUESTION}])


def hook(desk: Desk, moment: str, channel: str, **said: str) -> str:
    words = ("hook", moment, "--agent", "iris", "--channel", channel)
    answer = run(desk, *words, given=json.dumps(said))
    return str(json.loads(answer)["hookSpecificOutput"]["additionalContext"]) if answer else ""


def say_hook(desk: Desk, channel: str) -> None:
    session = f"{channel}-{FIRST}"
    hook(desk, "session-start", channel, session_id=session, source="startup")
    hook(desk, "prompt", channel, session_id=session, prompt=fact(channel))
    hook(desk, "stop", channel, session_id=session, last_assistant_message="Noted.")
    assert "0 turns" in run(desk, "sessions", "reset", session)


def ask_hook(desk: Desk, channel: str) -> str:
    return hook(desk, "prompt", channel, session_id=f"{channel}-{NEXT}", prompt=QUESTION)


def over_mcp(connected: Any) -> Door:
    """The protocol has no word for a session: the runtime names it, and begins it anew over HTTP."""

    def say(desk: Desk, channel: str) -> None:
        async def tell() -> None:
            async with connected(desk, "agentx", channel=channel, session=f"{channel}-{FIRST}") as client:
                await Hands(client)("remember_fact", claim=fact(channel))

        session = {"session_id": f"{channel}-{FIRST}"}
        posted(desk, "context/create_session", {**session, "channel": channel})
        asyncio.run(tell())
        posted(desk, "context/reset_session", session)

    def ask(desk: Desk, channel: str) -> str:
        async def told() -> str:
            async with connected(desk, "agentx", channel=channel, session=f"{channel}-{NEXT}") as client:
                (said,) = (await client.get_prompt("recall", {"query": QUESTION})).messages
                return str(said.content.text)  # type: ignore[union-attr]

        return asyncio.run(told())

    return Door(say=say, ask=ask)


DOORS = {
    "http": Door(say=say_http, ask=ask_http),
    "python": Door(say=say_python, ask=ask_python),
    "hook": Door(say=say_hook, ask=ask_hook),
    "stdio": over_mcp(over_stdio),
    "mcp": over_mcp(over_http),
}


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """A desk that was told a fact through every door, whose service then was killed and started again."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    service = Service(Desk(folder))
    service.start()
    for channel, door in DOORS.items():
        door.say(service.desk, channel)
    service.kill()
    service.start()
    yield service.desk
    service.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("channel", DOORS)
def test_a_fact_of_one_session_is_told_in_the_next_after_a_reset_and_a_restart(
    desk: Desk, channel: str
) -> None:
    assert NAMES[channel] in DOORS[channel].ask(desk, channel)


@pytest.mark.parametrize("channel", DOORS)
def test_what_came_in_through_one_door_goes_out_through_another_and_into_no_other_channel(
    desk: Desk, channel: str
) -> None:
    told = ask_http(desk, channel)
    assert [name for name in NAMES.values() if name in told] == [NAMES[channel]]
