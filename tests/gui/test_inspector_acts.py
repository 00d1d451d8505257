"""What can be done to a memory from the inspector, the letters and the search."""

from __future__ import annotations

import asyncio
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollBar

from memdesk.api import curation, memory
from memdesk.client.client import Client
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.links import LinkLine
from memdesk.gui.inspectors.memory_forms import MergeForm, MoveForm, PromotionForm, RenameTagForm, TagForm
from memdesk.gui.widgets import Section, Text
from memdesk.gui.widgets.control import TagLink
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import EditFact, Promote, Redo, Tagging, Undo
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.hands import by_rail, click_row
from tests.gui.test_window import CLAIM, CTRL, inspected, learn, read, said, view_of


def test_a_promoted_copy_is_demoted_and_the_original_stays(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            id = await learn(agent)
            copy = (await owner.call(curation.PROMOTE, Promote(fact_id=id))).id
            view = await inspected(window, copy)
            assert not view.footer.buttons["promote"].isVisible()
            click(view.footer.buttons["demote"])
            await until(lambda: said(window) == f"Demoted “{CLAIM}”", "the demotion")
            assert (await read(window, copy)).retired and not (await read(window, id)).retired
            await until(lambda: (v := view_of(window, copy)) and v.footer.buttons["restore"].isVisible())
            click(view_of(window, copy).footer.buttons["restore"])  # type: ignore[union-attr]
            await until(lambda: said(window) == f"Restored “{CLAIM}”", "it back")

    drive(qapp, scenario)


def test_a_view_that_is_read_again_unchanged_keeps_its_buttons(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            id = await learn(agent)
            view = await inspected(window, id)
            window.session.back.emit()
            await until(lambda: not window.inspector._task.goes_on)
            assert view_of(window, id) is view
            await agent.call(curation.TAG, Tagging(id=id, tags=("pools",)))
            await until(lambda: view_of(window, id) is not view, "the tag")

    drive(qapp, scenario)


def test_letters_rescue_and_demote_from_a_list(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            id = await learn(agent)
            copy = (await owner.call(curation.PROMOTE, Promote(fact_id=id))).id
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() > 0 and panel.table.isVisible(), "the rows")
            await activated(window)
            panel.table.setFocus()
            await inspected(window, id)
            press(panel.table, Qt.Key.Key_R)
            await until(lambda: said(window) == f"Rescued “{CLAIM}”", "the rescue")
            await inspected(window, copy)
            press(panel.table, Qt.Key.Key_D)
            await until(lambda: said(window) == f"Demoted “{CLAIM}”", "the demotion")

    drive(qapp, scenario)


def test_a_letter_typed_right_after_a_row_is_pressed_opens_the_form(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            await learn(agent)
            panel = await by_rail(window, "facts")
            assert not window.body.inspector_open
            click_row(panel.table, CLAIM)
            press(panel.table, Qt.Key.Key_P)
            await until(lambda: isinstance(qapp.focusWidget().parent(), PromotionForm), "the form")

    drive(qapp, scenario)


def test_a_memory_is_moved_and_tagged(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            id = await learn(agent)
            await learn(agent, "The NAS runs Postgres 16", "homelab")
            await until(lambda: window.session.channel_number("homelab") in (1, 2), "both channels")
            view = await inspected(window, id)
            view.footer.menu().picked.emit("move")
            form = view.form
            assert isinstance(form, MoveForm)
            assert [option.value for option in form.channel.options] == ["homelab"]
            await until(form.save.isVisible, "the form")
            await until(form.channel.hasFocus, "the keyboard where letters choose and Enter moves")
            press(form.channel, Qt.Key.Key_Return)
            await until(lambda: said(window) == f"Moved “{CLAIM}” to homelab", "the move")
            await until(lambda: (v := view_of(window, id)) and v.seen.channel == "homelab" and not v.is_busy)
            view = await inspected(window, id)
            view.footer.menu().picked.emit("tag")
            tags = view.form
            assert isinstance(tags, TagForm)
            press(tags.tags, "pools, ingest")
            press(tags.tags, Qt.Key.Key_Return)
            await until(lambda: said(window).startswith("Tagged"), "the tags")
            assert set((await read(window, id)).tags) == {"pools", "ingest"}
            await until(lambda: (v := view_of(window, id)) and v.seen.tags and not v.is_busy)
            view = await inspected(window, id)
            chip = next(each for each in view.findChildren(TagLink) if each.accessibleName() == "#pools")
            click(chip)
            await until(lambda: isinstance(view.form, RenameTagForm), "the new name")
            rename = view.form
            assert isinstance(rename, RenameTagForm) and rename.asked() is None
            rename.name.clear()
            press(rename.name, "connections")
            press(rename.name, Qt.Key.Key_Return)
            await until(lambda: said(window) == "Renamed the tag “pools” to “connections”", "the name")
            assert set((await read(window, id)).tags) == {"connections", "ingest"}

    drive(qapp, scenario)


def test_an_entity_is_merged_into_one_that_is_searched_for(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Iris") as agent, opened(desk) as window:
            ids = [
                (
                    await agent.call(
                        memory.UPSERT_ENTITY, NewEntity(name=name, type="Tool", channel="homelab")
                    )
                ).id
                for name in ("Postgres", "PostgreSQL server")
            ]
            view = await inspected(window, ids[0])
            view.footer.press("merge")
            form = view.form
            assert isinstance(form, MergeForm) and not form.save.isEnabled()
            press(form.into.search, "PostgreSQL")
            await until(lambda: form.into.offered, "the other one")
            press(form.into.search, Qt.Key.Key_Return)
            await until(lambda: "PostgreSQL server" in form.says.text(), "what it would do")
            press(form.into.search, " server")
            assert form.asked() is None and not form.save.isEnabled()
            await until(lambda: form.into.offered, "the other one again")
            press(form.into.search, Qt.Key.Key_Return)
            await until(lambda: "PostgreSQL server" in form.says.text(), "what it would do")
            sent: list[object] = []
            form.saved.connect(sent.append)
            press(form.into.search, Qt.Key.Key_Return)
            await until(lambda: said(window) == "Merged “Postgres”", "the merge")
            assert len(sent) == 1, "one Enter, one request"
            await until(lambda: view_of(window, ids[1]), "the one that stays")
            assert (await read(window, ids[0])).retired
            window.session.undo()
            await until(lambda: said(window).startswith("Undone"), "the undo")
            assert not (await read(window, ids[0])).retired

    drive(qapp, scenario)


def test_what_was_undone_and_done_again_as_a_whole_is_a_line_each_in_its_history(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk) as owner, opened(desk) as window:
            ask = NewFact(claim="The quay floods at spring tide", channel="tidepool")
            made = await owner.call(memory.LEARN_FACT, ask)
            await owner.call(curation.UNDO, Undo(change=made.change))
            await owner.call(curation.REDO, Redo())
            view = await inspected(window, made.id)
            assert [each.event.op for each in view.seen.versions] == ["redo", "undo", "learn"]
            (part,) = (each for each in view.findChildren(Section) if each.accessibleName() == "History")
            assert not [text for text in part.findChildren(Text) if "→" in text.text()]

    drive(qapp, scenario)


def test_promotion_shows_what_speaks_against_it(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, Client(desk) as owner, opened(desk) as window:
            first, other = (
                NewFact(claim=f"Mara lives in {town}", channel=channel, about=("Mara",))
                for town, channel in (("Brest", GLOBAL), ("Porto", "tidepool"))
            )
            await owner.call(memory.LEARN_FACT, first)
            id = (await agent.call(memory.LEARN_FACT, other)).id
            view = await inspected(window, id)
            view.ask_promotion()
            await until(lambda: isinstance(view.form, PromotionForm), "the preview")
            assert isinstance(view.form, PromotionForm)
            words = [each.text() for each in view.form.findChildren(Text)]
            assert "It cannot be true together with:" in words
            assert first.claim in [line.accessibleName() for line in view.form.findChildren(LinkLine)]

    drive(qapp, scenario)


def test_the_keyboard_returns_to_the_list_when_a_form_is_done(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            id = await learn(agent)
            panel: Any = window.open_panel("audit")
            await until(lambda: panel.model.rowCount() > 0 and panel.table.isVisible(), "the rows")
            await activated(window)
            panel.table.setFocus()
            await inspected(window, id)
            press(panel.table, Qt.Key.Key_E)
            view = await inspected(window, id)
            assert isinstance(view.form, EditForm) and view.form.claim.editor.hasFocus()
            view.form.claim.set_text("Every migration needs a way back")
            press(view.form.claim.editor, Qt.Key.Key_S, CTRL)
            await until(lambda: said(window).startswith("Edited"), "the correction")
            await until(panel.table.hasFocus, "the keyboard in the list")
            press(panel.table, Qt.Key.Key_P)
            await until(
                lambda: (v := view_of(window, id)) and isinstance(v.form, PromotionForm), "the preview"
            )
            form = view_of(window, id).form  # type: ignore[union-attr]
            sent: list[object] = []
            form.saved.connect(sent.append)
            press(form.reason, Qt.Key.Key_Return)
            await until(lambda: said(window).startswith("Promoted"), "the promotion")
            assert len(sent) == 1, "one Enter, one request"
            await until(panel.table.hasFocus, "the keyboard in the list again")

    drive(qapp, scenario)


def test_a_quoted_exchange_has_a_line_for_each_turn_and_its_answer_is_the_claim(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            claim = "Odile: “Who logs the tides?” – Bo: “Ana, since May.” … Bo: “No, since June.”"
            fact = NewFact(claim=claim, channel="tidepool")
            view = await inspected(window, (await agent.call(memory.LEARN_FACT, fact)).id)
            shown = [text.text() for text in view.findChildren(Text)]
            assert {"Odile: “Who logs the tides?”", "Bo: “Ana, since May.”", "… Bo: “No, since June.”"} <= {
                *shown
            }
            assert claim not in shown

    drive(qapp, scenario)


def test_turns_are_numbered_from_one(qapp: QApplication, running_service: Any) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            turn = await agent.call(
                memory.STORE_TURN,
                NewTurn(content="Tides are logged hourly", conversation_id="quay", speaker="Odile"),
            )
            fact = NewFact(claim="Tides are logged hourly", channel="tidepool", source_turn_id=turn.id)
            view = await inspected(window, (await agent.call(memory.LEARN_FACT, fact)).id)
            assert any("Odile, turn 1 in" in text.text() for text in view.findChildren(Text))

    drive(qapp, scenario)


def test_the_search_offers_what_can_be_done_to_the_chosen_memory(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with (
            Client(running_service.desk, agent="Forge") as agent,
            opened(running_service.desk) as window,
        ):
            await inspected(window, await learn(agent))
            press(window, Qt.Key.Key_K, CTRL)
            press(window.search.field, ">")
            offered = [choice.text.partition(":")[0] for choice in window.search.choices.model.rows()]
            verbs = (
                "Promote",
                "Edit",
                "Pin",
                "Quarantine",
                "Retire",
                "Rescue",
                "Link",
                "Merge",
                "Move",
                "Tag",
            )
            assert offered[1 : 1 + len(verbs)] == list(verbs)
            press(window.search.field, "pin")
            press(window.search.field, Qt.Key.Key_Return)
            await until(lambda: said(window) == f"Pinned “{CLAIM}”", "the pin")

    drive(qapp, scenario)


def test_what_another_client_writes_appears_where_a_person_reads_and_moves_nothing(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with (
            Client(desk, agent="Forge") as agent,
            Client(desk) as owner,
            opened(desk, size=(1100, 700)) as window,
        ):
            id = await learn(agent, CLAIM + ", and what is said of it is long" * 20)
            await inspected(window, id)

            def bar() -> QScrollBar:
                assert window.inspector.view is not None
                return window.inspector.view.area.verticalScrollBar()

            await until(lambda: bar().maximum() > 30, "enough to scroll")
            # What was learned a moment ago may still be told of.
            await asyncio.sleep(0.5)
            bar().setValue(30)
            await owner.call(curation.EDIT_FACT, EditFact(fact_id=id, confidence=0.7))
            await until(
                lambda: (v := view_of(window, id)) and v.seen.fact and v.seen.fact.confidence == 0.7,
                "the edit",
            )
            await until(lambda: bar().value() == 30, "the place that was read")

    drive(qapp, scenario)


def test_what_came_from_a_page_is_marked_and_a_person_trusts_it(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            page = NewTurn(content=CLAIM, role="tool", speaker="web_fetch", channel="tidepool")
            said_in = (await agent.call(memory.STORE_TURN, page)).id
            learned = NewFact(claim=CLAIM, channel="tidepool", source_turn_id=said_in)
            id = (await agent.call(memory.LEARN_FACT, learned)).id
            view = await inspected(window, id)
            told = [each.text() for each in view.findChildren(Text)]
            assert "A web page, trust 0.2. Agents are told it as quoted, not as true." in told
            menu = view.footer.menu()
            menu.picked.emit("trust")
            await until(lambda: said(window) == f"Trusted “{CLAIM}”", "the trust")
            await until(lambda: (v := view_of(window, id)) is not None and v.seen.trust == 1.0, "the line")
            now = view_of(window, id)
            assert now is not None
            assert "A web page, trust 1.0" in [each.text() for each in now.findChildren(Text)]

    drive(qapp, scenario)
