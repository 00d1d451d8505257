"""Label that takes its colour from a token and keeps the design's line pitch."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QKeySequence, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.look import c, themed
from memdesk.gui.widgets.paint import elided
from memdesk.model.hidden import original, revealed

TIP_CHARACTERS = 600
SHOWN_CHARACTERS = 4000
"""Length limit of a text: more than a person reads in a column of 300 px."""


def tip_text(text: str) -> str:
    """Return a tool tip's text, cut if it is too long. Text that Qt would read as markup is escaped."""
    cut = revealed(shorten(text, TIP_CHARACTERS))
    if "<" not in cut and "&" not in cut:
        return cut
    return f"<qt>{html.escape(cut)}</qt>".replace("\n", "<br>")


def shorten(text: str, most: int = SHOWN_CHARACTERS) -> str:
    """Return the text, or its beginning and the number of characters left out."""
    if len(text) <= most:
        return text
    return f"{text[:most].rstrip()}… " + tr("(%Ln characters more)", "", len(text) - most)


def excerpt(text: str, most: int = 60) -> str:
    """Return a text as a sentence or a button quotes it: on one line, cut to this many characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def span(
    text: str,
    token: str = "t1",
    *,
    weight: int = 0,
    ground: str = "",
    strike: bool = False,
) -> str:
    """Return a piece of rich text in tokens' colours, escaped. Build it inside Text.set_markup so that themes
    can change."""
    style = f"color:{look.token(token)};"
    style += f"font-weight:{look.face_weight(weight)};" if weight else ""
    style += f"background-color:{look.token(ground)};" if ground else ""
    style += "text-decoration:line-through;" if strike else ""
    return f'<span style="{style}">{html.escape(revealed(text))}</span>'


class Text(QLabel):
    """A label. px and weight are the type sizes of the design; its line height follows from them.

    Invisible characters are shown by name; a copy of a selection has the characters themselves. wrap: several
    lines. elide: one line cut with “…”, with the full text in the tool tip. selectable: can be
    marked and copied. numeric: tabular figures, aligned right."""

    def __init__(
        self,
        text: str = "",
        px: int = 12,
        token: str = "t2",
        *,
        weight: int = 400,
        mono: bool = False,
        italic: bool = False,
        wrap: bool = False,
        elide: bool = False,
        selectable: bool = False,
        numeric: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._px, self._weight, self._token, self._wrap, self._elide = px, weight, token, wrap, elide
        self._source = ""
        self._markup: Callable[[], str] | None = None
        self.setFont(look.font(px, weight, mono=mono, italic=italic, tabular=numeric))
        self.setWordWrap(wrap)
        self._set_behaviour(selectable=selectable, numeric=numeric)
        self.set_token(token)
        self.setText(text)
        themed.changed.connect(self._retheme)

    def _set_behaviour(self, *, selectable: bool, numeric: bool) -> None:
        if selectable:
            keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keys)
            self.setCursor(Qt.CursorShape.IBeamCursor)
        if numeric:
            self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if self._wrap:
            self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def text(self) -> str:
        """Return the plain text last set, in full even if it is shown cut."""
        return self._source

    def setText(self, text: str) -> None:
        """Show a plain text; no part of it is read as markup."""
        self._source, self._markup = text, None
        self._show()

    def set_markup(self, build: Callable[[], str], plain: str = "") -> None:
        """Show rich text made of spans. build runs again when the theme changes. plain: the text for a screen
        reader."""
        self._source, self._markup = plain, build
        self._show()

    def set_token(self, token: str) -> None:
        self._token = token
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, c(token))
        palette.setColor(QPalette.ColorRole.Text, c(token))
        palette.setColor(QPalette.ColorRole.Highlight, c("sel"))
        palette.setColor(QPalette.ColorRole.Link, c("acc"))
        self.setPalette(palette)

    def _retheme(self) -> None:
        self.set_token(self._token)
        if self._markup is not None:
            self._show()

    def _show(self) -> None:
        if self._markup is not None:
            self._show_rich(self._markup())
        elif self._wrap:
            self._show_rich(html.escape(revealed(self._source)).replace("\n", "<br>"))
        else:
            self.setTextFormat(Qt.TextFormat.PlainText)
            super().setText(self._cut())
        self.setAccessibleName(self._source)

    def _show_rich(self, body: str) -> None:
        """Show rich text with the design's line pitch; a plain-text label cannot set its line pitch."""
        self.setTextFormat(Qt.TextFormat.RichText)
        pitch = look.line_px(self._px, self._weight)
        super().setText(f'<div style="line-height:{pitch}px;-qt-line-height-type:fixed">{body}</div>')

    def show_text(self, text: str) -> None:
        """Show a text; an empty one takes no room."""
        self.setText(text)
        self.setVisible(bool(text))

    def _cut(self) -> str:
        whole = revealed(self._source)
        if not self._elide or self.width() <= 0:
            return whole
        metrics = QFontMetricsF(self.font())
        shown = elided(whole, metrics, self.width())
        self.setToolTip(tip_text(self._source) if shown != whole else "")
        # An ellipsis alone says nothing.
        return "" if shown == "…" else shown

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the characters of a selection, not the names that represent some of them."""
        start = self.selectionStart()
        if self._markup is None and start >= 0 and event.matches(QKeySequence.StandardKey.Copy):
            end = start + len(self.selectedText())
            QApplication.clipboard().setText(original(self._source, start, end))
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._elide and self._markup is None:
            super().setText(self._cut())

    def changeEvent(self, event: QEvent) -> None:
        """Set the colours again: a disabled text is lighter, and Qt restores an old palette when a text gets
        another parent."""
        super().changeEvent(event)
        kind = event.type()
        is_restored = kind == QEvent.Type.StyleChange and self.palette().color(
            QPalette.ColorRole.WindowText
        ) != c(self._token)
        if kind == QEvent.Type.EnabledChange or is_restored:
            self.set_token(self._token)

    def sizeHint(self) -> QSize:
        """Return a height of at least one line of the font, and a width that fits the full text."""
        hint = super().sizeHint()
        wide = self._natural_width() if self._elide and self._markup is None else hint.width()
        return QSize(wide, max(hint.height(), look.line_px(self._px, self._weight)))

    def minimumSizeHint(self) -> QSize:
        """Allow a cut text to shrink to its ellipsis."""
        hint = super().minimumSizeHint()
        wide = 16 if self._elide else hint.width()
        return QSize(wide, max(hint.height(), look.line_px(self._px, self._weight)))

    def _natural_width(self) -> int:
        return round(QFontMetricsF(QFont(self.font())).horizontalAdvance(revealed(self._source)) + 1)


# A word, a run of spaces, or one sign; Chinese and Japanese have no spaces, so there each sign is a word.
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W\u3040-\uffef]+|\s+|[^\w\s]|.")
MOST_WORDS = 4000
"""Limit above which matching takes seconds, and the result is too long to read word by word."""

Change = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of words that stayed, was removed or was added."""

    text: str
    change: Change


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces of both texts in reading order, removed words before the words that replace them."""
    old, new = WORD.findall(before), WORD.findall(after)
    if len(old) + len(new) > MOST_WORDS:
        pieces = [Piece(text=before, change="removed"), Piece(text=after, change="added")]
    else:
        pieces = list(_pieces(old, new))
    return tuple(piece for piece in pieces if piece.text)


def _pieces(old: list[str], new: list[str]) -> Iterator[Piece]:
    for tag, a, b, x, y in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Piece(text="".join(old[a:b]), change="same")
        else:
            yield Piece(text="".join(old[a:b]), change="removed")
            yield Piece(text="".join(new[x:y]), change="added")


def word_diff_markup(before: str, after: str) -> str:
    """Return the difference as rich text for Text.set_markup."""
    pieces = list(word_diff(before, after))
    # Between a word struck out and the one in its place the eye needs a gap.
    joints = [
        "&thinsp;" if here.change == "added" and last.change == "removed" else ""
        for last, here in pairwise([Piece(text="", change="same"), *pieces])
    ]
    return "".join(joint + _marked(piece) for joint, piece in zip(joints, pieces, strict=True))


def _marked(piece: Piece) -> str:
    match piece.change:
        case "same":
            return span(piece.text, "t1")
        case "removed":
            return span(piece.text, "bad", ground="badbg", strike=True)
        case "added":
            return span(piece.text, "ok", ground="okbg")
