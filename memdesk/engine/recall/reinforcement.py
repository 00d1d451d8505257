"""Effects of a recall, written after the answer: an event in the timeline, and a lift of the memories
returned to an agent."""

from __future__ import annotations

import logging
from concurrent.futures import Future

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.recall_cache import Answered
from memdesk.engine.wording import shortened
from memdesk.model.entity import Entity
from memdesk.model.fact import Fact
from memdesk.model.recall import Query
from memdesk.store import recalls
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal
from memdesk.store.recalls import Recalled, RecallEvent, Use

log = logging.getLogger(__name__)


def write_down(engine: Engine, query: Query, answered: Answered, *, author: str, took_us: int) -> None:
    """Record a recall after it was answered, so that the agent does not wait for the disk."""
    now = engine.clock()
    seqs = [each.seq for each in answered.returned]
    title = f"“{shortened(query.text, 60)}” → {_counted(len(seqs))}"

    def write(db: Connection, _index: Index, journal: Journal) -> int:
        used = recalls.uses(db, seqs)
        returned = tuple(
            Recalled(
                seq=each.seq,
                score=each.score,
                salience=_lifted(engine, each.source, used.get(each.seq)),
                parts=each.parts,
            )  # fmt: skip
            for each in answered.returned
        )
        event = RecallEvent(
            at=now, title=title, author=author, channel=query.channel, user_id=query.user_id,
            conversation_id=query.conversation_id, session_id=query.session_id, query=query.text, took_us=took_us,
            hits=returned, crossed=answered.bundle.crossed, channels=answered.bundle.channels,
        )  # fmt: skip
        return recalls.record(db, journal, event)

    engine.store.maintain(write).add_done_callback(_log_failure)


def _lifted(engine: Engine, source: object, use: Use | None) -> float:
    """Return a memory's salience after this recall, counting the recalls recorded before it."""
    fades = isinstance(source, Fact | Entity)
    before = salience_now(engine, source, use) if fades else engine.settings.new_salience
    return salience.lifted(before, engine.settings)


def _counted(hits: int) -> str:
    return "1 hit" if hits == 1 else f"{hits} hits"


def _log_failure(written: Future[int]) -> None:
    if error := written.exception():
        log.error("a recall was answered but could not be written down", exc_info=error)
