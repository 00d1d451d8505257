"""Recall: search memory as an agent does."""

from __future__ import annotations

from memdesk.api import recall
from memdesk.engine.recall import pipeline
from memdesk.engine.recall.explain import explain
from memdesk.engine.recall.salient import salient
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    # Nearly all of a recall is reading, whatever it reinforces afterwards.
    answer(app, recall.SEARCH, lambda ask, author: pipeline.recall(engine, ask, author=author), reads=True)
    answer(app, recall.PREVIEW, lambda ask, _: pipeline.preview(engine, ask), reads=True)
    answer(app, recall.EXPLAIN, lambda ask, _: explain(engine, ask), reads=True)
    answer(app, recall.SALIENT, lambda ask, _: salient(engine, ask))
