"""The scratchpad panel on a real service: what is held, how long it has left, and every verb with its way back."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import goals, memory, working
from memdesk.client.client import Client
from memdesk.gui.panels.scratchpad import scratchpad_keys
from memdesk.gui.panels.scratchpad.scratchpad_value import (
    ForgetForm,
    LifeForm,
    ValueForm,
    value_from_text,
    value_to_text,
)
from memdesk.gui.panels.scratchpad_panel import ScratchpadPanel
from memdesk.gui.window import Window
from memdesk.model.goal import NewGoal
from memdesk.model.remember import NewTurn
from memdesk.model.working import (
    CHECKPOINT,
    FACTS,
    HINTS,
    PENDING,
    RESULTS,
    AskValue,
    HeldKey,
    PushThought,
    SetActiveGoal,
    SetValue,
    WriteNote,
    is_reserved,
)
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, press, shared, until

CTRL = Qt.KeyboardModifier.ControlModifier
HERE: dict[str, Any] = {"channel": "harbour", "conversation_id": "c"}


async def keep(client: Client, key: str, value: Any, **more: Any) -> None:
    await client.call(working.SET, SetValue(key=key, value=value, **({**HERE} | more)))


async def held(client: Client, key: str) -> Any:
    return (await client.call(working.GET, AskValue(key=key, **HERE))).value


async def shown(window: Window, places: int) -> ScratchpadPanel:
    panel = window.open_panel("scratchpad")
    assert isinstance(panel, ScratchpadPanel)
    await until(
        lambda: panel.places.rows.rowCount() == places and panel.aside.record is not None, "the places"
    )
    await activated(window)
    panel.keys.setFocus()
    return panel


def names(panel: ScratchpadPanel) -> list[str]:
    return [scratchpad_keys.name(key) for key in panel.keys.listed()]


async def choose(panel: ScratchpadPanel, name: str) -> None:
    panel.keys.setFocus()
    panel.keys.choose(names(panel).index(name))
    await until(
        lambda: (
            panel.aside.record is not None
            and scratchpad_keys.name(panel.aside.record) == name
            and not panel.aside.acts._awaited
        ),
        "the key beside",
    )


class Withheld:
    """Client of a window that gives the first answer of one call only once `let_go` is set. is_there: it came."""

    def __init__(self, window: Window, endpoint: Any) -> None:
        self._client, self._endpoint = window.session._client, endpoint
        self.let_go, self.is_there = asyncio.Event(), False
        window.session._client = self

    async def call(self, endpoint: Any, ask: Any) -> Any:
        answer = await self._client.call(endpoint, ask)
        if endpoint is self._endpoint and not self.is_there:
            self.is_there = True
            await self.let_go.wait()
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def test_every_key_of_a_session_is_shown_with_its_size_and_the_time_it_has_left(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            turn = NewTurn(content="The crane lifts 12.", title="Cranes", agent_id="Forge", **HERE)
            await agent.call(memory.STORE_TURN, turn)
            goal = (await agent.call(goals.ADD, NewGoal(description="Weigh it", channel="harbour"))).id
            await agent.call(working.SET_ACTIVE_GOAL, SetActiveGoal(goal_id=goal, **HERE))
            await agent.call(working.PUSH_THOUGHT, PushThought(thought="Ask Mara", **HERE))
            await keep(agent, "plan", {"step": 1}, ttl_seconds=90)
            for key, value in (("notes", "two\nlines"), (PENDING, ["a report"])):
                await agent.call(working.WRITE_NOTE, WriteNote(session_id="s-1", key=key, value=value))
            panel = await shown(window, 2)
            testers = [
                QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
                for model in (panel.places.rows, panel.keys.keys_model)
            ]
            subtitle = panel.head.subtitle.text()
            assert subtitle.startswith("6 keys, ") and subtitle.endswith(" of 16.0 MB")
            panel.places.choose(1)
            await until(
                lambda: names(panel) == ["plan", "Active goal", "Thoughts", "Turns"], "the conversation"
            )
            assert panel.places.rows.index(1, 0).data().startswith("Cranes, Forge, harbour, 4 keys")
            model = panel.keys.keys_model
            assert model.index(3, 1).data() == "1 turn, the latest: The crane lifts 12."
            # Of 90 seconds; how many went by meanwhile says what else the machine does.
            assert re.fullmatch("1:30|1:[0-2][0-9]|0:[0-5][0-9]", model.index(0, 3).data())
            assert "min left" in model.index(0, 3).data(Qt.ItemDataRole.AccessibleTextRole)
            assert panel.keys.counts
            await choose(panel, "Turns")
            await until(lambda: "The crane lifts 12." in panel.aside.value.text(), "the turns")
            assert panel.aside.acts.shown == ("longer", "forget", "talk")
            await choose(panel, "Active goal")
            press(panel.keys, Qt.Key.Key_G)
            await until(
                lambda: window.stage.panel is not None and window.stage.panel.name == "goals", "the goal"
            )
            # Who does not look is not woken.
            assert not panel.keys.counts
            window.open_panel("scratchpad")
            panel.places.choose(0)
            await until(lambda: names(panel) == [PENDING, "notes"], "the scratchpad")
            assert panel.keys.listed()[0].reserved and "sub-agents" in scratchpad_keys.meaning(
                panel.keys.listed()[0]
            )
            await choose(panel, "notes")
            assert panel.aside.value.text() == "two\nlines"
            panel.filter.setText("report")
            await until(lambda: names(panel) == [PENDING], "what holds the word")
            assert testers

    drive(qapp, scenario)


def test_a_value_is_edited_kept_longer_forgotten_and_brought_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await keep(agent, "plan", {"step": 1}, ttl_seconds=500)
            await keep(agent, "street", "Rua da Graça", ttl_seconds=500)
            await agent.call(working.PUSH_THOUGHT, PushThought(thought="Ask Mara", **HERE))
            panel = await shown(window, 1)
            await choose(panel, "plan")
            press(panel.keys, Qt.Key.Key_E)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            form = panel.aside.stack.form
            assert isinstance(form, ValueForm)
            form.area.set_text("{")
            click(form.save)
            assert "no JSON" in form.hint.text() and panel.unsaved()
            form.area.set_text('{"step": 2}')
            # An agent writes it meanwhile: that is said before anything is put in its place.
            await keep(agent, "plan", {"step": 9}, ttl_seconds=500)
            click(form.save)
            await until(lambda: "meanwhile" in form.hint.text(), "the warning")
            assert await held(agent, "plan") == {"step": 9}
            press(form.area.editor, Qt.Key.Key_S, CTRL)
            await until(lambda: panel.aside.stack.form is None, "that it is saved")
            assert await held(agent, "plan") == {"step": 2}
            assert next(key for key in panel.keys.listed() if key.name == "plan").ttl_seconds == 500
            window.session.undo()
            await until(lambda: '"step": 9' in "".join(key.begins for key in panel.keys.listed()), "the undo")
            await choose(panel, "plan")
            press(panel.keys, Qt.Key.Key_L)
            await until(lambda: panel.aside.stack.form is not None, "the form")
            life = panel.aside.stack.form
            assert isinstance(life, LifeForm)
            life.life.set_value(86_400)
            click(life.save)
            await until(lambda: panel.aside.stack.form is None, "that it is kept")
            await until(lambda: 86_400 in [key.ttl_seconds for key in panel.keys.listed()], "a day")
            await choose(panel, "street")
            # The change is seen before its answer arrives, and Undo is pressed between the two.
            answers = Withheld(window, working.FORGET)
            press(panel.keys, Qt.Key.Key_Delete)
            await until(lambda: "street" not in names(panel), "that it is forgotten")
            window.session.undo()
            answers.let_go.set()
            await until(lambda: "street" in names(panel), "that it is back")
            assert await held(agent, "street") == "Rua da Graça"
            # What cannot be brought back is asked about first.
            await choose(panel, "Thoughts")
            click(panel.aside.acts.buttons["forget"])
            # A press waits for the chosen record, which may be read again at this moment.
            await until(lambda: isinstance(panel.aside.stack.form, ForgetForm), "the question")
            ask = panel.aside.stack.form
            assert isinstance(ask, ForgetForm)
            press(ask.cancel, Qt.Key.Key_Space)
            assert panel.aside.stack.form is None and "Thoughts" in names(panel)
            await choose(panel, "Thoughts")
            click(panel.aside.acts.buttons["forget"])
            await until(lambda: panel.aside.stack.form is not None, "the question again")
            click(panel.aside.stack.form.save)  # type: ignore[union-attr]
            await until(lambda: "Thoughts" not in names(panel), "that they are gone")

    drive(qapp, scenario)


def test_what_agents_write_comes_in_live_and_what_expires_goes_by_itself(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk, size=(1100, 700)) as (agent, window):
            panel = window.open_panel("scratchpad")
            assert isinstance(panel, ScratchpadPanel)
            await until(lambda: panel._stack.currentWidget() is panel._empty, "that nobody holds any")
            await keep(agent, "plan", "one")
            await until(lambda: names(panel) == ["plan"], "the value")
            assert panel.choice.isVisible() and not panel.places.isVisible()
            # An answer from before, which comes after the newer one.
            answers = Withheld(window, working.HELD)
            panel.filter.setText("plan")
            panel.filter.clear()
            await until(lambda: answers.is_there, "the older answer")
            await keep(agent, "plan", "two")
            await until(lambda: panel.keys.listed()[0].begins == "two", "the newer answer")
            answers.let_go.set()
            await until(lambda: not panel._showing.goes_on, "the older answer to be read")
            assert panel.keys.listed()[0].begins == "two"
            await until(lambda: panel.aside.value.text() == "two", "the other value")
            await keep(agent, "brief", 1)
            await until(lambda: names(panel) == ["brief", "plan"], "the brief one")
            assert panel.keys.record().name == "plan"
            await keep(agent, "brief", 1, ttl_seconds=1)
            await until(lambda: names(panel) == ["plan"], "that it expired")
            await agent.call(working.WRITE_NOTE, WriteNote(session_id="s-1", key="note", value="x"))
            await until(lambda: panel.places.rows.rowCount() == 2, "the session")
            assert names(panel) == ["plan"]
            panel.choice.chosen.emit(scratchpad_keys.place_id(panel.places.rows.rows()[0]))
            await until(lambda: names(panel) == ["note"], "its notes")

    drive(qapp, scenario)


def test_what_an_agent_writes_is_seen_after_one_event_of_the_feed_and_nothing_is_asked_meanwhile(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await keep(agent, "plan", "one")
            panel = await shown(window, 1)
            events: list[str] = []
            window.session.worked.connect(lambda: events.append("worked"))
            # Nobody asks while nothing happens.
            asked: list[str] = []
            call = window.session.call
            monitored = partial(_noting, asked, call)
            window.session.call = monitored  # type: ignore[method-assign]
            for _ in range(10):
                asked.clear()
                events.clear()
                await asyncio.sleep(0.6)
                # What was told while the panel opened may still be answered.
                if not any(name.startswith("working.") for name in asked):
                    break
            assert not [name for name in asked if name.startswith("working.")]
            await keep(agent, "plan", "two")
            await until(lambda: panel.aside.value.text() == "two", "the other value")
            assert events == ["worked"] and asked.count("working.places") == 1
            for act in (
                agent.call(working.PUSH_THOUGHT, PushThought(thought="Ask Mara", **HERE)),
                agent.call(
                    working.SET_ACTIVE_GOAL, SetActiveGoal(goal_id="g", description="Weigh it", **HERE)
                ),
                agent.call(
                    memory.STORE_TURN, NewTurn(content="The crane lifts 12.", agent_id="Forge", **HERE)
                ),
                agent.call(working.DELETE, AskValue(key="plan", **HERE)),
            ):
                before, listed = len(events), names(panel)
                await act
                await until(partial(lambda listed: names(panel) != listed, listed), "what it wrote")
                assert len(events) == before + 1

    drive(qapp, scenario)


async def _noting(asked: list[str], call: Any, endpoint: Any, ask: Any) -> Any:
    asked.append(endpoint.name)
    return await call(endpoint, ask)


def test_the_chosen_session_keeps_its_place_while_others_begin(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk, size=(1500, 900)) as (agent, window):
            await keep(agent, "plan", "one")
            panel = await shown(window, 1)
            before = panel.at
            await agent.call(working.WRITE_NOTE, WriteNote(session_id="s-1", key="note", value="x"))
            await until(panel.places.newer.isVisible, "the session, which waits")
            assert panel.at == before and panel.places.rows.rowCount() == 1
            panel.select("s-1")
            await until(lambda: panel.at == "s-1" and names(panel) == ["note"], "it, as it was asked for")
            assert panel.places.rows.rowCount() == 2 and not panel.places.newer.isVisible()

    drive(qapp, scenario)


def test_what_an_agent_adds_does_not_move_what_is_being_read(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk, size=(1100, 700)) as (agent, window):
            for number in range(40):
                await agent.call(working.PUSH_THOUGHT, PushThought(thought=f"Thought {number} 🚢", **HERE))
            panel = await shown(window, 1)
            reading = panel.aside.value
            bar, line = reading.verticalScrollBar(), reading.words
            await until(lambda: bar.maximum() > 200, "more than fits")
            bar.setValue(200)
            text = reading.text()
            at = len(text[: text.index("Thought 30")].encode("utf-16-le")) // 2
            line.setSelection(at, len("Thought 30"))
            below = bar.maximum() - bar.value()
            await agent.call(working.PUSH_THOUGHT, PushThought(thought="Another", **HERE))
            await until(lambda: "Another" in reading.text(), "the thought")
            await until(lambda: bar.value() > 200, "that the place is kept")
            assert bar.maximum() - bar.value() == below and line.selectedText() == "Thought 30"
            # Who reads the latest goes on to read the latest.
            bar.setValue(0)
            await agent.call(working.PUSH_THOUGHT, PushThought(thought="One more", **HERE))
            await until(lambda: "One more" in reading.text(), "the thought")
            await asyncio.sleep(0.1)
            assert bar.value() == 0

    drive(qapp, scenario)


def key(seconds: float | None, ttl: int | None, at: datetime) -> HeldKey:
    return HeldKey(
        key="session:s:k",
        sort="note",
        name="k",
        begins="",
        items=None,
        bytes=1,
        reserved=False,
        created_at=at,
        used_at=at,
        ttl_seconds=ttl,
        expires_at=None if seconds is None else at + timedelta(seconds=seconds),
    )


@given(st.floats(1, 90 * 86_400))
def test_it_wakes_when_its_words_change_and_no_sooner(seconds: float) -> None:
    at = datetime(2026, 11, 22, tzinfo=UTC)
    row = key(seconds, 100, at)
    wait = scratchpad_keys.next_change_ms((row,), at)
    assert wait is not None and scratchpad_keys.AT_LEAST_MS <= wait <= scratchpad_keys.AT_MOST_MS
    before, then = scratchpad_keys.words(row, at), at + timedelta(milliseconds=wait)
    if scratchpad_keys.AT_LEAST_MS < wait < scratchpad_keys.AT_MOST_MS:
        assert scratchpad_keys.words(row, then) != before
        assert scratchpad_keys.words(row, then - timedelta(milliseconds=wait / 2 + 2)) == before


def test_time_left_is_said_in_as_few_words_as_it_needs() -> None:
    at = datetime(2026, 11, 22, tzinfo=UTC)
    said = [
        scratchpad_keys.words(key(seconds, 100, at), at) for seconds in (None, 0, 65, 599.5, 2520, 3 * 86_400)
    ]
    assert said == ["stays", "0:00", "1:05", "9:59", "42 min", "3 d"]
    assert scratchpad_keys.next_change_ms((key(None, None, at),), at) is None
    assert (
        scratchpad_keys.share_left(key(25, 100, at), at) == 0.25
        and scratchpad_keys.share_left(key(None, None, at), at) is None
    )


def test_a_value_is_written_and_understood_as_the_kind_it_was() -> None:
    for value in ("two\nlines", {"a": [1, None]}, 3, None, "3"):
        assert value_from_text(value_to_text(value), value) == value
    with pytest.raises(ValueError, match="Expecting"):
        value_from_text("{", {})


@pytest.mark.parametrize(
    "name", [FACTS, PENDING, *HINTS, *(f"{each}x" for each in RESULTS), f"{CHECKPOINT}::1"]
)
def test_every_key_that_is_reserved_has_a_meaning(name: str) -> None:
    reserved = replace(key(None, None, datetime.now(UTC)), name=name, reserved=is_reserved(name))
    assert scratchpad_keys.meaning(reserved).startswith("Reserved: ")
