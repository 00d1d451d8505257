"""Vocabulary of channels, and facts whose words belong to another channel than their own."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from memdesk.engine.beliefs.lexicon import lexicon
from memdesk.engine.beliefs.reading import read
from memdesk.model.channel import GLOBAL

FACTS_AT_LEAST = 12
"""Facts that a channel needs before its words say anything."""
MARGIN = 4.0
"""Least difference of log likelihood by which another channel fits better."""
DECISIVE = 2
"""Words that only the other channel has, of which a claim needs so many, or one in more facts than so many: a word
of two facts is in any two channels."""
SMOOTHING = 0.1
NAMED = 6
"""Times that the name of a channel counts among its words."""


@dataclass(frozen=True, slots=True)
class BetterChannel:
    """Channel whose words a claim has. sure: 0 to 1."""

    channel: str
    sure: float


@dataclass(slots=True)
class ChannelWords:
    """Counts of words by channel: in how many facts of it each is."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    facts: Counter[str] = field(default_factory=Counter)

    def add(self, channel: str, claim: str) -> None:
        """Count the words of a fact, and at its first fact those of the channel's name."""
        if not self.facts[channel] and channel != GLOBAL:
            self.counts[channel].update(
                dict.fromkeys(words_of(channel.replace("-", " ").replace("_", " ")), NAMED)
            )
        self.facts[channel] += 1
        self.counts[channel].update(words_of(claim))

    def better_channel(self, own: str, claim: str) -> BetterChannel | None:
        """Return the channel that a claim fits clearly better than its own; None if its own fits, or none does.

        Its own channel must not have the words that decide, apart from this claim."""
        known_words = [
            word for word in words_of(claim) if sum(map(bool, (c[word] for c in self.counts.values())))
        ]
        if own == GLOBAL or self.facts[own] < FACTS_AT_LEAST or not known_words:
            return None
        fits = {
            channel: self._log_likelihood(channel, known_words, own)
            for channel, number in self.facts.items()
            if number >= FACTS_AT_LEAST and channel != GLOBAL
        }
        best = max(fits, key=lambda channel: fits[channel])
        margin = fits[best] - fits[own]
        decisive = [
            word for word in known_words if self.counts[best][word] >= 2 and self.counts[own][word] <= 1
        ]
        known = len(decisive) >= DECISIVE or any(self.counts[best][word] > DECISIVE for word in decisive)
        if best == own or margin < MARGIN or not known:
            return None
        return BetterChannel(best, min(0.9, margin / 12))

    def _log_likelihood(self, channel: str, words: list[str], own: str) -> float:
        """Return the log likelihood of a claim's words in a channel; in its own, without the claim itself."""
        without = 1 if channel == own else 0
        total = self.facts[channel] - without + 1
        return sum(
            math.log((max(0, self.counts[channel][word] - without) + SMOOTHING) / total) for word in words
        )


@lru_cache(8_192)
def words_of(claim: str) -> frozenset[str]:
    """Return the words of a claim that say what it is about."""
    reading = read(claim)
    generic = lexicon(reading.language).generic
    return frozenset(
        token.text
        for clause in reading.clauses
        for token in clause.tokens
        if not token.is_value
        and not token.scale
        and token.text not in generic
        and any(map(str.isalpha, token.text))
    )
