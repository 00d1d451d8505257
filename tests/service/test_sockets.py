"""The desk's socket and lock: one service a desk, for its owner alone."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from memdesk.files.local_socket import PATH_BYTES
from memdesk.files.notices import standing
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, DeskBusy, NotAllowed, StorageFailed
from memdesk.service.sockets import bind, held, own_folder, peer_allowed


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def desk(short_folder: Path) -> Desk:
    return Desk(short_folder / "desk")


def test_the_socket_is_its_owners_alone_whatever_the_umask(desk: Desk) -> None:
    before = os.umask(0)
    try:
        with held(desk), bind(desk):
            assert mode(desk.socket) == 0o600
            assert mode(desk.socket.parent) == 0o700
            assert mode(desk.folder) == 0o700
            assert mode(desk.lock) == 0o600
    finally:
        os.umask(before)


def test_binding_leaves_the_umask_as_it_was(desk: Desk) -> None:
    before = os.umask(0o022)
    with held(desk), bind(desk):
        assert os.umask(before) == 0o022


def test_an_open_folder_is_closed_before_a_socket_lies_in_it(desk: Desk) -> None:
    desk.socket.parent.mkdir(parents=True)
    desk.socket.parent.chmod(0o755)
    with held(desk), bind(desk):
        assert mode(desk.socket.parent) == 0o700


def test_a_desk_that_others_could_open_is_closed_and_a_notice_says_so(desk: Desk) -> None:
    desk.folder.mkdir()
    desk.database.touch()
    desk.folder.chmod(0o750)
    with held(desk):
        assert mode(desk.folder) == 0o700
    (notice,) = standing(desk.notices)
    assert notice.id == "opened" and "750" in notice.says


def test_an_open_folder_of_other_files_is_no_desk(desk: Desk) -> None:
    desk.folder.mkdir()
    (desk.folder / "letter.txt").touch()
    desk.folder.chmod(0o755)
    with pytest.raises(NotAllowed, match="755"), held(desk):
        pass
    assert mode(desk.folder) == 0o755


def test_a_second_service_is_refused_and_told_who_holds_the_desk(desk: Desk) -> None:
    with held(desk), pytest.raises(DeskBusy, match=str(os.getpid())), held(desk):
        pass


def test_a_desk_can_be_held_again_once_it_was_let_go(desk: Desk) -> None:
    with held(desk):
        pass
    with held(desk):
        assert desk.lock.read_text() == str(os.getpid())


def test_a_socket_left_by_a_service_that_died_is_taken_over(desk: Desk) -> None:
    with held(desk):
        bind(desk).close()
        assert desk.socket.exists()
        with bind(desk) as listener:
            listener.listen()
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(desk.socket))


def test_a_file_in_the_sockets_place_is_not_removed(desk: Desk) -> None:
    desk.socket.parent.mkdir(parents=True)
    desk.socket.write_text("somebody's notes")
    with held(desk), pytest.raises(StorageFailed, match="not a socket"):
        bind(desk)
    assert desk.socket.read_text() == "somebody's notes"


def test_a_long_desk_path_puts_the_socket_into_the_runtime_folder(short_folder: Path) -> None:
    desk = Desk(short_folder / ("long" * 30) / "desk")
    with held(desk), bind(desk):
        assert desk.socket.is_relative_to(short_folder / "memdesk")
        assert mode(desk.socket.parent) == 0o700


def test_a_path_too_long_everywhere_is_refused_in_a_sentence(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_folder / ("r" * PATH_BYTES)))
    desk = Desk(short_folder / ("d" * PATH_BYTES))
    with held(desk), pytest.raises(BadAsk, match="107 bytes"):
        bind(desk)


def test_a_file_where_the_desk_should_be_is_refused_in_a_sentence(short_folder: Path) -> None:
    (short_folder / "desk").write_text("")
    with pytest.raises(StorageFailed), held(Desk(short_folder / "desk")):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(short_folder: Path) -> None:
    theirs = short_folder / "theirs"
    theirs.mkdir()
    os.chown(theirs, 65534, 65534)
    with pytest.raises(NotAllowed, match="another user"):
        own_folder(theirs)


def test_a_connection_of_our_own_is_allowed() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert peer_allowed(ours)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_connection_of_another_user_is_not_allowed(short_folder: Path) -> None:
    path = str(short_folder / "s")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        Path(path).chmod(0o666)
        short_folder.chmod(0o711)
        listener.listen()
        if (child := os.fork()) == 0:
            try:
                # By a relative path, as the folders above let nobody else through.
                os.chdir(short_folder)
                os.setuid(65534)
                with socket.socket(socket.AF_UNIX) as stranger:
                    stranger.connect("s")
                    stranger.recv(1)
            finally:
                os._exit(0)
        connection, _ = listener.accept()
        with connection:
            allowed = peer_allowed(connection)
        os.waitpid(child, 0)
    # Root's own service answers root alone; another user's would not even see the folder.
    assert not allowed
