"""Facts in markdown notes: lines that people and agents write down on purpose. The claim is the line,
cleaned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.engine.extraction import chinese, cues, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Draft
from memdesk.engine.extraction.language import HAN, WORD, language, plain
from memdesk.model.fact import CATEGORIES

_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX])\]\s+)?")
_STAMP = re.compile(
    r"\s*(?:\[[\d\-:/ T.,Z]{4,25}\]|\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?|\d\d:\d\d)\s*[-–—:]?\s+"
)
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s+(?P<name>.*)|\*\*(?P<bold>[^*]+)\*\*:?\s*|(?P<label>[^:：]{2,40})[:：]\s*)$"
)
_NOISE = re.compile(r"\s*(?:[-=*_]{3,}|\|.*|@\S+|!\[.*|<[^>]*>.*|[{}\[\]]+)\s*$")
_LINK = re.compile(r"!?\[([^\]]{1,200})\]\([^)\s]{0,400}\)")
_MARKS = re.compile(r"\*\*|__|~~|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
_LABELS = (
    ("decision", re.compile(r"decision|decided|决定|决策", re.IGNORECASE)),
    ("preference", re.compile(r"preference|likes|style|偏好|喜好|风格", re.IGNORECASE)),
    (
        "constraint",
        re.compile(r"constraint|rule|must|never|always|boundar|limit|约束|规则|禁止|红线", re.IGNORECASE),
    ),
    ("event", re.compile(r"event|milestone|history|timeline|事件|大事|里程碑", re.IGNORECASE)),
)
_ASKED_TO_KEEP = re.compile(
    r"(?:用户要求记住|记住|关键信息|remember|user asked to remember)[:：]\s*", re.IGNORECASE
)
_REQUEST = re.compile(r"(?:用户请求|user request|todo|to-do|待办)[:：]", re.IGNORECASE)
_DONE = re.compile(r"(?:完成事项|已完成|completed|done)[:：]\s*", re.IGNORECASE)
_CATEGORISED = re.compile(rf"\*\*(?P<category>{'|'.join(CATEGORIES)})\*\*[:：]\s*")
"""Pattern of a line that begins with its own category, as a flush writes it: `- **decision**: …`."""
_PAIR = re.compile(rf"[\w {HAN}/.'&()-]{{1,48}}\s*[:：=→]\s*\S|\w+ - \S")
_SHORTEST, _SHORTEST_CHINESE, _LONGEST = 12, 4, 240


@dataclass(slots=True)
class Page:
    """State while reading a note: the category given by its last heading."""

    category: str | None = None


def claims(text: str, page: Page, speaker: str) -> Iterator[Draft]:
    """Yield the claims of one or more lines; headings among them set the page's category and make no claim."""
    at = 0
    for line in plain(text).split("\n"):
        yield from _line(line, at, page, speaker)
        at += len(line) + 1


def _line(line: str, at: int, page: Page, speaker: str) -> Iterator[Draft]:
    if not line.strip() or _NOISE.match(line):
        return
    bullet = _BULLET.match(line)
    heading = None if bullet else _HEADING.match(line)
    if heading:
        page.category = _label(heading.group("name") or heading.group("bold") or heading.group("label") or "")
        return
    start = bullet.end() if bullet else len(line) - len(line.lstrip())
    stamp = _STAMP.match(line, start)
    start = stamp.end() if stamp else start
    open_task = bool(bullet and bullet.group("box") == " ")
    if open_task or _REQUEST.match(line, start):
        return
    ticked = bool(bullet and bullet.group("box") in ("x", "X"))
    yield from _draft(line, start, at, page, speaker, bulleted=bullet is not None, ticked=ticked)


def _label(name: str) -> str | None:
    return next((category for category, pattern in _LABELS if pattern.search(name)), None)


def _draft(
    line: str, start: int, at: int, page: Page, speaker: str, *, bulleted: bool, ticked: bool
) -> Iterator[Draft]:
    end = len(line.rstrip())
    body = strip_markdown(line[start:end])
    finished = _DONE.match(body)
    prefix = finished or _ASKED_TO_KEEP.match(body)
    claim = body[prefix.end() :] if prefix else body
    if not _is_independent(claim, bulleted=bulleted):
        return
    categorised = _CATEGORISED.match(line, start)
    if categorised and _is_independent(
        rest := strip_markdown(line[categorised.end() : end]), bulleted=bulleted
    ):
        claim = rest
    claim, tense = _in_third_person(claim, speaker)
    done = finished is not None or ticked
    category, temporal = _kind(claim, tense, page, done=done)
    category = categorised.group("category") if categorised else category
    certainty = "uncertain" if _unsure(claim) else "implied" if finished else "explicit"
    yield Draft(
        claim=claim, category=category, certainty=certainty, temporal=temporal, start=at + start, end=at + end
    )


def strip_markdown(text: str) -> str:
    """Return the text without markdown marks: links by their words, emphasis and code by their contents."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())


def _is_independent(claim: str, *, bulleted: bool) -> bool:
    """Return True for a line that can be understood alone: a pair of name and value, or a sentence with a
    verb."""
    if claim.endswith(("?", "？")) or len(claim) > _LONGEST:
        return False
    if language(claim) == "zh":
        return len(claim) >= _SHORTEST_CHINESE
    if len(claim) < _SHORTEST:
        return False
    words = [m.group().lower() for m in WORD.finditer(claim)]
    if _PAIR.match(claim):
        return len(words) >= 2
    verbal = any(third_person.is_finite(word) for word in words)
    telling = sum(word not in w.FUNCTION for word in words)
    return (
        len(words) >= 3
        and telling >= 2
        and (verbal or (bulleted and any(word[0].isdigit() for word in words)))
    )


def _in_third_person(claim: str, speaker: str) -> tuple[str, str]:
    """Return (the line, in the third person if it begins with the writer; the tense of its first verb)."""
    if speaker and claim[0] in "我咱":
        return chinese.retell(claim, speaker), "none"
    words = [m.group().lower() for m in WORD.finditer(claim)]
    if speaker and words and words[0] in w.SUBJECTS | w.POSSESSIVES:
        told = third_person.retell(claim, speaker=speaker)
        return (told.text, told.tense) if told.sound else (claim, "none")
    verb = next((word for word in words if third_person.is_finite(word)), "")
    return claim, third_person.tense_of(verb, "") if verb else "none"


def _kind(claim: str, tense: str, page: Page, *, done: bool) -> tuple[str, str | None]:
    labelled = _label(claim.partition(":")[0].partition("：")[0]) if _PAIR.match(claim) else None
    if done:
        return "event", "past"
    if language(claim) == "zh":
        return labelled or page.category or cues.chinese_category(claim), cues.chinese_temporal(claim)
    return labelled or page.category or cues.category(claim, tense=tense), cues.temporal(claim, tense=tense)


def _unsure(claim: str) -> bool:
    return cues.chinese_hedged(claim) if language(claim) == "zh" else cues.hedged(claim)
