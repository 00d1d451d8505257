"""Write the tables of resources/docs from the code that decides them: settings, calls, exit codes, formats, journeys.

.venv/bin/python packaging/reference.py            writes them anew
.venv/bin/python packaging/reference.py --check    says whether they are fresh (exit code 1 if not)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import journeys

from memdesk.api.endpoints import ENDPOINTS
from memdesk.engine.interop.formats import EXPORTERS
from memdesk.engine.interop.sources import IMPORTERS
from memdesk.model.errors import ALL_ERRORS
from memdesk.model.settings import Settings

DOCS = Path(__file__).resolve().parent.parent / "resources" / "docs"

Row = tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    """Write the tables, or with --check only compare. Returns the exit code."""
    stale = [(page, fresh) for page, now, fresh in pages() if now != fresh]
    if arguments == ["--check"]:
        for page, _ in stale:
            print(f"{page.name}: the tables are stale. Run packaging/reference.py.")
        return int(bool(stale))
    for page, fresh in stale:
        page.write_text(fresh, encoding="utf-8")
    return 0


def pages() -> Iterator[tuple[Path, str, str]]:
    """Yield each page that has tables, its text, and its text with new tables."""
    for name in dict.fromkeys(each.page for each in TABLES):
        page = DOCS / name
        now = page.read_text(encoding="utf-8")
        yield page, now, refreshed(now, [each for each in TABLES if each.page == name])


def refreshed(text: str, tables: Iterable[Generated]) -> str:
    """Return a page with new tables between their comments. Raises ValueError when a comment is missing."""
    for each in tables:
        start, end = f"<!-- {each.name} -->\n", f"<!-- end of {each.name} -->"
        before, after = text.index(start) + len(start), text.index(end)
        text = text[:before] + table(each.head, each.rows()) + text[after:]
    return text


def table(head: Row, rows: Iterable[Row]) -> str:
    """A markdown table."""
    lines = (head, tuple("---" for _ in head), *rows)
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def settings() -> Iterator[Row]:
    """name, default with its unit, range, reason: one row a field of Settings."""
    for item in fields(Settings):
        about = item.metadata
        default = f"`{item.default!r}`".replace("'", '"') + (f" {about['unit']}" if about["unit"] else "")
        bounds = "" if about["low"] is None else f"{about['low']:g} to {about['high']:g}"
        yield f"`{item.name}`", default, bounds, about["why"]


def calls() -> Iterator[Row]:
    """method, path, least role, what it does: one row an endpoint."""
    for call in ENDPOINTS:
        role = ", ".join((call.role, *["people"] * call.person, *["here"] * call.here))
        yield call.method, f"`{call.path}`", role, call.summary


def exit_codes() -> Iterator[Row]:
    """exit code, error code, HTTP status, meaning: one row an error."""
    for error in ALL_ERRORS:
        meaning = (error.__doc__ or "").splitlines()[0]
        yield str(error.exit_code), f"`{error.code}`", str(error.status), meaning


def formats_in() -> Iterator[Row]:
    """name, what it reads: one row an importer, in the order they are asked."""
    for each in IMPORTERS:
        yield each.name, each.reads


def formats_out() -> Iterator[Row]:
    """name, what is written, whether it comes back: one row an exporter."""
    for each in EXPORTERS:
        about = each.about
        where = f"`{about.suffix}`" if about.suffix else "folder"
        yield f"`{about.name}`", where, about.says, "yes" if about.comes_back else "no"


def journey(name: str) -> Iterator[Row]:
    """Yield package and modules: one row for each package that a journey enters."""
    for package, modules in journeys.entered()[name].items():
        yield f"`{package}`", ", ".join(f"`{module}`" for module in modules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """Table of a page in resources/docs. name: what its comments contain."""

    page: str
    name: str
    head: Row
    rows: Callable[[], Iterable[Row]]


TABLES = (
    Generated(
        page="settings.md",
        name="settings",
        head=("Setting", "Default", "Range", "What it does, and why it is so"),
        rows=settings,
    ),
    Generated(page="calls.md", name="calls", head=("Method", "Path", "Who", "What it does"), rows=calls),
    Generated(page="formats.md", name="formats in", head=("Format", "What comes in"), rows=formats_in),
    Generated(
        page="formats.md",
        name="formats out",
        head=("Format", "File", "What goes out", "Comes back"),
        rows=formats_out,
    ),
    Generated(
        page="exit-codes.md",
        name="exit codes",
        head=("Exit code", "Error", "HTTP", "Meaning"),
        rows=exit_codes,
    ),
    *(
        Generated(page="architecture.md", name=name, head=("Package", "Modules"), rows=partial(journey, name))
        for name in journeys.JOURNEYS
    ),
)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
