"""The review inbox by hand: a queue is worked through by keys alone, then by pointer alone, and taken back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.client.client import Client
from memdesk.gui.panels.review.review_answering import StandForm
from memdesk.gui.panels.review.review_answers import AlikeForm
from memdesk.gui.panels.review.review_queue import Line
from memdesk.gui.panels.review.review_words import NAMED
from memdesk.gui.panels.review_panel import ReviewPanel
from memdesk.gui.window import Window
from tests.conftest import Service
from tests.gui.driving import activated, click, press, until
from tests.gui.hands import CTRL, SHIFT, click_row, deed, pick, segment
from tests.gui.test_review import (
    HERE,
    POISON,
    correction,
    lines,
    on_the_panel,
    poison,
    promotions,
    read,
    says,
)


def typed(keys: str | Qt.Key, *held: Qt.KeyboardModifier) -> None:
    """Press a key wherever the keyboard is, as a person does."""
    focus = QApplication.focusWidget()
    assert focus is not None
    press(focus, keys, *held)


def read_now(panel: ReviewPanel) -> str:
    """The title of the question that the queue stands at."""
    line = panel.queue.record()
    assert isinstance(line, Line)
    return line.question.subject.title


def of_type(panel: ReviewPanel, type: str) -> list[Line]:
    return [line for line in lines(panel) if line.question.type == type]


async def left(panel: ReviewPanel, number: int) -> None:
    """Wait until so many questions are left, and the next can be answered."""
    await until(lambda: len(lines(panel)) == number, f"{number} questions")
    await read(panel)
    await until(lambda: panel.answering.can_answer, "its answers")


def test_a_queue_is_worked_through_by_keys_alone(qapp: QApplication, running_service: Service) -> None:
    async def act(window: Window, panel: ReviewPanel) -> None:
        await left(panel, 5)
        assert panel.queue.hasFocus()
        put_off = read_now(panel)
        typed("s")
        await until(lambda: lines(panel)[-1].question.subject.title == put_off, "it at the end")
        await left(panel, 5)
        promoted = read_now(panel)
        typed("1")
        await left(panel, 4)
        assert deed(window) == f"Promoted “{promoted}” to _global"
        kept = read_now(panel)
        typed("2")
        await left(panel, 3)
        assert deed(window) == f"Kept out of _global: “{kept}”"
        typed(Qt.Key.Key_J)
        await read(panel)
        held = read_now(panel)
        typed("q")
        await until(lambda: lines(panel)[0].question.type == "quarantine", "it held out")
        assert deed(window) == f"Quarantined “{held}”"
        for number in (3, 4, 5):
            typed(Qt.Key.Key_Z, CTRL)
            await until(lambda: not of_type(panel, "quarantine"), "what was asked before")
            await left(panel, number)
        typed(Qt.Key.Key_Z, CTRL, SHIFT)
        await until(lambda: len(lines(panel)) == 4, "the answer again")

    on_the_panel(qapp, running_service, promotions, act)


def test_a_key_pressed_before_the_evidence_is_here_answers_the_chosen_question_or_says_why_not(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: ReviewPanel) -> None:
        await left(panel, 5)
        typed(Qt.Key.Key_J)
        kept_out = read_now(panel)
        assert panel.looking.question is None
        typed("2")
        await left(panel, 4)
        assert deed(window) == f"Kept out of _global: “{kept_out}”"
        typed(Qt.Key.Key_J)
        typed("2")
        typed(Qt.Key.Key_K)
        await left(panel, 4)
        assert deed(window) == f"Kept out of _global: “{kept_out}”"
        promoted, says = read_now(panel), panel.reading.decisions.notice
        assert not says.isVisible()
        typed("1")
        typed("1")
        assert says.isVisible() and "still loading" in says.text()
        await left(panel, 3)
        assert deed(window) == f"Promoted “{promoted}” to _global" and not says.isVisible()

    on_the_panel(qapp, running_service, promotions, act)


def test_questions_are_chosen_and_answered_by_pointer_and_taken_back_by_it(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: ReviewPanel) -> None:
        await left(panel, 5)
        wanted = lines(panel)[2].question
        click_row(panel.queue, panel.queue.place_of(wanted.id))
        await left(panel, 5)
        assert read_now(panel) == wanted.subject.title
        click(panel.reading.decisions.buttons[1])
        await left(panel, 4)
        assert deed(window) == f"Kept out of _global: “{wanted.subject.title}”"
        click(window.status_line.undo)
        await left(panel, 5)
        assert read_now(panel) == wanted.subject.title
        click(segment(panel.types, NAMED["duplicate"].many))
        await until(panel._empty.isVisible, "none of that type")
        click(segment(panel.types, "All"))
        await until(lambda: panel._content.isVisible() and len(lines(panel)) == 5, "all of them")

    on_the_panel(qapp, running_service, promotions, act)


def test_shift_and_a_number_asks_and_esc_leaves_them_all_until_enter_answers_them(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: ReviewPanel) -> None:
        alike = next(line for line in lines(panel) if line.question.channel == HERE)
        click_row(panel.queue, panel.queue.place_of(alike.id))
        await left(panel, 5)
        typed(Qt.Key.Key_1, SHIFT)
        await until(lambda: isinstance(panel.reading.form, AlikeForm), "the question before")
        typed(Qt.Key.Key_Escape)
        await until(lambda: panel.reading.form is None and panel.queue.hasFocus(), "the queue")
        assert len(lines(panel)) == 5 and not deed(window)
        typed(Qt.Key.Key_1, SHIFT)
        await until(lambda: isinstance(panel.reading.form, AlikeForm), "the question before")
        typed(Qt.Key.Key_Return)
        await until(lambda: len(lines(panel)) == 1, "one of another channel")
        assert deed(window) == "Promote: 4 promotions in harbour"
        typed(Qt.Key.Key_Z, CTRL)
        await until(lambda: len(lines(panel)) == 5, "all again")

    on_the_panel(qapp, running_service, promotions, act)


def test_always_for_this_source_is_chosen_by_key_listed_and_revoked_by_pointer(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: ReviewPanel) -> None:
        await left(panel, 1)
        typed("t")
        await until(lambda: isinstance(panel.reading.form, StandForm), "the form")
        form = panel.reading.form
        assert isinstance(form, StandForm) and form.answers.hasFocus()
        await pick(form.answers, "Leave it", by_key=True)
        await pick(form.sources, f"channel {HERE}")
        form.give.setFocus()
        typed(Qt.Key.Key_Return)
        await until(panel._empty.isVisible, "the empty inbox")
        await activated(window)
        click(panel.always)
        await until(lambda: panel.standing.model.rowCount() == 1, "what stands")
        click_row(panel.standing.table, 0, panel.standing.model.columnCount() - 1)
        await until(lambda: panel.standing.model.rowCount() == 0, "it revoked")
        assert deed(window) == "Revoked a standing decision"
        click(panel.standing.back)
        await until(panel._empty.isVisible, "the empty inbox")

    on_the_panel(qapp, running_service, correction, act)


def test_enter_where_nothing_is_suggested_says_which_keys_answer(
    qapp: QApplication, running_service: Service
) -> None:
    async def seed(agent: Client, owner: Client) -> None:
        await poison(agent, owner)
        await correction(agent, owner)

    async def act(window: Window, panel: ReviewPanel) -> None:
        await left(panel, 2)
        asks = panel.reading.decisions.notice
        assert panel.looking.suggested == "" and not asks.isVisible()
        typed(Qt.Key.Key_Return)
        assert asks.isVisible() and asks.text() == "Nothing is suggested here. Press 1 or 2 to answer."
        assert not deed(window) and len(lines(panel)) == 2
        typed("2")
        await left(panel, 1)
        assert deed(window) == f"Kept out of recall: “{POISON}”" and not asks.isVisible()
        typed(Qt.Key.Key_Return)
        await until(panel._empty.isVisible, "the empty inbox")
        assert deed(window) == "Corrected to “Backups run at 03:15”"

    on_the_panel(qapp, running_service, seed, act)


def test_tab_comes_to_the_answers_and_each_says_there_what_it_would_do(
    qapp: QApplication, running_service: Service
) -> None:
    async def act(window: Window, panel: ReviewPanel) -> None:
        await left(panel, 1)
        first, second = panel.reading.decisions.buttons
        for _ in range(40):
            typed(Qt.Key.Key_Tab)
            if second.hasFocus():
                break
        assert second.hasFocus()
        await until(lambda: "nothing in memory" in says(panel), "what leaving it does")
        typed(Qt.Key.Key_Tab, SHIFT)
        assert first.hasFocus()
        await until(lambda: "now “Backups run at 03:15”" in says(panel), "what applying does")
        typed(Qt.Key.Key_Space)
        await until(panel._empty.isVisible, "the empty inbox")
        assert deed(window) == "Corrected to “Backups run at 03:15”"

    on_the_panel(qapp, running_service, correction, act)
