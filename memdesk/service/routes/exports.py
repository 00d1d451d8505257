"""Exports: list the export formats, preview an export, and write memory to a file or folder."""

from __future__ import annotations

from memdesk.api import exports
from memdesk.engine.interop import formats
from memdesk.model.exports import AskExport
from memdesk.model.status import JobState
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host

EXPORT = "export"


def register(app: DeskApp, host: Host) -> None:
    def start(ask: AskExport, author: str) -> JobState:
        formats.check(ask)
        return host.acts.start(ask, author=author)

    host.acts.learn(AskExport, EXPORT, lambda ask, _, progress: formats.export(host.engine, ask, progress))

    answer(app, exports.FORMATS, lambda _ask, _: formats.formats())
    answer(app, exports.PREVIEW, lambda ask, _: formats.preview(host.engine, ask))
    answer(app, exports.START, start)
