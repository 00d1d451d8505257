"""Scratchpad: current working memory of every session, with the remaining time of each key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from PySide6.QtGui import QResizeEvent

from memdesk.api import working
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.newest import Newest
from memdesk.gui.panels.scratchpad import scratchpad_keys, scratchpad_value
from memdesk.gui.panels.scratchpad.scratchpad_keys import Keys
from memdesk.gui.panels.scratchpad.scratchpad_value import ForgetForm, KeyDetail, LifeForm, ValueForm
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel, Records
from memdesk.gui.widgets import Drop, Ground, List, Meter, Option, Splitter, TwoLines, column
from memdesk.gui.widgets.text import excerpt
from memdesk.model.channel import LOCAL_USER
from memdesk.model.errors import NotFound
from memdesk.model.message import verbatim
from memdesk.model.status import Nothing
from memdesk.model.working import (
    AskHeld,
    AskPlaces,
    ExtendLife,
    ForgetKey,
    HeldKey,
    HeldPlace,
    WorkingPlace,
    WorkingSize,
)


def said(held: HeldPlace) -> str:
    """Return a place as text for a screen reader."""
    where = held.channel if held.session_id is None else _whose(held)
    parts = (scratchpad_keys.place(held), held.agent_id or "", where, _much(held))
    return ", ".join(part for part in parts if part)


def _much(held: HeldPlace) -> str:
    many = tr("%Ln key(s)", "", held.keys)
    return tr("{keys}, {size}", keys=many, size=formatting.size(held.bytes))


def _whose(held: HeldPlace) -> str:
    return tr("scratchpad") if held.user_id == LOCAL_USER else tr("scratchpad of {user}", user=held.user_id)


RELOAD_AFTER_MS = 10
"""Delay before a reload: an agent's write must be visible within 200 ms, and a load takes some 30 ms."""
PLACES_AT_MOST = 1000
LIST_PX, DETAIL_PX, METER_PX = 280, 330, 120
LIST_FROM_PX = 1120
"""Least panel width with a list of places; a narrower panel has a drop-down instead."""


class ScratchpadPanel(RecordPanel):
    """Sessions and conversations with working memory at the left, their keys in the middle, the chosen key at
    the right."""

    name = "scratchpad"
    kinds = ("turn", "goal", "conversation")
    records: Records
    unsaved_words = marked("what you wrote into working memory")
    letters = {"edit": "edit", "retire": "forget"}

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._places: tuple[HeldPlace, ...] = ()
        self._wanted = ""
        self._showing = Newest(session)
        self.choice = Drop(name=tr("Who holds working memory"), icon="scratchpad")
        self.meter = Meter(width=METER_PX, name=tr("Working memory"))
        self.places = List(
            said, name=tr("Who holds working memory"), lines=self._lines, id_of=scratchpad_keys.place_id
        )
        self.keys, self.aside = Keys(), KeyDetail(session)
        self._side = Ground("panel", layout=column(self.places, gap=0))
        self._side.setMinimumWidth(264)
        self.records = Records(
            session, self.keys, self.aside, self._read_key, detail_px=DETAIL_PX, detail_least=280
        )
        body = Splitter(self._side, self.records, grows=1)
        body.setSizes([LIST_PX, 700 + DETAIL_PX])
        actions = (self.meter, self.choice, self.search_field(tr("Filter keys"), 180, self._show_place))
        self.lay_out(body, focus=self.keys, actions=actions, skeleton=(0.2, 0.4, 0.2), pitch=54)
        self.places.picked.connect(lambda _: self._show_place())
        self.choice.chosen.connect(lambda id: self.places.choose_id(str(id)))
        self.keys.opened.connect(lambda _: self.aside.acts.press("edit"))
        self.keys.expired.connect(self.reload_soon)
        self.aside.asked.connect(self._act)
        self.session.worked.connect(lambda: self.reload_soon(RELOAD_AFTER_MS, by_others=True))

    def _lines(self, held: HeldPlace) -> TwoLines:
        of_session = held.session_id is not None
        return TwoLines(
            title=scratchpad_keys.place(held),
            note=formatting.ago(held.used_at),
            below=_whose(held) if of_session else held.channel,
            below_note=_much(held),
            mark=self.session.mark(f"agent:{held.agent_id}") if held.agent_id else None,
            channel=None if of_session else self.session.channel_number(held.channel),
        )

    # Loading.

    async def load(self) -> None:
        """Load the places with working memory, and the keys of the chosen place; the choice stays."""
        size, found = await asyncio.gather(
            self.session.call(working.SIZE, Nothing()),
            self.session.call(working.PLACES, AskPlaces(limit=PLACES_AT_MOST)),
        )
        self._show_size(size, held=bool(found.places))
        channels, agents = self.session.channels, self.session.agents
        places = [
            place
            for place in found.places
            if (not agents or place.agent_id in agents)
            and (not channels or place.session_id is not None or place.channel in channels)
        ]
        wanted = self._find(places)
        self.places.replace_rows(places, wanted)
        self._places, self._wanted = self.places.rows.rows(), "" if wanted else self._wanted
        self._show_choice()
        if not self._places:
            self._show_none()
            return
        # Its answer is older than the one asked for here.
        self._showing.cancel()
        await self._read_place()
        self.show_content()

    def select(self, id: str) -> None:
        """Show the working memory of a conversation or a session, once it is loaded."""
        self._wanted = id
        if (wanted := self._find(self._places)) and self.places.choose_id(wanted):
            self._wanted = ""
        else:
            self._outdate()

    def keep_still(self, keeps: bool) -> None:
        """Keep the keys in their places under the pointer alone: they are watched while agents write."""
        super().keep_still(keeps)
        self.keys.keeps_still = keeps and self.keys.is_looked_at

    @property
    def at(self) -> str:
        """The conversation or session of the chosen place."""
        place = self._place()
        return "" if place is None else place.conversation_id or place.session_id or ""

    def _find(self, places: Sequence[HeldPlace]) -> str:
        """Return the id of the first place of the wanted conversation or session; empty if there is none."""
        wanted = (each for each in places if self._wanted in (each.conversation_id, each.session_id))
        found = next(wanted, None) if self._wanted else None
        return "" if found is None else scratchpad_keys.place_id(found)

    def _show_size(self, size: WorkingSize, *, held: bool) -> None:
        self.meter.setVisible(held)
        self.meter.set_value(size.bytes / size.limit_bytes if size.limit_bytes else 0.0)
        self.meter.setToolTip(
            tr(
                "Past its limit the keys that were used least recently go: {evicted} went so far, {expired} expired.",
                evicted=f"{size.evicted:,}",
                expired=f"{size.expired:,}",
            )
        )
        of = tr(
            "{held} of {limit}", held=formatting.size(size.bytes), limit=formatting.size(size.limit_bytes)
        )
        gone = tr("%Ln evicted", "", size.evicted)
        said = tr("{keys}, {size}", keys=tr("%Ln key(s)", "", size.keys), size=of)
        # The claims of jobs are counted too, and nobody holds them.
        said = said if held else tr("%Ln key(s)", "", 0)
        self.say(f"{said} · {gone}" if size.evicted else said)

    def _show_choice(self) -> None:
        options = [
            Option(scratchpad_keys.place_id(place), scratchpad_keys.place(place)) for place in self._places
        ]
        self.choice.set_options(options)
        self.choice.setVisible(self._side.isHidden() and bool(options))
        chosen = self._place()
        if chosen is not None:
            self.choice.set_value(scratchpad_keys.place_id(chosen))

    def _show_none(self) -> None:
        self.records.show_rows(())
        if self.is_filtered:
            self.show_none_here(
                tr("Nobody holds working memory here."),
                tr("The channels and agents of the top bar leave none."),
            )
        else:
            self.show_empty(
                tr("Nobody holds working memory now."),
                tr(
                    "Agents keep turns, values and thoughts of the session at hand here; each goes by itself in time."
                ),
            )

    # One place.

    def _place(self) -> HeldPlace | None:
        chosen: HeldPlace | None = self.places.record()
        return chosen

    def _show_place(self) -> None:
        self._show_choice()
        self._showing.start(self._read_place())

    async def _read_place(self) -> None:
        place = self._place()
        if place is None:
            return
        ask = AskHeld(
            user_id=place.user_id,
            channel=place.channel,
            conversation_id=place.conversation_id,
            session_id=place.session_id,
        )
        held = await self.session.call(working.HELD, ask)
        now = self._place()
        if now is None or scratchpad_keys.place_id(now) != scratchpad_keys.place_id(place):
            # Another place was chosen meanwhile, and is read by now.
            return
        said = self.sought.casefold()
        rows = [key for key in held.rows if said in f"{scratchpad_keys.name(key)}\n{key.begins}".casefold()]
        self.records.show_rows(rows)

    async def _read_key(self, key: HeldKey) -> None:
        place = self._place()
        if place is not None:
            text = await scratchpad_value.read(self.session, place, key)
            self.aside.show_key(key, text, talks=place.conversation_id is not None)

    # What can be done.

    def _act(self, act: str, key: HeldKey) -> None:
        place = self._place()
        if place is None:
            return
        match act:
            case "edit":
                self.session.spawn(self._edit(place, key))
            case "longer":
                self.show_form(LifeForm(), lambda asked: self._extend(key, asked[0]))
            case "forget" if key.sort in scratchpad_keys.EDITABLE:
                self.session.spawn(self._forget(place, key))
            case "forget":
                self.show_form(ForgetForm(key), lambda _: self._forget_for_good(key))
            case "goal":
                self.session.spawn(self._show_goal(place))
            case "talk":
                self.inspector.navigated.emit("conversations", place.conversation_id or "")

    async def _edit(self, place: HeldPlace, key: HeldKey) -> None:
        held = await scratchpad_value.fetch(self.session, place, key)
        if not held.found:
            raise NotFound(
                verbatim(tr("This is no longer held.")),
                next=verbatim(tr("It expired, or somebody forgot it; look again.")),
            )
        form = ValueForm(key, held.value)
        self.aside.stack.open_form(form, lambda asked: self.session.spawn(self._save(place, form, asked[0])))

    async def _save(self, place: HeldPlace, form: ValueForm, wanted: object) -> None:
        """Replace a value; if an agent has changed it meanwhile, the form reports that first."""
        key = form.key
        held = await scratchpad_value.fetch(self.session, place, key)
        if not form.meet(held.value):
            return
        was = form.was
        act = partial(scratchpad_value.write, self.session, place, key, wanted)
        back = partial(scratchpad_value.write, self.session, place, key, was)
        await self.session.do_turn(
            act, back, tr("Edited “{title}”", title=excerpt(scratchpad_keys.name(key)))
        )
        self.aside.stack.close_form()
        self.reload()

    async def _extend(self, key: HeldKey, seconds: int | None) -> None:
        await self.session.call(working.EXTEND, ExtendLife(key=key.key, ttl_seconds=seconds))

    async def _forget(self, place: HeldPlace, key: HeldKey) -> None:
        """Delete a value or a note. It can be written again, so this can be undone."""
        held = await scratchpad_value.fetch(self.session, place, key)

        async def act() -> int | None:
            await self.session.call(working.FORGET, ForgetKey(key=key.key))
            return 0

        back = partial(scratchpad_value.write, self.session, place, key, held.value)
        await self.session.do_turn(
            act, back, tr("Forgot “{title}”", title=excerpt(scratchpad_keys.name(key)))
        )
        self.reload()

    async def _forget_for_good(self, key: HeldKey) -> None:
        await self.session.call(working.FORGET, ForgetKey(key=key.key))

    async def _show_goal(self, place: HeldPlace) -> None:
        where = WorkingPlace(
            user_id=place.user_id, channel=place.channel, conversation_id=place.conversation_id
        )
        goal = (await self.session.call(working.ACTIVE_GOAL, where)).goal
        if goal is not None and goal.status is not None:
            self.inspector.navigated.emit("goals", goal.goal_id)
        else:
            raise NotFound(
                verbatim(tr("This goal is not kept among the goals.")),
                next=verbatim(tr("Its words stand here.")),
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Replace the list by a drop-down in a narrow panel."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= LIST_FROM_PX
        self._side.setVisible(is_wide)
        self._show_choice()
