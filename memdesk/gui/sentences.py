"""Translate the engine's sentences into the language of the window.

The engine uses English only, in answers and in the records it has written. The window finds the template of
such a sentence among those that `packaging/sentences.py` collected from the engine's code, and uses the
translation of that template; text that a person or an agent wrote is inserted unchanged. A sentence without a
template stays English."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from memdesk.files.places import resource
from memdesk.gui.language import spoken, tr

LONGEST = 2000
"""Longest text that is matched, in characters; no sentence of the engine is longer."""
DEEP = 3
"""Maximum nesting of sentences within sentences."""
PART = re.compile(r"\{(\w+)\}")
SHAPES = {"count": r"[-+]?\d[\d,.:]*%?", "path": r"/.+?|\S+|.+?\.[a-z]{1,5}", "tool_name": r"\S+"}
ANYTHING = r"(?:(?![.!?] ).)+?"
"""Pattern of a part that stays within one sentence."""
SAYING = re.compile(r"says|note|reason|why|failed|spent|wrong|error")
"""Names of parts that are sentences themselves."""
BETWEEN = re.compile(r"(?<=[.!?”]) (?=[A-Z“_`])")


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with named parts. longest: its longest fixed text; a text without it cannot match."""

    text: str
    longest: str
    shape: re.Pattern[str]
    quoted: frozenset[str]


def said(text: str) -> str:
    """Return a text of the engine in the language of the window; unchanged in English."""
    if spoken() == "en" or not text or len(text) > LONGEST:
        return text
    return _said(text, spoken(), 0) or text


@lru_cache(maxsize=4096)
def _said(text: str, language: str, depth: int) -> str | None:
    """Return a text in this language, None if no template matches it."""
    exact, templates = _known()
    if text in exact:
        return tr(text)
    if pieces := _in_sentences(text, language, depth):
        return pieces
    for template in templates:
        found = template.longest in text and template.shape.fullmatch(text)
        if found:
            parts = {
                name: _part(part, name in template.quoted, language, depth)
                for name, part in found.groupdict().items()
            }
            return tr(template.text, **parts)
    return _in_halves(text, language, depth)


def _part(part: str, quoted: bool, language: str, depth: int) -> str:
    """Translate one part of a sentence, unless it is quoted: quoted text was written by a person or agent."""
    if quoted or depth >= DEEP:
        return part
    whole = _said(part, language, depth + 1)
    if whole is None and ", " in part:
        each = part.split(", ")
        known = [_said(one, language, depth + 1) for one in each]
        return tr(", ").join(new or old for new, old in zip(known, each, strict=True)) if any(known) else part
    return whole or part


def _in_sentences(text: str, language: str, depth: int) -> str | None:
    """Translate several consecutive sentences; None unless each of them is known."""
    pieces = BETWEEN.split(text)
    if len(pieces) == 1 or depth >= DEEP:
        return None
    known = [_said(each, language, depth + 1) for each in pieces]
    return "".join(each for each in known if each) if all(known) else None


def _in_halves(text: str, language: str, depth: int) -> str | None:
    """Translate a reason that was made a sentence by a capital and a full stop, or a title that ends with the
    name of its subject. None if it is neither."""
    if depth >= DEEP:
        return None
    if text.endswith("."):
        reason = text[:1].lower() + text[1:-1]
        known_reason = _said(reason, language, DEEP)
        return None if known_reason is None else known_reason + tr(".")
    head, colon, rest = text.partition(": ")
    known_head = _said(head, language, DEEP) if colon and " " in head else None
    return None if known_head is None else known_head + tr(": ") + rest


@lru_cache(maxsize=1)
def _known() -> tuple[frozenset[str], tuple[Template, ...]]:
    """Return the engine's sentences: all texts, and templates of those with parts, the longest fixed text
    first."""
    texts = json.loads(resource("sentences.json").read_text(encoding="utf-8"))
    parted = sorted((each for each in texts if PART.search(each)), key=_weight, reverse=True)
    return frozenset(texts), tuple(map(_template, parted))


def _weight(text: str) -> int:
    return len(PART.sub("", text))


def _template(text: str) -> Template:
    shape, quoted, at = "", set(), 0
    for part in PART.finditer(text):
        shape += re.escape(_plain(text[at : part.start()]))
        before = text[at : part.start()][-1:] or ("}" if at else "")
        kind = next((shape for name, shape in SHAPES.items() if part[1].startswith(name)), None)
        if kind is None:
            kind = ".+?" if SAYING.match(part[1]) or before == "“" else ANYTHING
            if before and before not in " “(`/":
                kind = f"(?:{kind})?"
        shape += f"(?P<{part[1]}>{kind})"
        if before == "“":
            quoted.add(part[1])
        at = part.end()
    shape += re.escape(_plain(text[at:]))
    longest = max(map(_plain, PART.split(text)[::2]), key=len)
    return Template(text=text, longest=longest, shape=re.compile(shape, re.DOTALL), quoted=frozenset(quoted))


def _plain(text: str) -> str:
    """Return template text with doubled braces made single."""
    return text.replace("{{", "{").replace("}}", "}")
