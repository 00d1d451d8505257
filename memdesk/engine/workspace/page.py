"""Lines of a curated file, each one accounted for: the statement it makes, with its headings and its day, or
the reason why it makes none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from memdesk.engine.memory.line_links import normalised_words
from memdesk.engine.workspace.blanks import (
    finished,
    is_bookkeeping,
    is_placeholder,
    is_request,
    points_elsewhere,
    speaks_to_agent,
)
from memdesk.engine.workspace.dates import days_in
from memdesk.model.fact import CATEGORIES
from memdesk.model.message import message

HEADING, LABEL = "heading", message("label of a list")
TEMPLATE, BOOKKEEPING = "template", message("date or status")
TABLE_HEAD, TABLE_RULE = message("table head"), message("table rule")
FRONT_MATTER, CODE, COMMENT = message("front matter"), "code", "comment"
OPEN_TASK, QUESTION = message("open task"), "question"
POINTER, LINK = message("pointer to a file"), "relation"
INSTRUCTION = "instruction to the agent"
CONTINUED, WORDLESS, PROSE = (
    message("part of the line above"),
    message("no words"),
    message("prose of a note"),
)
SEPARATOR = "separator"

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_UNDERLINE = re.compile(r" {0,3}={3,}\s*$")
_QUOTED = re.compile(r"^ {0,3}(?:>[ \t]?)+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_SEPARATOR = re.compile(r"\s*(?:§|([-*_])[ \t]*(?:\1[ \t]*){2,})\s*$")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_BULLET = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•][ \t]+|・[ \t]*|\d{1,3}[.)][ \t]+|\d{1,3}、)(?P<body>.*)$")
_BOX = re.compile(r"\[(?P<mark>[ xX✓✔~-])\]\s+")
_BOLD_LINE = re.compile(r"(?:\*\*|__)(?P<words>[^*_]+?)(?:\*\*|__)\s*[:：]?\s*$")
_NAMED_LINE = re.compile(
    r"(?:\*\*|__)[^*_]{1,60}(?:[:：](?:\*\*|__)|(?:\*\*|__)\s*[:：])|[^\W\d_][\w/&'’-]*(?: [\w/&'’-]+){0,3}[:：] "
)
"""Beginning of a line that names its value, `**Email:** …` or `Time zone: …`."""
_LABEL = re.compile(r"(?P<words>[^:：]{1,60})[:：]\s*$")
_AFTER_STAMP = re.compile(
    r"(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?Z?[\])）*_`]*(?:\s*[-–—:：|,]+\s*|\s+(?!(?:is|was|to|and|or|bis"
    r"|a|until)\b|[-–—]?\s*\d)|$)"
)
_TIME = re.compile(
    r"^(?:\[\d{1,2}:\d\d(?::\d\d)?(?: ?UTC|Z)?\]\s*|(?:[01]?\d|2[0-3]):[0-5]\d(?::\d\d)?\s+(?![-–—]))"
)
_OBSERVATION = re.compile(r"\[(?P<kind>[^\[\]()|]{1,40})\][ \t]+(?P<text>\S.*)$")
_CATEGORISED = re.compile(rf"\*\*(?P<category>{'|'.join(CATEGORIES)})\*\*[:：]\s*(?=\S)", re.IGNORECASE)
"""Beginning of a line that names its own category, as a flush of a context writes it: `- **decision**: …`."""
_RELATION = re.compile(
    r"(?P<type>[\w][\w -]{0,40}?)[ \t]+\[\[(?P<target>[^\[\]|#]{1,200})[^\[\]]*\]\][ \t]*(?:\([^()]*\))?$"
)
_WIKI = re.compile(r"\[\[(?P<target>[^\[\]|#]{1,200})(?:#[^\[\]|]*)?(?:\|(?P<words>[^\[\]]+))?\]\]")
_TAG = re.compile(r"(?:^|(?<=\s))#(?P<name>[^\W\d][\w/-]*)")
_CONTEXT = re.compile(r"\s*\((?P<words>[^()]*)\)\s*$")
_PICTOGRAM = re.compile("[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\u200d]+")
_TERMINAL = (".", "!", "?", "。", "！", "？", "；", ";", ":", "：", "…")
_WRAPPED = 60
"""Length from which a line without an end of sentence may go on in the next one."""
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """Line of a curated file. number: from 1. words: its statement, "" if it makes none. why: the reason for
    that.

    headings: the titles and labels above it, outermost first. day: the date written at its beginning, else in
    the nearest heading. dated: that date is the line's own. done: a ticked task. kind: the category that an
    observation names. tags: its tags. links: the pages it names. relation: (type, other page) for a line that
    only relates this page to another. bulleted, row: it is an item of a list, or a row of a table. nested: the item
    above it makes its own statement, which is the last of its headings."""

    number: int
    words: str = ""
    why: str = ""
    headings: tuple[str, ...] = ()
    day: date | None = None
    dated: bool = False
    done: bool = False
    kind: str = ""
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    relation: tuple[str, str] | None = None
    bulleted: bool = False
    row: bool = False
    nested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Curated file, line by line. title, type, tags: from its front matter or its first heading. lines: all
    lines with a word or a mark; empty ones are left out."""

    title: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    lines: tuple[PageLine, ...] = ()


def read_page(lines: Sequence[str], *, linked: bool = False, to_agent: bool = False) -> Page:
    """Return a file's lines as a page.

    linked: a note of a vault, in which `- type [[Page]]` is a relation and only items of lists are statements.
    to_agent: a file of instructions, in which lines may address the agent."""
    reader = _Reader(lines=lines, linked=linked, to_agent=to_agent)
    found = tuple(reader.read())
    return Page(title=reader.title, type=reader.type, tags=reader.tags, lines=found)


def without_pictograms(text: str) -> str:
    """Return a title without its pictograms."""
    return " ".join(_PICTOGRAM.sub(" ", text).split())


@dataclass(frozen=True, slots=True)
class _Title:
    """Heading or label in force. level: of a heading; indent: of a label, -1 for one outside a list. states: it is
    a statement too."""

    words: str
    level: int
    indent: int
    day: date | None
    states: bool = False


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Reader of one file. `titles` and `labels` are those in force; `open` is the statement that a next line
    may go on with."""

    lines: Sequence[str]
    linked: bool
    to_agent: bool
    title: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    titles: list[_Title] = field(default_factory=list)
    labels: list[_Title] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    found: list[PageLine] = field(default_factory=list)
    open: bool = False

    def read(self) -> list[PageLine]:
        start = self._front_matter()
        fenced = commented = False
        for number, line in enumerate(self.lines[start:], start + 1):
            if commented or (not fenced and line.lstrip().startswith("<!--")):
                commented = "-->" not in line
                self._skip(number, COMMENT)
            elif fenced or _FENCE.match(line):
                fenced ^= bool(_FENCE.match(line))
                self._skip(number, CODE)
            elif not line.strip():
                self.open, self.columns = False, ()
            else:
                self._line(number, _QUOTED.sub("", line))
        return self.found

    def _front_matter(self) -> int:
        """Take in the YAML at the beginning; return the number of its lines."""
        if not self.lines or self.lines[0].strip() != "---":
            return 0
        end = next((n for n, line in enumerate(self.lines[1:80], 2) if line.strip() in ("---", "...")), 0)
        key = ""
        for number, line in enumerate(self.lines[:end], 1):
            self._skip(number, FRONT_MATTER)
            name, colon, value = line.partition(":")
            if colon and not line[:1].isspace() and not line.startswith("-"):
                key, value = name.strip().lower(), value.strip().strip("\"'")
                self._property(key, value)
            elif key == "tags" and line.strip().startswith("- "):
                self.tags += (line.strip()[2:].strip("\"' "),)
        return end

    def _property(self, key: str, value: str) -> None:
        if key == "title":
            self.title = value
        elif key == "type":
            self.type = value
        elif key == "tags":
            self.tags = tuple(filter(None, (each.strip("\"' #") for each in value.strip("[]").split(","))))

    def _skip(self, number: int, why: str) -> None:
        self.found.append(PageLine(number=number, why=why, headings=self._headings()))

    def _headings(self) -> tuple[str, ...]:
        return tuple(each.words for each in (*self.titles, *self.labels) if each.words)

    def _day(self) -> date | None:
        return next((each.day for each in (*reversed(self.labels), *reversed(self.titles)) if each.day), None)

    def _line(self, number: int, line: str) -> None:
        following = self.lines[number] if number < len(self.lines) else ""
        if head := _HEADING.match(line):
            self._head(number, len(head[1]), head[2])
        elif _UNDERLINE.match(following) and not _BULLET.match(line):
            self._head(number, 1, line.strip())
        elif _SEPARATOR.match(line) or _UNDERLINE.match(line):
            self.open = False
            self._skip(number, SEPARATOR)
        elif "|" in line and (line.lstrip().startswith("|") or self.columns or _is_rule(following)):
            self._table(number, line, following)
        elif bullet := _BULLET.match(line):
            self._bullet(number, len(bullet["indent"].expandtabs(4)), bullet["body"].strip(), following)
        else:
            self._text(number, line, following)

    def _head(self, number: int, level: int, words: str) -> None:
        self.open, self.columns, self.labels = False, (), []
        words = without_pictograms(words.strip("*_ "))
        day = next((each.day for each in days_in(words)), None)
        self.titles = [each for each in self.titles if each.level < level]
        self.titles.append(_Title(words, level, 0, day))
        if not self.title and level == 1:
            self.title = words
        self._skip(number, HEADING)

    def _table(self, number: int, line: str, following: str) -> None:
        self.open = False
        cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
        if _is_rule(line):
            self._skip(number, TABLE_RULE)
        elif _is_rule(following):
            self.columns = cells
            self._skip(number, TABLE_HEAD)
        else:
            words = _row_words(self.columns, cells)
            self._state(number, words, bulleted=True, row=True)

    def _bullet(self, number: int, indent: int, body: str, following: str) -> None:
        self.labels = [each for each in self.labels if each.indent < indent]
        self.open, self.columns = False, ()
        box = _BOX.match(body)
        if box and box["mark"] in " -~":
            self._skip(number, OPEN_TASK)
            return
        body = body[box.end() :] if box else body
        inner = _BULLET.match(following)
        nests = inner is not None and len(inner["indent"].expandtabs(4)) > indent
        if nests and (words := _label_words(body)) is not None:
            self._label(number, words, indent)
            return
        self._state(number, body, bulleted=True, done=box is not None)
        if nests and (words := self.found[-1].words):
            self.labels.append(_Title(words, 0, indent, None, states=True))

    def _text(self, number: int, line: str, following: str) -> None:
        body = line.strip()
        if self.open and self._goes_on(line):
            self._join(number, body)
            return
        if not line[:1].isspace():
            self.labels = []
        bold, label = _BOLD_LINE.match(body), _LABEL.match(body)
        named = bold or (label if len(body.split()) <= 8 else None)
        if named or (body.endswith((":", "：")) and _BULLET.match(following)):
            self._label(number, named["words"] if named else body, -1)
            return
        if _is_hint(body):
            self._skip(number, BOOKKEEPING if is_bookkeeping(body.strip("*_ ()（）")) else TEMPLATE)
            return
        self._state(number, body, bulleted=False)

    def _goes_on(self, line: str) -> bool:
        """Return True if a line continues the statement above it: a sentence broken into lines of one width."""
        above = self.lines[self.found[-1].number - 1].rstrip()
        first = line.strip()[:1]
        if _NAMED_LINE.match(line.strip()) and (line.lstrip()[0] in "*_" or _NAMED_LINE.match(above.strip())):
            return False
        if above.endswith(_TERMINAL) or _CJK.search(first) or _CJK.search(above[-1:]):
            return False
        return line[:1].isspace() or (len(above) >= _WRAPPED and not first.isdigit())

    def _join(self, number: int, body: str) -> None:
        at = next(n for n in range(len(self.found) - 1, -1, -1) if self.found[n].words)
        joined = f"{self.found[at].words} {normalised_words(body)}"
        self.found[at] = replace(self.found[at], words=joined.strip())
        self._skip(number, CONTINUED)

    def _label(self, number: int, words: str, indent: int) -> None:
        words = without_pictograms(normalised_words(words)).rstrip(":：")
        day = next((each.day for each in days_in(words)), None)
        self.labels.append(_Title(words, 0, indent, day))
        self.open = False
        self._skip(number, LABEL)

    def _state(
        self, number: int, body: str, *, bulleted: bool, done: bool = False, row: bool = False
    ) -> None:
        """Record the statement of a line, or the reason why it makes none."""
        line = PageLine(
            number=number,
            headings=self._headings(),
            day=self._day(),
            done=done,
            bulleted=bulleted,
            row=row,
            nested=any(each.states for each in self.labels),
        )
        self.found.append(self._stated(line, body))
        self.open = bool(self.found[-1].words)

    def _stated(self, line: PageLine, body: str) -> PageLine:
        if relation := _RELATION.match(body) if self.linked and line.bulleted else None:
            ends = relation["type"].strip(), relation["target"].strip()
            return replace(line, why=LINK, relation=ends)
        if points_elsewhere(body):
            return replace(line, why=POINTER)
        body, line = _observed(body, line)
        links = tuple(found["target"].strip() for found in _WIKI.finditer(body))
        body = _WIKI.sub(lambda found: found["words"] or found["target"], body)
        stamped, body = _stamped(body)
        if stamped is not None:
            line = replace(line, day=stamped, dated=True)
        body, tags = _tagged(body) if self.linked or line.kind else (body, ())
        if named := _CATEGORISED.match(body):
            body, line = body[named.end() :], replace(line, kind=named["category"])
        words = normalised_words(body)
        if done := finished(words):
            words, line = done, replace(line, done=True)
        line = replace(line, tags=(*line.tags, *tags), links=links)
        if why := self._refusal(words, line):
            return replace(line, why=why)
        return replace(line, words=words)

    def _refusal(self, words: str, line: PageLine) -> str:
        """Return the reason why these words are no statement, "" if they are one."""
        if not words:
            return WORDLESS if not line.dated else BOOKKEEPING
        if words.endswith(("?", "？")):
            return QUESTION
        if is_request(words):
            return OPEN_TASK
        if is_placeholder(words):
            return TEMPLATE
        if is_bookkeeping(words):
            return BOOKKEEPING
        if not self.to_agent and speaks_to_agent(words):
            return INSTRUCTION
        if self.linked and not line.bulleted:
            return PROSE
        return ""


def _is_rule(line: str) -> bool:
    return "|" in line and "-" in line and _TABLE_RULE.match(line) is not None


def _row_words(columns: tuple[str, ...], cells: tuple[str, ...]) -> str:
    """Return a row as a statement about its first cell, in which the others are named by their columns.

    A second column of plain values needs no name: `Editor: Neovim`."""
    named = [
        (columns[n] if n < len(columns) else "", cell)
        for n, cell in enumerate(cells)
        if cell and not is_placeholder(cell)
    ]
    if not named or (len(named) == 1 and len(cells) > 1):
        return ""
    first, others = named[0][1], named[1:]
    if len(cells) == 2:
        return f"{first}: {others[0][1]}"
    parts = [f"{column}: {cell}" if column else cell for column, cell in others]
    return ", ".join((first, *parts))


def _label_words(body: str) -> str | None:
    """Return the words of an item that only names the items under it, None if it states more."""
    plain = normalised_words(body)
    if plain.endswith((":", "：")):
        return plain
    short = len(plain.split()) <= 3 and not plain.endswith(_TERMINAL) and not re.search("[:：=]", plain)
    return plain if short and len(plain) <= 30 else None


def _is_hint(body: str) -> bool:
    """Return True for a line that is in brackets or in italics from end to end: a remark on the file."""
    bare = body.strip()
    for opening, closing in (("(", ")"), ("（", "）"), ("[", "]"), ("_", "_"), ("*", "*"), ("<", ">")):
        inner = bare[1:-1]
        if len(bare) > 2 and bare[0] == opening and bare[-1] == closing and inner.strip():
            doubled = opening in "_*" and (inner[0] == opening or opening in inner.strip("_*"))
            return not doubled and closing not in inner.replace("\\" + closing, "")
    return False


def _observed(body: str, line: PageLine) -> tuple[str, PageLine]:
    """Return an observation's text, and its line with the category, the tags and the context it names."""
    found = _OBSERVATION.match(body)
    if (
        found is None
        or next(days_in(found["kind"]), None) is not None
        or not found["kind"].strip(" xX0123456789:")
    ):
        return body, line
    text, headings = found["text"], line.headings
    if context := _CONTEXT.search(text):
        text, headings = text[: context.start()], (*headings, context["words"])
    return text, replace(line, kind=found["kind"].strip(), headings=headings)


def _stamped(body: str) -> tuple[date | None, str]:
    """Return the date at the beginning of a line, and the text after it; a time in brackets is left out too."""
    bare = body.lstrip("*_`[(（ ")
    first = next(days_in(bare[:40]), None)
    after = _AFTER_STAMP.match(bare, first.end) if first is not None and not first.start else None
    if first is None or after is None or next(days_in(bare[after.end() : after.end() + 3]), None):
        time = _TIME.match(body)
        return None, body[time.end() :] if time else body
    return first.day, bare[after.end() :]


def _tagged(body: str) -> tuple[str, tuple[str, ...]]:
    tags = tuple(found["name"] for found in _TAG.finditer(body))
    return (_TAG.sub("", body).strip(), tags) if tags else (body, ())
