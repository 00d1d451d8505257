"""Fields that an edit changed, as text before and after."""

from __future__ import annotations

from typing import Any

from memdesk.model.change import Edit
from memdesk.model.history import (
    FieldMove,
    RecordRef,
)
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import BY_NAME

_UNSHOWN = {"seq", "id", "user_id"}
"""Fields of every record that are useless to a person in a comparison of before and after."""


def moves_of(edit: Edit, refs: dict[str, RecordRef]) -> list[FieldMove]:
    """Return the fields an edit changed, as text before and after; fields empty on both sides are left out."""
    kind = BY_NAME[edit.kind]
    before, after = edit.before or {}, edit.after or {}
    title = refs[edit.id].title if edit.id in refs else edit.id
    return [
        FieldMove(
            record=edit.id,
            kind=kind.name,
            title=title,
            field=name,
            before=_shown(name, before.get(name)),
            after=_shown(name, after.get(name)),
        )
        for name in kind.columns
        if name in {**before, **after}
        and name not in _UNSHOWN
        and (before.get(name) not in (None, "") or after.get(name) not in (None, ""))
    ]


def _shown(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if name.endswith("_at") and isinstance(value, int):
        return to_datetime(value).isoformat(timespec="seconds")
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)
