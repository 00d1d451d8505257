"""Preview of the file as the agent reads it. No linked resource is fetched; only a clicked web link opens
outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PySide6.QtCore import QRectF, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextList,
    QTextListFormat,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QFrame, QTextBrowser

from memdesk.gui import look
from memdesk.gui.editor.authors import paint_stroke
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paper import DROP_PX, clear_ground, fixed_height_format
from memdesk.gui.widgets.text import tip_text
from memdesk.model.hidden import revealed

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


def _struck_out(made: QTextCharFormat, token: Token) -> QTextCharFormat:
    made.setFontStrikeOut(True)
    made.setForeground(c("t3"))
    return made


def _link(made: QTextCharFormat, token: Token) -> QTextCharFormat:
    href = str(token.attrGet("href") or "")
    made.setAnchor(True)
    made.setAnchorHref(href)
    made.setToolTip(tip_text(href))
    made.setForeground(c("acc"))
    return made


STYLES: dict[str, Callable[[QTextCharFormat, Token], QTextCharFormat]] = {
    "strong_open": _bold,
    "em_open": _italic,
    "s_open": _struck_out,
    "link_open": _link,
}
"""Functions that apply a markdown mark to a format, by token type."""


COMMENT = re.compile(r"^[ \t]*<!--.*?-->[ \t]*$", re.MULTILINE | re.DOTALL)
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """File parsed as markdown. front: its YAML front matter as written; tokens: from markdown-it."""

    front: str
    front_lines: int
    tokens: tuple[Token, ...]


def parse(text: str) -> Parsed:
    """Parse a file. Comments are removed but their line breaks stay, so that line numbers do not change."""
    head = FRONT_MATTER.match(text)
    blank = "\n" * head[0].count("\n") if head else ""
    body = blank + text[head.end() :] if head else text
    body = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), body)
    return Parsed(front=head[1] if head else "", front_lines=len(blank), tokens=tuple(PARSER.parse(body)))


BODY_PX, BODY_PITCH_PX = 13, 20
HEADINGS = {1: (17, 24, 14), 2: (13, 20, 12), 3: (13, 20, 10)}
"""Font size, line height and space above by heading level; deeper levels use the third."""
INDENT_PX = 16
BULLETS = (QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle)
TASK = re.compile(r"^\[([ xX])\][ \t]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Block of the preview: its source lines [first, last), and how its background and bars are drawn."""

    first: int
    last: int
    ground: str = ""
    quoted: bool = False
    ruled: bool = False


def build(parsed: Parsed, document: QTextDocument) -> list[Placed]:
    """Fill a document, and return a Placed for each of its blocks."""
    document.setUndoRedoEnabled(False)
    document.clear()
    document.setIndentWidth(INDENT_PX)
    cursor = QTextCursor(document)
    # One edit, or Qt would lay the page out again after every word.
    cursor.beginEditBlock()
    builder = _Builder(cursor)
    if parsed.front:
        builder.verbatim(parsed.front, (0, parsed.front_lines))
    builder.blocks(parsed.tokens)
    cursor.endEditBlock()
    return builder.placed


@dataclass(slots=True)
class _List:
    """List being written: its format, and Qt's list as soon as it has an item."""

    format: QTextListFormat
    made: QTextList | None = None


@dataclass(slots=True)
class _Builder:
    """Builder that walks the tokens with one cursor. lists: the lists around the cursor; quoted: depth of
    block quotes."""

    cursor: QTextCursor
    placed: list[Placed] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    quoted: int = 0
    fresh: bool = True
    item: bool = False
    lines: tuple[int, int] = (0, 0)

    def blocks(self, tokens: Sequence[Token]) -> None:
        """Write every block; a table is written in one step."""
        place = 0
        while place < len(tokens):
            token = tokens[place]
            self.lines = (token.map[0], token.map[1]) if token.map else self.lines
            if token.type == "table_open":
                end = next(n for n in range(place, len(tokens)) if tokens[n].type == "table_close")
                self._table(tokens[place:end])
                place = end
            else:
                self._block(token, tokens[place + 1] if place + 1 < len(tokens) else None)
            place += 1

    def _block(self, token: Token, after: Token | None) -> None:
        match token.type:
            case "heading_open" if after is not None:
                self._heading(int(token.tag[1:]), after)
            case "paragraph_open" if after is not None:
                self._paragraph(after)
            case "bullet_list_open" | "ordered_list_open":
                self.lists.append(self._list(token))
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self.item = True
            case "blockquote_open":
                self.quoted += 1
            case "blockquote_close":
                self.quoted -= 1
            case "fence" | "code_block":
                self.verbatim(token.content.rstrip("\n"), self.lines)
            case "hr":
                self._rule()

    # Blocks.

    def _begin(self, format: QTextBlockFormat, words: QTextCharFormat, placed: Placed) -> None:
        if self.fresh:
            self.cursor.setBlockFormat(format)
            self.cursor.setBlockCharFormat(words)
        else:
            self.cursor.insertBlock(format, words)
        self.fresh = False
        self.placed += [Placed(first=0, last=0)] * (self.cursor.blockNumber() - len(self.placed))
        self.placed.append(placed)

    def _here(self, ground: str = "") -> Placed:
        return Placed(first=self.lines[0], last=self.lines[1], ground=ground, quoted=self.quoted > 0)

    def _shape(self, pitch: int, above: int, below: int) -> QTextBlockFormat:
        made = fixed_height_format(None, pitch)
        made.setTopMargin(0 if self.fresh else above)
        made.setBottomMargin(below)
        made.setLeftMargin(INDENT_PX * (self.quoted + len(self.lists)))
        return made

    def _heading(self, level: int, inline: Token) -> None:
        px, pitch, above = HEADINGS[min(level, 3)]
        words = face(px, "t1", weight=600)
        self._begin(self._shape(pitch, above, 4 if level == 1 else 0), words, self._here())
        self._inline(inline, words)

    def _paragraph(self, inline: Token) -> None:
        words = face(BODY_PX, "t3" if self.quoted else "t2")
        tight = bool(self.lists)
        shape = self._shape(BODY_PITCH_PX, 0, 0 if tight else 8)
        if self.item and self.lists:
            shape.setLeftMargin(INDENT_PX * self.quoted)
        self._begin(shape, words, self._here())
        if self.item and self.lists:
            self._join(self.lists[-1], shape)
        self.item = False
        self._inline(inline, words)

    def _join(self, around: _List, shape: QTextBlockFormat) -> None:
        """Make the block a list item, keeping the margins and the line height of `shape`."""
        if around.made is None:
            around.made = self.cursor.createList(around.format)
        else:
            around.made.add(self.cursor.block())
        made = fixed_height_format(self.cursor.blockFormat(), BODY_PITCH_PX)
        made.setTopMargin(shape.topMargin())
        made.setBottomMargin(shape.bottomMargin())
        made.setLeftMargin(shape.leftMargin())
        self.cursor.setBlockFormat(made)

    def _list(self, token: Token) -> _List:
        made = QTextListFormat()
        made.setIndent(len(self.lists) + 1)
        if token.type == "ordered_list_open":
            made.setStyle(QTextListFormat.Style.ListDecimal)
            made.setStart(int(token.attrGet("start") or 1))
        else:
            made.setStyle(BULLETS[len(self.lists) % 2])
        return _List(made)

    def verbatim(self, text: str, lines: tuple[int, int]) -> None:
        """Write code as it is, on the panel background."""
        words = face(CODE_PX, "t1", mono=True)
        rows = text.split("\n")
        for number, row in enumerate(rows):
            shape = self._shape(BODY_PITCH_PX, 4 if number == 0 else 0, 10 if number == len(rows) - 1 else 0)
            shape.setLeftMargin(shape.leftMargin() + 10)
            placed = Placed(first=lines[0], last=lines[1], ground="panel", quoted=self.quoted > 0)
            self._begin(shape, words, placed)
            self.cursor.insertText(revealed(row), words)

    def _rule(self) -> None:
        placed = replace(self._here(), ruled=True)
        self._begin(self._shape(BODY_PITCH_PX, 0, 4), face(BODY_PX, "t3"), placed)

    def _table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[Token]] = []
        for token, after in zip(tokens, tokens[1:], strict=False):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append(after)
        table = self._grid(len(rows), max(len(row) for row in rows))
        for number, row in enumerate(rows):
            for place, inline in enumerate(row):
                words = face(BODY_PX, "t1" if number == 0 else "t2", weight=600 if number == 0 else 400)
                self.cursor = table.cellAt(number, place).firstCursorPosition()
                self.cursor.setBlockFormat(fixed_height_format(None, BODY_PITCH_PX))
                self._inline(inline, words)
        self.cursor = table.lastCursorPosition()
        self.cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        self.placed += [self._here()] * (self.cursor.blockNumber() + 1 - len(self.placed))
        self.cursor.setBlockFormat(fixed_height_format(None, 8))

    def _grid(self, rows: int, columns: int) -> QTextTable:
        made = QTextTableFormat()
        made.setBorder(1)
        made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setCellSpacing(0)
        made.setBorderBrush(c("line"))
        made.setBorderCollapse(True)
        made.setCellPadding(5)
        made.setTopMargin(4)
        made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        self.fresh = False
        return self.cursor.insertTable(rows, columns, made)

    # Words.

    def _inline(self, inline: Token, base: QTextCharFormat) -> None:
        stack = [base]
        for number, token in enumerate(inline.children or ()):
            text = token.content
            if number == 0 and token.type == "text" and self.lists and (task := TASK.match(text)):
                text = ("☑ " if task[1] != " " else "☐ ") + text[task.end() :]
            self._word(token, text, stack)

    def _word(self, token: Token, text: str, stack: list[QTextCharFormat]) -> None:
        if token.nesting == 1:
            style = STYLES.get(token.type)
            stack.append(style(QTextCharFormat(stack[-1]), token) if style else stack[-1])
        elif token.nesting == -1:
            stack.pop()
        elif token.type == "hardbreak":
            self.cursor.insertText("\u2028", stack[-1])
        elif token.type == "softbreak":
            self.cursor.insertText(" ", stack[-1])
        elif token.type == "code_inline":
            self.cursor.insertText(revealed(text), code(QTextCharFormat(stack[-1])))
        elif token.type == "image":
            words = tr("[picture: {words}]", words=text or tr("without words"))
            self.cursor.insertText(revealed(words), face(BODY_PX, "t3"))
        else:
            self.cursor.insertText(revealed(text), stack[-1])


PAD_PX = 12
LEFT_PX = 12
"""Space between the bar of a passage and its text."""
BAR_PX = 2
WEB = ("http", "https", "mailto")


class Preview(QTextBrowser):
    """Rendered file. The signal `followed` carries the path of a link to another file of the workspace.

    is_noted: returns True if a source line, from 0, was written by a job; such passages get a dotted bar."""

    followed = Signal(str)

    def __init__(self, is_noted: Callable[[int], bool] = lambda _: False) -> None:
        super().__init__()
        self._is_noted = is_noted
        self._parsed: Parsed | None = None
        self._placed: Sequence[Placed] = ()
        self.setAccessibleName(tr("Preview"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setFont(look.font(13))
        self.setViewportMargins(PAD_PX, 12, 8, 8)
        self.anchorClicked.connect(self._follow)
        look.keep_palette(self, self._retheme)

    def show_parsed(self, parsed: Parsed) -> None:
        """Show a file; the scroll position stays."""
        self._parsed = parsed
        top = self.verticalScrollBar().value()
        self._placed = build(parsed, self.document())
        self._set_margin()
        # The layout is made as it is needed; asking for the end makes it whole, or the place could not be kept.
        self.document().documentLayout().blockBoundingRect(self.document().lastBlock())
        self.verticalScrollBar().setValue(top)

    def _set_margin(self) -> None:
        self.document().setDocumentMargin(0)
        frame = self.document().rootFrame()
        shape = frame.frameFormat()
        shape.setLeftMargin(LEFT_PX)
        frame.setFrameFormat(shape)

    def show_line(self, line: int) -> None:
        """Scroll the block of a source line, from 0, to the top."""
        places = [n for n, placed in enumerate(self._placed) if placed.last and placed.first <= line]
        block = self.document().findBlockByNumber(places[-1] if places else 0)
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(0 if line == 0 else round(top))

    def loadResource(self, type: int, name: QUrl | str) -> object:
        """Return None: no resource is fetched, neither from the network nor from the disk."""
        return None

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in WEB:
            QDesktopServices.openUrl(url)
        elif url.isRelative() and url.path():
            self.followed.emit(url.path())

    def _retheme(self) -> None:
        clear_ground(self, "t2")
        if self._parsed is not None:
            self.show_parsed(self._parsed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the backgrounds of code, then the text, then bars and rules."""
        painter = QPainter(self.viewport())
        shown = self._shown()
        for placed, place in shown:
            if placed.ground:
                painter.fillRect(place.adjusted(LEFT_PX, 0, 0, 0), c(placed.ground))
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        for placed, place in shown:
            self._paint_beside(painter, placed, place)

    def _shown(self) -> list[tuple[Placed, QRectF]]:
        layout, top = self.document().documentLayout(), self.verticalScrollBar().value()
        shown: list[tuple[Placed, QRectF]] = []
        block: QTextBlock = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid() and block.blockNumber() < len(self._placed):
            y = layout.blockBoundingRect(block).y() - top
            if y > self.viewport().height():
                break
            high = max(1, block.layout().lineCount()) * BODY_PITCH_PX
            place = QRectF(0, y + DROP_PX, self.viewport().width(), high)
            shown.append((self._placed[block.blockNumber()], place))
            block = block.next()
        return shown

    def _paint_beside(self, painter: QPainter, placed: Placed, place: QRectF) -> None:
        if placed.quoted:
            painter.fillRect(QRectF(LEFT_PX, place.y(), 2, place.height()), c("line2"))
        if placed.ruled:
            painter.fillRect(QRectF(LEFT_PX, round(place.center().y()), place.width(), 1), c("line"))
        if placed.last and all(self._is_noted(line) for line in range(placed.first, placed.last)):
            paint_stroke(painter, QRectF(0, place.y(), BAR_PX, place.height()), "other")
