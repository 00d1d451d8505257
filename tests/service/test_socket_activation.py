"""The service on a socket that systemd keeps and passes, as sd_listen_fds(3) says."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.api import upkeep
from memdesk.client.direct import DirectClient
from memdesk.client.find import stop_service
from memdesk.files.places import Desk
from memdesk.model.status import Nothing

SERVE = (
    "bash",
    "-c",
    'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3<&"$PASSED"',
    "bash",
    sys.executable,
    "-m",
    "memdesk",
    "serve",
)


@pytest.fixture
def desk(short_folder: Path) -> Desk:
    desk = Desk(short_folder / "desk")
    desk.socket.parent.mkdir(parents=True)
    desk.folder.chmod(0o700)
    return desk


@pytest.fixture
def kept(desk: Desk) -> Iterator[socket.socket]:
    """The socket as systemd keeps it: bound and listening, with no service yet."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(os.fspath(desk.socket))
        listener.listen()
        yield listener


def started(desk: Desk, listener: socket.socket) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*SERVE, "--desk", str(desk.folder)],
        env={**os.environ, "PASSED": str(listener.fileno())},
        pass_fds=(listener.fileno(),),
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_service_answers_on_the_socket_it_was_passed_and_leaves_it_to_the_next(
    desk: Desk, kept: socket.socket
) -> None:
    inode = desk.socket.stat().st_ino
    for _ in range(2):
        # The connection is there before the service is.
        client = DirectClient(desk)
        with started(desk, kept) as service:
            assert client.call(upkeep.STATUS, Nothing()).pid == service.pid
            assert asyncio.run(stop_service(desk)) == service.pid
            assert service.wait(60) == 0
        assert desk.socket.stat().st_ino == inode


def test_another_socket_than_the_desks_is_refused(desk: Desk, tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        with started(desk, listener) as service:
            _, said = service.communicate(timeout=60)
    assert service.returncode == 2
    assert f"systemd passed another socket than {desk.socket}." in said and "ListenStream=" in said


def test_a_socket_that_was_passed_to_another_process_is_not_taken(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memdesk.service.sockets import passed_socket

    monkeypatch.setenv("LISTEN_FDS", "1")
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    assert passed_socket(desk) is None
