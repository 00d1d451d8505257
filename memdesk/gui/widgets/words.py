"""Words that changed between two texts, and the same as rich text: removed struck out in red, added in green."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from memdesk.gui.widgets.text import span

# A word, a run of spaces, or one sign; Chinese and Japanese have no spaces, so there each sign is a word.
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W\u3040-\uffef]+|\s+|[^\w\s]|.")
MOST_WORDS = 4000
"""Limit above which matching takes seconds, and the result is too long to read word by word."""

Change = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of words that stayed, was removed or was added."""

    text: str
    change: Change


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces of both texts in reading order, removed words before the words that replace them."""
    old, new = WORD.findall(before), WORD.findall(after)
    if len(old) + len(new) > MOST_WORDS:
        pieces = [Piece(text=before, change="removed"), Piece(text=after, change="added")]
    else:
        pieces = list(_pieces(old, new))
    return tuple(piece for piece in pieces if piece.text)


def _pieces(old: list[str], new: list[str]) -> Iterator[Piece]:
    for tag, a, b, x, y in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Piece(text="".join(old[a:b]), change="same")
        else:
            yield Piece(text="".join(old[a:b]), change="removed")
            yield Piece(text="".join(new[x:y]), change="added")


def word_diff_markup(before: str, after: str, *, side: Literal["both", "before", "after"] = "both") -> str:
    """Return the difference as rich text for Text.set_markup; side "before" or "after" shows one text alone."""
    shown = {"both": ("removed", "added"), "before": ("removed",), "after": ("added",)}[side]
    pieces = [piece for piece in word_diff(before, after) if piece.change in ("same", *shown)]
    # Between a word struck out and the one in its place the eye needs a gap.
    joints = [
        "&thinsp;" if here.change == "added" and last.change == "removed" else ""
        for last, here in pairwise([Piece(text="", change="same"), *pieces])
    ]
    return "".join(
        joint + _marked(piece, strike=side == "both") for joint, piece in zip(joints, pieces, strict=True)
    )


def _marked(piece: Piece, *, strike: bool) -> str:
    match piece.change:
        case "same":
            return span(piece.text, "t1")
        case "removed":
            return span(piece.text, "bad", ground="badbg", strike=strike)
        case "added":
            return span(piece.text, "ok", ground="okbg")
