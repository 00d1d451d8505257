"""A Kind is what the store, search, audit and browse need to know about one memory type."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One memory type.

    text: columns that are searched, () for none. title: the column shown as one line. subject_rank: a change is about
    the record whose kind has the lowest of all it touches; no two kinds share one. references: (column, kind name or
    "record" for any kind) pairs that must exist. unique: column groups that may not repeat. fold: the column naming
    the record that a search hit of this kind stands for. fades: whether it has a salience. columns: the fields of its
    record, in order. defaults: what a field is in records written before it existed.
    """

    name: str
    prefix: str
    table: str
    record: type[Any]
    label: str
    layer: str
    title: str
    subject_rank: int
    text: tuple[str, ...] = ()
    references: tuple[tuple[str, str], ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    fold: str | None = None
    fades: bool = False
    columns: tuple[str, ...] = field(init=False)
    defaults: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        known = fields(self.record)
        object.__setattr__(self, "columns", tuple(item.name for item in known))
        object.__setattr__(
            self, "defaults", {item.name: item.default for item in known if item.default is not MISSING}
        )

    @property
    def plural(self) -> str:
        """The label for several of them within a sentence, such as `entities`."""
        label = self.label.lower()
        return label.removesuffix("y") + "ies" if label.endswith("y") else label + "s"
