"""Which desk a name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.files.places import desk_at
from memdesk.model.errors import BadAsk


def test_an_address_of_a_database_is_not_taken_for_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMDESK_DESK", "postgresql://mara:secret@db/desk")
    with pytest.raises(BadAsk) as caught:
        desk_at()
    assert "cannot be opened yet" in caught.value.says and "secret" not in caught.value.says
    assert desk_at("at home").folder == tmp_path / "at home"
