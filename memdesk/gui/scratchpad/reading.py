"""Text view of a value; additions by an agent keep the scroll position and the selection."""

from __future__ import annotations

from memdesk.gui.widgets import Ground, Scroll, Text, column, row


class Reading(Scroll):
    """View of a text that grows at its start, as turns and thoughts do, or at its end, as notes do."""

    def __init__(self) -> None:
        self.words = Text("", 12, "t1", wrap=True, selectable=True)
        super().__init__(
            Ground("panel", layout=column(row(self.words), None, gap=0, margins=(16, 4, 16, 12))), "panel"
        )
        self._below: int | None = None
        self.verticalScrollBar().rangeChanged.connect(self._stay)

    def text(self) -> str:
        """Return the text shown."""
        return self.words.text()

    def show_text(self, text: str, *, anew: bool) -> None:
        """Show a text. anew: it is another text, shown from its start; otherwise it is a new version of the
        same text."""
        was, bar = self.text(), self.verticalScrollBar()
        if text == was and not anew:
            return
        at, marked = self.words.selectionStart(), self.words.selectedText()
        grew = 0 if anew or not text.endswith(was) else _units(text) - _units(was)
        self._below = bar.maximum() - bar.value() if grew and bar.value() else None
        self.words.setText(text)
        if anew:
            bar.setValue(0)
        elif at >= 0 and (grew or text.startswith(was)):
            self.words.setSelection(at + grew, _units(marked))

    def _stay(self, _low: int, high: int) -> None:
        """Restore the scroll position after an addition at the start, now that the new height is known."""
        if self._below is not None:
            self.verticalScrollBar().setValue(high - self._below)
            self._below = None


def _units(text: str) -> int:
    """Return the length in UTF-16 units, as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
