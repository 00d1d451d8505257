"""Lines of a curated file, each one accounted for: the statement it makes, with its headings and its day, or
the reason why it makes none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import takewhile

from memdesk.engine.memory.line_links import normalised_words
from memdesk.engine.secrets.detector import PLACEHOLDER
from memdesk.engine.workspace.line_words import (
    PART,
    PLANS,
    TERMINAL,
    TICKED,
    TO_DO,
    days_in,
    finished,
    is_bookkeeping,
    is_hint,
    is_placeholder,
    is_request,
    is_rule,
    label_words,
    linked,
    points_elsewhere,
    row_words,
    speaks_to_agent,
    stamped,
    tagged,
    unadorned,
    without_pictograms,
)
from memdesk.model.fact import CATEGORIES
from memdesk.model.message import message

HEADING, LABEL = "heading", message("label of a list")
TEMPLATE, BOOKKEEPING = "template", message("date or status")
TABLE_HEAD, TABLE_RULE = message("table head"), message("table rule")
FRONT_MATTER, CODE, COMMENT = message("front matter"), "code", "comment"
STRUCK = message("struck out")
OPEN_TASK, QUESTION = message("open task"), "question"
POINTER, LINK, SECRET = message("pointer to a file"), "relation", message("a password or key")
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
_BULLET = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•][ \t]+|・[ \t]*|\d{1,3}[.)][ \t]+|\d{1,3}、)(?P<body>.*)$")
_BOX = re.compile(r"\[(?P<mark>[ xX✓✔~-])\]\s+")
_BOLD_LINE = re.compile(r"(?:\*\*|__)(?P<words>[^*_]+?)(?:\*\*|__)\s*[:：]?\s*$")
_NAMED_LINE = re.compile(
    r"(?:\*\*|__)[^*_]{1,60}(?:[:：](?:\*\*|__)|(?:\*\*|__)\s*[:：])|[^\W\d_][\w/&'’-]*(?: [\w/&'’-]+){0,3}[:：] "
)
"""Beginning of a line that names its value, `**Email:** …` or `Time zone: …`."""
_LABEL = re.compile(r"(?P<words>[^:：]{1,60})[:：]\s*$")
_OBSERVATION = re.compile(r"\[(?P<kind>[^\[\]()|]{1,40})\][ \t]+(?P<text>\S.*)$")
_CATEGORISED = re.compile(rf"\*\*(?P<category>{'|'.join(CATEGORIES)})\*\*[:：]\s*(?=\S)", re.IGNORECASE)
"""Beginning of a line that names its own category, as a flush of a context writes it: `- **decision**: …`."""
_STRUCK = re.compile(r"~~[^~]+~~")
_RELATION = re.compile(
    r"(?P<type>[\w][\w -]{0,40}?)[ \t]+\[\[(?P<target>[^\[\]|#]{1,200})[^\[\]]*\]\][ \t]*(?:\([^()]*\))?$"
)
_CONTEXT = re.compile(r"\s*\((?P<words>[^()]*)\)\s*$")
_SENTENCE_ENDS = (".", "!", "?", "。", "！", "？")
_SENTENCE = 4
"""Words from which a line in bold, with nothing under it, is a statement."""
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
    """Curated file, line by line. title, type, tags: from its front matter or its first heading. about: the
    description in its front matter. lines: all lines with a word or a mark; empty ones are left out."""

    title: str = ""
    about: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    lines: tuple[PageLine, ...] = ()


def read_page(lines: Sequence[str], *, linked: bool = False, to_agent: bool = False) -> Page:
    """Return a file's lines as a page.

    linked: a note of a vault, in which `- type [[Page]]` is a relation and only items of lists are statements.
    to_agent: a file of instructions, in which lines may address the agent."""
    reader = _Reader(lines=lines, linked=linked, to_agent=to_agent)
    found = tuple(reader.read())
    return Page(title=reader.title, about=reader.about, type=reader.type, tags=reader.tags, lines=found)


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
    may go on with. `labelled` is the last line of the paragraph under a label outside a list."""

    lines: Sequence[str]
    linked: bool
    to_agent: bool
    title: str = ""
    about: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    titles: list[_Title] = field(default_factory=list)
    labels: list[_Title] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    found: list[PageLine] = field(default_factory=list)
    open: bool = False
    labelled: int = 0

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
            elif key == "metadata" and name.strip() == "type":
                self.type = value.strip().strip("\"'")
            elif key == "tags" and line.strip().startswith("- "):
                self.tags += (line.strip()[2:].strip("\"' "),)
        return end

    def _property(self, key: str, value: str) -> None:
        if key == "title":
            self.title = value
        elif key == "description":
            self.about = value
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
        elif "|" in line and (line.lstrip().startswith("|") or self.columns or is_rule(following)):
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
        if is_rule(line):
            self._skip(number, TABLE_RULE)
        elif is_rule(following):
            self.columns = cells
            self._skip(number, TABLE_HEAD)
        else:
            words = row_words(self.columns, cells)
            self._state(number, words, bulleted=True, row=True)

    def _bullet(self, number: int, indent: int, body: str, following: str) -> None:
        self.labels = [each for each in self.labels if each.indent < indent]
        self.open, self.columns = False, ()
        box = _BOX.match(body)
        if (box and box["mark"] in " -~") or TO_DO.match(body):
            self._skip(number, OPEN_TASK)
            return
        body = body[box.end() :] if box else body
        inner = _BULLET.match(following if following.strip() else self._next(number))
        nests = inner is not None and len(inner["indent"].expandtabs(4)) > indent
        if nests and (words := label_words(body)) is not None:
            self._label(number, words, indent)
            return
        done = box is not None or (TICKED.match(body) is not None and self._plans())
        self._state(number, body, bulleted=True, done=done)
        if nests and (words := self.found[-1].words):
            self.labels.append(_Title(words, 0, indent, None, states=True))

    def _plans(self) -> bool:
        """Return True in a list of things to do, where a tick means that one is done."""
        return any(PLANS.search(each.words) for each in (*self.titles, *self.labels))

    def _text(self, number: int, line: str, following: str) -> None:
        body = line.strip()
        if not body:
            self.open = False
            self._skip(number, WORDLESS)
            return
        below = self.labelled == number - 1
        self.labelled = number if below else self.labelled
        if self.open and self._goes_on(line):
            self._join(number, body)
            return
        if not line[:1].isspace() and not below:
            self.labels = []
        bold, label = _BOLD_LINE.match(body), _LABEL.match(body)
        if bold and not self._names_what_follows(number, body):
            bold = None
        named = bold or (label if len(body.split()) <= 8 else None)
        if named or (body.endswith((":", "：")) and _BULLET.match(following)):
            self._label(number, named["words"] if named else body, -1)
            return
        if is_hint(body):
            self._skip(number, BOOKKEEPING if is_bookkeeping(body.strip("*_ ()（）")) else TEMPLATE)
            return
        self._state(number, body, bulleted=False)

    def _next(self, number: int) -> str:
        """Return the next line after this one with words, without its quotation marks."""
        lines = (_QUOTED.sub("", line) for line in self.lines[number:])
        return next((line for line in lines if line.strip()), "")

    def _names_what_follows(self, number: int, body: str) -> bool:
        """Return True if a line in bold is a label, not a statement: it ends with a colon, or a list follows."""
        plain = normalised_words(body)
        if plain.endswith((":", "：")):
            return True
        under = self._next(number)
        if _BULLET.match(under) or under.lstrip().startswith("|"):
            return True
        bare = _HEADING.match(under) or _SEPARATOR.match(under) or _BOLD_LINE.match(under.strip())
        return not (
            plain.endswith(_SENTENCE_ENDS) or ((bare or not under) and len(plain.split()) >= _SENTENCE)
        )

    def _goes_on(self, line: str) -> bool:
        """Return True if a line continues the statement above it: it is indented under its item, or a sentence
        is broken into lines of one width."""
        last = self.lines[self.found[-1].number - 1]
        above, body = last.rstrip(), line.strip()
        if _NAMED_LINE.match(body) and (body[0] in "*_" or _NAMED_LINE.match(above.strip())):
            return False
        if last.endswith(("  ", "\\")):
            return False
        if line[:1].isspace() and self.found[self._at()].bulleted:
            return True
        if above.endswith((";", ",")) and body[0].islower():
            return True
        if above.endswith(TERMINAL) or _CJK.search(body[0]) or _CJK.search(above[-1:]):
            return False
        fits = len(above) + 1 + len(body.split()[0]) <= self._width()
        return line[:1].isspace() or not fits or (len(above) >= _WRAPPED and not body[0].isdigit())

    def _width(self) -> int:
        """Return the length at which the lines of the present paragraph are broken; a great one if they are not."""
        paragraph = self.lines[self.found[self._at()].number - 1 :]
        longest = max(len(line.rstrip()) for line in takewhile(str.strip, paragraph))
        return longest if longest >= _WRAPPED else 1_000

    def _at(self) -> int:
        """Return the place of the last statement."""
        return next(n for n in range(len(self.found) - 1, -1, -1) if self.found[n].words)

    def _join(self, number: int, body: str) -> None:
        line = self.found[self._at()]
        links, body = linked(body)
        further = normalised_words(body)
        space = "" if further and _CJK.search(line.words[-1]) and _CJK.search(further[0]) else " "
        self.found[self._at()] = replace(
            line, words=f"{line.words}{space}{further}".strip(), links=(*line.links, *links)
        )
        self._skip(number, CONTINUED)

    def _label(self, number: int, words: str, indent: int) -> None:
        words = without_pictograms(normalised_words(words)).rstrip(":：")
        day = next((each.day for each in days_in(words)), None)
        self.labels.append(_Title(words, 0, indent, day))
        self.open, self.labelled = False, number if indent < 0 else 0
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
        if (kept := _STRUCK.sub("", body).strip()) != body.strip() and not kept[:1].isalnum():
            return replace(line, why=STRUCK)
        body, line = _observed(kept, line)
        links, body = linked(body)
        day, body = stamped(body)
        if day is not None:
            line = replace(line, day=day, dated=True)
        body = unadorned(body)
        body, tags = tagged(body) if self.linked or line.kind else (body, ())
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
        if PLACEHOLDER.search(words):
            return SECRET
        if is_request(words):
            return OPEN_TASK
        if is_placeholder(words):
            return TEMPLATE
        if is_bookkeeping(words):
            return BOOKKEEPING
        if PART.match(words) or (not self.to_agent and speaks_to_agent(words)):
            return INSTRUCTION
        if self.linked and not line.bulleted:
            return PROSE
        return ""


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
