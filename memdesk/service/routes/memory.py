"""Memory: store turns, learn facts, relate memories, and browse them by subject and by time."""

from __future__ import annotations

from memdesk.api import memory
from memdesk.engine.browsing import details, lists
from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.graph import graph
from memdesk.engine.browsing.heatmap import heatmap
from memdesk.engine.browsing.tables import find, table, timeline
from memdesk.engine.memory import remember
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(app, memory.STORE_TURN, lambda ask, author: remember.store_turn(engine, ask, author=author))
    answer(app, memory.STORE_TURNS, lambda ask, author: remember.store_turns(engine, ask, author=author))
    answer(app, memory.LEARN_FACT, lambda ask, author: remember.learn_fact(engine, ask, author=author))
    answer(app, memory.UPSERT_ENTITY, lambda ask, author: remember.upsert_entity(engine, ask, author=author))
    answer(app, memory.RELATE, lambda ask, author: remember.relate(engine, ask, author=author))
    answer(app, memory.FACTS, lambda ask, _: lists.facts(engine, ask))
    answer(app, memory.TABLE, lambda ask, _: table(engine, ask))
    answer(app, memory.FIND, lambda ask, _: find(engine, ask))
    answer(app, memory.GRAPH, lambda ask, _: graph(engine, ask))
    answer(app, memory.SALIENCE, lambda ask, _: heatmap(engine, ask))
    answer(app, memory.INSPECT, lambda ask, _: inspect(engine, ask))
    answer(app, memory.CONVERSATION, lambda ask, _: lists.conversation(engine, ask))
    answer(app, memory.BESIDE, lambda ask, _: lists.derived_from_turns(engine, ask))
    answer(app, memory.CONVERSATIONS, lambda ask, _: lists.conversations(engine, ask))
    answer(app, memory.RECENT_TURNS, lambda ask, _: lists.recent_turns(engine, ask))
    answer(app, memory.TURN_LOG, lambda ask, _: lists.turn_log(engine, ask))
    answer(app, memory.TIMELINE, lambda ask, _: timeline(engine, ask))
    answer(app, memory.ENTITY, lambda ask, _: details.entity(engine, ask))
    answer(app, memory.ENTITY_GRAPH, lambda ask, _: details.entity_graph(engine, ask))
