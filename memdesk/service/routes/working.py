"""Working: working memory of the current session, and the scratchpads of sessions."""

from __future__ import annotations

from memdesk.api import working as calls
from memdesk.engine.memory import ephemeral, scratchpad, working
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(app, calls.ADD_TURN, lambda ask, _: ephemeral.add_turn(engine, ask))
    answer(app, calls.RECENT_TURNS, lambda ask, who: ephemeral.recent_turns(engine, ask, author=who))
    answer(app, calls.SET, lambda ask, _: working.set_value(engine, ask))
    answer(app, calls.GET, lambda ask, author: working.get_value(engine, ask, author=author))
    answer(app, calls.DELETE, lambda ask, _: working.delete_value(engine, ask))
    answer(app, calls.CONTEXT, lambda ask, author: working.context(engine, ask, author=author))
    answer(app, calls.CLEAR_SESSION, lambda ask, _: working.clear_session(engine, ask))
    answer(app, calls.SET_ACTIVE_GOAL, lambda ask, _: working.set_active_goal(engine, ask))
    answer(app, calls.ACTIVE_GOAL, lambda ask, author: working.active_goal(engine, ask, author=author))
    answer(app, calls.PUSH_THOUGHT, lambda ask, _: working.push_thought(engine, ask))
    answer(app, calls.THOUGHTS, lambda ask, author: working.thoughts(engine, ask, author=author))
    answer(app, calls.WRITE_NOTE, lambda ask, _: scratchpad.write_note(engine, ask))
    answer(app, calls.READ_NOTE, lambda ask, author: scratchpad.read_note(engine, ask, author=author))
    answer(app, calls.LIST_NOTES, lambda ask, author: scratchpad.list_notes(engine, ask, author=author))
    answer(app, calls.DELETE_NOTE, lambda ask, _: scratchpad.delete_note(engine, ask))
    answer(app, calls.CLEAR_NOTES, lambda ask, _: scratchpad.clear_notes(engine, ask))
    answer(app, calls.SIZE, lambda _ask, _: working.size(engine))
    answer(app, calls.PLACES, lambda ask, _: working.places(engine, ask))
    answer(app, calls.HELD, lambda ask, _: working.list_keys(engine, ask))
    answer(app, calls.EXTEND, lambda ask, _: working.extend(engine, ask))
    answer(app, calls.FORGET, lambda ask, _: working.forget(engine, ask))
