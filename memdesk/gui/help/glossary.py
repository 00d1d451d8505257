"""What the figures of the window mean: one sentence a term, from resources/help/terms.toml.

A term is known by its names, as the window shows them: a table's title or a heading that is one explains itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memdesk.files.places import resource
from memdesk.gui import language


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One figure. names: what it is called, the usual name first. page: the panel whose page tells more."""

    key: str
    page: str
    names: tuple[str, ...]
    says: str


def terms() -> Mapping[str, Term]:
    """Every term by its key, in the language that is spoken."""
    return _read(language.spoken())


def named(title: str) -> Term | None:
    """The term of this name, whatever its case; None for a name that is none."""
    return _by_name(language.spoken()).get(title.strip().lower())


@cache
def _read(tongue: str) -> Mapping[str, Term]:
    with resource("help", "terms.toml").open("rb") as file:
        found = tomllib.load(file)
    return {
        key: Term(key=key, page=each["page"], names=tuple(each[tongue]["names"]), says=each[tongue]["says"])
        for key, each in found.items()
    }


@cache
def _by_name(tongue: str) -> Mapping[str, Term]:
    return {name.lower(): term for term in _read(tongue).values() for name in term.names}
