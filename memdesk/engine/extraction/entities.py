"""Cast of a conversation: names found in it, merged into entities with their types, other names and mentions; and the
relations between them, read from finished claims by the words between two names.

Claims are already in the third person, so "Caroline works at Siemens" gives its relation without knowing the
speaker. Two names in one claim are RELATED_TO each other only if the claim is about the first of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from memdesk.engine.extraction import english_words, gazetteer
from memdesk.engine.extraction.findings import Draft, FoundEntity, FoundFact, FoundRelation, Utterance
from memdesk.engine.extraction.language import WORD, Sentence
from memdesk.engine.extraction.lexicon import pattern
from memdesk.engine.extraction.names import NOT_NAMES, Sighting, Sightings

_LONGEST_NAME = 6
_ENDINGS = gazetteer.PLACE_ENDINGS | gazetteer.ORGANIZATION_ENDINGS | gazetteer.EVENT_ENDINGS
_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(slots=True, kw_only=True)
class Member:
    """Entity under construction. spellings counts each written form; mentions keeps the order of utterances."""

    name: str
    votes: Counter[str] = field(default_factory=Counter)
    spellings: Counter[str] = field(default_factory=Counter)
    mentions: dict[str, None] = field(default_factory=dict)
    fixed: bool = False

    @property
    def type(self) -> str:
        best = max(self.votes, key=lambda t: self.votes[t], default="Entity")
        return best if self.votes[best] > 0 else "Entity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Position of an entity's name in a text."""

    start: int
    end: int
    name: str


class Cast:
    """Entities of one conversation, which can be found in any text by any of their names."""

    def __init__(self) -> None:
        self._members: dict[str, Member] = {}
        self._names: dict[str, str] = {}
        self._han: dict[str, list[str]] = {}

    def add(self, name: str, type: str, *, weight: float = 1.0, fixed: bool = False) -> Member:
        """Return the member of that name, created if new, with one more vote for its type."""
        key = self._names.get(_key(name), _key(name))
        member = self._members.get(key)
        if member is None:
            member = self._members[key] = Member(name=name)
            self.alias(name, name)
        member.votes[type] += weight  # type: ignore[assignment]
        member.fixed = member.fixed or fixed
        return member

    def alias(self, other: str, name: str) -> None:
        """Add `other` as a name of the member called `name`. A spelling stays with its first owner."""
        key = self._names.get(_key(name), _key(name))
        small = _key(other)
        if small in self._names or key not in self._members:
            return
        self._names[small] = key
        self._members[key].spellings[other] += 1
        if _HAN.search(other):
            self._han.setdefault(other[0], []).append(other)
            self._han[other[0]].sort(key=len, reverse=True)

    def get(self, name: str) -> Member | None:
        """Return the member with this name, in any spelling; None if there is none."""
        return self._members.get(self._names.get(_key(name), ""))

    def mention(self, name: str, utterance_id: str) -> None:
        """Record that an utterance mentions a member."""
        member = self.get(name)
        if member is not None:
            member.mentions[utterance_id] = None

    def type_of(self, name: str) -> str:
        """Return the type of a member; Entity for an unknown name."""
        member = self.get(name)
        return member.type if member else "Entity"

    def find(self, text: str) -> list[Span]:
        """Return the positions at which the text names members, in order; at each place the longest name
        wins."""
        spans = [*self._latin(text), *self._chinese(text)]
        return sorted(spans, key=lambda span: span.start)

    def _latin(self, text: str) -> Iterator[Span]:
        tokens = list(WORD.finditer(text))
        small = [_bare(m.group()).lower() for m in tokens]
        at = 0
        while at < len(tokens):
            size = self._match(small, at)
            if size:
                start, last = tokens[at].start(), tokens[at + size - 1]
                member = self._members[self._names[" ".join(small[at : at + size])]]
                if size > 1 or not _needs_capital(member) or not text[start].islower():
                    yield Span(start=start, end=last.start() + len(_bare(last.group())), name=member.name)
            at += size or 1

    def _match(self, small: list[str], at: int) -> int:
        for size in range(min(_LONGEST_NAME, len(small) - at), 0, -1):
            if " ".join(small[at : at + size]) in self._names:
                return size
        return 0

    def _chinese(self, text: str) -> Iterator[Span]:
        at = 0
        while self._han and at < len(text):
            hit = next((n for n in self._han.get(text[at], ()) if text.startswith(n, at)), None)
            if hit:
                yield Span(start=at, end=at + len(hit), name=self._members[self._names[_key(hit)]].name)
            at += len(hit) if hit else 1

    def merge(self, one: str, into: str) -> None:
        """Merge the member called `one` into the member called `into`, which gets its names and mentions."""
        gone, kept = self._names.get(_key(one)), self._names.get(_key(into))
        if gone is None or kept is None or gone == kept:
            return
        loser, winner = self._members.pop(gone), self._members[kept]
        winner.votes.update(loser.votes)
        winner.spellings.update(loser.spellings)
        winner.mentions.update(loser.mentions)
        self._names.update({name: kept for name, key in self._names.items() if key == gone})

    def members(self) -> Iterable[Member]:
        """Return all members, in order of arrival."""
        return self._members.values()

    def entities(self, order: dict[str, int]) -> tuple[FoundEntity, ...]:
        """Return the finished entities that have mentions, most mentioned first; order ranks utterance ids."""
        found = [
            FoundEntity(
                name=member.name,
                type=member.type,
                aliases=tuple(s for s in member.spellings if s.lower() != member.name.lower()),
                mentions=tuple(sorted(member.mentions, key=lambda u: order.get(u, 0))),
            )
            for member in self._members.values()
            if member.mentions
        ]
        return tuple(sorted(found, key=lambda e: (-len(e.mentions), e.name)))


def _needs_capital(member: Member) -> bool:
    """Return True for names that are common words in lower case: Will, Mark, Reading."""
    return member.name[:1].isupper() and member.type not in ("Technology", "Product", "Concept")


def _key(name: str) -> str:
    """Return the lookup form of a name: lower case, one space between words, no possessive s."""
    words = [_bare(m.group()).lower() for m in WORD.finditer(name)]
    return " ".join(words) if words and not _HAN.search(name) else name.lower()


def _bare(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "'S")) else word


def add_names(cast: Cast, sightings: Sightings) -> None:
    """Decide which sightings are names and add them to the cast, which already contains the speakers."""
    accepted = [s for s in (_accepted(s, sightings, cast) for s in sightings.seen) if s is not None]
    for sighting in sorted(accepted, key=lambda s: not s.trusted):
        name = sighting.known.name if sighting.known else " ".join(sighting.words)
        if not sighting.trusted and cast.get(name) is None:
            continue
        member = cast.add(name, "Entity", weight=0)
        for type, weight in sighting.votes.items():
            member.votes[type] += weight  # type: ignore[assignment]
        if sighting.known:
            cast.alias(" ".join(sighting.words), name)
        cast.mention(name, sighting.utterance_id)
    _merge_names(cast)


def _accepted(sighting: Sighting, sightings: Sightings, cast: Cast) -> Sighting | None:
    """Return the sighting without the words that are not part of a name; None if none is left."""
    if sighting.known or sighting.quoted:
        return sighting
    words = sighting.words
    if sighting.first and not _confirmed(words[0], sightings, cast):
        words = words[1:]
    while words and words[0].lower() in NOT_NAMES:
        words = words[1:]
    while words and words[-1].lower() in NOT_NAMES:
        words = words[:-1]
    if not words or len(words) > _LONGEST_NAME or not _named(words, sightings, cast):
        return None
    sighting.words = words
    return sighting


def _confirmed(word: str, sightings: Sightings, cast: Cast) -> bool:
    small = word.lower()
    if small in NOT_NAMES:
        return False
    return (
        sightings.is_name(small)
        or cast.get(word) is not None
        or (small in english_words.GIVEN and not sightings.small[small])
    )


def _named(words: tuple[str, ...], sightings: Sightings, cast: Cast) -> bool:
    """Return True if the words make a name: several with capitals, or one that the conversation never writes
    in lower case."""
    if len(words) > 1:
        return any(sightings.small[word.lower()] == 0 for word in words)
    word = words[0]
    if word.isupper() and len(word) > 2 and sightings.capital[word.lower()] < 2:
        return False
    if len(word) < 2 or word[0].isdigit() or "&" in word or word in _ENDINGS:
        return False
    return _confirmed(word, sightings, cast)


def _merge_names(cast: Cast) -> None:
    """Merge short forms into long ones: Mel into Melanie, Ana into Ana Silva, NYC into New York City."""
    members = list(cast.members())
    longer: dict[str, list[Member]] = {}
    for member in members:
        words = member.name.split()
        if len(words) > 1:
            longer.setdefault("".join(word[0] for word in words), []).append(member)
            if member.type in ("Person", "Entity"):
                longer.setdefault(words[-1], []).append(member)
            if member.type == "Person":
                longer.setdefault(words[0], []).append(member)
    speaking = [member for member in members if member.fixed]
    for member in members:
        fuller = [*_spoken_fuller(member, speaking), *longer.get(member.name, ())]
        if len(fuller) == 1 and not member.fixed and _types_compatible(member, fuller[0]):
            cast.merge(member.name, fuller[0].name)


def _spoken_fuller(member: Member, speaking: list[Member]) -> Iterator[Member]:
    """Yield the speakers of whose name a short name may be an abbreviation: Melanie for Mel."""
    small = member.name.lower()
    for speaker in speaking:
        missing = len(speaker.name) - len(small)
        if (
            len(small) >= 3
            and " " not in small
            and 0 < missing <= 6
            and speaker.name.lower().startswith(small)
        ):
            yield speaker


def _types_compatible(member: Member, fuller: Member) -> bool:
    """Return True unless the types show that the two names are different entities."""
    return member.name.isupper() or fuller.fixed or member.type in ("Person", "Entity")


def add_speakers(cast: Cast, speaking: Iterable[tuple[Utterance, str]]) -> None:
    """Add every speaker to the cast: each utterance comes with its speaker's display name."""
    for utterance, name in speaking:
        if cast.get(name) is None:
            cast.add(name, "Agent" if utterance.role == "assistant" else "Person", weight=50, fixed=True)


_AGES = (
    r"(?:(?:older|younger|little|big|elder|eldest|youngest|oldest|late|ex|twin|baby|half|best"
    r"|new|old|former)[ -])*"
)
_BEINGS = "guinea pig|" + english_words.alternatives(english_words.KIN | english_words.PETS - {"guinea"})
_NAME = r"([A-Z][a-z]+(?: [A-Z][a-z]+)?)"
_MINE_NAMED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) ({_AGES}(?:{_BEINGS}))(?:,| is| named| called|,? whose name is"
    rf"|'s name is)? {_NAME}\b"
)
_NAMED_MINE = re.compile(rf"\b{_NAME}(?:,| is) my ({_AGES}(?:{_BEINGS}))\b")
_HAVE_NAMED = re.compile(rf"\b(?:an?|another|our) ({_AGES}(?:{_BEINGS})),? (?:named|called) {_NAME}\b")
_JOIN = re.compile(
    r"(?:,? (?:is|was|named|called|whose name is)|'s name is|,)? |的?(?:名字)?(?:名叫|叫做|叫|是|，)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """Person or animal related to an owner. name: the entity, "Ana" or, unnamed, "Caroline's sister". pet: an
    animal."""

    owner: str
    name: str
    pet: bool


def introductions(sentence: Sentence, speaker: str) -> Iterator[Draft]:
    """Yield claims that name a relative of the speaker: "Caroline's sister is Ana"."""
    text = sentence.text
    small = f" {text.lower()}"
    if " my " not in small and " our " not in small and "named" not in text and "called" not in text:
        return
    for match in _MINE_NAMED.finditer(text):
        yield from _introduced(sentence, match, match.group(1), match.group(2), speaker)
    for match in _NAMED_MINE.finditer(text):
        yield from _introduced(sentence, match, match.group(2), match.group(1), speaker)
    for match in _HAVE_NAMED.finditer(text):
        if match.group(2).lower() not in NOT_NAMES:
            yield _draft(sentence, match, f"{speaker} has a {match.group(1)} named {match.group(2)}")


def _introduced(
    sentence: Sentence, match: re.Match[str], kin: str, name: str, speaker: str
) -> Iterator[Draft]:
    first = name.split()[0]
    if first.lower() not in NOT_NAMES and first != speaker:
        yield _draft(
            sentence,
            match,
            f"{speaker}'s {kin} is {name if name.split()[-1].lower() not in NOT_NAMES else first}",
        )


def _draft(sentence: Sentence, match: re.Match[str], claim: str) -> Draft:
    start = sentence.start + match.start()
    end = sentence.start + match.end()
    return Draft(claim=claim, category="fact", certainty="explicit", temporal="current", start=start, end=end)


@lru_cache(maxsize=256)
def _patterns(speaker: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    owner = re.escape(speaker)
    english = rf"(?:\b{owner}'s|\b(their)) ({_AGES})({_BEINGS})\b"
    kin = english_words.alternatives(english_words.CHINESE_KIN | english_words.CHINESE_PETS)
    chinese = rf"{owner} ?的(?:大|小|二)?({kin})"
    return re.compile(english), re.compile(chinese)


def kin(claim: str, speaker: str, spans: list[Span], cast: Cast) -> Iterator[Kin]:
    """Yield the speaker's relatives that a claim mentions, and add them to the cast. spans: entity names in
    the claim."""
    english, chinese = _patterns(speaker)
    for match in english.finditer(claim):
        if not match.group(1) or claim.startswith(speaker):
            yield from _kin(match, match.group(3), match.group(2), speaker, claim, spans, cast)
    for match in chinese.finditer(claim):
        yield from _kin(match, match.group(1), "", speaker, claim, spans, cast)


def _kin(
    match: re.Match[str], being: str, age: str, speaker: str, claim: str, spans: list[Span], cast: Cast
) -> Iterator[Kin]:
    pet = being in english_words.PETS or being in english_words.CHINESE_PETS or being == "guinea pig"
    many = pet or being in english_words.GROUP or being in english_words.CHINESE_GROUP
    joined = _JOIN.match(claim, match.end())
    at = joined.end() if joined else match.end()
    span = next(
        (s for s in spans if s.start in (at, match.end()) and cast.type_of(s.name) in ("Person", "Entity")),
        None,
    )
    label = f"{speaker}'s {age}{being}" if being.isascii() else match.group()
    if span and span.name != speaker:
        cast.add(span.name, "Entity" if pet else "Person", weight=9)
        if not many:
            cast.alias(label, span.name)
        yield Kin(owner=speaker, name=span.name, pet=pet)
    elif not many:
        member = cast.get(label) or cast.add(label, "Person", weight=9)
        yield Kin(owner=speaker, name=member.name, pet=False)


_TYPES = ("WORKS_FOR", "CREATOR_OF", "CREATED_BY", "PART_OF", "LOCATED_IN", "KNOWS", "REFERENCES")
_CUES = tuple(
    (type, pattern("relations", f"{type.lower()}{chinese}"))
    for chinese in ("", "_chinese")
    for type in _TYPES
)
"""Type of a relation and the words between its two names; CREATOR_OF is CREATED_BY in the other direction."""

_TARGETS = {
    "CREATOR_OF": ("Product", "Technology", "Organization", "Event", "Entity"),
    "WORKS_FOR": ("Organization", "Entity", "Product"),
    "LOCATED_IN": ("Location",),
    "KNOWS": ("Person", "Agent"),
    "REFERENCES": ("Technology", "Product", "Entity", "Organization"),
}
_SOURCES = {
    "WORKS_FOR": ("Person",),
    "KNOWS": ("Person", "Agent"),
    "CREATOR_OF": ("Person", "Agent", "Organization"),
}
_OVER = re.compile(
    r"\b(?:no longer|(?:does|do|is)n't|stopped|quit|left|lost|former|formerly|used to|fired|resigned"
    r"|before|until|previously)\b|不再|不在|离职|辞职|以前|之前",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:moved|born|grew up|relocated|settled|joined)\b|搬|出生|长大|老家", re.IGNORECASE)
_GOES_ON = re.compile(
    r" (?!(?:for|in|with|and|last|at|on|by|as|to|when|while|since|this|next|together)\b)[a-z]"
)
_AT_WORK = re.compile("[^，。]{0,8}(?:工作|上班|实习|任职|当|做|担任|负责)")
_AT_HOME = re.compile("[^，。]{0,8}(?:住|生活|定居|长大|出生|工作|上班|上学|读)")
_PLACED = ("WORKS_FOR", "LOCATED_IN")


def relations(fact: FoundFact, spans: list[Span], cast: Cast, speaker: str) -> Iterator[FoundRelation]:
    """Yield the relations in one fact. spans: entity names in its claim, in order. speaker: the author of the
    claim."""
    if len(spans) < 2:
        return
    subject = spans[0]
    opens = subject.name == speaker or fact.claim[: subject.start].strip(" ,").lower() in (
        "",
        "the",
        "a",
        "an",
        "one of the",
    )
    bound = set()
    for other in spans[1:]:
        if other.name == subject.name or other.name in bound:
            continue
        bound.add(other.name)
        typed = _typed(fact, subject, other, cast)
        if typed:
            yield typed
        elif opens:
            yield _relation(fact, subject.name, other.name, "RELATED_TO", min(fact.confidence, 0.70))


def _typed(fact: FoundFact, subject: Span, other: Span, cast: Cast) -> FoundRelation | None:
    between = fact.claim[subject.end : other.start]
    if len(between) > 90 or "，" in between:
        return None
    after = fact.claim[other.end :]
    for type, cue in _CUES:
        fits = cue.search(between) and _fits(type, cast.type_of(subject.name), cast.type_of(other.name))
        if fits and _is_valid(type, fact, between, after, cast.type_of(subject.name)):
            if type == "CREATOR_OF":
                return _relation(fact, other.name, subject.name, "CREATED_BY", fact.confidence)
            return _relation(fact, subject.name, other.name, type, fact.confidence)
    return None


def _fits(type: str, source: str, target: str) -> bool:
    """Return True if both ends have types the relation can join: a person works for an organisation, lives in
    a place."""
    return source in _SOURCES.get(type, (source,)) and target in _TARGETS.get(type, (target,))


def _is_valid(type: str, fact: FoundFact, between: str, after: str, subject: str) -> bool:
    """Return False for a relation that has ended or not begun, and for a thing that is only named after the
    other entity."""
    if type in ("CREATOR_OF", "PART_OF"):
        return not _GOES_ON.match(after)
    if type not in _PLACED:
        return True
    if fact.temporal == "future" or _OVER.search(between):
        return False
    if fact.temporal == "past" and not _LASTING.search(between):
        return False
    if subject != "Person" or "在" not in between[-10:] or between.endswith("住在"):
        return True
    return (_AT_WORK if type == "WORKS_FOR" else _AT_HOME).match(after) is not None


def _relation(fact: FoundFact, source: str, target: str, type: str, confidence: float) -> FoundRelation:
    return FoundRelation(
        source=source, target=target, type=type, utterance_id=fact.utterance_id, confidence=confidence
    )
