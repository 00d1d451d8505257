"""Today: the questions that wait, those that are done, and what is new since the last visit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, memory, recall
from memdesk.client.client import Client
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.panels.review.news import AuthorLine, MoreLine, news_since
from memdesk.gui.panels.review.review_queue import Done
from memdesk.gui.panels.review_panel import ReviewPanel
from memdesk.gui.panels.transfer_panel import TransferPanel
from memdesk.gui.window import Window
from memdesk.model.browse import FactRow
from memdesk.model.curation import Retire
from memdesk.model.history import EventRow
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, until
from tests.gui.hands import CTRL
from tests.gui.test_review import on_the_panel, promotions, read

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_what_is_answered_stays_listed_as_done_until_it_is_undone(
    qapp: QApplication, running_service: Service
) -> None:
    def done(panel: ReviewPanel) -> list[str]:
        return [entry.outcome for entry in panel.queue.rows.rows() if isinstance(entry, Done)]

    async def act(window: Window, panel: ReviewPanel) -> None:
        assert panel.head.title.text() == "5 things, about 1 minute"
        assert not panel.progress.isVisible() and not done(panel)
        press(panel.queue, Qt.Key.Key_2)
        await until(lambda: len(done(panel)) == 1, "the answer among the done")
        await read(panel)
        press(panel.queue, Qt.Key.Key_2)
        await until(lambda: panel.progress_says.text() == "2 of 5 done", "the progress")
        assert panel.head.title.text() == "5 things, about 1 minute"
        assert panel.head.subtitle.text().startswith("3 left, riskiest first")
        assert panel.progress.accessibleName() == "2 of 5 done" and panel.progress.isVisible()
        press(window, Qt.Key.Key_Z, CTRL)
        await until(lambda: panel.progress_says.text() == "1 of 5 done", "one less after the undo")
        assert len(done(panel)) == 1

    on_the_panel(qapp, running_service, promotions, act)


def test_the_news_list_what_each_author_brought_and_what_is_believed_no_longer(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            for number in range(5):
                claim = f"Ship number {number} is painted blue"
                fact = await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel="harbour"))
            await owner.call(curation.RETIRE, Retire(id=fact.id))
            await agent.call(recall.SEARCH, Query(text="what colour are the ships", channel="harbour"))
            panel = window.open_panel("review")
            assert isinstance(panel, ReviewPanel)
            since = panel.since
            await until(lambda: since.total.text() == "4 newly believed, 1 no longer", "the news")
            kinds = [type(line) for line in since.lines.rows.rows()]
            assert kinds == [AuthorLine, FactRow, FactRow, FactRow, MoreLine, *[AuthorLine, EventRow] * 2]
            assert "what colour are the ships" in since.lines.rows.rows()[-1].title
            since.lines.choose(4)
            press(since.lines, Qt.Key.Key_Return)
            kinds = [type(line) for line in since.lines.rows.rows()]
            assert kinds == [AuthorLine, *[FactRow] * 4, *[AuthorLine, EventRow] * 2]
            since.lines.choose(1)
            press(since.lines, Qt.Key.Key_Return)
            await until(lambda: isinstance(window.inspector.view, MemoryView), "the fact in the inspector")

    drive(qapp, scenario)


def test_news_reach_back_to_the_last_visit_and_at_least_a_day() -> None:
    assert news_since(None, NOON) == NOON - timedelta(days=1)
    assert news_since(NOON - timedelta(hours=2), NOON) == NOON - timedelta(days=1)
    assert news_since(NOON - timedelta(days=6), NOON) == NOON - timedelta(days=6)


def test_an_empty_desk_shows_what_agents_keep_on_this_machine_until_it_has_memory(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        folder = Path.home() / ".hermes" / "memories"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "MEMORY.md").write_text("The crane lifts 12 tonnes.", encoding="utf-8")
        async with Client(desk, agent="Forge") as agent, opened(desk, panel="") as window:
            panel = window.stage.panel
            assert isinstance(panel, ReviewPanel)
            page = panel.first_run
            await until(
                lambda: [row.system for row in page.model.rows()] == ["Hermes"], "the memory of Hermes"
            )
            await until(page.isVisible, "the first page")
            assert panel.head.title.text() == "Found on this machine" and "Codex" in page.missing.text()
            panel.take_focus()
            press(page.table, Qt.Key.Key_Return)
            await until(lambda: isinstance(window.stage.panel, TransferPanel), "the import")
            await until(window.stage.panel.bringing.preview.isVisible, "its preview")  # type: ignore[union-attr]
            window.enter_panel("review")
            click(page.connect_agent)
            assert window.stage.panel is not None and window.stage.panel.name == "connections"
            window.enter_panel("review")
            await agent.call(memory.LEARN_FACT, NewFact(claim="The ferry is white", channel="harbour"))
            await until(lambda: not page.isVisible(), "the first page gone")
            await until(lambda: panel.head.title.text() == "Today", "the calm page")

    drive(qapp, scenario)
