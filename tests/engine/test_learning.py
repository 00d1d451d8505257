"""What consolidation does with a fact: doubles, contradictions, corrections, echoes, and what a model reads."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.browsing import history
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.run import BudgetSpent, Run, begin
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.memory.remember import store_turns
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.providers.models import Completion
from memdesk.engine.undo import undo_run
from memdesk.files.places import Desk
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.curation import EditFact, UndoRun
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.errors import ModelUnavailable
from memdesk.model.fact import FACT, Fact
from memdesk.model.history import AskHistory
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.review import PROPOSAL, Proposal
from memdesk.model.turn import CONVERSATION
from memdesk.store import records
from tests.effort import examples

from .conftest import embed_all

HOME, MOVED = "I live in Lisbon.", "I live in Porto."


def say(
    engine: Engine,
    *lines: str,
    conversation: str = "c",
    channel: str = "life",
    role: str = "user",
    speaker: str = "Mara",
) -> None:
    turns = tuple(
        NewTurn(content=line, speaker=speaker, role=role, channel=channel, conversation_id=conversation)
        for line in lines
    )
    store_turns(engine, NewTurns(turns=turns), author="agent:Iris")


def learn(engine: Engine) -> Run:
    run = begin(engine, "consolidate")
    consolidate(run)
    embed_all(engine)
    return run


def current(engine: Engine) -> dict[str, FactRow]:
    return {row.claim: row for row in facts(engine, ListFacts()).rows}


def every(engine: Engine) -> dict[str, Fact]:
    with engine.store.reading() as db:
        return {fact.claim: fact for fact in records.find(db, FACT)}


def proposals(engine: Engine) -> Sequence[Proposal]:
    with engine.store.reading() as db:
        return records.find(db, PROPOSAL)


def contradict(engine: Engine, policy: str) -> None:
    engine.use(replace(engine.settings, contradictions=policy))
    say(engine, HOME, conversation="a")
    learn(engine)
    say(engine, MOVED, conversation="b")
    learn(engine)


def test_the_newer_of_two_contrary_facts_supersedes_where_the_newer_is_preferred(engine: Engine) -> None:
    contradict(engine, "prefer_new")
    old, new = every(engine)["Mara lives in Lisbon"], every(engine)["Mara lives in Porto"]
    assert (old.superseded_by, old.temporal) == (new.id, "past") and old.retired_at is None
    assert set(current(engine)) == {"Mara lives in Porto"}
    assert not proposals(engine)


def test_the_older_of_two_contrary_facts_stays_where_the_older_is_preferred(engine: Engine) -> None:
    contradict(engine, "prefer_old")
    assert set(every(engine)) == {"Mara lives in Lisbon"}


def test_contrary_facts_wait_for_a_person_where_a_person_is_to_decide(engine: Engine) -> None:
    contradict(engine, "flag_review")
    assert set(current(engine)) == {"Mara lives in Lisbon", "Mara lives in Porto"}
    (asked,) = proposals(engine)
    by_claim = every(engine)
    assert (asked.type, asked.status) == ("contradiction", "open")
    assert asked.subject_id == by_claim["Mara lives in Porto"].id
    assert asked.other_id == by_claim["Mara lives in Lisbon"].id
    assert "Porto" in asked.reason and "Lisbon" in asked.reason


def test_a_consolidation_that_superseded_is_taken_back_whole(engine: Engine) -> None:
    contradict(engine, "prefer_new")
    latest = history.page(engine, AskHistory(authors=("job:consolidate",))).rows[0].id
    undo_run(engine, UndoRun(change=latest), author="person:Mara", progress=ignore_progress)
    assert set(current(engine)) == {"Mara lives in Lisbon"}
    assert every(engine)["Mara lives in Lisbon"].temporal == "current"


def test_a_fact_that_a_person_wrote_is_asked_about_and_never_superseded(engine: Engine) -> None:
    engine.use(replace(engine.settings, contradictions="prefer_new"))
    say(engine, "I live in Lissabon.", conversation="a")
    learn(engine)
    (fact,) = current(engine).values()
    edit_fact(engine, EditFact(fact_id=fact.id, claim="Mara lives in Lisbon"), author="person:Mara")
    say(engine, MOVED, conversation="b")
    learn(engine)
    assert set(current(engine)) == {"Mara lives in Lisbon", "Mara lives in Porto"}
    assert len(proposals(engine)) == 1


def test_two_contrary_facts_of_one_conversation_are_settled_too(engine: Engine) -> None:
    engine.use(replace(engine.settings, contradictions="prefer_new"))
    say(engine, HOME, "We talked about other things.", MOVED)
    learn(engine)
    assert set(current(engine)) == {"Mara lives in Porto"}


def test_facts_of_other_people_and_of_many_valued_slots_never_retire_each_other(engine: Engine) -> None:
    engine.use(replace(engine.settings, contradictions="prefer_new"))
    say(engine, HOME, "I like coffee.", conversation="a")
    learn(engine)
    say(engine, "My sister lives in Porto.", "I like tea.", conversation="b")
    learn(engine)
    assert len(current(engine)) == 4 and all(fact.superseded_by is None for fact in every(engine).values())


@pytest.mark.parametrize("policy", ["prefer_new", "prefer_old", "flag_review"])
def test_a_correction_supersedes_whatever_the_policy(engine: Engine, policy: str) -> None:
    engine.use(replace(engine.settings, contradictions=policy))
    say(engine, "The meeting with Ana is at 9:00.", "I signed the lease in Lisbon.", conversation="a")
    learn(engine)
    say(engine, "Actually, I signed the lease in Porto, not Lisbon.", conversation="b")
    say(engine, "Sorry, I misspoke - it's 10:00, not 9:00.", conversation="c")
    learn(engine)
    known = current(engine)
    assert set(known) == {"Mara signed the lease in Porto", "The meeting with Ana is at 10:00"}
    assert {(row.source, row.confidence) for row in known.values()} == {("user_correction", 0.9)}
    old = every(engine)["Mara signed the lease in Lisbon"]
    assert old.superseded_by == known["Mara signed the lease in Porto"].id


def test_a_correction_in_the_same_breath_leaves_only_what_was_meant(engine: Engine) -> None:
    say(engine, HOME, "No, I meant Porto, not Lisbon.")
    learn(engine)
    assert set(current(engine)) == {"Mara lives in Porto"}


def places(engine: Engine) -> set[str]:
    """Where the graph has Mara."""
    with engine.store.reading() as db:
        rows = db.rows(
            "SELECT target.name FROM relations JOIN entities AS target ON target.id = target_id "
            "WHERE relations.type = 'LOCATED_IN' AND relations.retired_at IS NULL"
        )
    return {row[0] for row in rows}


def test_the_graph_follows_a_home_that_was_superseded_or_corrected(engine: Engine) -> None:
    contradict(engine, "prefer_new")
    assert places(engine) == {"Porto"}
    say(engine, "Actually, I live in Oslo, not Porto. No, I meant Bergen, not Oslo.", conversation="c")
    learn(engine)
    assert set(current(engine)) == {"Mara lives in Bergen"} and places(engine) == {"Bergen"}


@pytest.mark.parametrize("known_before", [False, True])
def test_who_changes_their_mind_twice_is_taken_at_their_last_word(engine: Engine, known_before: bool) -> None:
    if known_before:
        say(engine, HOME, conversation="a")
        learn(engine)
    say(
        engine,
        HOME,
        "Actually, I live in Porto, not Lisbon.",
        "Sorry, I was wrong - I live in Lisbon, not Porto.",
    )
    learn(engine)
    (row,) = current(engine).values()
    assert row.claim == "Mara lives in Lisbon"
    assert every(engine)["Mara lives in Porto"].superseded_by == row.id


def test_a_chinese_correction_supersedes(engine: Engine) -> None:
    say(engine, "我住在上海。", conversation="a", speaker="小雨")
    learn(engine)
    say(engine, "不是上海，是杭州。", conversation="b", speaker="小雨")
    learn(engine)
    assert set(current(engine)) == {"小雨住在杭州"}


def test_a_correction_of_a_global_fact_is_made_where_that_fact_is(engine: Engine) -> None:
    say(engine, HOME, channel="_global", conversation="a")
    learn(engine)
    say(engine, "Actually, I live in Porto, not Lisbon.", conversation="b")
    learn(engine)
    (row,) = current(engine).values()
    assert (row.claim, row.channel) == ("Mara lives in Porto", "_global")


def test_a_project_never_takes_a_fact_out_of_global_unasked(engine: Engine) -> None:
    engine.use(replace(engine.settings, contradictions="prefer_new"))
    say(engine, HOME, channel="_global", conversation="a")
    learn(engine)
    say(engine, MOVED, conversation="b")
    learn(engine)
    assert len(current(engine)) == 2
    (asked,) = proposals(engine)
    assert "_global" in asked.reason


def test_a_claim_that_global_holds_is_supported_there_and_stored_once(engine: Engine) -> None:
    say(engine, HOME, channel="_global", conversation="a")
    learn(engine)
    say(engine, "I now live in Lisbon!", conversation="b")
    learn(engine)
    (row,) = current(engine).values()
    assert (row.channel, row.conversations) == ("_global", 2)


def test_a_memory_that_the_agent_repeats_is_no_new_fact_and_no_support(engine: Engine) -> None:
    say(engine, "I moved the backups to Porto.", conversation="a")
    learn(engine)
    before = dict(current(engine))
    say(engine, "Mara moved the backups to Porto", conversation="b", role="assistant", speaker="Iris")
    learn(engine)
    assert {claim: row.conversations for claim, row in current(engine).items()} == dict.fromkeys(before, 1)
    say(engine, "I moved the backups to Porto.", conversation="d")
    learn(engine)
    assert [row.conversations for row in current(engine).values()] == [2]


def test_a_dry_run_tells_what_would_change_and_changes_nothing(engine: Engine) -> None:
    engine.use(replace(engine.settings, contradictions="prefer_new"))
    say(engine, HOME, conversation="a")
    learn(engine)
    say(engine, MOVED, conversation="b")
    before = every(engine)
    run = begin(engine, "consolidate", dry=True)
    counts = consolidate(run)
    assert every(engine) == before
    assert (counts["facts"], counts["superseded"], run.changes) == (1, 1, 1)
    assert run.planned[0].title.endswith("1 fact, 1 superseded")
    learn(engine)
    assert set(current(engine)) == {"Mara lives in Porto"}


def test_a_crash_between_windows_loses_no_fact_and_repeats_none(engine: Engine) -> None:
    say(engine, *(f"I planted {n} trees in Porto for school {n}." for n in range(230)))
    stopped = begin(engine, "consolidate", progress=_stop_at_second())
    with pytest.raises(KeyboardInterrupt):
        consolidate(stopped)
    some = len(every(engine))
    learn(engine)
    assert 0 < some < len(every(engine)) == 230
    assert all(row.conversations == 1 for row in facts(engine, ListFacts(limit=200)).rows)


def _stop_at_second() -> Callable[[int, int, str], None]:
    calls: list[str] = []

    def progress(done: int, total: int, says: str) -> None:
        calls.append(says)
        if len(calls) == 2:
            raise KeyboardInterrupt

    return progress


def test_a_conversation_mentions_what_it_names(engine: Engine) -> None:
    say(engine, "My sister Ana works at Siemens.")
    learn(engine)
    with engine.store.reading() as db:
        named = db.rows(
            "SELECT name FROM relations JOIN entities ON entities.id = target_id "
            "WHERE source_id = 'c' AND relations.type = 'MENTIONS'"
        )
    assert {"Ana", "Siemens", "Mara"} <= {row[0] for row in named}


def test_nothing_is_read_while_extraction_is_off(engine: Engine) -> None:
    say(engine, HOME)
    engine.use(replace(engine.settings, extraction_enabled=False))
    learn(engine)
    assert not current(engine)
    engine.use(replace(engine.settings, extraction_enabled=True))
    learn(engine)
    assert current(engine)


class Scripted:
    """A language model that answers with what it was given, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def complete(self, *, system: str, prompt: str, max_tokens: int, temperature: float) -> Completion:
        self.asked.append(prompt)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return Completion(text=answer, tokens_in=90, tokens_out=10)


def with_model(engine: Engine, *answers: str | Exception) -> Scripted:
    engine.use(replace(engine.settings, extraction_model=True, contradictions="prefer_new"))
    model = Scripted(*answers)
    engine.language = model
    return model


def told(claim: str, quote: str, **more: Any) -> str:
    fact = {"claim": claim, "quote": quote, "turn": 1, "certainty": "Explicit", "temporal": "current", **more}
    return json.dumps({"entities": [{"name": "Mara", "type": "Person"}], "facts": [fact], "relations": []})


def test_a_model_reads_where_it_is_wanted_and_is_shown_what_is_known(engine: Engine) -> None:
    model = with_model(
        engine, told("Mara lives in Lisbon", "live in Lisbon"), told("Mara lives in Porto", "live in Porto")
    )
    say(engine, "It is Lisbon where I live in Lisbon.", conversation="a")
    learn(engine)
    say(engine, "These days I live in Porto, you know.", conversation="b")
    run = learn(engine)
    assert "Mara lives in Lisbon" in model.asked[1] and "known facts" in model.asked[1].lower()
    assert set(current(engine)) == {"Mara lives in Porto"}
    assert run.tokens == engine.settings.job_tokens - 100


@pytest.mark.parametrize("answer", ["I'd rather not.", ModelUnavailable("The language model is away.")])
def test_where_a_model_is_no_help_the_cues_read_and_say_so(engine: Engine, answer: str | Exception) -> None:
    with_model(engine, answer)
    say(engine, HOME)
    learn(engine)
    assert set(current(engine)) == {"Mara lives in Lisbon"}
    with engine.store.reading() as db:
        details = db.value("SELECT details FROM changes WHERE author = 'job:consolidate'")
    assert "cues read this" in json.loads(details)["note"]["id"]


def test_a_run_ends_before_it_asks_for_more_tokens_than_it_may(engine: Engine) -> None:
    model = with_model(engine, told("Mara lives in Lisbon", "live in Lisbon"))
    engine.use(replace(engine.settings, job_tokens=100))
    engine.language = model
    for number in range(3):
        say(engine, "As I said, I live in Lisbon.", conversation=f"c{number}")
    with pytest.raises(BudgetSpent):
        consolidate(begin(engine, "consolidate"))
    assert len(model.asked) == 1 and len(current(engine)) == 1


def test_two_runs_never_read_one_conversation_at_once(engine: Engine) -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Scripted):
        def complete(self, **asked: Any) -> Completion:
            inside.set()
            go_on.wait(10)
            return super().complete(**asked)

    model = with_model(engine, "")
    engine.language = model = Slow(told("Mara lives in Lisbon", "live in Lisbon"))
    say(engine, HOME)
    first = threading.Thread(target=lambda: consolidate(begin(engine, "consolidate")))
    first.start()
    inside.wait(10)
    assert consolidate(begin(engine, "consolidate"))["conversations"] == 0
    go_on.set()
    first.join(10)
    assert len(model.asked) == 1 and set(current(engine)) == {"Mara lives in Lisbon"}


LINES = (
    HOME,
    MOVED,
    "Actually, I live in Oslo, not Porto.",
    "No, I meant Lisbon, not Porto.",
    "I work at Siemens.",
    "I work at Bosch now.",
    "I no longer work at Bosch.",
    "I like coffee.",
    "I don't like coffee anymore.",
    "The stand-up is at 9:00.",
    "The stand-up moved to 10:00.",
    "我住在上海。",
    "不是上海，是杭州。",
    "Thanks!",
)
POLICIES = ("prefer_new", "prefer_old", "flag_review")


@settings(max_examples=examples(25))
@given(
    st.lists(
        st.tuples(st.sampled_from(LINES), st.sampled_from("ab"), st.booleans()), min_size=1, max_size=12
    ),
    st.sampled_from(POLICIES),
)
def test_whatever_is_said_each_past_fact_leads_to_a_current_one_and_undo_restores(
    said: list[tuple[str, str, bool]], policy: str
) -> None:
    with TemporaryDirectory() as folder:
        engine = open_engine(Desk(Path(folder) / "desk"))
        engine.use(replace(engine.settings, contradictions=policy))
        for line, conversation, read_now in said:
            say(engine, line, conversation=conversation, channel="life" if conversation == "a" else "_global")
            before = everything(engine)
            run = learn(engine) if read_now else None
        assert all(leads_to_current(fact, engine) for fact in facts_by_id(engine).values())
        if run is not None and run.changes:
            latest = history.page(engine, AskHistory(authors=("job:consolidate",))).rows[0].id
            undo_run(engine, UndoRun(change=latest), author="person:Mara", progress=ignore_progress)
            assert everything(engine) == before
        engine.close()


def facts_by_id(engine: Engine) -> dict[str, Fact]:
    with engine.store.reading() as db:
        return {fact.id: fact for fact in records.find(db, FACT)}


def everything(engine: Engine) -> dict[str, list[Any]]:
    with engine.store.reading() as db:
        return {
            kind.name: records.find(db, kind) for kind in (FACT, ENTITY, RELATION, PROPOSAL, CONVERSATION)
        }


def leads_to_current(fact: Fact, engine: Engine) -> bool:
    known = facts_by_id(engine)
    for _ in known:
        if fact.superseded_by is None:
            return fact.retired_at is None
        fact = known[fact.superseded_by]
    return False
