"""Controls at the top of the lab: the question, the agent and channel, the techniques, and the weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from memdesk.api import questions
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.terms import plural
from memdesk.gui.widgets import Control, Drop, Field, Ground, Option, Slider, Text, column, laid_out, row
from memdesk.gui.widgets.drop import open_below
from memdesk.gui.widgets.layout import Flow
from memdesk.gui.widgets.text import shorten
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import RECALLED, SEARCHED
from memdesk.model.questions import AskQuestions, ForgetQuestion, QuestionRow
from memdesk.model.recall import TECHNIQUES, WEIGHTS, Query, Technique
from memdesk.model.status import SettingList

Value = bool | int | float | str
LIMIT, FLOOR, PER_CONVERSATION = "recall_limit", "recall_floor", "recall_per_conversation"
WEIGHT_SETTINGS = dict(
    zip(
        WEIGHTS,
        ("weight_turns", "weight_facts", "weight_entities", "weight_strategies", "weight_recency"),
        strict=True,
    )
)
"""Setting for each weight of a query."""
TECHNIQUE_SETTINGS = {name: f"recall_{name}" for name in TECHNIQUES}
NAMES = (*TECHNIQUE_SETTINGS.values(), *WEIGHT_SETTINGS.values(), LIMIT, FLOOR, PER_CONVERSATION)
"""Settings that can be changed in the lab."""
TECHNIQUE_WORDS = {
    "hybrid": (marked("Hybrid"), marked("Words beside meaning.")),
    "entities": (marked("Graph"), marked("Follow the graph from entities the query names.")),
    "expansion": (marked("Expansion"), marked("Also search paraphrases of the query.")),
    "hyde": (marked("HyDE"), marked("Search with an answer a language model imagines; needs a model.")),
    "self_query": (marked("Self-query"), marked("Read times and channels out of the query.")),
    "rerank": (marked("Rerank"), marked("Let a reranker judge the best hits again; needs one.")),
}
WEIGHT_WORDS = {
    "episodic": marked("Turns"),
    "facts": marked("Facts"),
    "entities": marked("Entities"),
    "procedural": marked("Strategies"),
    "recency": marked("Recency"),
}
NEAR = 1e-6
SHOWN = 50
"""Characters of a kept question in its menu."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Recall as it is tried. values: the settings of NAMES."""

    text: str = ""
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    every_channel: bool = False
    hours: float | None = None
    kinds: tuple[str, ...] = RECALLED
    values: Mapping[str, Value] = field(default_factory=dict)

    def query(self) -> Query:
        """Return the query. Settings not known yet are left to the service."""
        if not self.values:
            return Query(text=self.text, channel=self.channel, user_id=self.user_id, agent_id=self.agent_id)
        values = self.values
        return Query(
            text=self.text,
            channel=self.channel,
            user_id=self.user_id,
            agent_id=self.agent_id,
            kinds=self.kinds,
            every_channel=self.every_channel,
            time_window_hours=self.hours,
            limit=int(values[LIMIT]),
            techniques=tuple(name for name, setting in TECHNIQUE_SETTINGS.items() if values[setting]),
            weights={name: float(values[setting]) for name, setting in WEIGHT_SETTINGS.items()},
            floor=float(values[FLOOR]),
            per_conversation=int(values[PER_CONVERSATION]),
        )

    def turned(self, **values: Value) -> Trial:
        """Return a copy with some settings changed."""
        return replace(self, values={**self.values, **values})


def saved(settings: SettingList) -> dict[str, Value]:
    """Return the saved values of the settings in NAMES."""
    return {row.name: row.value for row in settings.rows if row.name in NAMES}


def changed(tried: Mapping[str, Value], kept: Mapping[str, Value]) -> dict[str, Value]:
    """Return the tried settings that differ from the saved ones."""
    return {name: value for name, value in tried.items() if name in kept and not _same(value, kept[name])}


def changes_text(tried: Mapping[str, Value], kept: Mapping[str, Value]) -> str:
    """Return the differences as text: “recall hyde off → on, weight facts 0.25 → 0.40”."""
    return ", ".join(
        f"{name.replace('_', ' ')} {_word(kept[name])} → {_word(value)}"
        for name, value in changed(tried, kept).items()
    )


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return abs(float(one) - float(other)) < NEAR
    return one == other


def _word(value: Value) -> str:
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    return f"{value:.2f}" if isinstance(value, float) else str(value)


EVERY = "*"
TIMES = (
    (None, marked("Any time")),
    (24.0, marked("Last day")),
    (168.0, marked("Last week")),
    (720.0, marked("Last 30 days")),
    (2160.0, marked("Last 90 days")),
)
LIMITS = (5, 8, 10, 20, 50)


class Weight(QWidget):
    """Slider for a weight with its name and value, which is blue if it is not saved. The signal `turned`
    reports a change."""

    turned = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.slider = Slider(tr("{name}, weight", name=name))
        self._value = Text("", 12, "t1", numeric=True)
        self._value.setFixedWidth(32)
        self._saved = 0.0
        self.slider.valueChanged.connect(self._moved)
        self.setLayout(row(Text(name, 12, "t2"), self.slider, self._value, gap=7))

    @property
    def value(self) -> float:
        """Return the weight, 0 to 1. A saved value between two slider steps is returned exactly until the
        slider is moved."""
        near = abs(self.slider.share - self._saved) <= 0.5 / self.slider.maximum()
        return self._saved if near else self.slider.share

    def show_value(self, value: float, kept: float) -> None:
        """Show a weight without emitting `turned`. kept: the saved weight."""
        with QSignalBlocker(self.slider):
            self._saved = kept
            self.slider.set_share(value)
        self._say()

    def _moved(self) -> None:
        self._say()
        self.turned.emit()

    def _say(self) -> None:
        self._value.setText(f"{self.value:.2f}")
        self._value.set_token("t1" if self.value == self._saved else "acc")
        self.slider.setAccessibleDescription(
            tr("{value}, saved {saved}", value=f"{self.value:.2f}", saved=f"{self._saved:.2f}")
        )


class RecallControls(Ground):
    """Controls for a recall. Signals: asked (Enter or the button), turned (a control changed)."""

    asked = Signal()
    turned = Signal()

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: dict[str, Value] = {}
        self._has_begun = False
        self._scope: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.text = Field(
            placeholder=tr("Ask as an agent would"), name=tr("Question"), icon="recall", keys="/"
        )
        self.ask = Control("primary", tr("Recall"), keys="Enter")
        self.agent = Drop(lead=tr("As"), name=tr("As"))
        self.channel = Drop(lead=tr("in"), name=tr("Channel"))
        self.user = Field(LOCAL_USER, name=tr("User"), width=64)
        self.limit = Drop(
            [Option(value=each, text=str(each)) for each in LIMITS], 10, lead=tr("Top"), name=tr("Top")
        )
        self.time = Drop([Option(value=value, text=tr(text)) for value, text in TIMES], name=tr("Time"))
        self.kinds = Drop(
            [Option(value=each, text=plural(each)) for each in SEARCHED],
            many=True,
            every=tr("Every kind"),
            name=tr("Kinds"),
        )
        self.techniques = {
            name: Control("chip", tr(words), "check", tip=tr(tip))
            for name, (words, tip) in TECHNIQUE_WORDS.items()
        }
        self.weights_shown = Control("ghost", tr("Weights"), "settings", tip=tr("Show or hide the weights"))
        self.weights = {name: Weight(tr(words)) for name, words in WEIGHT_WORDS.items()}
        self.floor = Weight(tr("Floor"))
        turns = [Option(value=n, text=tr("any") if n == 0 else str(n)) for n in range(6)]
        self.per_conversation = Drop(
            turns, 3, lead=tr("Per conversation"), name=tr("Turns per conversation"), small=True
        )
        super().__init__("stage", "bottom", self._laid_out())
        self._wire()
        self.offer()

    def _laid_out(self) -> QVBoxLayout:
        line = row(self.text, self.ask, gap=8, stretch=self.text)
        user = laid_out(row(Text(tr("User"), 12, "t3"), self.user, gap=6))
        who, self._turns = QWidget(), QWidget()
        who.setLayout(Flow(self.agent, self.channel, user, self.limit, self.time, self.kinds, gap=8))
        self._turns.setLayout(Flow(*self.weights.values(), self.floor, self.per_conversation, gap=14))
        self._turns.hide()
        self.weights_shown.setCheckable(True)
        ways = row(*self.techniques.values(), None, self.weights_shown, gap=6)
        return column(line, who, ways, self._turns, gap=9, margins=(20, 14, 20, 10))

    def _wire(self) -> None:
        self.ask.clicked.connect(lambda: self.asked.emit())
        self.text.returnPressed.connect(self.asked)
        self.user.editingFinished.connect(self.turned)
        for drop in (self.agent, self.channel, self.limit, self.time, self.kinds, self.per_conversation):
            drop.chosen.connect(lambda _: self.turned.emit())
        for chip in self.techniques.values():
            chip.clicked.connect(lambda: self.turned.emit())
        for weight in (*self.weights.values(), self.floor):
            weight.turned.connect(self.turned)
        self.weights_shown.toggled.connect(self._turns.setVisible)
        self._session.status_changed.connect(lambda _: self.offer())

    def offer(self) -> None:
        """Offer the existing channels and agents."""
        status = self._session.status
        names = [each.name for each in status.channels] if status else []
        number = self._session.channel_number
        channels = [Option(value=GLOBAL, text=GLOBAL, channel=0)]
        channels += [
            Option(value=name, text=f"{name} + {GLOBAL}", channel=number(name))
            for name in names
            if name != GLOBAL
        ]
        self.channel.set_options(
            [*channels, Option(value=EVERY, text=tr("Every channel"), separator_before=True)]
        )
        agents = [each.name for each in status.agents] if status else []
        self.agent.set_options(
            [
                *(Option(value=name, text=name) for name in agents),
                Option(value=None, text=tr("Nobody"), separator_before=bool(agents)),
            ]
        )
        if not self._has_begun and status is not None:
            self._has_begun = True
            self._begin(names, agents)

    def take(self, kept: QuestionRow) -> None:
        """Ask a kept question, in its channel and as its agent."""
        self.text.setText(kept.text)
        self.channel.set_value(kept.channel)
        self.agent.set_value(kept.agent_id)

    def follow_scope(self) -> None:
        """Select the agent and the channel that the top bar shows, if they are others than at the last time."""
        scope = (self._session.agents, self._session.channels)
        if scope == self._scope or not self._has_begun:
            return
        self._scope = scope
        for drop, names in zip((self.agent, self.channel), scope, strict=True):
            if names and drop.value() not in names:
                drop.set_value(names[0])

    def _begin(self, names: list[str], agents: list[str]) -> None:
        """Select the channel and agent of the window's scope, otherwise every channel and the first agent."""
        self.channel.set_value(next((name for name in self._session.channels if name in names), EVERY))
        named = [name for name in self._session.agents if name in agents] or agents
        if named:
            self.agent.set_value(named[0])

    # What is tried.

    def show_saved(self, kept: Mapping[str, Value]) -> None:
        """Take over the saved settings; settings that are being tried stay."""
        tried = changed(self.values(), self._kept) if self._kept else {}
        self._kept = dict(kept)
        self._show_values({**kept, **tried})

    def values(self) -> dict[str, Value]:
        """Return the settings as they are tried; empty before the saved settings are known."""
        if not self._kept:
            return {}
        values: dict[str, Value] = {
            setting: self.techniques[name].isChecked() for name, setting in TECHNIQUE_SETTINGS.items()
        }
        values |= {setting: self.weights[name].value for name, setting in WEIGHT_SETTINGS.items()}
        limit, turns = self.limit.value(), self.per_conversation.value()
        values[LIMIT] = limit if isinstance(limit, int) else 10
        values[PER_CONVERSATION] = turns if isinstance(turns, int) else 0
        return values | {FLOOR: self.floor.value}

    @property
    def kept(self) -> Mapping[str, Value]:
        return self._kept

    def trial(self) -> Trial:
        channel, hours = self.channel.value(), self.time.value()
        kinds = self.kinds.value()
        every = channel == EVERY
        return Trial(
            text=self.text.text().strip(),
            channel=GLOBAL if every else str(channel),
            every_channel=every,
            user_id=self.user.text().strip() or LOCAL_USER,
            agent_id=self._agent(),
            hours=hours if isinstance(hours, float) else None,
            kinds=tuple(str(each) for each in kinds) if isinstance(kinds, tuple) and kinds else RECALLED,
            values=self.values(),
        )

    def _agent(self) -> str | None:
        agent = self.agent.value()
        return None if agent is None else str(agent)

    def try_out(self, tried: Trial) -> None:
        """Set every control to the values of this trial."""
        self.channel.set_value(EVERY if tried.every_channel else tried.channel)
        self.time.set_value(tried.hours)
        self.kinds.set_value(() if set(tried.kinds) == set(RECALLED) else tried.kinds)
        self._show_values(tried.values)
        self.turned.emit()

    def reset(self) -> None:
        """Set every setting to its saved value."""
        self.try_out(replace(self.trial(), values=self._kept))

    def _show_values(self, values: Mapping[str, Value]) -> None:
        if not values:
            return
        for name, setting in TECHNIQUE_SETTINGS.items():
            self.techniques[name].setChecked(bool(values[setting]))
        for name, setting in WEIGHT_SETTINGS.items():
            self.weights[name].show_value(float(values[setting]), float(self._kept[setting]))
        self.floor.show_value(float(values[FLOOR]), float(self._kept[FLOOR]))
        for drop, setting in ((self.limit, LIMIT), (self.per_conversation, PER_CONVERSATION)):
            self._offer_number(drop, int(values[setting]))

    def _offer_number(self, drop: Drop, number: int) -> None:
        """Select a number, adding it to the options if it is missing."""
        known = {option.value: option for option in drop.options}
        if number not in known:
            options = sorted(
                [*drop.options, Option(value=number, text=str(number))], key=lambda each: int(str(each.value))
            )
            drop.set_options(options)
        drop.set_value(number)

    def show_techniques(self, done: tuple[Technique, ...]) -> None:
        """Show in the tip of each chip the result of its technique."""
        by_name = {each.name: each for each in done}
        for name, chip in self.techniques.items():
            _, tip = TECHNIQUE_WORDS[name]
            chip.set_tip("\n".join([tr(tip), *_did(by_name.get(name))]))

    def begin(self) -> None:
        """Give the keyboard focus to the question."""
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.selectAll()


def _did(technique: Technique | None) -> list[str]:
    """Return the result of a technique in the last answer as a list of one line; empty if it was not used."""
    if technique is None:
        return []
    figures = {
        "found": f"{technique.found:,}",
        "new": f"{technique.added:,}",
        "took": f"{technique.took_ms:.0f}",
    }
    says = tr("{found} found, {new} of them new, {took} ms.", **figures)
    return [f"{says} {technique.note}".strip()]


class KeptTests(Control):
    """Button for the questions that are kept as tests: each can be asked here, or forgotten. Signal: asked carries a
    QuestionRow."""

    asked = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__("ghost", tr("Tests"), "check", tip=tr("Questions that are kept as tests"))
        self._session = session
        self.clicked.connect(lambda: session.spawn(self._open()))

    async def _open(self) -> None:
        found = await self._session.call(questions.LIST, AskQuestions())
        open_below(self.menu_of(found.rows), self)

    def menu_of(self, rows: Sequence[QuestionRow]) -> QMenu:
        """Return the menu of kept questions: the expected answer of each, and whether recall still finds it."""
        menu = QMenu(self)
        if not rows:
            menu.addAction(tr("No question is kept as a test yet.")).setEnabled(False)
        for each in rows:
            mark = "?" if each.passes is None else "✓" if each.passes else "✗"
            part = menu.addMenu(f"{mark} {shorten(each.text, SHOWN)} → {shorten(each.expects, SHOWN)}")
            part.addAction(tr("Ask it here"), partial(self.asked.emit, each))
            part.addAction(tr("Forget it"), partial(self._forget, each))
        return menu

    def _forget(self, row: QuestionRow) -> None:
        says = tr("Forgot the kept question “{title}”", title=row.text)
        self._session.spawn(self._carry_out(ForgetQuestion(id=row.id), says))

    async def _carry_out(self, ask: ForgetQuestion, says: str) -> None:
        await self._session.do(questions.FORGET, ask, says)
