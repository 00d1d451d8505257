"""Details of one tool: its use by day, and its calls one by one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.procedures import success
from memdesk.gui.procedures.days import Days
from memdesk.gui.procedures.tool_rows import ToolRow, tried
from memdesk.gui.talks.aside import AsideLine, Beside, Heading, Item
from memdesk.gui.widgets import Act, Acts, Empty, Ground, Segments, Text, column, row
from memdesk.model.procedures import ToolCallRow, ToolDay

ACTS: dict[str, Act] = {
    "talk": (marked("Conversation"), "conversations", "C"),
    "whole": (marked("Whole call"), "inspector", "Enter"),
}
SPANS = ((30, marked("30 days")), (90, marked("90 days")), (365, marked("A year")))


class ToolAside(Ground):
    """Details of a tool. Signals: talked carries the id of a conversation; opened, the id of a call; turned
    asks for other calls or days; more_asked asks for more calls."""

    talked = Signal(str)
    opened = Signal(str)
    turned = Signal()
    more_asked = Signal()

    def __init__(self) -> None:
        self._calls: tuple[ToolCallRow, ...] = ()
        self.heading = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.figures = Text("", 12, "t2", wrap=True)
        self.span = Segments([(n, tr(says)) for n, says in SPANS], 30, name=tr("How many days"))
        self.days = Days()
        which = [("all", tr("All calls")), ("failed", tr("Failed"))]
        self.which = Segments(which, "all", name=tr("Which calls"))
        self.calls = Beside()
        self.calls.setAccessibleName(tr("Calls of the tool"))
        self.acts = Acts(ACTS)
        self._nothing = Empty(tr("No tool is chosen."), tr("Choose one to see its days and its calls."))
        super().__init__("panel")
        self.told = Ground("panel")
        head = column(
            self.heading, self.figures, row(self.span, None), self.days, row(self.which, None), gap=10,
            margins=(16, 14, 16, 6),
        )  # fmt: skip
        layout = column(head, self.calls, self.acts, gap=0)
        layout.setStretchFactor(self.calls, 1)
        self.told.setLayout(layout)
        self.setLayout(column(self._nothing, self.told, gap=0))
        self.show_nothing()
        self.span.chosen.connect(lambda _: self.turned.emit())
        self.which.chosen.connect(lambda _: self.turned.emit())
        self.calls.picked.connect(lambda _: self._show_acts())
        self.calls.opened.connect(lambda _: self._act("whole"))
        self.acts.asked.connect(self._act)
        bar = self.calls.verticalScrollBar()
        bar.valueChanged.connect(lambda at: self.more_asked.emit() if at >= bar.maximum() > 0 else None)

    def show_nothing(self) -> None:
        """Show that no tool is selected."""
        self.told.hide()
        self._nothing.show()

    def show_tool(self, chosen: ToolRow, of_latest: int) -> None:
        """Show the figures of a tool. of_latest: the number of calls that its durations are computed from."""
        self._nothing.hide()
        self.told.show()
        task = chosen.task_type or tr("no type of task")
        self.heading.setText(
            chosen.tool_name if chosen.task_type is None
            else tr("{tool} for {task}", tool=chosen.tool_name, task=task)
        )  # fmt: skip
        self.figures.setText(_figures(chosen, of_latest))

    def show_days(self, days: Sequence[ToolDay]) -> None:
        """Show the use by day."""
        self.days.show_days(days)

    def show_calls(self, calls: Sequence[ToolCallRow], *, more: bool) -> None:
        """Show the calls, newest first. more: True if there are older ones."""
        self._calls = tuple(calls)
        note = f"{len(calls):,}" + (tr(" and older ones") if more else "")
        lines: list[AsideLine] = [Heading(title=tr("Calls"), note=note if calls else tr("none"))]
        top = self.calls.verticalScrollBar().value()
        self.calls.show_lines([*lines, *(_call(each) for each in calls)])
        self.calls.executeDelayedItemsLayout()
        self.calls.verticalScrollBar().setValue(top)
        self._show_acts()

    def chosen_call(self) -> ToolCallRow | None:
        """Return the selected call, or None."""
        line = self.calls.record()
        opens = line.opens if isinstance(line, Item) else ""
        return next((each for each in self._calls if each.id == opens), None)

    def _show_acts(self) -> None:
        call = self.chosen_call()
        names = () if call is None else ("whole", "talk") if call.conversation_id else ("whole",)
        self.acts.show_acts(names, lambda _: "")

    def _act(self, act: str) -> None:
        call = self.chosen_call()
        if call is None:
            return
        if act == "whole":
            self.opened.emit(call.id)
        elif call.conversation_id:
            self.talked.emit(call.conversation_id)


def _figures(chosen: ToolRow, of_latest: int) -> str:
    use, spread = chosen.use, chosen.spread
    parts = [tr("%Ln call(s)", "", use.usage_count)]
    parts.append(tr("worked {share}", share=success.words(use.success_rate, tried(chosen))))
    if spread is not None and spread.median_latency_ms is not None:
        parts.append(
            tr(
                "median {median}, 95th {p95}", median=success.milliseconds(spread.median_latency_ms),
                p95=success.milliseconds(spread.p95_latency_ms),
            )
        )  # fmt: skip
        if use.usage_count > of_latest:
            parts[-1] += tr(" of the latest {number}", number=f"{of_latest:,}")
    return " · ".join(parts)


def _call(call: ToolCallRow) -> Item:
    icon, tone = {True: ("check", "ok"), False: ("cross", "bad"), None: ("tools", "t3")}[call.success]
    parts = [times.minute(call.timestamp)]
    parts += [success.milliseconds(call.latency_ms)] if call.latency_ms is not None else []
    parts += [part for part in (call.task_type, call.agent_id, call.channel) if part]
    text = " ".join((call.error_message or call.tool_input).split())
    return Item(icon=icon, tone=tone, text=text, note=" · ".join(parts), opens=call.id)
