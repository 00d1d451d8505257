"""Reader of a model's reply: strict about its content, tolerant of its format.

Items that the conversation does not support are dropped: a quote must occur in a turn, and so must a name."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.engine.extraction.extract import FACTS_AN_UTTERANCE
from memdesk.engine.extraction.found import Found, FoundEntity, FoundFact, FoundRelation, Utterance
from memdesk.model.entity import ENTITY_TYPES
from memdesk.model.fact import CATEGORIES, CERTAINTY, TEMPORAL

SHORTEST, LONGEST = 4, 240
"""Characters of a claim, as for claims read by cues."""
NAME_CHARACTERS = 80
_PARTS = ("entities", "facts", "relations")
_FREE_TYPE = re.compile(r"[A-Z][A-Z_]{1,39}")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})
Item = dict[str, Any]


class Unreadable(ValueError):
    """Error for a reply in which no part can be read."""


def parts_of(text: str) -> dict[str, list[Item]]:
    """Return the items of a reply by part: from complete JSON, JSON in a fence, or the complete items of a
    truncated reply.

    Raises Unreadable if no part is found."""
    start, end = text.find("{"), text.rfind("}")
    try:
        whole = json.loads(text[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        whole = None
    if not isinstance(whole, dict) or not any(part in whole for part in _PARTS):
        whole = {part: items for part in _PARTS if (items := _salvaged(text, part)) is not None}
    if not whole:
        raise Unreadable("No entities, facts or relations could be read in the reply.")
    return {part: [item for item in _listed(whole.get(part)) if isinstance(item, dict)] for part in _PARTS}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _salvaged(text: str, part: str) -> list[Item] | None:
    """Return the complete objects after `"part": [`, up to the first broken one; None if the part does not
    begin."""
    opened = re.search(rf'"{part}"\s*:\s*\[', text)
    if opened is None:
        return None
    items: list[Item] = []
    decoder, at = json.JSONDecoder(), opened.end()
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            item, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return items
        if isinstance(item, dict):
            items.append(item)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Input shown to the model: utterances in the order of their numbers, ids of known facts by label,
    speakers' names."""

    utterances: Sequence[Utterance]
    known: Mapping[str, str]
    speakers: frozenset[str]


def found_in(text: str, asked: Asked) -> Found:
    """Return the entities, facts and relations of a reply that the conversation supports. Raises Unreadable."""
    parts = parts_of(text)
    spoken = "\n".join(_plain(one.text) for one in asked.utterances)
    entities = _entities(parts["entities"], asked, spoken)
    names = {spelling.casefold(): one.name for one in entities for spelling in (one.name, *one.aliases)}
    facts = tuple(_facts(parts["facts"], asked, names))
    relations = tuple(dict.fromkeys(_relations(parts["relations"], asked, names)))
    return Found(entities=entities, facts=facts, relations=relations)


def _plain(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split()).casefold()


def _words(value: Any, limit: int) -> str:
    """Return a string with its white space normalised; "" for a value that is not a string or is too long."""
    tidy = " ".join(value.split()) if isinstance(value, str) else ""
    return tidy if len(tidy) <= limit else ""


def _entities(items: list[Item], asked: Asked, spoken: str) -> tuple[FoundEntity, ...]:
    found: dict[str, FoundEntity] = {}
    for item in items:
        name = _words(item.get("name"), NAME_CHARACTERS)
        aliases = [
            a for a in (_words(a, NAME_CHARACTERS) for a in _listed(item.get("aliases"))) if a and a != name
        ]
        named = {s.casefold() for s in (name, *aliases)}
        if (
            name
            and name.casefold() not in found
            and (named & asked.speakers or any(_plain(s) in spoken for s in named))
        ):
            found[name.casefold()] = FoundEntity(
                name=name, type=_entity_type(item.get("type")), aliases=tuple(dict.fromkeys(aliases)),
                mentions=tuple(u.id for u in asked.utterances if any(_plain(s) in _plain(u.text) for s in named)),
            )  # fmt: skip
    return tuple(found.values())


def _entity_type(value: Any) -> str:
    wanted = value.strip().capitalize() if isinstance(value, str) else ""
    return wanted if wanted in ENTITY_TYPES else "Entity"


def _facts(items: list[Item], asked: Asked, names: dict[str, str]) -> Iterator[FoundFact]:
    told: Counter[str] = Counter()
    seen: set[str] = set()
    for item in items:
        claim = _words(item.get("claim"), LONGEST)
        place = _quoted(_words(item.get("quote"), 2_000), item.get("turn"), asked.utterances)
        if len(claim) < SHORTEST or claim.casefold() in seen or place is None:
            continue
        utterance, quote = place
        told[utterance.id] += 1
        if told[utterance.id] <= FACTS_AN_UTTERANCE:
            seen.add(claim.casefold())
            yield _fact(item, claim, utterance, quote, asked, names)


def _fact(
    item: Item, claim: str, utterance: Utterance, quote: str, asked: Asked, names: dict[str, str]
) -> FoundFact:
    certainty = _label(item.get("certainty"), tuple(CERTAINTY), "inferred")
    if utterance.role == "assistant" and certainty == "explicit":
        certainty = "implied"
    about = (names.get(_words(name, NAME_CHARACTERS).casefold()) for name in _listed(item.get("about")))
    return FoundFact(
        claim=claim,
        category=_label(item.get("category"), CATEGORIES, "fact"),
        certainty=certainty,
        confidence=CERTAINTY[certainty],
        temporal=_label(item.get("temporal"), TEMPORAL, "") or None,
        about=tuple(dict.fromkeys(name for name in about if name)),
        utterance_id=utterance.id,
        quote=quote,
        replaces="" if item.get("corrects") is True and utterance.role == "user" else None,
        refines=asked.known.get(str(item.get("refines"))),
    )


def _label(value: Any, labels: Sequence[str], otherwise: str) -> str:
    small = value.strip().lower() if isinstance(value, str) else ""
    return small if small in labels else otherwise


def _quoted(quote: str, turn: Any, utterances: Sequence[Utterance]) -> tuple[Utterance, str] | None:
    """Return (utterance, quote as written there); None if no utterance contains it. The turn given is
    searched first."""
    if len(quote) < 2:
        return None
    pattern = re.compile(
        r"\s+".join(re.escape(word) for word in quote.translate(_QUOTES).split()), re.IGNORECASE
    )
    for one in sorted(utterances, key=lambda u: str(utterances.index(u) + 1) != str(turn)):
        match = pattern.search(one.text.translate(_QUOTES))
        if match:
            return one, one.text[match.start() : match.end()]
    return None


def _relations(items: list[Item], asked: Asked, names: dict[str, str]) -> Iterator[FoundRelation]:
    for item in items:
        source = names.get(_words(item.get("source"), NAME_CHARACTERS).casefold())
        target = names.get(_words(item.get("target"), NAME_CHARACTERS).casefold())
        type = _words(item.get("type"), 40).upper().replace(" ", "_").replace("-", "_")
        if source and target and source != target and _FREE_TYPE.fullmatch(type):
            certainty = _label(item.get("certainty"), tuple(CERTAINTY), "inferred")
            yield FoundRelation(
                source=source, target=target, type=type, utterance_id=_turn(item.get("turn"), asked.utterances),
                confidence=CERTAINTY[certainty],
            )  # fmt: skip


def _turn(value: Any, utterances: Sequence[Utterance]) -> str:
    """Return the id of the utterance in which a relation was read; the last one if its number is not valid."""
    number = int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else 0
    return utterances[number - 1 if 1 <= number <= len(utterances) else -1].id
