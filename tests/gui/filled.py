"""A desk with one of everything in it, so that no panel of the window is empty."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest

from memdesk.api import context, curation, goals, memory, procedures, review, upkeep, working, workspace
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.model.context import Compact
from memdesk.model.curation import Promote
from memdesk.model.goal import NewGoal
from memdesk.model.interop import AskImport
from memdesk.model.prompt import AskContext
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.review import Propose
from memdesk.model.session import NewSession
from memdesk.model.status import AskJob
from memdesk.model.strategy import NewStrategy
from memdesk.model.tool_call import NewToolCall
from memdesk.model.working import SetValue
from tests.conftest import Service
from tests.engine.talks import talk

HERE = "harbour"
CRANE, SHED = "The crane lifts 12 tonnes", "The shed key hangs at gate 3"
DAY = date.today() - timedelta(days=1)
LINE = "Mara moved the crane inspection to 12 January."
FOLDER = {
    "IDENTITY.md": "# IDENTITY\n\n- **Name:** Iris\n",
    "MEMORY.md": "# MEMORY\n\n## Harbour\n\n- The crane is inspected in January.\n",
    f"memory/{DAY}.md": f"# Log\n\n## Inspection\n- 09:10 {LINE}\n- 10:20 Ordered two ropes.\n",
}


@contextmanager
def filled(folder: Path) -> Iterator[Service]:
    """The real service of such a desk, in a folder with a short path."""
    service = Service(Desk(folder / "desk"))
    with pytest.MonkeyPatch.context() as world:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            world.setenv(name, str(folder / name.lower()))
        world.setenv("XDG_RUNTIME_DIR", str(folder))
        service.start()
    asyncio.run(fill(service.desk, folder / "iris"))
    yield service
    service.stop()


async def fill(desk: Desk, folder: Path) -> None:
    """Let two agents and a person use a desk for a moment. folder: where an agent's workspace is made."""
    for name, text in FOLDER.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    async with Client(desk, agent="Forge") as agent, Client(desk) as owner:
        turn = NewTurn(
            content=f"{CRANE}.", title="Quay", channel=HERE, conversation_id="quay", agent_id="Forge"
        )
        said = await agent.call(memory.STORE_TURN, turn)
        crane = NewFact(claim=CRANE, channel=HERE, agent_id="Forge", about=("Crane",), source_turn_id=said.id)
        fact = await agent.call(memory.LEARN_FACT, crane)
        shed = await agent.call(memory.LEARN_FACT, NewFact(claim=SHED, channel=HERE, confidence=0.4))
        await owner.call(curation.PROMOTE, Promote(fact_id=fact.id))
        await agent.call(review.PROPOSE, Propose(type="promotion", fact_id=shed.id, reason="it holds"))
        await agent.call(goals.ADD, NewGoal(description="Weigh the crane", channel=HERE, agent_id="Forge"))
        plan = NewStrategy(description="Weigh it first", tool_sequence=("weigh", "lift"), channel=HERE)
        await agent.call(procedures.LEARN_STRATEGY, plan)
        call = NewToolCall(tool_name="weigh", success=True, latency_ms=30, turn_id=said.id)
        await agent.call(procedures.RECORD_INVOCATION, call)
        kept = SetValue(key="plan", value={"step": 1}, channel=HERE, conversation_id="quay")
        await agent.call(working.SET, kept)
        await agent.call(context.PROMPT, AskContext(text="crane", channel=HERE, agent_id="Forge"))
        new = NewSession(
            session_id="s-1", channel=HERE, agent_id="Forge", title="Unloading", policy="agenticx"
        )
        await agent.call(context.CREATE_SESSION, new)
        await agent.call(context.COMPACT, Compact(messages=tuple(talk(32)), session_id="s-1"))
        job = await owner.call(workspace.IMPORT, AskImport(path=str(folder)))
        while job.open:
            await asyncio.sleep(0.02)
            job = await owner.call(upkeep.JOB, AskJob(id=job.id))
        assert job.state == "done", job.says
