"""Records of an examination of a desk, of a repair that it proposes, and of one that was done."""

from __future__ import annotations

from dataclasses import dataclass, field

AREAS = (
    "libraries", "folder", "settings", "database", "rows", "indexes", "journal", "files", "backups", "models", "hooks",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at. ok: whether it is well; next: what to do. mends: whether a repair mends it."""

    area: str
    ok: bool
    says: str
    next: str = ""
    mends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """A desk as a doctor sees it. plan: what a repair would do, in order; empty where there is nothing to repair."""

    desk: str
    findings: tuple[Finding, ...]
    plan: tuple[str, ...] = ()

    @property
    def is_well(self) -> bool:
        return all(each.ok for each in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class LostRecord:
    """A memory that could not be brought back. title: what was still known of it."""

    kind: str
    id: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What a repair came to. kept: where the database as it was lies, by name among the backups.

    again: how many records were made again, by where from. changes: how many changes of the journal are only stubs now.
    missing: how many of the newest events the desk once held of which nothing is left, not even a name.
    since: where a whole backup took the place, its name; what came after it is lost as well.
    """

    says: str
    kept: str
    again: dict[str, int] = field(default_factory=dict)
    lost: tuple[LostRecord, ...] = ()
    changes: int = 0
    missing: int = 0
    since: str = ""
