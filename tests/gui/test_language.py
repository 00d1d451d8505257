"""The window's language: what is said in which, how counts are said, and a window that comes back in another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from memdesk.__main__ import Program
from memdesk.gui import app, language
from memdesk.gui.app import WindowLock
from memdesk.gui.language import sentences, tr
from memdesk.gui.window import Window
from tests.gui.driving import drive, opened, until


@pytest.fixture(autouse=True)
def in_english(qapp: QApplication) -> Iterator[None]:
    """Other tests speak English again."""
    yield
    language.use("en")


def test_sentences_have_a_space_between_them_where_their_language_has_one() -> None:
    assert sentences("It is late.", "", "Go home.") == "It is late. Go home."
    assert sentences("已经很晚了。", "回家吧。") == "已经很晚了。回家吧。"
    assert sentences("已经很晚了。", "Go home.", "") == "已经很晚了。Go home."
    assert sentences("", "") == ""


def test_english_counts_with_one_form_or_the_other(qapp: QApplication) -> None:
    language.use("en")
    assert [tr("%Ln fact(s)", "", n) for n in (0, 1, 5833)] == ["0 facts", "1 fact", "5,833 facts"]
    assert [tr("%Ln entit(y|ies)", "", n) for n in (1, 2)] == ["1 entity", "2 entities"]
    left = "%Ln left as (it was|they were)"
    assert [tr(left, "", n) for n in (1, 2)] == ["1 left as it was", "2 left as they were"]


def test_what_goes_into_a_text_is_left_as_it_is(qapp: QApplication) -> None:
    language.use("en")
    assert tr("Theme: {theme}", theme="{braces} (s)") == "Theme: {braces} (s)"


def test_chinese_is_spoken_where_it_is_chosen_and_english_again_after_it(qapp: QApplication) -> None:
    language.use("zh")
    assert tr("Dark") == "深色"
    assert tr("a text that nobody translated") == "a text that nobody translated"
    language.use("en")
    assert tr("Dark") == "Dark"


def test_a_language_nobody_knows_is_the_one_of_the_system() -> None:
    assert language.by_name("tlh") == "system"


def test_a_window_stays_where_the_language_chosen_is_the_one_that_it_shows(
    qapp: QApplication, running_service: Any
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            # English is shown; it is what the system has here, under another name.
            for tongue in ("system", "en"):
                window.top_bar.language_chosen.emit(tongue)
                assert window.isVisible() and not window.reopens
                assert language.choice() == tongue and language.current_language() == "en"

    drive(qapp, scenario)


def test_a_window_closes_for_another_language_and_comes_back_in_it(
    qapp: QApplication, running_service: Any
) -> None:
    async def choosing() -> None:
        async with opened(running_service.desk) as window:
            window.top_bar.language_chosen.emit("zh")
            assert window.reopens and not window.isVisible()

    async def coming_back() -> None:
        desk = running_service.desk

        def windows() -> list[Window]:
            return [each for each in qapp.topLevelWidgets() if isinstance(each, Window) and each.isVisible()]

        life = asyncio.ensure_future(app.run_window(desk, Program(), WindowLock(desk)))
        await until(windows, "the window")
        assert language.current_language() == "zh" and windows()[0].top_bar.theme.toolTip() == "主题与语言"
        windows()[0].top_bar.language_chosen.emit("en")
        assert await life

    drive(qapp, choosing)
    drive(qapp, coming_back)
