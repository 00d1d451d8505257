"""Words of claims by language, read from the tables in `lexicon/`, and the language of a text."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources

LANGUAGES = ("en", "de", "es", "fr", "zh", "ja")
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Value of a word on a scale whose values exclude each other, such as open and closed."""

    name: str
    value: str
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Tables of one language. canonical: the one word for words of one meaning. units: (base unit, factor).

    known: words by which a text is recognised as of this language. open_places: ends of words for what does not
    enclose its contents, so that one thing can be in two of them."""

    language: str
    stop: frozenset[str]
    negation: frozenset[str]
    markers: frozenset[str]
    scope: frozenset[str]
    generic: frozenset[str]
    personal: frozenset[str]
    finite: frozenset[str]
    verbs: frozenset[str]
    functional: frozenset[str]
    placed: frozenset[str]
    adjectives: frozenset[str]
    multiple: frozenset[str]
    exclusive: frozenset[str]
    attributes: frozenset[str]
    persons: frozenset[str]
    open_places: tuple[str, ...]
    canonical: dict[str, str]
    scales: dict[str, Scale]
    units: dict[str, tuple[str, float]]
    numbers: dict[str, int]
    ordinals: dict[str, int]
    months: dict[str, int]
    weekdays: dict[str, int]
    phrases: tuple[tuple[re.Pattern[str], str], ...]
    ended: tuple[re.Pattern[str], ...]
    known: frozenset[str]
    predicates: frozenset[str]

    @property
    def spaced(self) -> bool:
        """True if spaces separate the words of this language."""
        return self.language not in ("zh", "ja")


@cache
def lexicon(language: str) -> Lexicon:
    """Return the tables of one of LANGUAGES."""
    raw = tomllib.loads((resources.files(__package__) / "lexicon" / f"{language}.toml").read_text("utf-8"))

    def words(name: str) -> frozenset[str]:
        return frozenset(raw[name].split())

    canonical = {word: name for name, listed in raw["synonyms"].items() for word in listed.split()}

    for word, name in tuple(canonical.items()):
        canonical.setdefault(stem(word, language), name)

    def rooted(listed: frozenset[str]) -> frozenset[str]:
        """Return words in the form that a token of a claim has."""
        return frozenset(
            canonical.get(each) or canonical.get(root := stem(each, language), root) for each in listed
        )

    def roots(name: str) -> frozenset[str]:
        return rooted(words(name))

    scales = {
        word: Scale(name=name, value=value, of=len(values))
        for name, values in raw["scales"].items()
        for value, listed in values.items()
        for word in listed.split()
    }
    return Lexicon(
        language=language,
        stop=words("stop"),
        negation=words("negation"),
        markers=words("markers"),
        scope=words("scope"),
        generic=roots("generic"),
        personal=words("personal"),
        finite=words("verbless"),
        verbs=words("verbs") | roots("verbs"),
        functional=roots("functional"),
        placed=roots("placed"),
        adjectives=roots("adjectives"),
        multiple=roots("multiple"),
        exclusive=roots("exclusive"),
        attributes=roots("attributes"),
        persons=rooted(shared("persons")),
        open_places=tuple(rooted(shared("documents") | shared("groups"))),
        canonical=canonical,
        scales=scales,
        units={word: _unit(name) for name, listed in raw["units"].items() for word in listed.split()},
        numbers=raw["numbers"],
        ordinals=raw["ordinals"],
        months=raw["months"],
        weekdays=raw["weekdays"],
        phrases=tuple((re.compile(pattern), by) for pattern, by in raw["phrases"]),
        ended=tuple(re.compile(pattern) for pattern in raw["ended"]),
        predicates=roots("functional") | roots("placed") | roots("multiple"),
        known=words("stop") | words("negation") | words("verbs") | words("markers") | canonical.keys(),
    )


_UMLAUTS = str.maketrans("äöüß", "aous")
_ACCENTS = str.maketrans("áéíóúàâäèêëîïôöùûüç", "aeiouaaaeeeiioouuuc")
_SHORTEST_STEM = 3


def stem(word: str, language: str) -> str:
    """Return a word without its inflection, as a rough stem that its forms share."""
    if not word.isalpha() or len(word) <= _SHORTEST_STEM or language in ("zh", "ja"):
        return word
    if language == "de":
        word = word.translate(_UMLAUTS)
        return re.sub(r"(?:ern|em|en|er|es|e|n|s)$", "", word) if len(word) > _SHORTEST_STEM + 1 else word
    if language == "es":
        word = word.translate(_ACCENTS)
        return re.sub(r"(?:es|s|os|as|o|a|e)$", "", word) if len(word) > _SHORTEST_STEM + 1 else word
    if language == "fr":
        word = word.translate(_ACCENTS)
        return re.sub(r"(?:es|s|x|e)$", "", word) if len(word) > _SHORTEST_STEM + 1 else word
    return _english_stem(unaccented(word))


def _english_stem(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST_STEM + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for end in ("ing", "ed", "ly"):
        root = word.removesuffix(end)
        if root != word and len(root) >= _SHORTEST_STEM and re.search("[aeiouy]", root):
            word = root[:-1] if end != "ly" and root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST_STEM + 1 else word


@cache
def shared(name: str) -> frozenset[str]:
    """Return a set of small words of all languages."""
    raw = tomllib.loads((resources.files(__package__) / "lexicon" / "shared.toml").read_text("utf-8"))
    return frozenset(raw[name].split())


@cache
def regions() -> tuple[str, ...]:
    """Return the places that contain cities: living in one does not contradict living in a city."""
    raw = tomllib.loads((resources.files(__package__) / "lexicon" / "shared.toml").read_text("utf-8"))
    return tuple(" ".join(each.split()) for each in raw["regions"].split(";"))


@cache
def is_region(name: str) -> bool:
    """Return True for the name of a region, in any case."""
    return name.lower() in {each.lower() for each in regions()}


def unaccented(word: str) -> str:
    """Return a word without the marks above and below its letters, so that Szymański is Szymanski."""
    return (
        word
        if word.isascii()
        else "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    )


def _unit(name: str) -> tuple[str, float]:
    base, _, factor = name.partition("*")
    return base, float(factor or 1)


def language_of(text: str) -> str:
    """Return the language of a claim by its script, else by its function words; English if none decides."""
    if _KANA.search(text):
        return "ja"
    if _HAN.search(text):
        return "zh"
    words = set(_WORD.findall(text.lower())) - shared("titles")
    return max(("en", "de", "es", "fr"), key=lambda each: (_votes(words, lexicon(each)), each == "en"))


def _votes(words: set[str], of: Lexicon) -> int:
    return len(words & of.stop) * 2 + len(words & of.known)


@cache
def known_words(language: str) -> tuple[frozenset[str], int]:
    """Return every word in the tables of a language, and the length of the longest."""
    words = lexicon(language)
    known = frozenset().union(
        words.stop,
        words.negation,
        words.markers,
        words.scope,
        words.generic,
        words.personal,
        words.finite,
        words.verbs,
        words.attributes,
        words.canonical,
        words.scales,
        words.weekdays,
        words.functional,
        words.multiple,
    )
    return known, max(map(len, known))
