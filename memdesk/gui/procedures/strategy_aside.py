"""Details of one strategy: its tools in order, and every conversation in which it worked or failed."""

from __future__ import annotations

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.procedures import success
from memdesk.gui.procedures.strategy_columns import tried
from memdesk.gui.session import Session
from memdesk.gui.talks.aside import AsideLine, Heading, Item
from memdesk.gui.talks.record import CONVERSATION, RecordAside
from memdesk.gui.widgets import Act, Acts, ChannelMark, Empty, Tag, Text, column, row
from memdesk.model.procedures import OutcomeRow, StrategyView

ACTS: dict[str, Act] = {
    "worked": (marked("It worked"), "check", "W"),
    "failed": (marked("It did not"), "cross", "X"),
    "edit": (marked("Edit"), "edit", "E"),
    "pin": (marked("Pin"), "pin", "I"),
    "unpin": (marked("Unpin"), "pin", "I"),
    "retire": (marked("Retire"), "retire", "Del"),
    "restore": (marked("Restore"), "undo", "B"),
}
TOOL = "tool:"


class StrategyAside(RecordAside):
    """Details of a strategy. The signal `led` carries the name of a tool."""

    def __init__(self, session: Session) -> None:
        self.view: StrategyView | None = None
        self.words = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.pattern = Text("", 12, "t2", wrap=True, selectable=True)
        self.state = Tag(tr("retired"))
        self.pinned = Tag(tr("pinned"), "acc")
        self.channel = ChannelMark()
        self.figures = Text("", 12, "t2", wrap=True)
        head = column(
            self.words, self.pattern, row(self.channel, self.pinned, self.state, None, gap=10), self.figures, gap=8,
            margins=(16, 14, 16, 10),
        )  # fmt: skip
        nothing = Empty(tr("No strategy is chosen."), tr("Choose one to see its tools and where it worked."))
        super().__init__(
            session, head, Acts(ACTS), name=tr("Tools and outcomes of the strategy"), nothing=nothing
        )

    def show_nothing(self) -> None:
        """Show that no strategy is selected."""
        self.view = None
        super().show_nothing()

    def show_strategy(self, view: StrategyView) -> None:
        """Show a strategy. An open form stays on top."""
        self.view, one = view, view.strategy
        self.words.setText(one.description)
        self.pattern.setText(
            tr("When: {pattern}", pattern=one.context_pattern) if one.context_pattern else ""
        )
        self.pattern.setVisible(bool(one.context_pattern))
        self.channel.set_channel(one.channel, self._session.channel_number(one.channel))
        self.pinned.setVisible(one.pinned)
        self.state.setVisible(one.retired_at is not None)
        self.figures.setText(_figures(view))
        self.show_details(_lines(view))

    def shown_acts(self) -> tuple[str, ...]:
        """Return the actions available for the strategy shown."""
        if self.view is None:
            return ()
        if self.view.strategy.retired_at is not None:
            return ("restore",)
        return ("worked", "failed", "edit", "unpin" if self.view.strategy.pinned else "pin", "retire")

    def _lead(self, opens: str) -> None:
        self.led.emit(opens.removeprefix(TOOL))


def _figures(view: StrategyView) -> str:
    one = view.strategy
    parts = [tr("worked {share}", share=success.words(one.success_rate, tried(one)))]
    if one.last_used is not None:
        parts.append(tr("last used {time}", time=times.minute(one.last_used)))
    parts.append(tr("learned {time}", time=times.minute(one.created_at)))
    return " · ".join([*parts, *([one.agent_id] if one.agent_id else [])])


def _lines(view: StrategyView) -> list[AsideLine]:
    tools = view.strategy.tool_sequence
    lines: list[AsideLine] = [Heading(title=tr("Tools in order"), note=f"{len(tools):,}")]
    lines += [
        Item(icon="tools", tone="t2", text=f"{number}. {tool}", note="", opens=TOOL + tool)
        for number, tool in enumerate(tools, 1)
    ]
    shown, known = len(view.outcomes), tried(view.strategy)
    note = (
        tr("the latest {shown} of {many}", shown=f"{shown:,}", many=f"{known:,}")
        if known > shown
        else f"{shown:,}"
    )
    lines.append(Heading(title=tr("How it went"), note=note))
    return lines + [_outcome(each) for each in view.outcomes]


def _outcome(each: OutcomeRow) -> Item:
    title = " ".join((each.conversation_title or "").split())
    talk = title or (
        tr("Conversation without a title") if each.conversation_id else tr("Said by a person or an agent")
    )
    went = tr("worked") if each.success else tr("did not work")
    return Item(
        icon="check" if each.success else "cross", tone="ok" if each.success else "bad", text=talk,
        note=f"{went} · {times.minute(each.at)}",
        opens=CONVERSATION + each.conversation_id if each.conversation_id else "",
    )  # fmt: skip
