"""Lines of a day's log that are believed: decisions, wishes and rules, lessons, values of settings, dates to come, and
what someone or something lastingly is or does.

Each needs a sign of one of these. Other lines report the day: they stay in the log, where a search finds them. The
phrases are in the lexicon `day_logs`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memdesk.engine.beliefs.roles import gives_slot
from memdesk.engine.extraction import third_person
from memdesk.engine.extraction.language import WORD, language
from memdesk.engine.extraction.lexicon import pattern, phrases, word_set
from memdesk.engine.extraction.lexicon import words as lexicon_words
from memdesk.engine.workspace.line_words import PLANS, names_day_after
from memdesk.engine.workspace.page import PageLine
from memdesk.engine.workspace.statements import (
    BOUNDARY,
    CHOSE,
    CONSTRAINT,
    DECISION,
    DETERMINERS,
    ELSEWHERE,
    ENDED,
    MYSELF,
    PAST_AUXILIARY,
    PREFERENCE,
    PREPOSITIONS,
    STATES,
    STATIVE,
    is_past,
    kind_of_title,
)

_I = re.IGNORECASE
_LEXICON = "day_logs"


def _phrases(name: str, form: str = "(?:{})") -> re.Pattern[str]:
    """Return the pattern of a section of the lexicon. form: the pattern around it."""
    return re.compile(form.format(phrases(_LEXICON, name)), _I)


_OF_WORK, _OF_TROUBLE = _phrases("of_work"), _phrases("of_trouble")
_OF_LESSONS, _OF_DESIGN, _OF_PEOPLE = _phrases("of_lessons"), _phrases("of_design"), _phrases("of_people")
_KEPT, _TO_KEEP = _phrases("kept", r"(?:{})\s?[:：]"), _phrases("to_keep")
_PASSING_NAMES = _phrases("passing_names", r"[(（]?(?:{})\s?(?:[(（][^()（）]*[)）])?\s?[:：]")
_SETTINGS, _DEFAULT = _phrases("settings", "(?:{})$"), _phrases("default", "^(?:{})")
_UNSET, _MARKED = _phrases("unset"), re.compile("[✅❌⏳🔄]")
_CHOICE_NAMES = _phrases("choice_names", "(?:{})$")
_OF_THE_DAY, _SOON, _TO_BE_DONE = _phrases("of_the_day"), _phrases("soon"), _phrases("to_be_done")
_DONE_CJK, _EQUIPMENT = _phrases("done"), _phrases("equipment")
_HABIT = _phrases("habit")
_HABIT_ELSEWHERE = _phrases("habit_elsewhere", r"^(?:\S+ ){{1,5}}\w+(?:t|n|a|e|o) .*(?:{})")
_STATE_ELSEWHERE = _phrases("lasting_elsewhere", r"^(?:\S+ ){{1,6}}(?:{}) ")
_PASSING_VERBS = lexicon_words(_LEXICON, "passing_verbs")
_PASSING_STATES = lexicon_words(_LEXICON, "passing_states")
_PRONOUNS = lexicon_words(_LEXICON, "pronouns")
_POINTING = word_set("this that these those it he she they there das dies es esto eso")
"""First words that say nothing without the line before."""
_PLACE = re.compile(r"(?:https?://|~?/|[A-Za-z]:\\\\)\S+(?: ?[(（][^()（）]*[)）])?")
"""Value that is an address or a path."""
_ARROW = re.compile("→|->")
_NEWS = re.compile("[!！]")
_OUTCOME = re.compile(r"\b(?:PASS(?:ED)?|FAIL(?:ED|S)?|DONE|FIXED)\b")
_OF_ONE = re.compile(r"[A-ZÄÖÜÉ+][^:=—–]{1,40}?\s?(?:[:=—–]|\s-\s|\()\s?\S")
"""Beginning of a line on one person: a name, or a number, and what is known of it."""
_PAIR = re.compile(r"(?P<name>[^:：]{1,40}?)(?::\s|：)\s*(?P<value>\S.*)$")
_AT_TIME = pattern("day_logs", "at_time")
"""Beginning of an entry on what was done at an hour."""
_QUOTED = re.compile(r"[\"“„「『«][^\"“”„」』»]*[\"“”」』»]|`[^`]*`|\([^()]*\)|（[^（）]*）")
_LISTED = re.compile(r"\s*(?:[,;/]|$)")
"""End of a noun in a list, which is no verb of a wish: "likes, retweets"."""
_ONLY = re.compile(r"(?:only|nur|solo|sólo|仅|只有)\s?\w", _I)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_BE = word_set("is are isn't aren't")
_MODAL = word_set("can cannot can't must may doesn't don't")
_STATE_CYRILLIC = pattern("day_logs", "state_cyrillic")
_STATE_CHINESE = pattern("day_logs", "state_chinese", flags=0)
_STATE_JAPANESE = pattern("day_logs", "state_japanese", flags=0)
_TITLE_WORDS, _TITLE_SIGNS = 8, 16
"""Most words of a heading, or signs of one in Chinese or Japanese, that names a kind; a longer one is a sentence."""
_NAME_WORDS, _VALUE_WORDS = 4, 12
"""Most words of the name and the value of a setting; more are a report."""


def lasts(line: PageLine) -> bool:
    """Return True if a line of a day's log is worth believing beyond that day."""
    if line.done or _AT_TIME.match(line.words) or _PASSING_NAMES.match(line.words):
        return False
    words = _QUOTED.sub(" ", line.words).strip(" .。!！-–—")
    if not any(map(str.isalnum, words)) or line.words[0] in '"“„「«':
        return False
    if _KEPT.match(words) or _TO_KEEP.search(words):
        return not _SOON.search(words)
    if (DECISION.search(words) or _names_choice(words)) and not ENDED.search(words):
        return not _SOON.search(words)
    kind = _kind_above(line.headings)
    ruled = kind in ("lesson", "decision", "preference", "constraint")
    if _OF_THE_DAY.search(BOUNDARY.split(words, maxsplit=1)[0] if ruled else words) or _reports(words):
        return False
    if kind not in ("work", "trouble") and gives_slot(words):
        return True
    if is_past(words, line, reported=False):
        return kind == "decision" and CHOSE.search(words) is not None
    pair = _PAIR.match(line.words)
    if pair and (_is_setting(pair) or (kind != "work" and _PLACE.fullmatch(pair["value"].strip(" `*")))):
        return True
    if kind == "work":
        return _is_wish(words)
    if _ONLY.match(words) or _is_wish(words) or _is_rule(words):
        return True
    if kind == "people" and _OF_ONE.match(line.words):
        return True
    if ruled or (kind == "design" and not _is_past_of(words)):
        return len(words) > _TITLE_WORDS and not _DONE_CJK.search(words)
    return (
        _is_to_come(line) or (kind != "trouble" and _EQUIPMENT.search(words) is not None) or is_state(words)
    )


def _names_choice(words: str) -> bool:
    pair = _PAIR.match(words)
    return pair is not None and _CHOICE_NAMES.search(pair["name"]) is not None


def _reports(words: str) -> bool:
    """Return True for a line that begins with what was done or with its outcome, or points to the line before."""
    pair = _PAIR.match(words)
    for part in (words, pair["value"]) if pair else (words,):
        found = [each.group().lower() for each in WORD.finditer(part)][:2]
        if not found or (part[0].isupper() and found[0].upper() in part):
            continue  # A name of capitals ends in "ED" by chance.
        if language(part) == "en" and third_person.is_past(found[0]) and not STATIVE.match(part):
            return found[0] not in STATES
    first = WORD.search(words)
    return _OUTCOME.search(words) is not None or (first is not None and first.group().lower() in _POINTING)


def _is_past_of(words: str) -> bool:
    """Return True for a line whose second word says what the first did: "Ines asked for a cover"."""
    found = [each.group().lower() for each in WORD.finditer(words)][1:2]
    return bool(found) and third_person.is_past(found[0]) and found[0] not in STATES


def _is_wish(words: str) -> bool:
    """Return True for a wish of someone who is named."""
    wish = next((each for each in PREFERENCE.finditer(words) if not _LISTED.match(words, each.end())), None)
    return wish is not None and (wish.start() > 1 or wish[0].isascii() is False)


def _is_rule(words: str) -> bool:
    return CONSTRAINT.search(words) is not None and not _TO_BE_DONE.search(words)


def _is_setting(pair: re.Match[str]) -> bool:
    """Return True for a name and its value that are kept beyond the day."""
    name, value = pair["name"].strip(), pair["value"]
    if (
        _ARROW.search(name)
        or any(map(third_person.is_past, name.lower().split()))
        or _UNSET.search(value)
        or _MARKED.search(value)
    ):
        return False
    if _DEFAULT.match(name):
        return True
    short = len(name.split()) <= _NAME_WORDS and len(value.split()) <= _VALUE_WORDS
    return short and _SETTINGS.search(name) is not None


def _kind_above(headings: Sequence[str]) -> str:
    """Return what the nearest heading that names a kind is over: "work", "trouble", "lesson", "design", "people" or a
    category; "" for none. A heading with an exclamation mark is news itself."""
    for title in reversed(headings):
        if PLANS.search(title) or _OF_WORK.search(title):
            return "work"
        if (
            _NEWS.search(title)
            or len(title.split()) > _TITLE_WORDS
            or len(_CJK.findall(title)) > _TITLE_SIGNS
        ):
            continue
        if _OF_LESSONS.search(title) and not _OF_TROUBLE.search(title):
            return "lesson"
        if _OF_TROUBLE.search(title):
            return "trouble"
        if _OF_PEOPLE.search(title):
            return "people"
        if (kind := kind_of_title(title)) in ("decision", "preference", "constraint"):
            return kind
        if _OF_DESIGN.search(title):
            return "design"
    return ""


def _is_to_come(line: PageLine) -> bool:
    """Return True for a line with a date after its day."""
    return line.day is not None and names_day_after(line.words, line.day)


def is_state(words: str) -> bool:
    """Return True for a sentence in the present on what its subject is, has, does as a habit, or can do."""
    tongue = language(words)
    if tongue in ("zh", "ja"):
        states = _STATE_CHINESE if tongue == "zh" else _STATE_JAPANESE
        return states.search(words) is not None and not _DONE_CJK.search(words)
    if tongue == "other":
        return _STATE_CYRILLIC.search(words) is not None
    pair = _PAIR.match(words)
    if pair and third_person.is_past(pair["name"].split()[0].lower()):
        return False
    body = pair["value"] if pair else words
    if _STATE_ELSEWHERE.match(body) or (ELSEWHERE.search(body) and _HABIT_ELSEWHERE.match(body)):
        return body.split()[0].lower() not in _PRONOUNS
    return _is_english_state(BOUNDARY.split(body, maxsplit=1)[0], habit=_HABIT.search(body) is not None)


def _is_english_state(clause: str, *, habit: bool) -> bool:
    """Return True if the verb of a clause tells a state. habit: the sentence says when it is so."""
    found = [each.group().lower() for each in WORD.finditer(clause)]
    if len(found) < 3 or found[0] in _PRONOUNS or third_person.is_finite(found[0]):
        return False
    for n, word in enumerate(found[1:], 1):
        before, after = found[n - 1], found[n + 1] if n + 1 < len(found) else ""
        if word in PAST_AUXILIARY or (third_person.is_past(word) and before not in _BE):
            return False
        if before in DETERMINERS | PREPOSITIONS or not third_person.is_finite(word):
            continue
        if word in _BE:
            return after not in _PASSING_STATES and not after.endswith("ing")
        if word in ("has", "have"):
            return not third_person.is_past(after) and after not in _PASSING_STATES
        if word in ("needs", "need"):
            return after in DETERMINERS or after.isdigit() or habit
        if word in _MODAL:
            return after not in _PASSING_VERBS
        own = before in MYSELF or word.endswith("s") or before.endswith("s")
        return own and not after.endswith("ing") and (word not in _PASSING_VERBS or habit)
    return False
