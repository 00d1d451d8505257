"""Index of all names known in advance: technologies, products, places, organisations and feasts."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.engine.extraction import gazetteer, lexicon
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Single spelling in the vocabulary: its words in lower case, the entity it names, and True if its
    capital is required."""

    words: tuple[str, ...]
    name: str
    type: str
    cased: bool


def _vocabulary() -> dict[str, tuple[Entry, ...]]:
    """Return the entries by their first word, longest first."""
    entries = [
        *(Entry(words=_parts(s), name=k.name, type=k.type, cased=k.cased) for s, k in lexicon.KNOWN.items()),
        *(Entry(words=_parts(s), name=n, type="Location", cased=True) for s, n in gazetteer.PLACES.items()),
        *(
            Entry(words=_parts(s), name=n, type="Organization", cased=True)
            for s, n in gazetteer.ORGANIZATIONS.items()
        ),
        *(Entry(words=(s,), name=s.capitalize(), type="Event", cased=True) for s in gazetteer.EVENTS),
    ]
    by_first: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda e: -len(e.words)):
        if entry.words:
            by_first.setdefault(entry.words[0], []).append(entry)
    return {first: tuple(group) for first, group in by_first.items()}


def _parts(spelling: str) -> tuple[str, ...]:
    return tuple(m.group().lower() for m in WORD.finditer(spelling))


VOCABULARY = _vocabulary()


def known_at(tokens: list[Token], at: int) -> Entry | None:
    for entry in VOCABULARY.get(tokens[at].small, ()):
        size = len(entry.words)
        spelt = size == 1 or _spells(tokens[at : at + size], entry)
        if spelt and (not entry.cased or _cased(tokens[at : at + size], entry)):
            return entry
    return None


def _spells(tokens: list[Token], entry: Entry) -> bool:
    return tuple(t.small for t in tokens) == entry.words and all(t.joined for t in tokens[1:])


def _cased(tokens: list[Token], entry: Entry) -> bool:
    """Return True if the capitals are present and significant: not the one that opens the sentence."""
    if entry.name.isupper():
        return tokens[0].bare == entry.name
    special = len(tokens) > 1 or entry.type in ("Location", "Event")
    return tokens[0].capital and (special or not tokens[0].opens)
