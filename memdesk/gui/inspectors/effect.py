"""Effect of an unsaved form, or of an act on a set, on recent recalls: which would return another result, with the
lines before and after; one of them can be kept as a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QTimer, Signal

from memdesk.api import questions
from memdesk.gui import formatting
from memdesk.gui.language import sentences, tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    AgentMark,
    Control,
    Section,
    Text,
    column,
    laid_out,
    row,
    rule,
    word_diff_markup,
)
from memdesk.gui.widgets.layout import Item
from memdesk.gui.widgets.text import shorten
from memdesk.model.browse import Inspection
from memdesk.model.curation import Bulk, EditFact, Merge, Move, Promote
from memdesk.model.questions import (
    KEPT_CHARACTERS,
    TRIED,
    ActEffect,
    AskEffect,
    EffectLine,
    KeepQuestion,
    RecallEffect,
)

LOOK_MS = 500
"""Interval at which the form is looked at; its effect is asked for once it stays the same for that long."""
RECALLS_SHOWN, LINES_SHOWN = 3, 5


class EffectSection(Section):
    """Section that follows what a form or a sheet asks. request: returns it now, None if it would alter no recall.

    Signal: told, the sentence changed."""

    told = Signal(str)

    def __init__(self, session: Session, request: Callable[[], AskEffect | None]) -> None:
        self._session, self._request = session, request
        self.says = Text("", 12, "t2", wrap=True)
        self.keep = Control(
            "chip",
            tr("Keep as a test"),
            "check",
            tip=tr("Ask it again after every change, and say if the answer is lost"),
        )
        self.test = Text("", 12, "t3", wrap=True)
        self.found: ActEffect | None = None
        self._shown_ask: AskEffect | None = None
        self._seen_last: AskEffect | None = None
        self._task = Newest(session)
        self._recalls = laid_out(column(gap=6))
        super().__init__(
            tr("Effect on recent recalls"), "", self.says, self._recalls, row(self.keep, None), self.test
        )
        self.hide()
        self._look = QTimer(self)
        self._look.timeout.connect(self._follow)
        self._look.start(LOOK_MS)

    def _follow(self) -> None:
        """Ask for the effect of the request when it has settled on another one."""
        ask = self._request()
        settled, self._seen_last = ask == self._seen_last, ask
        if ask == self._shown_ask or not (settled or ask is None) or self._session.is_away:
            return
        self._shown_ask = ask
        self._task.cancel()
        self.setVisible(ask is not None)
        self._show(None)
        self._tell("" if ask is None else tr("Asking recent recalls again…"))
        if ask is not None:
            self._task.start(self._fetch(ask), failed=lambda wrong: self._tell(wrong.says))

    async def _fetch(self, ask: AskEffect) -> None:
        found = await self._session.call(questions.EFFECT, ask)
        left = tr("%Ln memor(y|ies) of the set (was|were) not tried.", "", found.untried)
        self._show(found)
        self._tell(sentences(found.says, found.why_not, left if found.untried else ""))

    def _tell(self, sentence: str) -> None:
        self.says.setText(sentence)
        self.told.emit(sentence)

    def _show(self, found: ActEffect | None) -> None:
        """Show the altered recalls, and the test that one of them can be kept as."""
        self.found = found
        fresh = laid_out(column(*(self._shown(found) if found else ()), gap=6))
        self.body.replaceWidget(self._recalls, fresh)
        self._recalls.deleteLater()
        self._recalls = fresh
        test = _test_of(found) if found else None
        for part in (self.keep, self.test):
            part.setVisible(test is not None)
        if test is not None:
            asked, expects = shorten(test.text), shorten(test.expects)
            self.test.setText(tr("“{question}” must tell “{answer}”", question=asked, answer=expects))

    def _shown(self, found: ActEffect) -> Iterator[Item]:
        for each in found.changed[:RECALLS_SHOWN]:
            yield rule()
            yield self._heading(each)
            changed = [line for line in each.lines if line.before or line.was != line.now]
            changed.sort(key=lambda line: not line.before and None not in (line.was, line.now))
            yield from (_line(line) for line in changed[:LINES_SHOWN])
        left = len(found.changed) - RECALLS_SHOWN
        if left > 0:
            yield Text(tr("and %Ln more recall(s)", "", left), 12, "t3")

    def _heading(self, each: RecallEffect) -> Item:
        name, shape, who = self._session.mark(f"agent:{each.agent}")
        title = Text(f"“{each.query}”", 12, "t1", weight=500, elide=True)
        return row(
            AgentMark(name, shape, who=who),
            title,
            Text(formatting.ago(each.at), 11, "t3"),
            gap=6,
            stretch=title,
        )

    async def keep_if_wanted(self) -> None:
        """Keep the test that is shown, if the person wants it."""
        test = _test_of(self.found) if self.found and self.keep.isChecked() else None
        if test is not None:
            await self._session.call(questions.KEEP, test)


def _test_of(found: ActEffect) -> KeepQuestion | None:
    """Return the first altered recall as a test of a line that the act brings or rewords, else of its first line.

    A recall that tells nothing any more, or is too long to be kept, is none."""
    for each in found.changed:
        told = [line for line in each.lines if line.now is not None and len(line.text) <= KEPT_CHARACTERS]
        told.sort(key=lambda line: not (line.before or line.was is None))
        if told and len(each.query) <= KEPT_CHARACTERS:
            return KeepQuestion(
                text=each.query, expects=told[0].text, channel=each.channel, agent_id=each.agent or None
            )
    return None


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
            return AskEffect(act="edit", ids=(seen.id,), claim=claim)
        case Move(channel=channel):
            return AskEffect(act="move", ids=(seen.id,), channel=channel)
        case Merge(into_id=into):
            return AskEffect(act="merge", ids=(seen.id,), into_id=into)
        case Promote():
            return AskEffect(act="promote", ids=(seen.id,))
        case _:
            return None


def effect_of_set(ask: Bulk) -> AskEffect | None:
    """Return the question about the effect of an act on a set; None for one that alters no recall."""
    if ask.verb not in TRIED:
        return None
    return AskEffect(act=ask.verb, ids=ask.ids, channel=ask.channel or "", into_id=ask.into_id or "")
