"""Measures of each kind of control, and the parts of its label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["button", "primary", "ghost", "chip", "hide", "segment", "rail", "field", "link"]
"""button and primary act; ghost acts quietly; chip is on or off; hide is a chip that strikes out the thing it
hides; segment is part of a Segments row; rail opens a panel; field looks like a text field and opens one;
link is text."""

ICON_PX = 16
SQUARE_PX = 8
BADGE_PX = 18
RADIUS_PX = 5
BOTH_ENDS = frozenset(("left", "right"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Measures of one kind of control, in px. pad: before words; icon_pad: before an icon, which has a margin
    already."""

    height: int
    pad: int
    icon_pad: int
    gap: int
    px: int = 12
    weight: int = 400
    checkable: bool = False


STYLES: dict[Kind, Style] = {
    "button": Style(height=28, pad=11, icon_pad=8, gap=6, weight=500),
    "primary": Style(height=28, pad=11, icon_pad=8, gap=6, weight=500),
    "ghost": Style(height=28, pad=6, icon_pad=6, gap=6),
    "chip": Style(height=24, pad=9, icon_pad=7, gap=5, checkable=True),
    "hide": Style(height=24, pad=9, icon_pad=7, gap=5, checkable=True),
    "segment": Style(height=26, pad=11, icon_pad=8, gap=6, checkable=True),
    "rail": Style(height=30, pad=8, icon_pad=8, gap=10, px=13, checkable=True),
    "field": Style(height=28, pad=9, icon_pad=9, gap=8, px=13),
    "link": Style(height=18, pad=0, icon_pad=0, gap=4),
}
SMALL: dict[Kind, Style] = {
    "button": Style(height=22, pad=8, icon_pad=5, gap=6, px=11, weight=500),
    "primary": Style(height=22, pad=8, icon_pad=5, gap=6, px=11, weight=500),
    "ghost": Style(height=22, pad=6, icon_pad=3, gap=5, px=11),
    "link": Style(height=16, pad=0, icon_pad=0, gap=4, px=11),
}


@dataclass(slots=True, kw_only=True)
class Label:
    """Text, icon and marks that a control shows. ends: the ends of its row at which a segment is, "left" or
    "right"."""

    text: str = ""
    icon: str = ""
    lead: str = ""
    count: str = ""
    keys: str = ""
    tone: str = ""
    channel: int | None = None
    drop: bool = False
    ends: frozenset[str] = BOTH_ENDS

    @property
    def is_picture(self) -> bool:
        """True if there are no words, only an icon."""
        return bool(self.icon) and not (self.text or self.lead or self.count or self.keys)

    def said(self) -> str:
        """Return the words that a screen reader reads out."""
        return " ".join(part for part in (self.lead, self.text, self.count) if part)
