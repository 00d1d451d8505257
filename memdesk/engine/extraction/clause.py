"""A clause under judgement, before any claim is made of it: where its subject begins, whether it can stand alone."""

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
"""What may stand before a subject: a phrase closed by a comma, a time, or a preposition with what belongs to it."""

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

    words: in small letters. lead: index of the word its subject begins with. opens: it opens its sentence."""

    text: str
    words: list[str]
    lead: int
    scene: Scene
    opens: bool

    @property
    def subject(self) -> str:
        """The first word of the subject."""
        return self.words[self.lead]

    def after(self) -> list[str]:
        """The words after the first word of the subject."""
        return self.words[self.lead + 1 :]

    def content(self, words: list[str]) -> int:
        """How many of the words tell something."""
        return sum(1 for word in words if self.telling(word))

    def telling(self, word: str) -> bool:
        """True for a word that tells one life from another."""
        if word in self.scene.called or word in w.FUNCTION or word in w.VAGUE:
            return False
        return len(word) > 2 or word.isdigit() or word in self.scene.names

    def named(self) -> bool:
        """True when the clause holds a number or a name that is not a participant's."""
        names, called = self.scene.names, self.scene.called
        return any((word in names and word not in called) or word[0].isdigit() for word in self.words)


@dataclass(slots=True, kw_only=True)
class Reading:
    """A clause worth keeping, as it is to be retold; category and tense only where its form decides them."""

    text: str
    certainty: str = "explicit"
    category: str | None = None
    tense: str | None = None


def clause_of(text: str, scene: Scene, *, opens: bool) -> Clause | None:
    """The clause, None when it supposes, is subordinate, or is said of the person spoken to."""
    words = [m.group().lower() for m in WORD.finditer(text)]
    lead = _lead(text, words)
    if len(words) - lead < 2 or words[0] in _SUPPOSING or cues.HYPOTHETICAL.search(text):
        return None
    if lead == 0 and (words[0] in _SUBORDINATORS or words[:2] == ["even", "though"]):
        return None
    clause = Clause(text=text, words=words, lead=lead, scene=scene, opens=opens)
    return None if _speaks_to_partner(clause) else clause


def _lead(text: str, words: list[str]) -> int:
    """The index of the word the subject begins with, behind "last year" or "when I was ten,"."""
    if words and words[0] in _OWN:
        return 0
    hit = next((match for match in (pattern.match(text) for pattern in _ADVERBIALS) if match), None)
    return len(WORD.findall(hit.group())) if hit else 0


def _speaks_to_partner(clause: Clause) -> bool:
    """True when "you" is in the clause, except where it tells what the partner did."""
    spoken = [i for i, word in enumerate(clause.words) if word in _YOU]
    if not spoken:
        return False
    first = spoken[0]
    done = clause.words[first + 1] in w.TOLD if first + 1 < len(clause.words) else False
    return len(spoken) > 1 or first == clause.lead or clause.scene.partner is None or not done


def dangles(clause: Clause) -> bool:
    """True when a pronoun in the clause points at something outside it."""
    told = 0
    for i, word in enumerate(clause.words):
        if word in w.THIRD and told < 2 and i > clause.lead:
            return True
        told += clause.telling(word)
    if clause.words[-1] in _DEMONSTRATIVE or _OUTSIDE.search(clause.text):
        return True
    return _points(clause.after()) or ("there" in clause.after() and not clause.named())


def _points(words: list[str]) -> bool:
    """True for "this is" and "those were", where no noun says this what."""
    return any(
        word in _POINTING and following in _NO_NOUN and (word != "that" or following in w.BE)
        for word, following in zip(words, words[1:], strict=False)
    )


def unfinished(clause: Clause) -> bool:
    """True when the clause breaks off, speaks of a picture just shown, or of a group alone ("each other")."""
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
    """The first word that is no adverb, and the words after it without "not"."""
    for i, word in enumerate(words):
        if not voice.is_adverb(word):
            return word, [x for x in words[i + 1 :] if x != "not"]
    return "", []


def finite_at(words: list[str], start: int) -> int:
    """The index of the first word from start on that may be the verb of a sentence, 0 when none is near."""
    for i in range(start, min(start + 7, len(words))):
        in_date = words[i] == "may" and words[i - 1].isdigit()
        if not in_date and (voice.is_finite(words[i]) or words[i].endswith("'s")):
            return i
    return 0


def small_first(text: str) -> str:
    """The text with its first letter small, to stand inside a sentence."""
    return text[:1].lower() + text[1:]
