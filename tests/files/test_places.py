"""Which desk a name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.files.places import desk_at
from memdesk.model.errors import BadAsk


def test_an_address_of_a_database_means_a_folder_of_its_own_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("MEMDESK_DESK", "postgresql://mara:secret@db/desk")
    desk = desk_at()
    assert desk.address == "postgresql://mara:secret@db/desk" and "secret" not in str(desk.folder)
    assert desk.address_file.stat().st_mode & 0o777 == 0o600
    assert desk_at("postgresql://mara:changed@db/desk") == desk and "changed" in str(desk.address)
    assert desk_at("postgresql://mara@db/other") != desk
    with pytest.raises(BadAsk, match="not mysql"):
        desk_at("mysql://mara:secret@db/desk")
    with pytest.raises(BadAsk, match="as a URL") as refused:
        desk_at("host=db user=mara password=secret dbname=desk")
    assert "secret" not in str(refused.value)
    assert desk_at("at home").folder == tmp_path / "at home" and desk_at("at home").address is None
