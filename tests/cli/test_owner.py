"""Dangerous commands ask the owner: for the passphrase if one is set, else for a name or a flag."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import pytest

from memdesk.api import owner
from memdesk.client.direct import DirectClient
from memdesk.files import passphrase
from memdesk.files.places import Desk
from memdesk.model.agent import AnswerAct
from memdesk.model.errors import NotAllowed, NotFound
from tests.conftest import until

SECRET = "the tide turns at nine"


@pytest.mark.file
def test_a_restore_is_confirmed_by_a_flag_where_nobody_can_type(memdesk: Any) -> None:
    memdesk("remember", "The gate is red.")
    memdesk("backup", "now")
    name = memdesk("backup", "list", "--json").json["rows"][0]["name"]
    assert memdesk("backup", "restore", name).code == 2
    assert memdesk("backup", "restore", name, "--yes").code == 0


@pytest.mark.file
def test_what_is_dangerous_asks_for_the_passphrase_once_one_is_set(
    memdesk: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    memdesk("remember", "The gate is red.")
    assert memdesk("backup", "now").code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(SECRET + "\n"))
    assert memdesk("owner", "passphrase").code == 0
    assert SECRET not in desk.owner_passphrase.read_text()
    assert passphrase.matches(desk.owner_passphrase, SECRET)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    name = memdesk("backup", "list", "--json").json["rows"][0]["name"]
    dangerous = (
        ("export", "archive", str(tmp_path / "all.zip")),
        ("agents", "grant", "scout", "global"),
        ("agents", "add", "scout"),
        ("erase", "local", "--confirm", "local"),
        ("backup", "restore", name, "--yes"),
        ("owner", "passphrase", "--remove"),
    )
    for words in dangerous:
        refused = memdesk(*words)
        assert refused.code == 3 and "passphrase" in refused.err, words
    assert memdesk("facts").code == 0
    monkeypatch.setenv("MEMDESK_PASSPHRASE", "wrong")
    assert memdesk("agents", "add", "scout").code == 3
    monkeypatch.setenv("MEMDESK_PASSPHRASE", SECRET)
    assert memdesk("agents", "add", "scout").out.startswith("mda_")
    monkeypatch.delenv("MEMDESK_PASSPHRASE")
    # The process that keeps the window's lock is the window: a click there confirms.
    desk.window_lock.write_text(f"{os.getpid()}\nmemdesk\nhost\n")
    assert memdesk("agents", "grant", "scout", "global").code == 0
    assert memdesk("owner", "passphrase", "--remove").code == 0
    desk.window_lock.unlink()
    assert not desk.owner_passphrase.exists()


def test_the_owners_token_moves_into_the_keyring_and_back(memdesk: Any, desk: Desk) -> None:
    keyring = pytest.importorskip("keyring", reason="the extra `keyring` is not installed")
    backend = pytest.importorskip("keyring.backend")
    memdesk("remember", "The gate is red.")
    token = desk.owner_token.read_text()

    class Drawer(backend.KeyringBackend):  # type: ignore[name-defined, misc]
        priority = 1.0
        kept: dict[tuple[str, str], str] = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.kept[service, username] = password

    before = keyring.get_keyring()
    keyring.set_keyring(Drawer())
    try:
        assert memdesk("owner", "keyring").code == 0
        assert token.strip() not in desk.owner_token.read_text()
        assert memdesk("log").code == 0
        Drawer.kept.clear()
        assert "keyring has no owner token" in memdesk("log").err
        Drawer.kept["memdesk-owner", str(desk.folder)] = token.strip()
        assert memdesk("owner", "keyring", "--back").code == 0
    finally:
        keyring.set_keyring(before)
    assert desk.owner_token.read_text() == token


def test_a_dangerous_act_waits_for_a_click_while_the_window_is_open(
    memdesk: Any, desk: Desk, tmp_path: Any
) -> None:
    memdesk("remember", "The gate is red.")
    # Only what runs in the window's process may answer: this one, until another takes the lock.
    here, elsewhere = (
        f"{os.getpid()}\nmemdesk\nhost\n",
        [sys.executable, "-m", "memdesk", "--desk", str(desk.folder)],
    )
    desk.window_lock.write_text(here)

    def asked(*words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*elsewhere, *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def waiting() -> Any:
        return memdesk("status", "--json").json["asking"]

    try:
        for allow, words, shown in (
            (True, ("export", "archive", str(tmp_path / "all.zip")), "all.zip"),
            (False, ("erase", "local", "--confirm", "local"), "user id: local"),
            (False, ("backup", "restore", "--at", "2030-01-01T00:00:00Z", "--yes"), "memdesk restore"),
        ):
            running = asked(*words)
            (act,) = until(waiting, "the act")
            assert shown in act["says"] and f"process {running.pid}" in act["who"]
            window = DirectClient(desk)
            window.call(owner.ANSWER, AnswerAct(id=act["id"], allow=allow))
            with pytest.raises(NotFound):
                window.call(owner.ANSWER, AnswerAct(id=act["id"], allow=allow))
            said = running.communicate(timeout=60)[1]
            assert "Waiting for a click" in said
            assert (running.returncode == 0) is allow and ("refused in the window" in said) is not allow, said
        running = asked("agents", "add", "scout")
        until(waiting, "the act")
        running.kill()
        until(lambda: not waiting(), "the end of what a killed program asked")
        desk.window_lock.write_text(f"{os.getppid()}\nmemdesk\nhost\n")
        with pytest.raises(NotAllowed, match="Only the desk's window"):
            DirectClient(desk).call(owner.ANSWER, AnswerAct(id="w_1", allow=True))
    finally:
        desk.window_lock.unlink()
    assert memdesk("agents", "add", "scout").out.startswith("mda_")
