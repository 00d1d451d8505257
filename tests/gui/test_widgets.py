"""The widgets as a person meets them: by mouse, by keyboard, in both themes, through a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QImage, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from memdesk.gui import look
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
    Tag,
    Text,
    TwoLines,
    UndoStrip,
    column,
    row,
    span,
    word_diff,
    word_diff_markup,
)
from memdesk.gui.widgets.layout import Flow
from memdesk.gui.widgets.paint import Ring
from memdesk.gui.widgets.paper import Paper
from memdesk.model.fact import quoting
from tests.gui.driving import PATIENCE_MS


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> Iterator[None]:
    look.apply_theme(qapp, "dark")
    yield
    look.apply_theme(qapp, "dark")


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
        qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE_MS)
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


def test_chinese_and_japanese_lines_are_as_high_as_latin_ones(show: Show) -> None:
    latin, chinese, japanese = Text("Deploy", 13), Text("和陈阿姨商量行程", 13), Text("日本語のかな", 13)
    show(latin, chinese, japanese)
    assert latin.sizeHint().height() == chinese.sizeHint().height() == japanese.sizeHint().height()
    # Where a system smooths letters by colour, no pixel of a thin stroke has just the token's.
    wanted = look.c("t2").getRgb()
    painted = (QColor(each).getRgb() for each in colours(chinese))
    assert any(all(abs(a - b) < 16 for a, b in zip(each, wanted, strict=True)) for each in painted)


# Controls.


def test_a_character_that_nobody_sees_is_shown_by_name_and_copied_as_it_is(qtbot: QtBot, show: Show) -> None:
    said = "pay\u200bpal \u202egnp"
    for options in ({"wrap": True}, {"elide": True}, {}):
        label = Text(said, 13, "t1", selectable=True, **options)
        show(label)
        assert "pay‹ZWSP›pal ‹RLO›gnp" in QLabel.text(label) and label.text() == said
        label.setSelection(0, len("pay‹ZWSP›pal ‹RLO›gnp"))
        qtbot.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QApplication.clipboard().text() == said
    paper = Paper("Source")
    paper.set_text("plain\n" + said)
    show(paper)
    assert paper.text() == "plain\n" + said
    marked = paper.grab().toImage()
    paper.set_text("plain\npaypal gnp")
    assert paper.grab().toImage() != marked


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


def test_a_ring_is_whole_around_a_control_that_fills_its_row_and_moves_with_the_row(
    qtbot: QtBot, show: Show
) -> None:
    above, which = Control("button", "Above"), Segments([("a", "All"), ("b", "Errors")], name="Which")
    window = show(above, which)
    first = which.button("a")
    first.setFocus(Qt.FocusReason.TabFocusReason)
    (ring,) = window.findChildren(Ring)
    around = ring.parentWidget()
    assert around is not None and around.rect().contains(ring.geometry())
    above.hide()
    qtbot.waitUntil(lambda: which.y() == 10, timeout=PATIENCE_MS)
    assert ring.mapTo(window, QPoint(3, 3)) == first.mapTo(window, QPoint())


def test_a_ring_follows_its_control_when_the_layout_changes(qtbot: QtBot, show: Show) -> None:
    above, control = Control("button", "Above"), Control("button", "Save")
    window = show(above, control)
    control.setFocus(Qt.FocusReason.TabFocusReason)
    above.hide()
    qtbot.waitUntil(lambda: control.y() == 10, timeout=PATIENCE_MS)
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
    look.apply_theme(qapp, "light")
    light = colours(window)
    assert {"#ffffff", "#328589", "#fbe8e3", "#1a1d21"} <= light
    assert not {"#16181c", "#3b9489", "#331f1b", "#24282f"} & light


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
    qtbot.waitUntil(lambda: paints(skeleton, "track"), timeout=PATIENCE_MS)


def test_empty_and_failure_offer_their_step(qtbot: QtBot, show: Show) -> None:
    empty = Empty("Nothing waits for review", "The next run is at 10:02.", step="Open audit")
    failure = Failure()
    failure.set_words("Could not read the audit log", "Agents keep working, nothing is lost.")
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

COLUMNS = (
    Column[int](title="Number", text=lambda n: f"{n:,}", numeric=True, width=80),
    Column[int](title="Undo", text=lambda n: "Undo", pressable=lambda n: n % 2 == 0),
)


def key(target: QWidget, code: Qt.Key, text: str = "") -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, code, Qt.KeyboardModifier.NoModifier, text)
    QApplication.sendEvent(target, event)


def point_at(target: QWidget, at: QPoint) -> None:
    none, spot = Qt.MouseButton.NoButton, QPointF(at)
    move = QMouseEvent(
        QEvent.Type.MouseMove, spot, target.mapToGlobal(spot), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(target, move)


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
    # The pointer itself may be there already, or over the window of another test: then it sends nothing.
    point_at(table.viewport(), table.visualRect(table.model().index(2, 0)).center())
    assert table.hover_row == 2
    assert paints(table.viewport(), "hover")


def test_a_live_change_flashes_and_fades_unless_motion_is_reduced(qtbot: QtBot, show: Show) -> None:
    table = Table(RowsModel(COLUMNS, range(4)), name="Numbers")
    show(Control("button", "before"), table)
    table.flash(2)
    qtbot.waitUntil(lambda: 2 in table.flashes, timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: not table.flashes, timeout=PATIENCE_MS)
    look.reduce_motion(True)
    table.flash(2)
    assert not table.flashes
    look.reduce_motion(False)


def test_the_chosen_record_stays_chosen_while_the_rows_are_replaced(show: Show) -> None:
    told: list[int] = []
    table = Table(RowsModel(COLUMNS, range(4)), name="Numbers", id_of=str)
    show(table)
    table.choose(2)
    table.picked.connect(told.append)
    assert table.replace_rows([5, 2, 7, 8]) == 2 and table.currentIndex().row() == 1
    assert table.replace_rows([5, 2, 7], choose="7") == 7
    assert table.replace_rows([5, 6, 8]) == 8, "the next, where the chosen one has gone"
    assert table.replace_rows([1, 2], or_first=False) is None and not table.currentIndex().isValid()
    assert table.replace_rows([]) is None and not told
    assert not table.choose_id("3")


def test_a_cell_that_is_cut_is_shown_in_full_by_its_tool_tip(show: Show) -> None:
    words = Column[str](title="Words", text=lambda row: row, width=80)
    own = Column[str](title="Own", text=lambda row: row, width=80, tip=lambda row: f"tip of {row}")
    rows = RowsModel((words, own), ["short", "much longer than eighty pixels"])
    table = Table(rows, name="Words")
    show(table)
    for place, section, says in ((0, 0, ""), (1, 0, rows.row(1)), (0, 1, "tip of short")):
        QToolTip.hideText()
        at = table.visualRect(rows.index(place, section)).center()
        help = QHelpEvent(QEvent.Type.ToolTip, at, table.viewport().mapToGlobal(at))
        QApplication.sendEvent(table.viewport(), help)
        assert QToolTip.text() == says


def test_a_painted_row_shows_what_is_cut_of_it_by_its_tool_tip(show: Show) -> None:
    def lines(title: str) -> TwoLines:
        return TwoLines(
            title=title, note="3 d", below="tidepool, a channel that was renamed twice", below_note=""
        )

    rows = List(str, name="Rows", lines=lines, id_of=str)
    show(rows)
    rows.resize(160, 200)
    rows.replace_rows(["short", "A rehearsal ends with a customer's signature"])
    for place, says in ((0, []), (1, ["A rehearsal ends with a customer's signature"])):
        at = rows.visualRect(rows.rows.index(place, 0)).center()
        QToolTip.hideText()
        help = QHelpEvent(QEvent.Type.ToolTip, at, rows.viewport().mapToGlobal(at))
        QApplication.sendEvent(rows.viewport(), help)
        assert QToolTip.text().split("\n") == [*says, "tidepool, a channel that was renamed twice"]


def test_cells_are_declared_with_icon_bar_and_channel(show: Show) -> None:
    plain = Column[int](title="", text=str, width=200)
    for dressed, wide in (
        (Column[int](title="", text=str, width=200, icon=lambda _: ("check", "ok")), 22),
        (Column[int](title="", text=str, width=200, bar=lambda _: (0.5, "acc"), bar_px=40), 48),
        (Column[int](title="", text=str, width=200, channel=lambda _: 1), 13),
    ):
        assert (plain.lead_px(1), dressed.lead_px(1)) == (0, wide)
        pictures = []
        for each in (plain, dressed):
            table = Table(RowsModel((each,), [1]), name="Cells")
            show(table)
            pictures.append(table.grab().toImage())
        assert pictures[0] != pictures[1]


def test_a_list_is_one_painted_row_per_record_and_speaks_it(show: Show) -> None:
    painted: list[str] = []
    names = List(lambda s: f"file {s}", lambda p, area, s, state: painted.append(s), name="Files")
    names.rows.set_rows(("a", "b"))
    show(names)
    names.viewport().repaint()
    assert {"a", "b"} <= set(painted)
    assert names.model().index(1, 0).data() == "file b"
    interface = QAccessible.queryAccessibleInterface(names)
    assert interface.text(QAccessible.Text.Name) == "Files"


def test_layout_words_take_widgets_space_and_stretch(qtbot: QtBot, show: Show) -> None:
    left, right = Control("button", "Left"), Control("button", "Right")
    window = Ground("panel", "top bottom", row(left, 20, right, None, gap=4, margins=(8, 0, 8, 0)), height=40)
    qtbot.addWidget(window)
    window.resize(400, 40)
    window.show()
    assert left.x() == 8
    assert right.x() == left.geometry().right() + 1 + 20 + 2 * 4 - 4
    assert paints(window, "line")


def test_a_tag_that_is_longer_than_its_place_is_cut_and_widens_nothing(show: Show) -> None:
    tag, holder = Tag("An entity whose name goes on and on, " * 6), QWidget()
    holder.setLayout(Flow(tag, Tag("short")))
    show(holder)
    assert holder.minimumSizeHint().width() == 0
    assert tag.width() <= holder.width() < tag.sizeHint().width()


def test_what_does_not_fit_of_a_quoted_exchange_is_what_came_before_its_last_words(show: Show) -> None:
    claim = quoting("en", "Half past six.", speaker="Ana", before=("We dance in May", "From when to when?"))
    text = Text(claim, elide=True)
    text.setFixedWidth(160)
    show(text)
    assert QLabel.text(text).startswith("… Ana: “Half past") and text.accessibleName() == claim
    text.setFixedWidth(900)
    assert QLabel.text(text) == claim


def test_tool_tips_of_controls_and_cut_texts_read_nothing_as_markup(show: Show) -> None:
    control, text = Control("button", "Open", tip="<b>Open</b>"), Text("<img src=x> " * 40, elide=True)
    show(control, text)
    assert "&lt;b&gt;" in control.toolTip() and "&lt;img" in text.toolTip()


def test_an_empty_state_leaves_nothing_behind_as_a_window_of_its_own(show: Show) -> None:
    before = set(QApplication.topLevelWidgets())
    failed = Failure()
    failed.set_words("It failed.")
    window = show(Empty("Nothing yet.", "Soon.", step="Go"), failed)
    shown = [each for each in set(QApplication.topLevelWidgets()) - before if each.isVisible()]
    assert shown == [window]


def test_a_count_on_a_chip_that_passes_nine_takes_no_more_room(qapp: QApplication) -> None:
    look.apply_theme(qapp, "dark")
    chip = Control("chip", "Pinned")
    widths = set()
    for count in ("9", "10", "99"):
        chip.set_count(count)
        widths.add(chip.sizeHint().width())
    assert len(widths) == 1


def test_a_count_on_a_chip_takes_the_same_room_whatever_its_figures(qapp: QApplication) -> None:
    look.apply_theme(qapp, "dark")
    chip = Control("hide", "Recall", "recall")
    widths = set()
    for count in ("1,111", "8,888", "4,071"):
        chip.set_count(count)
        widths.add(chip.sizeHint().width())
    assert len(widths) == 1
