"""Strategies: a table that can be sorted and filtered, and the selected strategy with its actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memdesk.api import curation, procedures
from memdesk.api.endpoint import Endpoint
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import (
    CONVERSATION,
    Action,
    DetailLine,
    DetailLines,
    Heading,
    Item,
    RecordDetail,
)
from memdesk.gui.shell.record_panel import Records
from memdesk.gui.widgets import (
    Area,
    ChannelMark,
    Column,
    Empty,
    Form,
    RowsModel,
    Table,
    Tag,
    Text,
    changed_fields,
    column,
    row,
)
from memdesk.gui.widgets.text import excerpt
from memdesk.model.curation import Pin, Restore, Retire
from memdesk.model.strategy import (
    AskStrategy,
    EditStrategy,
    ListStrategies,
    OutcomeRow,
    ReinforceStrategy,
    StrategyRow,
    StrategyView,
)

BAR_PX = 48
GOOD, POOR = 0.8, 0.5
"""Success rates from which the tone is good, and below which it is bad."""


def words(rate: float | None, tried: int) -> str:
    """Return a success rate in words: “82 % of 11”, or “not known”."""
    if rate is None:
        return tr("not known")
    return tr("{share} of {number}", share=f"{rate:.0%}".replace("%", " %"), number=f"{tried:,}")


def rate_bar(rate: float | None) -> tuple[float, str] | None:
    """Return the bar of a success rate and its tone; None if the rate is not known."""
    return None if rate is None else (rate, "ok" if rate >= GOOD else "warn" if rate >= POOR else "bad")


def milliseconds(took: float | None) -> str:
    """Return a duration in words: “90 ms”, “4.2 s”; empty if it was not measured."""
    if took is None:
        return ""
    return (
        tr("{number} ms", number=f"{took:,.0f}")
        if took < 1000
        else tr("{number} s", number=f"{took / 1000:,.1f}")
    )


ARROW = " → "


def columns(session: Session) -> tuple[Column[StrategyRow], ...]:
    """Return the columns: description, success, tools, last use and channel."""
    return (
        Column(
            tr("Strategy"),
            lambda row: row.description,
            px=13,
            sort="description",
            token=lambda row: "t3" if row.retired_at else "t1",
            italic=lambda row: row.retired_at is not None,
        ),
        Column(
            tr("Worked"),
            lambda row: words(row.success_rate, known_outcomes(row)),
            width=168,
            sort="success",
            bar=lambda row: rate_bar(row.success_rate),
            bar_px=BAR_PX,
        ),
        Column(tr("Tools"), sequence, width=200, hidden_below=700),
        Column(
            tr("Last used"),
            lambda row: formatting.ago(row.last_used) if row.last_used else tr("never"),
            width=104,
            hidden_below=560,
            sort="used",
            tip=lambda row: formatting.full(row.last_used) if row.last_used else "",
        ),
        Column(
            tr("Channel"),
            lambda row: row.channel,
            width=124,
            hidden_below=820,
            channel=session.channel_number,
        ),
    )


def known_outcomes(row: StrategyRow) -> int:
    return row.success_count + row.failure_count


def sequence(row: StrategyRow) -> str:
    return ARROW.join(row.tool_sequence)


def ordered(rows: Sequence[StrategyRow], by: str, *, descending: bool) -> list[StrategyRow]:
    """Return the rows in an order; rows without a value come last in both directions."""
    match by:
        case "success":
            known = [row for row in rows if row.success_rate is not None]
            # Of two that always worked, the one that was tried more often says more.
            known.sort(key=lambda row: (row.success_rate or 0.0, known_outcomes(row)), reverse=descending)
            return [*known, *(row for row in rows if row.success_rate is None)]
        case "used":
            known = [row for row in rows if row.last_used is not None]
            known.sort(key=lambda row: row.last_used or row.created_at, reverse=descending)
            return [*known, *(row for row in rows if row.last_used is None)]
        case _:
            return sorted(rows, key=lambda row: row.description.casefold(), reverse=descending)


ACTS: dict[str, Action] = {
    "worked": (marked("It worked"), "check", "W"),
    "failed": (marked("It did not"), "cross", "X"),
    "edit": (marked("Edit"), "edit", "E"),
    "pin": (marked("Pin"), "pin", "I"),
    "unpin": (marked("Unpin"), "pin", "I"),
    "retire": (marked("Retire"), "retire", "Del"),
    "restore": (marked("Restore"), "undo", "B"),
}


class StrategyDetail(RecordDetail):
    """Details of a strategy. The signal `led` carries the name of a tool."""

    record: StrategyView | None

    def __init__(self, session: Session) -> None:
        self.words = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.pattern = Text("", 12, "t2", wrap=True, selectable=True)
        self.state = Tag(tr("retired"))
        self.pinned = Tag(tr("pinned"), "acc")
        self.channel = ChannelMark()
        self.figures = Text("", 12, "t2", wrap=True)
        head = column(
            self.words,
            self.pattern,
            row(self.channel, self.pinned, self.state, None, gap=10),
            self.figures,
            gap=8,
            margins=(16, 14, 16, 10),
        )
        nothing = Empty(tr("No strategy is chosen."), tr("Choose one to see its tools and where it worked."))
        self.details = DetailLines(tr("Tools and outcomes of the strategy"))
        super().__init__(session, head, self.details, ACTS, nothing=nothing)

    def show_strategy(self, view: StrategyView) -> None:
        """Show a strategy. An open form stays on top."""
        one = view.strategy
        self.words.setText(one.description)
        self.pattern.setText(
            tr("When: {pattern}", pattern=one.context_pattern) if one.context_pattern else ""
        )
        self.pattern.setVisible(bool(one.context_pattern))
        self.channel.set_channel(one.channel, self._session.channel_number(one.channel))
        self.pinned.setVisible(one.pinned)
        self.state.setVisible(one.retired_at is not None)
        self.figures.setText(_figures(view))
        self.details.show_lines(_lines(view))
        self.show_detail(view)

    def acts_for(self, record: StrategyView) -> tuple[str, ...]:
        """Return the actions available for a strategy."""
        if record.strategy.retired_at is not None:
            return ("restore",)
        return ("worked", "failed", "edit", "unpin" if record.strategy.pinned else "pin", "retire")


def _figures(view: StrategyView) -> str:
    one = view.strategy
    parts = [tr("worked {share}", share=words(one.success_rate, known_outcomes(one)))]
    if one.last_used is not None:
        parts.append(tr("last used {time}", time=formatting.minute(one.last_used)))
    parts.append(tr("learned {time}", time=formatting.minute(one.created_at)))
    return " · ".join([*parts, *([one.agent_id] if one.agent_id else [])])


def _lines(view: StrategyView) -> list[DetailLine]:
    tools = view.strategy.tool_sequence
    lines: list[DetailLine] = [Heading(title=tr("Tools in order"), note=f"{len(tools):,}")]
    lines += [
        Item(icon="tools", tone="t2", text=f"{number}. {tool}", note="", opens=tool)
        for number, tool in enumerate(tools, 1)
    ]
    shown, known = len(view.outcomes), known_outcomes(view.strategy)
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
        icon="check" if each.success else "cross",
        tone="ok" if each.success else "bad",
        text=talk,
        note=f"{went} · {formatting.minute(each.at)}",
        opens=CONVERSATION + each.conversation_id if each.conversation_id else "",
    )


class StrategyForm(Form):
    """Form shown in place of the strategy."""

    def __init__(self, strategy: StrategyRow) -> None:
        self._strategy = strategy
        self.words = Area(strategy.description, name=tr("Strategy"), lines=4)
        self.pattern = Area(
            strategy.context_pattern, name=tr("When to use it"), placeholder=tr("At any time"), lines=2
        )
        self.tools = Area("\n".join(strategy.tool_sequence), name=tr("Tools"), lines=5, mono=True)
        super().__init__(
            tr("Edit strategy"),
            tr("Save"),
            self.words,
            Text(tr("When to use it"), 12, "t2"),
            self.pattern,
            Text(tr("Tools in the order of their use, one a line"), 12, "t2"),
            self.tools,
            first=self.words,
            needs=(self.words, self.tools),
            lacks=(tr("A strategy needs words."), tr("Name at least one tool.")),
        )

    def asked(self) -> EditStrategy | None:
        """Return a request with the changed fields, None if no field changed."""
        was = self._strategy
        changed = changed_fields(
            was,
            description=self.words.text().strip(),
            context_pattern=self.pattern.text().strip(),
            tool_sequence=tuple(line.strip() for line in self.tools.text().splitlines() if line.strip()),
        )
        return EditStrategy(strategy_id=was.id, was=was.description, **changed) if changed else None


DETAIL_PX = 360
AT_ONCE, STRATEGIES_AT_MOST = 500, 2000


class Strategies(Records):
    """Table of strategies with the selected one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._sort = ("used", True)
        self._rows: tuple[StrategyRow, ...] = ()
        self.is_cut = False
        """True if there are more strategies than were loaded."""
        self.model: RowsModel[StrategyRow] = RowsModel(columns(session))
        self.aside = StrategyDetail(session)
        table = Table(self.model, name=tr("Strategies"))
        super().__init__(session, table, self.aside, self._show_one, detail_px=DETAIL_PX)
        self.table.sort_asked.connect(self._sort_by)
        self.aside.asked.connect(self._act)

    # Loading.

    async def load(self, *, text: str, tool: str, state: str) -> int:
        """Fetch the strategies with these words, this tool and this state; return their number."""
        rows: list[StrategyRow] = []
        after: str | None = ""
        while after is not None and len(rows) < STRATEGIES_AT_MOST:
            ask = ListStrategies(
                channels=self._session.channels,
                text=text,
                tool_name=tool,
                state=state,
                after=after,
                limit=AT_ONCE,
            )
            page = await self._session.call(procedures.STRATEGIES, ask)
            rows += page.rows
            after = page.next
        self.is_cut = after is not None
        agents = self._session.agents
        self._rows = tuple(row for row in rows if not agents or row.agent_id in agents)
        self._sort_by(*self._sort)
        return len(self._rows)

    def _sort_by(self, by: str, descending: bool) -> None:
        self._sort = (by, descending)
        self.table.show_sort(by, descending=descending)
        self.show_rows(ordered(self._rows, by, descending=descending))

    async def _show_one(self, row: StrategyRow) -> None:
        ask = AskStrategy(strategy_id=row.id)
        self.aside.show_strategy(await self._session.call(procedures.STRATEGY, ask))

    # What can be done.

    def press(self, action: str) -> None:
        """Run an action by a letter of the window."""
        view = self.aside.record
        if action == "pin" and view is not None and view.strategy.pinned:
            action = "unpin"
        if action in ACTS:
            self.aside.acts.press(action)

    def _act(self, act: str, view: StrategyView) -> None:
        one = view.strategy
        calls: dict[str, tuple[Endpoint[Any, Any], object, str]] = {
            "worked": (
                procedures.REINFORCE_STRATEGY,
                ReinforceStrategy(strategy_id=one.id, success=True),
                tr("“{title}” worked"),
            ),
            "failed": (
                procedures.REINFORCE_STRATEGY,
                ReinforceStrategy(strategy_id=one.id, success=False),
                tr("“{title}” did not work"),
            ),
            "pin": (curation.PIN, Pin(id=one.id, pinned=True), tr("Pinned “{title}”")),
            "unpin": (curation.PIN, Pin(id=one.id, pinned=False), tr("Unpinned “{title}”")),
            "retire": (curation.RETIRE, Retire(id=one.id), tr("Retired “{title}”")),
            "restore": (curation.RESTORE, Restore(id=one.id), tr("Restored “{title}”")),
        }
        if act == "edit":
            self.aside.stack.open_form(StrategyForm(one), self._save)
        else:
            call, ask, says = calls[act]
            self._session.spawn(self._do(call, ask, says.format(title=excerpt(one.description))))

    def _save(self, ask: EditStrategy) -> None:
        says = tr("Edited “{title}”", title=excerpt(ask.description or ask.was or ""))
        self._session.spawn(self._do(procedures.EDIT_STRATEGY, ask, says))

    async def _do(self, call: Endpoint[Any, Any], ask: object, says: str) -> None:
        """Make the call. A form stays open if the call is refused, so that no input is lost."""
        await self._session.do(call, ask, says)
        if isinstance(ask, EditStrategy):
            self.aside.stack.close_form()
