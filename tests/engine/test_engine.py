"""The bundle every verb takes: whose desk it is, wherever it runs."""

from __future__ import annotations

import os

import pytest

from memdesk.engine import engine as engine_module
from memdesk.engine.engine import Engine


def test_a_desk_has_an_owner_where_the_account_has_no_name(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 54_321)
    engine_module._account.cache_clear()
    assert engine.person == "Owner"
    engine_module._account.cache_clear()
