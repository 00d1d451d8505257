"""Graph panel: the neighbourhood of one memory, and its links across channels."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.api import memory
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import sentences, tr
from memdesk.gui.panels.graph.graph_actions import GraphActions, GraphLinks, MoreMenu, PathSearch
from memdesk.gui.panels.graph.graph_canvas import Opening, limit_reason
from memdesk.gui.panels.graph.graph_data import SHOWN_AT_MOST, Fetched, GraphQuery, fetch
from memdesk.gui.panels.graph.graph_page import GraphPage, Start, show_heading
from memdesk.gui.panels.graph.graph_tools import Tools, shares_of
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import RELOAD_AFTER_MS, Panel
from memdesk.gui.widgets import Strip, column, laid_out, pages
from memdesk.gui.widgets.placeholders import MessageBar
from memdesk.model.errors import BadAsk, MemDeskError, NotFound, ServiceAway
from memdesk.model.graph import AskGraph

TRAIL_AT_MOST = 100


class GraphPanel(Panel):
    """Graph with one memory in the centre and its neighbours by channel. Without a centre it shows a start
    page.

    Attributes: query (centre and filters), trail (earlier centres; None means the start page)."""

    name = "graph"
    kinds = ("fact", "entity", "relation")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.query = GraphQuery()
        self.trail: list[str | None] = []
        self._shown: Fetched | None = None
        self._shown_at: datetime | None = None
        self.tools = Tools(session, self.query)
        self.start, self.page, self.strip = Start(session), GraphPage(), Strip("", tr("Retry"), flush=True)
        self.strip.hide()
        self.message_bar = MessageBar()
        self.acts = GraphActions(session, self.message_bar, self)
        self.way = PathSearch(self.tools, self.page.canvas, self.message_bar, self)
        self.more = MoreMenu(self.tools.more, self.way, self.acts, self.page.canvas)
        self.links = GraphLinks(session, inspector, self.page, self.message_bar)
        self.opening = Opening(session, self.page.canvas, self)
        self._pages = pages(self.start, self.page)
        body = laid_out(column(self.strip, self.message_bar, self._pages, gap=0))
        self.furnish(body, filters=self.tools.bar(), actions=self.tools.actions)
        self._wire()
        self._show_page(self.start)

    def _wire(self) -> None:
        tools, page, canvas = self.tools, self.page, self.page.canvas
        page.entered.connect(self.go)
        for finding in (tools.finder.chosen, self.start.chosen):
            finding.connect(self._find)
        tools.finder.left.connect(canvas.setFocus)
        self.way.asked.connect(self._want_way)
        self.opening.changed.connect(self._take)
        self.opening.outdated.connect(self.reload_soon)
        tools.more.clicked.connect(lambda: self.more.open(self.query))
        canvas.merge_asked.connect(self.acts.ask_merge)
        tools.hops.chosen.connect(lambda hops: self._want(hops=hops))
        tools.chips.changed.connect(lambda hidden: self._want(hidden=hidden))
        tools.confidence.changed.connect(lambda value: self._want(min_confidence=value))
        tools.edges.chosen.connect(lambda types: self._want(edges=types))
        tools.past.toggled.connect(lambda on: self._want(past=on))
        tools.fit.clicked.connect(canvas.fit)
        tools.table.clicked.connect(self._toggle_table)
        page.brush.changed.connect(lambda since, until: self._want(since=since, until=until))
        page.picked.connect(self.inspector.show_memory)
        canvas.back_asked.connect(self.go_back)
        canvas.grow_asked.connect(self._grow)
        canvas.shrink_asked.connect(self._shrink)
        canvas.more.clicked.connect(self._show_more)
        self.strip.pressed.connect(self.reload)
        self.session.status_changed.connect(lambda _: self._recolour())
        on_key("F", tools.fit.animateClick, self, inside=True)
        on_key("T", self._toggle_table, self, inside=True)

    # Where to look.

    def go(self, id: str) -> None:
        """Make a fact or an entity the centre, and store the previous centre for going back."""
        if id == self.query.center:
            return
        self.trail = [*self.trail, self.query.center][-TRAIL_AT_MOST:]
        self._centre(id)

    def go_back(self) -> None:
        """Return to the previous centre, or to the start page."""
        if self.trail:
            self._centre(self.trail.pop())

    def _find(self, id: str) -> None:
        """Make a search result the centre, and give the graph the keyboard focus."""
        self.go(id)
        self.page.canvas.setFocus()

    def select(self, id: str) -> None:
        """Make a memory the centre, for a link from another panel or the search."""
        self.go(id)

    @property
    def at(self) -> str:
        """The centre; empty on the start page."""
        return self.query.center or ""

    def _centre(self, id: str | None) -> None:
        self.query = self.query.around(id)
        self.message_bar.hide()
        self.page.brush.reset()
        self.reload()

    def _want(self, **what: Any) -> None:
        """Change a filter and reload soon. A person's request is not delayed by the longer interval between
        live reloads."""
        self.query = replace(self.query, **what)
        is_due = self._soon.isActive() and self._soon.remainingTime() <= RELOAD_AFTER_MS
        if self.query.center is not None and not is_due:
            self._soon.start(RELOAD_AFTER_MS)

    def _show_more(self) -> None:
        self._want(limit=self.query.larger().limit)

    def _grow(self, id: str) -> None:
        self.query = self.opening.grow(self.query, self._current, id)

    def _shrink(self, id: str) -> None:
        self.query = self.opening.shrink(self.query, self._current, id)

    @property
    def _current(self) -> Fetched | None:
        """The shown graph; None while a load is running or due that will replace it."""
        return None if self._task is not None or self._soon.isActive() else self._shown

    def _take(self, shown: Fetched, it: Fetched) -> None:
        if self._current is shown:
            self._show(it)
        else:
            self.reload_soon()

    def _want_way(self, id: str | None) -> None:
        self.message_bar.hide()
        self.query = replace(self.query, to=id, opened={})
        self.reload()

    def _toggle_table(self) -> None:
        if self._pages.currentWidget() is self.page:
            self.page.show_table(not self.page.shows_table)
            self.tools.show_table(self.page.shows_table)

    # Loading.

    async def load(self) -> None:
        """Load the graph for the query, or the start page."""
        if self.query.center is None:
            await self._load_start()
            return
        try:
            it = await fetch(self.session, self.query)
        except (NotFound, BadAsk) as gone:
            self._leave(gone)
            return
        self._show(it)
        self.strip.hide()
        self.show_content()

    async def _load_start(self) -> None:
        answer = await self.session.call(memory.GRAPH, AskGraph(channels=self.session.channels))
        self.start.show_suggestions(answer.suggestions)
        self.say("")
        self.strip.hide()
        self._show_page(self.start)
        if answer.suggestions:
            self.show_content()
        elif self.session.channels:
            self.show_filtered(tr("Nothing is remembered in these channels yet."))
        else:
            self.show_unfilled(
                tr("Nothing is remembered here yet."),
                tr(
                    "Facts and entities appear as agents talk. Bring in a chat, or the folder that an agent keeps "
                    "its memory in."
                ),
            )

    def _leave(self, gone: MemDeskError) -> None:
        """Report that the centre is gone or has no graph, and show the previous one."""
        self.session.failed.emit(gone)
        self._centre(self.trail.pop() if self.trail else None)

    def _show(self, it: Fetched) -> None:
        before = self._shown
        is_news = before is not None and before.query.same_view(it.query)
        self._shown, self._shown_at = it, datetime.now().astimezone()
        self._show_page(self.page)
        self.page.show_fetched(it, self._numbers(it), is_news=is_news)
        self.page.canvas.more.set_enabled(it.query.limit < SHOWN_AT_MOST, limit_reason())
        self._show_shares(it)
        self._show_heading()
        if self.page.scene is not None:
            self.opening.show_result(before, it, self.page.scene)
        if before is None or before.query.to != it.query.to or before.query.center != it.query.center:
            self.way.show_result(it)

    def focus_filter(self) -> None:
        """Move the focus to the field that finds a centre."""
        finder = self.tools.finder if self._pages.currentWidget() is self.page else self.start.finder
        finder.setFocus()
        finder.selectAll()

    def _show_page(self, page: QWidget) -> None:
        self._pages.setCurrentWidget(page)
        is_graph = page is self.page
        self.setFocusProxy(self.page.canvas if is_graph else self.start.finder)
        self.tools.show_actions(is_graph)
        bar = self.tools.chips.parentWidget()
        if bar is not None:
            bar.setVisible(is_graph)

    def _numbers(self, it: Fetched) -> dict[str, int]:
        return {channel: self.session.channel_number(channel) for channel in it.channels}

    def _show_shares(self, it: Fetched) -> None:
        self.tools.chips.set_shares(shares_of(it.shares, self._numbers(it)), it.query.hidden)

    def _show_heading(self) -> None:
        if self.page.scene is not None:
            show_heading(self.head.subtitle, self.page.scene.center, self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the heading to the width."""
        super().resizeEvent(event)
        self._show_heading()

    def _recolour(self) -> None:
        """Apply the channel colours, which come with the status and perhaps after the first graph."""
        self.start.recolour()
        shown, scene = self._shown, self.page.scene
        if shown is not None and scene is not None and self._numbers(shown) != scene.numbers:
            self.page.show_fetched(shown, self._numbers(shown), is_news=False)
            self._show_shares(shown)

    def show_failure(self, wrong: MemDeskError) -> None:
        """Keep the last loaded graph and show its time with the error; without such a graph, or while the
        service is away, handle the failure as other panels do."""
        if isinstance(wrong, ServiceAway) or self._shown_at is None or self.query.center is None:
            super().show_failure(wrong)
            return
        of = tr("This is the graph of {time}.", time=formatting.clock(self._shown_at))
        self.strip.set_sentence(sentences(of, wrong.says))
        self.strip.show()
