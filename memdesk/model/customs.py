"""Customs of an import: the things that a source from elsewhere brings besides plain memory, each of which needs
a yes of its own."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.message import Message

ALL = "all"
"""Word in `accept` for everything that a source declares, but for grants."""
TRUST, PINS, AUTHORS = "trust", "pins", "authors"
STANDING, SETTINGS, GRANTS = "standing", "settings", "grants"
FOLDERS, GLOBAL_MEMORY, INSTRUCTIONS = "folders", "global", "instructions"
DECLARATIONS: dict[str, str] = {
    TRUST: "Without a yes it counts as imported, and is told to agents as quoted.",
    PINS: "Without a yes they come in unpinned, and use counts stay out.",
    AUTHORS: "Without a yes they come in as imported, and agents under another name.",
    STANDING: "Without a yes they stay out.",
    SETTINGS: "Without a yes they stay out.",
    GRANTS: "Without a yes to grants, or to one of them, they stay out: they say what an agent may do here.",
    FOLDERS: "Without a yes they stay out, with their files.",
    GLOBAL_MEMORY: "Without a yes it comes into a channel of its own.",
    INSTRUCTIONS: "Without a yes they are kept out of recall until you decide in review.",
}
"""Result without a yes, by the kind of thing declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Thing that a source brings besides plain memory. id: names it in `accept`, after its kind and a colon.

    count: the number of records it is about."""

    id: str
    text: Message
    count: int = 1
    accepted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Things of one kind in the preview of an import. name: trust, pins, authors, standing, settings, grants,
    folders, global or instructions; it accepts them all.

    count, accepted: how many things there are, and how many of them were accepted. says: the result without a yes.
    rows: the first of them."""

    name: str
    count: int
    accepted: int
    says: str
    rows: tuple[Declared, ...] = ()
