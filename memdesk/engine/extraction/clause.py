"""Checks of a clause before a claim is made from it: where its subject begins, and if it can be understood
alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memdesk.engine.extraction import cues, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import pattern, word_set, words
from memdesk.engine.extraction.times import has_time

_TIMES = (
    "just|only|last|this|next|every|growing up|back|yesterday|today|tomorrow|tonight|recently"
    "|lately|currently|these days|now"
    "|nowadays|right now|earlier|one|a few|a couple|two|three|sometimes|usually|normally"
    "|typically|often|maybe"
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
_DEMONSTRATIVE = word_set("this that these those so one here")
_POINTING = word_set("this these those that")
_OWN = w.SUBJECTS | w.POSSESSIVES
_NO_NOUN = w.FUNCTION - _OWN - {"the", "they"}
_OUTSIDE = re.compile(r"\bhow it\b|\bit (?:brings|gives|makes|offers|gave|brought)\b", re.IGNORECASE)
_PICTURES = word_set("pic pics photo photos picture pictures snapshot selfie")
_TAKEN = word_set("took take taking wedding snapped captured")


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
        return sum(1 for word in words if self.is_informative(word))

    def is_informative(self, word: str) -> bool:
        """Return True for an informative word: not a function word, not a vague word, not a name of a
        speaker."""
        if word in self.scene.called or word in w.FUNCTION or word in w.VAGUE:
            return False
        return len(word) > 2 or word.isdigit() or word in self.scene.names

    def named(self) -> bool:
        """Return True if the clause contains a number, or a name that is not a speaker's."""
        names, called = self.scene.names, self.scene.called
        return any(
            (word in names and word not in called) or word[0].isdigit() or "/" in word or "." in word[1:-1]
            for word in self.words
        )


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
    return (
        None
        if _speaks_to_partner(clause)
        and not (
            scene.at_work
            and not scene.agent
            and "you" in words[3:]
            and "?" not in text
            and words[0] not in _YOU | _OWN
        )
        else clause
    )


def _lead(text: str, words: list[str]) -> int:
    """Return the index of the subject's first word, after "last year" or "when I was ten,"."""
    if words and words[0] in _OWN:
        return 0
    hits = [match.end() for pattern in _ADVERBIALS if (match := pattern.match(text))]
    return len(WORD.findall(text[: min(hits)])) if hits else 0


def _speaks_to_partner(clause: Clause) -> bool:
    """Return True if "you" is in the clause, except where the clause reports an act of the partner."""
    spoken = [i for i, word in enumerate(clause.words) if word in _YOU]
    if not spoken:
        return False
    first = spoken[0]
    if clause.scene.partner and not clause.scene.agent and _DONE_FOR_YOU.match(clause.text):
        return len(spoken) > 1 or clause.words[first] != "you"
    done = clause.words[first + 1] in w.PARTNER_ACTS if first + 1 < len(clause.words) else False
    return len(spoken) > 1 or first == clause.lead or clause.scene.partner is None or not done


_DONE_FOR_YOU = pattern("english", "done_for_you")
"""Act of the speaker in which the partner has a part: "I got a puppy for you"."""


def has_outside_pronoun(clause: Clause) -> bool:
    """Return True if "this", "one" or "here" in the clause refers to a thing or place outside it."""
    if clause.words[-1] in _DEMONSTRATIVE or _OUTSIDE.search(clause.text):
        return True
    return _points(clause.after()) or ("there" in clause.after() and not clause.named())


def _points(words: list[str]) -> bool:
    """Return True for "this is" and "those were", where no noun follows the demonstrative; "friends that are" is a
    relative clause."""
    return any(
        word in _POINTING and following in _NO_NOUN and (word != "that" or following in ("is", "was"))
        for word, following in zip(words, words[1:], strict=False)
    )


def is_unfinished(clause: Clause) -> bool:
    """Return True if the clause breaks off, mentions a picture just shown, or has "each other" or "one
    another"."""
    words = set(clause.words)
    small = clause.text.lower()
    shown = bool(_PICTURES & words) and not _TAKEN & words and "have a photo of" not in small
    finished = clause.words[-1] == "each" and len(clause.words) > 3
    morning = clause.words[-1] == "am" and clause.words[-2].isdigit()
    return (
        (clause.words[-1] in w.DETERMINERS and not morning and not finished)
        or shown
        or "each other" in small
        or "one another" in small
    )


def verb_and_rest(words: list[str]) -> tuple[str, list[str]]:
    """Return the first word that is not an adverb, and the words after it without "not"."""
    for i, word in enumerate(words):
        if not third_person.is_adverb(word):
            return word, [x for x in words[i + 1 :] if x != "not"]
    return "", []


def finite_at(words: list[str], start: int) -> int:
    """Return the index of the first of seven words from start that may be a finite verb, 0 if none is."""
    for i in range(start, min(start + 7, len(words))):
        in_date = words[i] == "may" and words[i - 1].isdigit()
        if not in_date and (third_person.is_finite(words[i]) or words[i].endswith("'s")):
            return i
    return 0


def lower_first(text: str) -> str:
    """Return the text with its first letter in lower case, for use inside a sentence."""
    return text[:1].lower() + text[1:]


_RULES = w.BE | word_set(
    "has can will takes helps makes gives brings feels means keeps lets requires made gave helped took brought felt"
)
"""Verbs that show that a leading "-ing" word is a subject ("Planning takes time"), not an activity of the
speaker."""
_NO_STARTERS = (w.PASTS | w.VAGUE) - word_set("started stopped tried learned finished")
_LASTING_STATES = word_set("in at from married engaged expecting")
_RECIPROCAL = pattern("english", "reciprocal")
"""Verbs of which "we" includes a person whom only an earlier turn names."""
_FELLOWS = words("english", "fellows")
_SHARED = word_set("need want must have show learn grow trust live")
_OPINIONS = word_set("think believe guess")
_SHORT = {"im": "'m", "ive": "'ve"}


def first_person(clause: Clause) -> Reading | None:
    """Read a clause with the speaker as subject: "I've worked at Siemens since 2019", "we use pnpm"."""
    if clause.subject not in w.SUBJECTS:
        return None
    verb, rest = _said_of_self(clause.subject, clause.after())
    if not _is_fact(verb, rest, clause):
        return None
    return Reading(text=clause.text, certainty="implied" if clause.subject.startswith("we") else "explicit")


def _said_of_self(subject: str, after: list[str]) -> tuple[str, list[str]]:
    """Return the verb of "I'm ..." or "I really like ...", and the words after it."""
    short = _SHORT.get(subject) or subject[subject.find("'") :] if "'" in subject or subject in _SHORT else ""
    if after[:2] == ["no", "longer"]:
        after = after[2:]
    return (short, after) if short else verb_and_rest(after)


def _is_fact(verb: str, rest: list[str], clause: Clause) -> bool:
    """Return True if the speaker's verb and the words after it make a fact, not a mood, a courtesy or a
    cheer."""
    rest = _before_reason(rest)
    if _means_everybody(verb, verb_and_rest(rest)[0], clause):
        return clause.named() and not _RECIPROCAL.search(clause.text)
    if verb in ("keep", "kept") and rest[:1] in (["my"], ["the"], ["our"]) and {"in", "at", "on"} & set(rest):
        return clause.content(rest) >= 2
    if verb in _CHECKS:
        return _CHECKS[verb](rest, clause)
    if verb in w.MODALS and verb not in ("must", "mustn't"):
        return False
    return verb not in w.IDLE_VERBS and (verb in w.EVENTFUL or clause.content(rest) >= 1)


def _before_reason(rest: list[str]) -> list[str]:
    reason = next((i for i, word in enumerate(rest) if word in ("because", "cause")), len(rest))
    return rest[:reason]


_HOUSEHOLD = re.compile(
    rf"\b(?:an?|two|three|four|five|six|seven|eight|\d+) (?:[\w-]+ ){{0,2}}(?:{w.alternatives(w.PETS | w.KIN)})s?\b",
    re.IGNORECASE,
)
"""Animals and relatives that a family counts: "we have two dogs"."""


def _means_everybody(verb: str, complement: str, clause: Clause) -> bool:
    """Return True if "we" means people in general: "we need better schools", "we're all different"."""
    if clause.scene.at_work or not clause.subject.startswith("we"):
        return False
    if _RECIPROCAL.search(clause.text):
        return True
    if verb in ("were", "are", "'re", "was", "became") and complement in _FELLOWS:
        return True
    if verb in ("have", "had", "got") and _HOUSEHOLD.search(clause.text):
        return False
    if verb in ("'re", "are"):
        return not complement.endswith("ing") and complement not in _LASTING_STATES
    return verb in _SHARED


def _is(rest: list[str], clause: Clause) -> bool:
    complement, following = verb_and_rest(rest)
    if complement == "busy" and following[:1] not in (["at"], ["in"], ["with"]):
        return _busy_with(rest) and clause.content(following) >= 1
    if complement == "doing" or following[:1] and following[0] in _ACTIVITIES.get(complement, ()):
        return clause.content(following) >= 1
    if complement == "busy" and following[:1] in (["at"], ["in"], ["with"]):
        return clause.content(following) >= 1
    if complement in w.FEELINGS or (
        complement == "going" and following[:1] == ["to"] and not _will(following[1:], clause)
    ):
        return False
    return clause.content(following if complement.endswith("ing") else rest) >= 1


def _has(rest: list[str], clause: Clause) -> bool:
    complement, following = verb_and_rest(rest)
    if complement == "been":
        return _busy_with(following) and clause.content(following) >= 1
    return clause.content(rest) >= 1


_ACTIVITIES = {
    "looking": word_set("into for at"),
    "doing": word_set("a an the some my our"),
    "able": word_set("to"),
    "hurt": word_set("my in"),
    "back": word_set("in at from to"),
    "lost": word_set("my"),
    **dict.fromkeys(("scared", "afraid", "terrified"), word_set("of")),
    "interested": word_set("in"),
    **dict.fromkeys(("good", "bad", "terrible", "great"), word_set("at")),
}
"""Words of moods that begin an activity if one of those words follows: "looking into", "doing some"."""


def _busy_with(rest: list[str]) -> bool:
    """Return True unless a mood follows: "busy volunteering" is informative, "busy" alone is not."""
    words = [word for word in rest if not third_person.is_adverb(word)]
    if words[1:] and words[1] in _ACTIVITIES.get(words[0], ()):
        return words[1:] != ["for", "it"]
    if words[:1] == ["busy"]:
        return len(words) > 1 and (words[1].endswith("ing") or words[1] == "with")
    return bool(words) and words[0] not in w.FEELINGS


_SKILLS = word_set("drive swim cook bake sing dance ski surf skate draw")


def _can(rest: list[str], clause: Clause) -> bool:
    able, following = verb_and_rest(rest)
    if able in _SKILLS and not following and not clause.words[clause.lead + 1].startswith("could"):
        return "can't" in clause.words or "cannot" in clause.words
    denied = able == "have" and ("can't" in clause.words or "cannot" in clause.words)
    return (able in w.ABLE or denied) and clause.content(following) >= 1


def _would(rest: list[str], clause: Clause) -> bool:
    wish, following = verb_and_rest(rest)
    return wish in ("love", "like", "prefer", "rather") and clause.content(following) >= 1


def _will(rest: list[str], clause: Clause) -> bool:
    """Return True if what is planned is informative: "I'll graduate next year", "I'm going to be a dentist"."""
    planned, following = verb_and_rest(rest)
    if planned == "be" and following[:1] and following[0] in ("a", "an"):
        return clause.content(following) >= 1
    dated = has_time(clause.text) and clause.is_informative(planned)
    return (planned not in w.IDLE_FUTURE or clause.named()) and (clause.content(following) >= 1 or dated)


def _hopes(rest: list[str], clause: Clause) -> bool:
    return rest[:1] == ["to"] and clause.content(rest) >= 2


def _does(rest: list[str], clause: Clause) -> bool:
    done, following = verb_and_rest(rest)
    return done not in w.IDLE_VERBS and clause.content(following) >= 1


def _opinion_is_claim(rest: list[str], clause: Clause) -> bool:
    """Return True if the speaker's opinion, without "I think", would be a claim."""
    held = [word for word in rest if word != "that"]
    subject = held[0] if held else ""
    if subject in w.SUBJECTS:
        verb, following = _said_of_self(subject, held[1:])
        return verb not in _OPINIONS and _is_fact(verb, following, clause)
    return (clause.scene.at_work or subject in w.POSSESSIVES) and clause.content(held) >= 2


_CHECKS: dict[str, Callable[[list[str], Clause], bool]] = {
    **dict.fromkeys(("'m", "'re", "am", "are", "was", "were"), _is),
    **dict.fromkeys(("'ve", "have", "haven't"), _has),
    **dict.fromkeys(("can", "can't", "cannot", "could", "couldn't"), _can),
    **dict.fromkeys(("would", "'d", "wouldn't"), _would),
    **dict.fromkeys(("will", "'ll", "won't", "gonna"), _will),
    **dict.fromkeys(("do", "don't", "doesn't", "didn't"), _does),
    **dict.fromkeys(("hope", "hoped"), _hopes),
    **dict.fromkeys(_OPINIONS, _opinion_is_claim),
}
"""Check by verb: returns True if the words after the verb make a fact."""


def possession(clause: Clause) -> Reading | None:
    """Read a clause about a thing or person of the speaker: "My sister lives in Porto", "Our office is in
    Basel"."""
    if clause.subject not in w.POSSESSIVES:
        return None
    verb_at = finite_at(clause.words, clause.lead + 2)
    if not verb_at or _listed(clause, verb_at) or clause.content(clause.words) < 2:
        return None
    if clause.content(clause.words[verb_at + 1 :]) < 1 and not has_time(clause.text):
        return None
    return Reading(text=clause.text, tense=third_person.tense_of(clause.words[verb_at], ""))


def _listed(clause: Clause, verb_at: int) -> bool:
    """Return True for a bare list ("my family, exercise and friends"), where a noun only looks like the verb."""
    verb = clause.words[verb_at]
    return verb in w.VERBS and "," in clause.text[: clause.text.lower().find(verb)]


def subject_omitted(clause: Clause) -> Reading | None:
    """Read a clause without its "I": "Just got back from Rome"."""
    verb, rest = verb_and_rest(clause.words)
    if clause.words[0] in w.CHATTER or rest[:1] in (["me"], ["us"]) or verb in w.FEELINGS:
        return None
    text = _with_subject(verb, rest, clause)
    return Reading(text=text, certainty="implied") if text and clause.content(rest) >= 1 else None


_OPENS_OBJECT = words("english", "opens_object")
"""Words that begin what a verb is about: without one, "mixed emotions" is a noun with its attribute."""


def _is_attribute(verb: str, rest: list[str], clause: Clause) -> bool:
    """Return True for "mixed emotions", where a participle comes before its noun: it makes no claim."""
    if not verb.endswith("ed") or verb in w.STARTERS_PAST or not rest or "first time" in clause.text:
        return False
    named = clause.text[clause.text.lower().find(rest[0])].isupper()
    return not (rest[0] in _OPENS_OBJECT or rest[0].isdigit() or named or has_time(clause.text))


def _with_subject(verb: str, rest: list[str], clause: Clause) -> str | None:
    """Return the clause with the missing "I" and its auxiliary; None if no "I" was left out."""
    said = lower_first(clause.text)
    if verb == "been" and rest[:1] == ["to"] and w.SAID_OF_THE_PAST.search(clause.text):
        return f"I went {clause.text[clause.text.lower().index('to ') :]}"
    if verb == "been":
        return f"I have {said}" if _been_doing(rest) else None
    if "-" in verb or _is_attribute(verb, rest, clause) or (verb in ("called", "named") and clause.named()):
        return None
    if verb in w.STARTERS_PAST or (third_person.is_past(verb) and verb not in _NO_STARTERS):
        return (
            f"I {said}" if verb not in ("got", "had") or clause.named() or clause.content(rest) > 1 else None
        )
    doing = verb in w.STARTERS_ING or (verb.endswith("ing") and has_time(clause.text))
    if doing and clause.opens and not _RULES & set(rest):
        return f"I am {said}"
    return f"I am {said}" if verb == "gonna" and rest[:1] != ["be"] and _will(rest, clause) else None


def _been_doing(rest: list[str]) -> bool:
    words = [word for word in rest if not third_person.is_adverb(word)]
    doing = bool(words) and (
        words[0].endswith("ing") or words[0] in ("to", "in", "at", "busy", "married", "engaged")
    )
    return doing and _busy_with(words)
