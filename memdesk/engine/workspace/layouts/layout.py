"""What a layout says of a folder. A system's own file fills it in with that system's facts, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memdesk.engine.workspace.layouts.naming import named_after

WORLD = "agnx world"
"""The layout of agnx's shared knowledge: files that every agent reads."""
Knows = Callable[[Path, frozenset[str]], str]
"""Why a folder with these names in it (small letters; folders end with a slash) is this system's; "" when it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """How a day's entries are written. folder: where day files lie. utc: whose day and hours they tell, else local.

    opening: how a new day file begins; entry: one entry. Both are filled with {day}, {time} (HH:MM) and {text}.
    characters: how long a day file may become, None where nothing bounds it.
    """

    folder: str = "memory"
    utc: bool = False
    opening: str = ""
    entry: str
    characters: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One file of the prompt that a session begins with. characters: where it is cut, None for never."""

    path: str
    characters: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap:
    """The files a session begins with, in order. characters: where the whole is cut; cut: what stands where it was."""

    parts: tuple[Part, ...]
    joint: str = "\n\n"
    characters: int | None = None
    cut: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One system's folder.

    knows: whether a folder is one. alone: it is a workspace wherever it lies; the others only give a name to a folder
    that is one already. agent, channel: whose it is and where its memory belongs, None where its place says nothing.
    days: None where the system keeps none. bootstrap: None where it says nothing of what a session begins with.
    writable: files an agent may rewrite whole. learnings: whether it keeps errors and corrections. any_text: it keeps
    memory in files of any name, not in markdown alone. budgets: characters that curated files should stay within.
    begins: files its agents carry beside those of the bootstrap, which a person may begin from a template.
    """

    name: str
    knows: Knows
    alone: bool = False
    agent: Callable[[Path], str | None] = named_after
    channel: Callable[[Path], str | None] = lambda _: None
    days: Days | None = None
    bootstrap: Bootstrap | None = None
    writable: tuple[str, ...] = ()
    learnings: bool = False
    any_text: bool = False
    budgets: tuple[tuple[str, int], ...] = ()
    begins: tuple[str, ...] = ()


def lies_in(folder: Path, *names: str | None) -> bool:
    """Whether the folder, its parent and so on bear these names; None for any."""
    return all(name in (None, at.name) for name, at in zip(names, (folder, *folder.parents), strict=False))


def nobody(_: Path) -> None:
    """No agent in particular."""
