"""Checks of a clause before a claim is made from it: where its subject begins, and if it can be understood
alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memdesk.engine.extraction import cues, voice
from memdesk.engine.extraction import words as w
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.scene import Scene
from memdesk.engine.extraction.words import word_set

_TIMES = (
    "last|this|next|every|growing up|back|yesterday|today|tomorrow|tonight|recently|lately|currently|these days|now"
    "|nowadays|right now|earlier|one|a few|a couple|two|three|sometimes|usually|normally|typically|often|maybe"
    "|perhaps|probably|apparently|then|later|eventually|finally|first|originally|besides"
)
_PREPOSITIONS = (
    "since|after|before|until|for|over|during|by|with|from|through|around|starting|as of|on|in|at|within|to"
    "|about"
)
_CONJUNCTIONS = "when|while|as|because|because of|although|even though|despite|whenever|once"
_HEAD = r"(?=(?:I|we|my|our|im)\b)"
_ADVERBIALS = (
    re.compile(rf"(?:{_TIMES}|{_PREPOSITIONS}|{_CONJUNCTIONS})\b[^,]{{0,90}},\s+{_HEAD}", re.IGNORECASE),
    re.compile(rf"(?:{_TIMES})\b(?:\s|[^,.;:]{{3,60}}?\s){_HEAD}", re.IGNORECASE),
    re.compile(rf"(?:{_PREPOSITIONS})\b[^,.;:]{{3,60}}?\s(?=(?:I|we|im)\b)", re.IGNORECASE),
)
"""Phrases that may come before a subject: one closed by a comma, a time, or a preposition with its
complement."""

_SUBORDINATORS = word_set("since when while after before until once as although though because whenever")
_SUPPOSING = word_set("if unless whether suppose imagine")
_YOU = word_set("you your yours you're you've you'll you'd yourself y'all u ur")
_DEMONSTRATIVE = word_set("this that these those it them him her so one there here they")
_POINTING = word_set("this these those that")
_OWN = w.SUBJECTS | w.POSSESSIVES
_NO_NOUN = w.FUNCTION - _OWN - {"the", "they"}
_OUTSIDE = re.compile(r"\bhow it\b|\bit (?:brings|gives|makes|offers|gave|brought)\b", re.IGNORECASE)
_PICTURES = word_set("pic pics photo photos picture pictures snapshot selfie")
_TAKEN = word_set("took take taking wedding")


@dataclass(slots=True, kw_only=True)
class Clause:
    """A clause of one speaker.

    words: in lower case. lead: index of the first word of its subject. opens: the clause is the first of its
    sentence."""

    text: str
    words: list[str]
    lead: int
    scene: Scene
    opens: bool

    @property
    def subject(self) -> str:
        """Return the first word of the subject."""
        return self.words[self.lead]

    def after(self) -> list[str]:
        """Return the words after the first word of the subject."""
        return self.words[self.lead + 1 :]

    def content(self, words: list[str]) -> int:
        """Return the number of informative words."""
        return sum(1 for word in words if self.telling(word))

    def telling(self, word: str) -> bool:
        """Return True for an informative word: not a function word, not a vague word, not a name of a
        speaker."""
        if word in self.scene.called or word in w.FUNCTION or word in w.VAGUE:
            return False
        return len(word) > 2 or word.isdigit() or word in self.scene.names

    def named(self) -> bool:
        """Return True if the clause contains a number, or a name that is not a speaker's."""
        names, called = self.scene.names, self.scene.called
        return any((word in names and word not in called) or word[0].isdigit() for word in self.words)


@dataclass(slots=True, kw_only=True)
class Reading:
    """A clause worth keeping, in the wording to be retold; category and tense are set only if its form
    decides them."""

    text: str
    certainty: str = "explicit"
    category: str | None = None
    tense: str | None = None


def clause_of(text: str, scene: Scene, *, opens: bool) -> Clause | None:
    """Return the clause; None if it is a supposition, is subordinate, or is about the person addressed."""
    words = [m.group().lower() for m in WORD.finditer(text)]
    lead = _lead(text, words)
    if len(words) - lead < 2 or words[0] in _SUPPOSING or cues.HYPOTHETICAL.search(text):
        return None
    if lead == 0 and (words[0] in _SUBORDINATORS or words[:2] == ["even", "though"]):
        return None
    clause = Clause(text=text, words=words, lead=lead, scene=scene, opens=opens)
    return None if _speaks_to_partner(clause) else clause


def _lead(text: str, words: list[str]) -> int:
    """Return the index of the subject's first word, after "last year" or "when I was ten,"."""
    if words and words[0] in _OWN:
        return 0
    hit = next((match for match in (pattern.match(text) for pattern in _ADVERBIALS) if match), None)
    return len(WORD.findall(hit.group())) if hit else 0


def _speaks_to_partner(clause: Clause) -> bool:
    """Return True if "you" is in the clause, except where the clause reports an act of the partner."""
    spoken = [i for i, word in enumerate(clause.words) if word in _YOU]
    if not spoken:
        return False
    first = spoken[0]
    done = clause.words[first + 1] in w.TOLD if first + 1 < len(clause.words) else False
    return len(spoken) > 1 or first == clause.lead or clause.scene.partner is None or not done


def dangles(clause: Clause) -> bool:
    """Return True if a pronoun in the clause refers to a thing or person outside it."""
    told = 0
    for i, word in enumerate(clause.words):
        if word in w.THIRD and told < 2 and i > clause.lead:
            return True
        told += clause.telling(word)
    if clause.words[-1] in _DEMONSTRATIVE or _OUTSIDE.search(clause.text):
        return True
    return _points(clause.after()) or ("there" in clause.after() and not clause.named())


def _points(words: list[str]) -> bool:
    """Return True for "this is" and "those were", where no noun follows the demonstrative."""
    return any(
        word in _POINTING and following in _NO_NOUN and (word != "that" or following in w.BE)
        for word, following in zip(words, words[1:], strict=False)
    )


def unfinished(clause: Clause) -> bool:
    """Return True if the clause breaks off, mentions a picture just shown, or has "each other" or "one
    another"."""
    words = set(clause.words)
    small = clause.text.lower()
    shown = bool(_PICTURES & words) and not _TAKEN & words
    morning = clause.words[-1] == "am" and clause.words[-2].isdigit()
    return (
        (clause.words[-1] in w.DETERMINERS and not morning)
        or shown
        or "each other" in small
        or "one another" in small
    )


def verb_and_rest(words: list[str]) -> tuple[str, list[str]]:
    """Return the first word that is not an adverb, and the words after it without "not"."""
    for i, word in enumerate(words):
        if not voice.is_adverb(word):
            return word, [x for x in words[i + 1 :] if x != "not"]
    return "", []


def finite_at(words: list[str], start: int) -> int:
    """Return the index of the first of seven words from start that may be a finite verb, 0 if none is."""
    for i in range(start, min(start + 7, len(words))):
        in_date = words[i] == "may" and words[i - 1].isdigit()
        if not in_date and (voice.is_finite(words[i]) or words[i].endswith("'s")):
            return i
    return 0


def small_first(text: str) -> str:
    """Return the text with its first letter in lower case, for use inside a sentence."""
    return text[:1].lower() + text[1:]
