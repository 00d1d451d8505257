"""Fate of each turn removed by a compaction, and checks of the summary. Pure: no Qt, no calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from memdesk.gui.language import marked, tr
from memdesk.model.compaction import DROPPED
from memdesk.model.context import CompactionRow, CompactionWhole

Fate = Literal["summary", "fact", "lost", "nothing"]

FATES: tuple[tuple[Fate, str], ...] = (
    ("summary", marked("in the summary")), ("fact", marked("kept as fact")), ("lost", marked("lost")),
    ("nothing", marked("nothing to keep")),
)  # fmt: skip
SHRUNKEN = 0.02
"""Share of the replaced text below which a summary is reported as too short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """Content of a turn that was kept or lost.

    sentences: places in the summary, from 0. facts: ids. lost: statements that are in no sentence and no
    fact."""

    sentences: tuple[int, ...] = ()
    facts: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def fate(self) -> Fate:
        """Return the most important fate: “lost” if any statement was lost, then “fact”, “summary”,
        “nothing”."""
        if self.lost:
            return "lost"
        return "fact" if self.facts else "summary" if self.sentences else "nothing"


def covers(whole: CompactionWhole) -> dict[int, Cover]:
    """Return the cover of every removed turn by turn index, in order."""
    row = whole.row
    sentences: dict[int, list[int]] = {}
    facts: dict[int, list[str]] = {}
    lost: dict[int, list[str]] = {}
    for place, sentence in enumerate(whole.sentences):
        for turn in sentence.turns:
            sentences.setdefault(turn, []).append(place)
    for fact in whole.facts:
        for turn in fact.turns:
            facts.setdefault(turn, []).append(fact.id)
    for each in whole.lost:
        lost.setdefault(each.turn_index, []).append(each.text)
    return {
        turn: Cover(
            sentences=tuple(sentences.get(turn, ())), facts=tuple(facts.get(turn, ())), lost=tuple(lost.get(turn, ()))
        )
        for turn in range(row.first_index, row.last_index + 1)
    }  # fmt: skip


def counted(covered: dict[int, Cover]) -> dict[Fate, int]:
    """Return the number of turns with each fate."""
    found = Counter(cover.fate for cover in covered.values())
    return {fate: found[fate] for fate, _ in FATES}


def alarm(row: CompactionRow) -> str:
    """Return a sentence about the problem of a summary; "" if there is none."""
    gone = tr("%Ln turn(s)", "", row.last_index - row.first_index + 1)
    if row.by == DROPPED:
        return tr("No summary was made: {turns} left the context and are in the archive alone.", turns=gone)
    if not row.summary_characters:
        return tr("The summary is empty: nothing in the context stands for {turns}.", turns=gone)
    if row.tokens_after >= row.tokens_before:
        return tr("The context is no shorter than before: the summary is as long as what it stands for.")
    told = row.characters_before - row.characters_after + row.summary_characters
    if row.summary_characters < SHRUNKEN * told:
        return tr(
            "The summary shrank to {left} of {all} characters; much is missing in it.",
            left=f"{row.summary_characters:,}", all=f"{told:,}",
        )  # fmt: skip
    return ""


def spans(turns: Sequence[int]) -> str:
    """Return turn ranges in words: “turn 4”, “turns 10 to 30, 38”, numbered from 1."""
    runs: list[tuple[int, int]] = []
    for turn in sorted(set(turns)):
        if runs and turn == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], turn)
        else:
            runs.append((turn, turn))
    said = tr(", ").join(
        f"{first + 1}" if first == last else tr("{first} to {last}", first=f"{first + 1}", last=f"{last + 1}")
        for first, last in runs
    )
    return tr("turn(s) {which}", "", len(set(turns)), which=said) if runs else ""
