"""The demo: always a copy, with a window or without, and gone without a trace when it ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from memdesk.__main__ import Program
from memdesk.cli.program import main
from memdesk.client.direct import answers
from memdesk.files.places import Desk


class SmallProgram(Program):
    """The program with a sample desk that is ready at once, and a service that ends as soon as it answers."""

    def __init__(self) -> None:
        self.served: list[Path] = []

    def play_sample(self, desk: Desk) -> dict[str, int]:
        desk.folder.mkdir(exist_ok=True)
        desk.database.touch()
        return {"turns": 2000, "facts": 1}

    def serve(self, desk: Desk, ready: Any, listen: Any = None) -> None:
        assert desk.database.exists()
        self.served.append(desk.folder)
        ready()


@pytest.fixture
def temporary(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(short_folder))
    return short_folder


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_display_the_copy_stays_and_the_next_steps_are_told(
    temporary: Path, no_display: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo"], SmallProgram()) == 0
    said = capsys.readouterr().out
    copy = next(temporary.glob("memdesk-demo-*"))
    assert f"{copy}: 2,000 turns, 1 fact." in said
    assert "xvfb-run" in said
    assert f"serve --desk {copy}" in said


def test_served_without_a_window_the_copy_goes_when_it_ends(
    temporary: Path, no_display: None, capsys: pytest.CaptureFixture[str]
) -> None:
    house = SmallProgram()
    assert main(["demo", "--serve"], house) == 0
    assert house.served[0].is_relative_to(temporary) and house.served[0].name == "Sample desk"
    assert not list(temporary.glob("memdesk-demo-*"))
    assert str(house.served[0]) in capsys.readouterr().err


def test_a_kept_copy_stays_and_is_opened_again(temporary: Path, no_display: None) -> None:
    house, kept = SmallProgram(), temporary / "kept"
    assert main(["demo", "--serve", "--keep", str(kept)], house) == 0
    (kept / "memory.db").write_text("as it was left")
    assert main(["demo", "--serve", "--keep", str(kept)], house) == 0
    assert house.served == [kept, kept]
    assert (kept / "memory.db").read_text() == "as it was left"


def test_the_demo_leaves_the_handling_of_signals_as_it_was(temporary: Path, no_display: None) -> None:
    before = signal.getsignal(signal.SIGTERM)
    main(["demo", "--serve"], SmallProgram())
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.slow
def test_the_real_sample_desk_answers_as_the_demo_says(
    temporary: Path, no_display: None, memdesk: Any
) -> None:
    assert memdesk("demo", "--keep", str(temporary / "kept")).code == 0
    try:
        found = memdesk("recall", "where are we moving", "--json", "--desk", str(temporary / "kept"))
        assert "Lisbon" in found.json["hits"][0]["text"]
        assert memdesk("log", "--op", "promote", "--json", "--desk", str(temporary / "kept")).json["rows"]
    finally:
        memdesk("stop", "--desk", str(temporary / "kept"))


@pytest.mark.slow
def test_a_demo_that_is_terminated_takes_its_service_and_its_copy_along(short_folder: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "memdesk", "demo"], env={**os.environ, "TMPDIR": str(short_folder)}
    )
    try:
        deadline = time.monotonic() + 120
        while not any(answers(Desk(copy)) for copy in short_folder.glob("memdesk-demo-*/*")):
            assert time.monotonic() < deadline and demo.poll() is None
            time.sleep(0.1)
    finally:
        demo.send_signal(signal.SIGTERM)
        assert demo.wait(30) == 130
    assert not list(short_folder.glob("memdesk-demo-*"))
    shutil.rmtree(short_folder, ignore_errors=True)
