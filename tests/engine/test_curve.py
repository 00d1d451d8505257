"""Salience over time: whatever happened to a memory, its curve tells the same story as its salience now."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memdesk.engine import salience
from memdesk.engine.browsing.heatmap import Life, curve
from memdesk.model.browse import SalienceCurve
from memdesk.model.instant import DAY
from memdesk.model.settings import DEFAULTS, Settings

MIDNIGHT = 20_000 * DAY
BACK, AHEAD = 40, 15
CLOSE = pytest.approx


@dataclass(frozen=True)
class Story:
    """A memory's life in days before `moment`, as the engine would have written it down."""

    born: float
    recalls: tuple[float, ...]
    rescued: float | None
    pinned: bool
    hour: float
    settings: Settings

    @property
    def moment(self) -> int:
        return MIDNIGHT + round(self.hour * DAY / 24)

    def at(self, days_ago: float) -> int:
        return self.moment - round(days_ago * DAY)

    def life(self) -> Life:
        """Its life, with the salience the store's own bookkeeping gives it now."""
        made, settings = self.at(self.born), self.settings
        base, base_at = settings.new_salience, made
        used: tuple[float, int] | None = None
        events = [(days, "recall") for days in self.recalls]
        events += [] if self.rescued is None else [(self.rescued, "rescue")]
        for days, what in sorted(events, reverse=True):
            when = self.at(days)
            if what == "rescue":
                base, base_at = settings.rescue_salience, when
            else:
                strength = salience.at(
                    when, base=base, base_at=base_at, used=used, pinned=False, settings=settings
                )
                used = (salience.lifted(strength, settings), when)
        now = salience.at(
            self.moment, base=base, base_at=base_at, used=used, pinned=self.pinned, settings=settings
        )
        recalls = sorted(self.at(days) for days in self.recalls)
        return Life(
            now=now, pinned=self.pinned, created_at=made, set_to=base, set_at=base_at, recalls=recalls
        )

    def curve(self) -> SalienceCurve:
        return curve(
            self.life(),
            moment=self.moment,
            day_start=MIDNIGHT,
            days_back=BACK,
            days_ahead=AHEAD,
            settings=self.settings,
        )

    def day(self, days_ago: float) -> int:
        """The index of a day in the curve."""
        return (self.at(days_ago) - MIDNIGHT) // DAY + BACK - 1


settings = st.builds(
    lambda decay, lift, new, rescue: replace(
        DEFAULTS, decay_per_day=decay, recall_lift=lift, new_salience=new, rescue_salience=rescue
    ),
    st.floats(0.5, 0.999),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 1),
)


@st.composite
def stories(draw: st.DrawFn, pinned: bool | None = None) -> Story:
    born = draw(st.floats(0.01, BACK + 20))
    within = st.floats(0, born * 0.999)
    return Story(
        born=born,
        recalls=tuple(draw(st.lists(within, max_size=8))),
        rescued=draw(st.none() | within),
        pinned=draw(st.booleans()) if pinned is None else pinned,
        hour=draw(st.floats(0.1, 23.9)),
        settings=draw(settings),
    )


@given(stories())
def test_a_curve_has_every_day_and_stays_between_nothing_and_one(story: Story) -> None:
    drawn = story.curve()
    assert (len(drawn.past), len(drawn.ahead)) == (BACK, AHEAD)
    assert all(0 <= value <= 1 for value in (*drawn.past, *drawn.ahead) if value is not None)


@given(stories())
def test_a_memory_has_no_salience_before_the_day_it_was_born(story: Story) -> None:
    drawn = story.curve()
    for day, value in enumerate(drawn.past):
        assert (value is None) == (day < story.day(story.born))


@given(stories())
def test_today_shows_what_the_memory_is_worth_now(story: Story) -> None:
    drawn = story.curve()
    assert drawn.past[-1] == drawn.now == story.life().now


@given(stories(pinned=False))
@example(Story(born=2, recalls=(1,), rescued=1, pinned=False, hour=1, settings=DEFAULTS))
def test_replaying_a_life_ends_where_the_bookkeeping_does(story: Story) -> None:
    """Yesterday's value, faded until now, is the value now, when nothing happened since midnight."""
    rescued = () if story.rescued is None else (story.rescued,)
    assume(all(days * 24 > story.hour for days in (story.born, *story.recalls, *rescued)))
    drawn, yesterday = story.curve(), story.curve().past[-2]
    assert yesterday is not None
    assert drawn.now == CLOSE(salience.faded(yesterday, story.moment - MIDNIGHT, story.settings), abs=1e-9)


@given(stories(pinned=False))
def test_the_forecast_never_rises_and_assumes_no_recall(story: Story) -> None:
    drawn = story.curve()
    line = (drawn.now, *drawn.ahead)
    assert all(later <= earlier for earlier, later in zip(line, line[1:], strict=False))
    for earlier, later in zip(drawn.ahead, drawn.ahead[1:], strict=False):
        assert later == CLOSE(earlier * story.settings.decay_per_day)


@given(stories(pinned=True))
def test_a_pinned_memory_stays_as_it_is_and_never_fades(story: Story) -> None:
    drawn = story.curve()
    assert drawn.ahead == (drawn.now,) * AHEAD
    assert drawn.fades_in_days is None


@given(stories(pinned=True))
def test_a_pinned_memory_is_flat_since_the_last_thing_that_happened_to_it(story: Story) -> None:
    drawn = story.curve()
    last = min(story.born, *story.recalls, story.rescued if story.rescued is not None else story.born)
    assert set(drawn.past[max(0, story.day(last)) :]) == {drawn.now}


@given(stories(pinned=False), st.floats(0.001, 0.999))
def test_a_recall_lifts_a_memory_from_its_day_on(story: Story, when: float) -> None:
    assume(story.rescued is None)
    days = story.born * when
    more = replace(story, recalls=(*story.recalls, days))
    before, after = story.curve(), more.curve()
    day = story.day(days)
    for place, (old, new) in enumerate(zip(before.past, after.past, strict=True)):
        if old is None or new is None or place < day:
            assert old == new
        else:
            assert new >= old - 1e-12
    assert after.recall_days.count(day) == before.recall_days.count(day) + (day >= 0)


@given(stories(pinned=False))
def test_a_memory_fades_at_the_threshold_on_the_day_it_is_said_to(story: Story) -> None:
    drawn, settings = story.curve(), story.settings
    assert drawn.fades_in_days is not None
    if drawn.now >= settings.fade_below:
        then = salience.faded(drawn.now, round(drawn.fades_in_days * DAY), settings)
        assert then == CLOSE(settings.fade_below, rel=1e-6)
    else:
        assert drawn.fades_in_days < 0


def test_a_rescue_takes_over_at_its_time() -> None:
    story = Story(born=30, recalls=(20, 5), rescued=10, pinned=False, hour=12, settings=DEFAULTS)
    drawn = story.curve()
    recalled = lifted(0.5 * 0.95**10)
    assert drawn.past[story.day(11)] == CLOSE(recalled * 0.95**9.5)
    assert drawn.past[story.day(10)] == CLOSE(0.9 * 0.95**0.5)
    assert drawn.now == CLOSE(lifted(0.9 * 0.95**5) * 0.95**5)


def lifted(value: float) -> float:
    return value + (1 - value) * 0.25


def test_what_never_fades_has_no_day_to_fade_on() -> None:
    for settings in (replace(DEFAULTS, decay_per_day=1.0), replace(DEFAULTS, fade_below=0.0)):
        assert salience.fades_in_days(0.5, settings, pinned=False) is None


def test_a_memory_worth_nothing_faded_a_finite_time_ago() -> None:
    faded = salience.fades_in_days(0.0, DEFAULTS, pinned=False)
    assert faded is not None and -100_000 < faded < -10_000
