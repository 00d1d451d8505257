"""Definition of one memory type for the store, search, audit and browsing."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Generic, Protocol, TypeVar

from memdesk.model.instant import SECOND


def new_id(prefix: str, at: int) -> str:
    """Return an id such as `f_01J9ZQ…` for a record created at `at` (UTC microseconds)."""
    # A client makes none, and importing it takes 25 ms of the start of a command.
    from ulid import ULID

    return f"{prefix}_{ULID.from_timestamp(at / SECOND)}"


class Record(Protocol):
    """Fields that every memory has. seq: its search number, given once."""

    @property
    def id(self) -> str: ...

    @property
    def seq(self) -> int: ...

    @property
    def user_id(self) -> str: ...


R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[R]):
    """Memory type with records of type R.

    text: columns that are searched, () for none. title: the column shown as one line. subject_rank: the
    subject of a change is the record whose kind has the lowest rank among those it touches; ranks are unique.
    references: (column, kind name or "record" for any kind) pairs that must exist. unique: column groups that
    may not repeat. fold: the column naming the record that a search hit of this kind is shown as. fades:
    whether it has a salience. columns: the fields of its record, in order. defaults: the values of fields
    that older journalled records lack."""

    name: str
    prefix: str
    table: str
    record: type[R]
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
        known = fields(self.record)  # type: ignore[arg-type]  # R is a dataclass, which no bound can say
        object.__setattr__(self, "columns", tuple(item.name for item in known))
        object.__setattr__(
            self, "defaults", {item.name: item.default for item in known if item.default is not MISSING}
        )

    @property
    def plural(self) -> str:
        """Return the lower-case label in the plural, such as `entities`."""
        label = self.label.lower()
        return label.removesuffix("y") + "ies" if label.endswith("y") else label + "s"
