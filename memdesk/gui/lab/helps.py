"""Suggestions that may bring a memory into a recall: queries that differ in one setting. The caller tries
them out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memdesk.gui.frame.terms import term
from memdesk.gui.lab import trial
from memdesk.gui.lab.trial import TECHNIQUE_SETTINGS, TECHNIQUE_WORDS, Trial
from memdesk.gui.language import tr
from memdesk.model.recall import Explanation, Stage

LIMIT_AT_MOST, TURNS_AT_MOST = 100, 100
LEAST_FLOOR = 0.0
ALONE = ("hybrid", "entities", "expansion", "self_query")
"""Techniques that need no language model, so they can be tried without a delay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """Suggestion: a trial with one setting changed."""

    says: str
    trial: Trial


def fell(told: Explanation) -> Stage | None:
    """Return the stage that stopped a memory, None if it was recalled."""
    return None if told.place is not None or not told.stages else told.stages[-1]


def helps(told: Explanation, tried: Trial, channel: str) -> Iterator[Help]:
    """Yield suggestions that may bring in a memory of `channel`, the most likely first."""
    stage = fell(told)
    if stage is None or not tried.values:
        return
    match stage.name:
        case "scope":
            yield from _wider(told, tried, channel)
        case "time":
            yield Help(says=tr("Ask of any time"), trial=replace(tried, hours=None))
            yield _switched(tried, "self_query", on=False)
        case "floor":
            near = stage.numbers.get("relevance", 0.0)
            for floor in dict.fromkeys((round(max(LEAST_FLOOR, near - 0.01), 2), LEAST_FLOOR)):
                yield Help(
                    says=tr("Lower the floor to {floor}", floor=f"{floor:.2f}"),
                    trial=tried.turned(**{trial.FLOOR: floor}),
                )
        case "diversity":
            turns = int(stage.numbers.get("per_conversation", 0))
            more = min(TURNS_AT_MOST, turns + 1)
            yield Help(
                says=tr("Allow %Ln turn(s) a conversation", "", more),
                trial=tried.turned(**{trial.PER_CONVERSATION: more}),
            )
            yield Help(
                says=tr("Allow any number of turns"), trial=tried.turned(**{trial.PER_CONVERSATION: 0})
            )
        case "budget":
            yield from _longer(told, tried)
    if stage.name in ("search", "ranking", "budget", "floor"):
        yield from (
            _switched(tried, name, on=True) for name in ALONE if not tried.values[TECHNIQUE_SETTINGS[name]]
        )


def _wider(told: Explanation, tried: Trial, channel: str) -> Iterator[Help]:
    if told.kind not in tried.kinds:
        yield Help(
            says=tr("Ask for a {kind} too", kind=term(told.kind)),
            trial=replace(tried, kinds=(*tried.kinds, told.kind)),
        )
        return
    if channel and channel != tried.channel:
        yield Help(
            says=tr("Ask in {channel}", channel=channel),
            trial=replace(tried, channel=channel, every_channel=False),
        )
    if not tried.every_channel:
        yield Help(says=tr("Ask in every channel"), trial=replace(tried, every_channel=True))


def _longer(told: Explanation, tried: Trial) -> Iterator[Help]:
    """Yield a suggestion with a higher limit: at least the memory's place in the ranking, and more than the
    limit now."""
    ranking = next((each for each in told.stages if each.name == "ranking"), None)
    place = int(ranking.numbers.get("place", 0)) if ranking else 0
    if place:
        limit = min(LIMIT_AT_MOST, max(place, int(tried.values[trial.LIMIT]) + 1))
        yield Help(says=tr("Ask for %Ln hit(s)", "", limit), trial=tried.turned(**{trial.LIMIT: limit}))


def _switched(tried: Trial, name: str, *, on: bool) -> Help:
    words, _ = TECHNIQUE_WORDS[name]
    says = (
        tr("Use {technique}", technique=tr(words)) if on else tr("Leave out {technique}", technique=tr(words))
    )
    return Help(says=says, trial=tried.turned(**{TECHNIQUE_SETTINGS[name]: on}))
