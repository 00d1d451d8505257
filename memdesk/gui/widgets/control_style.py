"""Measures of each kind of control, and what a control says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["button", "primary", "ghost", "chip", "hide", "segment", "rail", "field", "link"]
"""button and primary act; ghost acts quietly; chip is on or off; hide is a chip that strikes out what it hides;
segment is one of a Segments row; rail opens a panel; field looks like a text field and opens one; link is text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Measures of one kind of control, in px."""

    height: int
    pad: int
    px: int = 12
    weight: int = 400
    gap: int = 6
    checkable: bool = False


STYLES: dict[Kind, Style] = {
    "button": Style(height=28, pad=11, weight=500),
    "primary": Style(height=28, pad=11, weight=500),
    "ghost": Style(height=28, pad=6),
    "chip": Style(height=24, pad=9, gap=5, checkable=True),
    "hide": Style(height=24, pad=9, gap=5, checkable=True),
    "segment": Style(height=26, pad=11, checkable=True),
    "rail": Style(height=30, pad=8, px=13, gap=10, checkable=True),
    "field": Style(height=28, pad=9, px=13, gap=8),
    "link": Style(height=18, pad=0, gap=4),
}
SMALL = {
    "button": Style(height=22, pad=8, px=11, weight=500),
    "primary": Style(height=22, pad=8, px=11, weight=500),
    "ghost": Style(height=22, pad=6, px=11),
    "link": Style(height=16, pad=0, px=11, gap=4),
}
ICON_PX = 16


BOTH_ENDS = frozenset(("left", "right"))


@dataclass(slots=True, kw_only=True)
class Label:
    """What a control says and shows. ends: which ends of its row a segment stands at."""

    text: str = ""
    icon: str = ""
    lead: str = ""
    count: str = ""
    keys: str = ""
    tone: str = ""
    channel: int | None = None
    drop: bool = False
    ends: frozenset[str] = BOTH_ENDS
