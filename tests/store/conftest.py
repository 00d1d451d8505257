"""Stores whose database is made by all migrations, as a new desk's is."""

from __future__ import annotations

import pytest

from memdesk.store import store
from tests import prepared


@pytest.fixture(autouse=True)
def migrated_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "open_database", prepared.open_anew)
