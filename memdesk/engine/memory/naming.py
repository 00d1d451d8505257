"""Names of entities in claims: a subject is one, whichever of its names a claim uses."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from memdesk.model.channel import GLOBAL
from memdesk.store import semantic
from memdesk.store.connection import Connection

NAMED_AT_MOST = 6
"""Words of a claim that are looked up as names."""
FORMS_AT_MOST = 4
"""Names of one entity under which a claim is looked up."""
_WORD = re.compile(r"[\w'’-]+")
_OWNED = re.compile(r"['’]s?$")
_LONGEST = 3


@dataclass(frozen=True, slots=True)
class Naming:
    """Entities that a claim names, each with all its names, the longest first."""

    entities: tuple[tuple[str, ...], ...] = ()

    def unified(self, claim: str) -> str:
        """Return a claim that calls each entity by its longest name."""
        for names in self.entities:
            claim = _any_of(names).sub(names[0], claim)
        return claim

    def variants(self, claim: str) -> list[str]:
        """Return the claim as it would be with the other names of each entity."""
        renamed = [
            _any_of(names).sub(name, claim) for names in self.entities for name in names[:FORMS_AT_MOST]
        ]
        return [each for each in dict.fromkeys(renamed) if each != claim]


def naming(db: Connection, user_id: str, channel: str, claim: str) -> Naming:
    """Return the entities with several names that a claim names; a name that two entities share names neither."""
    written = _written_names(claim)
    if not written:
        return Naming()
    named = semantic.all_names(db, user_id, tuple(dict.fromkeys((channel, GLOBAL))), written)
    meant: dict[str, set[str]] = defaultdict(set)
    for id, names in named.items():
        for name in names:
            meant[name.casefold()].add(id)
    found = []
    for names in named.values():
        own = tuple(
            sorted((name for name in names if len(meant[name.casefold()]) == 1), key=len, reverse=True)
        )
        if len(own) > 1:
            found.append(own)
    return Naming(tuple(found))


def _written_names(claim: str) -> list[str]:
    """Return runs of up to three capitalised words of a claim, the longest at each place first."""
    words = _WORD.findall(claim)
    found: list[str] = []
    for place in range(len(words)):
        for size in range(_LONGEST, 0, -1):
            run = words[place : place + size]
            if len(run) == size and all(each[:1].isupper() for each in run):
                found.append(_OWNED.sub("", " ".join(run)))
    return list(dict.fromkeys(found))[:NAMED_AT_MOST]


def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
