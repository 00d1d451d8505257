"""Times of the script's acts. Pure: the same script and `now` always give the same times, none in the future."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from memdesk.engine.interop.script import Act, Line, Logs, Said, Scene
from memdesk.model.instant import SECOND, from_datetime, to_datetime

SHORTEST_S, LONGEST_S = 40, 240
"""Seconds between two turns, unless the script gives another time."""
_LEAST_AGO_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """Act with its time (UTC microseconds). number: index of its scene; order: its place in the scene."""

    at: int
    number: int
    order: int
    scene: Scene
    line: Line

    @property
    def act(self) -> Act:
        return self.line.act


def staged(scenes: tuple[Scene, ...], now: int) -> list[Cue]:
    """Return every act of every scene in order of time. The acts of today are compressed so that they end
    before `now`."""
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
    """Return the date of a time in the desk's time zone."""
    return to_datetime(at).astimezone().date()


def clock_of(at: int) -> str:
    """Return the time of day of a time in the desk's time zone, HH:MM."""
    return to_datetime(at).astimezone().strftime("%H:%M")


def logged_at(cue: Cue, act: Logs) -> int:
    """Return the time of a day file's line: the time it names on that day, but never later than the act."""
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
    """Return the time before an act: turns take some time; the agent's other acts follow within a second."""
    if not isinstance(act, Said):
        return SECOND // 2
    if act.after is not None:
        return round(act.after.total_seconds()) * SECOND
    chance = zlib.crc32(f"{scene.channel}/{scene.title}/{order}".encode())
    return (SHORTEST_S + chance % (LONGEST_S - SHORTEST_S)) * SECOND
