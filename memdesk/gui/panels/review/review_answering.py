"""Answers to questions: to the one shown, with the text a person writes for it, or to all of the same kind."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from memdesk.api import review, workspace
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.review import question_loader, review_words
from memdesk.gui.panels.review.question_loader import QuestionLoader
from memdesk.gui.panels.review.review_answers import AlikeForm, ClaimForm, DayForm, Form, TextForm, WriteForm
from memdesk.gui.panels.review.review_question import ClashView
from memdesk.gui.panels.review.review_queue import Reading
from memdesk.gui.panels.review.review_words import CONFLICT, NAMED, QUARANTINED, Answer
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    Column,
    Control,
    Drop,
    Empty,
    Ground,
    Option,
    RowsModel,
    Table,
    Text,
    column,
    laid_out,
    pages,
    row,
)
from memdesk.gui.widgets.text import tip_text
from memdesk.model.errors import BadAsk, Conflict, MemDeskError
from memdesk.model.message import verbatim
from memdesk.model.review import DECIDED_AT_MOST, Decide, DecideAll, Question
from memdesk.model.standing_decision import LEARNED, AskStanding, Revoke, Stand, StandingRow
from memdesk.model.workspace import ResolveConflict

KINDS = {
    "agent": marked("agent {name}"),
    "channel": marked("channel {name}"),
    "workspace": marked("workspace {name}"),
}
ALL_LEARNED = marked("Everything learned")
NOT_SHOWN = marked("The next question is still loading. Press the key again when its answers are here.")


class StandForm(Form):
    """Form for a standing decision: the answer and the source. Its value is a Stand."""

    def __init__(self, question: Question, sources: Sequence[tuple[str, str, str]], suggested: str) -> None:
        type = question.type
        offered = [each for each in review_words.answers(question) if not each.writes]
        offered += [QUARANTINED] if QUARANTINED.decision in question.decisions else []
        options = [Option(value=(type, each.decision), text=tr(each.name)) for each in offered]
        hold_all = Option(
            value=(LEARNED, QUARANTINED.decision), text=tr("Quarantine all that is learned from it")
        )
        self.answers = Drop((*options, hold_all), lead=tr("Always"), name=tr("Answer"))
        # What is let in for good is nobody's first thought: where nothing is suggested, the last answer stands there.
        first = (type, suggested or review_words.answers(question)[-1].decision)
        if first in [each.value for each in options]:
            self.answers.set_value(first)
        self.sources = Drop(
            [Option(value=(kind, id), text=tr(KINDS[kind], name=name)) for kind, id, name in sources],
            lead=tr("For"),
            name=tr("Source"),
        )
        body = laid_out(row(self.answers, self.sources, None, gap=8))
        heading = tr("{type}: decide for good, without being asked again", type=tr(NAMED[type].many))
        super().__init__(heading, tr("Decide for good"), "Enter", body)
        self.give.set_enabled(bool(sources), tr("It is not known where this comes from."))

    def begin(self) -> None:
        """Give the keyboard focus to the answer, so that it is checked before it becomes permanent."""
        self.answers.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def value(self) -> Stand | None:
        """Return the standing decision, None if there is no source for it."""
        answer, source = self.answers.value(), self.sources.value()
        if not isinstance(answer, tuple) or not isinstance(source, tuple):
            return None
        return Stand(type=answer[0], decision=answer[1], source_kind=source[0], source=source[1])


class StandingPage(Ground):
    """Page of standing decisions. Signals: revoked (after a decision was revoked), left."""

    revoked = Signal()
    left = Signal()

    def __init__(self, session: Session) -> None:
        self._session = session
        self.model: RowsModel[StandingRow] = RowsModel(_columns())
        self.table = Table(self.model, name=tr("Standing decisions"))
        self.back = Control("button", tr("Back to the queue"), keys="Esc")
        says = Text(
            tr(
                "What is asked from these sources is answered so at once. Every answer stands in the audit "
                "timeline and can be taken back; what a person pinned or wrote is still asked."
            ),
            12,
            "t2",
            wrap=True,
        )
        none = Empty(
            tr("Nothing is decided for good."),
            tr("Press T at a question to answer all that its source asks."),
        )
        none.setContentsMargins(5, 0, 5, 0)
        self._rows = pages(self.table, none)
        head = row(says, self.back, gap=16, margins=(20, 12, 20, 8), stretch=says)
        super().__init__("stage", layout=column(head, self._rows, gap=0))
        self.table.pressed.connect(lambda each, _: session.spawn(self._revoke(each)))
        self.back.clicked.connect(lambda: self.left.emit())

    async def load(self) -> None:
        """Load and show the standing decisions, newest first."""
        rows = (await self._session.call(review.STANDING, AskStanding())).rows
        self.model.set_rows(rows)
        self._rows.setCurrentIndex(0 if rows else 1)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    async def _revoke(self, each: StandingRow) -> None:
        await self._session.do(review.REVOKE, Revoke(id=each.id), tr("Revoked a standing decision"))
        self.revoked.emit()


def _columns() -> tuple[Column[StandingRow], ...]:
    return (
        Column(tr("What is asked"), _asked, width=170, token="t1"),
        Column(
            tr("Source"),
            lambda each: tr(KINDS[each.source_kind], name=each.source_name),
            token="t1",
            tip=lambda each: tip_text(each.source_name),
        ),
        Column(tr("Always"), _answer, width=170, token="t1", weight=500),
        Column(
            tr("Since"),
            lambda each: formatting.minute(each.created_at),
            width=120,
            tip=lambda each: formatting.full(each.created_at),
        ),
        Column(tr("By"), lambda each: each.author.partition(":")[2], width=110),
        Column("", lambda _: tr("Revoke"), width=84, align="right", token="acc", pressable=lambda _: True),
    )


def _asked(each: StandingRow) -> str:
    return tr(ALL_LEARNED if each.type == LEARNED else NAMED[each.type].many)


def _answer(each: StandingRow) -> str:
    found = review_words.answer_of(each.type, each.decision)
    return each.decision if found is None else tr(found.name)


class Answering(QObject):
    """Controller that answers the question shown. Signals: given (ids of the questions just answered, and the
    answer's name), refused (a question's id, if it was already answered elsewhere), left (a form was closed).

    is_busy: True from an answer until the service has taken it or refused it."""

    given = Signal(object, str)
    refused = Signal(str)
    left = Signal()

    def __init__(self, session: Session, reading: Reading, looking: QuestionLoader, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._reading, self._looking = session, reading, looking
        self.is_busy = False
        reading.decisions.given.connect(self.give)

    @property
    def question(self) -> Question | None:
        """Return the question that would be answered now: the one that is fully shown."""
        return self._looking.question

    @property
    def can_answer(self) -> bool:
        """Return True if an answer would be accepted now."""
        decisions = self._reading.decisions
        return (
            self.question is not None
            and decisions.isVisible()
            and not self.is_busy
            and not self._session.why_not
        )

    def _is_ready(self, act: Callable[[], object]) -> bool:
        """Return True if a key can answer now. Otherwise keep its act for the question that is loading, or say why
        it does nothing."""
        if self.can_answer:
            return True
        if why_not := self._session.why_not:
            self._reading.decisions.notify(why_not)
        elif not self._looking.keep(act) and (self.is_busy or self.question is None):
            self._reading.decisions.notify(tr(NOT_SHOWN))
        return False

    def accept(self) -> None:
        """Give the suggested answer; if there is none, show which keys answer."""
        if not self._is_ready(self.accept):
            return
        answer = self._answer(self._looking.suggested)
        if answer is not None:
            self.give(answer)
        else:
            self._reading.decisions.ask_for_one()

    def press(self, place: int, *, alike: bool = False) -> None:
        """Give the answer with this number, from 1. alike: ask to give it to all questions of the same kind."""
        if not self._is_ready(partial(self.press, place, alike=alike)):
            return
        answers = review_words.answers(self.question) if self.question else ()
        if 1 <= place <= len(answers):
            answer = answers[place - 1]
            self.ask_alike(answer) if alike else self.give(answer)

    def _answer(self, decision: str) -> Answer | None:
        return review_words.answer(self.question, decision) if self.question else None

    def give(self, answer: Answer) -> None:
        """Answer the question; if the answer needs a text, open its form first."""
        question, view = self.question, self._reading.view
        if question is None or not self.can_answer:
            return
        if isinstance(view, ClashView):
            self._settle(view, answer)
        elif answer.writes:
            self.write(answer)
        else:
            ask = Decide(id=question.id, decision=answer.decision)
            self._start(self._decide(question, answer, ask))

    def quarantine(self) -> bool:
        """Quarantine the memory of the question instead of answering it; return True if there is a question."""
        answer = self._answer(QUARANTINED.decision)
        if answer is not None:
            self.give(answer)
        return self.question is not None

    def write_first(self) -> bool:
        """Open the form of the first answer that needs a text; return True if there is one."""
        answer = self._answer("merge") or self._answer("text")
        if answer is None or not answer.writes or not self.can_answer:
            return False
        self.give(answer)
        return True

    def write(self, answer: Answer) -> None:
        """Open the form of an answer that needs a text."""
        assert self.question is not None
        ask = Decide(id=self.question.id, decision=answer.decision)
        form = ClaimForm(review_words.second_side(self.question) or review_words.first_side(self.question))
        self._open(form, answer, lambda text: replace(ask, text=text))

    def write_day(self) -> None:
        """Open the form for another day from which the newer memory is true."""
        question, answer = self.question, self._answer("both")
        if question is None or answer is None or not self.can_answer:
            return
        at = question.subject.provenance.at or question.created_at
        ask = Decide(id=question.id, decision=answer.decision)
        self._open(DayForm(at.astimezone().date()), answer, lambda at: replace(ask, at=at))

    def _open(self, form: WriteForm, answer: Answer, asked: Callable[[Any], Decide]) -> None:
        """Open a form. asked: returns the answer for the form's value."""
        question = self.question
        assert question is not None
        form.done.connect(lambda value: self._start(self._decide(question, answer, asked(value))))
        form.changed.connect(lambda value: self._looking.preview_typed(asked(value)))
        form.cancelled.connect(self.leave_form)
        self._reading.open_form(form)
        self._looking.preview_typed(asked(form.value()))

    def leave_form(self) -> bool:
        """Close the form without answering; return True if one was open."""
        if not self._reading.close_form():
            return False
        self.left.emit()
        return True

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the work of an answer, and block further answers until it ends."""
        self.is_busy = True
        self._session.spawn(self._busily(work))

    async def _busily(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self.is_busy = False

    async def _decide(self, question: Question, answer: Answer, ask: Decide) -> None:
        try:
            says = review_words.answered_sentence(question, answer, ask.text)
            done = await self._session.do(review.DECIDE, ask, says)
        except (Conflict, BadAsk) as wrong:
            await self._refused(question, answer, wrong)
            return
        if done.run is not None:
            self._session.did_run(done.change, says, "update")
        self._gave((question.id,), answer)

    async def _refused(self, question: Question, answer: Answer, wrong: MemDeskError) -> None:
        """Report a refusal: the question was already answered, or “both” needs another day, so its form is
        opened."""
        self._session.failed.emit(wrong)
        self.is_busy = False
        if isinstance(wrong, BadAsk) and answer.decision == "both":
            self.write_day()
        elif isinstance(wrong, Conflict):
            self.refused.emit(question.id)

    def _gave(self, ids: tuple[str, ...], answer: Answer) -> None:
        self._reading.close_form()
        self.given.emit(ids, tr(answer.name))

    # Clashes of files.

    def _settle(self, view: ClashView, answer: Answer) -> None:
        conflict, question = view.conflict, self.question
        assert question is not None
        ask = ResolveConflict(
            conflict_id=conflict.conflict.id, side=answer.decision, base_hash=conflict.now_hash
        )
        if not answer.writes:
            self._start(self._resolve(question, answer, ask))
            return
        form = TextForm(conflict.conflict.path, conflict.marked)
        form.done.connect(lambda text: self._start(self._resolve(question, answer, replace(ask, text=text))))
        form.cancelled.connect(self.leave_form)
        view.show_answer(answer)
        self._reading.open_form(form)

    async def _resolve(self, question: Question, answer: Answer, ask: ResolveConflict) -> None:
        try:
            await self._session.do(workspace.RESOLVE, ask, review_words.answered_sentence(question, answer))
        except Conflict as wrong:
            await self._refused(question, answer, wrong)
            return
        self._gave((question.id,), answer)

    # All alike.

    def ask_alike(self, answer: Answer) -> None:
        """Ask for confirmation before an answer is given to every question of this type in this channel."""
        question = self.question
        if question is None or not self.can_answer or answer.writes or question.type == CONFLICT:
            return
        self._session.spawn(self._ask_alike(question, answer))

    # For good.

    def ask_always(self) -> None:
        """Open the form for a standing decision: which answer, and for which source."""
        if not self._is_ready(self.ask_always):
            return
        question = self.question
        if question is not None and question.type != CONFLICT:
            self._session.spawn(self._ask_always(question))

    async def _ask_always(self, question: Question) -> None:
        sources = await question_loader.sources(self._session, question)
        if self.question is not question:
            return
        form = StandForm(question, sources, self._looking.suggested)
        form.done.connect(lambda ask: self._start(self._stand(question, ask)))
        form.cancelled.connect(self.leave_form)
        self._reading.open_form(form)

    async def _stand(self, question: Question, ask: Stand) -> None:
        """Make a standing decision, and answer this question with it too."""
        await self._session.do(review.STAND, ask)
        answer = review_words.answer(question, ask.decision) if ask.type == question.type else None
        if answer is not None:
            await self._decide(question, answer, Decide(id=question.id, decision=answer.decision))
        else:
            self._reading.close_form()

    async def _ask_alike(self, question: Question, answer: Answer) -> None:
        found = await question_loader.alike(self._session, question, DECIDED_AT_MOST)
        if self.question is not question or not found:
            return
        form = AlikeForm(answer, _counted(question, len(found)), [review_words.title(each) for each in found])
        ids = tuple(each.id for each in found)
        form.done.connect(lambda _: self._start(self._decide_all(question, answer, ids)))
        form.cancelled.connect(self.leave_form)
        self._reading.open_form(form)

    async def _decide_all(self, question: Question, answer: Answer, ids: tuple[str, ...]) -> None:
        ask = DecideAll(ids=ids, decision=answer.decision)
        job = await self._session.finish(await self._session.call(review.DECIDE_ALL, ask))
        decided, left = int(job.result.get("decided", 0)), job.result.get("left") or {}
        says = f"{tr(answer.name)}: {_counted(question, decided)}"
        says += "; " + tr("%Ln left as (it was|they were)", "", len(left)) if left else ""
        change = job.result.get("change")
        if isinstance(change, int):
            self._session.did_run(change, says, "update")
        else:
            why = next(iter(left.values()), tr("They were answered already."))
            self._session.failed.emit(
                Conflict(verbatim(tr("None of them could be answered so.")), next=verbatim(str(why)))
            )
        self._gave(tuple(id for id in ids if id not in left), answer)


def _counted(question: Question, number: int) -> str:
    """Return the number of questions of this type and channel in words: “4 promotions in harbour”."""
    return tr(
        "{what} in {channel}", what=tr(NAMED[question.type].counted, "", number), channel=question.channel
    )
