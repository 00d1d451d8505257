"""What was found damaged stands under the top bar until a person says that it is dealt with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from memdesk.api import memory, recall
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from memdesk.store import binding
from tests.conftest import Service
from tests.gui.driving import drive, shared, until


def test_damage_stands_in_the_window_until_it_is_answered(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            fact = NewFact(claim="The payments service runs in Frankfurt.", channel="tidepool")
            bad = (await agent.call(memory.LEARN_FACT, fact)).id
            raw = binding.sqlite.connect(running_service.desk.database, isolation_level=None)
            raw.execute("UPDATE facts SET claim = 'The payments service runs in Atlantis.'")
            raw.close()
            found = await agent.call(recall.SEARCH, Query(text="payments service", channel="tidepool"))
            assert found.hits == ()
            window.session.refresh_status()
            strip = window.strips.standing
            await until(strip.isVisible, "the strip")
            assert bad in strip.sentence.text()

            strip.button.click()

            await until(lambda: not strip.isVisible(), "the strip to go")
            await window.session.call(recall.SEARCH, Query(text="payments service", channel="tidepool"))
            assert window.strips.stands is None

    drive(qapp, scenario)


@pytest.mark.parametrize("allow", [True, False])
def test_a_dangerous_act_of_another_program_waits_for_a_click(
    qapp: QApplication, running_service: Service, tmp_path: Path, allow: bool
) -> None:
    desk, target = running_service.desk, tmp_path / "all.zip"

    async def scenario() -> None:
        async with shared(desk) as (agent, window):
            await agent.call(memory.LEARN_FACT, NewFact(claim="The gate is red.", channel="tidepool"))
            desk.window_lock.write_text(f"{os.getpid()}\nmemdesk\nhost\n")
            words = [
                sys.executable,
                "-m",
                "memdesk",
                "export",
                "archive",
                str(target),
                "--desk",
                str(desk.folder),
            ]
            asking = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            strip = window.strips.asking
            await until(strip.isVisible, "the strip")
            assert f"process {asking.pid}" in strip.sentence.text() and not target.exists()
            (strip.button if allow else strip.examine).click()
            await until(lambda: not strip.isVisible(), "the strip to go")
            await until(lambda: asking.poll() is not None, "the end of the command")
            assert target.exists() is allow

    drive(qapp, scenario)
