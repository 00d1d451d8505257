"""Finding of the detector, and the placeholder that replaces a secret in every stored text."""

from __future__ import annotations

import re
from dataclasses import dataclass

ID_CHARACTERS = 8
PLACEHOLDER = re.compile(r"\[secret: (?P<kind>[A-Za-z0-9 -]{1,40}) (?P<id>[A-Z2-7]{8})(?P<again>\*?)\]")
"""Placeholder of a secret: its kind and its id. again: the file has the same placeholder as its own text."""
MARK = "[secret: "


@dataclass(frozen=True, slots=True)
class Found:
    """Secret in a text: where it starts and ends, and its kind in words."""

    start: int
    end: int
    kind: str


def placeholder(kind: str, id: str, *, again: bool = False) -> str:
    """Return the text that is stored in place of a secret."""
    return f"{MARK}{kind} {id}{'*' if again else ''}]"
