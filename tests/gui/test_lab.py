"""The recall lab on a real service: asking leaves no trace, scores come in parts, and weights are turned and saved."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from memdesk.api import history, memory, recall, upkeep
from memdesk.client.client import Client
from memdesk.gui import look
from memdesk.gui.panels.lab import lab_hits, lab_question, lab_why
from memdesk.gui.panels.lab.lab_hits import CutRow, Heading, HitRow, accessible_text, rows_of
from memdesk.gui.panels.lab.lab_question import Trial
from memdesk.gui.panels.lab_panel import ContextText, LabPanel
from memdesk.gui.widgets import Text
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.history import AskHistory
from memdesk.model.prompt import ContextPiece, PromptContext
from memdesk.model.recall import TECHNIQUES, WEIGHTS, Explanation, Hit, Provenance, Query, ScorePart, Stage
from memdesk.model.remember import NewEntity, NewFact
from memdesk.model.settings import DEFAULTS
from memdesk.model.status import Nothing, SettingList
from tests.conftest import Service
from tests.gui.driving import click, drive, opened, press, until

HERE = "tidepool"
ASKED = "what pool size per node"
Act = Callable[[Window, LabPanel, Client], Awaitable[None]]
KEPT: dict[str, lab_question.Value] = {name: getattr(DEFAULTS, name) for name in lab_question.NAMES}


async def furnish(agent: Client) -> None:
    for number in range(14):
        claim = f"The pool size of node {number} is {20 + number} connections"
        await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel=HERE))
    await agent.call(
        memory.LEARN_FACT, NewFact(claim="The pool in the garden holds size-3 fish", channel="family")
    )
    await agent.call(memory.LEARN_FACT, NewFact(claim="周会在每周四上午十点", channel=HERE))
    await agent.call(memory.UPSERT_ENTITY, NewEntity(name="pool", type="Thing", channel=HERE))


def in_the_lab(app: QApplication, service: Service, act: Act) -> None:
    async def scenario() -> None:
        async with Client(service.desk, agent="Forge") as agent, Client(service.desk) as owner:
            await furnish(agent)
            async with opened(service.desk) as window:
                panel = window.open_panel("lab")
                assert isinstance(panel, LabPanel)
                panel.take_focus()
                await until(lambda: panel.asking.kept, "the settings")
                await until(lambda: panel.asking.channel.value() == lab_question.EVERY, "every channel")
                panel.asking.channel.set_value(HERE)
                await until(panel.asking.text.hasFocus, "the keyboard")
                await act(window, panel, owner)

    drive(app, scenario)


def came(panel: LabPanel) -> list[HitRow]:
    return [row for row in panel.hits.rows.rows() if isinstance(row, HitRow)]


def left(panel: LabPanel) -> list[CutRow]:
    return [row for row in panel.hits.rows.rows() if isinstance(row, CutRow)]


async def asked(panel: LabPanel, text: str = ASKED) -> None:
    panel.asking.text.setText(text)
    press(panel.asking.text, Qt.Key.Key_Return)
    await until(lambda: came(panel), "hits")


async def explained(panel: LabPanel, id: str) -> Explanation:
    await until(lambda: panel.why.explanation is not None and panel.why.explanation.id == id, "why")
    assert panel.why.explanation is not None
    return panel.why.explanation


def test_asking_shows_what_an_agent_would_recall_and_leaves_no_trace(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        QAbstractItemModelTester(panel.hits.rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
        before = (await owner.call(history.PAGE, AskHistory(limit=1))).rows[0].id
        await asked(panel)
        assert len(came(panel)) == 10 and came(panel)[0].hit.text.startswith("The pool size")
        await until(lambda: "pool size" in panel.context_text.paper.text(), "the text as told")
        await asyncio.sleep(0.3)
        assert (await owner.call(history.PAGE, AskHistory(limit=1))).rows[0].id == before
        rows = (await owner.call(memory.FACTS, ListFacts(channels=(HERE,)))).rows
        assert all(row.recalled == 0 for row in rows)
        async with Client(running_service.desk, agent="Forge") as agent:
            bundle = await agent.call(recall.SEARCH, Query(text=ASKED, channel=HERE))
        assert [hit.id for hit in bundle.hits] == [row.id for row in came(panel)]

    in_the_lab(qapp, running_service, act)


def test_the_chosen_hit_shows_its_exact_parts_and_its_path(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel)
        panel.hits.setFocus()
        press(panel.hits, "j")
        chosen = panel.hits.record()
        assert isinstance(chosen, HitRow)
        heights = [panel.hits.rowHeight(place) for place in range(2)]
        assert max(heights) > 2 * min(heights)
        told = await explained(panel, chosen.id)
        assert told.place == chosen.place
        shown = {text.text() for text in panel.why.findChildren(Text)}
        assert f"Comes back at place {chosen.place}." in shown and "Top 10" in shown
        press(panel.hits, Qt.Key.Key_Return)
        await until(lambda: window.inspector.memory_id == chosen.id, "the inspector")

    in_the_lab(qapp, running_service, act)


def test_what_nearly_came_says_why_not_and_a_try_brings_it_in(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel)
        near = left(panel)[0]
        panel.hits.setFocus()
        panel.hits.choose(panel.hits.rows.rows().index(near))
        told = await explained(panel, near.id)
        assert told.place is None and told.stages[-1].name == "budget"
        await until(lambda: any(each.isVisible() for each in panel.why.offered.values()), "what would help")
        says, button = next(iter(panel.why.offered.items()))
        assert says.startswith("Ask for ")
        click(button)
        await until(lambda: near.id in [row.id for row in came(panel)], "it among the hits")
        assert panel.asking.trial().values[lab_question.LIMIT] == int(says.split()[2])
        await until(
            lambda: panel.why.explanation is not None and panel.why.explanation.place is not None, "its place"
        )

    in_the_lab(qapp, running_service, act)


def test_any_memory_can_be_asked_about_and_another_channel_is_offered(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel)
        press(panel.why.field, "fish in the garden")
        press(panel.why.field, Qt.Key.Key_Return)
        fish = (await owner.call(memory.FACTS, ListFacts(channels=("family",)))).rows[0]
        buttons: list[Any] = []

        def found() -> bool:
            buttons[:] = [
                each
                for each in panel.why.findChildren(type(panel.save))
                if "fish" in each.text() and each.isVisible()
            ]
            return bool(buttons)

        await until(found, "the memory")
        click(buttons[0])
        told = await explained(panel, fish.id)
        assert told.stages[-1].name == "scope"
        await until(lambda: "Ask in family" in panel.why.offered, "the other channel")

    in_the_lab(qapp, running_service, act)


def test_of_a_search_and_an_explanation_the_later_one_is_shown(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel)
        why, (first, second, *_) = panel.why, came(panel)
        why.explain(first.id, HERE, panel.asking.trial())
        explaining = why._task  # noqa: SLF001
        press(why.field, "fish in the garden")
        press(why.field, Qt.Key.Key_Return)
        searching = why._task  # noqa: SLF001
        assert explaining is not None and searching is not None and searching is not explaining
        why.explain(second.id, HERE, panel.asking.trial())
        await explained(panel, second.id)
        assert explaining.cancelled() and searching.cancelled()

    in_the_lab(qapp, running_service, act)


def test_turning_a_switch_asks_again_and_what_is_turned_is_saved_and_taken_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def settings(owner: Client) -> dict[str, lab_question.Value]:
        return lab_question.saved(await owner.call(upkeep.SETTINGS, Nothing()))

    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel)
        assert not panel.save.isEnabled() and not panel.back.isVisible()
        click(panel.asking.techniques["entities"])
        await until(
            lambda: not any("entities" in row.hit.ranks for row in came(panel)), "hits without the graph"
        )
        click(panel.asking.weights_shown)
        before = came(panel)[0].hit.score
        panel.asking.weights["facts"].slider.setFocus(Qt.FocusReason.TabFocusReason)
        press(panel.asking.weights["facts"].slider, Qt.Key.Key_PageUp)
        await until(lambda: came(panel)[0].hit.score > before, "a higher score")
        assert any(part.name == "kind" for part in came(panel)[0].hit.parts)
        assert panel.back.isVisible() and "recall entities on → off" in panel.save.toolTip()
        assert (await settings(owner))["recall_entities"] is True
        click(panel.save)
        await until(lambda: window.session.deed is not None, "the deed")
        now = await settings(owner)
        assert (now["recall_entities"], now["weight_facts"]) == (False, 0.5)
        await until(lambda: not panel.save.isEnabled(), "nothing left to save")
        await until(panel.hits.hasFocus, "the keyboard in the hits")
        press(panel.hits, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: window.session.deed is not None and window.session.deed.op == "undo", "the undo")
        assert await settings(owner) == KEPT
        window.session.redo()
        await until(lambda: window.session.deed is not None and window.session.deed.op == "redo", "the redo")
        assert (await settings(owner))["weight_facts"] == 0.5

    in_the_lab(qapp, running_service, act)


def test_a_hit_that_stands_behind_a_lower_score_says_so(qapp: QApplication, running_service: Service) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        bundle = await owner.call(recall.PREVIEW, Query(text=ASKED, channel=HERE))
        assert not any(row.behind for row in rows_of(bundle, {}) if isinstance(row, HitRow))
        first, second, *rest = bundle.hits
        assert first.score > second.score
        rows = [
            row
            for row in rows_of(replace(bundle, hits=(second, first, *rest)), {})
            if isinstance(row, HitRow)
        ]
        assert [row.behind for row in rows] == [False, True, *[False] * len(rest)]
        assert ["steps back" in accessible_text(row) for row in rows] == [row.behind for row in rows]

    in_the_lab(qapp, running_service, act)


def test_everything_turned_is_turned_back_at_once(qapp: QApplication, running_service: Service) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel)
        click(panel.asking.techniques["hybrid"])
        panel.asking.floor.slider.setValue(20)
        await until(panel.back.isVisible)
        click(panel.back)
        assert panel.asking.values() == KEPT and not panel.back.isVisible()

    in_the_lab(qapp, running_service, act)


def test_a_question_that_makes_no_sense_is_told_in_words_and_asked_again(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        panel.search("x" * 10_001)
        await until(panel.failure.isVisible, "the failure")
        assert "10,001 characters" in panel.failure.accessibleName()
        await asked(panel)
        assert panel.hits.isVisible()

    in_the_lab(qapp, running_service, act)


def test_chinese_is_asked_and_told(qapp: QApplication, running_service: Service) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel, "周会什么时候")
        assert came(panel)[0].hit.text == "周会在每周四上午十点"
        await until(lambda: "周会在每周四上午十点" in panel.context_text.paper.text(), "the text as told")

    in_the_lab(qapp, running_service, act)


def test_news_do_not_move_what_is_read_but_are_said(qapp: QApplication, running_service: Service) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        await asked(panel)
        ids = [row.id for row in came(panel)]
        await owner.call(
            memory.LEARN_FACT, NewFact(claim="Every node has a pool of its own size", channel=HERE)
        )
        await until(lambda: "changed since" in panel.outcome._stale.text(), "the word")
        assert [row.id for row in came(panel)] == ids
        press(panel.asking.text, Qt.Key.Key_Return)
        await until(lambda: not panel.outcome._stale.text(), "the new answer")

    in_the_lab(qapp, running_service, act)


def test_before_anything_is_asked_the_last_questions_of_agents_are_offered(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with Client(running_service.desk, agent="Forge") as agent:
            await furnish(agent)
            await agent.call(recall.SEARCH, Query(text="pool size of node 3", channel=HERE))
            async with opened(running_service.desk, size=(1100, 700)) as window:
                panel = window.open_panel("lab")
                assert isinstance(panel, LabPanel)
                await until(lambda: panel._recent[0].text() == "pool size of node 3", "the question")
                click(panel._recent[0])
                await until(lambda: came(panel), "hits")
                assert panel.asking.text.text() == "pool size of node 3"

    drive(qapp, scenario)


def test_the_search_of_the_window_leads_into_the_lab(qapp: QApplication, running_service: Service) -> None:
    async def act(window: Window, panel: LabPanel, owner: Client) -> None:
        window.open_panel("audit")
        window.open_search()
        press(window.search.field, "pool size")
        wanted = "Ask in the recall lab: pool size"
        choices = window.search.choices
        await until(lambda: wanted in [choice.text for choice in choices.model.rows()], "the command")
        next(choice for choice in choices.model.rows() if choice.text == wanted).act()
        await until(lambda: panel.isVisible() and came(panel), "hits in the lab")

    in_the_lab(qapp, running_service, act)


# What is pure.


def told(*stages: Stage, kind: str = "fact") -> Explanation:
    return Explanation(id="f_1", kind=kind, text="", place=None, says="", stages=stages)


def stage(name: str, **numbers: float) -> Stage:
    return Stage(name=name, passed=False, says="", numbers=numbers)


def test_the_recalled_part_is_brought_to_the_top_even_behind_emoji(qapp: QApplication) -> None:
    look.apply_theme(qapp, "dark")
    recalled = "\n".join(("# Recall", *(f"- line {number}" for number in range(200))))
    text = "\n".join((*("👍" * 10 for _ in range(60)), recalled))
    piece = ContextPiece(name="recall", source="recall", text=recalled, tokens=1, cut=False)
    told = PromptContext(
        text=text, pieces=(piece,), tokens=1, budget_tokens=9, query="", left=(), took_ms=1.0
    )
    shown = ContextText()
    shown.resize(800, 300)
    shown.show()
    shown.show_context(told, differs=False)
    first, _ = next(shown.paper.seen())
    assert first.text() == "# Recall"
    shown.close()


def test_a_trial_asks_exactly_as_its_settings_say() -> None:
    asked = Trial(text="x", values=KEPT).query()
    assert asked.techniques == tuple(name for name in TECHNIQUES if KEPT[f"recall_{name}"])
    assert set(asked.weights) == set(WEIGHTS) and asked.weights["episodic"] == DEFAULTS.weight_turns
    assert (asked.limit, asked.floor) == (DEFAULTS.recall_limit, DEFAULTS.recall_floor)


def test_only_what_differs_is_saved() -> None:
    assert lab_question.changed(KEPT, KEPT) == {}
    turned = Trial(text="x", values=KEPT).turned(weight_facts=0.25 + 1e-9, recall_hyde=True)
    assert lab_question.changed(turned.values, KEPT) == {"recall_hyde": True}
    assert lab_question.changes_text(turned.values, KEPT) == "recall hyde off → on"


@pytest.mark.parametrize(
    ("stages", "first"),
    [
        ((stage("floor", relevance=0.2),), "Lower the floor to 0.19"),
        ((stage("diversity", per_conversation=3),), "Allow 4 turns a conversation"),
        ((stage("ranking", place=17), stage("budget")), "Ask for 17 hits"),
        ((stage("scope"),), "Ask in family"),
        ((stage("time"),), "Ask of any time"),
    ],
)
def test_each_stage_has_a_help_of_its_own(stages: tuple[Stage, ...], first: str) -> None:
    offered = list(lab_why.suggest(told(*stages), Trial(text="x", channel=HERE, values=KEPT), "family"))
    assert offered[0].says == first
    assert len({repr(each.trial) for each in offered}) == len(offered)


def test_parts_stand_in_one_order_and_add_up_to_the_score() -> None:
    given = (("salience", -0.1), ("words", 0.5), ("odd", 0.2), ("meaning", 0.3), ("recency", 0.00001))
    hit = Hit(
        id="f_1",
        kind="fact",
        text="",
        channel=HERE,
        score=0.9,
        provenance=Provenance(),
        parts=tuple(ScorePart(name=name, value=value) for name, value in given),
    )
    assert [part.name for part in lab_hits.ordered(hit.parts)] == ["meaning", "words", "salience", "odd"]
    assert lab_hits.height(hit) == pytest.approx(1.0) and lab_hits.positive_parts([hit]) == [
        "meaning",
        "words",
        "odd",
    ]


def test_every_setting_of_the_lab_is_one_of_the_desk() -> None:
    assert lab_question.saved(SettingList(rows=())) == {}
    assert all(hasattr(DEFAULTS, name) for name in lab_question.NAMES)
    assert Heading(title="Nearly").id == ""
