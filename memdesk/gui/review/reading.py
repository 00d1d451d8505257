"""Right side of the inbox: the question shown, and below it the answers, a form, or a notice that it was
answered."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.review.clash_view import ClashView
from memdesk.gui.review.decisions import Decisions
from memdesk.gui.review.forms import Form
from memdesk.gui.review.question_view import QuestionView
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Empty, Failure, Ground, Scroll, Skeleton, Text, column, row
from memdesk.model.errors import MemDeskError
from memdesk.model.history import EventRow

View = QuestionView | ClashView


class Closed(Ground):
    """Notice that a question is no longer open. Signals: went_on, event_asked (its number)."""

    went_on = Signal()
    event_asked = Signal(int)

    def __init__(self) -> None:
        self.sentence = Text("", 13, "t1", weight=500, wrap=True)
        self.detail = Text("", 12, "t2", wrap=True)
        self.next = Control("primary", tr("Next"), keys="Enter")
        self.see = Control("button", tr("Show the change"))
        self._event: EventRow | None = None
        buttons = row(self.next, self.see, None, gap=8)
        super().__init__(
            "panel", "top", column(self.sentence, self.detail, buttons, gap=6, margins=(20, 12, 20, 12))
        )
        self.next.clicked.connect(lambda: self.went_on.emit())
        self.see.clicked.connect(lambda: self._event and self.event_asked.emit(self._event.id))

    def show_event(self, session: Session, event: EventRow | None) -> None:
        """Show who answered, the answer and the time; or that one of its memories was removed."""
        self._event = event
        self.see.setVisible(event is not None)
        if event is None or event.op in ("learn", "store", "undo"):
            self.sentence.setText(tr("This question is open no more."))
            self.detail.setText(tr("One of its memories has left recall, or the question was taken back."))
            return
        name, _, _ = session.mark(event.author)
        mine = event.author == f"person:{session.person}"
        when = times.ago(event.at)
        elsewhere = tr("You have answered this elsewhere, {when}.", when=when)
        self.sentence.setText(
            elsewhere if mine else tr("{name} has answered this, {when}.", name=name, when=when)
        )
        self.detail.setText(event.title)


class Reading(Ground):
    """View of one question at a time; `decisions` are its answers. Signals: went_on, event_asked, opened (a
    side)."""

    went_on = Signal()
    event_asked = Signal(int)
    opened = Signal(str)

    def __init__(self) -> None:
        self.decisions, self.closed = Decisions(), Closed()
        self.view: View | None = None
        self.form: Form | None = None
        self._area = QStackedWidget()
        self._wait = Skeleton(rows=8, pitch=44)
        self.failure = Failure("")
        self._nothing = Empty(tr("No question is chosen."), tr("J and K move through the queue."))
        self._area.addWidget(self._nothing)
        self._area.addWidget(self._wait)
        self._area.addWidget(self.failure)
        self._foot = column(self.decisions, self.closed, gap=0)
        super().__init__("stage", layout=column(self._area, self._foot, gap=0))
        self.closed.went_on.connect(self.went_on)
        self.closed.event_asked.connect(self.event_asked)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Show that no question is selected."""
        self._put(None)
        self._area.setCurrentWidget(self._nothing)
        self.decisions.hide()
        self.closed.hide()

    def wait(self) -> None:
        """Prepare for another question; the one shown stays until it is loaded."""
        self.close_form()
        self.closed.hide()
        if self.view is None:
            self._area.setCurrentWidget(self._wait)

    def show_failure(self, wrong: MemDeskError) -> None:
        """Show that the question could not be fetched; the queue stays usable."""
        self._put(None)
        self.decisions.hide()
        self.failure.set_words(wrong.says, wrong.next)
        self._area.setCurrentWidget(self.failure)

    def show_view(self, view: View) -> None:
        """Show a question."""
        self._put(view)
        self.closed.hide()
        self.decisions.show()

    def _put(self, view: View | None) -> None:
        old = self.view
        self.close_form()
        self.view = view
        if view is not None:
            area = Scroll(view, "stage")
            self._area.addWidget(area)
            self._area.setCurrentWidget(area)
            if isinstance(view, QuestionView):
                view.opened.connect(self.opened)
        if old is not None:
            for place in range(self._area.count() - 1, -1, -1):
                area_of = self._area.widget(place)
                if isinstance(area_of, Scroll) and area_of.widget() is old:
                    self._area.removeWidget(area_of)
                    area_of.deleteLater()

    def show_closed(self, session: Session, event: EventRow | None) -> None:
        """Show that the question is no longer open, in place of its answers."""
        self.close_form()
        self.decisions.hide()
        self.closed.show_event(session, event)
        self.closed.show()

    def open_form(self, form: Form) -> None:
        """Show a form in place of the answers."""
        self.close_form()
        self.form = form
        self._foot.addWidget(form)
        self.decisions.hide()
        form.begin()

    def close_form(self) -> bool:
        """Close the form and show the answers again; return True if a form was open."""
        form, self.form = self.form, None
        if form is None:
            return False
        form.hide()
        self._foot.removeWidget(form)
        form.deleteLater()
        self.decisions.show()
        return True
