"""Help: the sheet at the right of the window, with the page of the open panel and a search over all pages; and the
dialog about the program."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QUrl, Signal, qVersion
from PySide6.QtGui import QGuiApplication, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QDialog, QStackedWidget, QWidget

import memdesk
from memdesk.files.licences import notices, packages
from memdesk.files.places import resource
from memdesk.gui import language
from memdesk.gui.editor.markdown_preview import Preview, parse
from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.widgets import Column, Control, Empty, Field, Ground, List, Text, column, explaining, row

INDEX = "index"
COLONS = {"en": ":", "zh": "："}
TERM = re.compile(r"^\{(\w+)\}")
HEADING = re.compile(r"^#+ (.*)$")
MARKS = re.compile(r"[*`|#]|\]\([^)]*\)|\[")
"""Markdown syntax to remove from a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A help page with its terms inserted. title: its first heading; anchors: the line, from 0, on which a
    term is explained."""

    name: str
    title: str
    text: str
    anchors: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A line that contains the searched words. heading: the heading above it."""

    page: Page
    line: int
    heading: str
    text: str


def help_page(name: str) -> Page | None:
    """Return the page of a panel, or of `index`; None if there is none."""
    return _pages(language.current_language()).get(name)


def pages() -> Sequence[Page]:
    """Return all pages: the index first, then by title."""
    return tuple(_pages(language.current_language()).values())


def search(words: str) -> Iterator[Hit]:
    """Yield the lines that contain every word, ignoring case; matches on the first line of a page come first."""
    wanted = words.lower().split()
    if wanted:
        found = [hit for each in pages() for hit in _hits(each, wanted)]
        yield from sorted(found, key=lambda hit: hit.line != 0)


def _hits(page: Page, wanted: Sequence[str]) -> Iterator[Hit]:
    heading = page.title
    for number, line in enumerate(page.text.splitlines()):
        if title := HEADING.match(line):
            heading = title[1]
        text = " ".join(MARKS.sub("", line).split())
        if all(word in text.lower() for word in wanted):
            yield Hit(page=page, line=number, heading=heading, text=text)


@cache
def _pages(code: str) -> Mapping[str, Page]:
    """Return the pages of a language by name; a page that is not translated yet is the English one."""
    files = {file.stem: file for each in ("en", code) for file in resource("help", each).glob("*.md")}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    texts[INDEX] = _with_unlisted(texts)
    found = [_read(name, text, code) for name, text in texts.items()]
    return {page.name: page for page in sorted(found, key=lambda page: (page.name != INDEX, page.title))}


def _with_unlisted(texts: Mapping[str, str]) -> str:
    """Return the index with a line, at the end of its list of pages, for each page that it does not name."""
    title, listed, rest = texts[INDEX].split("\n\n## ", 2)
    missing = sorted(name for name in texts if name != INDEX and f"({name}.md)" not in listed)
    lines = [f"- [{texts[name].splitlines()[0].removeprefix('# ')}]({name}.md)" for name in missing]
    return "\n\n## ".join((title, "\n".join((listed, *lines)), rest))


def _read(name: str, text: str, code: str) -> Page:
    """Return a page with its terms inserted. Raises KeyError for a term that is not in the glossary."""
    anchors: dict[str, int] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if found := TERM.match(line):
            term = explaining.terms()[found[1]]
            anchors[term.key] = number
            lines[number] = f"**{term.names[0]}{COLONS[code]}** {term.says}{line[found.end() :]}"
    title = HEADING.match(lines[0])
    return Page(name=name, title=title[1] if title else name, text="\n".join(lines), anchors=anchors)


WIDTH_PX = 420
HEAD_PX = 48
PANEL = "panel"
"""Scheme of a link that opens a panel: `panel:facts`."""
HITS_AT_MOST = 60


class Help(Ground):
    """Help sheet that covers the right part of `beside`. The signal `panel_asked` carries the panel that a
    link leads to.

    open(page, term) shows a page; toggle(panel) is the action of F1; follow(panel, before) shows the page of
    a newly opened panel."""

    panel_asked = Signal(str)
    closed = Signal(bool)

    def __init__(self, window: QWidget, beside: QWidget) -> None:
        super().__init__("panel", "left", parent=window)
        self._beside = beside
        self._page: Page | None = None
        self._past: list[str] = []
        self._is_furnished = False
        self.setAccessibleName(tr("Help"))
        self.hide()

    def _furnish(self) -> None:
        """Create the widgets when they are first needed: a window begins without help."""
        self._is_furnished = True
        self.title = Text("", 15, "t1", weight=600, elide=True)
        self.back = Control("ghost", "", "left", small=True, tip=tr("Back"))
        self.contents = Control("ghost", "", "facts", small=True, tip=tr("All pages"))
        self.field = Field(placeholder=tr("Search the help"), icon="search", keys="Ctrl F", quiet=True)
        self.text = Preview()
        self.hits = List(_said, name=tr("Found in the help"), columns=(_hit_column(),))
        self._nothing = Empty("")
        self._shown = QStackedWidget()
        self.text.setAccessibleName(tr("Page of the help"))
        close = Control("ghost", "", "close", small=True, tip=tr("Close") + "  Esc")
        head = row(
            self.back, self.title, self.contents, close, gap=8, margins=(14, 0, 10, 0), stretch=self.title
        )
        top = Ground("panel", "bottom left", head, height=HEAD_PX)
        search = Ground("panel", "left", row(self.field, margins=(16, 10, 16, 2)))
        for part in (self.text, self.hits, self._nothing):
            self._shown.addWidget(part)
        self.setLayout(column(top, search, self._shown, gap=0, margins=(1, 0, 0, 0)))
        self.back.clicked.connect(self.go_back)
        self.contents.clicked.connect(lambda: self.open(INDEX))
        close.clicked.connect(self.close_help)
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(lambda: self._take(self.hits.record()))
        self.text.followed.connect(lambda path: self.open(path.removesuffix(".md")))
        self.text.anchorClicked.connect(self._follow_link)
        for chosen in (self.hits.opened, self.hits.clicked):
            chosen.connect(lambda _: self._take(self.hits.record()))
        on_key("Ctrl+F", self.field.setFocus, self, inside=True)
        self._beside.installEventFilter(self)

    # Opening and closing.

    def toggle(self, panel: str) -> None:
        """Show the page of a panel, or hide the help."""
        if self.isVisible():
            self.close_help()
        else:
            self._past.clear()
            self.open(panel)

    def open(self, name: str, term: str = "") -> None:
        """Show a page, scrolled to a term; for an unknown page, show the list of pages."""
        page = help_page(name) or help_page(INDEX)
        assert page is not None
        if not self._is_furnished:
            self._furnish()
        self._keep_way()
        if not self.isVisible():
            self._place()
            self.show()
            self.raise_()
        self._show(page, page.anchors.get(term, 0))
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def explain(self, key: str) -> None:
        """Show the place where a term of the glossary is explained."""
        term = explaining.terms()[key]
        self.open(term.page, key)

    def follow(self, panel: str, before: str) -> None:
        """Show the page of a newly opened panel, if the help shows that of the panel before."""
        if self.isVisible() and self._page is not None and self._page.name == before:
            self._past.clear()
            page = help_page(panel)
            if page is not None:
                self._show(page, 0)

    def go_back(self) -> None:
        if self._past:
            page = help_page(self._past.pop())
            assert page is not None
            self._show(page, 0)

    def close_help(self) -> None:
        """Hide the help if it is shown; `closed` carries True if it had the keyboard focus."""
        if not self.isVisible():
            return
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        self.hide()
        self.field.clear()
        self.closed.emit(had_focus)

    def _show(self, page: Page, line: int) -> None:
        self._page = page
        self.field.clear()
        self.title.setText(page.title)
        self.back.setVisible(bool(self._past))
        self.text.show_parsed(parse(page.text))
        self.text.show_line(line)
        # What is seen is where the page is read from: Qt scrolls to its cursor, which writing left at the end.
        self.text.setTextCursor(self.text.cursorForPosition(QPoint(0, 0)))
        self._shown.setCurrentWidget(self.text)

    def _keep_way(self) -> None:
        if self._page is not None and self.isVisible():
            self._past.append(self._page.name)

    def _follow_link(self, url: QUrl) -> None:
        if url.scheme() == PANEL:
            self.panel_asked.emit(url.path())

    # Searching.

    def _search(self, words: str) -> None:
        if not words.strip():
            self.hits.rows.set_rows(())
            self._shown.setCurrentWidget(self.text)
            return
        found = list(islice(search(words), HITS_AT_MOST))
        self.hits.rows.set_rows(found)
        self._nothing.set_words(tr("The help says nothing of “{words}”.", words=words.strip()))
        self._shown.setCurrentWidget(self.hits if found else self._nothing)
        if found:
            self.hits.choose(0)

    def _take(self, hit: Hit | None) -> None:
        if hit is not None:
            self._keep_way()
            self._show(hit.page, hit.line)
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    # Its place.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the position when the window changes."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False

    def _place(self) -> None:
        place = self._beside.geometry()
        wide = min(WIDTH_PX, place.width())
        self.setGeometry(place.right() + 1 - wide, place.y(), wide, place.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the search on Esc, or close if it is empty; Down moves to the search results."""
        if event.key() == Qt.Key.Key_Escape:
            self.step_back()
        elif event.key() == Qt.Key.Key_Down and self._shown.currentWidget() is self.hits:
            self.hits.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def step_back(self) -> bool:
        """Handle Esc; returns False while the help is not shown."""
        if not self.isVisible():
            return False
        if self.field.text():
            self.field.clear()
        else:
            self.close_help()
        return True


def _said(hit: Hit) -> str:
    return f"{hit.page.title}, {hit.heading}: {hit.text}"


def _hit_column() -> Column[Hit]:
    """Return the column of the found lines, each with its page and heading below."""

    def place(hit: Hit) -> str:
        return hit.page.title if hit.heading == hit.page.title else f"{hit.page.title} · {hit.heading}"

    return Column(tr("Found in the help"), lambda hit: hit.text, px=13, token="t1", below=place)


SIZE = (640, 620)


NAME = f"MemDesk {memdesk.__version__}"


def surroundings() -> str:
    """Return the versions of what the program runs on, as a report of a fault names them."""
    system = f"{platform.system()} {platform.machine()}"
    return f"Python {platform.python_version()}, Qt {qVersion()}, {system}"


def software() -> str:
    """Return the notices of third parties and the table of installed packages, as markdown."""
    rows = "\n".join(f"| {each.name} | {each.version} | {each.licence} |" for each in packages())
    heads = " | ".join((tr("Package"), tr("Version"), tr("Licence")))
    title = tr("Packages of this installation")
    return f"{notices()}\n## {title}\n\n| {heads} |\n| --- | --- | --- |\n{rows}\n"


class About(QDialog):
    """Dialog of the program's version and licences. Copy puts all of it on the clipboard, Esc closes."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._software = software()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("About MemDesk"))
        self.resize(*SIZE)
        name = Text(NAME, 15, "t1", weight=600)
        says = tr("See, judge and correct what AI agents remember. Free software under the MIT licence.")
        self.surroundings = Text(surroundings(), 12, "t3", mono=True, wrap=True, selectable=True)
        self.text = Preview()
        self.text.setAccessibleName(tr("Third-party software"))
        self.copy = Control("button", tr("Copy"), tip=tr("Versions and licences, as markdown"))
        self.copy.clicked.connect(self._copy)
        leave = Control("ghost", tr("Close"), keys="Esc")
        leave.clicked.connect(self.close)
        head = column(
            name, Text(says, 12, "t2", wrap=True), self.surroundings, gap=6, margins=(20, 18, 20, 14)
        )
        footer = row(self.copy, None, leave, gap=8, margins=(20, 10, 14, 12))
        parts = column(
            Ground("panel", "bottom", head),
            self.text,
            Ground("panel", "top", footer),
            gap=0,
            stretch=self.text,
        )
        self.setLayout(column(Ground("panel", layout=parts), gap=0))
        self.text.show_parsed(parse(self._software))
        # Writing leaves Qt's cursor, to which it scrolls, at the end.
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{NAME}, {surroundings()}\n\n{self._software}")
        self.copy.setText(tr("Copied"))
