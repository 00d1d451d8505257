"""Convert the first person to the third: "I've moved" becomes "Caroline has moved", without guessing a
gender.

A speaker already named as the subject is "they" in later words; if that could mean another person, the name
is used."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import word_set

_SPLIT = re.compile(f"({WORD.pattern})")
_AND_I = re.compile(r"\b(?:[Mm]y ((?:[\w'-]+ ){0,3}[\w'-]+) and I\b(?!')|[Mm]e and my\b)")
_CONTRACTED = re.compile(r"(i|we|you)('m|'re|'ve|'ll|'d)$")
_SLANG = {
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "kinda": "",
    "sorta": "",
    "cuz": "because",
    "thinkin'": "thinking",
}
_SINGULAR = {
    "am": "is",
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "dont": "doesn't",
    "haven't": "hasn't",
    "aren't": "isn't",
    "ain't": "isn't",
    "weren't": "wasn't",
    "gonna": "is going to",
    "wanna": "wants to",
    "gotta": "has to",
}
_PLURAL = {"am": "are", "was": "were", "wasn't": "weren't", "ain't": "aren't", "gonna": "are going to"}
_UNSHORT = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_OTHERS = word_set("they them their kids children friends parents people guys folks students")
_BEFORE_OBJECT = frozenset(
    ("for", "to", "with", "from", "of", "at", "about", "by", "gave", "sent", "bought", "got")
)
_TOGETHER = re.compile(r"(?<=\w) (?:all )?together\b(?! with)")
_CONJUNCTIONS = frozenset(("and", "but", "or", "then"))
_OWN_VERBS = frozenset(("love", "like", "hate", "enjoy", "have", "prefer", "am", "do"))
"""Verbs that follow their subject also after an infinitive: "wants to paint and loves hiking"."""
_COORDINATED = w.COORDINATED | word_set("make try write sing read paint eat listen attend build spend take")


@dataclass(slots=True, kw_only=True)
class ThirdPersonClause:
    """Clause in the third person. tense: past, present, perfect, future, modal or none, of the speaker's
    first verb.

    sound: False if the speaker's verb could not be found, so that the clause would be wrong."""

    text: str
    tense: str
    sound: bool


def singular(verb: str) -> str:
    """Return the verb in the third person singular: "have" gives "has", "study" gives "studies", "went" is
    unchanged."""
    if verb in _SINGULAR:
        return _SINGULAR[verb]
    if is_past(verb) or verb in w.MODALS or verb in w.BE or verb in ("has", "does", "did"):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def is_past(verb: str) -> bool:
    """Return True for a form that can only be past: "went", "painted", not "need"."""
    return (
        verb in w.PASTS
        or verb.removeprefix("re") in w.PASTS
        or (len(verb) > 3 and verb.endswith("ed") and verb not in w.ED_BASES)
    )


def is_past_verb(before: str, word: str) -> bool:
    """Return True for a past verb, False for a participle behind another word: "are booked", "gets married"."""
    return is_past(word) and before not in _PERFECT and not before.endswith(("'s", "'re", "'m", "'ve"))


_PERFECT = word_set("has have is are am be been being get gets getting to")


def is_finite(word: str) -> bool:
    """Return True for a word that can be the verb of a sentence: "is", "uses", "went", "'ll"."""
    return (
        word in w.BE
        or word in w.MODALS
        or is_past(word)
        or word in _AUXILIARY
        or word in w.VERBS
        or word in _THIRD_FORMS
        or word.endswith(("n't", "'ll", "'re", "'ve", "'m", "'d"))
    )


def is_adverb(word: str) -> bool:
    """Return True for a word that may come between a subject and its verb."""
    return word in w.ADVERBS or (len(word) > 4 and word.endswith("ly") and word not in w.LY_VERBS)


def tense_of(verb: str, following: str) -> str:
    """Return the tense a first verb gives its clause; following is the next word that is not an adverb."""
    if verb == "used" and following == "to":
        return "past"
    if verb in ("gonna", "will", "won't") or (verb in ("am", "are", "is") and following == "gonna"):
        return "future"
    if verb in ("have", "haven't", "has", "hasn't"):
        return "perfect" if following in w.PARTICIPLES or following.endswith("ed") else "present"
    if verb in ("can", "can't", "cannot", "must", "mustn't"):
        return "present"
    if verb in w.MODALS:
        return "modal"
    return "past" if is_past(verb) else "present"


_AUXILIARY = frozenset(("has", "have", "does", "do", "did", "had"))
_THIRD_FORMS = frozenset(singular(verb) for verb in w.VERBS)


class _Converter:
    """Converter of one clause: replaces the words that refer to the speaker or the person addressed."""

    def __init__(self, clause: str, speaker: str, partner: str | None) -> None:
        self.pieces = _SPLIT.split(_AND_I.sub(_i_first, clause))
        self.lower = [piece.lower() if i % 2 else "" for i, piece in enumerate(self.pieces)]
        self.speaker = speaker
        self.partner = partner
        self.crowded = any(word in _OTHERS for word in self.lower)
        self.long_ago = w.SAID_OF_THE_PAST.search(clause) is not None
        self.habit = w.HABIT.search(clause) is not None
        self.subject = False
        self.named = False
        self.tense = "none"
        self.sound = True
        self.coordinates = False
        self.alone = False

    def convert(self) -> ThirdPersonClause:
        for at in range(1, len(self.pieces), 2):
            self._word(at)
        text = re.sub(r"\s+", " ", "".join(self.pieces)).strip()
        text = _TOGETHER.sub("", text.replace(" ,", ",")) if self.alone else text.replace(" ,", ",")
        return ThirdPersonClause(text=text[:1].upper() + text[1:], tense=self.tense, sound=self.sound)

    def _word(self, at: int) -> None:
        word = self.lower[at]
        short = _CONTRACTED.match(word)
        pronoun = short.group(1) if short else {"im": "i", "ive": "i"}.get(word, word)
        if pronoun in ("i", "we"):
            self._nominative(at, pronoun, short.group(2) if short else {"im": "'m", "ive": "'ve"}.get(word))
        elif pronoun == "you" and self.partner:
            self._partner(at, short.group(2) if short else None)
        elif at > 1 and self.pieces[at].istitle() and self.pieces[at - 2].istitle() and pronoun != "i":
            return
        elif word in ("me", "us") and self.pieces[at] != "US":
            self._put(at, "them" if self.subject and not self.crowded else self.speaker)
        elif word in ("my", "our"):
            self._put(
                at, "their" if self.subject or (self.named and not self.crowded) else f"{self.speaker}'s"
            )
        elif word in ("mine", "ours"):
            self._put(at, "theirs" if self.subject else f"{self.speaker}'s")
        elif word in ("myself", "ourselves"):
            self._put(at, "themself")
        elif word == "your" and self.partner:
            self.pieces[at] = f"{self.partner}'s"
        elif self.coordinates and word in _COORDINATED and self._coordinated(at):
            self.pieces[at] = singular(word)
        elif word in _SLANG:
            self.pieces[at] = _SLANG[word]

    def _put(self, at: int, text: str) -> None:
        self.pieces[at] = text
        self.named = True

    def _nominative(self, at: int, pronoun: str, short: str | None) -> None:
        plural = self.subject and not self.crowded
        self.pieces[at] = "they" if plural else self.speaker
        verb_at = at if short else self._verb_after(at)
        joined = not short and self._next(at) == "and"
        verb = self._unshort(short, at) if short else self.lower[verb_at] if verb_at else ""
        self._drop_all(at)
        self.alone = self.alone or (pronoun == "we" and not joined)
        if not self.subject:
            self._first_subject(verb, verb_at, joined=joined)
        self.subject = self.named = True
        if short:
            self.pieces[at] += " " + self._agreed(verb, plural=plural)
        elif verb_at and not joined:
            self.pieces[verb_at] = self._agreed(verb, plural=plural)
            self.lower[verb_at] = ""

    def _drop_all(self, at: int) -> None:
        """Drop "all" and "both" after "we", which becomes one speaker."""
        if self._next(at) in ("all", "both"):
            self.pieces[at + 1] = self.pieces[at + 2] = self.lower[at + 2] = ""

    def _first_subject(self, verb: str, verb_at: int, *, joined: bool) -> None:
        if joined:
            self.tense = self._tense_ahead(verb_at)
            return
        self.sound = bool(verb)
        self.tense = tense_of(verb, self._skipping_adverbs(verb_at) if verb_at else "")
        if self._said_of_past(verb):
            self.tense = "past"
        self.coordinates = self.tense in ("present", "perfect")

    def _said_of_past(self, verb: str) -> bool:
        """Return True if "put" is past: by the time named, or, for most such verbs, unless the clause
        describes a habit."""
        return verb in w.SAME_PAST and (self.long_ago or (verb not in w.OFTEN_PRESENT and not self.habit))

    def _tense_ahead(self, at: int) -> str:
        """Return the tense of the first verb after a subject joined with "and"."""
        for word in self.lower[max(at, 1) :: 2]:
            if word in w.VERBS or word in w.BE or word in w.MODALS or is_past(word):
                return tense_of(word, "")
        return "none"

    def _partner(self, at: int, short: str | None) -> None:
        self.pieces[at] = self.partner or "you"
        if short:
            self.pieces[at] += " " + singular(self._unshort(short, at))
            return
        if at > 1 and self.lower[at - 2] in _BEFORE_OBJECT:
            return
        verb_at = self._verb_after(at)
        direct = verb_at == at + 2 and self.lower[verb_at] not in w.MODALS
        if verb_at and (direct or self.lower[verb_at] in w.VERBS or self.lower[verb_at] in _SINGULAR):
            self.pieces[verb_at] = singular(self.lower[verb_at])

    def _unshort(self, short: str, at: int) -> str:
        if short != "'d":
            return _UNSHORT[short]
        following = self._skipping_adverbs(at)
        return (
            "had"
            if following in w.PARTICIPLES or following.endswith("ed") or following == "better"
            else "would"
        )

    def _agreed(self, verb: str, *, plural: bool) -> str:
        if plural or self._said_of_past(verb):
            return _PLURAL.get(verb, _SLANG.get(verb, verb))
        return singular(verb)

    def _next(self, at: int) -> str:
        return self.lower[at + 2] if at + 2 < len(self.lower) else ""

    def _skipping_adverbs(self, at: int) -> str:
        for word in self.lower[at + 2 :: 2]:
            if not is_adverb(word):
                return word
        return ""

    def _verb_after(self, at: int) -> int:
        """Return the index of the speaker's verb, 0 if the words after the subject cannot be a verb."""
        for index in range(at + 2, min(at + 12, len(self.lower)), 2):
            word = self.lower[index]
            if is_adverb(word) or word in ("no", "longer"):
                continue
            verbal = (
                word in w.BE
                or word in w.MODALS
                or word in _SINGULAR
                or word in ("did", "had", "did", "haven't")
            )
            return index if verbal or self._may_be_verb(word, index) else 0
        return 0

    def _may_be_verb(self, word: str, at: int) -> bool:
        if word in w.PASTS or word in w.VERBS or word in w.SAME_PAST or word in ("didn't", "hadn't", "never"):
            return True
        plain = (
            self.pieces[at].islower() and word.replace("-", "").isalpha() and self.pieces[at - 1].isspace()
        )
        return plain and word not in w.FUNCTION and not word.endswith(("ing", "s"))

    def _coordinated(self, at: int) -> bool:
        """Return True for a second verb of the speaker ("... and love hiking"), not for a noun ("... and love
        songs")."""
        following = self._next(at)
        if self.lower[at] == "love" and following not in w.FUNCTION and not following.endswith("ing"):
            return False
        before = at - 2
        while before > 0 and is_adverb(self.lower[before]):
            before -= 2
        if self.lower[at] not in _OWN_VERBS and self._infinitive_before(before):
            return False
        listed = "," in self.pieces[at - 1] and "," in self.pieces[at + 1] and self._list_goes_on(at)
        joined = self.lower[before] in _CONJUNCTIONS and "," not in self.pieces[at - 1]
        return before > 0 and (joined or listed)

    def _list_goes_on(self, at: int) -> bool:
        """Return True if the item after that verb is another verb: "reads, paints, and goes hiking"."""
        following = self._next(at)
        return following in _COORDINATED or (
            following in _CONJUNCTIONS and at + 4 < len(self.lower) and self.lower[at + 4] in _COORDINATED
        )

    def _infinitive_before(self, at: int) -> bool:
        """Return True if a clause's last "to" before that word begins an infinitive: "like to read and go out"."""
        for index in range(at, 2, -2):
            if self.lower[index] == "to" and self._next(index) in w.VERBS:
                return True
            if self.lower[index] in ("i", "we"):
                break
        return False


def _i_first(match: re.Match[str]) -> str:
    return f"I and my {match.group(1)}" if match.group(1) else "I and my"


def in_third_person(clause: str, *, speaker: str, partner: str | None = None) -> ThirdPersonClause:
    """Return the clause in the third person. partner: the name to use for "you", None to leave "you"
    unchanged."""
    return _Converter(clause, speaker, partner).convert()
