"""Types of names and ids: one line of bounded length. The service refuses a request that breaks their rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

NAME_CHARACTERS = 500
"""Length limit of a name or an id; real ones are far shorter."""


@dataclass(frozen=True, slots=True)
class OneLine:
    """Rule of a text without control characters and line ends, at most NAME_CHARACTERS long. filled: not empty."""

    filled: bool = False


Name = Annotated[str, OneLine()]
"""Name or id, or the empty text."""
FilledName = Annotated[str, OneLine(filled=True)]
"""Name or id that is given."""
