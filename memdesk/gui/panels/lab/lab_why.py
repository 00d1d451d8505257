"""Explanation of one memory: its path through a recall, the candidates left at each stage, and ways to bring
it in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memdesk.api import memory, recall
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.lab import lab_question
from memdesk.gui.panels.lab.lab_question import TECHNIQUE_SETTINGS, TECHNIQUE_WORDS, Trial
from memdesk.gui.session import Session
from memdesk.gui.terms import term
from memdesk.gui.widgets import (
    ChannelMark,
    Control,
    Empty,
    Failure,
    Field,
    Ground,
    Icon,
    Scroll,
    Section,
    Skeleton,
    Text,
    column,
    laid_out,
    pages,
    row,
)
from memdesk.gui.widgets.text import excerpt, shorten
from memdesk.model.browse import Find
from memdesk.model.channel import GLOBAL
from memdesk.model.recall import Explain, Explanation, Stage

LIMIT_AT_MOST, TURNS_AT_MOST = 100, 100
LEAST_FLOOR = 0.0
ALONE = ("hybrid", "entities", "expansion", "self_query")
"""Techniques that need no language model, so they can be tried without a delay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Suggestion: a trial with one setting changed."""

    says: str
    trial: Trial


def stopping_stage(explanation: Explanation) -> Stage | None:
    """Return the stage that stopped a memory, None if it was recalled."""
    return None if explanation.place is not None or not explanation.stages else explanation.stages[-1]


def suggest(explanation: Explanation, tried: Trial, channel: str) -> Iterator[Suggestion]:
    """Yield suggestions that may bring in a memory of `channel`, the most likely first."""
    stage = stopping_stage(explanation)
    if stage is None or not tried.values:
        return
    match stage.name:
        case "scope":
            yield from _wider(explanation, tried, channel)
        case "time":
            yield Suggestion(says=tr("Ask of any time"), trial=replace(tried, hours=None))
            yield _switched(tried, "self_query", on=False)
        case "floor":
            near = stage.numbers.get("relevance", 0.0)
            for floor in dict.fromkeys((round(max(LEAST_FLOOR, near - 0.01), 2), LEAST_FLOOR)):
                yield Suggestion(
                    says=tr("Lower the floor to {floor}", floor=f"{floor:.2f}"),
                    trial=tried.turned(**{lab_question.FLOOR: floor}),
                )
        case "diversity":
            turns = int(stage.numbers.get("per_conversation", 0))
            more = min(TURNS_AT_MOST, turns + 1)
            yield Suggestion(
                says=tr("Allow %Ln turn(s) a conversation", "", more),
                trial=tried.turned(**{lab_question.PER_CONVERSATION: more}),
            )
            yield Suggestion(
                says=tr("Allow any number of turns"), trial=tried.turned(**{lab_question.PER_CONVERSATION: 0})
            )
        case "budget":
            yield from _longer(explanation, tried)
    if stage.name in ("search", "ranking", "budget", "floor"):
        yield from (
            _switched(tried, name, on=True) for name in ALONE if not tried.values[TECHNIQUE_SETTINGS[name]]
        )


def _wider(explanation: Explanation, tried: Trial, channel: str) -> Iterator[Suggestion]:
    if explanation.kind not in tried.kinds:
        yield Suggestion(
            says=tr("Ask for a {kind} too", kind=term(explanation.kind)),
            trial=replace(tried, kinds=(*tried.kinds, explanation.kind)),
        )
        return
    if channel and channel != tried.channel:
        yield Suggestion(
            says=tr("Ask in {channel}", channel=channel),
            trial=replace(tried, channel=channel, every_channel=False),
        )
    if not tried.every_channel:
        yield Suggestion(says=tr("Ask in every channel"), trial=replace(tried, every_channel=True))


def _longer(explanation: Explanation, tried: Trial) -> Iterator[Suggestion]:
    """Yield a suggestion with a higher limit: at least the memory's place in the ranking, and more than the
    limit now."""
    ranking = next((each for each in explanation.stages if each.name == "ranking"), None)
    place = int(ranking.numbers.get("place", 0)) if ranking else 0
    if place:
        limit = min(LIMIT_AT_MOST, max(place, int(tried.values[lab_question.LIMIT]) + 1))
        yield Suggestion(
            says=tr("Ask for %Ln hit(s)", "", limit), trial=tried.turned(**{lab_question.LIMIT: limit})
        )


def _switched(tried: Trial, name: str, *, on: bool) -> Suggestion:
    words, _ = TECHNIQUE_WORDS[name]
    says = (
        tr("Use {technique}", technique=tr(words)) if on else tr("Leave out {technique}", technique=tr(words))
    )
    return Suggestion(says=says, trial=tried.turned(**{TECHNIQUE_SETTINGS[name]: on}))


WIDTH_PX, BAR_PX, NUMBER_PX = 340, 56, 50
TITLE_CHARACTERS, SAYS_CHARACTERS = 300, 200
FOUND_AT_MOST = 6
STAGES = {
    "scope": marked("Channels and kinds"),
    "words": marked("Words"),
    "vector": marked("Meaning"),
    "graph": marked("Graph"),
    "search": marked("Found by any of them"),
    "time": marked("Time"),
    "filters": marked("Filters"),
    "ranking": marked("Ranked"),
    "duplicate": marked("Said once"),
    "floor": marked("Relevant enough"),
    "diversity": marked("Turns a conversation"),
    "budget": marked("Top"),
}
ORDER = tuple(STAGES)


class Why(Ground):
    """Explanation of one memory at a time. Signals: tried (a Trial to apply), opened (an id), closed."""

    tried = Signal(object)
    opened = Signal(str)
    closed = Signal()

    def __init__(self, session: Session) -> None:
        self._session = session
        self._task: asyncio.Task[None] | None = None
        self.id, self._channel = "", ""
        self._trial = Trial()
        self.field = Field(
            placeholder=tr("Why not… find a memory"), name=tr("Find a memory to explain"), icon="search"
        )
        self._empty = Empty(
            tr("Why this one, and why not that?"),
            tr(
                "Choose a hit or what nearly came, or find any memory above: its path through the recall stands here."
            ),
        )
        self._wait, self._failure = Skeleton(rows=8, pad=16), Failure()
        self._shown = pages(self._empty, self._wait, self._failure)
        self._body: QWidget | None = None
        self.explanation: Explanation | None = None
        self._first: tuple[str, str, str] | None = None
        """Words that were searched for, with id and channel of the first memory found."""
        self.offered: dict[str, Control] = {}
        close = Control("ghost", "", "close", tip=tr("Close  W"))
        head = row(
            Icon("lab", "t2"),
            Text(tr("Why not"), 13, "t1", weight=600),
            None,
            close,
            gap=8,
            margins=(16, 0, 10, 0),
        )
        bar = Ground("panel", "bottom", head, height=40)
        top = Ground("panel", "bottom", row(self.field, margins=(12, 9, 12, 9)))
        super().__init__(
            "panel", "left", column(bar, top, self._shown, gap=0, margins=(1, 0, 0, 0)), width=WIDTH_PX
        )
        self.setAccessibleName(tr("Why not"))
        close.clicked.connect(lambda: self.closed.emit())
        self.field.returnPressed.connect(self._look_for)
        self._failure.retried.connect(lambda: self.explain(self.id, self._channel, self._trial))

    # Finding.

    def _look_for(self) -> None:
        text = self.field.text().strip()
        if self._first is not None and self._first[0] == text:
            self.explain(*self._first[1:], self._trial)
        elif text:
            if self._task is not None:
                self._task.cancel()
            self._task = self._session.spawn(self._found(text), failed=self._fail)

    async def _found(self, text: str) -> None:
        """Search for memories, and list them; a click explains one, Enter again the first."""
        rows = (await self._session.call(memory.FIND, Find(text=text, limit=FOUND_AT_MOST))).rows
        self._first = next(((text, each.id, each.channel) for each in rows), None)
        lines: list[QWidget] = []
        for each in rows:
            line = Control("ghost", excerpt(each.title, 46), tip=f"{each.title} · {each.channel}")
            line.clicked.connect(
                lambda _=False, id=each.id, at=each.channel: self.explain(id, at, self._trial)
            )
            lines.append(line)
        heading = tr("Explain one of these") if lines else tr("Nothing like it is kept.")
        self._put(Section(heading, "", *(row(line, None) for line in lines), gap=2))

    # Explaining.

    def explain(self, id: str, channel: str, tried: Trial) -> None:
        """Explain the path of a memory through a recall."""
        self.id, self._channel, self._trial, self._first = id, channel, tried, None
        if self._task is not None:
            self._task.cancel()
        if not id or not tried.text:
            self._shown.setCurrentWidget(self._empty)
            return
        if self._body is None:
            self._shown.setCurrentWidget(self._wait)
        self._task = self._session.spawn(self._explain(id, tried), failed=self._fail)

    def use(self, tried: Trial) -> None:
        """Explain the current memory again for another trial."""
        self._trial = tried
        if self.id:
            self.explain(self.id, self._channel, tried)

    def _fail(self, wrong: object) -> None:
        says, then = getattr(wrong, "says", ""), getattr(wrong, "next", "")
        self._failure.set_words(says, then)
        self._shown.setCurrentWidget(self._failure)

    async def _explain(self, id: str, tried: Trial) -> None:
        explanation = await self._session.call(recall.EXPLAIN, Explain(query=tried.query(), id=id))
        self.explanation = explanation
        helped = Section(tr("What would bring it in") if explanation.place is None else "", "")
        self._put(self._head(explanation), helped, _path(explanation, tried))
        await self._show_helps(explanation, tried, helped)

    def _head(self, explanation: Explanation) -> Section:
        claim = Text(
            shorten(explanation.text, TITLE_CHARACTERS), 15, "t1", weight=500, wrap=True, selectable=True
        )
        marks: list[QWidget] = (
            [ChannelMark(self._channel, self._session.channel_number(self._channel))] if self._channel else []
        )
        ranking = next((each for each in explanation.stages if each.name == "ranking"), None)
        score = ranking.numbers.get("score") if ranking else None
        marks.append(Text(term(explanation.kind), 12, "t3"))
        if score is not None:
            shown = f"{score:.3f}"
            says = (
                tr("scores {score}", score=shown)
                if explanation.place
                else tr("would score {score}", score=shown)
            )
            marks.append(Text(says, 12, "t2"))
        inspect = Control("link", tr("Inspect"), small=True)
        inspect.clicked.connect(lambda: self.opened.emit(self.id))
        token = "ok" if explanation.place is not None else "bad"
        came = (
            tr("Comes back at place {place}.", place=explanation.place)
            if explanation.place
            else tr("Does not come back.")
        )
        outcome = Text(came, 12, token, weight=500)
        return Section(
            "", "", claim, row(*marks, None, inspect, gap=8), outcome, gap=7, margins=(16, 14, 16, 12)
        )

    async def _show_helps(self, explanation: Explanation, tried: Trial, helped: Section) -> None:
        """Try each suggestion, and offer only those that bring the memory in, with the place it gets."""
        if explanation.place is not None:
            helped.hide()
            return
        self.offered = {}
        for each in suggest(explanation, tried, self._channel):
            there = await self._session.call(
                recall.EXPLAIN, Explain(query=each.trial.query(), id=explanation.id)
            )
            if there.place is not None:
                helped.body.addLayout(
                    self._offer(each.says, there.place, partial(self.tried.emit, each.trial))
                )
        if not self.offered:
            why = self._why_nothing_helps(explanation, tried)
            helped.body.addWidget(Text(why, 12, "t2", wrap=True))

    def _why_nothing_helps(self, explanation: Explanation, tried: Trial) -> str:
        stage = stopping_stage(explanation)
        is_elsewhere = bool(self._channel) and self._channel not in (tried.channel, GLOBAL)
        if stage is not None and stage.name == "scope" and is_elsewhere and not tried.every_channel:
            return tr(
                "It is kept in {channel}, which this question does not ask. Asked there, it needs other words too.",
                channel=self._channel,
            )
        return tr(
            "None of the switches brings it in alone. Other words may, or an edit of the memory itself."
        )

    def _offer(self, says: str, place: int, act: Callable[[], object]) -> QHBoxLayout:
        button = Control("button", tr("Try"), small=True)
        button.clicked.connect(lambda: act())
        button.setAccessibleName(tr("Try: {says}, place {place}", says=says, place=place))
        self.offered[says] = button
        words = Text(says, 12, "t1", elide=True)
        return row(
            words, Text(tr("place {place}", place=place), 12, "t1", weight=500), button, gap=10, stretch=words
        )

    def _put(self, *sections: Section) -> None:
        old, self._body = self._body, Scroll(_ground(*sections), "panel")
        self._shown.addWidget(self._body)
        self._shown.setCurrentWidget(self._body)
        if old is not None:
            self._shown.removeWidget(old)
            old.deleteLater()


def _ground(*sections: Section) -> Ground:
    return Ground("panel", layout=column(*sections, None, gap=0))


def _path(explanation: Explanation, tried: Trial) -> Section:
    """Return the section of all stages with their outcomes; stages not reached are grey."""
    most = max((each.left or 0 for each in explanation.stages), default=0)
    lines = [_stage(each, most, tried) for each in explanation.stages]
    reached = {each.name for each in explanation.stages}
    if explanation.place is None and explanation.stages:
        last = (
            ORDER.index(explanation.stages[-1].name) if explanation.stages[-1].name in ORDER else len(ORDER)
        )
        lines += [
            _later(name, tried) for name in ORDER[last + 1 :] if name not in reached and name not in LOOKS
        ]
    head = row(
        Text(tr("Path through the recall"), 12, "t2", weight=600),
        None,
        Text(tr("left", "a count"), 11, "t3"),
        margins=(16, 0, 16, 4),
    )
    return Section("", "", head, *lines, gap=0, margins=(0, 12, 0, 8))


LOOKS = ("words", "vector", "graph")
"""Search stages, of which a memory needs to pass only one."""


def _share(share: float, token: str) -> QWidget:
    """Return a bar for the share of candidates left; any share above 0 is visible."""
    bar = [Ground(token, width=max(2, round(share * BAR_PX)), height=4, radius=2)] if share > 0 else []
    made = laid_out(row(*bar, None))
    made.setFixedWidth(BAR_PX)
    return made


def _stage(stage: Stage, most: int, tried: Trial) -> Ground:
    fatal = not stage.passed and stage.name not in LOOKS
    tone = "bad" if fatal else "t1"
    mark = (
        Icon("check", "ok", size=12)
        if stage.passed
        else Icon("cross" if fatal else "minus", "bad" if fatal else "t3", size=12)
    )
    mark.setAccessibleName(
        tr("passed") if stage.passed else tr("stopped here") if fatal else tr("not found so")
    )
    head = row(mark, Text(_named(stage.name, tried), 12, tone, weight=500 if fatal else 400), None, gap=8)
    if stage.left is not None:
        number = Text(f"{stage.left:,}", 12, tone, numeric=True)
        number.setFixedWidth(NUMBER_PX)
        head.addWidget(_share(stage.left / most if most else 0.0, "bad" if fatal else "t3"))
        head.addWidget(number)
    says = Text(shorten(stage.says, SAYS_CHARACTERS), 11, "bad" if fatal else "t3", wrap=True)
    indented = row(says, margins=(20, 0, 0, 0))
    return Ground("badbg" if fatal else "panel", layout=column(head, indented, gap=1, margins=(16, 4, 16, 5)))


def _later(name: str, tried: Trial) -> Ground:
    words = row(
        Icon("minus", "t3", size=12), Text(_named(name, tried), 12, "t3"), None, gap=8, margins=(16, 4, 16, 4)
    )
    return Ground("panel", layout=words)


def _named(name: str, tried: Trial) -> str:
    if name == "budget":
        limit = tried.query().limit
        return tr("Top {limit}", limit=limit) if limit else tr("Top")
    if name == "scope":
        if tried.every_channel:
            return tr("Every channel")
        if tried.channel == GLOBAL:
            return GLOBAL
        return tr("{channel} and {other}", channel=tried.channel, other=GLOBAL)
    return tr(STAGES[name]) if name in STAGES else name.capitalize()
