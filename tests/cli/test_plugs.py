"""Plugs: each is installed, used over two sessions with a restart between, and removed, in a home of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.client.plugs.runtimes import BY_NAME
from tests.cli.plug_hosts import HOSTS


@pytest.mark.parametrize("runtime", HOSTS)
def test_a_plug_is_installed_used_over_a_restart_and_removed(
    memdesk: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, runtime: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR", "HERMES_HOME"):
        monkeypatch.delenv(name, raising=False)
    use, options = HOSTS[runtime]
    channel = ("--channel", f"harbour-{runtime}")
    assert memdesk("install", runtime, *options, *channel, "--apply").code == 0
    before = use(
        tmp_path, f"{runtime}-monday", "The harbour pump is called Ada Lovelace.", "Noted: Ada Lovelace."
    )
    assert "Ada" not in before
    memdesk("stop")
    told = use(
        tmp_path, f"{runtime}-tuesday", "What is the harbour pump called?", "It is called Ada Lovelace."
    )
    assert "Ada Lovelace" in told
    assert memdesk("install", runtime, "--uninstall", "--apply").code == 0
    left = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert not left


def test_every_runtime_has_a_host_that_uses_its_plug() -> None:
    assert HOSTS.keys() == BY_NAME.keys()
