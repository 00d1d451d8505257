"""Reading of claims by rule: subject, predicate and values of each clause, its denial, its time, and what it ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any

from memdesk.engine.beliefs.lexicon import Lexicon, Scale, language_of, lexicon, shared, unaccented
from memdesk.engine.beliefs.words import (
    LESS,
    MARK,
    REMEMBERED,
    TOKEN,
    cut_words,
    is_unreal,
    moods,
    normal,
    normalised,
    unowned,
)
from memdesk.store.beliefs import Reader
from memdesk.store.run_context import give_way

READER = "8"
"""Name of these rules and tables; facts are read again on every desk when it changes."""
LONGEST = 400
"""Characters of a claim that are read; a longer text has no single subject and slot."""
_RESOLVED = re.compile(
    r"\b((?:since|as of|starting|from) [\w ]{3,30}?) \([^()]*\b(?:19|20)\d\d\)|(?<=今年)\((?:19|20)\d\d\)",
    re.IGNORECASE,
)
"""Beginning with the date that was worked out for it: "since June (2026)", and this year's number."""
NOW, NOT, GONE = "§now", "§not", "§gone"
_END = "§end"
_SENTENCE = re.compile(r"(\S+)([.!?])\s+(?=[A-ZÄÖÜÁÉÍÓÚ¿¡])")
_ABBREVIATED = shared("titles") | shared("abbreviations")
SELF = "§self"
"""Subject of a claim about whoever says it."""
_LABEL_WORDS = 5
_UNSPACED_LABEL = re.compile(r"^([\u3040-\u30ff\u3400-\u9fff]{1,8})[:：]\s*(?=.)")
_COPULA = {"en": "is", "de": "ist", "es": "es", "fr": "est"}
_PERIODS = (f"{MARK}month", f"{MARK}year")
DATES = (*_PERIODS, f"{MARK}date")
YEAR = re.compile(rf"{MARK}num::(?:19|20)\d\d")
_WITHIN = shared("within")
_ARTICLES = shared("articles")
_PERSONS = shared("pronouns")
_COPULAS = shared("copulas")
ONLY = shared("only")
"""Words that make a claim say more: "only Ann has the key" is not "Ann has the key"."""
_DETERMINERS = shared("determiners")
_PREPOSITIONS = shared("prepositions")
_CLAUSE = {
    True: re.compile(
        r"\s*[;:]\s+|,? (?:but|aber|sondern|pero|sino|mais) "
        r"|,\s+(?:and |und |y |she |he |it |they |er |sie )?(?=(?:\w+ ){0,3}§now)"
        r"|,? (?:and|und|y) (?=(?:is|are|was|were|has|have|now|then|open|closed|not|never|ist|hat|jetzt|ahora|es|está"
        r"|§now|\w+s §now)\b|§now|\w+s \w+(?: \w+){0,3}$)"
        r"|,\s+(?=(?:\S+ ){1,4}(?:not|§not|nicht)\s*$)"
    ),
    False: re.compile("[，,；;。、]\\s*"),
}
"""Ends of clauses, in languages with spaces and in those without."""
_COORDINATED = re.compile(
    r"\b[A-ZÀ-Þ][\w-]*(?:, [A-ZÀ-Þ][\w-]*)*,? (?:and|und|y|et) [A-ZÀ-Þ][\w-]*\b(?!'| [A-ZÀ-Þ])"
)
"""Names that a word of joining coordinates, as in "Ann, Bo and Cy"."""
_CAPITAL = re.compile(r"(?<=[\w,:] )[A-Z](?:[\w'-]|\.(?=\w))*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """Meaningful word of a clause in normal form. after: the word before it in the text, such as a preposition.

    scale: its value on a scale. named: it is written as a name. capital: as German nouns are. indefinite: it follows
    "a" or "an". written: the word itself, where the normal form is its stem. spelling: the word if its ending tells
    names or genders apart."""

    text: str
    after: str = ""
    scale: Scale | None = None
    named: bool = field(default=False, compare=False)
    capital: bool = field(default=False, compare=False)
    indefinite: bool = field(default=False, compare=False)
    written: str = field(default="", compare=False)
    spelling: str = field(default="", compare=False)

    @property
    def is_value(self) -> bool:
        return self.text.startswith(MARK)


@dataclass(frozen=True, kw_only=True)
class Clause:
    """Clause of a claim. predicate: index of the first token after the subject. finite: the verb found there.

    scope: circumstances to which it is limited, such as a season or a past time. mood: it is of the past, or unreal.
    changes: its sentence says that something is new."""

    tokens: tuple[Token, ...]
    predicate: int
    verb: str
    finite: str
    denied: bool
    denied_twice: bool
    scope: frozenset[str]
    times: frozenset[str]
    nominal: bool
    mood: frozenset[str]
    changes: bool = False

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(token.text for token in self.tokens)

    @property
    def subject(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens[: self.predicate])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Reading of one claim. ended: the words of each part taken back. personal: it is about whoever says it."""

    language: str
    clauses: tuple[Clause, ...]
    ended: tuple[frozenset[str], ...]
    personal: bool

    @property
    def changes(self) -> bool:
        return bool(self.ended) or any(clause.changes for clause in self.clauses)


@lru_cache(REMEMBERED)
def read(claim: str) -> Reading:
    """Return the reading of a claim; without clauses for one that is too long or has no meaningful word."""
    give_way()
    text = _RESOLVED.sub(
        lambda match: match[1] or "", unicodedata.normalize("NFKC", claim).strip().strip(".。!！ ")
    )
    text = _COORDINATED.sub(_in_order, text)
    language = language_of(text)
    words = lexicon(language)
    if len(text) > LONGEST:
        return Reading(language=language, clauses=(), ended=(), personal=False)
    lowered, ended = _without_ended(_SENTENCE.sub(_sentence_end, text).lower().replace("’", "'"), words)
    lowered = _labelled(lowered, words)
    for pattern, by in words.phrases:
        lowered, found = pattern.subn(partial(_expanded, by), lowered)
        lowered = " ".join(lowered.split()) if found else lowered
    sentences = [
        (sentence, cut_words(sentence, words)) for sentence in normalised(lowered, words).split(_END)
    ]
    return Reading(
        language=language,
        clauses=tuple(_clauses(sentences, words, _names(text), _capitals(text), ended=bool(ended))),
        ended=ended,
        personal=not all(words.personal.isdisjoint(cut) for _, cut in sentences),
    )


def _in_order(match: re.Match[str]) -> str:
    """Return names that are joined by "and" in the order of the alphabet; one of a longer name stays."""
    before = match.string[: match.start()].split()
    if before and before[-1][:1].isupper():
        return match[0]
    *names, conjunction, last = match[0].replace(",", "").split()
    return " ".join((*sorted((*names, last))[:-1], conjunction, max((*names, last))))


def _sentence_end(match: re.Match[str]) -> str:
    """Return the end of a sentence as a mark; an abbreviation, an initial and an ordinal end none."""
    word = match[1]
    short = len(word) == 1 or word.lower() in _ABBREVIATED or (word.isdigit() and match[2] == ".")
    return match[0] if short else f"{word}; {_END} "


def _labelled(text: str, words: Lexicon) -> str:
    """Return a note of the form "key: value" as a sentence."""
    if not words.spaced:
        return _UNSPACED_LABEL.sub(r"\1是 " if words.language == "zh" else r"\1は ", text)
    key, colon, value = text.partition(": ")
    label = key.split()
    plain = colon and value and 0 < len(label) <= _LABEL_WORDS
    if not plain or any(
        each in words.finite or each in words.verbs or each in words.personal for each in label
    ):
        return text
    return f"{key} {_COPULA[words.language]} {value}"


def _expanded(by: str, match: re.Match[str]) -> str:
    """Return a replacement with its groups, those without a match as empty text."""
    groups = match.groupdict()
    text = by.replace("\\g<0>", match[0])
    text = re.sub(
        r"\\g<(\w+)>",
        lambda m: (
            (groups.get(m[1]) or "")
            .strip()
            .replace(" ", "_" if LESS in by and m.start() > by.find(LESS) else " ")
        ),
        text,
    )
    return re.sub(r"\\(\d)", lambda m: match[int(m[1])] or "", text)


def _without_ended(text: str, words: Lexicon) -> tuple[str, tuple[frozenset[str], ...]]:
    """Return a claim without the parts that it takes back, and the words of each of these."""
    ended: list[frozenset[str]] = []
    for pattern in words.ended:
        match = pattern.search(text)
        if match is None:
            continue
        told = frozenset(token.text for token in _tokens(normalised(match["old"], words), words))
        gone = frozenset(text for text in told if not text.startswith(DATES)) or told
        if not gone or is_unreal(text[: match.end()], words):
            continue
        ended.append(gone)
        parts = match.groupdict()
        came = f"{parts.get('new') or ''} {parts.get('of') or ''}".strip()
        text = f"{text[: match.start()]} {came} {NOW if came else GONE} {text[match.end() :]}"
    return text, tuple(ended)


def _names(text: str) -> frozenset[str]:
    """Return the words that are written with a capital letter, and are not the first."""
    return frozenset(unowned(word).lower() for word in _CAPITAL.findall(text))


def _capitals(text: str) -> frozenset[str]:
    """Return the words that are written with a capital letter."""
    return frozenset(unowned(word).lower() for word in TOKEN.findall(text) if word[:1].isupper())


def _clauses(
    sentences: Iterable[tuple[str, list[str]]],
    words: Lexicon,
    names: frozenset[str],
    capitals: frozenset[str],
    *,
    ended: bool,
) -> Iterator[Clause]:
    """Yield the clauses of a claim; one without a subject takes that of the first. sentences: each with its words.
    ended: a part is taken back."""
    first: tuple[Token, ...] = ()
    for sentence, cut in sentences:
        changes = ended or NOW in sentence.split() or not words.markers.isdisjoint(cut)
        for part in _CLAUSE[words.spaced].split(sentence):
            clause = _clause(cut if part == sentence else cut_words(part, words), words, names, capitals)
            if clause is None:
                continue
            person = first[:1] if words.spaced and part.split()[0] in _PERSONS else ()
            if person and not _shares(person, clause):
                clause = replace(clause, tokens=person + clause.tokens, predicate=1)
            elif first and (clause.predicate == 0 or not words.spaced) and not _shares(first, clause):
                clause = replace(clause, tokens=first + clause.tokens, predicate=len(first))
            first = first or clause.tokens[: max(1, clause.predicate)]
            yield replace(clause, changes=changes)


def _shares(first: tuple[Token, ...], clause: Clause) -> bool:
    return bool({token.text for token in first} & clause.words)


def _clause(cut: list[str], words: Lexicon, names: frozenset[str], capitals: frozenset[str]) -> Clause | None:
    scan = _Scan(words=words, cut=cut, names=names, capitals=capitals)
    for place, word in enumerate(cut):
        scan.take(place, word)
    return scan.clause()


@dataclass(slots=True, kw_only=True)
class _Scan:
    """Reading of one clause, word by word. before: the word just passed. preposition: the last one since a token."""

    words: Lexicon
    cut: list[str]
    names: frozenset[str]
    capitals: frozenset[str]
    tokens: list[Token] = field(default_factory=list)
    scope: set[str] = field(default_factory=set)
    times: set[str] = field(default_factory=set)
    denials: int = 0
    predicate: int = -1
    verb: str = ""
    finite: str = ""
    nominal: bool = False
    before: str = ""
    preposition: str = ""

    def take(self, place: int, word: str) -> None:
        words = self.words
        if word == NOT or word in words.negation:
            self.denials += 1
            self._predicate_begins(word)
        elif not self.tokens and word in words.personal:
            self.tokens.append(Token(text=SELF))
        elif word in words.scope:
            self.scope.add(word)
            self.preposition = self.preposition if word in ONLY else word
        elif word.startswith("§") or word in words.markers:
            return
        elif word in words.finite and self.predicate < 0:
            self._predicate_begins(word)
            self.preposition = word if self._is_preposition(word) else ""
            self.nominal = not _ARTICLES.isdisjoint(self.cut[place + 1 : place + 2])
        elif (scale := self._scale(place, word)) is None and (word in words.stop or word in words.finite):
            self.preposition = word if self._is_preposition(word) else self.preposition
        else:
            self._meaning(place, self._valued(word), scale)
        self.before = word

    def _is_preposition(self, word: str) -> bool:
        """Return True for a preposition: "a" is one in Spanish, and an article in English."""
        return word in _PREPOSITIONS and (word not in _ARTICLES or self.words.language == "es")

    def _predicate_begins(self, word: str) -> None:
        if self.predicate < 0 and self.tokens:
            self.predicate, self.finite = len(self.tokens), word

    def _scale(self, place: int, word: str) -> Scale | None:
        """Return the value of a word on a scale; of one such as "on", only after a copula."""
        known = self.words.scales.get(word)
        if known is None and self.before in self.words.finite:
            after = self.cut[place + 1] if place + 1 < len(self.cut) else ""
            if not after or after in _PREPOSITIONS:
                return self.words.scales.get(word + "_")
        return known

    def _valued(self, word: str) -> str:
        words = self.words
        if word in words.weekdays:
            return f"{MARK}weekday::{words.weekdays[word]}"
        if word in words.ordinals and words.spaced:
            return f"{MARK}num::{words.ordinals[word]}"
        return word

    def _meaning(self, place: int, word: str, scale: Scale | None) -> None:
        token = _token(
            word,
            self.preposition,
            scale,
            self.words,
            named=word in self.names and self.words.language != "de",
            capital=word in self.capitals,
            indefinite=self.before in _ARTICLES and self.before not in self.names,
            spelling=self._spelling(word, scale),
        )
        if token.text.startswith(_PERIODS) or (YEAR.fullmatch(token.text) and self.preposition in _WITHIN):
            self.times.add(token.text)
            if self._changes or self.preposition in self.words.scope:
                return
        if not token.is_value and token.text in {each.text for each in self.tokens}:
            return
        if (
            not self.verb
            and self.tokens
            and not token.is_value
            and not scale
            and self._is_verb(place, word, token.text)
        ):
            self.verb = token.text
            if self.words.spaced:
                self.predicate = len(self.tokens) if self.predicate < 0 else self.predicate
        self.tokens.append(token)
        self.preposition = ""

    def _spelling(self, word: str, scale: Scale | None) -> str:
        """Return the spelling of a word if its ending may tell two names or two genders apart."""
        words = self.words
        known = scale is not None or word in words.canonical or word in words.verbs
        if known or not words.spaced or not word.isalpha():
            return ""
        single = unaccented(word).removesuffix("s")
        if words.language == "es":
            return single if single.endswith(("o", "a")) or word in self.capitals else ""
        return single if word in self.capitals else ""

    @property
    def _changes(self) -> bool:
        return any(word in (NOW, GONE) or word in self.words.markers for word in self.cut)

    def _is_verb(self, place: int, word: str, text: str) -> bool:
        words = self.words
        if self.before in _DETERMINERS:
            return False
        if (
            self.predicate < 0
            and words.spaced
            and word in words.verbs
            and words.finite.intersection(self.cut[place:])
        ):
            return False  # A noun: "the page limit of the wiki was raised".
        return word in words.verbs or text in words.verbs or text in words.predicates

    def _names_a_holder(self, predicate: int) -> bool:
        """Return True for a name before its office: "Mr. Doyle is Farid's landlord" is read as "Farid's landlord is
        Mr. Doyle"."""
        subject, rest = self.tokens[:predicate], self.tokens[predicate:]
        offices = [each for each in rest if each.text in self.words.persons]
        bare = self.finite in _COPULAS and not self.verb and not self.nominal and not self.denials
        return (
            bare
            and len(offices) == 1
            and offices[0] is rest[-1]
            and len(rest) > 1
            and all(each.capital and each.text not in self.words.persons for each in subject)
            and not any(each.after or each.is_value for each in (*subject, *rest))
        )

    def _verb_forms(self) -> list[str]:
        """Return the words of the clause that are its verb, as they are written."""
        return [word for word in self.cut if self.verb and normal(word, self.words) == self.verb]

    def clause(self) -> Clause | None:
        """Return the clause, None if no word of it has a meaning."""
        if not self.tokens:
            return None
        scaled = next((n for n, token in enumerate(self.tokens) if token.scale or _is_amount(token)), 1)
        predicate = self.predicate if self.predicate >= 0 else min(max(1, scaled), len(self.tokens) - 1)
        first, known = self.tokens[0].text, self.words.predicates
        if not self.verb and first in known and self.words.spaced and len(self.tokens) > 2:
            self.verb, predicate = first, 2  # The subject follows: "Seit Mai arbeitet Henning bei der Bahn".
        if self._names_a_holder(predicate):
            self.tokens = self.tokens[predicate:] + self.tokens[:predicate]
            predicate = len(self.tokens) - predicate
        return Clause(
            tokens=tuple(self.tokens),
            predicate=predicate,
            verb=self.verb,
            finite=self.finite,
            denied=self.denials % 2 == 1,
            denied_twice=self.denials > 1,
            scope=frozenset(self.scope),
            times=frozenset(self.times),
            nominal=self.nominal,
            mood=frozenset(moods(self.cut, self.words, verbs=self._verb_forms(), finite=self.finite)),
        )


def _is_amount(token: Token) -> bool:
    return token.text.startswith(f"{MARK}qty")


def _tokens(text: str, words: Lexicon) -> list[Token]:
    """Return the meaningful words of a phrase."""
    return [
        _token(word, "", words.scales.get(word), words)
        for word in cut_words(text, words)
        if word not in words.stop
        and word not in words.markers
        and word not in words.finite
        and not word.startswith("§")
    ]


def _token(word: str, before: str, scale: Scale | None, words: Lexicon, **marks: Any) -> Token:
    if word.startswith((MARK, LESS)):
        return Token(text=normal(word, words), after=before, **marks)
    if scale is not None:
        return Token(text=f"~{scale.name}:{scale.value}", after=before, scale=scale, **marks)
    return Token(text=normal(word, words), after=before, written=word, **marks)


KEYED_WORDS = 5
"""Words of a claim that are paired in its keys; claims with one subject and slot share at least two of them."""


def keys(claim: str, *, looking: bool = False) -> frozenset[tuple[str, str]]:
    """Return the pairs of words under which a claim is found by others of its subject and slot.

    looking: also those of the parts that the claim takes back."""
    reading = read(claim)
    generic = lexicon(reading.language).generic
    named = [SELF] if reading.personal else []
    for clause in reading.clauses:
        for place, token in enumerate(clause.tokens):
            word = f"~{token.scale.name}" if token.scale else token.text
            if word not in generic and word != SELF and (place < clause.predicate or not token.is_value):
                named.append(word)
    words = list(dict.fromkeys(named))[:KEYED_WORDS]
    gone = [word for part in reading.ended for word in sorted(part)][:KEYED_WORDS] if looking else []
    pairs = [(one, other) for place, one in enumerate(words) for other in (*words[place + 1 :], *gone)]
    pairs += [("", word) for word in words[: 1 if len(words) > 2 else 2] if word != SELF]
    return frozenset((min(pair), max(pair)) for pair in pairs)


CLAIMS = Reader(READER, keys)
"""Reader of the claims of a desk."""
