"""Loading of a question: its evidence is fetched and shown, and the effect of the answer under the pointer."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, QTimer

from memdesk.contract import review, workspace
from memdesk.gui.inspectors.links import Links
from memdesk.gui.language import marked, tr
from memdesk.gui.review import fetching, words
from memdesk.gui.review.answers import CONFLICT, Answer
from memdesk.gui.review.clash_view import ClashView
from memdesk.gui.review.question_view import QuestionView
from memdesk.gui.review.reading import Reading, View
from memdesk.gui.session import Session
from memdesk.model.browse import PromotionPreview
from memdesk.model.proposal import QUARANTINE
from memdesk.model.review import Decide, DecisionPreview, Question
from memdesk.model.workspace import AskConflict

AWAY = marked("The service is away; nothing can be changed.")
WRITE_FIRST = marked("Write the claim first; then its effect shows here.")
TYPED_MS = 250
"""Delay between the last typed letter of a claim and the request for its effect."""


class Looking(QObject):
    """Controller that shows one question at a time. question: the one fully shown, None while another is
    loading.

    suggested: the decision of the suggested answer, empty for none."""

    def __init__(self, session: Session, reading: Reading, links: Links, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._reading, self._links = session, reading, links
        self._previews: dict[Decide, DecisionPreview] = {}
        self._task: asyncio.Task[None] | None = None
        self._wanted: Question | None = None
        self._pointed: Decide | None = None
        self.question: Question | None = None
        self.suggested, self._why = "", ""
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.timeout.connect(self._look_up)
        reading.decisions.pointed.connect(self.preview)
        reading.failure.retried.connect(self._again)
        session.away.connect(lambda _: self._show_whether_able())
        session.back.connect(self._show_whether_able)

    def read(self, question: Question | None, *, anew: bool = False) -> None:
        """Show a question with its evidence, or none. anew: even if it is already shown."""
        if question is None:
            self._wanted = self.question = None
            self._reading.show_nothing()
            return
        same = self.question is not None and question.id == self.question.id
        settled = self._reading.closed.isHidden() and not anew
        if same and (self._reading.form is not None or settled):
            return
        self._wanted, self.question, self._pointed = question, None, None
        self._previews.clear()
        self._reading.wait()
        self._again()

    def _again(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._wanted is not None:
            self._task = self._session.spawn(self._show(self._wanted), failed=self._reading.show_failure)

    async def _show(self, question: Question) -> None:
        view, promotion = await self._view(question)
        if self._wanted is not question:
            view.deleteLater()
            return
        self.question = question
        answers = words.answers(question)
        self.suggested, self._why = words.suggestion(question, promotion)
        is_file = question.type == CONFLICT
        self._reading.decisions.show_answers(answers, self.suggested)
        self._reading.decisions.offer(alike=not is_file, quarantine=QUARANTINE in question.decisions)
        self._reading.show_view(view)
        self._show_whether_able()
        self.preview(next((each for each in answers if each.decision == self.suggested), answers[0]))

    async def _view(self, question: Question) -> tuple[View, PromotionPreview | None]:
        if question.type == CONFLICT:
            ask = AskConflict(conflict_id=question.id)
            return ClashView(self._session, await self._session.call(workspace.CONFLICT, ask)), None
        found = await fetching.evidence(self._session, question)
        return QuestionView(self._session, question, found, self._links), found.promotion

    def _show_whether_able(self) -> None:
        """Disable the answers while the service is away."""
        self._reading.decisions.set_enabled(not self._session.is_away, tr(AWAY))

    # What an answer would do.

    def preview(self, answer: Answer) -> None:
        """Show the effect of an answer without giving it."""
        view = self._reading.view
        if self.question is None:
            return
        if isinstance(view, ClashView):
            view.show_answer(answer)
        elif answer.writes and isinstance(view, QuestionView):
            self._pointed = None
            view.show_preview(answer, DecisionPreview(decision=answer.decision, why_not=tr(WRITE_FIRST)), "")
        else:
            self._pointed = Decide(id=self.question.id, decision=answer.decision)
            self._look_up()

    def preview_typed(self, ask: Decide) -> None:
        """Show the effect of an answer with the text that is being typed."""
        self._pointed = ask
        self._typed.start(TYPED_MS)

    def _look_up(self) -> None:
        ask = self._pointed
        if ask is None:
            return
        if ask in self._previews:
            self._show_preview(ask)
        else:
            self._session.spawn(self._fetch(ask))

    async def _fetch(self, ask: Decide) -> None:
        self._previews[ask] = await self._session.call(review.PREVIEW, ask)
        self._show_preview(ask)

    def _show_preview(self, ask: Decide) -> None:
        """Show a fetched preview, unless another answer is being previewed by now."""
        view, question = self._reading.view, self.question
        if ask != self._pointed or question is None or not isinstance(view, QuestionView):
            return
        answer = words.answer(question, ask.decision)
        if answer is not None:
            why = self._why if self.suggested == ask.decision else ""
            view.show_preview(answer, self._previews[ask], why)
