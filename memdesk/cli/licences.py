"""licences: the packages that MemDesk is made of, with their licences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from memdesk.cli.command import Command, Context
from memdesk.files.places import resource

_NAME = re.compile(r"[\w.-]+")
_EXTRA = re.compile(r"extra\s*==\s*[\"']([\w-]+)[\"']")
DEVELOPERS = ("dev",)
"""Extras whose packages are no part of MemDesk."""
_CLASS = "License :: OSI Approved :: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    name: str
    version: str
    licence: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Packages:
    """Output of `licences --json`. notices: what the licences want said, as markdown."""

    rows: tuple[Package, ...]
    notices: str


def packages(root: str = "memdesk") -> tuple[Package, ...]:
    """Return the installed packages that a package needs, with those of its extras, by name."""
    found: dict[str, Package] = {}
    todo = [root]
    while todo:
        name = todo.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            known = distribution(name)
        except PackageNotFoundError:
            continue
        found[name] = _package(known)
        todo += _needs(known, extras=name == root)
    return tuple(each for name, each in sorted(found.items()) if name != root)


def _needs(known: Distribution, *, extras: bool) -> Iterator[str]:
    for requirement in known.requires or ():
        extra = _EXTRA.search(requirement)
        name = _NAME.match(requirement)
        if name and (extra is None or (extras and extra[1] not in DEVELOPERS)):
            yield name[0]


def _package(known: Distribution) -> Package:
    about = known.metadata.json
    classes = (each for each in about.get("classifier", ()) if each.startswith(_CLASS))
    licence = about.get("license_expression") or ", ".join(each.removeprefix(_CLASS) for each in classes)
    first = str(about.get("license") or "").partition("\n")[0]
    urls = (each.partition(", ")[2] for each in about.get("project_url", ()))
    return Package(
        name=str(about["name"]),
        version=known.version,
        licence=str(licence or first or "see its files"),
        url=str(about.get("home_page") or next(urls, "")),
    )


def licences(context: Context) -> int:
    """List the packages that MemDesk is made of, with their versions and licences, and what is owed to them."""
    found = packages()
    notices = resource("docs", "third-party.md").read_text(encoding="utf-8")
    table = context.out.table(
        ("PACKAGE", "VERSION", "LICENCE"), [(each.name, each.version, each.licence) for each in found]
    )
    context.out.answer(Packages(rows=found, notices=notices), [*notices.splitlines(), "", *table])
    return 0


COMMANDS = (Command(name="licences", run=licences),)
