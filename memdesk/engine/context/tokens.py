"""Token counts estimated without a model's tokenizer, and the division of a token budget among the pieces of
a prompt."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memdesk.model.prompt import ContextPiece

MESSAGE_TOKENS = 4
"""Tokens of a message in addition to its text: its role and its end marks, as in chat formats (OpenAI's
cookbook)."""
_LETTER, _DIGIT, _MARK, _WIDE, _OTHER = 1 / 4.2, 0.9, 0.7, 1.0, 1 / 3
_LETTERS, _DIGITS = f"{string.ascii_letters} ".encode(), string.digits.encode()


def _weights() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return the share of a token that each character of the basic plane counts as."""
    table = np.full(0x10000, _OTHER, np.float32)
    for code in range(128):
        letter = chr(code)
        table[code] = _LETTER if letter.isalpha() or letter == " " else _DIGIT if letter.isdigit() else _MARK
    for first, last in ((0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF)):
        table[first : last + 1] = _WIDE
    return table


_TABLE = _weights()


def tokens_in(text: str) -> int:
    """Return the approximate number of tokens of a text; 0 for an empty one. 50,000 characters take a quarter
    of a millisecond."""
    if not text:
        return 0
    if text.isascii():
        # Most lines are short and ASCII: two counts of bytes take a tenth of what an array takes.
        said = text.encode()
        letters = len(said) - len(said.translate(None, _LETTERS))
        digits = len(said) - len(said.translate(None, _DIGITS))
        return max(1, round(_LETTER * letters + _DIGIT * digits + _MARK * (len(said) - letters - digits)))
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    plane = codes < 0x10000
    beyond = 2.0 * float(np.count_nonzero(~plane))
    return max(1, round(float(_TABLE[codes[plane]].sum()) + beyond))


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
