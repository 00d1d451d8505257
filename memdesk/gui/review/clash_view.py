"""View of a file conflict: the current file, the text kept in conflict with it, and their common base."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from memdesk.gui.editor.compare import Comparison, compare, whole
from memdesk.gui.editor.diff_view import Detail, DiffView
from memdesk.gui.editor.paper import PITCH_PX
from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.review.answers import Answer
from memdesk.gui.review.card import Card
from memdesk.gui.review.effects import ONCE, Effects
from memdesk.gui.review.question_view import STANDS, Cards
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Tag, Text, column, row
from memdesk.model.workspace import FileConflictText

LINES_LEAST, LINES_MOST = 4, 14
UNFOLD = marked("Show the text that both were written from")


class ClashView(QWidget):
    """View of one file conflict. Each of the two texts is shown by its changes to the common base."""

    def __init__(self, session: Session, told: FileConflictText) -> None:
        super().__init__()
        self.told = told
        name, _, _ = session.mark(told.conflict.author)
        self.cards = (
            Card("A", tr("the file as it is"), told.conflict.path, self._changes(told.base, told.now)),
            Card(
                "B", tr("kept beside it, by {name}", name=name), told.conflict.path,
                self._changes(told.base, told.ours),
            ),
        )  # fmt: skip
        self._base = _paper(whole(told.base), "lines")
        self._base.hide()
        self._fold = Control("link", tr(UNFOLD))
        self._fold.clicked.connect(self._toggle)
        self.effects = Effects()
        at = times.minute(told.conflict.at)
        clashes = tr("%Ln (place clashes|places clash)", "", told.clashes)
        why = Text(f"{told.conflict.path} · {clashes} · {at}", 12, "t2", elide=True)
        head = row(Tag(tr("File clash"), "bad"), why, gap=10)
        head.setStretchFactor(why, 1)
        base = column(row(self._fold, None), self._base, gap=6)
        self.setLayout(
            column(head, Cards(*self.cards), base, 6, self.effects, None, gap=12, margins=(20, 12, 20, 16))
        )

    def _changes(self, base: str, text: str) -> QWidget:
        return _paper(compare(base, text), "words")

    def _toggle(self) -> None:
        shows = self._base.isHidden()
        self._base.setVisible(shows)
        self._fold.setText(tr("Hide that text") if shows else tr(UNFOLD))

    def show_answer(self, answer: Answer) -> None:
        """Show the effect of an answer on the file."""
        stands = STANDS.get(answer.decision, "")
        for letter, card in zip("AB", self.cards, strict=True):
            card.set_chosen(letter == stands)
        path = self.told.conflict.path
        says = {
            "theirs": (
                "check", tr("keeps"), tr("{path} as it is; B stays among its versions", path=path)
            ),
            "ours": (
                "update", tr("rewrites"),
                tr("{path}: {lines}; A stays among its versions", path=path, lines=self._moved(self.told.ours)),
            ),
            "text": (
                "update", tr("rewrites"),
                tr("{path} with what you write; A and B stay among its versions", path=path),
            ),
        }[answer.decision]  # fmt: skip
        self.effects.show_lines(tr(answer.heading), (says, ("undo", tr("undo"), tr(ONCE))))

    def _moved(self, text: str) -> str:
        found = compare(self.told.now, text)
        return tr("{added} lines come, {removed} go", added=f"{found.added:,}", removed=f"{found.removed:,}")


def _paper(comparison: Comparison, detail: Detail) -> DiffView:
    """Return a view of a difference, as high as its lines within limits; longer ones scroll."""
    paper = DiffView()
    paper.show_comparison(comparison, detail)
    lines = sum(1 + len(hunk.rows) for hunk in comparison.hunks)
    paper.setFixedHeight(PITCH_PX * min(LINES_MOST, max(LINES_LEAST, lines + 2)) + 8)
    return paper
