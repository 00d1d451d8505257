"""View settings of the graph, and the requests made from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from memdesk.model.graph import AskGraph

SHOWN_AT_FIRST = 40
SHOWN_AT_MOST = 5_000
"""Greatest number of nodes that the engine returns."""
COUNTED_AT_MOST = 400
"""Greatest number of surrounding nodes counted for the chips and the time brush."""
GROWN_AT_FIRST = 24
"""Neighbours shown when a row is opened; each further step shows twice as many, as it does for the full
drawing."""
WAY_HOPS = 3
"""Hops from either end of a path, so that it has twice as many steps at most."""
LEAST_CONFIDENCE = 0.5
"""Lower bound of AgentX's “uncertain”; less certain facts are shown on request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Centre and filters. hidden: channels left out. edges: relation types to follow, () for all.

    opened: rows whose neighbours are added, in order, and the greatest number of each. limit: most nodes, the
    centre included. to: the other end of a path from the centre, which is then drawn alone."""

    center: str | None = None
    hops: int = 2
    hidden: frozenset[str] = frozenset()
    min_confidence: float = LEAST_CONFIDENCE
    edges: tuple[str, ...] = ()
    past: bool = True
    since: datetime | None = None
    until: datetime | None = None
    limit: int = SHOWN_AT_FIRST
    opened: Mapping[str, int] = field(default_factory=dict)
    to: str | None = None

    def around(self, center: str | None) -> Wish:
        """Return the same filters around another centre, with time range, limit and opened rows reset."""
        return replace(self, center=center, since=None, until=None, limit=SHOWN_AT_FIRST, opened={}, to=None)

    def same_view(self, other: Wish) -> bool:
        """Return True if the other wish differs only in the number of rows shown, so that new rows are
        tinted."""
        return replace(self, limit=0, opened={}) == replace(other, limit=0, opened={})

    @property
    def narrows(self) -> bool:
        """True if a filter leaves anything out."""
        return bool(
            self.hidden or self.edges or self.since or self.until or not self.past or self.min_confidence > 0
        )

    def visible(self, channels: Iterable[str]) -> tuple[str, ...]:
        """Return the channels that are not hidden."""
        return tuple(channel for channel in channels if channel not in self.hidden)

    # The asks.

    def surroundings(self, channels: tuple[str, ...]) -> AskGraph:
        """Return the request for all nodes around the centre in these channels, for any time, which the chips
        and the brush count."""
        return AskGraph(
            center=self.center, hops=self.hops, channels=channels, edges=self.edges, past=self.past,
            min_confidence=self.min_confidence, limit=COUNTED_AT_MOST,
        )  # fmt: skip

    def drawing(self, channels: tuple[str, ...]) -> AskGraph:
        """Return the request for the drawing."""
        if self.to is not None:
            return replace(self.surroundings(channels), to=self.to, hops=WAY_HOPS)
        ask = replace(self.surroundings(channels), limit=self.limit)
        return replace(ask, since=self.since, until=self.until)

    def neighbours(self, id: str, channels: tuple[str, ...]) -> AskGraph:
        """Return the request for the neighbours of an opened row, including the row."""
        ask = replace(self, to=None).drawing(channels)
        return replace(ask, center=id, hops=1, limit=min(SHOWN_AT_MOST, self.opened[id] + 1))

    def opening(self, id: str) -> Wish:
        """Return the same with a row opened, or with more of the neighbours of an open row."""
        wanted = min(SHOWN_AT_MOST, 2 * self.opened[id]) if id in self.opened else GROWN_AT_FIRST
        return replace(self, opened={**self.opened, id: wanted})

    def larger(self) -> Wish:
        """Return the same with twice as many nodes."""
        return replace(self, limit=min(SHOWN_AT_MOST, 2 * self.limit))

    def closing(self, id: str) -> Wish:
        """Return the same with a row closed."""
        return replace(self, opened={each: most for each, most in self.opened.items() if each != id})
