"""Settings while the desk runs: listed with their range and reason, and changed all or none."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.wording import titled
from memdesk.files.settings import checked, put_back, rewrite_settings
from memdesk.model.change import Change
from memdesk.model.errors import BadAsk, StorageFailed
from memdesk.model.message import message
from memdesk.model.settings import DEFAULTS, NAMES, SHARED, Settings
from memdesk.model.status import ChangeSettings, SettingList, SettingRow, SettingsChanged
from memdesk.store import bookkeeping
from memdesk.store.connection import Connection

_one_at_a_time = threading.Lock()


def follow_settings(engine: Engine) -> None:
    """Take over the settings that the services of the desk share, in the file and in the running engine. Values
    of the file that none of them has changed so far are shared from now on.

    Raises StorageFailed or BadAsk for a file that cannot be read or written."""
    with _one_at_a_time:
        with engine.store.reading() as db:
            shared = bookkeeping.read_settings(db)
        now = engine.settings
        new = {name: getattr(now, name) for name in SHARED if name not in shared}
        if new := {name: value for name, value in new.items() if value != getattr(DEFAULTS, name)}:
            engine.store.submit(lambda db: bookkeeping.write_settings(db, new)).result()
        moved = {name: value for name, value in _known(shared) if getattr(now, name) != value}
        if moved:
            rewrite_settings(engine.desk.settings, moved, ())
            engine.use(replace(now, **moved))


def _known(shared: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the shared settings that this version knows, without those of a newer one."""
    for name in SHARED:
        if name in shared:
            with suppress(BadAsk):
                yield name, checked(name, shared[name])


def list_settings(engine: Engine) -> SettingList:
    """List every setting with its present value."""
    return SettingList(rows=_rows(engine.settings, NAMES))


def change_settings(engine: Engine, ask: ChangeSettings, *, author: str) -> SettingsChanged:
    """Change settings from now on: in the file, in the journal and in the running engine, all of them or
    none.

    Raises BadAsk naming the range or the choices that a value missed, or for a file that cannot be read;
    StorageFailed for an embedder that the other services of the desk do not use."""
    wanted = _wanted(ask)
    with _one_at_a_time:
        before = engine.settings
        after = replace(before, **wanted)
        moved = [name for name in NAMES if getattr(before, name) != getattr(after, name)]
        written = rewrite_settings(
            engine.desk.settings, {name: wanted[name] for name in ask.values}, ask.reset
        )
        number = _journal(engine, before, after, moved, author, written) if moved else None
        try:
            engine.use(after)
        except StorageFailed:
            put_back(engine.desk.settings, written)
            _journal(engine, after, before, moved, author, None)
            engine.use(before)
            raise
    return SettingsChanged(change=number, rows=_rows(after, moved))


def _wanted(ask: ChangeSettings) -> dict[str, Any]:
    """Return every named setting with its new value. Raises BadAsk."""
    if not ask.values and not ask.reset:
        raise BadAsk(
            message("No setting was named."), next=message("Give values by name, or names to reset.")
        )
    if both := sorted(ask.values.keys() & set(ask.reset)):
        raise BadAsk(
            message("{both} is to be set and reset at once.", both=both[0]), next=message("Choose one.")
        )
    given = {name: checked(name, value) for name, value in ask.values.items()}
    return given | {name: checked(name, getattr(DEFAULTS, name, None)) for name in ask.reset}


def _journal(
    engine: Engine, before: Settings, after: Settings, moved: list[str], author: str, written: bytes | None
) -> int:
    """Write the event about the changed settings and return its number; if that fails, put the file back."""
    moves = {name: {"before": getattr(before, name), "after": getattr(after, name)} for name in moved}
    said = ", ".join(
        f"{name}: {_text(each['before'])} → {_text(each['after'])}" for name, each in moves.items()
    )
    noun = "Setting" if len(moved) == 1 else "Settings"

    def verb(db: Connection) -> tuple[Change, None]:
        if engine.store.shared:
            bookkeeping.write_settings(db, {name: getattr(after, name) for name in moved if name in SHARED})
        title = titled(message("{noun} {said}", noun=noun, said=said), 200)
        return Change.of_desk(title, author=author, details={"settings": moves}), None

    try:
        applied, _ = engine.store.decide(verb)
    except StorageFailed:
        put_back(engine.desk.settings, written)
        raise
    assert applied is not None
    return applied.id


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "empty"


def _rows(settings: Settings, names: Sequence[str]) -> tuple[SettingRow, ...]:
    about = {item.name: item.metadata for item in fields(Settings)}
    return tuple(_row(name, getattr(settings, name), getattr(DEFAULTS, name), about[name]) for name in names)


def _row(name: str, value: Any, default: Any, about: Mapping[str, Any]) -> SettingRow:
    return SettingRow(
        name=name,
        value=value,
        default=default,
        unit=about["unit"],
        low=about["low"],
        high=about["high"],
        choices=about["choices"],
        why=about["why"],
        changed=value != default,
    )
