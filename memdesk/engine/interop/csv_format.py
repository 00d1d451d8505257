"""Import of CSV: a table with a header, one fact per row. Columns are recognised by name, and the preview
shows the mapping."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import count
from typing import Any

from memdesk.engine.interop import imported_records
from memdesk.engine.interop.batches import ImportedRecord, Source
from memdesk.engine.interop.imported_records import Fields, stable_id
from memdesk.engine.interop.reading import Peek
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.message import Message, message

_CONFIDENCE = 0.85
TABLES = {".csv": ",;\t|", ".tsv": "\t"}
_SNIFFED_CHARACTERS = 10_000
_COLUMNS: dict[str, tuple[str, ...]] = {
    "claim": ("claim", "fact", "memory", "statement", "text", "content", "note", "observation"),
    "id": ("id", "fact_id", "memory_id", "uuid"),
    "category": ("category", "type", "kind"),
    "confidence": ("confidence", "certainty"),
    "channel": ("channel", "project"),
    "agent": ("agent", "agent_id"),
    "created at": ("created_at", "created", "timestamp", "date", "time"),
    "key": ("key",),
    "value": ("value",),
    "about": ("about", "entities", "entity"),
    "tags": ("tags", "labels"),
}
"""Accepted column names for each field, the most likely first."""
Columns = dict[str, str]


class Table:
    """Table imported as a single file. In a folder a table may contain anything, so there it is left out."""

    name = "csv"
    reads = message("A table (`.csv`, `.tsv`), a fact a row; the preview says how each column is read")

    def sniff(self, peek: Peek) -> bool:
        return peek.suffix in TABLES and not peek.is_folder

    def open(self, peek: Peek) -> Source:
        (_, header), *rows = _rows(peek)
        columns = _read_as(header)
        if "claim" not in columns and not {"key", "value"} <= columns.keys():
            names = ", ".join(f"“{name}”" for name in _COLUMNS["claim"])
            raise Refused(
                message("{peek} has no column that holds a claim.", peek=peek.name),
                next=message("Name the column one of these: {names}.", names=names),
            )
        facts = [
            created
            for number, row in rows
            for created in _fact(
                Fields(
                    _named(header, row, peek.name, number),
                    message("{peek}, row {line}", peek=peek.name, line=number),
                ),
                columns,
            )
        ]
        batches = imported_records.batches("rows", peek.name, facts)
        return Source.of(self.name, _says(header, columns), peek, *batches)


def _rows(peek: Peek) -> list[tuple[int, list[str]]]:
    """Return the table's rows with their numbers, the header first, without empty ones. Raises Refused if the file is
    not a table."""
    text = peek.file.text
    marks = TABLES[peek.suffix]
    head = text[:_SNIFFED_CHARACTERS].split("\n", 1)[0]
    mark = max(marks, key=head.count)
    try:
        found = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True))
    except csv.Error as error:
        raise Refused(message("{peek} is not a table: {error}.", peek=peek.name, error=error)) from error
    rows = [(number, row) for number, row in enumerate(found, 1) if any(cell.strip() for cell in row)]
    if not rows:
        raise Refused(message("{note} is empty.", note=peek.name))
    number, header = rows[0]
    return [(number, _distinct(header)), *rows[1:]]


def _distinct(header: list[str]) -> list[str]:
    """Return the names of the columns; a name that an earlier column has gets a number, and becomes one that no column
    has."""
    names = [each.strip() for each in header]
    taken = set(names)
    numbers: dict[str, Iterator[int]] = {}
    found: list[str] = []
    for name in names:
        if name in numbers:
            others = (f"{name} {number}".strip() for number in numbers[name])
            found.append(next(each for each in others if each not in taken))
            taken.add(found[-1])
        else:
            numbers[name] = count(2)
            found.append(name)
    return found


def _read_as(header: list[str]) -> Columns:
    """Return the column of each field; if two columns match, the more likely name, then the first column."""
    there = {name.lower().replace(" ", "_"): name for name in reversed(header)}
    found: Columns = {}
    for what, names in _COLUMNS.items():
        column = next(
            (there[name] for name in names if name in there and there[name] not in found.values()), None
        )
        if column is not None:
            found[what] = column
    return found


def _named(header: list[str], row: list[str], file: str, number: int) -> dict[str, Any]:
    if len(row) != len(header):
        raise Refused(
            message(
                "{file}: row {line} has {count} columns and the header {expected}.",
                file=file,
                line=number,
                count=len(row),
                expected=len(header),
            ),
            next=message("Nothing was brought in; mend the row and try again."),
        )
    return {name: cell.strip() or None for name, cell in zip(header, row, strict=True)}


def _fact(row: Fields, columns: Columns) -> Iterator[ImportedRecord]:
    """Yield a row as a fact with its entities and tags. Without an id, its claim and channel make the id."""

    def cell(what: str) -> str:
        return row.text(columns[what]) if what in columns else ""

    pair = {"key": cell("key"), "value": cell("value")} if cell("key") and cell("value") else {}
    claim = cell("claim") or (f"{pair['key']}: {pair['value']}" if pair else "")
    if not claim:
        raise Refused(message("{where} has no claim.", where=row.where))
    channel = cell("channel")
    id = cell("id") or f"{FACT.prefix}_{stable_id(channel, claim)}"
    created = row.at(columns["created at"]) if "created at" in columns else None
    place: dict[str, Any] = {"channel": channel, "created_at": created}
    about, tags = _listed(cell("about")), _listed(cell("tags"))
    yield from (
        imported_records.entity(
            imported_records.entity_id(name, channel), name, Fields({}, row.where), **place
        )
        for name in about
    )
    yield imported_records.fact(
        id,
        claim,
        row,
        category=cell("category") or "fact",
        confidence=_confidence(row, cell("confidence")),
        agent_id=cell("agent") or None,
        **pair,
        **place,
    )
    yield from imported_records.about(
        id, [imported_records.entity_id(name, channel) for name in about], row.where, **place
    )
    yield from imported_records.tags(id, tags, row.where, **place)


def _confidence(row: Fields, text: str) -> float:
    try:
        return Fields({"confidence": float(text) if text else None}, row.where).share(
            "confidence", _CONFIDENCE
        )
    except ValueError:
        raise row.wrong("confidence", message("a number")) from None


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _says(header: list[str], columns: Columns) -> Message:
    read = [message("{what} from “{column}”", what=what, column=column) for what, column in columns.items()]
    others = [name for name in header if name not in columns.values()]
    if others:
        return message("Table of facts: {read}; kept beside: {others}", read=read, others=others)
    return message("Table of facts: {read}", read=read)


TABLE = Table()
