"""Review: questions of jobs and agents that the desk's owner decides."""

from __future__ import annotations

from memdesk.api import review as calls
from memdesk.engine.memory import decisions, duplicates, quarantine, review_queue, standing_decisions
from memdesk.engine.memory.decisions import newest_question, settle
from memdesk.model.kind import new_id
from memdesk.model.review import AskDuplicates, DecideAll, Proposed
from memdesk.model.status import JobState
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host

REVIEW = "review"


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine

    def decide_all(ask: DecideAll, author: str) -> JobState:
        review_queue.check(ask)
        return host.acts.start(ask, author=author, run=new_id("run", engine.clock()))

    host.acts.learn(
        DecideAll,
        REVIEW,
        lambda ask, act, progress: review_queue.decide_all(
            engine, ask, author=act.author, progress=progress, run=act.run
        ),
    )

    def propose_duplicates(ask: AskDuplicates, author: str) -> Proposed:
        asked = newest_question(engine)
        found = duplicates.propose_duplicates(engine, ask, author=author)
        settle(engine, asked)
        return found

    answer(app, calls.LIST, lambda ask, _: review_queue.review(engine, ask))
    answer(app, calls.COUNT, lambda ask, _: review_queue.count_review(engine, ask))
    answer(app, calls.DECIDE, lambda ask, author: decisions.decide(engine, ask, author=author))
    answer(
        app,
        calls.PREVIEW,
        lambda ask, author: review_queue.preview_decision(engine, ask, author=author),
        reads=True,
    )
    answer(app, calls.DECIDE_ALL, decide_all)
    answer(app, calls.PUT_OFF, lambda ask, author: review_queue.put_off(engine, ask, author=author))
    answer(app, calls.QUARANTINE, lambda ask, author: quarantine.quarantine(engine, ask, author=author))
    answer(app, calls.STANDING, lambda ask, _: standing_decisions.list_standing(engine, ask))
    answer(app, calls.STAND, lambda ask, author: standing_decisions.add_standing(engine, ask, author=author))
    answer(app, calls.REVOKE, lambda ask, author: standing_decisions.revoke(engine, ask, author=author))
    answer(app, calls.PROPOSE, lambda ask, author: review_queue.propose(engine, ask, author=author))
    answer(app, calls.DUPLICATES, lambda ask, _: duplicates.duplicates(engine, ask))
    answer(app, calls.PROPOSE_DUPLICATES, propose_duplicates)
