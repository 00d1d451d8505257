"""Curation: changes a person makes to memory."""

from __future__ import annotations

from typing import Any

from memdesk.api import curation
from memdesk.engine import undo
from memdesk.engine.memory import bulk, curate, erase, merge, promotion, scope, tags
from memdesk.model.curation import Bulk, EraseUser, UndoRun
from memdesk.model.errors import Conflict
from memdesk.model.kind import new_id
from memdesk.model.status import JobState
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host

BULK = "bulk"
ERASE = "erase"
UNDO = "undo"


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine

    def take_run_back(ask: UndoRun, author: str) -> JobState:
        return host.acts.start(ask, author=author, run=new_id("run", engine.clock()))

    def take_run_back_now(ask: UndoRun, author: str) -> dict[str, Any]:
        """Undo a run and return its result. Raises Conflict if it did not succeed.

        It is a job too, so that it is recorded and the watch of workspaces waits for its end."""
        ended = host.jobs.wait(take_run_back(ask, author).id)
        if ended.state != "done":
            raise Conflict(ended.says)
        return ended.result

    def act_on_many(ask: Bulk, author: str) -> JobState:
        bulk.check(ask)
        return host.acts.start(ask, author=author, run=new_id("run", engine.clock()))

    def erase_user(ask: EraseUser, author: str) -> JobState:
        erase.check(ask)
        return host.acts.start(ask, author=author)

    host.acts.learn(
        UndoRun,
        UNDO,
        lambda ask, act, progress: undo.undo_run(
            engine, ask, author=act.author, progress=progress, run=act.run
        ),
    )
    host.acts.learn(
        Bulk,
        BULK,
        lambda ask, act, progress: bulk.bulk(engine, ask, author=act.author, progress=progress, run=act.run),
    )
    host.acts.learn(
        EraseUser,
        ERASE,
        lambda ask, act, progress: erase.erase_user(
            engine, ask, author=act.author, progress=progress, again=act.again
        ),
    )

    answer(app, curation.PREVIEW_PROMOTION, lambda ask, _: promotion.preview_promotion(engine, ask))
    answer(app, curation.PROMOTE, lambda ask, author: promotion.promote(engine, ask, author=author))
    answer(app, curation.DEMOTE, lambda ask, author: curate.demote(engine, ask, author=author))
    answer(app, curation.EDIT_FACT, lambda ask, author: curate.edit_fact(engine, ask, author=author))
    answer(app, curation.RETIRE, lambda ask, author: curate.retire(engine, ask, author=author))
    answer(app, curation.RESTORE, lambda ask, author: curate.restore(engine, ask, author=author))
    answer(app, curation.FORGET, lambda ask, author: curate.forget(engine, ask, author=author))
    answer(app, curation.MOVE, lambda ask, author: scope.move(engine, ask, author=author))
    answer(app, curation.LINK, lambda ask, author: scope.link(engine, ask, author=author))
    answer(app, curation.UNLINK, lambda ask, author: scope.unlink(engine, ask, author=author))
    answer(app, curation.PREVIEW_MERGE, lambda ask, _: merge.preview_merge(engine, ask))
    answer(app, curation.MERGE, lambda ask, author: merge.merge(engine, ask, author=author))
    answer(app, curation.TAG, lambda ask, author: tags.tag(engine, ask, author=author))
    answer(app, curation.UNTAG, lambda ask, author: tags.untag(engine, ask, author=author))
    answer(app, curation.RENAME_TAG, lambda ask, author: tags.rename_tag(engine, ask, author=author))
    answer(app, curation.TAGS, lambda ask, _: tags.list_tags(engine, ask))
    answer(app, curation.PIN, lambda ask, author: curate.pin(engine, ask, author=author))
    answer(app, curation.RESCUE, lambda ask, author: curate.rescue(engine, ask, author=author))
    answer(app, curation.UNDO, lambda ask, author: undo.undo(engine, ask, author=author))
    answer(app, curation.UNDO_RUN, take_run_back)
    answer(
        app,
        curation.REDO,
        lambda ask, author: undo.redo(
            engine, ask, author=author, whole=lambda run: take_run_back_now(run, author)
        ),
    )
    answer(
        app,
        curation.PREVIEW_BULK,
        lambda ask, author: bulk.preview_bulk(engine, ask, author=author),
        reads=True,
    )
    answer(app, curation.BULK, act_on_many)
    answer(app, curation.ERASE_USER, erase_user)
