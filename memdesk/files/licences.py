"""Packages that MemDesk is made of, with their licences, and the notices that the licences ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from memdesk.files.places import resource

_NAME = re.compile(r"[\w.-]+")
_EXTRA = re.compile(r"extra\s*==\s*[\"']([\w-]+)[\"']")
DEVELOPERS = ("dev",)
"""Extras whose packages are no part of MemDesk."""
_CLASS = "License :: OSI Approved :: "


OWN = "memdesk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    name: str
    version: str
    licence: str
    url: str


def packages() -> tuple[Package, ...]:
    """Return the installed packages that MemDesk needs, with those of its extras, by name."""
    found: dict[str, Package] = {}
    waiting = [OWN]
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            known = distribution(name)
        except PackageNotFoundError:
            continue
        found[name] = _package(known)
        waiting += _needs(known, extras=name == OWN)
    return tuple(each for name, each in sorted(found.items()) if name != OWN)


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


def notices() -> str:
    """Return what licences ask to be said, as markdown."""
    return resource("docs", "third-party.md").read_text(encoding="utf-8")
