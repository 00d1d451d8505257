"""The script of the sample desk: its grammar and its timing."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memdesk.model.errors import Refused
from memdesk.model.instant import SECOND, from_datetime

sys.path.append(str(Path(__file__).parent.parent / "packaging"))

from sample_script import (  # noqa: E402  (a program of developers, not of the package)
    Aims,
    Asks,
    Binds,
    Claims,
    Compacts,
    Corrects,
    Ends,
    Introduces,
    Judges,
    Logs,
    Masters,
    Notes,
    Primes,
    Said,
    Scene,
    Suggests,
    Tags,
    TakesBack,
    Uses,
    read_scenes,
)
from sample_stage import clock_of, day_of, logged_at, timed_cues  # noqa: E402

PLAY = """\
# a comment
== The first crane | quay | Forge | day -3 14:02
Mara: The crane lifts 12 tonnes.
+ fact .95 current | The crane lifts 12 tonnes | crane, quay
* crane | Technology | Lifts boats | the old one, K1
> crane | PART_OF | quay
Forge: Noted.
= 09:12 crane measured
= and weighed
? crane tonnes
(+3h)
Mara: Make that 14.
~ "The crane lifts 12 tonnes" -> "The crane lifts 14 tonnes"
^ "The crane lifts 14 tonnes" -> fact .85 past | The crane is sold | crane
! promote "The crane is sold"
! undo
"""

KEPT = """\
@ 4 | Move the crane | day 12
@ 3 | Rent a barge | part of Move the crane | after Ask the harbour
% completed "Rent a barge" | The old one
$ weigh | lifting | ok 120 ms
$ weigh | lifting | failed 30 ms | too heavy
& Weigh, then lift | a crane | weigh, lift
: preferences | tea | green
; "The crane is sold" | crane, money
/ "The crane is sold" | every quay should know
< 400
- openlegion | 900
"""


def scenes(text: str = PLAY) -> tuple[Scene, ...]:
    return tuple(read_scenes(text, "quay.txt"))


def test_every_line_of_the_grammar_is_read() -> None:
    (scene,) = scenes()
    assert (scene.title, scene.channel, scene.agent, scene.day) == ("The first crane", "quay", "Forge", -3)
    assert [line.act for line in scene.lines] == [
        Said(speaker="Mara", text="The crane lifts 12 tonnes."),
        Claims(
            claim="The crane lifts 12 tonnes",
            category="fact",
            confidence=0.95,
            temporal="current",
            about=("crane", "quay"),
        ),
        Introduces(name="crane", type="Technology", description="Lifts boats", aliases=("the old one", "K1")),
        Binds(source="crane", relation="PART_OF", target="quay"),
        Said(speaker="Forge", text="Noted."),
        Logs(text="crane measured", at=datetime(2000, 1, 1, 9, 12).time()),
        Logs(text="and weighed", at=None),
        Asks(query="crane tonnes"),
        Said(speaker="Mara", text="Make that 14.", after=timedelta(hours=3)),
        Corrects(claim="The crane lifts 12 tonnes", now="The crane lifts 14 tonnes"),
        Claims(
            claim="The crane is sold",
            category="fact",
            confidence=0.85,
            temporal="past",
            about=("crane",),
            instead="The crane lifts 14 tonnes",
        ),
        Judges(verb="promote", claim="The crane is sold"),
        TakesBack(),
    ]
    assert scene.lines[1].where == "quay.txt, line 4"


def test_what_agents_keep_beside_facts_is_read() -> None:
    (scene,) = scenes(f"== A | quay | Forge | day -1 10:00\nMara: Hello.\n{KEPT}")
    assert [line.act for line in scene.lines[1:]] == [
        Aims(description="Move the crane", priority=4, due=12),
        Aims(description="Rent a barge", priority=3, part_of="Move the crane", after="Ask the harbour"),
        Ends(description="Rent a barge", status="completed", result="The old one"),
        Uses(tool="weigh", task="lifting", ms=120),
        Uses(tool="weigh", task="lifting", ms=30, error="too heavy"),
        Masters(description="Weigh, then lift", context="a crane", tools=("weigh", "lift")),
        Notes(aspect="preferences", name="tea", value="green"),
        Tags(claim="The crane is sold", tags=("crane", "money")),
        Suggests(claim="The crane is sold", reason="every quay should know"),
        Primes(budget=400),
        Compacts(policy="openlegion", window=900),
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("@ high | Move the crane", "line 3: a goal begins with its priority"),
        ('% finished "Move the crane"', "line 3: “finished” is no end of a goal"),
        ("$ weigh | lifting | failed 30 ms", "line 3: a tool that failed says why"),
        ("$ weigh | lifting", "line 3: this does not read as a tool call"),
        (": mood | today | good", "line 3: “mood” is no part of a profile"),
        ("< much", "line 3: this does not read as a number of tokens"),
        ("- openlegion", "line 3: this does not read as a compaction"),
        ("; The crane | money", "line 3: this does not read as a claim in quotes"),
        ("+ fact .95 someday | A claim | x", "line 3: “fact .95 someday” should be"),
        ("* crane | Machine | Lifts", "line 3: “Machine” is no type of entity"),
        ("> crane | OWNS | quay", "line 3: a relation is written"),
        ('! praise "x"', "line 3: this does not read as promote"),
        ("just words", "line 3: this does not read as a line of the play"),
        ("== No time | quay | Forge | day -1", "line 3: this does not read as a scene"),
        ("= 25:00 late", "line 3: “25:00” is no time of day"),
    ],
)
def test_a_line_that_does_not_read_is_named(line: str, says: str) -> None:
    with pytest.raises(Refused, match=f"quay.txt, {says}"):
        scenes(f"== A | quay | Forge | day -1 10:00\nMara: Hello.\n{line}\n")


def test_what_happens_before_a_scene_or_after_today_is_refused() -> None:
    with pytest.raises(Refused, match="line 1: something happens before the first scene"):
        scenes("Mara: Hello.\n")
    with pytest.raises(Refused, match="line 1: day 1 lies in the future"):
        scenes("== A | quay | Forge | day 1 10:00\nMara: Hello.\n")
    with pytest.raises(Refused, match="line 1: a scene begins with somebody saying something"):
        scenes("== A | quay | Forge | day -1 10:00\n? x\n")


NOON = from_datetime(datetime(2026, 11, 20, 12, 0))


def test_turns_take_their_time_and_acts_follow_at_once() -> None:
    cues = timed_cues(scenes(), NOON)
    assert clock_of(cues[0].at) == "14:02" and day_of(cues[0].at).day == 17
    said = [cue.at for cue in cues if isinstance(cue.act, Said)]
    assert 40 * SECOND <= said[1] - said[0] <= 245 * SECOND
    assert (
        said[2] - cues[cues.index(next(c for c in cues if isinstance(c.act, Asks)))].at == 3 * 3600 * SECOND
    )
    assert all(before.at < after.at for before, after in zip(cues, cues[1:], strict=False))
    assert timed_cues(scenes(), NOON) == cues


def test_a_log_line_has_the_time_it_names_or_that_of_its_turn() -> None:
    first, second = [cue for cue in timed_cues(scenes(), NOON) if isinstance(cue.act, Logs)]
    assert isinstance(first.act, Logs) and isinstance(second.act, Logs)
    assert clock_of(logged_at(first, first.act)) == "09:12"
    assert clock_of(logged_at(second, second.act)) == clock_of(second.at) > "14:02"
