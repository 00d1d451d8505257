"""Effect of an unsaved form on recent recalls, below it: which would return another result, with the lines before and
after; one of them can be kept as a test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from memdesk.api import questions
from memdesk.gui import formatting
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import AgentMark, Control, Section, Text, column, row, rule, word_diff_markup
from memdesk.gui.widgets.layout import Item
from memdesk.gui.widgets.text import shorten
from memdesk.model.browse import Inspection
from memdesk.model.curation import EditFact, Merge, Move, Promote
from memdesk.model.effect import ActEffect, AskEffect, EffectLine, RecallEffect
from memdesk.model.errors import MemDeskError
from memdesk.model.kept_question import KeepQuestion

LOOK_MS = 500
"""Interval at which the form is looked at; its effect is asked for once it stays the same for that long."""
RECALLS_SHOWN, LINES_SHOWN = 3, 5


class EffectSection(Section):
    """Section that follows a form. request: returns the form's request now, None if it would change nothing."""

    def __init__(self, session: Session, seen: Inspection, request: Callable[[], object | None]) -> None:
        self._session, self._seen, self._request = session, seen, request
        self.says = Text("", 12, "t2", wrap=True)
        self.keep = Control(
            "chip", "", "check", tip=tr("Ask it again after every change, and say if the answer is lost")
        )
        self.found: ActEffect | None = None
        self._shown_ask: AskEffect | None = None
        self._seen_last: AskEffect | None = None
        self._task: asyncio.Task[None] | None = None
        self._recalls = QWidget()
        self._recalls.setLayout(column(gap=6))
        super().__init__(tr("Effect on recent recalls"), "", self.says, self._recalls, row(self.keep, None))
        self.keep.hide()
        self.hide()
        self._look = QTimer(self)
        self._look.timeout.connect(self._follow)
        self._look.start(LOOK_MS)

    def _follow(self) -> None:
        """Ask for the effect of the form when it has settled on another request."""
        ask = effect_of(self._seen, self._request())
        settled, self._seen_last = ask == self._seen_last, ask
        if ask is None or ask == self._shown_ask or not settled or self._session.is_away:
            return
        self._shown_ask = ask
        if self._task is not None:
            self._task.cancel()
        self.show()
        self.says.setText(tr("Asking recent recalls again…"))
        self._task = self._session.spawn(self._fetch(ask), failed=self._fail)

    def _fail(self, wrong: MemDeskError) -> None:
        self.says.setText(wrong.says)

    async def _fetch(self, ask: AskEffect) -> None:
        self.found = found = await self._session.call(questions.EFFECT, ask)
        self.says.setText(" ".join(filter(None, (found.says, found.why_not))))
        layout = column(*self._shown(found), gap=6)
        fresh = QWidget()
        fresh.setLayout(layout)
        self.body.replaceWidget(self._recalls, fresh)
        self._recalls.deleteLater()
        self._recalls = fresh
        first = next(iter(found.changed), None)
        self.keep.setVisible(first is not None)

    def _shown(self, found: ActEffect) -> Iterator[Item]:
        for each in found.changed[:RECALLS_SHOWN]:
            yield rule()
            yield self._heading(each)
            changed = [line for line in each.lines if line.before or line.was != line.now]
            yield from (_line(line) for line in changed[:LINES_SHOWN])
        left = len(found.changed) - RECALLS_SHOWN
        if left > 0:
            yield Text(tr("and %Ln more recall(s)", "", left), 12, "t3")

    def _heading(self, each: RecallEffect) -> Item:
        name, shape, who = self._session.mark(f"agent:{each.agent}")
        title = Text(f"“{each.query}”", 12, "t1", weight=500, elide=True)
        line = row(AgentMark(name, shape, who=who), title, Text(formatting.ago(each.at), 11, "t3"), gap=6)
        line.setStretch(1, 1)
        return line

    async def keep_if_wanted(self, asked: object) -> None:
        """Keep the first changed recall as a test, if the person wants it. asked: the request that was saved."""
        first = next(iter(self.found.changed), None) if self.found is not None else None
        if first is None or not self.keep.isChecked():
            return
        claim = asked.claim if isinstance(asked, EditFact) and asked.claim else self._seen.title
        ask = KeepQuestion(
            text=first.query, expects=claim, channel=first.channel, agent_id=first.agent or None
        )
        await self._session.call(questions.KEEP, ask)


def _line(line: EffectLine) -> Text:
    """Return one line of the answer, with its change: reworded, moved, new or gone."""
    if line.before:
        text = Text("", 12, "t1", wrap=True)
        before, after = shorten(line.before), shorten(line.text)
        said = tr("{before} becomes {after}", before=line.before, after=line.text)
        text.set_markup(lambda: word_diff_markup(before, after), said)
        return text
    shown = shorten(line.text)
    if line.now is None:
        return Text(tr("no longer told: {text}", text=shown), 12, "bad", wrap=True)
    if line.was is None:
        return Text(tr("now told: {text}", text=shown), 12, "ok", wrap=True)
    return Text(
        tr("from {was} to {now}: {text}", was=line.was, now=line.now, text=shown), 12, "t3", wrap=True
    )


def effect_of(seen: Inspection, asked: object | None) -> AskEffect | None:
    """Return the question about the effect of a form's request; None for one that alters no recall."""
    match asked:
        case EditFact(claim=str(claim)) if claim not in ("", seen.title):
            return AskEffect(act="edit", id=seen.id, claim=claim)
        case Move(channel=channel):
            return AskEffect(act="move", id=seen.id, channel=channel)
        case Merge(into_id=into):
            return AskEffect(act="merge", id=seen.id, into_id=into)
        case Promote():
            return AskEffect(act="promote", id=seen.id)
        case _:
            return None
