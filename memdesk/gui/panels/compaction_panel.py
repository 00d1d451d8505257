"""Compaction: how full contexts are, and for each compaction what its summary kept and lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent

from memdesk.api import context, memory
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.panels.compaction.compaction_view import CompactionView, Listing, title_of
from memdesk.gui.panels.compaction.gauge import Gauge, amount_with_unit, fill_by
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.widgets import Drop, Ground, Option, Skeleton, Splitter, Text, column, row
from memdesk.gui.widgets.text import excerpt
from memdesk.model.context import (
    AskCompaction,
    CompactionList,
    CompactionRow,
    CompactionWhole,
    ListCompactions,
    Meter,
    PolicyInfo,
    RestoreArchive,
)
from memdesk.model.remember import NewFact
from memdesk.model.session import ListSessions, NamedSession, SessionState
from memdesk.model.status import Nothing

LIST_PX, LIST_BEGIN_PX, LIST_MOST_PX = 264, 296, 352
LIST_FROM_PX = 860
"""Least panel width with a list of compactions; a narrower panel has a drop-down instead."""
LISTED = 500
TURNS_AT_ONCE = 300


class CompactionPanel(Panel):
    """List of compactions at the left; at the right the context meter, and the chosen compaction in full."""

    name = "compaction"
    kinds = ("compaction", "session", "fact", "turn")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._wanted = ""
        self._rows: tuple[CompactionRow, ...] = ()
        self._sessions: tuple[SessionState, ...] = ()
        self._policies: tuple[PolicyInfo, ...] = ()
        self._opening = Newest(session)
        self._first = 0
        self.which = Drop(
            (Option(value="", text=tr("All sessions")),), "", name=tr("Session"), icon="conversations"
        )
        self.choice = Drop(name=tr("Compaction"), icon="compaction")
        self.listing = Listing(lambda agent: session.mark(f"agent:{agent}")[1])
        self.gauge, self.view = Gauge(), CompactionView(session)
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        heading = row(
            Text(tr("Newest first"), 12, "t3"),
            None,
            Text(tr("tokens before → after"), 12, "t3"),
            margins=(16, 0, 16, 1),
        )
        self._side = Ground(
            "panel", layout=column(Ground("panel", "bottom", heading, height=34), self.listing, gap=0)
        )
        self._side.setMinimumWidth(LIST_PX)
        self._side.setMaximumWidth(LIST_MOST_PX)
        layout = column(self.gauge, self.view, gap=0, stretch=self.view)
        body = Splitter(self._side, Ground("stage", layout=layout))
        body.setStretchFactor(0, 0)
        body.setStretchFactor(1, 1)
        body.setSizes([LIST_BEGIN_PX, 900])
        self.furnish(
            body,
            actions=(self.choice, self.which),
            skeleton=Skeleton(rows=10, pitch=54, shares=(0.2, 0.4, 0.25)),
        )
        self.setFocusProxy(self.listing)

    def _wire(self) -> None:
        self.listing.picked.connect(self._pick)
        self.choice.chosen.connect(self.select)
        self.which.chosen.connect(lambda _: self.reload())
        view = self.view
        view.fact_shown.connect(self.inspector.show_memory)
        view.turn_shown.connect(self.inspector.show_memory)
        view.lost_asked.connect(lambda turn, text: self.session.spawn(self._restore_one(turn, text)))
        view.whole_asked.connect(lambda: self.session.spawn(self._restore_all()))
        view.talk_asked.connect(self._open_talk)
        view.earlier_asked.connect(self.select)
        view.turns_asked.connect(self._ask_turns)
        self.session.able.connect(view.show_away)
        view.talk.setVisible("conversations" in self.inspector.leads_to)

    # Loading.

    async def load(self) -> None:
        """Load the list, the sessions and the policies; the chosen compaction stays chosen."""
        session = self.session
        ask = ListCompactions(
            channels=session.channels, agents=session.agents, session_id=self._chosen_session(), limit=LISTED
        )
        found, sessions, policies = await asyncio.gather(
            session.call(context.COMPACTIONS, ask),
            session.call(context.SESSIONS, ListSessions(limit=LISTED)),
            session.call(context.POLICIES, Nothing()),
        )
        self._sessions, self._policies = sessions.rows, policies.rows
        self._show_sessions()
        self._rows = found.rows
        if not found.rows:
            self._show_none()
            return
        self.say(_summed(found))
        chosen = found.rows[self._place()]
        self.listing.replace_rows(found.rows)
        with QSignalBlocker(self.listing):
            self.listing.select(chosen.id)
        self._show_choice()
        await self._open(chosen)
        self.show_content()

    def _place(self) -> int:
        """Return the row of the requested compaction, else of the one shown, else the newest."""
        shown = self.view.whole
        wanted, self._wanted = self._wanted or (shown.row.id if shown else ""), ""
        return next((place for place, each in enumerate(self._rows) if each.id == wanted), 0)

    async def _open(self, found: CompactionRow) -> None:
        """Load and show a compaction, with the part of its turns last viewed, and its session's meter."""
        same = self.view.whole is not None and self.view.whole.row.id == found.id
        self._first = self._first if same else 0
        whole, now = await asyncio.gather(self._read(found.id), self._meter(found))
        self._show_meter(whole.row, now)
        self.view.show_whole(whole, self._first)

    async def _read(self, id: str) -> CompactionWhole:
        ask = AskCompaction(compaction_id=id, first=self._first, limit=TURNS_AT_ONCE)
        return await self.session.call(context.COMPACTION, ask)

    async def _meter(self, found: CompactionRow) -> Meter | None:
        """Return the session's meter, None if the session no longer continues the compacted conversation."""
        held = self._session_of(found)
        if held is None:
            return None
        return await self.session.call(context.FULLNESS, NamedSession(session_id=held.session_id))

    def _session_of(self, found: CompactionRow) -> SessionState | None:
        return next(
            (
                each
                for each in self._sessions
                if each.session_id == found.session_id and each.conversation_id == found.conversation_id
            ),
            None,
        )

    # What is shown.

    def _show_meter(self, found: CompactionRow, now: Meter | None) -> None:
        fill = fill_by(found, now, self._policies)
        whose = f"{found.agent_id}, " if found.agent_id else ""
        held = self._session_of(found)
        heading = (
            tr("{whose}{title}, now", whose=whose, title=held.title)
            if held and now
            else f"{whose}{found.policy}"
        )
        notes = () if now is None else (now.because,) if now.because else _next(now)
        self.gauge.show_fill(fill, heading, notes)
        self.gauge.setVisible(fill is not None)

    def _show_sessions(self) -> None:
        value = self._chosen_session()
        held = [each for each in self._sessions if each.compactions or each.session_id == value]
        options = [Option(value=each.session_id, text=each.title) for each in held]
        self.which.set_options([Option(value="", text=tr("All sessions")), *options])
        self.which.set_value(value or "")
        self.which.setVisible(len(options) > 1 or bool(value))

    def _chosen_session(self) -> str | None:
        value = self.which.value()
        return str(value) if value else None

    def _show_choice(self) -> None:
        options = [
            Option(value=each.id, text=f"{title_of(each)}, {formatting.minute(each.at)}")
            for each in self._rows
        ]
        place = max(0, self.listing.currentIndex().row())
        self.choice.set_options(options)
        self.choice.set_value(self._rows[place].id)

    def _show_none(self) -> None:
        self.say("")
        if self._chosen_session() or self.session.channels or self.session.agents:
            self.show_empty(
                tr("Nothing was compacted here."),
                tr("Other sessions, channels or agents may have compactions."),
                step=tr("Show everything"),
                take=self._show_everything,
            )
            return
        policy = next((each for each in self._policies if each.default), None)
        says = (
            tr("Sessions that name no policy use {policy}. {says}", policy=policy.name, says=policy.says)
            if policy
            else ""
        )
        kept = tr(
            "When an agent's context fills up, MemDesk keeps its turns, stores the facts, and puts a summary in "
            "their place. Each time stands here with both its sides."
        )
        self.show_empty(
            tr("No context was compacted yet."),
            f"{kept} {says}".strip(),
            step=tr("Open the settings"),
            take=lambda: self.inspector.navigated.emit("settings", "context_policy"),
        )

    def _show_everything(self) -> None:
        self.which.set_value("")
        self.session.filter_agents(())
        self.session.filter_channels(())
        self.reload()

    # Choosing.

    def _pick(self, found: CompactionRow) -> None:
        if self.view.whole is not None and self.view.whole.row.id == found.id:
            return
        self._first = 0
        self.choice.set_value(found.id)
        self._fetch(found)

    def _fetch(self, found: CompactionRow) -> None:
        self._opening.start(self._open(found))

    def _ask_turns(self, first: int) -> None:
        whole = self.view.whole
        if whole is not None:
            self._first = first
            self._fetch(whole.row)

    def select(self, id: object) -> None:
        """Choose a compaction by its id; the session filter is removed if it hides it."""
        place = next((place for place, each in enumerate(self._rows) if each.id == id), None)
        if place is not None:
            self.listing.choose(place)
            return
        self._wanted = str(id)
        self.which.set_value("")
        self.reload()

    def _open_talk(self) -> None:
        if self.view.whole is not None:
            self.inspector.navigated.emit("conversations", self.view.whole.row.conversation_id)

    # What can be done.

    async def _restore_one(self, turn: int, text: str) -> None:
        """Save a lost item as a fact, with its turn as the source."""
        whole = self.view.whole
        source = await self._turn_id(turn)
        if whole is None or source is None:
            return
        new = NewFact(
            claim=text,
            channel=whole.row.channel,
            agent_id=whole.row.agent_id,
            source_turn_id=source,
            quote=text,
        )
        made = await self.session.do(
            memory.LEARN_FACT, new, tr("Restored “{text}” as a fact", text=excerpt(text))
        )
        if made.change is None:
            self.inspector.show_memory(made.id)
        self.reload_soon()

    async def _turn_id(self, turn: int) -> str | None:
        """Return the id of a turn by its index, fetching the turn if it is not loaded. None if there is none."""
        whole = self.view.whole
        if whole is None:
            return None
        found: Sequence[str] = [each.id for each in whole.turns if each.turn_index == turn]
        if not found:
            ask = AskCompaction(compaction_id=whole.row.id, first=turn - whole.row.first_index, limit=1)
            found = [each.id for each in (await self.session.call(context.COMPACTION, ask)).turns]
        return found[0] if found else None

    async def _restore_all(self) -> None:
        whole = self.view.whole
        if whole is not None:
            says = tr(
                "Restored %Ln turn(s) of “{title}”", "", whole.total, title=excerpt(title_of(whole.row))
            )
            await self.session.do(context.RESTORE, RestoreArchive(compaction_id=whole.row.id), says)
            self.reload_soon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Replace the list by a drop-down in a narrow panel."""
        super().resizeEvent(event)
        wide = event.size().width() >= LIST_FROM_PX
        self._side.setVisible(wide)
        self.choice.setVisible(not wide)


def _next(now: Meter) -> tuple[str, ...]:
    """Return notes about the policy's next step: how far away it is, and how many messages it keeps."""
    marks = [mark for mark in now.marks if mark.at > getattr(now, mark.of)]
    if not marks:
        return ()
    nearest = min(marks, key=lambda mark: (mark.at - getattr(now, mark.of)) / mark.at)
    left = nearest.at - getattr(now, nearest.of)
    size = amount_with_unit(left, nearest.of)
    does = (
        tr("flushes facts {size} from here", size=size)
        if nearest.does == "flush"
        else tr("compacts {size} from here", size=size)
    )
    return (does, tr("the last %Ln message(s) stay as they are", "", now.retain))


def _summed(found: CompactionList) -> str:
    rows = found.rows
    turns = sum(each.last_index - each.first_index + 1 for each in rows)
    facts, lost = sum(each.facts for each in rows), sum(each.lost for each in rows)
    many = tr("%Ln compaction(s)", "", len(rows))
    return " · ".join(
        (
            tr("the newest {compactions}", compactions=many) if found.next else many,
            tr("%Ln turn(s)", "", turns),
            tr("{facts} kept, {lost} lost", facts=tr("%Ln fact(s)", "", facts), lost=f"{lost:,}"),
        )
    )
