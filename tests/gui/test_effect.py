"""The effect of an unsaved correction in the inspector, and the question kept from it, on a real service."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from memdesk.api import memory, questions, recall
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.panels.review.review_panel import ReviewPanel
from memdesk.model.kept_question import AskQuestions
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import click, drive, shared, until

WAS, NOW = "Raw readings are kept for 30 days", "Raw readings are kept for 14 days"


def test_a_correction_shows_which_recalls_it_alters_and_one_is_kept_as_a_test(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            learned = await agent.call(memory.LEARN_FACT, NewFact(claim=WAS, channel="bay"))
            await agent.call(recall.SEARCH, Query(text="how long are raw readings kept", channel="bay"))
            window.inspector.show_memory(learned.id)
            await until(lambda: window.inspector.findChild(MemoryView) is not None, "the fact")
            view = window.inspector.findChild(MemoryView)
            assert view is not None
            view.edit()
            form, effect = view.form, view.effect
            assert isinstance(form, EditForm) and effect is not None
            form.claim.set_text(NOW)
            await until(lambda: effect.found is not None and effect.found.changed, "the altered recall")
            assert effect.keep.isVisible()
            click(effect.keep)
            form.submit()
            session = window.session

            async def kept() -> list[str]:
                return [row.expects for row in (await session.call(questions.LIST, AskQuestions())).rows]

            found: list[str] = []
            for _ in range(200):
                found = await kept()
                if found:
                    break
            assert found == [NOW]
            await until(lambda: view.form is None, "the correction")
            window.toggle_inspector()  # The news need its room.
            panel = window.open_panel("review")
            assert isinstance(panel, ReviewPanel)
            window.session.undo()  # The service asks the kept questions again by itself.
            await until(lambda: NOW in panel.since.lost.text(), "the lost answer in Today")

    drive(qapp, scenario)
