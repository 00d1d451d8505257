"""Context: memory for an agent's prompts, compaction, its archive, and sessions."""

from __future__ import annotations

from memdesk.api import context as calls
from memdesk.engine.context import compactor, history, prompt, resolving, sessions
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(app, calls.PROMPT, lambda ask, author: prompt.context(engine, ask, author=author), reads=True)
    answer(app, calls.PREVIEW, lambda ask, author: prompt.preview(engine, ask, author=author), reads=True)
    answer(app, calls.PROMPTS, lambda ask, _: sessions.prompts(engine, ask))
    answer(app, calls.SEEN, lambda ask, _: sessions.prompt(engine, ask))
    answer(app, calls.COMPACT, lambda ask, author: compactor.compact(engine, ask, author=author))
    answer(app, calls.MEASURE, lambda ask, author: compactor.measure(engine, ask, author=author), reads=True)
    answer(app, calls.FULLNESS, lambda ask, _: resolving.fullness(engine, ask))
    answer(app, calls.POLICIES, lambda _ask, _: resolving.policies(engine))
    answer(app, calls.COMPACTIONS, lambda ask, _: history.compactions(engine, ask))
    answer(app, calls.COMPACTION, lambda ask, _: history.compaction(engine, ask))
    answer(app, calls.ARCHIVE, lambda ask, _: history.archive(engine, ask))
    answer(app, calls.RESTORE, lambda ask, author: history.restore(engine, ask, author=author))
    answer(app, calls.CREATE_SESSION, lambda ask, author: sessions.create_session(engine, ask, author=author))
    answer(app, calls.RESUME_SESSION, lambda ask, _: sessions.resume_session(engine, ask))
    answer(app, calls.RESET_SESSION, lambda ask, author: sessions.reset_session(engine, ask, author=author))
    answer(app, calls.SESSIONS, lambda ask, _: sessions.sessions(engine, ask))
