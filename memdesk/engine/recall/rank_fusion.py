"""Rank fusion of words and vectors, with AgentX's weights. Pure sums over two rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memdesk.engine.recall.fusion import Scored


def rank_scores(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    *,
    k: int,
    words_share: float,
    depth: int,
    also: Iterable[int] = (),
) -> list[Scored]:
    """Return scores, best first: words_share / (k + rank by words) + the rest / (k + rank by vectors); ranks
    count from 1.

    depth: how far each list is read (AgentX: 50, or twice the limit). A memory missing from a list has the
    rank len(list) + k there, so it is damped and not dropped. also: memories to rank although neither list
    contains them."""
    by_words, by_vectors = _places(words, depth), _places(cosines, depth)
    scored = []
    for seq in dict.fromkeys((*by_words, *by_vectors, *also)):
        parts = (
            ("words", words_share / (k + by_words.get(seq, len(by_words) + k))),
            ("meaning", (1 - words_share) / (k + by_vectors.get(seq, len(by_vectors) + k))),
        )
        scored.append(Scored(seq=seq, score=sum(value for _, value in parts), parts=parts))
    return sorted(scored, key=lambda each: (-each.score, each.seq))


def _places(values: Mapping[int, float], depth: int) -> dict[int, int]:
    best = sorted(values, key=lambda seq: (-values[seq], seq))[:depth]
    return {seq: place for place, seq in enumerate(best, start=1)}
