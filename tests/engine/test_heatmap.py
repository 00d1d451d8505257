"""The heatmap's rows: every filter, order and window agrees with what one would pick by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.browsing import heatmap as module
from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.heatmap import alike_order, heatmap
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import pin, rescue, retire
from memdesk.engine.memory.merge import merge
from memdesk.engine.memory.promotion import promote
from memdesk.engine.memory.remember import learn_fact, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.files.places import Desk
from memdesk.model.browse import Inspect
from memdesk.model.curation import Merge, Pin, Promote, Rescue, Retire, Undo
from memdesk.model.errors import BadAsk, MemDeskError
from memdesk.model.graph import AskSalience, Heatmap, HeatRow
from memdesk.model.instant import SECOND
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact
from memdesk.store import fading, integrity
from memdesk.store.connection import Connection
from memdesk.store.fading import FadingScope
from tests.effort import examples
from tests.engine.conftest import Clock

IRIS, FORGE, MARA = "agent:Iris", "agent:Forge", "person:Mara"
THINGS = ("runbook", "kettle", "staircase", "lighthouse", "orchard", "violin", "ferry", "pantry", "attic")
ALL = AskSalience(limit=500)


@pytest.fixture
def lived(engine: Engine, clock: Clock) -> Engine:
    """A desk that was lived with, for a test that changes it."""
    live(engine, clock)
    return engine


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Such a desk for tests that only read it."""
    clock = Clock()
    with closing(open_engine(Desk(tmp_path_factory.mktemp("aged") / "desk"), clock=clock)) as engine:
        live(engine, clock)
        yield engine


def live(engine: Engine, clock: Clock) -> None:
    """Make 36 memories over 100 days, some of them recalled often, some pinned, one rescued, one retired."""
    random, known = Random(3), []
    for number in range(36):
        clock.pass_days(2)
        name = f"{THINGS[number % len(THINGS)]} {number}"
        if number % 3:
            ask = NewFact(claim=f"The {name} is kept", channel=("home", "work")[number % 2])
            known.append(learn_fact(engine, ask, author=IRIS).id)
        else:
            known.append(upsert_entity(engine, NewEntity(name=name, channel="work"), author=IRIS).id)
        for thing in random.sample(THINGS[:4], 2):
            asked(engine, thing)
    clock.pass_days(18)
    for id in known[3:6]:
        pin(engine, Pin(id=id), author=MARA)
    rescue(engine, Rescue(id=known[0]), author=MARA)
    retire(engine, Retire(id=known[-1]), author=MARA)
    clock.pass_days(4)


def asked(engine: Engine, text: str, channel: str = "work", author: str = FORGE) -> None:
    """Recall, and wait until it is written down."""
    recall(engine, Query(text=text, channel=channel, limit=5), author=author)
    engine.store.submit(lambda _: None).result()


def ids(shown: Heatmap) -> list[str]:
    return [row.id for row in shown.rows]


def fades(row: HeatRow) -> float:
    return float("inf") if row.curve.fades_in_days is None else row.curve.fades_in_days


def test_every_current_memory_that_fades_has_a_row(aged: Engine) -> None:
    shown = heatmap(aged, ALL)
    assert shown.total == len(shown.rows) == shown.counts["all"] == 35
    assert {row.kind for row in shown.rows} == {"entity", "fact"}
    for row in shown.rows:
        assert (len(row.curve.past), len(row.curve.ahead)) == (91, 30)


def test_each_filter_leaves_what_one_would_pick_by_hand(aged: Engine) -> None:
    rows = heatmap(aged, ALL).rows
    by_hand = {
        "recalled": {row.id for row in rows if row.recalled >= 5},
        "below": {row.id for row in rows if row.curve.now < 0.30},
        "fading": {row.id for row in rows if 0 <= fades(row) <= 7},
        "ahead": {row.id for row in rows if 0 <= fades(row) <= ALL.days_ahead},
        "pinned": {row.id for row in rows if row.pinned},
    }
    assert all(by_hand.values())
    for only, wanted in by_hand.items():
        shown = heatmap(aged, replace(ALL, only=only))
        assert set(ids(shown)) == wanted
        assert shown.total == shown.counts[only] == len(wanted)
        assert shown.counts["all"] == 35
        assert shown.faded == sum(fades(row) < 0 for row in shown.rows)
    assert 0 < heatmap(aged, ALL).faded == sum(fades(row) < 0 for row in rows) < 35


def test_each_order_is_the_one_it_says(aged: Engine) -> None:
    rows = heatmap(aged, ALL).rows
    by_hand = {
        "fades": sorted(rows, key=lambda row: (fades(row), row.title)),
        "salience": sorted(rows, key=lambda row: (-row.curve.now, row.title)),
        "recalled": sorted(rows, key=lambda row: (-row.recalled, row.title)),
        "name": sorted(rows, key=lambda row: row.title.lower()),
        "channel": sorted(rows, key=lambda row: (row.channel, fades(row), row.title)),
    }
    for sort, wanted in by_hand.items():
        shown = heatmap(aged, replace(ALL, sort=sort))
        assert [row.title for row in shown.rows] == [row.title for row in wanted], sort
    newest = [
        row.title.split()[-1] for row in heatmap(aged, replace(ALL, sort="newest", kinds=("entity",))).rows
    ]
    assert newest == sorted(newest, key=int, reverse=True)


@pytest.mark.parametrize("sort", ["recalled", "newest"])
def test_the_first_memories_of_an_order_are_those_of_the_whole_order(
    lived: Engine, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    asks = [
        replace(ALL, sort=sort, first=first, limit=limit, **narrow)
        for first, limit in ((0, 1), (3, 9), (30, 9))
        for narrow in ({}, {"kinds": ("fact",)}, {"channels": ("work",)})
    ]
    found = [ids(heatmap(lived, ask)) for ask in asks]
    monkeypatch.setattr(fading, "HEAD", 0)
    assert found == [ids(heatmap(lived, ask)) for ask in asks]


@pytest.mark.file
@pytest.mark.parametrize("sort", ["recalled", "newest"])
def test_the_first_memories_of_an_order_are_found_by_an_index(
    lived: Engine, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    read: list[tuple[str, Any]] = []
    rows = Connection.rows
    with monkeypatch.context() as watched:
        watched.setattr(Connection, "rows", lambda db, *query: read.append(query) or rows(db, *query))
        heatmap(lived, replace(ALL, sort=sort, first=0, limit=1))
    with lived.store.reading() as db:
        fading.provide_functions(db)
        sql, params = next(query for query in reversed(read) if "OFFSET :first" in query[0])
        plan = [step for *_, step in db.rows(f"EXPLAIN QUERY PLAN {sql}", params)]
    assert not [step for step in plan if re.match("SCAN (facts|entities)", step)]
    assert any("usage_counted" in step or "facts_time" in step for step in plan)


@pytest.mark.parametrize("sort", ["fades", "salience", "recalled", "newest", "name", "channel", "alike"])
def test_windows_join_to_the_whole_list(aged: Engine, sort: str) -> None:
    whole = replace(ALL, sort=sort)
    windows = [heatmap(aged, replace(whole, first=first, limit=10)) for first in range(0, 40, 10)]
    every = [id for window in windows for id in ids(window)]
    assert every == ids(heatmap(aged, whole))
    around = heatmap(aged, replace(whole, around=every[21], limit=10))
    assert around.first == 16 and ids(around) == every[16:26]
    assert ids(heatmap(aged, replace(whole, around="f_gone", limit=10))) == every[:10]
    assert {window.total for window in windows} == {35}
    assert heatmap(aged, replace(whole, first=100)).rows == ()


def test_the_kept_order_gives_what_a_look_at_every_memory_gives(
    lived: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    all = replace(ALL, days_back=1)
    asks = [replace(all, sort=sort, only=only) for sort in fading.ORDERS for only in ("", *fading.FILTERS)]
    asks += [
        replace(all, sort="salience", kinds=("fact",)),
        replace(all, channels=("home", "empty")),
        replace(all, first=13, limit=7),
        replace(all, sort="salience", first=30, limit=7),
    ]
    for number in range(12):
        learn_fact(lived, NewFact(claim=f"The ferry {12 - number} is green", channel="home"), author=IRIS)
    with lived.store.reading() as db:
        assert scope_of(lived).is_ranked(db)
    kept = [shown(lived, ask) for ask in asks]
    sought = ids(heatmap(lived, ALL))[::5]
    around = [replace(all, sort=sort, around=id, limit=3) for sort in ("fades", "salience") for id in sought]
    places = [shown(lived, ask) for ask in around]
    with monkeypatch.context() as patched:
        patched.setattr(fading, "_has_ranks", lambda *_: False)
        patched.setattr(FadingScope, "is_ranked", lambda *_: False)
        assert [shown(lived, ask) for ask in asks] == kept
        assert [shown(lived, ask) for ask in around] == places


def shown(engine: Engine, ask: AskSalience) -> tuple[list[str], int, int, int, dict[str, int]]:
    found = heatmap(engine, ask)
    return ids(found), found.first, found.total, found.faded, found.counts


def scope_of(engine: Engine) -> FadingScope:
    return FadingScope(
        kinds=fading.KINDS,
        user_id="local",
        channels=(),
        moment=engine.clock(),
        decay_per_day=engine.settings.decay_per_day,
        fade_below=engine.settings.fade_below,
        days_ahead=30,
        sort="fades",
        only="",
    )


def test_memory_set_in_the_future_and_other_rates_are_looked_at_one_by_one(
    lived: Engine, clock: Clock
) -> None:
    with lived.store.reading() as db:
        ranked = scope_of(lived)
        assert ranked.is_ranked(db)
        assert not replace(ranked, decay_per_day=0.9).is_ranked(db)
        assert not replace(ranked, fade_below=0.0).is_ranked(db)
    clock.pass_days(-6)
    with lived.store.reading() as db:
        assert not scope_of(lived).is_ranked(db)
    lived.use(replace(lived.settings, decay_per_day=0.9))
    clock.pass_days(6)
    with lived.store.reading() as db:
        assert scope_of(lived).is_ranked(db)
    lived.use(replace(lived.settings, decay_per_day=1.0))
    with lived.store.reading() as db:
        assert not scope_of(lived).is_ranked(db)
    assert heatmap(lived, ALL).counts["all"] == 35


ACTS = "learn learn name name recall recall pin unpin rescue retire undo merge promote"


def test_the_kept_order_follows_whatever_is_done(engine: Engine, clock: Clock) -> None:
    random = Random(7)
    for _ in range(70):
        clock.pass_days(0.3)
        what = random.choice(ACTS.split())
        carry_out(engine, what, random.randrange(1000))
        with engine.store.reading() as db:
            assert list(integrity.check(db, "index counters")) == [], what
            assert db.value("SELECT count(*) FROM fading") == heatmap(engine, ALL).total - len(
                heatmap(engine, replace(ALL, only="pinned")).rows
            )


@pytest.mark.parametrize("spoiled", ["UPDATE fading SET full_at = full_at + 1e10", "DELETE FROM fading"])
def test_verification_finds_a_memory_that_is_ranked_wrongly_or_not_at_all(
    engine: Engine, spoiled: str
) -> None:
    learn_fact(engine, NewFact(claim="The lighthouse is lit at six", channel="work"), author=IRIS)
    engine.store.submit(lambda db: db.run(spoiled)).result()
    with engine.store.reading() as db:
        flaws = list(integrity.check(db, "index counters"))
    assert [(flaw.what, flaw.table) for flaw in flaws] == [("count", "fading")]


def carry_out(engine: Engine, what: str, number: int) -> None:
    rows = heatmap(engine, ALL).rows
    row = rows[number % len(rows)] if rows else None
    thing = THINGS[number % len(THINGS)]
    # Some acts are refused, such as to undo what other memory depends on.
    with suppress(MemDeskError):
        match what:
            case "learn":
                claim = f"The {thing} was painted {len(rows)} times"
                learn_fact(engine, NewFact(claim=claim, about=(thing,), channel="work"), author=IRIS)
            case "name":
                upsert_entity(engine, NewEntity(name=f"{thing} {len(rows)}", channel="work"), author=IRIS)
            case "recall":
                asked(engine, thing)
            case "undo":
                undo(engine, Undo(), author=MARA)
            case "merge" if row:
                merge(engine, Merge(id=row.id, into_id=rows[0].id), author=MARA)
            case "promote" if row:
                promote(engine, Promote(fact_id=row.id), author=MARA)
            case "pin" | "unpin" if row:
                pin(engine, Pin(id=row.id, pinned=what == "pin"), author=MARA)
            case "rescue" if row:
                rescue(engine, Rescue(id=row.id), author=MARA)
            case "retire" if row:
                retire(engine, Retire(id=row.id), author=MARA)


def test_memories_of_a_like_course_stand_together(aged: Engine) -> None:
    def unlike(rows: tuple[HeatRow, ...]) -> float:
        past = np.nan_to_num(np.array([row.curve.past for row in rows], np.float64))
        return float(np.abs(np.diff(past, axis=0)).sum())

    rows, alike = heatmap(aged, ALL).rows, heatmap(aged, replace(ALL, sort="alike")).rows
    assert {row.id for row in rows} == {row.id for row in alike}
    shuffled = list(rows)
    Random(1).shuffle(shuffled)
    assert unlike(alike) < 0.8 * unlike(tuple(shuffled))


def test_more_than_can_be_compared_is_refused_with_a_next_step(
    aged: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ALIKE_AT_MOST", 10)
    with pytest.raises(BadAsk, match="Up to 10"):
        heatmap(aged, replace(ALL, sort="alike"))
    assert heatmap(aged, replace(ALL, sort="alike", only="pinned")).rows


@settings(max_examples=examples(60))
@given(
    values=st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), max_size=12),
    empty=st.sets(st.integers(0, 11)),
)
def test_an_order_of_curves_holds_every_row_once(values: list[list[float]], empty: set[int]) -> None:
    curves = np.array(values, np.float64).reshape(len(values), 5)
    for place in empty & set(range(len(values))):
        curves[place] = np.nan
    assert sorted(alike_order(curves)) == list(range(len(values)))


def test_kinds_and_channels_narrow_rows_and_counts_alike(aged: Engine) -> None:
    facts = heatmap(aged, replace(ALL, kinds=("fact",)))
    home = heatmap(aged, replace(ALL, channels=("home",)))
    assert {row.kind for row in facts.rows} == {"fact"}
    assert {row.channel for row in home.rows} == {"home"}
    assert home.counts["all"] == home.total < facts.total
    assert heatmap(aged, replace(ALL, channels=("nowhere",))).counts["all"] == 0


def test_a_row_agrees_with_the_inspector(aged: Engine) -> None:
    for row in heatmap(aged, replace(ALL, limit=10)).rows:
        seen = inspect(aged, Inspect(id=row.id))
        assert (seen.recalled, seen.pinned, seen.title) == (row.recalled, row.pinned, row.title)
        assert seen.last_recalled_at == row.last_recalled_at
        assert seen.curve is not None
        assert seen.curve.now == pytest.approx(row.curve.now)


def test_recalls_stand_on_the_day_they_happened(engine: Engine, clock: Clock) -> None:
    learn_fact(engine, NewFact(claim="The lighthouse is lit at six", channel="work"), author=IRIS)
    clock.pass_days(3)
    asked(engine, "lighthouse", author=IRIS)
    asked(engine, "lighthouse")
    clock.pass_days(4)
    (row,) = heatmap(engine, AskSalience()).rows
    assert row.curve.recall_days == (86, 86)
    assert (row.recalled, row.last_recalled_by) == (2, FORGE)
    before, after = row.curve.past[85], row.curve.past[86]
    assert before is not None and after is not None and after > before


def test_a_day_begins_at_the_viewers_midnight(engine: Engine, clock: Clock) -> None:
    """At 23:30 in Greenwich it is already tomorrow in Helsinki, and still this afternoon in New York."""
    noon = datetime.fromtimestamp(clock.at / SECOND, UTC).replace(hour=23, minute=30)
    clock.at = round(noon.timestamp() * SECOND)
    learn_fact(engine, NewFact(claim="The ferry leaves at eight", channel="work"), author=IRIS)
    clock.pass_days(1 / 24)
    today = noon.date()
    for minutes, last, known in ((0, 1, 2), (120, 1, 1), (-300, 0, 1)):
        shown = heatmap(engine, AskSalience(utc_offset_minutes=minutes))
        assert shown.start + timedelta(days=90) == today + timedelta(days=last)
        (row,) = shown.rows
        assert sum(value is not None for value in row.curve.past) == known


def test_a_rescue_lasts_as_long_as_it_is_said_to(lived: Engine, clock: Clock) -> None:
    row = heatmap(lived, replace(ALL, limit=1)).rows[0]
    rescue(lived, Rescue(id=row.id), author=MARA)
    after = next(each for each in heatmap(lived, ALL).rows if each.id == row.id)
    assert row.rescued_fades_in_days is not None and after.curve.fades_in_days is not None
    assert after.curve.fades_in_days == pytest.approx(row.rescued_fades_in_days, abs=0.001)


@pytest.mark.parametrize(
    "wrong",
    [
        {"sort": "colour"},
        {"only": "loud"},
        {"days_back": 0},
        {"days_back": 400},
        {"days_ahead": -1},
        {"first": -1},
        {"limit": 0},
        {"limit": 501},
        {"utc_offset_minutes": 2000},
    ],
)
def test_a_heatmap_that_makes_no_sense_is_refused_in_a_sentence(
    engine: Engine, wrong: dict[str, object]
) -> None:
    with pytest.raises(BadAsk):
        heatmap(engine, replace(AskSalience(), **wrong))  # type: ignore[arg-type]


def test_an_empty_desk_has_an_empty_heatmap(engine: Engine) -> None:
    shown = heatmap(engine, AskSalience())
    assert (shown.total, shown.rows, shown.counts["all"]) == (0, (), 0)


def test_recalling_a_fact_lifts_the_entities_it_is_about_and_counts_as_no_recall_of_theirs(
    engine: Engine, clock: Clock
) -> None:
    owner = upsert_entity(engine, NewEntity(name="Pia", channel="work"), author=IRIS).id
    other = upsert_entity(engine, NewEntity(name="Olaf", channel="work"), author=IRIS).id
    claim = "The lighthouse keeper prefers green paint"
    learn_fact(engine, NewFact(claim=claim, about=("Pia",), channel="work"), author=IRIS)
    clock.pass_days(40)
    asked(engine, "lighthouse paint", author=MARA)
    # They were created and are looked at a few microseconds apart.
    alike = pytest.approx(salience_of(engine, other), rel=1e-9)
    assert salience_of(engine, owner) == alike, "a person's own question lifts nothing"
    for _ in range(3):
        asked(engine, "lighthouse paint")
        clock.pass_days(1)
    seen = inspect(engine, Inspect(id=owner))
    assert salience_of(engine, owner) > 0.4 > 0.1 > salience_of(engine, other)
    assert (seen.recalled, seen.recalled_by, seen.last_recalled_at) == (0, (), None)
    assert seen.curve is not None
    days = [value for value in seen.curve.past if value is not None]
    assert days[-5] < 0.1 < days[-4] < days[-3] < days[-2], "the curve rises on each day it was lifted"


def salience_of(engine: Engine, id: str) -> float:
    curve = inspect(engine, Inspect(id=id)).curve
    assert curve is not None
    return curve.now
