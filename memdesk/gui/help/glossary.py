"""Glossary of the window's figures: one sentence per term, from resources/help/terms.toml.

A term is found by the names that the window shows: a column title or heading that matches one is explained
automatically."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memdesk.files.places import resource
from memdesk.gui import language


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A glossary entry. names: its names, the usual one first. page: the panel whose help page explains it
    further."""

    key: str
    page: str
    names: tuple[str, ...]
    says: str


def terms() -> Mapping[str, Term]:
    """Return every term by its key, in the language in use."""
    return _read(language.spoken())


def named(title: str) -> Term | None:
    """Return the term with this name, ignoring case; None if there is none."""
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
