"""One service's work done once, so that what a process reads and computes at first need is there before the fork."""

from __future__ import annotations

import tempfile
from pathlib import Path

from memdesk.api.endpoint import adapter
from memdesk.api.endpoints import ENDPOINTS
from memdesk.cli.program import WORDS, commands_named, parsed
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import learn_fact, store_turns
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.files.places import Desk
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.service.calls import function_at

WHO = "agent:rehearsal"


def rehearse() -> None:
    """Read the verbs and converters of all calls, and work on a desk that is thrown away."""
    for call in ENDPOINTS:
        adapter(call.ask)
        adapter(call.answer)
        if call.verb:
            function_at(call.verb)
    for word in WORDS:
        tuple(commands_named(word))
    parsed(["serve"])
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(Desk(Path(folder, "desk")))
        store_turns(engine, NewTurns(turns=(NewTurn(content="I live in Lisbon."),)), author=WHO)
        learn_fact(engine, NewFact(claim="The lamp of the harbour is lit."), author=WHO)
        while embed_pending(engine):
            pass
        recall(engine, Query(text="Which lamp is lit?"), author=WHO)
        engine.close()
