"""Memory of a conversation while it is read: people, things and places just mentioned, for the pronouns after them.

A pronoun is replaced only if one antecedent fits; otherwise its clause makes no claim."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.english_words import alternatives
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import pattern, word_set, words

_RECENT = 4
"""Turns after which a person or thing mentioned is no antecedent any more."""
_HE, _SHE, _IT, _THEY = (
    word_set("he him his himself"),
    word_set("she her hers herself"),
    word_set("it its"),
    word_set("they them their theirs"),
)
_POSSESSIVE = word_set("his its their hers theirs")
_CONTRACTED = re.compile(r"(he|she|it|they|that|there|this)('s|'re|'ll|'d|'ve)$")
_LONG = {"'re": "are", "'ll": "will", "'ve": "have"}
_AGES = (
    r"(?:(?:older|younger|little|big|elder|eldest|youngest|oldest|late|ex|twin|baby|half|best"
    r"|new|old|former|other)[ -])*"
)
_PLURAL_KIN = words("english", "plural_kin")
_SINGLE = alternatives(w.KIN | (w.PETS - {"guinea"}) | {"guinea pig"})
_KIN = re.compile(
    rf"\b(?P<whose>[Mm]y|[Oo]ur|[Yy]our|(?P<other>[A-Z][a-z]+)'s) (?P<kin>{_AGES}(?:{_SINGLE}"
    rf"|{alternatives(_PLURAL_KIN)}|\w+-(?:year|month|week)-old))\b(?:,? (?P<name>[A-Z][a-z]+)\b)?"
)
_THE_KIN = re.compile(
    rf"\b[Tt]he (?P<more>(?:\d|two|three|four|older|younger|little|other) )*(?P<kin>"
    rf"{alternatives(_PLURAL_KIN | w.PETS | {'baby', 'husband', 'wife'})})\b(?! of\b)"
)
_PET = re.compile(
    rf"\b(?:an?|another) (?:[a-z]+ ){{0,2}}?(?P<pet>{alternatives(w.PETS - {'guinea', 'fish', 'pet'})})\b",
    re.IGNORECASE,
)
_THING = pattern("discourse", "thing", flags=0)
_INSTITUTIONS = words("english", "institutions")
_PLACE = re.compile(
    rf"\b(?:at|in|to|from|near|visit(?:ed|ing)?|left|joined) (?P<place>(?:(?:the|a|an|my"
    rf"|our) )?(?:[\w'-]+ ){{0,3}}?(?:{alternatives(_INSTITUTIONS)}))\b|\b(?:in|to|from"
    rf"|visit(?:ed|ing)?|near) (?P<named>[A-Z][a-zA-Zé-]+(?: [A-Z][a-z]+)?)"
)
_FELT = re.compile(r"\b(?:hates?|loves?|likes?|enjoys?|prefers?) (?P<what>[a-z][\w-]+)(?=[.,;!?]|$)")
_GENDERED = {
    **dict.fromkeys(("girl", "woman", "lady", "actress", "waitress", "queen"), "she"),
    **dict.fromkeys(("boy", "man", "guy", "gentleman", "waiter", "king"), "he"),
}
_STRANGERS = alternatives(
    frozenset(_GENDERED)
    | word_set(
        "person friend colleague coworker teacher doctor neighbor neighbour kid child student client stranger"
    )
)
_STRANGER = re.compile(
    rf"\b(?:an?|this|that|another|some"
    rf"|one) (?:[a-z]+ ){{0,2}}?(?P<who>{_STRANGERS})\b(?!,? (?-i:[A-Z]))",
    re.IGNORECASE,
)
"""Person mentioned without a name: a pronoun after it means nobody that a claim could name."""
_PLAIN_SUBJECT = re.compile(
    r" (?:costs?|starts?|started|begins?|began|opens?|closes?|leaves|arrives|weighs|lasts?"
    r"|runs|lives|belongs|(?:is|was|'s) (?:in|at|on|near|from|by|called|named|about|due|made"
    r"|written|located|based)|has (?:an?|two|three|four|\d+) )\b"
)
_PLAIN_VERB = pattern("discourse", "plain_verb")
_FELT_VERB = re.compile(r"\b(?:loves?|hates?|likes?|enjoys?|prefers?) $", re.IGNORECASE)
_TIME = pattern("discourse", "time")
_NO_THING = (
    _INSTITUTIONS
    | w.VAGUE
    | w.FUNCTION
    | w.FEELINGS
    | _PLURAL_KIN
    | w.KIN
    | words("english", "abstract")
    | words("english", "calendar")
)


_ASSISTED = pattern("discourse", "assisted", flags=0)
"""Verbs after which "her" is an object with its own verb: "helping her find"."""
_COORDINATED = re.compile(r"\w[\w ]* (?:and|then) (?:\w+ly )?[a-z]+ $")
"""Words before "it" in a second verb of the clause: "made a cake and shared "."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Person, animal, thing or place mentioned in a turn. pronouns: those that may mean it."""

    label: str
    pronouns: frozenset[str]
    turn: int
    place: bool = False


_EITHER = frozenset(("he", "she"))
_LINKED = pattern("discourse", "linked", flags=0)


def acquaintances(texts: Iterable[str]) -> frozenset[str]:
    """Return the names that the texts link to a speaker, or ask about: "my sister Ann", "Ben and I", "How is Nell?"."""
    return frozenset(
        name.lower() for text in texts for match in _LINKED.finditer(text) for name in match.groups() if name
    )


@dataclass(frozen=True, slots=True)
class Question:
    """Last question of a turn. asker: its speaker; text: its wording without interjections."""

    asker: str
    text: str


@dataclass(slots=True, kw_only=True)
class Discourse:
    """Mentions of a conversation, newest last, and the question that the next turn may answer.

    people: names of people in the conversation, without its speakers. acquaintances: names, in lower case, that a
    speaker links to themself."""

    people: frozenset[str]
    acquaintances: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    turn: int = 0
    question: Question | None = None
    time: str = ""
    timed: int = 0
    mentions: list[Mention] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)

    def note(self, text: str, speaker: str, partner: str | None, *, things: bool = True) -> None:
        """Add the people, things and places of a sentence by that speaker."""
        times = _TIME.findall(text)
        self.time = _dated(times[-1]) if times else self.time if self.turn - self.timed <= 2 else ""
        self.timed = self.turn if times else self.timed
        found = [
            *self._beings(text, speaker, partner),
            *(self._things(text, speaker, partner) if things else self._places(text, speaker, partner)),
        ]
        for _, mention in sorted(found, key=lambda pair: pair[0]):
            self.add(mention)

    def add(self, mention: Mention) -> None:
        """Make a mention the newest one."""
        self.mentions = [
            old
            for old in self.mentions[-12:]
            if old.label == "" or (old.label, old.place) != (mention.label, mention.place)
        ]
        self.mentions.append(mention)

    def _beings(self, text: str, speaker: str, partner: str | None) -> Iterator[tuple[int, Mention]]:
        named: set[str] = set()
        for match in _KIN.finditer(text):
            owner = self._owner(match, speaker, partner)
            kin = match["kin"]
            head = kin.split()[-1]
            if owner is None:
                continue
            name = match["name"]
            if name and (name in self.people or head in w.KIN | w.PETS):
                named.add(name)
            else:
                name = None
            pronouns = (
                frozenset(("they",))
                if head in _PLURAL_KIN
                else frozenset(("she",))
                if head in w.SHE
                else frozenset(("he",))
                if head in w.HE
                else _EITHER | {"it"}
                if head in w.PETS or head == "pig"
                else _EITHER
            )
            label = name or f"{owner}'s {kin}"
            yield match.start(), self._mention(label, pronouns)
        for match in _STRANGER.finditer(text):
            noun = match["who"].lower()
            yield (
                match.start(),
                Mention("", _EITHER if noun not in _GENDERED else frozenset((_GENDERED[noun],)), self.turn),
            )
        for match in _PET.finditer(text):
            yield match.start(), self._mention(f"{speaker}'s {match['pet'].lower()}", _EITHER | {"it"})
        for match in re.finditer(r"\b[A-Z][\w-]+", text):
            the = re.search(
                r"\b(?:the|The|with|at|for|joined) (?:[A-Z][\w-]+ )*$",
                text[max(0, match.start() - 30) : match.start()],
            )
            thing = the is not None and re.search(r"\b(?:the|The)\b", the.group()) is not None
            if match.group() in self.people and match.group() not in named and not thing:
                yield match.start(), self._mention(match.group(), _EITHER)

    def _owner(self, match: re.Match[str], speaker: str, partner: str | None) -> str | None:
        whose = match["whose"].lower()
        if whose in ("my", "our"):
            return speaker
        return partner if whose == "your" else match["other"]

    def _mention(self, label: str, pronouns: frozenset[str], *, place: bool = False) -> Mention:
        known = self.known.get(label)
        return Mention(label, frozenset((known,)) if known else pronouns, self.turn, place)

    def _places(self, text: str, speaker: str, partner: str | None) -> Iterator[tuple[int, Mention]]:
        for match in _PLACE.finditer(text):
            place = match["place"] or (match["named"] if match["named"] in self.places else None)
            if place and " and " not in place:
                yield (
                    match.start(),
                    self._mention(_definite(place, speaker, partner), frozenset(("there",)), place=True),
                )

    def _things(self, text: str, speaker: str, partner: str | None) -> Iterator[tuple[int, Mention]]:
        yield from self._places(text, speaker, partner)
        for match in _FELT.finditer(text):
            if match["what"].lower() not in _NO_THING:
                yield match.start(), self._mention(match["what"], frozenset(("it",)))
        for match in _THING.finditer(text):
            noun = match["noun"].split()
            last = noun[-1].lower()
            if noun[-1] in self.people:
                continue
            if (
                last in _NO_THING
                or last in w.PETS
                or last.endswith(("ing", "ly", "'s"))
                or last in w.PASTS
                or (last.endswith("ed") and len(noun) > 1)
                or any(x.lower() in w.FUNCTION | w.VERBS | w.KIN for x in noun[:-1])
            ):
                continue
            if last.endswith("s") and not last.endswith("ss"):
                continue
            yield (
                match.start(),
                self._mention(
                    _definite(f"{match['article']} {match['noun']}", speaker, partner), frozenset(("it",))
                ),
            )

    def resolve(self, text: str, speaker: str, *, at_work: bool = False) -> tuple[str, bool] | None:
        """Return (clause with names for its pronouns, True if one was replaced); None if one has no antecedent."""
        text = text if at_work else _THE_KIN.sub(lambda match: self._kin_of(match, speaker), text)
        pieces, at, replaced, used = [], 0, False, set()
        for match in WORD.finditer(text):
            word = match.group().lower()
            short = _CONTRACTED.match(word)
            bare = short.group(1) if short else word
            pronoun = _pronoun(bare)
            if word == "then" and not text[match.end() :].strip(" .!,") and match.start() and self.time:
                pieces += [text[at : match.start()], self.time]
                at, replaced = match.end(), True
                continue
            stated = bare == "there" and (short or _STATED.match(text, match.end()))
            if pronoun is None or stated or self._bound(pronoun, text[: match.start()]):
                continue
            antecedent = self._antecedent(pronoun, speaker, at_work=at_work)
            if antecedent is None or (
                pronoun == "it" and not at_work and not self._is_plain(match, text, antecedent)
            ):
                return None
            if antecedent.label in used:
                continue
            used.add(antecedent.label)
            possessive = bare in _POSSESSIVE or (
                bare == "her"
                and not _ASSISTED.search(text[: match.start()])
                and _before_noun(text[match.end() :])
            )
            name = antecedent.label + ("'s" if possessive else "")
            if pronoun == "there":
                name = (
                    antecedent.label
                    if re.search(r"\b(?:from|near|visit(?:ed|ing)?)\s+$", text[: match.start()])
                    else f"{'in' if antecedent.label in self.places else 'at'} {antecedent.label}"
                )
            if short:
                name = f"{name} {_expanded(short.group(2), text[match.end() :])}"
            if match.start() == 0:
                name = name[:1].upper() + name[1:]
            pieces += [text[at : match.start()], name]
            at, replaced = match.end(), True
            if pronoun in ("he", "she") and len(antecedent.pronouns) > 1:
                self.known[antecedent.label] = pronoun
        return "".join(pieces) + text[at:], replaced

    def _kin_of(self, match: re.Match[str], speaker: str) -> str:
        """Return "my kids" for "the kids" of a speaker who mentioned their kids, and no other speaker did."""
        kin = match["kin"].lower()
        owners = {
            each.label.partition("'s ")[0] for each in self.mentions if each.label.split()[-1:] == [kin]
        }
        return f"my {match['more'] or ''}{match['kin']}" if owners == {speaker} else match.group()

    def meant(self, pronoun: str) -> str | None:
        """Return the label that "he" or "she" of another language represents; None if that is not certain."""
        found = self._antecedent(pronoun, "", at_work=False)
        return found.label if found else None

    def latest_being(self) -> str | None:
        """Return the person or animal mentioned last, if it was in one of the last two turns."""
        beings = [each for each in self.mentions if each.pronouns & _EITHER and self.turn - each.turn <= 1]
        return beings[-1].label if beings else None

    def rename(self, label: str, name: str) -> None:
        """Use the name for a person or animal that was mentioned by kind: "Perpetua's dog" becomes "Biscuit"."""
        self.mentions = [replace(each, label=name) if each.label == label else each for each in self.mentions]

    def _bound(self, pronoun: str, before: str) -> bool:
        """Return True if words earlier in the clause give the pronoun its meaning."""
        small = [m.group().lower() for m in WORD.finditer(before)]
        if pronoun == "there":
            return _AT_PLACE.search(before) is not None
        if pronoun in ("he", "she"):
            return any(word.removesuffix("'s") in w.KIN | w.PETS | _PEOPLE for word in small) or any(
                m.group() in self.people for m in re.finditer(r"[A-Z][\w-]+", before)
            )
        if pronoun == "they":
            return "and" in small or any(_is_plural(word) or word in _PLURAL_KIN for word in small)
        telling = [word for word in small if word not in w.FUNCTION and word not in w.VAGUE]
        if pronoun == "it" and _COORDINATED.search(before):
            return len(telling) > 2
        owned = any(word in w.KIN | w.PETS for word in small)
        return len(telling) > 1 and any(word in _ARTICLES for word in small) and not owned

    def _is_plain(self, match: re.Match[str], text: str, thing: Mention) -> bool:
        """Return True if "it" stands where only a thing can: "it costs", "bought it", "loves it"; not "it was fun"."""
        if match.start() == 0:
            return _PLAIN_SUBJECT.match(text, match.end()) is not None or match.group().lower() == "its"
        return (
            _PLAIN_VERB.search(text, 0, match.start()) is not None
            and self.turn - thing.turn <= 1
            or (
                _FELT_VERB.search(text, 0, match.start()) is not None
                and thing.label.islower()
                and not text[match.end() :].strip(" .!,")
            )
        )

    def _antecedent(self, pronoun: str, speaker: str, *, at_work: bool) -> Mention | None:
        """Return the only recent mention that the pronoun may mean, or the newest if its kind is certain."""
        fitting = [
            each for each in self.mentions if pronoun in each.pronouns and self.turn - each.turn <= _RECENT
        ]
        if not fitting:
            return None
        newest = fitting[-1]
        if pronoun == "it":
            near = [each for each in fitting if self.turn - each.turn <= 1]
            return near[0] if len(near) == 1 else None
        if pronoun == "they":
            own = newest.label.startswith(speaker) and self.turn - newest.turn <= 2
            return newest if own else None
        if pronoun == "there":
            return newest if self.turn - newest.turn <= 2 else None
        if not newest.label:
            return None
        rivals = [each for each in fitting if each.turn >= newest.turn - 1 and each.label != newest.label]
        certain = len(newest.pronouns) == 1
        return None if rivals and (not certain or any(len(each.pronouns) == 1 for each in rivals)) else newest


def _dated(words: str) -> str:
    return (
        f"on {words}"
        if words.lower().endswith("day") and not words.lower().startswith(("on ", "tod"))
        else words
    )


_ARTICLES = word_set("a an the my our this that")
_PEOPLE = words("english", "person_nouns")
_STATED = re.compile(
    r" (?:(?:also|still|just|only|really) )?(?:is|are|was|were|will be|has been|have been|'s)\b"
)
"""Verb after a "there" that means no place: "there are two of us"."""
_AT_PLACE = re.compile(r"\b(?:in|at|to|from|near|visit(?:ed|ing)?) (?:the )?[A-Z]")


def _pronoun(word: str) -> str | None:
    if word in _HE:
        return "he"
    if word in _SHE:
        return "she"
    if word in _IT:
        return "it"
    if word in _THEY:
        return "they"
    return "there" if word == "there" else None


def _is_plural(word: str) -> bool:
    return word in _CROWDS or (
        len(word) > 3
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is", "'s"))
        and word not in w.FUNCTION
        and word not in w.VAGUE
    )


_CROWDS = word_set("people kids children friends guys folks team family staff women men")


def _before_noun(rest: str) -> bool:
    following = WORD.search(rest)
    return (
        following is not None
        and following.start() <= 1
        and following.group().lower() not in w.FUNCTION - w.NEGATIVE
    )


def _expanded(short: str, rest: str) -> str:
    if short in _LONG:
        return _LONG[short]
    following = next(
        (m.group().lower() for m in WORD.finditer(rest) if m.group().lower() not in w.ADVERBS), ""
    )
    if short == "'d":
        return "had" if following in w.PARTICIPLES or following.endswith("ed") else "would"
    return (
        "has" if following in ("got", "been", "had", "become", "started", "moved", "taken", "grown") else "is"
    )


def _definite(phrase: str, speaker: str, partner: str | None) -> str:
    first, _, rest = phrase.partition(" ")
    small = first.lower()
    if small in ("a", "an", "the", "that") and rest:
        return f"the {rest}"
    if small == "your" and rest and partner:
        return f"{partner}'s {rest}"
    return f"{speaker}'s {rest}" if small in ("my", "our") and rest else phrase
