"""The help in the real window: a page for every panel in both languages, read, searched and followed by keyboard."""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QShortcut, QWhatsThisClickedEvent
from PySide6.QtWidgets import QApplication, QWhatsThis, QWidget

import memdesk
from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.files.places import resource
from memdesk.gui import language
from memdesk.gui.editor.markdown_preview import parse
from memdesk.gui.language import LOCALES, Language
from memdesk.gui.panels import PANELS
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.panels.graph_panel import GraphPanel
from memdesk.gui.panels.review_panel import ReviewPanel
from memdesk.gui.shell import help_sheet
from memdesk.gui.shell.help_sheet import INDEX, About, Page
from memdesk.gui.widgets import Control, Text, explaining
from memdesk.gui.window import Window
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, press, until
from tests.gui.test_settings_panel import shown

IN_LISTS = {"J", "K", "Enter", "Esc", "Backspace", "+", "-", "Ctrl+A", "Ctrl+F"}
"""Keys that lists, canvases and fields take themselves, without a shortcut."""
LINK = re.compile(r"\]\(([^)]+)\)")


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[None]:
    yield
    language.use("en")


def spoken(tongue: Language) -> dict[str, Page]:
    language.use(tongue)
    return {page.name: page for page in help_sheet.pages()}


def keys_of(page: Page) -> set[str]:
    """The keys that a page's table names."""
    cells = [line.split("|")[1] for line in page.text.splitlines() if line.startswith("| `")]
    return {key for cell in cells for key in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize("tongue", list(LOCALES))
def test_every_panel_has_a_page_with_its_numbers_its_keys_and_three_things_to_try(tongue: Language) -> None:
    found = spoken(tongue)
    for panel in PANELS:
        text = found[panel.name].text
        assert text.count("\n## ") == 3, panel.name
        assert "\n3. " in text and "\n4. " not in text, panel.name
        assert f"(panel:{panel.name})" in text
        assert f"({panel.name}.md)" in found[INDEX].text


def test_a_page_that_is_not_translated_is_shown_in_english(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "zh").mkdir()
    index = "# Contents\n\n## Pages\n\n## Words"
    english = (("en", INDEX, index), ("en", "a", "# One"), ("en", "b", "# Two"))
    for place, name, text in (*english, ("zh", "b", "# 二")):
        (tmp_path / place / f"{name}.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(help_sheet, "resource", lambda _, tongue: tmp_path / tongue)
    help_sheet._pages.cache_clear()
    titles = {name: page.title for name, page in spoken("zh").items()}
    assert titles == {INDEX: "Contents", "a": "One", "b": "二"}
    help_sheet._pages.cache_clear()


@pytest.mark.parametrize("tongue", list(LOCALES))
def test_no_link_leads_nowhere_and_every_term_is_told_on_its_page(tongue: Language) -> None:
    found = spoken(tongue)
    for page in found.values():
        for link in LINK.findall(page.text):
            assert link.removesuffix(".md") in found or link == f"panel:{page.name}", (page.name, link)
    for term in explaining.terms().values():
        assert term.key in found[term.page].anchors, term.key
        assert explaining.find_term(term.names[0].upper()) == term


def test_every_key_that_a_page_names_is_a_key_of_the_window(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            for panel in PANELS:
                window.open_panel(panel.name)
            review = window.open_panel("review")
            assert isinstance(review, ReviewPanel)
            # Parts that are made when they are first used.
            there = keys_in(window) | keys_in(window.act_sheet) | keys_in(review.standing) | IN_LISTS
            for name in (INDEX, *(panel.name for panel in PANELS)):
                page = help_sheet.help_page(name)
                assert page is not None and keys_of(page) <= there, (name, keys_of(page) - there)

    drive(qapp, scenario)


def keys_in(window: QWidget) -> set[str]:
    """Every shortcut, and every key that a button shows."""
    shortcuts = {each.key().toString() for each in window.findChildren(QShortcut)}
    shown = {each.label.keys.replace(" ", "+") for each in window.findChildren(Control)}
    return {keys.replace("Return", "Enter") for keys in shortcuts | shown}


def test_f1_tells_of_the_open_panel_and_esc_gives_the_keyboard_back(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            help = window.help
            window.enter_panel("facts")
            press(window, Qt.Key.Key_F1)
            await until(help.isVisible, "the help")
            assert help.title.text() == "Facts" and "How sure the desk is" in help.text.toPlainText()
            assert help.geometry().right() == window.body.geometry().right()
            assert help.geometry().top() == window.body.geometry().top()
            # It goes with the panel that is read, unless another page was chosen.
            window.open_panel("audit")
            assert help.title.text() == "Audit"
            click(help.contents)
            window.open_panel("graph")
            assert help.title.text() == "MemDesk"
            help.text.anchorClicked.emit(QUrl("salience.md"))
            assert help.title.text() == "Salience"
            help.text.anchorClicked.emit(QUrl("panel:salience"))
            assert window.stage.panel is not None and window.stage.panel.name == "salience"
            click(help.back)
            assert help.title.text() == "MemDesk"
            help.text.setFocus()
            press(help.text, Qt.Key.Key_Escape)
            assert not help.isVisible()
            await activated(window)
            await until(
                lambda: window.stage.panel.isAncestorOf(QApplication.focusWidget()), "the panel's focus"
            )
            click(window.top_bar.help)
            assert help.isVisible() and help.title.text() == "Salience"
            press(window, Qt.Key.Key_F1)
            assert not help.isVisible()

    drive(qapp, scenario)


def test_the_search_finds_a_line_of_any_page_and_goes_there(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk, size=(1100, 700)) as window:
            help = window.help
            help.open("overview")
            press(help.text, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
            await until(help.field.hasFocus, "the search")
            press(help.field, "red staircase")
            hit = help.hits.record()
            assert help.hits.isVisible() and hit.page.name == "salience"
            press(help.field, Qt.Key.Key_Return)
            assert help.title.text() == "Salience" and help.text.isVisible() and help.field.text() == ""
            press(help.field, "nothing of the kind")
            assert help._nothing.isVisible()
            press(help.field, Qt.Key.Key_Escape)
            assert help.text.isVisible() and help.isVisible()
            press(help.field, Qt.Key.Key_Escape)
            assert not help.isVisible()

    drive(qapp, scenario)


def test_a_term_opens_its_page_where_it_is_told(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk, size=(1100, 700)) as window:
            window.help.explain("rrf")
            await until(window.help.isVisible, "the help")
            assert window.help.title.text() == "Recall lab"
            assert window.help.text.verticalScrollBar().value() > 0
            top = window.help.text.cursorForPosition(window.help.text.viewport().rect().center())
            assert top.block().text()

    drive(qapp, scenario)


def test_a_page_holds_nothing_but_plain_markdown() -> None:
    for tongue in LOCALES:
        for page in spoken(tongue).values():  # type: ignore[arg-type]
            assert not re.search(r"^\{", page.text, re.MULTILINE) and parse(page.text).tokens


def test_a_column_a_heading_and_a_legend_say_what_their_figures_mean(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        desk = running_service.desk
        async with Client(desk, agent="Forge") as agent, opened(desk) as window:
            new = NewFact(claim="The crane lifts 12 tonnes", channel="harbour")
            fact = await agent.call(memory.LEARN_FACT, new)
            panel = window.open_panel("facts")
            assert isinstance(panel, FactsPanel)
            await until(lambda: panel.table.model().rowCount() == 1, "the fact")
            says = explaining.terms()["salience"].says
            titles = [column.title for column in panel.model.columns]
            head, place = panel.table.horizontalHeader(), titles.index("Salience")
            model, role = panel.table.model(), Qt.ItemDataRole
            assert says in model.headerData(place, Qt.Orientation.Horizontal, role.ToolTipRole)
            assert says in model.headerData(place, Qt.Orientation.Horizontal, role.WhatsThisRole)
            assert says in model.index(0, place).data(role.WhatsThisRole)
            assert model.headerData(0, Qt.Orientation.Horizontal, role.WhatsThisRole) is None
            assert head.count() == len(titles)
            window.inspector.show_memory(fact.id)
            await until(lambda: window.inspector.view is not None, "the inspector")
            labels = {each.text(): each for each in window.inspector.findChildren(Text)}
            for name in ("Salience", "Confidence", "Recalled", "Promotion"):
                assert "<p><b>" in labels[name].whatsThis() and labels[name].toolTip(), name
            graph = window.open_panel("graph")
            assert isinstance(graph, GraphPanel)
            assert explaining.terms()["hops"].says in graph.tools.hops_said.whatsThis()

    drive(qapp, scenario)


def test_shift_f1_on_a_figure_leads_to_where_the_help_tells_of_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            graph = window.open_panel("graph")
            assert isinstance(graph, GraphPanel)
            press(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
            assert QWhatsThis.inWhatsThisMode()
            QWhatsThis.leaveWhatsThisMode()
            asked = graph.tools.hops_said
            QApplication.sendEvent(asked, QWhatsThisClickedEvent("hops"))
            await until(window.help.isVisible, "the help")
            assert window.help.title.text() == "Graph"

    drive(qapp, scenario)


def test_a_page_without_a_translation_is_shown_in_english_and_listed_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(resource("help"), tmp_path / "help")
    (tmp_path / "help/en/notes.md").write_text("# Notes\n\nWhat was noted.\n", encoding="utf-8")
    monkeypatch.setattr(help_sheet, "resource", lambda *parts: tmp_path.joinpath(*parts))
    help_sheet._pages.cache_clear()
    found = spoken("zh")
    help_sheet._pages.cache_clear()
    assert found["notes"].text.startswith("# Notes") and found["facts"].text.startswith("# ")
    listed, *_ = found[INDEX].text.split("\n\n## ")[1:]
    assert "\n- [Notes](notes.md)" in listed


def test_what_the_window_calls_a_figure_is_its_name_in_chinese_too() -> None:
    language.use("en")
    names = {name: term.key for term in explaining.terms().values() for name in term.names}
    said = {
        message.findtext("source"): message.findtext("translation")
        for message in ElementTree.parse(resource("translations", "zh_CN.ts")).iter("message")
    }
    language.use("zh")
    for name, key in names.items():
        if chinese := said.get(name):
            assert (explaining.find_term(chinese) or explaining.terms()["salience"]).key == key, (
                name,
                chinese,
            )


def dialog(window: Window) -> About | None:
    return window.findChild(About)


def test_the_version_and_every_licence_are_shown_and_copied(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk) as window:
            panel = await shown(window)
            assert panel.about.text() == f"MemDesk {memdesk.__version__}"
            click(panel.about)
            await until(lambda: dialog(window), "the dialog")
            about = dialog(window)
            assert about is not None
            await activated(about)
            assert about.surroundings.text().startswith("Python 3.")
            assert about.text.verticalScrollBar().value() == 0
            read = about.text.toPlainText()
            assert "Llama 2" in read and "MIT" in read and "pytest" not in read
            click(about.copy)
            copied = QApplication.clipboard().text()
            assert (
                copied.startswith(f"MemDesk {memdesk.__version__}, Python {platform.python_version()}")
                and "\n| numpy | " in copied
            )
            press(about, Qt.Key.Key_Escape)
            await until(lambda: dialog(window) is None, "its end")
            command = next(key for key in window.keys.keys if key.says == "About MemDesk")
            command.act()
            assert dialog(window) is not None

    drive(qapp, scenario)
