"""Character formats of the preview: fonts in theme colours, and the changes that markdown marks make to them."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it.token import Token
from PySide6.QtGui import QTextCharFormat

from memdesk.gui import look
from memdesk.gui.look import c
from memdesk.gui.widgets.tips import plain

CODE_PX = 12


def face(px: int, token: str, *, weight: int = 400, mono: bool = False) -> QTextCharFormat:
    """Return a format with a size and a token's colour."""
    made = QTextCharFormat()
    made.setFont(look.font(px, weight, mono=mono))
    made.setForeground(c(token))
    return made


def code(made: QTextCharFormat) -> QTextCharFormat:
    """Turn a format into that of inline code, and return it."""
    made.setFont(look.font(CODE_PX, mono=True))
    made.setForeground(c("t1"))
    made.setBackground(c("panel"))
    return made


def _bold(made: QTextCharFormat, token: Token) -> QTextCharFormat:
    made.setFontWeight(600)
    made.setForeground(c("t1"))
    return made


def _italic(made: QTextCharFormat, token: Token) -> QTextCharFormat:
    made.setFontItalic(True)
    return made


def _struck(made: QTextCharFormat, token: Token) -> QTextCharFormat:
    made.setFontStrikeOut(True)
    made.setForeground(c("t3"))
    return made


def _link(made: QTextCharFormat, token: Token) -> QTextCharFormat:
    href = str(token.attrGet("href") or "")
    made.setAnchor(True)
    made.setAnchorHref(href)
    made.setToolTip(plain(href))
    made.setForeground(c("acc"))
    return made


STYLES: dict[str, Callable[[QTextCharFormat, Token], QTextCharFormat]] = {
    "strong_open": _bold,
    "em_open": _italic,
    "s_open": _struck,
    "link_open": _link,
}
"""Functions that apply a markdown mark to a format, by token type."""
