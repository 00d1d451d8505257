"""Memory in tool tips and labels: shown as it is written, and not at any length."""

from __future__ import annotations

import html

from memdesk.gui.language import tr

TIP_CHARACTERS = 600
SHOWN_CHARACTERS = 4000
"""More of one memory than a person reads in a column of 300 px."""


def plain(text: str) -> str:
    """A tool tip's text, cut where it grows too long. Qt would read what looks like markup, so that is escaped."""
    cut = shortened(text, TIP_CHARACTERS)
    if "<" not in cut and "&" not in cut:
        return cut
    return f"<qt>{html.escape(cut)}</qt>".replace("\n", "<br>")


def shortened(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """The text, or its beginning and how much more there is."""
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}… " + tr("(%Ln characters more)", "", len(text) - most)
