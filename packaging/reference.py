"""Write the README's reference tables from the code that decides them: settings, calls, exit codes, formats.

.venv/bin/python packaging/reference.py            writes them anew
.venv/bin/python packaging/reference.py --check    says whether they are fresh (exit code 1 if not)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from memdesk.contract.endpoints import ENDPOINTS
from memdesk.engine.interop.formats import EXPORTERS
from memdesk.engine.interop.sources import IMPORTERS
from memdesk.model.errors import ALL_ERRORS
from memdesk.model.settings import Settings

README = Path(__file__).resolve().parent.parent / "README.md"

Row = tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    """Write the tables, or with --check only compare. Returns the exit code."""
    now = README.read_text(encoding="utf-8")
    fresh = refreshed(now)
    if arguments == ["--check"]:
        print(
            "The README's tables are fresh."
            if now == fresh
            else "Run packaging/reference.py: the tables are stale."
        )
        return int(now != fresh)
    README.write_text(fresh, encoding="utf-8")
    return 0


def refreshed(readme: str) -> str:
    """The README with every table between its markers made anew. Raises ValueError when a marker is missing."""
    for name, (head, rows) in TABLES.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, after = readme.index(start) + len(start), readme.index(end)
        readme = readme[:before] + table(head, rows()) + readme[after:]
    return readme


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
    """method, path, caller, what it does: one row an endpoint."""
    for call in ENDPOINTS:
        yield call.method, f"`{call.path}`", "owner" if call.owner else "anyone", call.says


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


TABLES = {
    "settings": (("Setting", "Default", "Range", "What it does, and why it is so"), settings),
    "calls": (("Method", "Path", "Who", "What it does"), calls),
    "formats in": (("Format", "What comes in"), formats_in),
    "formats out": (("Format", "File", "What goes out", "Comes back"), formats_out),
    "exit codes": (("Exit code", "Error", "HTTP", "Meaning"), exit_codes),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
