"""Sockets and locks of the system are named in one module, and behave as their callers rely on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memdesk
from memdesk.files import local_socket

PACKAGE = Path(memdesk.__file__).parent


def test_no_other_module_names_what_only_some_systems_have() -> None:
    named = re.compile(r"\bAF_UNIX\b|^\s*(?:import|from) fcntl\b|\bSO_PEERCRED\b", re.MULTILINE)
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "resources" not in path.parts and named.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"files/local_socket.py", "client/hook.py"}


def test_a_socket_is_for_its_owner_and_nothing_listens_before_it_is_asked_to(short_folder: Path) -> None:
    path = short_folder / "a.sock"
    assert not local_socket.listens(path)
    with local_socket.bind(path) as listener:
        assert path.stat().st_mode & 0o777 == 0o600
        assert local_socket.is_bound_to(listener, path)
        assert not local_socket.is_bound_to(listener, short_folder / "b.sock")
        with pytest.raises(ConnectionRefusedError):
            local_socket.connect(path, timeout_s=1)
        listener.listen()
        assert local_socket.listens(path)
        listener.accept()[0].close()
        with local_socket.connect(path, timeout_s=9) as caller, listener.accept()[0] as answer:
            answer.sendall(b"x")
            assert (caller.recv(1), caller.gettimeout()) == (b"x", 9)


def test_a_path_of_the_longest_length_can_be_bound_and_no_longer_one(short_folder: Path) -> None:
    room = local_socket.PATH_BYTES - len(str(short_folder)) - 1
    local_socket.bind(short_folder / ("s" * room)).close()
    with pytest.raises(OSError, match="too long"):
        local_socket.bind(short_folder / ("s" * (room + 1)))
