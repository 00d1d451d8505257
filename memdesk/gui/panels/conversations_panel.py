"""Conversations: every turn word for word, the memory given to the agent before each turn, and the facts
learned from it."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent

from memdesk.api import memory
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.conversations.conversation_view import TalkView, spot_of
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import Ground, List, Option, Segments, Splitter, TwoLines, column
from memdesk.model.browse import Inspect
from memdesk.model.errors import NotFound
from memdesk.model.timeline import ConversationRow, ConversationsPage, ListConversations


def title_of(row: ConversationRow) -> str:
    """Return the title, or a placeholder if there is none."""
    return " ".join(row.title.split()) or tr("Conversation without a title")


def said(row: ConversationRow) -> str:
    """Return a row as text for a screen reader."""
    whose, when = row.agent_id or tr("no agent"), formatting.minute(row.started_at)
    parts = [title_of(row), whose, row.channel, when, tr("%Ln turn(s)", "", row.turns)]
    return ", ".join([*parts, *([tr("archived")] if row.archived_at else [])])


LIST_PX, LIST_BEGIN_PX, LIST_MOST_PX = 264, 296, 352
LIST_FROM_PX = 860
"""Least panel width with a list of conversations; a narrower panel has a drop-down instead."""
LISTED = 100
STATES = (("current", marked("Current")), ("archived", marked("Archived")), ("all", marked("All")))


class ConversationsPanel(RecordPanel):
    """List of conversations at the left, the chosen conversation at the right."""

    name = "conversations"
    kinds = ("conversation", "turn", "fact", "tool_call", "compaction")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._wanted = self._sought = ""
        self._turn: int | None = None
        self._rows: tuple[ConversationRow, ...] = ()
        self._next: str | None = None
        self._asked: tuple[object, ...] = ()
        self.states = Segments([(value, tr(words)) for value, words in STATES], "current", name=tr("Which"))
        self.listing = List(said, name=tr("Conversations"), lines=self._lines)
        self.view = TalkView(session, compactions="compaction" in inspector.leads_to)
        self.choice = self.view.choice
        self._side = Ground("panel", layout=column(self.listing, gap=0))
        self._side.setMinimumWidth(LIST_PX)
        self._side.setMaximumWidth(LIST_MOST_PX)
        body = Splitter(self._side, self.view, grows=1)
        body.setSizes([LIST_BEGIN_PX, 900])
        actions = (self.states, self.search_field(tr("Filter titles"), 190))
        self.lay_out(body, focus=self.listing, actions=actions, skeleton=(0.2, 0.5, 0.2), pitch=54)
        self.bars = (self.view.choosing, *self.bars)
        view = self.view
        self.listing.picked.connect(self._pick)
        # Looked at once the rows are in place: choosing one moves the bar for a moment.
        self.listing.verticalScrollBar().valueChanged.connect(
            lambda _: QTimer.singleShot(0, self, self._look_for_more)
        )
        self.choice.chosen.connect(self.select)
        self.states.chosen.connect(lambda _: self.reload())
        view.shown.connect(self.inspector.show_memory)
        view.compaction_asked.connect(lambda id: self.inspector.navigated.emit("compaction", id))
        on_key("Ctrl+F", view.finder.open, self, inside=True)
        on_key("C", view.compactions.click, view.turns, view.beside, self.listing)

    def _lines(self, row: ConversationRow) -> TwoLines:
        past, title = row.archived_at is not None, title_of(row)
        return TwoLines(
            title=tr("{title} (archived)", title=title) if past else title,
            note=formatting.minute(row.started_at),
            below=row.channel,
            below_note=tr("%Ln turn(s)", "", row.turns),
            mark=self.session.mark(f"agent:{row.agent_id}") if row.agent_id else None,
            channel=self.session.channel_number(row.channel),
            quiet=past,
            italic=past,
        )

    # Loading.

    async def load(self) -> None:
        """Load the list as far as it was loaded before, and the chosen conversation; both keep their
        position."""
        if self._sought:
            await self._resolve(self._sought)
        page = await self._page("")
        rows = list(page.rows)
        while page.next and len(rows) < len(self._rows):
            page = await self._page(page.next)
            rows += page.rows
        self._rows, before, self._next = tuple(rows), self._next, page.next
        if not rows and not self._wanted:
            self._show_none()
            return
        asked = (self.session.channels, self.session.agents, self.filter.text(), self.states.value())
        place, read = self._place(same_list=asked == self._asked), self._read
        self._asked = asked
        top = self.listing.verticalScrollBar().value()
        chosen = "" if place is None else rows[place].id
        self.listing.replace_rows(rows, chosen, or_first=False)
        if place is None:
            self.listing.choose_nothing()
        self._rows, waits = self.listing.rows.rows(), not self.listing.newer.isHidden()
        self._next = before if waits else page.next
        if not self._wanted:
            self.listing.verticalScrollBar().setValue(top)
        self._show_choice()
        wanted, self._wanted = self._wanted, ""
        await self.view.load(wanted or chosen or read or rows[0].id)
        await self._show_turn()
        self._say()
        self.show_content()

    async def _resolve(self, id: str) -> None:
        """Find the requested conversation, from its own id or that of a turn in it."""
        try:
            found = await self.session.call(memory.INSPECT, Inspect(id=id))
        except NotFound:
            # The conversation says itself whether it is there.
            found = None
        origin = found.provenance if found is not None else None
        self._wanted = (origin.conversation_id if origin is not None else None) or id
        self._turn = origin.turn_index if origin is not None else None
        self._sought = ""

    async def _show_turn(self) -> None:
        turn, self._turn = self._turn, None
        spot = await spot_of(self.session, self.at, turn) if turn is not None else None
        if spot is not None:
            self.view.go(spot)

    async def _page(self, after: str) -> ConversationsPage:
        ask = ListConversations(
            channels=self.session.channels,
            agents=self.session.agents,
            text=self.sought,
            state=str(self.states.value()),
            after=after,
            limit=LISTED,
        )
        return await self.session.call(memory.CONVERSATIONS, ask)

    def _place(self, *, same_list: bool) -> int | None:
        """Return the row of the requested conversation, else of the one being read, else the newest.

        None if the requested conversation is not in the list, or if the one being read has left the unchanged
        list."""
        wanted = self._wanted or self._read
        found = next((place for place, each in enumerate(self._rows) if each.id == wanted), None)
        keeps = bool(self._wanted) or (same_list and self._read != "")
        return found if found is not None or keeps else 0

    @property
    def _read(self) -> str:
        """The conversation that is shown or being loaded; empty if there is none."""
        return self.view.pending or self.at

    def _say(self) -> None:
        many = tr("%Ln conversation(s)", "", len(self._rows))
        self.say(tr("{conversations}, more below", conversations=many) if self._next else many)

    def _show_choice(self) -> None:
        options = [
            Option(each.id, f"{title_of(each)}, {formatting.minute(each.started_at)}") for each in self._rows
        ]
        self.choice.set_options(options)
        if (chosen := self.listing.record()) is not None:
            self.choice.set_value(chosen.id)

    def _show_none(self) -> None:
        self.say("")
        self.listing.rows.set_rows(())
        if self.sought or self.is_filtered or self.states.value() != "current":
            self.show_empty(
                tr("No conversation is like this."), step=tr("Show everything"), take=self._show_everything
            )
            return
        self.show_unfilled(
            tr("Nothing was said here yet."),
            tr(
                "An agent that is connected keeps each turn as it is said. "
                "To begin, bring in a chat or an agent's folder."
            ),
        )

    def _show_everything(self) -> None:
        self.filter.clear()
        self.states.set_value("all")
        self.show_all()
        self.reload()

    # Choosing.

    def _pick(self, found: ConversationRow) -> None:
        if self.view.talk is None or self.view.talk.id != found.id:
            self.choice.set_value(found.id)
            self.view.fetch(found.id)

    def _look_for_more(self) -> None:
        bar = self.listing.verticalScrollBar()
        if self._next and bar.value() >= bar.maximum() > 0:
            after, self._next = self._next, None
            self.session.spawn(self._fetch_more(after))

    async def _fetch_more(self, after: str) -> None:
        page = await self._page(after)
        self._rows, self._next = (*self._rows, *page.rows), page.next
        self.listing.replace_rows(self._rows, or_first=False)
        self._show_choice()
        self._say()

    def select(self, id: object) -> None:
        """Open a conversation by its id or that of a turn in it, which is then chosen; filters are removed if
        they hide it."""
        self._wanted, self._sought = str(id), ""
        place = self._place(same_list=True)
        if place is not None and self.listing.choose_id(self._rows[place].id):
            self._wanted = ""
            return
        self._wanted, self._sought = "", str(id)
        self.filter.clear()
        self.states.set_value("all")
        self.reload()

    @property
    def at(self) -> str:
        """The shown conversation."""
        return self.view.talk.id if self.view.talk is not None else ""

    def step_back(self) -> bool:
        """Return from a single turn to the full conversation; returns False if no turn is open."""
        return self.view.leave_turn()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Replace the list by a drop-down in a narrow panel."""
        super().resizeEvent(event)
        wide = event.size().width() >= LIST_FROM_PX
        self._side.setVisible(wide)
        self.view.stand_alone(not wide)
