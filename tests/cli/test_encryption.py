"""An encrypted desk from outside: nothing in its folder can be read, every command goes on working, and back.

Everything runs in processes of its own: which SQLite a process has is decided when it first opens a desk."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from memdesk.__main__ import Program
from memdesk.api import memory
from memdesk.cli.program import main
from memdesk.client.direct import DirectClient, answers
from memdesk.files import encryption
from memdesk.files.places import Desk
from memdesk.model.errors import Conflict, NotAllowed
from memdesk.model.remember import NewTurn

pytest.importorskip("sqlcipher3")
PASSPHRASE = "an old tin box"
KEY = {"MEMDESK_DESK_KEY": PASSPHRASE}
SENTENCES = (
    "The zebra keeper moved to Gothenburg",
    "Lanterns over the harbour glow at nine",
    "A quiet marmalade recipe nobody wrote down",
    "correct-horse-Battery-9",
)
"""Said as a fact, as a turn, in a file that is taken back, and as a secret."""


HERE = {"remember", "import", "undo", "status", "facts", "export"}
"""Commands that only ask the service: where it runs, this process runs them."""


class Cli:
    """`memdesk` on one desk, in processes of its own wherever it may open the database."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def __call__(self, *words: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        words = (*words, "--desk", str(self.desk.folder))
        if words[0] in HERE and answers(self.desk):
            out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in "oe")
            with redirect_stdout(out), redirect_stderr(err):
                code = main(words, Program())
            told = (each.detach() for each in (out, err) if not each.flush())
            said = [each.getvalue().decode() for each in told if isinstance(each, io.BytesIO)]
            return subprocess.CompletedProcess(words, code, *said)
        return subprocess.run(
            [sys.executable, "-m", "memdesk", *words],
            input=typed,
            capture_output=True,
            text=True,
            env=os.environ | env,
            timeout=120,
        )

    def json(self, *words: str, **env: str) -> dict[str, object]:
        ran = self(*words, "--json", **env)
        assert ran.returncode == 0, ran.stderr
        found: dict[str, object] = json.loads(ran.stdout)
        return found


@pytest.fixture
def memdesk() -> Iterator[Cli]:
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    found = Cli(Desk(folder / "desk"))
    yield found
    found("stop")
    shutil.rmtree(folder, ignore_errors=True)


def readable(desk: Desk) -> list[str]:
    """Every known sentence that a file of the desk has in clear, in one of two encodings."""
    return [
        f"{sentence} in {file.relative_to(desk.folder)}"
        for file in sorted(desk.folder.rglob("*"))
        if file.is_file() and file.name != "owner.token"
        for data in (file.read_bytes(),)
        for sentence in SENTENCES
        if sentence.encode() in data or sentence.encode("utf-16-le") in data
    ]


def live(memdesk: Cli, place: Path) -> None:
    """Store a fact, a secret, a turn and a file that is taken back, let a job end, and make a backup."""
    memdesk.json("remember", SENTENCES[0], **KEY)
    memdesk.json("remember", f"The password of the router is {SENTENCES[3]}", **KEY)
    (place / "notes").mkdir(exist_ok=True)
    (place / "notes" / "MEMORY.md").write_text(f"# Notes\n\n- {SENTENCES[2]}\n")
    turn = NewTurn(conversation_id="c1", role="user", content=SENTENCES[1])
    DirectClient(memdesk.desk).call(memory.STORE_TURN, turn)
    memdesk.json("import", str(place / "notes"), "--copy", **KEY)
    last = memdesk.json("status", **KEY)["last_change"]
    assert isinstance(last, dict)
    memdesk.json("undo", str(last["id"]), "--run", **KEY)
    assert any(memdesk.desk.taken_back.iterdir())
    memdesk.json("backup", "now", **KEY)


def test_no_byte_of_a_busy_encrypted_desk_can_be_read_and_every_command_works(
    memdesk: Cli, tmp_path: Path
) -> None:
    desk = memdesk.desk
    live(memdesk, tmp_path)
    assert readable(desk)
    waiting = memdesk("encrypt", "--yes", "--passphrase", typed=f"{PASSPHRASE}\n{PASSPHRASE}\n")
    assert waiting.returncode == 2 and "--backups" in waiting.stderr
    moved = memdesk(
        "encrypt", "--yes", "--passphrase", "--backups", "move", typed=f"{PASSPHRASE}\n{PASSPHRASE}\n"
    )
    assert moved.returncode == 0, moved.stderr
    assert readable(desk) == []

    live(memdesk, tmp_path)
    assert readable(desk) == []
    assert memdesk.json("status", **KEY)["encrypted"] is True
    refused = memdesk("export", "archive", str(tmp_path / "out.zip"), **KEY)
    assert "--clear" in refused.stderr and not (tmp_path / "out.zip").exists()
    assert memdesk("export", "archive", str(tmp_path / "out.zip"), "--clear", **KEY).returncode == 0

    memdesk("stop")
    for word, given, says in (
        ("doctor", "", "was not given"),
        ("facts", "", "was not given"),
        ("serve", "another box", "is not the passphrase"),
    ):
        ran = memdesk(word, typed=given)
        assert ran.returncode == NotAllowed.exit_code and says in ran.stderr, (word, ran.stderr)
    assert memdesk("doctor", **KEY).returncode == 0
    rows = memdesk.json("backup", "list")["rows"]
    assert isinstance(rows, list) and len(rows) >= 2
    assert memdesk("backup", "restore", rows[-1]["name"], "--yes", **KEY).returncode == 0
    assert readable(desk) == []
    assert SENTENCES[0] in memdesk("facts", **KEY).stdout

    assert memdesk("decrypt", "--yes", "--backups", "move", **KEY).returncode == 0
    assert SENTENCES[0] in memdesk("facts").stdout and not desk.encryption.exists()
    assert memdesk.json("status")["encrypted"] is False and memdesk("doctor").returncode == 0


def test_a_service_that_a_command_starts_gets_the_key_and_no_argument_has_it(memdesk: Cli) -> None:
    memdesk.json("remember", SENTENCES[0])
    assert memdesk("encrypt", "--yes", "--passphrase", typed=f"{PASSPHRASE}\n{PASSPHRASE}\n").returncode == 0
    script = (
        "import asyncio, sys\nfrom memdesk.files import encryption\nfrom memdesk.files.places import desk_at\n"
        "from memdesk.client.find import ensure_service\ndesk = desk_at(sys.argv[1])\n"
        "encryption.unlock(desk, given=sys.argv[2])\nasyncio.run(ensure_service(desk))"
    )
    memdesk("stop")
    subprocess.run(
        [sys.executable, "-c", script, str(memdesk.desk.folder), PASSPHRASE], check=True, timeout=60
    )
    process = int(str(memdesk.json("status")["pid"]))
    told = Path(f"/proc/{process}/cmdline").read_bytes() + Path(f"/proc/{process}/environ").read_bytes()
    key = encryption.find_key(memdesk.desk, given=PASSPHRASE)
    assert key is not None and PASSPHRASE.encode() not in told and key.hex().encode() not in told


def test_a_key_stays_as_long_as_a_backup_needs_it(memdesk: Cli) -> None:
    desk, kept = memdesk.desk, memdesk.desk.backups / "encryption.json"
    memdesk.json("remember", SENTENCES[0])
    memdesk.json("backup", "now")
    typed = f"{PASSPHRASE}\n{PASSPHRASE}\n"
    named = memdesk("encrypt", "--yes", "--passphrase", "--backups", "keep", typed=typed)
    assert "still in clear" in named.stdout and readable(desk)
    assert memdesk("encrypt", "--yes", "--backups", "move", **KEY).returncode == 0 and readable(desk) == []
    assert memdesk("encrypt", "--yes", "--backups", "remove", **KEY).returncode == Conflict.exit_code
    left = memdesk("decrypt", "--yes", "--backups", "keep", **KEY)
    assert "their key is kept" in left.stdout and kept.exists() and not desk.encryption.exists()
    (backup,) = desk.backups.glob("*.db")
    refused = memdesk("backup", "restore", backup.stem, "--yes")
    assert refused.returncode == Conflict.exit_code and "memdesk encrypt" in refused.stderr
    other = memdesk("encrypt", "--yes", "--passphrase", "--backups", "keep", typed="x\nx\n")
    assert other.returncode == NotAllowed.exit_code
    assert memdesk("decrypt", "--yes", "--backups", "remove", **KEY).returncode == 0
    assert not kept.exists() and not list(desk.backups.glob("*.db"))


def test_a_key_in_the_keyring_opens_the_desk_unasked_and_can_be_typed_where_there_is_none(
    memdesk: Cli, tmp_path: Path
) -> None:
    (tmp_path / "filed_keyring.py").write_text(
        "import json, pathlib\nfrom keyring.backend import KeyringBackend\n"
        f"FILE = pathlib.Path({str(tmp_path / 'ring.json')!r})\n"
        "class Ring(KeyringBackend):\n    priority = 9\n"
        "    def _all(self): return json.loads(FILE.read_text()) if FILE.exists() else {}\n"
        "    def get_password(self, service, name): return self._all().get(f'{service} {name}')\n"
        "    def set_password(self, service, name, value):\n"
        "        FILE.write_text(json.dumps(self._all() | {f'{service} {name}': value}))\n"
        "    def delete_password(self, service, name): FILE.unlink()\n"
    )
    ring = {"PYTHON_KEYRING_BACKEND": "filed_keyring.Ring", "PYTHONPATH": str(tmp_path)}
    memdesk.json("remember", SENTENCES[0], **ring)
    key = str(memdesk.json("encrypt", "--yes", **ring)["key"])
    memdesk("stop")
    assert SENTENCES[0] in memdesk("facts", **ring).stdout and readable(memdesk.desk) == []
    memdesk("stop")
    (tmp_path / "ring.json").unlink()
    assert "no key for this desk" in memdesk("facts", **ring).stderr
    assert SENTENCES[0] in memdesk("facts", MEMDESK_DESK_KEY=key, **ring).stdout


def test_without_the_extra_a_sentence_says_what_to_install(memdesk: Cli, tmp_path: Path) -> None:
    memdesk.json("remember", SENTENCES[0])
    blocked = tmp_path / "sitecustomize.py"
    blocked.write_text(
        "import importlib.util as u\nfound = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'sqlcipher3' else found(name, *more)\n"
    )
    ran = memdesk("encrypt", "--yes", "--passphrase", typed="a\na\n", PYTHONPATH=str(tmp_path))
    assert ran.returncode != 0 and "memdesk[encryption]" in ran.stderr
    assert SENTENCES[0] in memdesk("facts").stdout


def test_a_desk_in_clear_never_loads_the_extra() -> None:
    script = (
        "import sys, memdesk.service.serve, memdesk.engine.health.doctor, memdesk.cli.backup\n"
        "print([name for name in ('sqlcipher3', 'cryptography.hazmat') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert said.stdout.strip() == b"[]"
