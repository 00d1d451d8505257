"""Statements of speakers about themselves, and which of them are facts: "I moved to Lisbon", not "I'm so
glad"."""

from __future__ import annotations

from collections.abc import Callable

from memdesk.engine.extraction import voice
from memdesk.engine.extraction import words as w
from memdesk.engine.extraction.clause import Clause, Reading, finite_at, small_first, verb_and_rest
from memdesk.engine.extraction.words import word_set

_RULES = w.BE | word_set(
    "has can will takes helps makes gives brings feels means keeps lets requires made gave helped took brought felt"
)
"""Verbs that show that a leading "-ing" word is a subject ("Planning takes time"), not an activity of the
speaker."""
_NO_STARTERS = w.PASTS | w.VAGUE
_LASTING_STATES = word_set("in at from married engaged expecting")
_SHARED = word_set("need want must have show learn grow trust live")
_OPINIONS = word_set("think believe guess")
_SHORT = {"im": "'m", "ive": "'ve"}


def first_person(clause: Clause) -> Reading | None:
    """Read a clause with the speaker as subject: "I've worked at Siemens since 2019", "we use pnpm"."""
    if clause.subject not in w.SUBJECTS:
        return None
    verb, rest = _said_of_self(clause.subject, clause.after())
    if not _tells(verb, rest, clause):
        return None
    return Reading(text=clause.text, certainty="implied" if clause.subject.startswith("we") else "explicit")


def _said_of_self(subject: str, after: list[str]) -> tuple[str, list[str]]:
    """Return the verb of "I'm ..." or "I really like ...", and the words after it."""
    short = _SHORT.get(subject) or subject[subject.find("'") :] if "'" in subject or subject in _SHORT else ""
    if after[:2] == ["no", "longer"]:
        after = after[2:]
    return (short, after) if short else verb_and_rest(after)


def _tells(verb: str, rest: list[str], clause: Clause) -> bool:
    """Return True if the speaker's verb and the words after it make a fact, not a mood, a courtesy or a
    cheer."""
    rest = _before_reason(rest)
    if _sweeping(verb, verb_and_rest(rest)[0], clause):
        return clause.named()
    if verb in _CHECKS:
        return _CHECKS[verb](rest, clause)
    if verb in w.MODALS and verb not in ("must", "mustn't"):
        return False
    return verb not in w.IDLE_VERBS and (verb in w.EVENTFUL or clause.content(rest) >= 1)


def _before_reason(rest: list[str]) -> list[str]:
    reason = next((i for i, word in enumerate(rest) if word in ("because", "cause")), len(rest))
    return rest[:reason]


def _sweeping(verb: str, complement: str, clause: Clause) -> bool:
    """Return True if "we" means people in general: "we need better schools", "we're all different"."""
    if clause.scene.at_work or not clause.subject.startswith("we"):
        return False
    if verb in ("'re", "are"):
        return not complement.endswith("ing") and complement not in _LASTING_STATES
    return verb in _SHARED


def _is(rest: list[str], clause: Clause) -> bool:
    complement, following = verb_and_rest(rest)
    if complement == "busy":
        return _busy_with(rest) and clause.content(following) >= 1
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


def _busy_with(rest: list[str]) -> bool:
    """Return True unless a mood follows: "busy volunteering" is informative, "busy" alone is not."""
    words = [word for word in rest if not voice.is_adverb(word)]
    if words[:1] == ["busy"]:
        return len(words) > 1 and (words[1].endswith("ing") or words[1] == "with")
    return bool(words) and words[0] not in w.FEELINGS


def _can(rest: list[str], clause: Clause) -> bool:
    able, following = verb_and_rest(rest)
    return able in w.ABLE and clause.content(following) >= 1


def _would(rest: list[str], clause: Clause) -> bool:
    wish, following = verb_and_rest(rest)
    return wish in ("love", "like", "prefer", "rather") and clause.content(following) >= 1


def _will(rest: list[str], clause: Clause) -> bool:
    planned, following = verb_and_rest(rest)
    return (planned not in w.IDLE_FUTURE or clause.named()) and clause.content(following) >= 1


def _does(rest: list[str], clause: Clause) -> bool:
    done, following = verb_and_rest(rest)
    return done not in w.IDLE_VERBS and clause.content(following) >= 1


def _holds(rest: list[str], clause: Clause) -> bool:
    """Return True if the speaker's opinion, without "I think", would be a claim."""
    held = [word for word in rest if word != "that"]
    subject = held[0] if held else ""
    if subject in w.SUBJECTS:
        verb, following = _said_of_self(subject, held[1:])
        return verb not in _OPINIONS and _tells(verb, following, clause)
    return (clause.scene.at_work or subject in w.POSSESSIVES) and clause.content(held) >= 2


_CHECKS: dict[str, Callable[[list[str], Clause], bool]] = {
    **dict.fromkeys(("'m", "'re", "am", "are", "was", "were"), _is),
    **dict.fromkeys(("'ve", "have", "haven't"), _has),
    **dict.fromkeys(("can", "can't", "cannot", "could", "couldn't"), _can),
    **dict.fromkeys(("would", "'d", "wouldn't"), _would),
    **dict.fromkeys(("will", "'ll", "won't", "gonna"), _will),
    **dict.fromkeys(("do", "don't", "doesn't", "didn't"), _does),
    **dict.fromkeys(_OPINIONS, _holds),
}
"""Check by verb: returns True if the words after the verb make a fact."""


def mine(clause: Clause) -> Reading | None:
    """Read a clause about a thing or person of the speaker: "My sister lives in Porto", "Our office is in
    Basel"."""
    if clause.subject not in w.POSSESSIVES:
        return None
    verb_at = finite_at(clause.words, clause.lead + 2)
    if not verb_at or _listed(clause, verb_at) or clause.content(clause.words) < 2:
        return None
    if clause.content(clause.words[verb_at + 1 :]) < 1:
        return None
    return Reading(text=clause.text, tense=voice.tense_of(clause.words[verb_at], ""))


def _listed(clause: Clause, verb_at: int) -> bool:
    """Return True for a bare list ("my family, exercise and friends"), where a noun only looks like the verb."""
    verb = clause.words[verb_at]
    return verb in w.VERBS and "," in clause.text[: clause.text.lower().find(verb)]


def elided(clause: Clause) -> Reading | None:
    """Read a clause without its "I": "Just got back from Rome"."""
    verb, rest = verb_and_rest(clause.words)
    if clause.words[0] in w.CHATTER or rest[:1] in (["me"], ["us"]) or verb in w.FEELINGS:
        return None
    text = _with_subject(verb, rest, clause)
    return Reading(text=text, certainty="implied") if text and clause.content(rest) >= 1 else None


def _with_subject(verb: str, rest: list[str], clause: Clause) -> str | None:
    """Return the clause with the missing "I" and its auxiliary; None if no "I" was left out."""
    said = small_first(clause.text)
    if verb == "been" and rest[:1] == ["to"] and w.SAID_OF_THE_PAST.search(clause.text):
        return f"I went {clause.text[clause.text.lower().index('to ') :]}"
    if verb == "been":
        return f"I have {said}" if _been_doing(rest) else None
    if verb in w.STARTERS_PAST or (voice.is_past(verb) and len(verb) > 4 and verb not in _NO_STARTERS):
        return (
            f"I {said}" if verb not in ("got", "had") or clause.named() or clause.content(rest) > 1 else None
        )
    if verb in w.STARTERS_ING and clause.opens and not _RULES & set(rest):
        return f"I am {said}"
    return f"I am {said}" if verb == "gonna" and _will(rest, clause) else None


def _been_doing(rest: list[str]) -> bool:
    words = [word for word in rest if not voice.is_adverb(word)]
    doing = bool(words) and (words[0].endswith("ing") or words[0] in ("to", "in", "at", "busy"))
    return doing and _busy_with(words)
