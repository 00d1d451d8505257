"""Standing decisions in the inbox: the form that makes one from an answer, and the page that lists and
revokes them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.contract import review
from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.review import words
from memdesk.gui.review.answers import NAMED, QUARANTINED
from memdesk.gui.review.forms import Form
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
    row,
)
from memdesk.gui.widgets.tips import plain
from memdesk.model.review import Question
from memdesk.model.standing import LEARNED, AskStanding, Revoke, Stand, StandingRow

KINDS = {
    "agent": marked("agent {name}"), "channel": marked("channel {name}"), "workspace": marked("workspace {name}"),
}  # fmt: skip
ALL_LEARNED = marked("Everything learned")


class StandForm(Form):
    """Form for a standing decision: the answer and the source. Its value is a Stand."""

    def __init__(self, question: Question, sources: Sequence[tuple[str, str, str]], suggested: str) -> None:
        type = question.type
        offered = [each for each in words.answers(question) if not each.writes]
        offered += [QUARANTINED] if QUARANTINED.decision in question.decisions else []
        options = [Option(value=(type, each.decision), text=tr(each.name)) for each in offered]
        hold_all = Option(
            value=(LEARNED, QUARANTINED.decision), text=tr("Quarantine all that is learned from it")
        )
        self.answers = Drop((*options, hold_all), lead=tr("Always"), name=tr("Answer"))
        # What is let in for good is nobody's first thought: where nothing is suggested, the last answer stands there.
        first = (type, suggested or words.answers(question)[-1].decision)
        if first in [each.value for each in options]:
            self.answers.set_value(first)
        self.sources = Drop(
            [Option(value=(kind, id), text=tr(KINDS[kind], name=name)) for kind, id, name in sources],
            lead=tr("For"), name=tr("Source"),
        )  # fmt: skip
        body = QWidget()
        body.setLayout(row(self.answers, self.sources, None, gap=8))
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
        says = Text(tr("What is asked from these sources is answered so at once. Every answer stands in the audit "
                       "timeline and can be taken back; what a person pinned or wrote is still asked."), 12, "t2",
                    wrap=True)  # fmt: skip
        none = Empty(
            tr("Nothing is decided for good."),
            tr("Press T at a question to answer all that its source asks."),
        )
        none.setContentsMargins(5, 0, 5, 0)
        self._rows = QStackedWidget()
        for part in (self.table, none):
            self._rows.addWidget(part)
        head = row(says, self.back, gap=16, margins=(20, 12, 20, 8))
        head.setStretchFactor(says, 1)
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
        Column(title=tr("What is asked"), text=_asked, width=170, token="t1"),
        Column(
            title=tr("Source"), text=lambda each: tr(KINDS[each.source_kind], name=each.source_name), token="t1",
            tip=lambda each: plain(each.source_name),
        ),
        Column(title=tr("Always"), text=_answer, width=170, token="t1", weight=500),
        Column(
            title=tr("Since"), text=lambda each: times.minute(each.created_at), width=120,
            tip=lambda each: times.full(each.created_at),
        ),
        Column(title=tr("By"), text=lambda each: each.author.partition(":")[2], width=110),
        Column(
            title="", text=lambda _: tr("Revoke"), width=84, align="right", token="acc", pressable=lambda _: True
        ),
    )  # fmt: skip


def _asked(each: StandingRow) -> str:
    return tr(ALL_LEARNED if each.type == LEARNED else NAMED[each.type].many)


def _answer(each: StandingRow) -> str:
    found = words.answer_of(each.type, each.decision)
    return each.decision if found is None else tr(found.name)
