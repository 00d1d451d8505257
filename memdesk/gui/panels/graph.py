"""The Graph panel: what surrounds one memory, and how it links across channels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from memdesk.contract import memory
from memdesk.gui.frame import times
from memdesk.gui.graph.chips import Share
from memdesk.gui.graph.deeds import Deeds
from memdesk.gui.graph.fetching import Fetched, fetched, with_neighbours, without_neighbours
from memdesk.gui.graph.page import GraphPage, in_order
from memdesk.gui.graph.start import Start
from memdesk.gui.graph.telling import heading, heading_plain, no_news
from memdesk.gui.graph.tools import Tools
from memdesk.gui.graph.way import Way
from memdesk.gui.graph.wish import SHOWN_AT_MOST, SHOWN_MORE, Wish
from memdesk.gui.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.panel import Panel
from memdesk.gui.session import Session
from memdesk.gui.widgets import Strip, column
from memdesk.gui.widgets.tips import plain
from memdesk.gui.widgets.told import Told
from memdesk.model.errors import BadAsk, MemDeskError, NotFound, ServiceAway
from memdesk.model.graph import AskGraph

TRAIL_AT_MOST = 100
PLAIN_HEADING_BELOW_PX = 860
"""In a narrower panel the heading is one tone: only plain text ends in an ellipsis."""


class GraphPanel(Panel):
    """One memory in the middle, its surroundings by channel. Without a centre it offers where to begin.

    Attributes: wish (centre and filters), trail (earlier centres; None stands for the page without one)."""

    name, title, icon = "graph", marked("Graph"), "graph"
    kinds = ("fact", "entity", "relation")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.wish = Wish()
        self.trail: list[str | None] = []
        self._shown: Fetched | None = None
        self._shown_at: datetime | None = None
        self.tools = Tools(session, self.wish)
        self.start, self.page, self.strip = Start(session), GraphPage(), Strip("", tr("Retry"), flush=True)
        self.strip.hide()
        self.told = Told()
        self.deeds = Deeds(session, self.told, self)
        self.way = Way(self.tools, self.page.canvas, self.told, self)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.start)
        self._pages.addWidget(self.page)
        body = QWidget()
        body.setLayout(column(self.strip, self.told, self._pages, gap=0))
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
        tools.more.clicked.connect(lambda: self.open_more())
        canvas.merge_asked.connect(self.deeds.ask_merge)
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
        self._key("F", lambda: tools.fit.animateClick())
        self._key("T", self._toggle_table)

    def _key(self, keys: str, act: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)

    # Where to look.

    def go(self, id: str) -> None:
        """Make a fact or an entity the centre; the way back is kept."""
        if id == self.wish.center:
            return
        self.trail = [*self.trail, self.wish.center][-TRAIL_AT_MOST:]
        self._centre(id)

    def go_back(self) -> None:
        """To the earlier centre, or to the page where to begin."""
        if self.trail:
            self._centre(self.trail.pop())

    def _find(self, id: str) -> None:
        """What was found is the centre, and the keys are at once the graph's."""
        self.go(id)
        self.page.canvas.setFocus()

    def select(self, id: str) -> None:
        """As when another panel or the search leads here: make it the centre."""
        self.go(id)

    def _centre(self, id: str | None) -> None:
        self.wish = self.wish.around(id)
        self.told.hide()
        self.page.brush.reset()
        self.reload()

    def _want(self, **what: Any) -> None:
        """Change a filter."""
        self.wish = replace(self.wish, **what)
        if self.wish.center is not None:
            self.reload_soon()

    def _show_more(self) -> None:
        self._want(limit=min(SHOWN_AT_MOST, self.wish.limit + SHOWN_MORE))

    # Rows that are opened in place; nothing else is asked anew, unless a load is on its way and brings them too.

    def _grow(self, id: str) -> None:
        shown = self._shown
        if shown is not None and id in shown.opened and not shown.hidden(id):
            self.page.canvas.say_at(id, no_news(0))
            return
        self.wish = self.wish.opening(id)
        if shown is None or self._is_loading:
            self.reload_soon()
        else:
            self.session.spawn(self._open(shown, id), failed=self.show_failure)

    async def _open(self, shown: Fetched, id: str) -> None:
        it = await with_neighbours(self.session, shown, self.wish, id)
        if self._shown is shown and not self._is_loading:
            self._show(it)
        else:
            self.reload_soon()

    def _shrink(self, id: str) -> None:
        self.wish = self.wish.closing(id)
        if self._shown is None or self._is_loading:
            self.reload_soon()
        else:
            self._show(without_neighbours(self._shown, id))

    @property
    def _is_loading(self) -> bool:
        return self._task is not None or self._soon.isActive()

    # What more can be done.

    def open_more(self) -> None:
        """Open the menu of what more can be done, below its button."""
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        button = self.tools.more
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))

    def more_menu(self) -> QMenu:
        """That menu as it would open now."""
        menu = QMenu(self)
        menu.addAction(tr("Find a way to…"), self.way.ask)
        back = menu.addAction(tr("All that surrounds it"), self.way.end)
        back.setEnabled(self.wish.to is not None)
        menu.addSeparator()
        menu.addAction(tr("Export the picture…"), self._ask_picture)
        return menu

    def _want_way(self, id: str | None) -> None:
        self.told.hide()
        self.wish = replace(self.wish, to=id, opened={})
        self.reload()

    def _ask_picture(self) -> None:
        scene, stand = self.page.scene, self.page.canvas.stand
        if scene is not None and stand is not None:
            when = times.minute(datetime.now().astimezone())
            self.deeds.ask_where(stand, f"{heading_plain(scene.center)} · {scene.counted} · {when}")

    def _toggle_table(self) -> None:
        if self._pages.currentWidget() is self.page:
            self.page.show_table(not self.page.shows_table)
            self.tools.show_table(self.page.shows_table)

    # Loading.

    async def load(self) -> None:
        """The graph of the wish, or where one might begin."""
        if self.wish.center is None:
            await self._load_start()
            return
        try:
            it = await fetched(self.session, self.wish)
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
            self.show_empty(
                tr("Nothing is remembered in these channels yet."),
                step=tr("Show all channels"),
                take=lambda: self.session.filter_channels(()),
            )
        else:
            self.show_unfilled(
                tr("Nothing is remembered here yet."),
                tr(
                    "Facts and entities appear as agents talk. Bring in a chat, or the folder that an agent keeps "
                    "its memory in, on the command line:"
                ),
            )

    def _leave(self, gone: MemDeskError) -> None:
        """A centre that is gone, or has no graph: say so and show the one before."""
        self.session.failed.emit(gone)
        self._centre(self.trail.pop() if self.trail else None)

    def _show(self, it: Fetched) -> None:
        before = self._shown
        is_news = before is not None and before.wish.same_view(it.wish)
        self._shown, self._shown_at = it, datetime.now().astimezone()
        self._show_page(self.page)
        self.page.show_fetched(it, self._numbers(it), is_news=is_news)
        self._show_shares(it)
        self._show_heading()
        self._tell_growth(before, it)
        if before is None or before.wish.to != it.wish.to or before.wish.center != it.wish.center:
            self.way.tell(it)

    def focus_filter(self) -> None:
        """Go to the field that finds a centre."""
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
        numbers = self._numbers(it)
        shares = [
            Share(channel=channel, number=numbers[channel], count=it.shares[channel])
            for channel in in_order(numbers)
            if channel in it.shares
        ]
        self.tools.chips.set_shares(shares, it.wish.hidden)

    def _show_heading(self) -> None:
        if self.page.scene is not None:
            center, said = self.page.scene.center, self.head.subtitle
            if self.width() < PLAIN_HEADING_BELOW_PX:
                said.setText(heading_plain(center))
            else:
                said.set_markup(lambda: heading(center), heading_plain(center))
            said.setToolTip(plain(heading_plain(center)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say the heading so that it fits."""
        super().resizeEvent(event)
        self._show_heading()

    def _tell_growth(self, before: Fetched | None, it: Fetched) -> None:
        """Say so when a row that was just opened brought nothing new."""
        scene, known = self.page.scene, before.opened if before is not None else {}
        for id, more in it.opened.items():
            if scene is None or id not in scene.nodes or more is known.get(id):
                continue
            if not any(node.id in scene.nodes and scene.nodes[node.id].parent == id for node in more.nodes):
                self.page.canvas.say_at(id, no_news(it.hidden(id)))

    def _recolour(self) -> None:
        """Channel colours come with the status, which may be later than the first graph."""
        self.start.recolour()
        shown, scene = self._shown, self.page.scene
        if shown is not None and scene is not None and self._numbers(shown) != scene.numbers:
            self.page.show_fetched(shown, self._numbers(shown), is_news=False)
            self._show_shares(shown)

    def show_failure(self, wrong: MemDeskError) -> None:
        """The last good graph stays, with its time; while the service is away the window says so."""
        if isinstance(wrong, ServiceAway) or self._shown_at is None or self.wish.center is None:
            super().show_failure(wrong)
            return
        of = tr("This is the graph of {time}.", time=times.clock(self._shown_at))
        self.strip.set_sentence(f"{of} {wrong.says}")
        self.strip.show()
