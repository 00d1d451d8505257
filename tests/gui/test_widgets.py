"""The widgets as a person meets them: by mouse, by keyboard, in both themes; and the windowed table's manners."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QFontInfo, QImage, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from memdesk.gui import icons, look
from memdesk.gui.widgets import (
    Area,
    Bar,
    ChannelMark,
    Column,
    Control,
    Diff,
    Drop,
    Empty,
    Failure,
    Field,
    FieldChange,
    Ground,
    List,
    Meter,
    Option,
    RowsModel,
    Segments,
    Skeleton,
    Splitter,
    Table,
    Text,
    UndoStrip,
    WindowedModel,
    column,
    row,
    span,
    word_diff,
    word_diff_markup,
)
from memdesk.gui.widgets.ring import Ring

THEMES: tuple[look.Theme, ...] = ("dark", "light")
GROUNDS = ("win", "stage", "panel", "ctl", "hover", "sel", "sel2")


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> Iterator[None]:
    look.dress(qapp, "dark")
    yield
    look.dress(qapp, "dark")


Show = Callable[..., Ground]


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    """show(*widgets) puts them in a window that has the focus, as in a panel, and returns the window."""
    kept: list[Ground] = []

    def shown(*widgets: QWidget) -> Ground:
        window = Ground("stage", "", column(*widgets, None, margins=(10, 10, 10, 10)))
        kept.append(window)
        qtbot.addWidget(window)
        window.resize(400, 300)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield shown
    kept.clear()


def colours(widget: QWidget) -> set[str]:
    """Every colour a widget paints."""
    image: QImage = widget.grab().toImage()
    places = product(range(image.width()), range(image.height()))
    return {image.pixelColor(x, y).name() for x, y in places}


def paints(widget: QWidget, token: str) -> bool:
    return look.c(token).name() in colours(widget)


# Tokens.


def luminance(color: QColor) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [color.redF(), color.greenF(), color.blueF()]
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(over: QColor, ground: QColor) -> float:
    high, low = sorted((luminance(over), luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lowest(token: str, grounds: Sequence[str] = GROUNDS) -> float:
    return min(contrast(look.c(token), look.c(ground)) for ground in grounds)


@pytest.mark.parametrize(
    ("token", "dark", "light"),
    [
        ("t1", 10.2, 13.4),
        ("t2", 6.8, 6.7),
        ("t3", 4.55, 4.5),
        ("acc", 5.9, 5.3),
        ("ok", 6.2, 4.8),
        ("warn", 6.4, 5.2),
        ("bad", 5.3, 5.1),
    ],
)
def test_text_is_legible_on_every_ground(token: str, dark: float, light: float) -> None:
    for theme, least in zip(THEMES, (dark, light), strict=True):
        look.use(theme)
        assert lowest(token) >= least - 0.05, theme


@pytest.mark.parametrize("theme", THEMES)
def test_tones_are_legible_on_their_own_tint_and_white_on_the_primary_button(theme: look.Theme) -> None:
    look.use(theme)
    assert all(lowest(tone, (tone + "bg",)) >= 5.05 for tone in ("ok", "warn", "bad", "acc"))
    assert lowest("onfill", ("accfill", "fillpress")) >= 5.35
    assert lowest("acc", ("on", "over")) >= 4.5
    assert lowest("t1", ("on", "over", "track", "press")) >= 9


@pytest.mark.parametrize("theme", THEMES)
def test_channel_marks_stand_out_on_every_ground(theme: look.Theme) -> None:
    look.use(theme)
    pairs = product(range(7), GROUNDS)
    least = min(contrast(look.channel_color(number)[0], look.c(ground)) for number, ground in pairs)
    assert least >= (3.45 if theme == "dark" else 3.05)


def test_channels_come_round_hollow_from_the_seventh_on() -> None:
    assert look.channel_color(1) == (QColor("#3B9489"), False)
    assert look.channel_color(7) == (QColor("#3B9489"), True)
    assert look.channel_color(12)[0] == look.channel_color(6)[0]
    assert look.channel_color(0) == (QColor("#D3D8DF"), False)


def test_the_sequential_scale_meets_its_stops_and_runs_straight_between_them() -> None:
    assert look.sequential(0).name() == "#1e232b"
    assert look.sequential(1).name() == look.sequential(7).name() == "#f8f6b8"
    assert look.sequential(1 / 9).name() == "#1f2f47"
    assert look.sequential(float("nan")).name() == "#1e232b"
    between = look.sequential(0.5 / 9)
    assert between.green() == (0x23 + 0x2F) // 2
    table = look.sequential_table(256)
    assert (table[0], table[255]) == (look.sequential(0).rgb(), look.sequential(1).rgb())


def test_high_contrast_makes_control_edges_as_strong_as_quiet_text() -> None:
    look.use("dark", high_contrast=True)
    assert look.c("line2") == look.c("t3")
    look.use("dark")
    assert look.c("line2") == QColor("#3C424C")


def test_the_bundled_faces_are_used_in_the_weights_asked_for(qapp: QApplication) -> None:
    assert QFontInfo(look.font(13)).family() == "MemDesk Sans"
    assert [QFontInfo(look.font(13, weight)).weight() for weight in (400, 500, 600)] == [400, 500, 600]
    assert QFontInfo(look.font(12, mono=True)).family() == "MemDesk Mono"
    assert QFontInfo(look.font(13, italic=True)).italic()


def test_chinese_and_japanese_lines_are_as_high_as_latin_ones(show: Show) -> None:
    latin, chinese, japanese = Text("Deploy", 13), Text("和陈阿姨商量行程", 13), Text("日本語のかな", 13)
    show(latin, chinese, japanese)
    assert latin.sizeHint().height() == chinese.sizeHint().height() == japanese.sizeHint().height()
    assert paints(chinese, "t2")


@pytest.mark.parametrize("name", [*icons.PATHS, *icons.ALIASES])
def test_every_icon_paints_something_at_every_pixel_ratio(name: str) -> None:
    for dpr in (1.0, 1.5, 2.0):
        image = icons.pixmap(name, "t1", dpr).toImage()
        assert image.width() == round(16 * dpr)
        places = product(range(image.width()), range(image.height()))
        assert any(image.pixelColor(x, y).alpha() > 128 for x, y in places)


# Controls.


def test_a_control_is_pressed_by_mouse_space_and_enter(qtbot: QtBot, show: Show) -> None:
    control, presses = Control("primary", "Save", keys="Ctrl S"), []
    control.clicked.connect(lambda: presses.append(1))
    show(control)
    qtbot.mouseClick(control, Qt.MouseButton.LeftButton)
    qtbot.keyClick(control, Qt.Key.Key_Space)
    qtbot.keyClick(control, Qt.Key.Key_Return)
    assert len(presses) == 3


def test_a_disabled_control_says_why_and_cannot_be_pressed(qtbot: QtBot, show: Show) -> None:
    control, presses = Control("button", "Demote", "demote"), []
    control.clicked.connect(lambda: presses.append(1))
    control.set_enabled(False, "Only a promoted fact can be demoted.")
    show(control)
    qtbot.mouseClick(control, Qt.MouseButton.LeftButton)
    assert presses == []
    assert control.toolTip() == "Only a promoted fact can be demoted."


def test_the_keyboard_brings_a_ring_and_the_mouse_does_not(show: Show) -> None:
    first, second = Control("button", "Revert"), Control("button", "Save")
    window = show(first, second)
    second.setFocus(Qt.FocusReason.MouseFocusReason)
    assert window.findChildren(Ring) == []
    first.setFocus(Qt.FocusReason.TabFocusReason)
    (ring,) = window.findChildren(Ring)
    assert ring.geometry() == first.geometry().adjusted(-3, -3, 3, 3)
    second.setFocus(Qt.FocusReason.MouseFocusReason)
    assert window.findChildren(Ring) == []


def test_a_ring_follows_its_control_when_the_layout_changes(qtbot: QtBot, show: Show) -> None:
    above, control = Control("button", "Above"), Control("button", "Save")
    window = show(above, control)
    control.setFocus(Qt.FocusReason.TabFocusReason)
    above.hide()
    qtbot.waitUntil(lambda: control.y() == 10)
    (ring,) = window.findChildren(Ring)
    assert ring.y() == control.y() - 3


def test_an_ampersand_is_only_a_sign_and_makes_no_shortcut(show: Show) -> None:
    control = Control("rail", "Tools & strategies", "tools", count="3")
    show(control)
    assert control.text() == "Tools & strategies"
    assert control.shortcut().isEmpty()
    assert control.accessibleName() == "Tools & strategies 3"


def test_choosing_a_segment_moves_nothing_and_leaves_exactly_one_on(qtbot: QtBot, show: Show) -> None:
    segments, told = Segments([("past", "Past"), ("now", "Current"), ("next", "Future")], "now"), []
    segments.chosen.connect(told.append)
    show(segments)
    before = segments.sizeHint()
    buttons = segments.findChildren(Control)
    qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    assert [button.isChecked() for button in buttons] == [False, False, True]
    assert segments.value() == "next"
    assert segments.sizeHint() == before
    assert set(told) == {"next"}


def test_arrow_keys_move_within_segments_and_tab_reaches_one_of_them(qtbot: QtBot, show: Show) -> None:
    segments = Segments([(1, "A"), (2, "B"), (3, "C")])
    show(segments)
    buttons = segments.findChildren(Control)
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(buttons[0], Qt.Key.Key_Right)
    assert segments.value() == 2
    stops = [bool(button.focusPolicy() & Qt.FocusPolicy.TabFocus) for button in buttons]
    assert stops == [False, True, False]
    qtbot.keyClick(buttons[1], Qt.Key.Key_Left)
    qtbot.keyClick(buttons[0], Qt.Key.Key_Left)
    assert segments.value() == 1


def test_a_drop_tells_its_choice_and_several_choices_stay_open(qtbot: QtBot, show: Show) -> None:
    options = [Option(value="tidepool", text="tidepool", channel=1), Option(value="r", text="R&D", channel=2)]
    drop, told = Drop(options, lead="Channel", many=True, every="All channels"), []
    drop.chosen.connect(told.append)
    show(drop)
    menu = drop.menu()
    qtbot.addWidget(menu)
    menu.popup(QPoint(0, 0))
    place = menu.actionGeometry(menu.actions()[1]).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    assert menu.isVisible()
    menu.actions()[2].trigger()
    assert told == [("tidepool",), ("tidepool", "r")]
    assert drop.text() == "tidepool, R&D"
    assert [action.isChecked() for action in menu.actions()] == [False, True, True]
    menu.actions()[0].trigger()
    assert drop.value() == ()
    assert drop.accessibleName() == "Channel All channels"


def test_a_drop_keeps_its_choice_when_the_options_change_around_it() -> None:
    drop = Drop([Option(value=1, text="one"), Option(value=2, text="two")], 2)
    drop.set_options([Option(value=2, text="zwei"), Option(value=3, text="drei")])
    assert (drop.value(), drop.text()) == (2, "zwei")
    drop.set_options([Option(value=4, text="vier")])
    assert drop.value() == 4


def test_a_field_shows_what_is_wrong_in_words_and_colour(show: Show) -> None:
    field = Field("1.4", name="Confidence", width=150)
    show(field)
    assert not paints(field, "bad")
    field.set_error("0 to 1")
    assert paints(field, "bad")
    assert field.accessibleDescription() == "0 to 1"
    field.set_error()
    assert not paints(field, "bad")


def test_a_focused_field_has_one_ring_however_often_focus_comes(qtbot: QtBot, show: Show) -> None:
    field, area = Field("Quotes in euros"), Area("The lease", name="Claim")
    window = show(field, area)
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    QApplication.sendEvent(field, QEvent(QEvent.Type.UpdateRequest))
    assert [ring.target for ring in window.findChildren(Ring)] == [field]
    area.setFocus(Qt.FocusReason.TabFocusReason)
    assert [ring.target for ring in window.findChildren(Ring)] == [area]
    qtbot.keyClicks(area.editor, "!")
    assert area.text() == "!The lease"


def test_a_splitter_can_be_gripped_within_seven_px_and_moved_by_arrows(qtbot: QtBot, show: Show) -> None:
    splitter = Splitter(Ground("stage"), Ground("stage"), minimum=100)
    splitter.setFixedHeight(60)
    show(splitter)
    handle = splitter.handle(1)
    left = splitter.sizes()[0]
    assert handle.width() == 7
    qtbot.keyClick(handle, Qt.Key.Key_Right)
    assert splitter.sizes()[0] == left + 16
    for _ in range(40):
        qtbot.keyClick(handle, Qt.Key.Key_Left)
    assert splitter.sizes()[0] == 100


# Themes.


def test_everything_takes_the_other_themes_colours_at_run_time(show: Show, qapp: QApplication) -> None:
    text, control, mark = Text("claim", 13, "t1"), Control("button", "Save"), ChannelMark("tidepool", 1)
    rich = Text(wrap=True)
    rich.set_markup(lambda: span("was", "bad", ground="badbg") + span(" is", "ok"))
    window = show(text, control, mark, rich)
    dark = colours(window)
    assert {"#16181c", "#3b9489", "#331f1b", "#e8eaed"} <= dark
    look.dress(qapp, "light")
    light = colours(window)
    assert {"#ffffff", "#328589", "#fbe8e3", "#1a1d21"} <= light
    assert not {"#16181c", "#3b9489", "#331f1b", "#24282f"} & light


def test_system_follows_the_desktop_or_stays_dark(qapp: QApplication) -> None:
    look.dress(qapp, "system")
    prefers_light = qapp.styleHints().colorScheme() == Qt.ColorScheme.Light
    assert look.choice() == "system"
    assert look.is_dark() is not prefers_light


# Words.


def test_a_text_shows_markup_as_it_was_typed_and_cuts_only_what_is_seen(show: Show) -> None:
    plain = Text("<b>not bold</b> & more", 13, "t1", wrap=True)
    cut = Text("A claim that is much longer than the place it has in this row", elide=True)
    cut.setFixedWidth(120)
    show(plain, cut)
    assert "&lt;b&gt;" in QLabel.text(plain)
    assert cut.text().endswith("this row")
    assert cut.toolTip() == cut.text()
    assert QLabel.text(cut).endswith("…")


def test_wrapped_text_keeps_the_designs_line_pitch(show: Show) -> None:
    one, two = Text("one", 13, wrap=True), Text("one\ntwo", 13, wrap=True)
    show(one, two)
    assert two.heightForWidth(300) - one.heightForWidth(300) == 18


def test_word_diff_puts_both_texts_back_together() -> None:
    before = "goes through PgBouncer in session mode, 用户请求一"
    after = "goes through PgBouncer in transaction mode, 用户回答一"
    pieces = word_diff(before, after)
    assert "".join(p.text for p in pieces if p.change != "added") == before
    assert "".join(p.text for p in pieces if p.change != "removed") == after
    assert ("session", "removed") in [(p.text, p.change) for p in pieces]
    assert "<" not in word_diff_markup("a<b", "a<c").replace("<span", "").replace("</span", "")


def test_word_diff_of_huge_texts_is_told_whole() -> None:
    pieces = word_diff("old " * 5000, "new " * 5000)
    assert [piece.change for piece in pieces] == ["removed", "added"]


def test_a_diff_says_its_rows_to_a_screen_reader_and_puts_moves_first(show: Show) -> None:
    diff = Diff(
        [
            FieldChange(name="confidence", before="0.95", after="0.95"),
            FieldChange(name="channel", before="harbor-web", after="_global"),
            FieldChange(name="promoted_from", before=None, after="f_01733"),
        ]
    )
    show(diff)
    said = diff.accessibleDescription()
    assert said.startswith("channel: harbor-web → _global; promoted_from: none → f_01733")
    assert diff.moved() == 2
    assert paints(diff, "badbg")
    assert paints(diff, "okbg")


# States.


def test_a_skeleton_waits_before_it_shows(qtbot: QtBot, show: Show) -> None:
    skeleton = Skeleton(rows=2)
    show(skeleton)
    assert not paints(skeleton, "track")
    qtbot.waitUntil(lambda: paints(skeleton, "track"), timeout=1000)


def test_empty_and_failure_offer_their_step(qtbot: QtBot, show: Show) -> None:
    empty = Empty("Nothing waits for review", "The next run is at 10:02.", step="Open audit")
    failure = Failure("Could not read the audit log", "Agents keep working, nothing is lost.")
    show(empty, failure)
    with qtbot.waitSignal(empty.step_taken):
        qtbot.mouseClick(empty.step, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(failure.retried):
        qtbot.keyClick(failure.retry, Qt.Key.Key_Space)
    assert paints(failure, "bad")
    assert failure.accessibleName().endswith("nothing is lost.")


def test_the_undo_strip_names_the_change_it_takes_back(qtbot: QtBot, show: Show) -> None:
    strip = UndoStrip()
    show(strip)
    strip.hide()
    strip.offer("Retired “Pool size is 40 per node”", "c_01")
    assert strip.isVisible()
    link = strip.findChild(Control)
    assert isinstance(link, Control)
    with qtbot.waitSignal(strip.undone) as told:
        qtbot.keyClick(link, Qt.Key.Key_Return)
    assert told.args == ["c_01"]
    assert not strip.isVisible()


def test_a_meter_warns_near_its_limit_and_speaks_its_value() -> None:
    meter = Meter(0.5, name="MEMORY.md")
    tones = []
    for value in (0.84, 0.85, 1.2):
        meter.set_value(value)
        tones.append(meter.tone())
    assert tones == ["acc", "warn", "bad"]
    assert meter.accessibleName() == "MEMORY.md 120%"
    assert Bar(0.95, 0.85).accessibleName() == "95% against 85%"


# Tables.

Number = int
COLUMNS = (
    Column[Number](title="Number", text=lambda n: f"{n:,}", numeric=True, width=80),
    Column[Number](title="Undo", text=lambda n: "Undo", pressable=lambda n: n % 2 == 0),
)


def key(target: QWidget, code: Qt.Key, text: str = "") -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, code, Qt.KeyboardModifier.NoModifier, text)
    QApplication.sendEvent(target, event)


def test_rows_are_moved_through_and_opened_by_keyboard(show: Show) -> None:
    table = Table(RowsModel(COLUMNS, range(10)), name="Numbers")
    picked, opened = [], []
    table.picked.connect(picked.append)
    table.opened.connect(opened.append)
    show(Control("button", "before"), table)
    table.setFocus(Qt.FocusReason.TabFocusReason)
    key(table, Qt.Key.Key_J, "j")
    key(table, Qt.Key.Key_Down)
    key(table, Qt.Key.Key_K, "k")
    key(table, Qt.Key.Key_Return)
    key(table, Qt.Key.Key_7, "7")
    assert picked == [0, 1, 2, 1]
    assert opened == [1]


def test_single_letters_can_be_switched_off(show: Show) -> None:
    table = Table(RowsModel(COLUMNS, range(3)), name="Numbers", single_letters=False)
    show(Control("button", "before"), table)
    table.choose(0)
    key(table, Qt.Key.Key_J, "j")
    assert table.record() == 0


def test_a_pressable_cell_tells_its_record_and_column(qtbot: QtBot, show: Show) -> None:
    table, pressed = Table(RowsModel(COLUMNS, range(4)), name="Numbers"), []
    table.pressed.connect(lambda record, title: pressed.append((record, title)))
    show(table)
    for place in range(4):
        center = table.visualRect(table.model().index(place, 1)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=center)
    assert pressed == [(0, "Undo"), (2, "Undo")]


def test_row_states_have_their_grounds(qtbot: QtBot, show: Show) -> None:
    table = Table(RowsModel(COLUMNS, range(4)), name="Numbers")
    show(Control("button", "before"), table)
    assert not paints(table.viewport(), "sel")
    table.choose(1)
    assert paints(table.viewport(), "sel")
    assert not paints(table.viewport(), "hover")
    center = table.visualRect(table.model().index(2, 0)).center()
    qtbot.mouseMove(table.viewport(), center)
    qtbot.waitUntil(lambda: table.hover_row == 2)
    assert paints(table.viewport(), "hover")


def test_a_list_is_one_painted_row_per_record_and_speaks_it(show: Show) -> None:
    painted: list[str] = []
    names = List(
        lambda s: f"file {s}", lambda p, area, s, state: painted.append(s), name="Files", rows=("a", "b")
    )
    show(names)
    names.viewport().repaint()
    assert {"a", "b"} <= set(painted)
    assert names.model().index(1, 0).data() == "file b"
    interface = QAccessible.queryAccessibleInterface(names)
    assert interface.text(QAccessible.Text.Name) == "Files"


# The windowed model.


class Library:
    """Answers page questions one by one, in the order a test chooses."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        self.asked: list[tuple[int, asyncio.Future[Sequence[int]]]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def fetch(self, first: int, limit: int) -> Sequence[int]:
        future: asyncio.Future[Sequence[int]] = asyncio.get_running_loop().create_future()
        self.asked.append((first, future))
        return await future

    def answer(self, place: int, total: int = 10_000_000) -> None:
        first, future = self.asked[place]
        future.set_result(range(first + self.offset, min(total, first + 256) + self.offset))


async def turn() -> None:
    """Let every task run until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


def windowed(library: Library) -> WindowedModel[int]:
    return WindowedModel(COLUMNS, library.fetch, library.spawn)


def play(scenario: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await scenario()

    asyncio.run(run())


def test_a_windowed_model_keeps_qts_promises(qapp: QApplication, qtmodeltester: ModelTester) -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        qtmodeltester.check(model)
        model.reset(600, range(256))
        qtmodeltester.check(model)
        model.row(400)
        await turn()
        library.answer(0, 600)
        await turn()
        model.reset(0)

    play(scenario)


def test_rows_are_there_at_once_and_filled_when_their_page_comes() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(10_000_000)
        told: list[tuple[int, int]] = []
        model.arrived.connect(lambda first, count: told.append((first, count)))
        assert model.rowCount() == 10_000_000
        assert model.row(5_000_000) is None
        assert model.index(5_000_000, 0).data() == ""
        await turn()
        library.answer(0)
        await turn()
        assert model.row(5_000_000) == 5_000_000
        assert told == [(5_000_000 // 256 * 256, 256)]
        assert len(library.asked) == 1

    play(scenario)


def test_answers_to_an_older_question_are_ignored() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(1000)
        model.row(0)
        await turn()
        model.reset(500)
        library.offset = 7000
        model.row(0)
        await turn()
        library.answer(1, 500)
        await turn()
        library.offset = 0
        library.answer(0, 1000)
        await turn()
        assert model.row(3) == 7003
        assert model.rowCount() == 500

    play(scenario)


def test_pages_answered_out_of_order_land_in_their_places() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(2000)
        for place in (0, 300, 600, 900):
            model.row(place)
        await turn()
        for place in (2, 0, 3, 1):
            library.answer(place, 2000)
            await turn()
        assert [model.row(place) for place in (0, 300, 600, 900)] == [0, 300, 600, 900]

    play(scenario)


def test_a_dragged_scroll_bar_asks_for_little_and_for_the_last_place_first() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(10_000_000)
        for place in range(0, 10_000_000, 50_000):
            model.row(place)
        await turn()
        assert len(library.asked) == 4
        library.answer(0)
        await turn()
        assert library.asked[-1][0] == 9_950_000 // 256 * 256

    play(scenario)


def test_at_most_64_pages_are_kept() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(100 * 256)
        for page in range(100):
            model.row(page * 256)
            await turn()
            library.answer(page)
            await turn()
        assert model.held() == 64
        assert model.row(99 * 256) == 99 * 256
        assert model.row(0) is None

    play(scenario)


def test_a_failed_page_is_not_asked_for_again_until_retry() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(1000)
        model.row(0)
        await turn()
        library.asked[0][1].set_exception(OSError("disk is busy"))
        await turn()
        assert isinstance(library.tasks[0].exception(), OSError)
        model.row(0)
        await turn()
        assert len(library.asked) == 1
        model.retry()
        model.row(0)
        await turn()
        library.answer(1, 1000)
        await turn()
        assert model.row(0) == 0

    play(scenario)


def test_refresh_shows_old_rows_until_the_new_ones_are_here() -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        model.reset(256, range(256))
        model.refresh()
        assert model.row(3) == 3
        await turn()
        library.offset = 100
        library.answer(0, 256)
        await turn()
        assert model.row(3) == 103
        model.put(3, -1)
        assert model.row(3) == -1

    play(scenario)


def test_a_row_chosen_while_loading_is_told_when_it_comes(qtbot: QtBot) -> None:
    async def scenario() -> None:
        library = Library()
        model = windowed(library)
        table, picked = Table(model, name="Timeline"), []
        qtbot.addWidget(table)
        table.picked.connect(picked.append)
        model.reset(5000)
        table.choose(4000)
        assert picked == []
        await turn()
        for place in range(len(library.asked)):
            library.answer(place, 5000)
        await turn()
        assert picked == [4000]

    play(scenario)


def test_layout_words_take_widgets_space_and_stretch(qtbot: QtBot, show: Show) -> None:
    left, right = Control("button", "Left"), Control("button", "Right")
    window = Ground("panel", "top bottom", row(left, 20, right, None, gap=4, margins=(8, 0, 8, 0)), height=40)
    qtbot.addWidget(window)
    window.resize(400, 40)
    window.show()
    assert left.x() == 8
    assert right.x() == left.geometry().right() + 1 + 20 + 2 * 4 - 4
    assert paints(window, "line")
