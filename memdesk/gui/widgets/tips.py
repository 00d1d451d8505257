"""Text of memories in tool tips and labels: shown as it is written, and cut if it is long."""

from __future__ import annotations

import html

from memdesk.gui.language import tr

TIP_CHARACTERS = 600
SHOWN_CHARACTERS = 4000
"""Length limit of a text: more than a person reads in a column of 300 px."""


def plain(text: str) -> str:
    """Return a tool tip's text, cut if it is too long. Text that Qt would read as markup is escaped."""
    cut = shortened(text, TIP_CHARACTERS)
    if "<" not in cut and "&" not in cut:
        return cut
    return f"<qt>{html.escape(cut)}</qt>".replace("\n", "<br>")


def shortened(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """Return the text, or its beginning and the number of characters left out."""
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}… " + tr("(%Ln characters more)", "", len(text) - most)
