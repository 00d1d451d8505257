"""Trial of a recall in the lab: query, techniques and weights, and their differences from the saved settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memdesk.gui.language import marked, tr
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kinds import RECALLED
from memdesk.model.recall import TECHNIQUES, WEIGHTS, Query
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
    "episodic": marked("Turns"), "facts": marked("Facts"), "entities": marked("Entities"),
    "procedural": marked("Strategies"), "recency": marked("Recency"),
}  # fmt: skip
NEAR = 1e-6


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
            text=self.text, channel=self.channel, user_id=self.user_id, agent_id=self.agent_id, kinds=self.kinds,
            every_channel=self.every_channel, time_window_hours=self.hours, limit=int(values[LIMIT]),
            techniques=tuple(name for name, setting in TECHNIQUE_SETTINGS.items() if values[setting]),
            weights={name: float(values[setting]) for name, setting in WEIGHT_SETTINGS.items()},
            floor=float(values[FLOOR]), per_conversation=int(values[PER_CONVERSATION]),
        )  # fmt: skip

    def turned(self, **values: Value) -> Trial:
        """Return a copy with some settings changed."""
        return replace(self, values={**self.values, **values})


def saved(settings: SettingList) -> dict[str, Value]:
    """Return the saved values of the settings in NAMES."""
    return {row.name: row.value for row in settings.rows if row.name in NAMES}


def changed(tried: Mapping[str, Value], kept: Mapping[str, Value]) -> dict[str, Value]:
    """Return the tried settings that differ from the saved ones."""
    return {name: value for name, value in tried.items() if name in kept and not _same(value, kept[name])}


def said(tried: Mapping[str, Value], kept: Mapping[str, Value]) -> str:
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
