"""Division of a token budget among the pieces of a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memdesk.engine.context.messages import tokens_in
from memdesk.model.prompt import ContextPiece

SHARES = {
    "identity": 0.40,
    "learnings": 0.10,
    "recall": 0.20,
    "facts": 0.10,
    "goals": 0.08,
    "scratchpad": 0.07,
    "subagents": 0.05,
    "quoted": 0.10,
}
"""Share of the budget that each piece is guaranteed while other pieces need theirs."""
CUT = "… (more than fits)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Smallest part of a piece, included completely or not at all: a line, an entry, a memory."""

    text: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRequest:
    """Piece as it would be with room for all of it. source: its origin. running: it is one continuous text in
    lines.

    A running text ends at the first unit that does not fit; otherwise such a unit is skipped and the next one
    tried."""

    name: str
    source: str
    heading: str
    units: tuple[Unit, ...]
    joint: str = "\n"
    running: bool = False

    @property
    def tokens(self) -> int:
        return tokens_in(self.heading) + sum(tokens_in(unit.text) + 1 for unit in self.units)


def fit_pieces(
    wanted: Sequence[PieceRequest], budget: int, joints: int = 0
) -> tuple[tuple[ContextPiece, ...], tuple[str, ...]]:
    """Return (the pieces as they fit, in the order given; the names of the pieces for which there was no
    room). joints: tokens of the texts between the pieces."""
    rooms = allot_tokens({each.name: each.tokens for each in wanted}, max(0, budget - joints))
    pieces = [(each.name, _piece(each, rooms[each.name])) for each in wanted]
    return (
        tuple(piece for _, piece in pieces if piece is not None),
        tuple(name for name, piece in pieces if piece is None),
    )


def allot_tokens(needs: Mapping[str, int], budget: int) -> dict[str, int]:
    """Return the tokens for each piece: its need up to its share, then from the rest in the order of PIECES.

    The sum is at most the budget."""
    shares = sum(SHARES[name] for name in needs) or 1.0
    rooms = {name: min(need, int(budget * SHARES[name] / shares)) for name, need in needs.items()}
    left = budget - sum(rooms.values())
    for name in (each for each in SHARES if each in needs):
        more = min(left, needs[name] - rooms[name])
        rooms[name] += more
        left -= more
    return rooms


def _piece(wanted: PieceRequest, room: int) -> ContextPiece | None:
    """Return a piece cut to its room in tokens; None if not even one unit fits."""
    left = room - tokens_in(wanted.heading)
    units: list[Unit] = []
    cut = False
    spare = tokens_in(CUT) + 1 if wanted.running and wanted.tokens > room else 0
    for unit in wanted.units:
        cost = tokens_in(unit.text) + 1
        if cost > left - spare:
            cut = True
            if wanted.running:
                break
            continue
        units.append(unit)
        left -= cost
    if not units:
        return None
    texts = [unit.text for unit in units] + ([CUT] if cut and wanted.running else [])
    text = wanted.heading + wanted.joint.join(texts)
    return ContextPiece(
        name=wanted.name,
        source=wanted.source,
        text=text,
        tokens=tokens_in(text),
        cut=cut,
        ids=tuple(dict.fromkeys(id for unit in units for id in unit.ids)),
    )
