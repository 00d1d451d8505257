"""The owner's token: made once, private, and never half written."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.errors import NotAllowed, StorageFailed
from memdesk.service.callers import caller, owner_token


def test_the_token_is_made_once_and_private(tmp_path: Path) -> None:
    file = tmp_path / "owner.token"
    token = owner_token(file)
    assert len(token) >= 43
    assert owner_token(file) == token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_an_open_token_file_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "owner.token"
    owner_token(file)
    file.chmod(0o644)
    owner_token(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 50])
def test_a_damaged_token_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "owner.token"
    file.write_bytes(content)
    with pytest.raises(StorageFailed):
        owner_token(file)


def test_an_agents_token_opens_nothing_from_its_end_on(desk_folder: Path) -> None:
    engine = open_engine(Desk(desk_folder))
    headers = {"authorization": f"Bearer {engine.agents.make_token('scout', at=1, ends_at=100)}"}
    assert caller(headers, "owner's", engine.agents, now=99).agent == "scout"
    with pytest.raises(NotAllowed, match="has ended") as refused:
        caller(headers, "owner's", engine.agents, now=100)
    assert "memdesk agents add scout" in str(refused.value.next)
    engine.close()
