"""Plain statements that a person makes to an agent: "Marek reports to Yuki", "Der Chor probt dienstags".

A sentence is read if it is short and complete: a named or definite subject, a verb in the third person, and its
complement. Orders, questions, wishes and sentences that point outside themselves make no claim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction import cues, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import WORD, Sentence
from memdesk.engine.extraction.lexicon import pattern, word_set, words
from memdesk.engine.extraction.rewriting import opening
from memdesk.engine.extraction.self_contained import is_self_contained

SHORTEST, LONGEST = 10, 160
MOST_WORDS, MOST_WORDS_BEFORE, LONGEST_SUBJECT = 22, 10, 6
_LOWER = "a-zäöüßáéíóúñ"
_NUMBERS = word_set(
    "zwei drei vier fünf sechs sieben acht neun zehn zwölf dos tres cuatro cinco seis siete ocho nueve diez doce"
)
_BETWEEN = word_set("no longer ya nicht still noch")
_LANGUAGES = ("en", "de", "es")
_LEADS = {each: words("statements", f"leads_{each}") for each in _LANGUAGES}
"""Words that may begin a phrase before the subject: "since June", "im Sommer"."""
_ARTICLES = {each: words("statements", f"articles_{each}") for each in _LANGUAGES}
_SMALL = {each: words("statements", f"small_{each}") for each in _LANGUAGES}
_VERB = {
    "de": re.compile(
        r"(?:ist|sind|war|waren|hat|haben|hatte|mag|kann|darf|dürfen|muss|müssen|soll|sollen|will|wird|werden|heißt|weiß"
        rf"|läuft|liest|fährt|spricht|isst|[{_LOWER}]{{2,}}(?:t|te|ten))$"
    ),
    "es": re.compile(
        r"(?:es|son|está|están|fue|era|tiene|tienen|hay|va|van|puede|pueden|debe|deben|usa|vive|nació|"
        rf"[{_LOWER}]{{3,}}(?:a|e|an|en|ó|aron|ieron))$"
    ),
}
_NO_VERB = {each: words("statements", f"no_verb_{each}") for each in ("de", "es")}
_NOT_SAID = {each: pattern("statements", f"not_said_{each}") for each in _LANGUAGES}
_ENDS_OPEN = re.compile(r"\b(?:the|an?|of|to|in|on|der|die|das|und|mit|el|la|de|y|con|que)$", re.IGNORECASE)
_ORDERS = w.VERBS - w.COORDINATED
_HABITS = frozenset(third_person.singular(verb) for verb in w.EVENTFUL)
_EMPTY = (w.VAGUE | w.FEELINGS | w.FUNCTION) - w.MODALS - word_set("off on open everything working")
_LINKED = w.BE | w.MODALS
_PRESENT = frozenset(third_person.singular(verb) for verb in w.VERBS)
_OBJECT_OPENS = words("statements", "object_opens")
_PASSING = (
    words("german", "passing")
    | words("spanish", "passing")
    | words("english", "trouble")
    | word_set("working")
)
_HAN_NOT_SAID = pattern("statements", "han_not_said", flags=0)
_KANA_NOT_SAID = pattern("statements", "kana_not_said", flags=0)
_KANA_STATES = re.compile(
    "^[^はがも]{1,16}[はがをも].{2,}(?:る|う|く|す|つ|ぬ|ぶ|む|い|だ|た|です|ます|ました|ない)$"
)
_HAN_STATES = re.compile("^[\\w· ]{2,}$")


def dense_claims(tongue: str, sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the statement of a Chinese or Japanese sentence to an agent: short, of one clause, with its subject."""
    text = sentence.text.strip(" 。.!！…")
    states, unsaid = (_HAN_STATES, _HAN_NOT_SAID) if tongue == "zh" else (_KANA_STATES, _KANA_NOT_SAID)
    if (
        sentence.asked
        or not scene.at_work
        or not 4 <= len(text) <= 40
        or unsaid.search(text)
        or not states.match(text)
    ):
        return
    start = sentence.start + sentence.text.index(text)
    yield Draft(
        claim=text,
        category=cues.category(text, tense="none"),
        certainty="implied",
        temporal=cues.temporal(text, tense="none"),
        start=start,
        end=start + len(text),
    )


def claims(tongue: str, sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the statement that a sentence to an agent makes; nothing for talk between people."""
    begin = opening(sentence.text, 0, scene.called) if tongue == "en" else 0
    text = sentence.text[begin:].strip(" .!…")
    claim = text[:1].upper() + text[1:] if begin else text
    said = [match.group() for match in WORD.finditer(claim)]
    led = said[:1] and tongue in _LEADS and said[0].lower() in _LEADS[tongue]
    plain = _NUMBERED.sub("", _AHEAD.sub("", text, 1) if led else text)
    small = {match.group().lower() for match in WORD.finditer(plain)}
    if _COUNTED.match(text) or _PLEASES.match(text):
        small -= {"there", "le"}
    if (
        tongue not in _LEADS
        or sentence.asked
        or scene.agent
        or not scene.at_work
        or not SHORTEST <= len(text) <= LONGEST
        or not 2 <= len(said) <= MOST_WORDS
        or small & _SMALL[tongue]
        or small & _PASSING
        or _NOT_SAID[tongue].search(text)
        or _ENDS_OPEN.search(_LASTING.sub("", text))
    ):
        return
    if _is_statement(tongue, said) and (
        tongue != "en" or is_self_contained(_LASTING.sub("", _COUNTED.sub("The ", text)))
    ):
        tense = _tense(text)
        start = sentence.start + sentence.text.index(text)
        yield Draft(
            claim=third_person.in_third_person(claim, speaker=scene.speaker).text if tongue == "en" else text,
            category=cues.category(text, tense=tense),
            certainty="implied",
            temporal=cues.temporal(text, tense=tense),
            start=start,
            end=start + len(text),
        )


_NUMBERED = re.compile(r"\b[A-Z][a-z]+ (?=#?\d)")
"""Kind of a numbered thing: "Bug 317" is no bug in passing."""
_COUNTED = re.compile(
    r"there (?:are|is|were) (?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|no) ",
    re.IGNORECASE,
)
_LASTING = re.compile(r",? from now on$")
_PLEASES = re.compile(
    r"A (?P<who>[A-ZÁÉÍÓÚÑ]\w+) (?:no |ya no )?les? (?:gusta|encanta|molesta|interesa|da miedo)\w* "
)
_AHEAD = pattern("statements", "ahead")
"""Pronoun in a phrase before the name that it means: "after his studies Ivo"."""


def _is_statement(tongue: str, said: list[str]) -> bool:
    """Return True if a sentence has a subject, its verb and a complement, with or without a phrase before them."""
    if _COUNTED.match(" ".join(said)) or _PLEASES.match(" ".join(said)):
        return True
    for at in range(1, min(len(said), MOST_WORDS_BEFORE)):
        head = said[:at]
        if not _is_verb(tongue, said[at], said[at + 1 :], named=at == 1 and _is_name(said[0])):
            continue
        while len(head) > 1 and (third_person.is_adverb(head[-1].lower()) or head[-1].lower() in _BETWEEN):
            head.pop()
        if _is_subject(tongue, head) or (
            head[0].lower() in _LEADS[tongue] and _after_lead(tongue, head, said[at + 1 :])
        ):
            return True
    return False


def _after_lead(tongue: str, head: list[str], following: list[str]) -> bool:
    """Return True if a subject ends the words before the verb, or, in languages that invert, follows it."""
    if any(_is_subject(tongue, head[at:]) for at in range(2, len(head))):
        return True
    inverts = tongue != "en" and len(head) > 1
    return inverts and any(
        _is_subject(tongue, following[:size]) or following[0] in _NUMBERS or following[0].isdigit()
        for size in (1, 2, 3)
        if size <= len(following)
    )


def _is_subject(tongue: str, head: list[str]) -> bool:
    """Return True for a name ("Bug 317", "Frau Ahrens"), a definite thing ("the beta flag") or a plural ("Tests")."""
    first = head[0].lower()
    if first in _ARTICLES[tongue]:
        return 2 <= len(head) <= LONGEST_SUBJECT
    ordinary = tongue == "en" and (first in _ORDERS or third_person.is_past(first))
    if first in _LEADS[tongue] or first in w.CHATTER or ordinary or not head[0][0].isupper():
        return False
    return len(head) <= 3 and (
        all(word[0].isupper() or word[0].isdigit() for word in head) or head[-1].endswith("s")
    )


def _is_name(word: str) -> bool:
    small = word.lower()
    ordinary = small in w.VERBS or small in w.FUNCTION or small in w.CHATTER or third_person.is_past(small)
    return word[0].isupper() and not ordinary and not small.endswith(("s", "ing"))


def _is_verb(tongue: str, verb: str, following: list[str], *, named: bool) -> bool:
    """Return True for a finite verb with something after it, or one that is informative alone."""
    small = verb.lower()
    if tongue != "en":
        plain = verb == small and small not in _NO_VERB[tongue] and bool(following)
        return plain and _VERB[tongue].match(small) is not None
    if small in _HABITS:
        return True
    if all(word.lower() in _EMPTY for word in following):
        return False
    if third_person.is_finite(small) and small not in w.SAME_PAST:
        return (
            small in _LINKED
            or small in _PRESENT
            or third_person.is_past(small)
            or small in ("has", "have", "had", "must")
        )
    shown = (
        small.endswith("s") and not small.endswith(("ss", "us", "is")) and small.islower() and len(small) > 3
    )
    opens = (
        named or following[0].lower() in _OBJECT_OPENS or not following[0].islower() or len(following) == 1
    )
    return shown and opens


def _tense(text: str) -> str:
    small = [match.group().lower() for match in WORD.finditer(text)]
    verb = next((word for word in small[1:8] if third_person.is_finite(word)), "")
    return third_person.tense_of(verb, "") if verb else "present"
