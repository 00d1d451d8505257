"""Records of an examination of a desk, of the repair plan it proposes, and of a finished repair."""

from __future__ import annotations

from dataclasses import dataclass, field

AREAS = (
    "libraries", "folder", "settings", "database", "rows", "indexes", "journal", "files", "backups", "models", "hooks",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Result of one check. ok: whether it passed; next: the suggested action. mends: whether a repair fixes
    it."""

    area: str
    ok: bool
    says: str
    next: str = ""
    mends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """Result of examining a desk. plan: the steps of a repair, in order; empty if nothing needs repair."""

    desk: str
    findings: tuple[Finding, ...]
    plan: tuple[str, ...] = ()

    @property
    def is_well(self) -> bool:
        return all(each.ok for each in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class LostRecord:
    """Memory that could not be recovered. title: the title if it is still known."""

    kind: str
    id: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """Result of a repair. kept: the name, among the backups, under which the damaged database was kept.

    again: how many records were rebuilt, by source. changes: how many changes of the journal are now only
    stubs. missing: how many of the newest events of the desk are lost completely, including the names of
    their records. since: if a backup replaced the database, its name; later memory is also lost."""

    says: str
    kept: str
    again: dict[str, int] = field(default_factory=dict)
    lost: tuple[LostRecord, ...] = ()
    changes: int = 0
    missing: int = 0
    since: str = ""
