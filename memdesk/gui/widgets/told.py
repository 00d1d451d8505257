"""Message bar for the result of an action, or its preview: one line above the content, with at most one
button."""

from __future__ import annotations

from collections.abc import Callable

from memdesk.gui.language import tr
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.ground import Ground, row
from memdesk.gui.widgets.marks import Icon
from memdesk.gui.widgets.text import Text

HEIGHT_PX = 34


def _nothing() -> None:
    """Do nothing; the action of a message without a button."""


class Told(Ground):
    """Message bar: an icon, a sentence, an optional button, and a close button. Hidden at first."""

    def __init__(self) -> None:
        self._icon, self.sentence = Icon("info", "t2"), Text("", 12, "t1", elide=True, selectable=True)
        self.button = Control("button", "", small=True)
        self.close_button = Control("ghost", "", "close", small=True, tip=tr("Close"))
        layout = row(self._icon, self.sentence, self.button, self.close_button, gap=8, margins=(20, 0, 12, 0))
        layout.setStretchFactor(self.sentence, 1)
        super().__init__("panel", "bottom", layout, height=HEIGHT_PX)
        self._act: Callable[[], object] = _nothing
        self.button.clicked.connect(lambda: self._act())
        self.close_button.clicked.connect(self.hide)
        self.hide()

    def tell(
        self,
        sentence: str,
        *,
        icon: str = "info",
        tone: str = "t2",
        button: str = "",
        act: Callable[[], object] = _nothing,
    ) -> None:
        """Show a sentence. button: words of its button, empty for none. act: called when the button is
        pressed."""
        self._icon.set_icon(icon, tone)
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self._act = act
        self.setAccessibleName(sentence)
        self.show()
