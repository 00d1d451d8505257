"""Descriptions of fields, for the OpenAPI document and the help of commands.

A record's docstring describes its own fields, as `name, other: meaning.`; `fields.txt` has the descriptions of fields
that have the same meaning in every record, or need none in the code."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

_TOLD = re.compile(r"(?:(?<=\. )|^)(`?[a-z_]+`?(?:(?:, | and )`?[a-z_]+`?)*): ")
"""Beginning of a description of fields, in a docstring put on one line."""


@cache
def common() -> dict[str, str]:
    """Return the descriptions of fields whose record has none in its docstring, by name."""
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def words(record: Any) -> str:
    """Return a record's own docstring; "" where it has only the generated one of a dataclass, or is no
    record."""
    doc, name = record.__dict__.get("__doc__") or "", record.__name__
    return inspect.cleandoc(doc) if is_dataclass(record) and not doc.startswith(f"{name}(") else ""


def asked(record: Any) -> dict[str, str]:
    """Return the description of each field of a request, by name."""
    names = {item.name for item in fields(record)}
    return {name: says for name, says in common().items() if name in names} | field_descriptions(record)


def field_descriptions(record: Any) -> dict[str, str]:
    """Return the descriptions of fields in a record's docstring and those of its bases."""
    names = {item.name for item in fields(record)}
    says: dict[str, str] = {}
    for kind in reversed(record.__mro__):
        says |= _parse_descriptions(" ".join(words(kind).split()), names)
    return says


def _parse_descriptions(doc: str, names: set[str]) -> dict[str, str]:
    """Return the fields described in a docstring as `first, second: meaning.`, each up to the next such
    description."""
    starts = [
        (found, named)
        for found in _TOLD.finditer(doc)
        if (named := set(re.findall(r"[a-z_]+", found[1])) - {"and"}) <= names
    ]
    ends = [found.start() for found, _ in starts[1:]] + [len(doc)]
    return {
        name: doc[found.end()].upper() + doc[found.end() + 1 : end].rstrip()
        for (found, named), end in zip(starts, ends, strict=False)
        for name in named
    }
