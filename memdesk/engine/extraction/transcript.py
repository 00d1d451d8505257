"""Turns of a conversation, cut into sentences of known languages, each with the turns around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from memdesk.engine.extraction.findings import Utterance
from memdesk.engine.extraction.language import Sentence, parts, plain, sentences
from memdesk.engine.extraction.lexicon import pattern

READ_CHARACTERS = 60_000
"""Characters read of one utterance: the text after them is a pasted file, not speech."""
SENTENCES_WEIGHED, SENTENCE_CHARACTERS = 60, 1_000
"""Sentences of a turn that may be quoted or revised, the first ones, and characters of one: a longer turn is a
document, and a longer sentence is data without punctuation, of which no claims are read."""
EARLIER_TURNS, LONGEST_PAUSE = 12, 12 * 3_600 * 1_000_000
"""Turns before one that may give it its meaning; microseconds after which it begins a new subject."""
HEARD_TURNS = 30
"""Turns back that a turn may still refer to."""
NAMELESS = ("user", "human", "")
"""Speakers in lower case that are no names."""
LONGEST_REQUEST = 300
"""Letters of a sentence that may ask an agent not to keep something."""
_NOT_KEPT, _NOT_KEPT_ALONE, _ALONE, _PRIVATE, _REPORTED = (
    pattern("transcript", name) for name in ("not_kept", "not_kept_alone", "alone", "private", "reported")
)
_SPEAKING = ("user", "assistant")
_SMALL_I = re.compile(r"(?<![\w.'-])i(?=(?:'(?:m|ve|d|ll))?(?:[ ,.!?]|$)(?!\.))")
"""Pronoun written small: "i really like it"."""


@dataclass(slots=True, kw_only=True)
class ReadTurn:
    """Utterance with its speaker's name, its sentences and their languages, and the turns before and after it."""

    utterance: Utterance
    speaker: str
    before: ReadTurn | None = None
    after: ReadTurn | None = None
    sentences: list[tuple[str, Sentence]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the text that is read."""
        return self.utterance.text[:READ_CHARACTERS]

    @property
    def is_of_person(self) -> bool:
        """Return True if a person says it."""
        return self.utterance.role == "user"

    def earlier(self) -> Iterator[ReadTurn]:
        """Yield the turns before this one that may give it its meaning, the last one first."""
        one = self
        for _ in range(EARLIER_TURNS):
            if one.before is None or one.utterance.at - one.before.utterance.at > LONGEST_PAUSE:
                return
            one = one.before
            yield one


def withheld(utterances: Sequence[Utterance]) -> frozenset[str]:
    """Return the ids of the turns that a person asks an agent not to keep ("that's personal, don't note it down"): the
    one that asks, and those from what this person said last on."""
    if not any(each.role == "assistant" for each in utterances):
        return frozenset()
    found = set[str]()
    for at, one in enumerate(utterances):
        if one.role == "user" and _asks_not_to_keep(one.text):
            found.update(each.id for each in utterances[_said_last(utterances, at) : at + 1])
    return frozenset(found)


def _said_last(utterances: Sequence[Utterance], at: int) -> int:
    """Return the place of the last turn of the same speaker before one in the same talk; its own if there is none."""
    for n in range(at - 1, max(-1, at - 1 - EARLIER_TURNS), -1):
        if utterances[n + 1].at - utterances[n].at > LONGEST_PAUSE:
            break
        if utterances[n].role == "user" and utterances[n].speaker == utterances[at].speaker:
            return n
    return at


def _asks_not_to_keep(text: str) -> bool:
    """Return True for a turn with a sentence that asks an agent not to keep a thing."""
    before = ""
    for each in sentences(plain(text[:READ_CHARACTERS])):
        if len(each.text) <= LONGEST_REQUEST:
            private = _PRIVATE.search(each.text) or _PRIVATE.search(before)
            open_to_doubt = _NOT_KEPT_ALONE if private or _ALONE.search(each.text) else None
            found = _NOT_KEPT.search(each.text) or (open_to_doubt and open_to_doubt.search(each.text))
            if found and not _REPORTED.search(each.text, 0, found.start()):
                return True
        before = each.text[-LONGEST_REQUEST:]
    return False


def transcript(utterances: Sequence[Utterance], user_name: str) -> list[ReadTurn]:
    """Return what people and agents say, in order. user_name: the name of the speaker "user"."""
    found = [read_turn(each, user_name) for each in utterances if each.role in _SPEAKING]
    for one, other in pairwise(found):
        one.after, other.before = other, one
    return found


def read_turn(utterance: Utterance, user_name: str) -> ReadTurn:
    """Return an utterance cut into its sentences, without the turns around it."""
    text = _SMALL_I.sub("I", plain(utterance.text[:READ_CHARACTERS]))
    return ReadTurn(
        utterance=utterance,
        speaker=_display(utterance, user_name),
        sentences=[part for each in sentences(text) for part in parts(each)],
    )


def _display(utterance: Utterance, user_name: str) -> str:
    name = " ".join(utterance.speaker.split())
    if name.lower() in NAMELESS and utterance.role == "user":
        return user_name
    return "Assistant" if name.lower() in ("assistant", "ai", "model", "") else name
