"""What a part of the faults measured, as plain lines, and which promises did not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Figures:
    """A table with a title. broken: a sentence for each promise that did not hold."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The table in columns of one width each, numbers to the right, then what did not hold."""
        cells = [self.columns, *(tuple(map(_cell, row)) for row in self.rows)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(self.columns))]
        return [
            self.title,
            *(_line(row, widths) for row in cells),
            *(f"BROKEN  {each}" for each in self.broken),
        ]


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    cells = [first[0].ljust(first[1])]
    cells += [text.rjust(width) if text[:1].isdigit() else text.ljust(width) for text, width in others]
    return "  ".join(cells).rstrip()
