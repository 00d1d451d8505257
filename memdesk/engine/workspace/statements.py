"""Kind, time and subject of a statement in a curated file: its category, whether it is past, the days it names,
and the person it is about where the line leaves that out.

Lines of such files are short and written on purpose, so that headings and first words decide more than in
speech. Voice is the manner in which such a file is read: who speaks in it, whom it is about, and of which day it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.extraction import chinese, third_person
from memdesk.engine.extraction.cues import chinese_hedged, hedged
from memdesk.engine.extraction.language import WORD, has_han, language
from memdesk.engine.extraction.lexicon import pattern, word_set, words
from memdesk.engine.workspace.layouts import INSTRUCTIONS, RULES, day_of, manner_of
from memdesk.engine.workspace.layouts.layout import name_in
from memdesk.engine.workspace.line_words import PLANS, days_in
from memdesk.engine.workspace.page import PageLine
from memdesk.model.instant import to_datetime

TITLES = tuple(
    (each, pattern("statement_cues", f"title_{each}"))
    for each in ("fact", "decision", "preference", "constraint", "event")
)
"""Words in a heading that give the lines under it their category."""
KINDS = {"rule": "constraint", "requirement": "constraint", "milestone": "event", "like": "preference"}
DECISION = pattern("statement_cues", "decision")
PREFERENCE = pattern("statement_cues", "preference")
CHOICE = pattern("statement_cues", "choice")
CONSTRAINT = pattern("statement_cues", "constraint")
PERMITTED = pattern("statement_cues", "permitted")
SO_DO = re.compile(r"[,;] (?:[Ss]o |[Pp]lease |[Tt]hen )?(?P<verb>[A-Za-z][a-z]+) \w")
ORDERS = words("statement_cues", "orders")
NOUNS_TOO = words("statement_cues", "nouns_too")
"""Verbs that often are nouns at the beginning of a line: they are orders only before an article or a name."""
OBJECTS = words("statement_cues", "objects")

STATIVE = pattern("statement_cues", "stative")
AUTOMATED = words("statement_cues", "automated")
"""Participles that describe the noun after them rather than report what was done to it."""
STATES = words("statement_cues", "states")
"""Participles after a noun that tell its state: `Node connected`."""
NOW = pattern("statement_cues", "now")
PAST_CJK = pattern("statement_cues", "past_cjk", flags=0)
ONGOING_CJK = pattern("statement_cues", "ongoing_cjk", flags=0)
FUTURE_CJK = pattern("statement_cues", "future_cjk", flags=0)
GERMAN_PAST = pattern("statement_cues", "german_past")
ROMANCE_PAST = pattern("statement_cues", "romance_past", flags=0)
GERMAN_PARTICIPLE_LAST = pattern("statement_cues", "german_participle_last", flags=0)
ROMANCE_PARTICIPLE_LAST = pattern("statement_cues", "romance_participle_last", flags=0)
"""End of an entry of a log in other languages, which leaves its auxiliary out: `Futter gekauft`."""
TITLE_PAST = pattern("statement_cues", "title_past")
"""Headings over what is true no more."""
UNTIL_YEAR = pattern("statement_cues", "until_year")
OVER = pattern("statement_cues", "over")
ENDED = pattern("statement_cues", "ended")
FUTURE = pattern("statement_cues", "future")
BOUNDARY = pattern("statement_cues", "boundary", flags=0)
RELATIVE = words("statement_cues", "relative")
DETERMINERS = words("statement_cues", "determiners")
PRESENT = words("statement_cues", "present")
BEFORE_ING = words("statement_cues", "before_ing")
"""Past verbs that another verb in -ing follows: "stopped smoking"; before it, other past forms are names or nouns."""
PAST_AUXILIARY = words("statement_cues", "past_auxiliary")
UNTIL = pattern("statement_cues", "until")
TO = pattern("statement_cues", "to")
FROM_THEN = pattern("statement_cues", "from_then")
FROM_THEN_CJK = re.compile(r"^\s*(?:起|开始|以来|から|より)")
INFERRED = pattern("statement_cues", "inferred")
ELLIPTIC = words("statement_cues", "elliptic")
KEEP = pattern("statement_cues", "keep")

CHOSE = pattern("statement_cues", "chose")
PREPOSITIONS = words("statement_cues", "prepositions")
GOING = words("statement_cues", "going")
"""Past forms that need no object, so that a preposition after one does not make it a participle."""
AFTER_A_VERB = words("statement_cues", "after_a_verb")
"""Words that follow a verb in the past rather than a participle that describes a noun."""
MYSELF = word_set("i i'm i've i'll i'd my mine")
SENTENCE_END = re.compile(r"[;；。！？]|[.!?]\s")
NO_SUCH = re.compile(r"^(?:no|kein\w*|sin|ningun\w*|pas de)\s", re.IGNORECASE)
IN_RULES = pattern("statement_cues", "in_rules")
"""Headings of instructions under which lines are rules, though they are written as statements."""
ELSEWHERE = pattern("statement_cues", "elsewhere")
"""Little words of German, Spanish, French and Danish; two of them make a sentence of one of these languages."""


_PAIR = re.compile(r"[^:：]{1,30}(?::\s|：)")
"""Beginning of a line that names its value."""
_COMPOUND = re.compile(r"\b\w+-\w+ed\b")
"""Adjective made of a noun and a participle, `CLI-based`."""
_PRONOUNS = word_set("i he she it we they")
_REASON = pattern("statement_cues", "reason")
"""Beginning of a line that gives the reason of a rule, which is none itself."""
_NEEDED = re.compile(r"(?:still )?needs? to \w", re.IGNORECASE)
"""Beginning of a line about work to be done, not a rule."""
_CONDITION = re.compile(r"(?:if|unless|whenever)\b[^,]*,\s*", re.IGNORECASE)
"""Condition at the beginning of a sentence, whose tense is not that of the sentence."""
_NAMED = re.compile(r"(?P<name>(?:\S+ ){0,3}\S+?)(?:[:：]|(?P<dash>\s[-–—]))\s+")
"""The same of at most four words, also with a dash: `Irrigation - not needed`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subjects:
    """Persons of a file. writer: who “I” is in it; person: the desk's owner; of_person: the file describes the
    owner, so that a line without a subject is about the owner. guessed: the owner's name is that of the account."""

    writer: str
    person: str
    of_person: bool = False
    guessed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Statement of a line. certainty: as in model.fact. start, end: the days between which it was or is true."""

    claim: str
    category: str
    certainty: str
    temporal: str
    start: date | None = None
    end: date | None = None
    of_person: bool = False


def statement_of(
    line: PageLine, subjects: Subjects, today: date, *, reported: bool = False, default: str = ""
) -> Statement:
    """Return the statement that a line of a page makes.

    reported: the file reports what happened. default: the category of its lines if nothing decides on another."""
    words = KEEP.sub("", line.words) or line.words
    claim, of_person = _with_subject(words, line, subjects)
    last = UNTIL_YEAR.search(words)
    past_year = last is not None and int(last["year"]) < today.year
    over = not NOW.search(words) and (past_year or has_ended(words, line))
    comes = line.dated and line.day is not None and line.day > today
    told = is_past(words, line, reported=reported) and not comes
    past = told or over
    category = _category(words, line, past=told, reported=reported, of_person=subjects.of_person)
    holds = category in ("preference", "constraint") or (category == "decision" and DECISION.search(words))
    if holds and not (line.done or ENDED.search(words)):
        past = over
    if category == "fact" and not (past or _REASON.match(words) or _kind_above(line) == "fact"):
        category = default or category
    start, end = _span(words, line, past=past, until=today if told or category == "decision" else None)
    temporal = _temporal(words, start, end, today, past=past)
    if temporal == "current" and (_NEEDED.match(words) or is_planned(line)):
        temporal = "future"
    return Statement(
        claim=claim,
        category="event" if told and category == "fact" else category,
        certainty=_certainty(words),
        temporal=temporal,
        start=start,
        end=end,
        of_person=of_person,
    )


def has_ended(words: str, line: PageLine) -> bool:
    """Return True for a line that is true no more by its heading or by a remark at its end: `(removed in 0.9)`."""
    if OVER.search(words):
        return True
    if CONSTRAINT.search(words) or is_order(words) or FUTURE.search(words):
        return False
    for title in (line.kind, *reversed(line.headings)):
        if kind_of_title(title):
            return False
        if TITLE_PAST.search(title):
            return True
    return False


def is_planned(line: PageLine) -> bool:
    """Return True for a line under a heading on what is still to be done, with none of a category in between."""
    for title in reversed(line.headings):
        if PLANS.search(title):
            return True
        if kind_of_title(title):
            return False
    return False


def _with_subject(words: str, line: PageLine, subjects: Subjects) -> tuple[str, bool]:
    """Return (the words, in the third person; True if the person was put before them)."""
    if subjects.writer and words[:1] == "我" and words[1:2] != "们":
        return chinese.in_third_person(words, subjects.writer), False
    found = [each.group().lower() for each in WORD.finditer(words)]
    first = found[0] if found else ""
    if subjects.writer and first in MYSELF:
        retold = third_person.in_third_person(words, speaker=subjects.writer)
        return (_without_own_name(retold.text, subjects.writer) if retold.sound else words), False
    if not subjects.of_person or line.row or line.nested or re.search(r"[:：=]", words) or has_han(words):
        return words, False
    if first in ELLIPTIC and words[:1].isalpha():
        return f"{subjects.person} {words[0].lower()}{words[1:]}", True
    if language(words) == "en" and len(found) <= 4 and not any(map(third_person.is_finite, found)):
        return f"{subjects.person}: {words}", True
    return words, False


def _without_own_name(claim: str, name: str) -> str:
    """Return a claim of "I am Ada, an engineer" as "Ada is an engineer"."""
    if claim.count(name) < 2:
        return claim
    return re.sub(rf"^({re.escape(name)} (?:is|was)) {re.escape(name)}\s*(?:,|[-–—])\s+", r"\1 ", claim)


def _category(words: str, line: PageLine, *, past: bool, reported: bool, of_person: bool) -> str:
    """Return the category of a statement: as the line names it, then by its words, then by its headings."""
    if named := _named_kind(line.kind):
        return named
    if line.done:
        return "event"
    under = _kind_above(line)
    cue = _cue(SENTENCE_END.split(words, maxsplit=1)[0], of_person=of_person)
    if line.day is not None and past and reported:
        return "event"
    if under == "decision" and past and not (CHOSE.search(words) or cue == "decision"):
        return "event"
    if under in ("decision", "preference") or (under == "constraint" and not past):
        return under
    if cue and not (past and cue == "constraint"):
        return cue
    return "event" if past else "fact"


def _named_kind(kind: str) -> str:
    if not kind:
        return ""
    return kind_of_title(kind) or KINDS.get(kind.casefold(), "")


def kind_of_title(title: str) -> str:
    return next((category for category, pattern in TITLES if pattern.search(title)), "")


def _cue(words: str, *, of_person: bool) -> str:
    if DECISION.search(words):
        return "decision"
    if not of_person and words.lower().startswith("prefer "):
        return "constraint"
    if of_person and NO_SUCH.match(words):
        return "constraint"
    if PREFERENCE.search(words) or (of_person and CHOICE.search(words)):
        return "preference"
    if (CONSTRAINT.search(words) and not _NEEDED.match(words)) or PERMITTED.search(words) or is_order(words):
        return "constraint"
    return ""


def is_order(words: str) -> bool:
    """Return True for a line that begins with an order, or goes on to one: `…, so keep diffs short`."""
    found = [each.group().lower() for each in WORD.finditer(words)]
    pair = _PAIR.match(words)
    if found and not pair and found[0] in ORDERS and not "".join(found[1:2])[:1].isdigit():
        after = found[1] if len(found) > 1 else ""
        two = after == "and" and is_order(" ".join(found[2:]))
        return found[0] not in NOUNS_TOO or after in OBJECTS or after.endswith("ing") or two
    if (condition := _CONDITION.match(words)) and is_order(words[condition.end() :]):
        return True
    follows = SO_DO.search(words)
    return follows is not None and follows["verb"].lower() in ORDERS - NOUNS_TOO


def _kind_above(line: PageLine) -> str:
    """Return the category that the nearest heading gives to the lines under it, "" for none."""
    return next((kind for title in reversed(line.headings) if (kind := kind_of_title(title))), "")


def is_past(words: str, line: PageLine, *, reported: bool) -> bool:
    """Return True for a statement about what is over."""
    if line.done:
        return True
    if NOW.search(words):
        return False
    if (
        line.day is not None
        and _kind_above(line) == "event"
        and not (_PAIR.match(words) or FUTURE_CJK.search(words) or ONGOING_CJK.search(words))
    ):
        return True
    tongue = language(words)
    if tongue in ("zh", "ja"):
        past = PAST_CJK.search(words) is not None
        return (past and not ONGOING_CJK.search(words)) or (reported and not CONSTRAINT.search(words))
    if ELSEWHERE.search(words) and (
        GERMAN_PAST.search(words) or ROMANCE_PAST.search(words[0].lower() + words[1:])
    ):
        return True
    if GERMAN_PARTICIPLE_LAST.search(words) and (line.dated or next(days_in(words), None)):
        return True
    if line.dated and ROMANCE_PARTICIPLE_LAST.search(words):
        return True
    if _kind_above(line) == "constraint" and words.split(maxsplit=1)[0].lower() in ORDERS:
        return False
    return _is_english_past(words, dated=line.day is not None or reported, own=line.dated or reported)


def _is_english_past(words: str, *, dated: bool, own: bool) -> bool:
    """Return True if the verb of the main clause is past. dated: the line is an entry of a log, so that it may
    begin with its verb. own: the date is the line's, not its heading's."""
    body = re.sub(r"\s*\([^()]*\)", "", _REASON.sub("", words))
    pair = _NAMED.match(body)
    if pair and pair["dash"] and any(third_person.is_past(each) for each in pair["name"].lower().split()):
        pair = None  # "Context compacted — 3 facts kept" is a sentence.
    body = body[pair.end() :] if pair else body
    condition = _CONDITION.match(body)
    body = body[condition.end() :] if condition else body
    clause = BOUNDARY.split(body, maxsplit=1)[0]
    if pair and _is_name(clause):
        return False
    found = [each.group().lower() for each in WORD.finditer(_COMPOUND.sub("", clause))]
    if not found or found[0] == "no" or is_order(clause.strip()):
        return False
    present = False
    for n, word in enumerate(found):
        before, after = found[n - 1] if n else "", found[n + 1] if n + 1 < len(found) else ""
        if word in PAST_AUXILIARY:
            return not present and (word != "used" or after == "to")
        if word in PRESENT and not (word == "may" and (before in PREPOSITIONS or before.isdigit())):
            return False
        if n and word in RELATIVE:
            return False
        if not third_person.is_finite(word) or before in DETERMINERS or _is_noun(after):
            continue
        if word in AUTOMATED and after.isalpha() and after not in PREPOSITIONS | AFTER_A_VERB:
            continue
        if n and not own and (after == "" or after in PREPOSITIONS) and word in STATES:
            return False  # "Node connected" tells its state.
        if not third_person.is_past(word):
            present = True
        elif n == 0:
            return _begins_past(found, dated=dated and not pair) and not (pair and _is_bare(after))
        elif after in PREPOSITIONS and before not in _PRONOUNS and _verb_follows(found[n + 1 :]):
            continue
        elif before in _PRONOUNS or not _describes(word, after, present=present, dated=dated):
            return pair is None
    return False


def _verb_follows(found: list[str]) -> bool:
    """Return True if a clause goes on to its verb: `fragments found in 1911 belong to the museum`."""
    return any(
        word in PRESENT
        or (third_person.is_finite(word) and not third_person.is_past(word) and before not in DETERMINERS)
        for before, word in zip(found, found[1:], strict=False)
        if before not in PREPOSITIONS
    )


def _is_noun(after: str) -> bool:
    """Return True if the word before this one is no verb, because this one is: `two ships waited`."""
    return third_person.is_past(after) or after in PRESENT or after in PAST_AUXILIARY


def _describes(word: str, after: str, *, present: bool, dated: bool) -> bool:
    """Return True for a participle that describes a noun: `list kept in a drawer`, `contains damaged parts`."""
    if present:
        return after != "" and after not in AFTER_A_VERB and not after.endswith("ly")
    return not dated and after in PREPOSITIONS and word not in GOING


def _begins_past(found: list[str], *, dated: bool) -> bool:
    """Return True if a line's first word, a past form, is its verb: not `based in Graz`, not `failed jobs are
    retried`."""
    later = any(word in PRESENT | PAST_AUXILIARY for word in found[1:])
    after = found[1] if len(found) > 1 else ""
    if (after.endswith("ing") and found[0] not in BEFORE_ING) or (after == "by" and not dated):
        return False  # "Drew moving the data", "inspired by a board game"
    return not later and (dated or STATIVE.match(found[0]) is None)


def _is_name(value: str) -> bool:
    """Return True for a value of one capitalised word: `Name: Drew`."""
    return re.fullmatch(r"[A-Z][a-z]+", value.strip()) is not None


def _is_bare(after: str) -> bool:
    """Return True for a noun without determiner, which a participle describes: `Backup: encrypted archive`."""
    return after.isalpha() and after not in DETERMINERS and after not in PREPOSITIONS


def _span(words: str, line: PageLine, *, past: bool, until: date | None) -> tuple[date | None, date | None]:
    """Return the first and the last day of a statement, None for each that it does not name.

    until: the last day that dates a statement of something past though it holds still, None for any other statement."""
    written = list(days_in(words))
    pair = _PAIR.match(words)
    for one, other in zip(written, written[1:], strict=False):
        if TO.match(words[one.end : other.start]):
            return one.day, other.day
    for each in written:
        if UNTIL.search(words[: each.start]):
            return line.day, each.day
        if past or FROM_THEN.search(words[: each.start]) or FROM_THEN_CJK.match(words[each.end :]):
            return each.day, None
        if until is not None and each.day <= until:
            return each.day, None
        if pair is not None and each.end <= pair.end():
            return each.day, None  # "Corrected on 2026-04-02: …"
    return line.day, None


def _temporal(words: str, start: date | None, end: date | None, today: date, *, past: bool) -> str:
    if past or (end is not None and end < today):
        return "past"
    if start is not None and start > today:
        return "future"
    pair = _PAIR.match(words)
    told = words[pair.end() :] if pair else words
    return "future" if FUTURE.search(told) or FUTURE_CJK.search(told) else "current"


def _certainty(words: str) -> str:
    if INFERRED.search(words):
        return "inferred"
    unsure = chinese_hedged(words) if has_han(words) else hedged(words)
    return "uncertain" if unsure else "explicit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Manner in which a file is read. subjects: the persons in it; manner: one of layouts' MANNERS; day: the
    date of a day file; today: the desk's date."""

    subjects: Subjects
    manner: str
    today: date
    day: date | None = None

    def of_text(self, lines: Sequence[str]) -> Voice:
        """Return the voice with the owner's name as the file gives it, where the desk has only the account's."""
        subjects = self.subjects
        name = name_in("\n".join(lines)) if subjects.of_person and subjects.guessed else None
        return self if name is None else replace(self, subjects=replace(subjects, person=name))


def voice_of(engine: Engine, relative: str, agent_id: str | None, layout: str) -> Voice:
    """Return the manner in which a file is read. “I” is the agent that keeps the file; in instructions, and
    where no agent is known, it is the person."""
    manner = manner_of(relative, layout)
    by_person = manner in (INSTRUCTIONS, RULES) or agent_id is None
    day = day_of(relative)
    return Voice(
        subjects=Subjects(
            writer=engine.person if by_person or agent_id is None else agent_id,
            person=engine.person,
            of_person=PurePosixPath(relative).stem.upper() in ("USER", "HUMAN"),
            guessed=not engine.settings.person,
        ),
        manner=manner,
        today=to_datetime(engine.clock()).date(),
        day=None if day is None else date.fromisoformat(day),
    )
