"""View of one question: the reason, both sides with their evidence, and the effect of the answer."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from memdesk.gui.frame import times
from memdesk.gui.inspectors.links import Links
from memdesk.gui.language import tr
from memdesk.gui.review import evidence, words
from memdesk.gui.review.answers import NAMED, Answer
from memdesk.gui.review.card import Card
from memdesk.gui.review.effects import Effects
from memdesk.gui.session import Session
from memdesk.gui.widgets import Tag, Text, column, row, rule
from memdesk.model.browse import Inspection, PromotionPreview
from memdesk.model.proposal import QUARANTINE
from memdesk.model.review import DecisionPreview, Question, Side

BESIDE_FROM_PX = 560
"""Width from which the cards are placed side by side."""
STANDS = {"keep_other": "A", "keep_subject": "B", "apply": "B", "theirs": "A", "ours": "B"}
"""Side that an answer keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Data fetched about a question: its memories by id, and the preview of a promotion."""

    seen: dict[str, Inspection]
    promotion: PromotionPreview | None = None


class Cards(QWidget):
    """Two cards side by side, or one below the other if there is no space."""

    def __init__(self, *cards: QWidget) -> None:
        super().__init__()
        self._line = row(*cards, gap=12)
        for place in range(len(cards)):
            self._line.setStretch(place, 1)
        self.setLayout(self._line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the direction that fits the width."""
        super().resizeEvent(event)
        beside = event.size().width() >= BESIDE_FROM_PX
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._line.direction() != way:
            self._line.setDirection(way)


class QuestionView(QWidget):
    """View of one question, created for each question. The signal `opened` carries the id of a side that was
    pressed."""

    opened = Signal(str)

    def __init__(self, session: Session, question: Question, found: Evidence, links: Links) -> None:
        super().__init__()
        self.question, self._session, self._links = question, session, links
        self.cards = tuple(self._cards(found))
        self.effects = Effects()
        for card in self.cards:
            card.opened.connect(self.opened)
        self.setLayout(
            column(self._head(), Cards(*self.cards), 6, self.effects, None, gap=12, margins=(20, 12, 20, 16))
        )

    def _head(self) -> QWidget:
        question = self.question
        kind = NAMED[question.type]
        asked = tr("told by {agent}") if question.type == QUARANTINE else tr("asked by {agent}")
        by = [asked.format(agent=question.agent_id)] if question.agent_id else []
        why = Text(
            " · ".join([question.reason, *by, times.minute(question.created_at)]), 12, "t2", elide=True
        )
        head = QWidget()
        tag = Tag(tr(kind.name), kind.tone)  # type: ignore[arg-type]
        line = row(tag, evidence.where(self._session, question.channel), why, gap=10)
        line.setStretchFactor(why, 1)
        head.setLayout(line)
        return head

    def _cards(self, found: Evidence) -> list[Card]:
        question, links = self.question, self._links
        subject = question.subject
        self._readers = found.promotion.readers if found.promotion else ()
        if question.other is not None:
            a, b = words.sides(question)
            duplicate = question.type == "duplicate"
            return [
                Card(
                    letter, self._role(role, side), side.title, *evidence.figures(side, found.seen.get(side.id)),
                    *evidence.source(self._session, side, found.seen.get(side.id), links), id=side.id,
                    other=against.title,
                )
                for letter, role, side, against in (
                    ("A", tr("stays") if duplicate else tr("existing"), a, b),
                    ("B", tr("would go into A") if duplicate else tr("new"), b, a),
                )
            ]  # fmt: skip
        seen = found.seen.get(subject.id)
        parts = [*evidence.figures(subject, seen), *evidence.source(self._session, subject, seen, links)]
        proposed = words.proposed(question)
        if question.type == "correction":
            corrected = Text(question.reason, 12, "t2", wrap=True, selectable=True)
            return [
                Card("A", tr("as it stands"), subject.title, *parts, id=subject.id, other=proposed),
                Card("B", tr("as it is proposed"), proposed, corrected, other=subject.title),
            ]
        cards = [Card("A", tr("in {channel}", channel=subject.channel), subject.title, *parts, id=subject.id)]
        if found.promotion is not None:
            conditions = evidence.conditions(found.promotion)
            held = evidence.held(found.promotion, links)
            cards.append(Card("B", "_global", tr("What _global holds already"), *held, rule(), *conditions))
        return cards

    def _role(self, role: str, side: Side) -> str:
        """Return the role of a side, with its channel if that differs from the question's."""
        if side.channel == self.question.channel:
            return role
        return tr("{role}, in {channel}", role=role, channel=side.channel)

    def show_preview(self, answer: Answer, preview: DecisionPreview, note: str) -> None:
        """Show the effect of an answer, and the side that would be kept."""
        stands = STANDS.get(answer.decision, "")
        for letter, card in zip("AB", self.cards, strict=False):
            card.set_chosen(letter == stands)
        self.effects.show_preview(self.question, answer, preview, note, self._readers)
