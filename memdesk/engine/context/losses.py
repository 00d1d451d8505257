"""Possible losses of a compaction: sentences worth keeping that are neither in the summary nor in a fact.
Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memdesk.engine.context.said import Spoken, folded
from memdesk.model.context import Lost
from memdesk.model.fact import Fact

LOST_AT_MOST = 200
_FIGURE = re.compile(r"\d[\d.,:/-]*")


def losses(
    found: Sequence[Spoken], summary: str, facts: Mapping[str, tuple[Fact, list[int]]]
) -> tuple[Lost, ...]:
    """Return the sentences with a constraint, decision, figure or claim that are kept nowhere else, in order.

    A sentence counts as kept if the summary contains it, if a fact was read from it, or if all its figures
    are in a fact of its turn."""
    told, quotes = " ".join(summary.casefold().split()), _quotes(facts)
    lost = [
        Lost(turn_index=each.turns[0], text=each.text)
        for each in found
        if _matters(each)
        and folded(each.text) not in told
        and not _in_a_fact(each.text, quotes.get(each.turns[0], ()))
    ]
    return tuple(lost[:LOST_AT_MOST])


def still_lost(lost: Sequence[Lost], facts: Mapping[str, tuple[Fact, list[int]]]) -> tuple[Lost, ...]:
    """Return the losses that no fact has recovered since. facts: the current ones, with the turns they were
    read from."""
    quotes = _quotes(facts)
    return tuple(each for each in lost if not _in_a_fact(each.text, quotes.get(each.turn_index, ())))


def _matters(each: Spoken) -> bool:
    return not (each.carried or each.asks or each.chatter) and (
        each.constraint or each.decision or each.figure or each.claim
    )


def _quotes(facts: Mapping[str, tuple[Fact, list[int]]]) -> dict[int, list[str]]:
    """Return the claims and quotes of facts, by the turn they were read from."""
    quotes: dict[int, list[str]] = {}
    for fact, turns in facts.values():
        for turn in turns:
            quotes.setdefault(turn, []).extend((folded(fact.quote), folded(fact.claim)))
    return quotes


def _in_a_fact(text: str, told: Sequence[str]) -> bool:
    said, figures = folded(text), _FIGURE.findall(text)
    return any(
        (held and (held in said or said in held)) or (figures and all(figure in held for figure in figures))
        for held in told
    )
