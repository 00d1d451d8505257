"""Settings that all services of a desk in a database share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memdesk.store.connection import Connection

TABLE = "desk_settings"
LAYOUT = f"CREATE TABLE {TABLE} (name TEXT PRIMARY KEY, value TEXT NOT NULL)"


def read(db: Connection) -> dict[str, Any]:
    """Return the settings that were ever changed, with their values."""
    return {name: json.loads(value) for name, value in db.rows(f"SELECT name, value FROM {TABLE}")}


def write(db: Connection, values: Mapping[str, Any]) -> None:
    """Write settings, in the current transaction."""
    db.run_many(
        f"INSERT INTO {TABLE} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [(name, json.dumps(value)) for name, value in values.items()],
    )
