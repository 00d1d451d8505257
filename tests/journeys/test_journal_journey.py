"""Every kind of change the desk can journal, shown, undone, redone and exported over the real socket.

The scenes that record the examples make every call there is; what each of them journals is taken through here."""

from __future__ import annotations

import ast
import asyncio
import importlib
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memdesk.api import backups, curation, exports, history, memory, upkeep
from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.client.client import Client
from memdesk.files.notices import DAMAGED, Notices
from memdesk.files.places import Desk
from memdesk.model.browse import Inspect
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk, Conflict, NotFound, Refused
from memdesk.model.history import OPERATIONS, AskAudit, AskEvent, AskHistory, EventDetail, EventRow
from memdesk.model.interop import AskExport
from memdesk.model.kinds import KINDS
from memdesk.model.status import AskJob, JobState, Nothing

PACKAGING = Path(__file__).parents[2] / "packaging"
ENGINE = Path(__file__).parents[2] / "memdesk" / "engine"
PAGE = 100


class Player:
    """Asks for the scenes, and takes every change they made through whatever a person may do with it."""

    def __init__(self, desk: Desk, owner: Client, agent: Client) -> None:
        self.desk, self.owner, self.agent = desk, owner, agent
        self.asked: set[str] = set()
        self.seen = 0
        self.shown: Counter[str] = Counter()
        self.kinds: dict[str, set[str]] = {"done": set(), "undo": set(), "redo": set()}
        self.records: set[str] = set()
        self.imports: set[int] = set()

    async def __call__(self, endpoint: Endpoint[Any, Any], ask: Any) -> Any:
        self.asked.add(endpoint.name)
        if endpoint is upkeep.STOP:
            await self.written_out()
            await self.imports_taken_back()
            return None
        answer = await (self.owner if endpoint.owner else self.agent).call(endpoint, ask)
        if endpoint is backups.RESTORE:
            return answer  # The service begins again; the call after it looks at what came.
        if not (isinstance(answer, JobState) and answer.state in ("waiting", "running")):
            await self.there_and_back()
        return answer

    async def ended(self, job: JobState) -> JobState:
        while job.state in ("waiting", "running"):
            await asyncio.sleep(0.02)
            job = await self.owner.call(upkeep.JOB, AskJob(id=job.id))
        assert job.state == "done", job.says
        await self.there_and_back()
        return job

    async def there_and_back(self) -> None:
        """Show what came since the last time, undo it newest first, and redo it in the order it was made.

        Imports wait for the end: a folder's files are read anew while the import is out of effect."""
        undone: list[int] = []
        for row in await self.new_rows():
            await self.show(row.id, "done")
            if row.op == "import":
                self.imports.add(row.id)
            elif row.undoable and (undo := await self.take_back(row.id)) is not None:
                await self.show(undo, "undo")
                undone.append(undo)
        for undo in reversed(undone):
            redo = (await self.owner.call(curation.UNDO, Undo(change=undo))).change
            await self.show(redo, "redo")
        self.seen = (await self.owner.call(history.PAGE, AskHistory(limit=1))).rows[0].id

    async def new_rows(self) -> list[EventRow]:
        """Events that were not looked at yet, newest first."""
        found: list[EventRow] = []
        while True:
            page = await self.owner.call(history.PAGE, AskHistory(first=len(found), limit=PAGE))
            found += [row for row in page.rows if row.id > self.seen]
            if len(page.rows) < PAGE or page.rows[-1].id <= self.seen:
                return found

    async def take_back(self, change: int) -> int | None:
        """The change that undid one; None where the desk says why it cannot be."""
        with suppress(Conflict, Refused):
            return (await self.owner.call(curation.UNDO, Undo(change=change))).change
        return None

    async def show(self, number: int, how: str) -> None:
        detail: EventDetail = await self.owner.call(history.EVENT, AskEvent(id=number))
        self.shown[detail.row.op] += 1
        touched = {move.kind for move in detail.moves} | {record.kind for record in detail.records}
        self.kinds[how] |= touched
        self.records |= {record.id for record in detail.records}

    async def written_out(self) -> None:
        """Export the desk in every format there is, with its history, and read its audit log to the end."""
        for form in (await self.owner.call(exports.FORMATS, Nothing())).rows:
            path = str(self.desk.folder.parent / f"all-{form.name}{form.suffix}")
            ask = AskExport(format=form.name, path=path, history=form.name == "archive")
            await self.ended(await self.owner.call(exports.START, ask))
        after, rows = None, 0
        while True:
            page = await self.owner.call(history.AUDIT, AskAudit(after=after, limit=PAGE))
            rows += len(page.rows)
            if (after := page.next) is None:
                break
        assert rows
        for id in self.records:
            with suppress(NotFound, BadAsk):
                await self.owner.call(memory.INSPECT, Inspect(id=id))

    async def imports_taken_back(self) -> None:
        """Undo what was imported, newest first, and what became of it then."""
        for change in sorted(self.imports, reverse=True):
            undo = await self.take_back(change)
            redo = None if undo is None else await self.take_back(undo)
            for number, how in ((undo, "undo"), (redo, "redo")):
                if number is not None:
                    await self.show(number, how)
        for row in await self.new_rows():
            await self.show(row.id, "done")


def test_every_operation_named_in_the_code_is_a_declared_one() -> None:
    named = {
        word.value.value
        for file in ENGINE.rglob("*.py")
        for word in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(word, ast.keyword) and word.arg == "op" and isinstance(word.value, ast.Constant)
    }
    assert named <= set(OPERATIONS)
    assert {"store", "learn", "update", "retire", "delete", "import"} <= named


@pytest.mark.timeout(300)
def test_whatever_the_desk_journals_is_shown_undone_redone_and_exported(
    running_service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING))
    scenes = importlib.import_module("scenes")
    desk = running_service.desk
    in_file = desk.address is None
    running_service.stop()
    Notices(desk.notices).note(DAMAGED, "fact 7", "f_1", 1)  # For the scene that answers one.
    running_service.start()

    async def play() -> Player:
        async with Client(desk) as owner, Client(desk, agent="forge") as agent:
            player = Player(desk, owner, agent)
            await scenes.play(player, in_file=in_file)
            return player

    player = asyncio.run(play())
    of_a_file = set() if in_file else {backups.MAKE.name, backups.RESTORE.name}
    assert player.asked == {endpoint.name for endpoint in ENDPOINTS} - of_a_file, "a call that no scene makes"
    assert set(player.shown) == set(OPERATIONS), "an operation that no scene journals"
    names = {kind.name for kind in KINDS}
    assert player.kinds == {"done": names, "undo": names, "redo": names}
