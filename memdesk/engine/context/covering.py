"""Choice of sentences for a summary: those that add most to what is covered already, for their length. Pure.

Facts come first, by how rare their words are in the conversation, as questions ask for what is special; then
sentences, by how much of the conversation turns on their words."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Sequence

from memdesk.engine.context.sentences import TOOLS, Sentence
from memdesk.engine.recall.query_words import content_words

CHATTER, ASKS, TOOL, CLAIM, DECISION = 0.6, 0.5, 0.6, 1.2, 1.2
"""Factors on what a sentence adds, by its kind."""
Weight = Callable[[str], float]


def choose_covering(pool: Sequence[Sentence], held: int, facts: int, room: int) -> list[int]:
    """Return the positions of the sentences that fit into so many characters, best first.

    held: the first so many are told already. facts: the end of those that come before all others."""
    words = [content_words(each.text) for each in pool]
    spread = Counter(word for each in words[facts:] or words for word in each)
    count = max(1, len(pool) - facts)
    covered = frozenset[str]().union(*words[:held])

    def rare(word: str) -> float:
        return math.log1p(count / max(1, spread[word]))

    def common(word: str) -> float:
        return math.log1p(spread[word])

    chosen: list[int] = []
    for places, weight in ((range(held, facts), rare), (range(facts, len(pool)), common)):
        for place in _greedy(pool, words, places, weight, covered, room):
            chosen.append(place)
            covered |= words[place]
            room -= line_length(pool[place])
    return chosen


def line_length(each: Sentence) -> int:
    """Return the characters of a sentence as a line of the summary, with its speaker."""
    return len(each.text) + (len(each.speaker) + 2 if each.speaker and not each.carried else 0) + 3


def _greedy(
    pool: Sequence[Sentence],
    words: Sequence[frozenset[str]],
    places: range,
    weight: Weight,
    covered: frozenset[str],
    room: int,
) -> list[int]:
    """Return the positions by what each adds for its length, until nothing fits or adds anything.

    What a sentence adds only shrinks, so one is weighed again only when it comes to the top."""
    chosen: list[int] = []
    top = [(-_gain(pool[n], words[n] - covered, weight), n) for n in places if line_length(pool[n]) <= room]
    heapq.heapify(top)
    while top:
        _, best = heapq.heappop(top)
        gain = _gain(pool[best], words[best] - covered, weight)
        if gain <= 0 or line_length(pool[best]) > room:
            continue
        if top and -top[0][0] > gain:
            heapq.heappush(top, (-gain, best))
            continue
        chosen.append(best)
        covered |= words[best]
        room -= line_length(pool[best])
    return chosen


def _gain(each: Sentence, new: frozenset[str], weight: Weight) -> float:
    factors = (
        (CHATTER, each.chatter),
        (ASKS, each.asks),
        (TOOL, each.role in TOOLS),
        (CLAIM, each.claim),
        (DECISION, each.decision),
    )
    kind = math.prod(factor for factor, there in factors if there)
    return kind * sum(map(weight, new)) / line_length(each)
