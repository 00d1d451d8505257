"""View of the exact context text an agent gets before its turn, with its cost and the pieces left out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.gui.editor.paper import Paper
from memdesk.gui.frame import times
from memdesk.gui.help.asking import explain_terms
from memdesk.gui.language import marked, tr
from memdesk.gui.widgets import Drop, Ground, Option, Text, column, row
from memdesk.model.prompt import ToldContext

FORMATS = (("neutral", marked("Neutral")), ("agenticx", "AgenticX"), ("openlegion", "OpenLegion"))
LEAST_PX = 120


class Told(Ground):
    """View of the context text. The signal `formatted` reports that another format was chosen."""

    formatted = Signal()

    def __init__(self) -> None:
        self.format = Drop(
            [Option(value=value, text=tr(text)) for value, text in FORMATS],
            lead=tr("as"),
            name=tr("Format"),
            small=True,
        )
        self._cost, self._note = Text("", 11, "t3"), Text("", 11, "warn", elide=True)
        explain_terms(self._cost, "tokens")
        self.paper = Paper(tr("As told"), token="t1")
        self.paper.setReadOnly(True)
        self.paper.setViewportMargins(20, 2, 8, 6)
        head = row(
            Text(tr("As told before a turn"), 12, "t2", weight=600),
            self.format,
            self._note,
            self._cost,
            gap=10,
        )
        head.setStretchFactor(self._note, 1)
        top = QWidget()
        top.setLayout(row(head, margins=(20, 7, 20, 3)))
        super().__init__("panel", "top", column(top, self.paper, gap=0))
        self.setMinimumHeight(LEAST_PX)
        self.format.chosen.connect(lambda _: self.formatted.emit())

    def show_told(self, told: ToldContext, *, differs: bool) -> None:
        """Show a text. differs: the settings tried are not saved yet, but the text follows the saved ones."""
        self.paper.set_text(told.text or tr("Nothing would be told."))
        self._bring(next((piece.text for piece in told.pieces if piece.name == "recall"), ""))
        cost = tr(
            "{tokens} of {budget} tokens",
            tokens=times.count(told.tokens),
            budget=times.count(told.budget_tokens),
        )
        left = ", ".join(told.left)
        self._cost.setText(tr("{cost}, no room for {left}", cost=cost, left=left) if left else cost)
        note = tr("by the settings as saved, not as tried") if differs else " ".join(told.notices)
        self._note.setText(note)

    def _bring(self, text: str) -> None:
        """Scroll to the recalled part, because the other parts do not depend on the question."""
        at = self.paper.text().find(text)
        block = self.paper.document().findBlock(max(0, at))
        top = self.paper.document().documentLayout().blockBoundingRect(block).top()
        self.paper.verticalScrollBar().setValue(round(top))

    def clear(self) -> None:
        """Clear the text."""
        self.paper.set_text("")
        self._cost.setText("")
        self._note.setText("")
