"""A context is compacted: nothing is lost, the list obeys its policy, and a failure anywhere changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engine.context import compactor, history
from memdesk.engine.context.messages import answers_a_call, boundary, is_constraint, size_of
from memdesk.engine.context.resolving import message_of, policies
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import learn_fact, store_turns
from memdesk.engine.undo import undo
from memdesk.model.context import (
    AskArchive,
    AskCompaction,
    Compact,
    Compacted,
    ListCompactions,
    RestoreArchive,
    Window,
)
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk, Conflict, StorageFailed
from memdesk.model.kind import new_id
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.turn import TURN
from memdesk.store import contexts, records
from tests.effort import examples
from tests.engine.talks import anthropic, talk
from tests.model_server import Drop, Hang, ModelServer, Raw, Refusal, Status, Text

AGENT = "agent:forge"
POLICIES = ("agenticx", "agentix", "openlegion", "custom")
TALK = "talk"


def compact(engine: Engine, messages: list[dict[str, Any]], **more: Any) -> Compacted:
    ask = Compact(messages=tuple(messages), **{"conversation_id": TALK, "channel": "harbour", **more})
    return compactor.compact(engine, ask, author=AGENT)


def live(
    engine: Engine, messages: list[dict[str, Any]], step: int = 1, **more: Any
) -> tuple[list[Compacted], list[dict[str, Any]]]:
    """A runtime's life: each message joins the list that the last call gave back.

    Returns the calls that did something, and the list at the end.
    """
    held: list[dict[str, Any]] = []
    done = []
    for at in range(0, len(messages), step):
        answer = compact(engine, [*held, *messages[at : at + step]], **more)
        held = list(answer.messages)
        if answer.action != "none":
            done.append(answer)
    return done, held


def archived(engine: Engine, compaction_id: str) -> list[dict[str, Any]]:
    """Every message that gave way by then, from the first on."""
    found = history.archive(engine, AskArchive(compaction_id=compaction_id, whole=True, limit=1000))
    assert found.total == len(found.rows)
    return [row.message for row in found.rows]


def turns(engine: Engine) -> list[str]:
    with engine.store.reading() as db:
        return [each.content for each in contexts.turns_between(db, TALK, 0, 10**6)]


def small(engine: Engine, **more: Any) -> None:
    """Settings under which a short talk is compacted often."""
    engine.use(
        replace(
            engine.settings,
            **{
                "agentix_tokens": 1_500,
                "context_window": 3_000,
                "custom_compact": 0.5,
                "custom_flush": 0.4,
                **more,
            },
        )
    )


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("tools", [False, True], ids=["words", "tools"])
def test_a_long_talk_is_compacted_many_times_and_its_archive_is_the_talk(
    engine: Engine, policy: str, tools: bool
) -> None:
    small(engine, agentix_tokens=1_000, context_window=1_900)
    said = talk(80, tools=tools)
    did, held = live(engine, said, policy=policy)
    done = [each for each in did if each.action == "compacted"]
    assert len(done) >= 2
    last = done[-1]
    assert last.compaction is not None
    before = archived(engine, last.compaction.id)
    assert before and before == said[: len(before)]
    assert [*before, *held[len(before) - len(said) :]] == said
    for each in done:
        obeys(each, policy, engine)


def obeys(done: Compacted, policy: str, engine: Engine) -> None:
    """The list that came back has what the policy says: its summary in front, and the last messages untouched."""
    assert done.compaction is not None
    retain = {"agenticx": 8, "agentix": 10, "openlegion": 4, "custom": 8}[policy]
    first, *rest = done.messages
    opening = {
        "agenticx": "[compacted] ",
        "agentix": "Summary of the",
        "custom": "[summary] ",
        "openlegion": "## Conversation Summary (auto-compacted)",
    }[policy]
    assert first["content"].startswith(opening)
    assert first["role"] == ("user" if policy == "openlegion" else "system")
    if policy == "openlegion" and rest[0] == {
        "role": "assistant",
        "content": "Understood, continuing from the summary above.",
    }:
        rest = rest[1:]
        assert rest[0]["role"] == "user"
    assert retain <= len(rest) <= retain + 2
    assert len(rest) == retain or not answers_a_call(rest[0])
    assert not answers_a_call(rest[0])
    size = size_of(done.messages)
    assert (size.messages, size.characters, size.tokens) == (
        done.compaction.messages_after,
        done.compaction.characters_after,
        done.compaction.tokens_after,
    )
    assert not any(size.tokens >= mark.at for mark in done.after.marks if mark.of == "tokens")
    assert done.after.messages == size.messages < done.before.messages


def test_agenticx_acts_past_its_thresholds_and_not_before(engine: Engine) -> None:
    said = talk(21)
    assert compact(engine, said[:20], policy="agenticx").action == "none"
    done = compact(engine, said, policy="agenticx")
    assert done.action == "compacted" and len(done.messages) == 9 and done.archived == 13
    long = [{"role": "user", "content": "x" * 24_001}, *talk(9)]
    other = compact(engine, [long[0], *long], policy="agenticx", conversation_id="long")
    assert other.before.because.startswith("4") and other.archived == 3


def test_agenticx_never_goes_under_its_floors(engine: Engine) -> None:
    found = {each.name: each for each in compactor_policies(engine)}
    assert [(mark.of, mark.at) for mark in found["agenticx"].marks] == [
        ("messages", 21),
        ("characters", 48_001),
    ]
    engine.use(replace(engine.settings, agenticx_messages=1, agenticx_characters=1, agenticx_retain=1))
    low = {each.name: each for each in compactor_policies(engine)}["agenticx"]
    assert [mark.at for mark in low.marks] == [9, 4_001] and low.retain == 4


def compactor_policies(engine: Engine) -> Any:
    return policies(engine).rows


def test_agentix_without_summaries_drops_into_the_archive(engine: Engine) -> None:
    small(engine, agentix_summarization=False)
    said = talk(90)
    done, _ = live(engine, said, policy="agentix")
    last = done[-1]
    assert len(done) >= 2 and last.compaction is not None
    assert [each.by for each in rows(engine)] == ["dropped"] * len(done)
    assert all(len(each.messages) == 10 and each.summary == "" for each in done)
    before = archived(engine, last.compaction.id)
    assert [*before, *last.messages] == said[: len(before) + 10]


def rows(engine: Engine, **narrowed: Any) -> Any:
    return history.compactions(engine, ListCompactions(limit=500, **narrowed)).rows


def test_openlegion_flushes_facts_once_between_sixty_and_seventy_percent(engine: Engine) -> None:
    said = [
        {"role": "user", "content": f"My sister Ines lives in Brest, and she is {n} years old."}
        for n in range(60)
    ]
    tokens = size_of(said).tokens
    window = round(tokens / 0.65)
    ahead = compact(engine, said, policy="openlegion", window_tokens=window)
    assert ahead.action == "flushed" and ahead.facts and list(ahead.messages) == said
    assert compact(engine, said, policy="openlegion", window_tokens=window).action == "none"
    done = compact(engine, said, policy="openlegion", window_tokens=round(tokens / 0.75))
    assert done.action == "compacted" and done.archived == 56
    more = [*done.messages, *said[:50]]
    again = compact(engine, more, policy="openlegion", window_tokens=round(size_of(more).tokens / 0.65))
    assert again.action == "flushed"


def test_the_callers_counts_decide_where_there_are_any(engine: Engine) -> None:
    said = talk(30)
    light = compact(engine, said, policy="agentix", token_counts=tuple([1] * 30))
    assert light.action == "none" and light.before.counted and light.before.tokens == 30
    heavy = compact(engine, said, policy="agentix", token_counts=tuple([1_000] * 30))
    assert heavy.action == "compacted" and heavy.after.tokens > 10_000
    with pytest.raises(BadAsk):
        compact(engine, said, token_counts=(1, 2))


def test_instructions_in_front_stay_and_are_no_turns(engine: Engine) -> None:
    rules = {"role": "system", "content": "You are Forge."}
    done = compact(engine, [rules, *talk(21)], policy="agenticx")
    assert done.messages[0] == rules and done.messages[1]["content"].startswith("[compacted] ")
    assert "You are Forge." not in turns(engine)
    again = compact(engine, [*done.messages, *talk(14, seed=2)], policy="agenticx")
    assert again.messages[0] == rules and again.messages[1]["content"].startswith("[compacted] ")
    assert [each["content"] for each in again.messages].count("You are Forge.") == 1


def test_a_list_that_is_sent_again_is_answered_the_same_and_stored_once(engine: Engine) -> None:
    said = talk(25, tools=True)
    first = compact(engine, said, policy="agenticx")
    second = compact(engine, said, policy="agenticx")
    assert second.repeated and second.messages == first.messages
    assert len(turns(engine)) == 25 and len(rows(engine)) == 1


def test_turns_the_runtime_stored_itself_are_not_stored_again(engine: Engine) -> None:
    said = talk(25, tools=True)
    mine = tuple(
        NewTurn(content=each["content"], role=each["role"], conversation_id=TALK, channel="harbour")
        for each in said[:4]
    )
    store_turns(engine, NewTurns(turns=mine), author=AGENT)
    done = compact(engine, said, policy="agenticx")
    assert len(turns(engine)) == 25 and done.compaction is not None
    assert archived(engine, done.compaction.id) == said[: done.archived]


def test_a_message_that_says_something_else_under_a_known_id_is_refused(engine: Engine) -> None:
    said = [{**each, "id": f"m-{n}"} for n, each in enumerate(talk(12))]
    compact(engine, said, policy="agenticx")
    with pytest.raises(Conflict):
        compact(engine, [*said[:3], {**said[3], "content": "something else"}, *said[4:]], policy="agenticx")
    assert len(turns(engine)) == 12


def test_messages_in_parts_come_back_as_they_were(engine: Engine) -> None:
    said = anthropic(talk(40, tools=True))
    done = compact(engine, said, policy="agenticx")
    assert done.compaction is not None and archived(engine, done.compaction.id) == said[: done.archived]
    assert not answers_a_call(done.messages[1])


def test_summaries_cover_turns_and_constraints_stay_word_for_word(engine: Engine) -> None:
    done, _ = live(engine, talk(106), policy="agenticx")
    last = done[-1]
    assert last.compaction is not None
    whole = history.compaction(engine, AskCompaction(compaction_id=last.compaction.id, limit=1000))
    for rule in ("Never deploy on a Friday", "The report must be signed by Ines", "不要直接改动生产数据库"):
        assert rule in last.summary
    assert whole.sentences and all(sentence.turns for sentence in whole.sentences)
    assert all(0 <= turn <= whole.row.last_index for sentence in whole.sentences for turn in sentence.turns)
    assert last.compaction.tokens_after < last.compaction.tokens_before
    told = {id for turn in whole.turns for id in turn.facts}
    assert told <= {fact.id for fact in whole.facts}


def test_what_was_lost_is_lost_no_more_once_it_is_a_fact_and_again_when_that_is_undone(
    engine: Engine,
) -> None:
    done = compact(engine, talk(100), policy="agenticx")
    assert done.compaction is not None and done.compaction.summary_characters == len(done.summary)
    asked = AskCompaction(compaction_id=done.compaction.id, limit=1000)
    before = history.compaction(engine, asked)
    assert before.row.lost == len(before.lost) > 1
    gone = before.lost[0]
    turn = next(each for each in before.turns if each.turn_index == gone.turn_index)
    new = NewFact(claim=gone.text, channel="harbour", source_turn_id=turn.id, quote=gone.text)
    learned = learn_fact(engine, new, author="person:Mara")
    after = history.compaction(engine, asked)
    assert gone not in after.lost and after.row.lost == len(after.lost) < len(before.lost)
    made = next(fact for fact in after.facts if fact.id == learned.id)
    assert made.since and made.turns == (gone.turn_index,)
    undo(engine, Undo(change=learned.change), author="person:Mara")
    again = history.compaction(engine, asked)
    assert (again.lost, again.facts) == (before.lost, before.facts)


def test_compactions_are_listed_by_agent(engine: Engine) -> None:
    compact(engine, talk(25), policy="agenticx", agent_id="Forge")
    assert len(rows(engine, agents=("Forge", "Iris"))) == 1 and rows(engine, agents=("Iris",)) == ()


def test_a_restore_gives_the_list_back_and_undo_takes_it_back(engine: Engine) -> None:
    said = talk(25)
    done = compact(engine, said, policy="agenticx")
    assert done.compaction is not None
    back = history.restore(
        engine, RestoreArchive(compaction_id=done.compaction.id, messages=done.messages), author=AGENT
    )
    assert list(back.messages) == said
    assert rows(engine)[0].restored
    with pytest.raises(Conflict):
        history.restore(engine, RestoreArchive(compaction_id=done.compaction.id), author=AGENT)
    undo(engine, Undo(change=back.change), author="person:Mara")
    assert not rows(engine)[0].restored
    held = compact(engine, [*done.messages, *talk(3, seed=5)], policy="agenticx")
    assert held.action == "none" and len(turns(engine)) == 28


def test_a_summary_that_a_later_one_took_in_is_restored_after_it(engine: Engine) -> None:
    said = talk(60)
    done, held = live(engine, said, policy="agenticx")
    first, second = (each.compaction.id for each in done[-2:] if each.compaction is not None)
    with pytest.raises(Conflict):
        history.restore(engine, RestoreArchive(compaction_id=first), author=AGENT)
    back = history.restore(engine, RestoreArchive(compaction_id=second, messages=tuple(held)), author=AGENT)
    whole = history.restore(engine, RestoreArchive(compaction_id=first, messages=back.messages), author=AGENT)
    assert len(whole.messages) > len(back.messages) > len(held)


def test_the_same_list_sent_by_several_at_once_is_compacted_once(engine: Engine) -> None:
    said = talk(25)
    with ThreadPoolExecutor(4) as callers:
        answers = list(callers.map(lambda _: compact(engine, said, policy="agenticx"), range(4)))
    assert len({json.dumps(answer.messages) for answer in answers}) == 1
    assert sum(answer.repeated for answer in answers) == 3
    assert len(rows(engine)) == 1 and len(turns(engine)) == 25


def test_the_archive_is_searched_by_words(engine: Engine) -> None:
    done = compact(engine, talk(30), policy="agenticx")
    assert done.compaction is not None
    found = history.archive(engine, AskArchive(compaction_id=done.compaction.id, text="never FRIDAY"))
    assert found.total == 1 and found.rows[0].turn_index == 6


class Faulty:
    """Stands in front of the store, and lets one write fail as a full disk would."""

    def __init__(self, engine: Engine, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.writes, self.at, self.submit = 0, at, engine.store.submit
        monkeypatch.setattr(engine.store, "submit", self.refuse)

    def refuse(self, work: Callable[..., Any]) -> Any:
        self.writes += 1
        if self.writes == self.at:
            raise StorageFailed("The desk could not be written: database or disk is full.")
        return self.submit(work)


def test_a_disk_that_fails_at_any_write_leaves_the_list_as_it_was(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = talk(25, tools=True)
    failures = 0
    for at in range(1, 60):
        with monkeypatch.context() as patched:
            disk = Faulty(engine, at, patched)
            try:
                done = compact(engine, said, policy="agenticx")
                break
            except StorageFailed:
                failures += 1
        assert disk.writes == at
        assert rows(engine) == ()
    assert failures >= 4 and done.compaction is not None and not done.repeated
    assert len(turns(engine)) == 25
    assert archived(engine, done.compaction.id) == said[: done.archived]


FAULTS = (
    Status(500),
    Status(429, retry_after="0"),
    Raw(b"{half"),
    Raw(b'{"choices": []}'),
    Refusal(),
    Drop(),
    Drop(half=True),
    Text(""),
    Text("ok"),
    Text("They talked about this and that for a very long while. " * 5),
    Hang(),
)


@pytest.fixture
def asked(engine: Engine) -> Iterator[ModelServer]:
    """A language model that the engine asks."""
    with ModelServer() as server:
        named = {"model_url": server.url, "model_name": "small", "model_seconds": 30}
        engine.use(replace(engine.settings, **named))
        yield server


def summary(prompt: str) -> str:
    """What a good model would answer: who it is about, what must be copied, and the first words of the last turns."""
    must = prompt.partition("Copy these word for word:\n")[2].partition("\n\n")[0]
    who = prompt.rpartition("\n\nName ")[2].partition(".")[0] if "\n\nName " in prompt else ""
    last = [line[:60] for line in prompt.splitlines() if line.startswith("[")][-6:]
    return f"It was about {who}. {must}\n" + " ".join(last)


def test_a_good_models_summary_stands_and_names_its_model(engine: Engine, asked: ModelServer) -> None:
    asked.answer(lambda question: Text(summary(question.prompt)))
    done, _ = live(engine, talk(60), policy="agenticx")
    assert len(done) >= 3
    assert {each.by for each in rows(engine)} == {"small"}
    assert all("Never deploy on a Friday" in each.summary for each in done)
    body = asked.asked[0].body
    assert (body["temperature"], body["max_tokens"]) == (0.0, 400)
    assert "摘要" in asked.asked[0].system
    whole = history.compaction(engine, AskCompaction(compaction_id=rows(engine)[0].id))
    assert any(sentence.turns for sentence in whole.sentences)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_a_failing_model_gives_a_labelled_summary_without_it(
    engine: Engine, asked: ModelServer, fault: Any
) -> None:
    asked.answer(fault)
    if isinstance(fault, Hang):
        engine.use(replace(engine.settings, model_seconds=1))
    said = talk(25)
    done = compact(engine, said, policy="openlegion", force=True)
    assert done.action == "compacted" and done.compaction is not None
    assert done.compaction.by == "offline" and done.compaction.note
    assert done.summary.startswith("Extracts, made without a language model:")
    assert done.notices[0].startswith("Summarised without the language model. ")
    assert archived(engine, done.compaction.id) == said[: done.archived]


def test_agenticx_falls_back_to_its_short_snippets(engine: Engine, asked: ModelServer) -> None:
    asked.answer(Status(500))
    done = compact(engine, talk(25), policy="agenticx")
    assert done.compaction is not None and done.compaction.by == "snippets"
    snippets = done.summary.partition("\n")[0]
    assert "；[assistant] " in snippets and len(snippets) <= 700 + 60
    assert "Never deploy on a Friday" in done.summary


def test_a_model_is_told_once_what_its_summary_lacks(engine: Engine, asked: ModelServer) -> None:
    asked.answer(Text("Short."), lambda question: Text(summary(question.prompt)))
    done = compact(engine, talk(25), policy="agenticx")
    assert done.compaction is not None and done.compaction.by == "small"
    assert len(asked.asked) == 2 and "would not do" in asked.asked[1].prompt
    assert asked.asked[1].body["max_tokens"] == 500


def test_the_hook_is_published_with_the_count_before_anything_else(engine: Engine) -> None:
    compact(engine, talk(21), policy="agenticx")
    with engine.store.reading() as db:
        events = db.rows("SELECT title, details FROM changes ORDER BY id")
    title, details = next(row for row in events if row[0].startswith("PreCompact"))
    assert title == "PreCompact: 21 messages in the context" and json.loads(details)["current_count"] == 21
    assert events[0][0] == title


def test_undoing_what_was_compacted_brings_the_turns_back_into_nothing_but_the_list(engine: Engine) -> None:
    done = compact(engine, talk(21), policy="agenticx")
    assert done.compaction is not None
    with engine.store.reading() as db:
        change = db.value("SELECT change FROM edits WHERE record = ?", (done.compaction.id,))
    undo(engine, Undo(change=change), author="person:Mara")
    assert rows(engine) == () and len(turns(engine)) == 21


CONTENT = st.one_of(
    st.text(max_size=40),
    st.none(),
    st.lists(
        st.one_of(
            st.just({"type": "image_url", "url": "x"}),
            st.text(max_size=9).map(lambda t: {"type": "text", "text": t}),
        ),
        max_size=2,
    ),
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(("user", "assistant", "tool")), "content": CONTENT},
    optional={
        "name": st.text(max_size=5),
        "tool_calls": st.just([{"function": {"name": "f", "arguments": "{}"}}]),
    },
)


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=st.lists(MESSAGE, min_size=1, max_size=30), step=st.integers(1, 9), run=st.integers(0, 10**9))
def test_no_message_is_lost_whatever_it_looks_like(
    engine: Engine, messages: Any, step: int, run: int
) -> None:
    name = f"talk-{run}-{len(turns_all(engine))}"
    messages = [{"role": "user", "content": "begin"}, *messages]
    clean = [each for each in messages if "\x00" not in json.dumps(each) and sound(each)]
    held: list[dict[str, Any]] = []
    for at in range(0, len(clean), step):
        answer = compact(
            engine, [*held, *clean[at : at + step]], conversation_id=name, policy="agenticx", force=True
        )
        held = list(answer.messages)
    with engine.store.reading() as db:
        kept = contexts.turns_between(db, name, 0, 10**6)
    assert [message_of(turn) for turn in kept] == clean


def sound(message: dict[str, Any]) -> bool:
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return "\\u0000" not in json.dumps(message)


def turns_all(engine: Engine) -> list[Any]:
    with engine.store.reading() as db:
        return records.find(db, TURN)


@given(st.lists(st.sampled_from(("user", "assistant", "tool")), max_size=20), st.integers(-3, 25))
def test_a_boundary_never_parts_a_call_from_its_results(roles: list[str], at: int) -> None:
    messages = [{"role": role, "content": "x"} for role in roles]
    found = boundary(messages, at)
    assert 0 <= found <= max(0, min(at, len(messages)))
    assert found in (0, len(messages)) or not answers_a_call(messages[found])


@pytest.mark.parametrize("policy", POLICIES)
@given(data=st.data())
@settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_measure_says_is_what_compact_then_does(
    engine: Engine, policy: str, data: st.DataObject
) -> None:
    conversation = f"talk {new_id('t', engine.clock())}"
    engine.use(
        replace(
            engine.settings,
            custom_messages=4,
            custom_flush=0.3,
            openlegion_flush=0.3,
            custom_retain=data.draw(st.integers(1, 6)),
            agenticx_messages=8,
            agenticx_cooldown=data.draw(st.integers(0, 4)),
            agentix_tokens=60,
        )
    )
    front = [{"role": "system", "content": "Be brief. " * data.draw(st.integers(0, 30))}]
    held: list[dict[str, Any]] = front[: data.draw(st.integers(0, 1))]
    for _ in range(data.draw(st.integers(1, 4))):
        held += data.draw(st.lists(MESSAGES, max_size=8))
        more = {"policy": policy, "window_tokens": data.draw(st.sampled_from((40, 200, 600)))}
        window = Window(messages=tuple(held), conversation_id=conversation, channel="harbour", **more)
        meter = compactor.measure(engine, window, author=AGENT)
        done = compact(engine, held, conversation_id=conversation, **more)
        assert meter.due == done.action and meter == done.before
        held = list(done.messages)


MESSAGES = st.one_of(
    st.integers(1, 30).map(lambda n: {"role": "user", "content": "Red boats. " * n}),
    st.integers(1, 30).map(lambda n: {"role": "assistant", "content": "Yes. " * n}),
    st.just({"role": "tool", "tool_call_id": "c", "content": "42"}),
)


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("Never deploy on a Friday.", True),
        ("必须先备份。", True),
        ("The quay is closed.", False),
        ("Never deploy, " + "whatever happens, " * 9 + "on a Friday.", False),
    ],
)
def test_a_constraint_is_an_order_short_enough_to_be_kept_word_for_word(sentence: str, holds: bool) -> None:
    assert is_constraint(sentence) is holds
