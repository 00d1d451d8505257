"""Acts on a set of memories in words: read by rule, previewed, refused where a word is not understood."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.browsing.act_words import Surroundings, read_act
from memdesk.engine.browsing.set_acts import read
from memdesk.engine.browsing.tables import table
from memdesk.engine.engine import Engine
from memdesk.engine.memory.bulk import bulk
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.memory.tags import tag
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.model.curation import ActReading, ReadAct, Tagging, UndoRun
from memdesk.model.history import AskHistory
from memdesk.model.remember import NewFact
from memdesk.model.timeline import AskTable

FORGE, IRIS, MARA = "agent:Forge", "agent:Iris", "person:Mara"
NOW = datetime(2026, 11, 24, 15, tzinfo=UTC)
"""A Tuesday."""
AROUND = Surroundings(
    now=NOW,
    channels=("_global", "harbour", "museum-site", "home lab"),
    agents=("Forge", "Iris"),
    tags=("old", "to check"),
    looked_at_channels=("harbour",),
    looked_at_agents=("Iris",),
)
ANY = AskTable()


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "verb", "kinds", "filters"),
    [
        ("all facts about the old flat → past", "past", ("fact",), {"about": "old flat"}),
        ("facts about the flat in Coimbra -> retire", "retire", ("fact",), {"about": "flat in Coimbra"}),
        (
            "everything from this agent since Tuesday → quarantine",
            "quarantine",
            (),
            {"agents": ("Iris",), "since": day("2026-11-17")},
        ),
        (
            "everything from forge and iris before 3 November => retire",
            "retire",
            (),
            {"agents": ("Forge", "Iris"), "until": day("2026-11-03")},
        ),
        ("yesterday's decisions in harbour → pin", "pin", ("fact",), {"channels": ("harbour",)}),
        ("entities in the channel home lab → #museum-site", "move", ("entity",), {"channels": ("home lab",)}),
        ("move all facts tagged old to museum-site", "move", ("fact",), {"tags": ("old",)}),
        (
            "mark facts about “notes from Iris in May” as past",
            "past",
            ("fact",),
            {"about": "notes from Iris in May"},
        ),
        ("retire facts older than 30 days", "retire", ("fact",), {"until": day("2026-10-25")}),
        (
            "retired facts mentioning WebP → restore",
            "restore",
            ("fact",),
            {"state": "retired", "about": "WebP"},
        ),
        (
            "tag goals and strategies about the tour as travel, 2026",
            "tag",
            ("goal", "strategy"),
            {"about": "tour"},
        ),
        ("imported facts → pin", "", (), {}),
        (
            "facts from an import with confidence below .5 → retire",
            "retire",
            ("fact",),
            {"sources": ("import",)},
        ),
        ("所有关于旧公寓的事实 → 已过去", "past", ("fact",), {"about": "旧公寓"}),
        ("把关于科英布拉的公寓的事实标为已过去", "past", ("fact",), {"about": "科英布拉的公寓"}),
        ("停用关于“周二的会议”的事实", "retire", ("fact",), {"about": "周二的会议"}),
        (
            "这个智能体自周二以来的一切 → 隔离",
            "quarantine",
            (),
            {"agents": ("Iris",), "since": day("2026-11-17")},
        ),
        (
            "Forge 写的11月3日之前的事实 → 停用",
            "retire",
            ("fact",),
            {"agents": ("Forge",), "until": day("2026-11-03")},
        ),
        ("昨天 harbour 频道的决定 → 固定", "pin", ("fact",), {"channels": ("harbour",)}),
        ("频道 home lab 里的实体 → 移动到 museum-site", "move", ("entity",), {"channels": ("home lab",)}),
        ("把带标签 old 的事实移到 museum-site 频道", "move", ("fact",), {"tags": ("old",)}),
        ("停用超过30天的事实", "retire", ("fact",), {"until": day("2026-10-25")}),
        ("已停用的提到 WebP 的事实 → 恢复", "restore", ("fact",), {"state": "retired", "about": "WebP"}),
        ("给关于旅行的目标和策略加标签 travel", "tag", ("goal", "strategy"), {"about": "旅行"}),
        ("置信度低于0.5的导入的事实 → 停用", "retire", ("fact",), {"sources": ("import",)}),
        (
            "上周的偏好 → 取消固定",
            "unpin",
            ("fact",),
            {"since": day("2026-11-16"), "until": day("2026-11-23")},
        ),
    ],
)
def test_a_set_and_an_act_in_words_become_a_declared_request(
    text: str, verb: str, kinds: tuple[str, ...], filters: dict[str, object]
) -> None:
    found = read_act(text, AROUND)
    if not verb:
        assert found.unknown == ["imported"]
        return
    assert (found.deed.verb, found.kinds, found.unknown) == (verb, kinds, [])
    narrowed = {
        name: getattr(found.set, name)
        for name in AskTable.__slots__
        if getattr(found.set, name) != getattr(ANY, name)
    }
    assert {name: narrowed[name] for name in filters} == filters
    assert set(narrowed) - set(filters) <= {"since", "until", "categories", "confidence_below"}


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("all facts about the flat → delete", ["delete"]),
        ("all blue facts about the flat → past", ["blue"]),
        ("facts from Nemo → quarantine", ["from Nemo"]),
        ("facts in atlantis → retire", ["in atlantis"]),
        ("facts tagged unheard → retire", ["tagged unheard"]),
        ("facts since the flood → retire", ["since the flood"]),
        ("facts about the flat → to atlantis", ["to atlantis"]),
        ("please clean up", ["please clean up"]),
        ("关于公寓的事实 → 删除", ["删除"]),
        ("来自海妖的事实 → 隔离", ["from 海妖"]),
        ("洪水以来的事实 → 停用", ["since 洪水"]),
    ],
)
def test_words_that_no_rule_reads_are_named_and_no_act_is_guessed(
    engine: Engine, text: str, unknown: list[str]
) -> None:
    learn_fact(engine, NewFact(claim="The flat has two rooms", channel="harbour"), author=FORGE)
    assert read_act(text, AROUND).unknown == unknown
    found = read(engine, ReadAct(text=text), author=MARA)
    assert found.act is None and not found.rows and unknown[0] in found.why_not and "Acts are:" in found.next


def learn(engine: Engine, claim: str, author: str = FORGE, *about: str) -> str:
    agent = author.removeprefix("agent:")
    ask = NewFact(claim=claim, channel="harbour", agent_id=agent, about=about)
    return learn_fact(engine, ask, author=author).id


def asked(engine: Engine, text: str) -> ActReading:
    return read(engine, ReadAct(text=text), author=MARA)


def states(engine: Engine) -> dict[str, str]:
    return {row.id: row.state for row in table(engine, AskTable(state="all")).rows}


def test_an_act_in_words_shows_each_row_before_and_after_and_is_one_run_with_one_undo(engine: Engine) -> None:
    flat = learn(engine, "The old flat has two rooms")
    linked = learn(engine, "Its rent was 700 euros", IRIS, "Old Flat")
    other = learn(engine, "The flatbread is old")
    head, before = history.head(engine), states(engine)
    found = asked(engine, "all facts about the old flat → past")
    assert [(row.id, row.before, row.after) for row in found.rows] == [
        (linked, "current", "past"),
        (flat, "current", "past"),
    ]
    assert found.understood == ("Mark as past", "facts", "about “old flat”") and found.act is not None
    assert history.head(engine) == head
    done = bulk(engine, found.act, author=MARA, progress=ignore_progress)
    assert states(engine) == before | {flat: "past", linked: "past"} and states(engine)[other] == "current"
    assert len({row.run for row in history.page(engine, AskHistory(limit=2)).rows}) == 1
    assert asked(engine, "all facts about the old flat → past").why_not.startswith(
        "All of them are so already"
    )
    undo_run(engine, UndoRun(change=done["change"]), author=MARA, progress=ignore_progress)
    assert states(engine) == before


def test_everything_of_an_agent_is_of_every_kind_that_the_act_fits(engine: Engine) -> None:
    learn(engine, "The crane lifts 12 tonnes", IRIS, "Crane")
    learn(engine, "The ferry is white", FORGE)
    found = asked(engine, "everything from Iris since yesterday → quarantine")
    assert [row.title for row in found.rows] == ["The crane lifts 12 tonnes", "Crane"]
    assert [query.kind for query in found.queries] == ["fact", "entity", "strategy"]
    assert {row.after for row in found.rows} == {"quarantined"}


def test_the_set_is_narrowed_by_what_the_caller_looks_at_and_a_large_one_is_refused(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [learn(engine, f"Crate {number} is blue") for number in range(4)]
    tag(engine, Tagging(id=ids[0], tags=("odd",)), author=MARA)
    narrowed = read(engine, ReadAct(text="all facts → pin", channels=("_global",)), author=MARA)
    assert narrowed.total == 0 and "in _global" in narrowed.understood and narrowed.act is None
    assert asked(engine, "facts tagged odd → retire").total == 1
    monkeypatch.setattr("memdesk.engine.browsing.set_acts.BULK_AT_MOST", 3)
    large = asked(engine, "all facts → retire")
    assert large.act is None and large.why_not.startswith("4 memories") and not large.rows
