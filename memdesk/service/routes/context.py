"""Context: memory for an agent's prompts, compaction, its archive, and sessions."""

from __future__ import annotations

from memdesk.contract import context as contract
from memdesk.engine.context import compactor, history, prompt, resolving, sessions
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine
    answer(app, contract.PROMPT, lambda ask, author: prompt.context(engine, ask, author=author), reads=True)
    answer(app, contract.PREVIEW, lambda ask, author: prompt.preview(engine, ask, author=author), reads=True)
    answer(app, contract.PROMPTS, lambda ask, _: sessions.prompts(engine, ask))
    answer(app, contract.SEEN, lambda ask, _: sessions.prompt(engine, ask))
    answer(app, contract.COMPACT, lambda ask, author: compactor.compact(engine, ask, author=author))
    answer(
        app, contract.MEASURE, lambda ask, author: compactor.measure(engine, ask, author=author), reads=True
    )
    answer(app, contract.FULLNESS, lambda ask, _: resolving.fullness(engine, ask))
    answer(app, contract.POLICIES, lambda _ask, _: resolving.policies(engine))
    answer(app, contract.COMPACTIONS, lambda ask, _: history.compactions(engine, ask))
    answer(app, contract.COMPACTION, lambda ask, _: history.compaction(engine, ask))
    answer(app, contract.ARCHIVE, lambda ask, _: history.archive(engine, ask))
    answer(app, contract.RESTORE, lambda ask, author: history.restore(engine, ask, author=author))
    answer(
        app, contract.CREATE_SESSION, lambda ask, author: sessions.create_session(engine, ask, author=author)
    )
    answer(app, contract.RESUME_SESSION, lambda ask, _: sessions.resume_session(engine, ask))
    answer(
        app, contract.RESET_SESSION, lambda ask, author: sessions.reset_session(engine, ask, author=author)
    )
    answer(app, contract.SESSIONS, lambda ask, _: sessions.sessions(engine, ask))
