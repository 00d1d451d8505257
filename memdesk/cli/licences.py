"""licences: the packages that MemDesk is made of, with their licences."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.cli.command import Command, Context
from memdesk.files.licences import Package, notices, packages


@dataclass(frozen=True, slots=True, kw_only=True)
class Packages:
    """Output of `licences --json`. notices: what the licences want said, as markdown."""

    rows: tuple[Package, ...]
    notices: str


def licences(context: Context) -> int:
    """List the packages that MemDesk is made of, with their versions and licences, and what is owed to them."""
    found, licence_texts = packages(), notices()
    table = context.out.table(
        ("PACKAGE", "VERSION", "LICENCE"), [(each.name, each.version, each.licence) for each in found]
    )
    context.out.answer(Packages(rows=found, notices=licence_texts), [*licence_texts.splitlines(), "", *table])
    return 0


COMMANDS = (Command(name="licences", run=licences),)
