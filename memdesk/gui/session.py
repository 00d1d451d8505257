"""A person's actions in a window: memory is changed, and the latest action reported, undone and redone.

Panels never use the client. They start work with `spawn`, ask with `call`, change memory with `do`, and learn
of changes by signals."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from PySide6.QtCore import Signal

from memdesk.api import curation, history, upkeep
from memdesk.api.endpoint import Endpoint
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.gui.done_action import ActionStep, DoneAction, done_action, left_note
from memdesk.gui.language import marked, tr
from memdesk.gui.service_connection import Answer, Ask, ServiceConnection
from memdesk.model.curation import Redo, Undo, UndoRun
from memdesk.model.errors import Refused
from memdesk.model.history import AskHistory
from memdesk.model.message import verbatim
from memdesk.model.status import ChangeSettings, JobState

DONE = {"undo": marked("Undone: {what}"), "redo": marked("Done again: {what}")}
LATEST_LOOKED_AT = 100
"""Changes of a person's own among which the latest that can be taken back is looked for."""


class Session(ServiceConnection):
    """Connection of one window to one desk's service, with the person's actions. Create it while the event loop runs.

    Attribute: deed (the person's latest action)."""

    did = Signal(object)
    """A DoneAction."""

    def __init__(
        self,
        client: Client,
        *,
        revive: Callable[[], Awaitable[object]] | None = None,
        desk: Desk | None = None,
    ) -> None:
        super().__init__(client, revive=revive, desk=desk)
        self._acts, self._answered = 0, asyncio.Event()
        self.deed: DoneAction | None = None

    async def do(self, endpoint: Endpoint[Ask, Answer], ask: Ask, says: str = "") -> Answer:
        """Change memory, then report the action to the status line. The answer must have `change`, None if
        nothing was changed.

        says: the sentence to show; by default it is made from the answer's title."""
        with self._acting():
            answer = await self.call(endpoint, ask)
            if getattr(answer, "change", None) is not None:
                self.deed = done_action(endpoint.name, answer, says)
                self.did.emit(self.deed)
        return answer

    @contextmanager
    def _acting(self) -> Iterator[None]:
        """Mark an act as pending until the service answers; an undo requested meanwhile waits for it."""
        self._acts += 1
        self._answered.clear()
        try:
            yield
        finally:
            self._acts -= 1
            if not self._acts:
                self._answered.set()

    def did_run(self, change: int, says: str, op: str, *, is_run: bool = True) -> None:
        """Report a run to the status line; it is undone as a unit. change: any change of the run.

        is_run: False if it turned out to be a single change."""
        self.deed = DoneAction(sentence=says, change=change, op=op, at=datetime.now(UTC), run=is_run)
        self.did.emit(self.deed)

    async def set_settings(self, ask: ChangeSettings, before: ChangeSettings, says: str) -> None:
        """Change settings, then report it to the status line. before: the settings that undo it."""

        async def change(to: ChangeSettings) -> int | None:
            return (await self.call(upkeep.CHANGE_SETTINGS, to)).change

        await self.do_turn(partial(change, ask), partial(change, before), says)

    async def do_turn(self, act: ActionStep, back: ActionStep, says: str, op: str = "update") -> None:
        """Perform an action that is not a change of memory, then report it to the status line. back: the
        function that undoes it."""
        with self._acting():
            change = await act()
            if change is not None:
                now = datetime.now(UTC)
                self.deed = DoneAction(sentence=says, change=change, op=op, at=now, turn=(act, back))
                self.did.emit(self.deed)

    async def _turn_back(self, op: str) -> bool:
        """Undo or redo the person's latest action if it was not a change of memory. Returns False if it was
        one."""
        deed = self.deed
        if deed is None or deed.turn is None or (deed.op == "undo") == (op == "undo"):
            return False
        act, back = deed.turn
        subject = deed.sentence
        for said in DONE.values():
            subject = subject.removeprefix(tr(said, what=""))
        await self.do_turn(back, act, tr(DONE[op], what=subject), op)
        return True

    def undo(self, change: int | None = None) -> None:
        """Undo a change, or without one the person's own latest; with its run if it belongs to one."""
        self.spawn(self._undo(change) if change is not None else self._in_turn(partial(self._undo, None)))

    async def _in_turn(self, step: Callable[[], Awaitable[None]]) -> None:
        """Undo or redo the latest act once it is known which that is: earlier keys may still be unanswered."""
        while self._acts:
            await self._answered.wait()
        with self._acting():
            await step()

    async def _undo(self, change: int | None) -> None:
        if self.deed is not None and change in (None, self.deed.change) and await self._turn_back("undo"):
            return
        run = self._run_of(change)
        if run is not None:
            await self._take_run_back(run, "undo")
        elif change is None and (self.deed is None or self.deed.op in ("undo", "redo")):
            await self._take_latest_back(redo=False)
        else:
            await self.do(curation.UNDO, Undo(change=change))

    async def undo_run(self, change: int) -> None:
        """Undo the entire run that a change belongs to, and wait until that is done."""
        await self._take_run_back(change, "undo")

    def redo(self) -> None:
        """Reverse the latest undo."""
        self.spawn(self._in_turn(self._redo))

    async def _redo(self) -> None:
        if await self._turn_back("redo"):
            return
        if self.deed is not None and self.deed.run and self.deed.op == "undo":
            await self._take_run_back(self.deed.change, "redo")
        else:
            await self._take_latest_back(redo=True)

    def _run_of(self, change: int | None) -> int | None:
        """Return the change that names the run to undo, if the person's latest action was a run, in this
        window or before it."""
        if self.deed is not None:
            known = self.deed.run and (
                change == self.deed.change or (change is None and self.deed.op != "undo")
            )
            return self.deed.change if known else None
        last = self.status.last_change if self.status else None
        if last is None or last.run is None or last.op in ("undo", "redo"):
            return None
        mine = last.author.startswith("person:") and change in (None, last.id)
        return last.id if mine else None

    async def _take_run_back(self, change: int, op: str) -> None:
        ended = await self.finish(await self.call(curation.UNDO_RUN, UndoRun(change=change)))
        self.did_undo(ended, lambda number: tr(DONE[op], what=tr("%Ln change(s)", "", number)), op)

    def did_undo(self, ended: JobState, words: Callable[[int], str], op: str = "undo") -> str:
        """Report the undo of a run to the status line, and return the sentence. words: of the number of changes.

        Raises Refused if nothing was undone."""
        left, newest = ended.result.get("left") or {}, ended.result.get("change")
        if not isinstance(newest, int):
            nothing = tr("Nothing of it could be taken back.") if left else tr("Nothing to undo.")
            raise Refused(verbatim(nothing), next=verbatim(next(iter(left.values()), "")))
        says = words(int(ended.result.get("undone", 0))) + left_note(left)
        self.did_run(newest, says, op)
        return says

    async def _take_latest_back(self, *, redo: bool) -> None:
        """Undo the person's latest action still in effect, or redo their latest undo; with its run if it
        belongs to one."""
        ask = AskHistory(authors=(f"person:{self.person}",), limit=LATEST_LOOKED_AT, count=False)
        rows = (await self.call(history.PAGE, ask)).rows
        found = (row for row in rows if row.undoable and row.op != "redo" and (row.op == "undo") is redo)
        latest = next(found, None)
        if latest is not None and latest.run is not None:
            await self._take_run_back(latest.id, "redo" if redo else "undo")
        else:
            await (self.do(curation.REDO, Redo()) if redo else self.do(curation.UNDO, Undo()))
