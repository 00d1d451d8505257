"""Definition of one memory type for the store, search, audit and browsing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Generic, Protocol, TypeVar

from memdesk.model.instant import SECOND

# Named here and not derived, for a command that recalls would import every memory type: 60 ms of its start.
RECALLED: tuple[str, ...] = ("turn", "fact", "entity", "passage")
"""Kinds that a recall returns by default."""
SEARCHED: tuple[str, ...] = (*RECALLED, "goal", "strategy")
"""Kinds that a recall can return."""


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
    True if it has a salience. category: the column with its category or type, "" for none. statuses: the
    values of its column `status`, if it has one; open_statuses: those of a record that has not ended.

    recalled: a recall returns it; searched: a recall returns it on request. timeline: it appears in the
    timeline, and its table has an index `<table>_time` on (user_id, created_at). tabled: it has a table in
    the panel Facts. owner: the kind that it is exported with. acts: what can be done with one record.

    panel: the panel that shows one. icon, heading: those of a found record. shape: the category whose shape
    it is drawn with; left out, its own. none_yet: two sentences for an empty table. labels: names of columns
    that their own name does not explain; hidden: columns that the inspector leaves out.

    A kind with `origin` and `trust` (model/trust.py) keeps the door its records came through.

    columns: the fields of its record, in order. defaults: the values of fields that older journalled records
    lack."""

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
    category: str = ""
    statuses: tuple[str, ...] = ()
    open_statuses: tuple[str, ...] = ()
    recalled: bool = False
    searched: bool = False
    timeline: bool = False
    tabled: bool = False
    owner: str = ""
    acts: tuple[str, ...] = ()
    panel: str = "facts"
    icon: str = "facts"
    heading: str = "Memories"
    shape: str = ""
    none_yet: tuple[str, str] = ("", "")
    labels: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
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

    @property
    def counted(self) -> str:
        """Return the text for a number of them, such as `%Ln entit(y|ies)`."""
        label = self.label.lower()
        return f"%Ln {label.removesuffix('y')}(y|ies)" if label.endswith("y") else f"%Ln {label}(s)"

    @property
    def states(self) -> tuple[str, ...]:
        """Return the states by which a list of them is filtered."""
        return (
            "current",
            *(("past",) if self.statuses or "temporal" in self.columns else ()),
            *(("pinned",) if "pinned" in self.columns else ()),
            *self.statuses,
            *(("quarantined",) if "quarantine" in self.acts else ()),
            "retired",
            "all",
        )

    @property
    def sorts(self) -> tuple[str, ...]:
        """Return the sort orders of a table of them."""
        own = {
            "category": bool(self.category),
            "source": "source" in self.columns,
            "confidence": "confidence" in self.columns,
            "salience": self.fades,
            "recalled": self.fades,
            "priority": "priority" in self.columns,
            "state": bool(self.statuses),
        }
        return ("created", "title", "channel", *(name for name, has in own.items() if has))

    @property
    def described(self) -> tuple[str, ...]:
        """Return the columns that the inspector shows below the title, in order."""
        left_out = {
            *EVERYWHERE,
            *self.hidden,
            self.title,
            self.category,
            *(name for name, _ in self.references),
        }
        return tuple(name for name in self.columns if name not in left_out)

    def label_of(self, column: str) -> str:
        """Return the name of a column for people."""
        return self.labels.get(column, column.replace("_", " "))


EVERYWHERE = (
    *("seq", "id", "user_id", "channel", "agent_id", "created_at", "started_at", "retired_at"),
    *("pinned", "confidence", "salience", "salience_at", "origin", "trust"),
)
"""Columns that every inspector shows in a place of their own, or not at all."""
_TIMES = frozenset(("deadline", "valid_from", "valid_to", "later_until"))


def is_time(column: str) -> bool:
    """Return True if a column has a time, in UTC microseconds."""
    return column in _TIMES or column.endswith("_at")
