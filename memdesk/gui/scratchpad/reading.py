"""A value being read: what an agent adds to it neither moves nor unmarks what a person has before the eyes."""

from __future__ import annotations

from memdesk.gui.widgets import Ground, Scroll, Text, column, row


class Reading(Scroll):
    """A text that grows at its start, as turns and thoughts do, or at its end, as notes do."""

    def __init__(self) -> None:
        self.words = Text("", 12, "t1", wrap=True, selectable=True)
        super().__init__(
            Ground("panel", layout=column(row(self.words), None, gap=0, margins=(16, 4, 16, 12))), "panel"
        )
        self._below: int | None = None
        self.verticalScrollBar().rangeChanged.connect(self._stay)

    def text(self) -> str:
        """What is shown."""
        return self.words.text()

    def show_text(self, text: str, *, anew: bool) -> None:
        """Show a text. anew: it is another one, read from its start; else the one that was shown, as it is now."""
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
        """The text has its new height: what stands after the addition is where it was."""
        if self._below is not None:
            self.verticalScrollBar().setValue(high - self._below)
            self._below = None


def _units(text: str) -> int:
    """Its length as Qt counts it, in UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
