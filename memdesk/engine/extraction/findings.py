"""Input and output records of extraction, plain, so that finders and callers share one vocabulary."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.engine.extraction.discourse import Discourse
from memdesk.model.quotation import quoting


@dataclass(slots=True, kw_only=True)
class Scene:
    """State of one speaker in a conversation.

    agent: the speaker is an agent, so that only reported outcomes count. at_work: a person instructs an
    agent, so that orders and impersonal statements are meant as facts. called: names of the speakers in lower
    case. names: first words, in lower case, of the names in this conversation. discourse: the mentions of the
    conversation. pending: a clause without its complement, and the turn of it."""

    speaker: str
    partner: str | None
    agent: bool
    at_work: bool
    called: frozenset[str]
    names: frozenset[str]
    discourse: Discourse
    pending: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """Single turn of a conversation, or single line of a note.

    speaker: a display name, or "user"/"assistant". role: user, assistant, system or tool. at: UTC
    microseconds."""

    id: str
    speaker: str
    role: str
    text: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEntity:
    """Named thing. type: one of model.entity.ENTITY_TYPES. mentions: utterance ids, in order, each once."""

    name: str
    type: str
    aliases: tuple[str, ...]
    mentions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFact:
    """Claim in the third person that can be understood alone.

    confidence: the chance that the claim is worth keeping, or model.fact.CERTAINTY of its certainty.
    temporal: current, past, future or None. about: entity names, subject first.
    quote: the verbatim span of the utterance's text that supports the claim. replaces:
    the words that a correction takes back, "" if it names none, None if the claim corrects nothing. refines:
    id of the known fact that this claim makes more exact, according to the extractor. valid_from, valid_to: UTC
    microseconds between which the claim is true, if it names them by a relative time. quoted: ids of the turns before
    its own whose words the claim has too. revises: ids of turns and quotes of the claims that this one replaces."""

    claim: str
    category: str
    certainty: str
    confidence: float
    temporal: str | None
    about: tuple[str, ...]
    utterance_id: str
    quote: str
    replaces: str | None = None
    refines: str | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    quoted: tuple[str, ...] = ()
    revises: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCorrection:
    """Phrase that replaces another, if the conversation does not show in which claim: "Porto, not Lisbon"."""

    now: str
    was: str
    utterance_id: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelation:
    """Typed, directed relation between two entities. type: one of model.entity.ENTITY_RELATIONS."""

    source: str
    target: str
    type: str
    utterance_id: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Result of reading one conversation or note: entities by mentions, facts and relations in order of
    utterance.

    corrections: phrases whose corrected claim can only be found in memory. by: name of the model that read
    the text, "" for cues. note: the reason why a model did not answer, for a person to read. unread: ids of the
    utterances that cues read in place of a model. withheld: ids of those that a person asked not to keep."""

    entities: tuple[FoundEntity, ...] = ()
    facts: tuple[FoundFact, ...] = ()
    relations: tuple[FoundRelation, ...] = ()
    corrections: tuple[FoundCorrection, ...] = ()
    by: str = ""
    note: str = ""
    unread: tuple[str, ...] = ()
    withheld: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words of a turn that a claim quotes, with their speaker."""

    turn_id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Words of several turns that make a claim together, the last ones answer; in the language zh, ja or en.

    gap: place of the words before which turns were left out, 0 if none were."""

    tongue: str
    words: tuple[Words, ...]
    gap: int = 0

    @property
    def claim(self) -> str:
        """Return the claim that quotes these words."""
        *before, last = self.words
        return quoting(
            self.tongue,
            last.text,
            speaker=last.speaker,
            before=[(each.speaker, each.text) for each in before],
            gap=self.gap,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Claim before it becomes a FoundFact: start and end are offsets of its quote in the utterance's text.

    replaces: as in FoundFact. phrase: the claim is only a phrase, to be put in the place of `replaces`. confidence: the
    chance that the claim is worth keeping, None for that of its certainty. worded: of a quotation the claims that rules
    made of its words. exchange: the words that it quotes, None for a claim that quotes nothing. revises: as in
    FoundFact."""

    claim: str
    category: str
    certainty: str
    temporal: str | None
    start: int
    end: int
    replaces: str | None = None
    phrase: bool = False
    confidence: float | None = None
    worded: tuple[Draft, ...] = ()
    exchange: Exchange | None = None
    revises: tuple[tuple[str, str], ...] = ()
