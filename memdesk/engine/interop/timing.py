"""When each act of a play happens. Pure: the same play and moment always give the same times, none in the future."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from memdesk.engine.interop.script import Act, Line, Logs, Said, Scene
from memdesk.model.instant import SECOND, from_datetime, to_datetime

SHORTEST_S, LONGEST_S = 40, 240
"""Between one turn and the next, unless the play says otherwise."""
_LEAST_AGO_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One act at its moment (UTC microseconds). number: which scene it belongs to; order: its place in it."""

    at: int
    number: int
    order: int
    scene: Scene
    line: Line

    @property
    def act(self) -> Act:
        return self.line.act


def staged(scenes: tuple[Scene, ...], now: int) -> list[Cue]:
    """Every act of every scene in order of time. What today holds is drawn together so that it ends before `now`."""
    today = to_datetime(now).astimezone().date()
    cues = [cue for number, scene in enumerate(scenes) for cue in _timed(scene, number, today)]
    midnight = from_datetime(datetime.combine(today, datetime.min.time()))
    last, latest = max(cue.at for cue in cues), now - _LEAST_AGO_S * SECOND
    if last > latest:
        share = max(0, latest - midnight) / (last - midnight)
        cues = [
            replace(cue, at=min(now, midnight + round((cue.at - midnight) * share)))
            if cue.at > midnight
            else cue
            for cue in cues
        ]
    return sorted(cues, key=lambda cue: (cue.at, cue.number, cue.order))


def day_of(at: int) -> date:
    """The day a moment falls on where the desk is."""
    return to_datetime(at).astimezone().date()


def clock_of(at: int) -> str:
    """The time of day of a moment where the desk is, HH:MM."""
    return to_datetime(at).astimezone().strftime("%H:%M")


def logged_at(cue: Cue, act: Logs) -> int:
    """The moment a line of the daily log names: its own time of that day when that is past by then."""
    if act.at is None:
        return cue.at
    return min(cue.at, from_datetime(datetime.combine(day_of(cue.at), act.at)))


def _timed(scene: Scene, number: int, today: date) -> Iterator[Cue]:
    at = from_datetime(datetime.combine(today + timedelta(days=scene.day), scene.at))
    for order, line in enumerate(scene.lines):
        if order:
            at += _gap(scene, line.act, order)
        yield Cue(at=at, number=number, order=order, scene=scene, line=line)


def _gap(scene: Scene, act: Act, order: int) -> int:
    """A turn takes its time; what an agent does with it follows within a second."""
    if not isinstance(act, Said):
        return SECOND // 2
    if act.after is not None:
        return round(act.after.total_seconds()) * SECOND
    chance = zlib.crc32(f"{scene.channel}/{scene.title}/{order}".encode())
    return (SHORTEST_S + chance % (LONGEST_S - SHORTEST_S)) * SECOND
