"""Consolidation reads every turn once, whatever happens in between."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.consolidate import COST_AT_ONCE, COSTS, consolidate, reprocess
from memdesk.engine.jobs.run import BudgetSpent, Run, begin
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.remember import learn_fact, store_turns
from memdesk.engine.progress import ignore_progress
from memdesk.engine.steering import judge
from memdesk.engine.undo import undo, undo_run
from memdesk.model.browse import FactRow, Inspect, ListFacts
from memdesk.model.curation import EditFact, Retire, Undo, UndoRun
from memdesk.model.entity import ENTITY
from memdesk.model.errors import Cancelled, NotFound
from memdesk.model.fact import FACT
from memdesk.model.history import AskHistory
from memdesk.model.remember import NewFact, NewTurn, NewTurns
from memdesk.model.review import PROPOSAL
from memdesk.model.trust import LEVELS
from memdesk.store import records

SAID = (
    "I moved to Lisbon in March.",
    "My sister Ana works at Siemens.",
    "Remember that the deploy key expires on 1 December.",
    "我对青霉素过敏。",
)


def say(engine: Engine, *lines: str, conversation: str = "c") -> None:
    turns = tuple(
        NewTurn(content=line, speaker="Mara", channel="life", conversation_id=conversation) for line in lines
    )
    store_turns(engine, NewTurns(turns=turns), author="agent:Iris")


def learned(engine: Engine) -> dict[str, FactRow]:
    return {row.claim: row for row in facts(engine, ListFacts()).rows}


def test_facts_stand_alone_and_lead_back_to_the_turn_they_were_read_from(engine: Engine) -> None:
    say(engine, *SAID)
    counts = consolidate(begin(engine, "consolidate", progress=ignore_progress))
    found = learned(engine)
    assert counts["conversations"] == 1 and counts["facts"] == len(found) >= 4
    (lisbon,) = (row for claim, row in found.items() if "Lisbon" in claim)
    assert lisbon.claim.startswith("Mara") and lisbon.source == "extraction" and lisbon.conversations == 1
    seen = inspect(engine, Inspect(id=lisbon.id))
    assert seen.provenance is not None and seen.provenance.turn_index == 0
    assert seen.provenance.quote in SAID[0]
    assert any("青霉素" in claim for claim in found)


def test_a_quotation_is_trusted_no_more_than_the_turns_whose_words_it_has(engine: Engine) -> None:
    said = (
        ("Iris", "assistant", "The clinic in Leeds has two free rooms from May."),
        ("Mara", "user", "Who takes them? My sister Ana wants to rent one from 4 June."),
    )
    turns = tuple(
        NewTurn(content=text, speaker=who, role=role, channel="life", conversation_id="c")
        for who, role, text in said
    )
    store_turns(engine, NewTurns(turns=turns), author="agent:Iris")
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    (quoted,) = (row for claim, row in learned(engine).items() if "rent one from 4 June" in claim)
    assert "two free rooms" in quoted.claim
    assert (quoted.origin, quoted.trust) == ("person", LEVELS["agent"])


def test_a_turn_is_read_once_and_new_turns_are_read_later(engine: Engine) -> None:
    say(engine, *SAID[:2])
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    before = learned(engine)
    assert consolidate(begin(engine, "consolidate", progress=ignore_progress)) == {}
    say(engine, *SAID[2:])
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    assert before.keys() < learned(engine).keys()


def test_a_consolidation_stopped_midway_goes_on_where_it_was(engine: Engine) -> None:
    for number, line in enumerate(SAID):
        say(engine, line, conversation=f"c{number}")

    def stop_at_third(done: int, total: int, says: str) -> None:
        if done == 2:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        consolidate(begin(engine, "consolidate", progress=stop_at_third))
    half = learned(engine)
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    assert half.keys() < learned(engine).keys()
    assert all(row.conversations == 1 for row in learned(engine).values())


def test_one_conversation_is_one_change_and_is_undone_whole(engine: Engine) -> None:
    say(engine, *SAID)
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    undo(engine, Undo(change=_latest(engine)), author="person:Mara")
    assert learned(engine) == {}
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    assert len(learned(engine)) >= 4


def test_a_run_is_taken_back_whole_and_names_what_stands_in_the_way(engine: Engine) -> None:
    for number, line in enumerate(SAID):
        say(engine, line, conversation=f"c{number}")
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    (first, *_) = learned(engine).values()
    edit_fact(engine, EditFact(fact_id=first.id, claim="Something else"), author="person:Mara")
    edited = _last_edit(engine)
    ask = UndoRun(change=edited - 1)
    done = undo_run(engine, ask, author="person:Mara", progress=ignore_progress)
    assert done["left"] == {first.id: f"“Something else” stays. Changed since by Mara (change {edited})."}
    assert list(learned(engine)) == ["Something else"]
    undo_run(engine, UndoRun(change=done["change"]), author="person:Mara", progress=ignore_progress)
    assert len(learned(engine)) >= 4
    undo(engine, Undo(change=edited), author="person:Mara")
    rest = undo_run(engine, ask, author="person:Mara", progress=ignore_progress)
    assert (rest["undone"], rest["left"], rest["stays"]) == (4, {}, 0)
    assert learned(engine) == {}
    with pytest.raises(NotFound, match="no run"):
        undo_run(engine, UndoRun(change=1), author="person:Mara", progress=ignore_progress)


def test_the_same_thing_said_in_two_conversations_is_one_fact_with_two_sources(engine: Engine) -> None:
    for conversation in ("a", "b"):
        say(engine, SAID[1], conversation=conversation)
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    assert {row.conversations for row in learned(engine).values()} == {2}


def test_a_fact_between_people_that_another_turn_repeats_gains_confidence(engine: Engine) -> None:
    def sure(conversation: str) -> float:
        said = (("Bo", "Which language do you speak?"), ("Ada", "I speak Portuguese."))
        turns = tuple(
            NewTurn(content=text, speaker=who, channel="life", conversation_id=conversation)
            for who, text in said
        )
        store_turns(engine, NewTurns(turns=turns), author="agent:Iris")
        consolidate(begin(engine, "consolidate", progress=ignore_progress))
        return next(fact.confidence for claim, fact in learned(engine).items() if "Portuguese" in claim)

    first = sure("monday")
    assert 0.55 <= first < sure("tuesday") <= 0.95


def test_a_very_long_conversation_is_read_in_windows(engine: Engine) -> None:
    for start in range(0, 450, 150):
        say(engine, *(f"I bought book number {n} in Porto." for n in range(start, start + 150)))
    counts = consolidate(begin(engine, "consolidate", progress=ignore_progress))
    assert counts["conversations"] == 1
    assert consolidate(begin(engine, "consolidate", progress=ignore_progress)) == {}


def _latest(engine: Engine) -> int:
    return history.page(engine, AskHistory(authors=("job:consolidate",))).rows[0].id


def test_a_turn_that_was_retired_is_passed_over(engine: Engine) -> None:
    say(engine, *SAID[:2])
    with engine.store.reading() as db:
        id = db.value("SELECT id FROM turns WHERE turn_index = 1")
    retire(engine, Retire(id=id), author="person:Mara")
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    assert learned(engine) and not any("Siemens" in claim for claim in learned(engine))
    assert consolidate(begin(engine, "consolidate", progress=ignore_progress)) == {}


def _last_edit(engine: Engine) -> int:
    return history.page(engine, AskHistory(operations=("update",))).rows[0].id


def test_a_turn_said_in_the_place_of_one_that_was_read_and_taken_back_is_read_too(engine: Engine) -> None:
    say(engine, "Hm.")
    say(engine, "Well.")
    consolidate(begin(engine, "consolidate"))
    undo(engine, Undo(), author="agent:Iris")
    say(engine, SAID[0])
    consolidate(begin(engine, "consolidate"))
    assert any("Lisbon" in claim for claim in learned(engine))


def test_a_conversation_whose_turns_are_taken_back_meanwhile_stops_no_other(engine: Engine) -> None:
    say(engine, SAID[0], conversation="a")
    say(engine, SAID[1], conversation="b")

    class Meanwhile(Run):
        def decide(self, verb: Any) -> Any:
            with engine.store.reading() as db:
                said = db.value("SELECT id FROM changes WHERE op = 'store' AND undone_by IS NULL ORDER BY id")
            if not self.counts["left"]:
                undo(engine, Undo(change=said), author="agent:Iris")
            return Run.decide(self, verb)

    counts = consolidate(Meanwhile(engine=engine, job="consolidate", id="run_1"))
    assert counts["left"] == 1 and not any("Lisbon" in claim for claim in learned(engine))
    assert any("Siemens" in claim for claim in learned(engine))
    assert consolidate(begin(engine, "consolidate")) == {}


def test_a_consolidation_that_is_stopped_tells_what_it_did(engine: Engine) -> None:
    for number, line in enumerate(SAID):
        say(engine, line, conversation=f"c{number}")
    run = begin(engine, "consolidate")
    run.progress = lambda done, total, says: setattr(run, "deadline", 0) if done == 2 else None
    with pytest.raises(BudgetSpent):
        consolidate(run)
    assert run.counts["conversations"] == 2 and run.counts["facts"] == len(learned(engine)) > 0


@pytest.mark.parametrize("pasted", ["My name is " + "A" * 50_000, "I met " + "B" * 300 + " in Lisbon."])
def test_a_pasted_name_without_end_stops_no_conversation(engine: Engine, pasted: str) -> None:
    say(engine, pasted, conversation="a")
    say(engine, SAID[1], conversation="b")
    counts = consolidate(begin(engine, "consolidate"))
    assert "left" not in counts and counts["conversations"] == 2
    assert any("Siemens" in claim for claim in learned(engine))


def test_turns_that_rules_read_in_place_of_a_model_are_counted_and_named_in_the_history(
    engine: Engine,
) -> None:
    engine.use(replace(engine.settings, extraction_model=True))
    say(engine, *SAID)
    counts = consolidate(begin(engine, "consolidate", progress=ignore_progress))
    newest = history.page(engine, AskHistory(authors=("job:consolidate",))).rows[0]
    assert counts["by_rules"] == len(SAID) and f"{len(SAID)} turns read by rules" in newest.title


def test_a_consolidation_lets_others_write_between_its_pieces(engine: Engine) -> None:
    say(engine, *(f"I planted {n} trees in Porto for school {n}." for n in range(40)))
    beside: list[int | None] = []

    def write(_done: int, _total: int, _says: str) -> None:
        ask = NewFact(claim=f"The gate of yard {len(beside)} sticks", channel="yards")
        beside.append(learn_fact(engine, ask, author="agent:Iris").change)

    consolidate(begin(engine, "consolidate", progress=write))
    rows = history.page(engine, AskHistory(authors=("job:consolidate",), limit=50)).rows
    assert len(learned(engine)) == 40 + len(beside) and len({row.run for row in rows}) == 1
    assert len(beside) == len(rows) + 1 > 4
    with engine.store.reading() as db:
        sizes = db.rows("SELECT count(*) FROM edits WHERE kind = 'fact' GROUP BY change")
    assert max(size for (size,) in sizes) <= COST_AT_ONCE // COSTS["facts"]
    undo_run(engine, UndoRun(change=rows[0].id), author="person:Mara", progress=ignore_progress)
    assert len(learned(engine)) == len(beside)


def test_a_turn_of_many_facts_that_was_stopped_within_is_read_on_and_nothing_is_repeated(
    engine: Engine,
) -> None:
    say(engine, " ".join(f"I planted {n} trees in Porto for school {n}." for n in range(40)))

    def stop(_done: int, _total: int, _says: str) -> None:
        if learned(engine):
            raise Cancelled("enough")

    whole = consolidate(begin(engine, "consolidate", dry=True))["facts"]
    with pytest.raises(Cancelled):
        consolidate(begin(engine, "consolidate", progress=stop))
    half = learned(engine)
    counts = consolidate(begin(engine, "consolidate", progress=ignore_progress))
    assert 0 < len(half) < len(learned(engine)) == whole
    assert counts["facts"] == whole - len(half) and half.keys() < learned(engine).keys()
    assert all(row.conversations == 1 for row in learned(engine).values())
    assert consolidate(begin(engine, "consolidate", progress=ignore_progress)) == {}


def test_a_claim_is_read_before_the_writer_is_entered(engine: Engine) -> None:
    judge.steers.cache_clear()
    learn_fact(engine, NewFact(claim="The gate of the yard sticks", channel="yards"), author="agent:Iris")
    asked = judge.steers.cache_info()
    assert (asked.misses, asked.hits) == (1, 1)


def test_reading_again_in_pieces_brings_back_no_entity_that_was_taken_out(engine: Engine) -> None:
    rest = (f"I planted {n} trees in Porto for school {n}." for n in range(30))
    say(engine, "I met Ana in Porto.", *rest, "My sister Ana works at Siemens.")
    consolidate(begin(engine, "consolidate", progress=ignore_progress))
    with engine.store.reading() as db:
        (ana,) = records.find(db, ENTITY, name="Ana", retired_at=None)
    retire(engine, Retire(id=ana.id), author="person:Mara")
    counts = reprocess(begin(engine, "consolidate", progress=ignore_progress), "c")
    with engine.store.reading() as db:
        assert records.find(db, ENTITY, name="Ana", retired_at=None) == []
    assert counts["turns"] == 32 and not counts.get("facts")


CLINIC = (
    ("Ana", "How's your knee these days, is it any better?"),
    ("Ben", "They're operating at last. The ninth of March, at St Luke's, with Dr Quill."),
    ("Ana", "Who's driving you home after that?"),
    ("Ben", "My brother Owen, he's taking the day off from the depot."),
    ("Ana", "Did you see the new bakery on Ferris Street?"),
    ("Ben", "Oh, and did I say the ninth? I've got the letter here and it's the twelfth."),
)


def talk(engine: Engine, turns: tuple[tuple[str, str], ...], channel: str = "life") -> None:
    said = tuple(
        NewTurn(content=text, speaker=who, channel=channel, conversation_id=channel) for who, text in turns
    )
    store_turns(engine, NewTurns(turns=said), author="agent:Iris")
    consolidate(begin(engine, "consolidate", progress=ignore_progress))


def test_a_conversation_that_is_read_while_it_goes_on_brings_what_it_brings_at_once(engine: Engine) -> None:
    talk(engine, CLINIC, "once")
    for turn in CLINIC:
        talk(engine, (turn,), "pieces")
    once, pieces = (
        {row.claim for row in facts(engine, ListFacts(channels=(channel,))).rows if row.temporal != "past"}
        for channel in ("once", "pieces")
    )
    assert once == pieces and len(once) == 2


def test_a_later_turn_takes_the_place_of_the_claim_that_it_revises(engine: Engine) -> None:
    talk(engine, CLINIC[:4])
    (old,) = (row for claim, row in learned(engine).items() if claim.endswith("with Dr Quill.”"))
    talk(engine, CLINIC[4:])
    (new,) = (row for claim, row in learned(engine).items() if "twelfth" in claim)
    with engine.store.reading() as db:
        assert records.need(db, FACT, old.id).superseded_by == new.id


def test_a_claim_that_a_person_has_edited_is_asked_about_when_a_later_turn_revises_it(engine: Engine) -> None:
    talk(engine, CLINIC[:4])
    (old,) = (row for claim, row in learned(engine).items() if claim.endswith("with Dr Quill.”"))
    edit_fact(engine, EditFact(fact_id=old.id, confidence=0.9), author="person:Ben")
    talk(engine, CLINIC[4:])
    with engine.store.reading() as db:
        assert records.need(db, FACT, old.id).superseded_by is None
        (asked,) = records.find(db, PROPOSAL, status="open")
    assert asked.other_id == old.id


PERSONAL = (
    ("user", "My brother Owen moved to Leeds in March and works at the Ford depot."),
    ("assistant", "Noted."),
    ("user", "And my teacher Otsuka has an eye operation on 12 June at St Luke's."),
    ("assistant", "Shall I note the operation as well?"),
    ("user", "No, that's personal, don't write that down."),
)


def tell(engine: Engine, *said: tuple[str, str]) -> None:
    turns = tuple(
        NewTurn(content=text, role=role, speaker="", channel="life", conversation_id="c")
        for role, text in said
    )
    store_turns(engine, NewTurns(turns=turns), author="agent:Iris")
    consolidate(begin(engine, "consolidate", progress=ignore_progress))


@pytest.mark.parametrize("pieces", [(5,), (4, 5), (1, 3, 5)])
def test_what_a_person_asks_not_to_keep_is_kept_in_no_fact(engine: Engine, pieces: tuple[int, ...]) -> None:
    for first, last in zip((0, *pieces), pieces, strict=False):
        tell(engine, *PERSONAL[first:last])
    found = " ".join(learned(engine))
    assert "Owen" in found and "operation" not in found and "Otsuka" not in found


def test_a_fact_that_a_person_edited_stays_when_its_words_are_not_to_be_kept(engine: Engine) -> None:
    tell(engine, *PERSONAL[:4])
    (row,) = (row for claim, row in learned(engine).items() if "operation" in claim)
    edit_fact(engine, EditFact(fact_id=row.id, claim="The operation is at St Luke's"), author="person:Mara")
    tell(engine, *PERSONAL[4:])
    assert "The operation is at St Luke's" in learned(engine)


def test_a_change_that_takes_out_private_words_is_undone_whole(engine: Engine) -> None:
    tell(engine, *PERSONAL[:4])
    before = set(learned(engine))
    tell(engine, *PERSONAL[4:])
    undo(engine, Undo(change=_latest(engine)), author="person:Mara")
    tell(engine, ("user", "Our new office is in Basel, on Mill Lane."))
    assert set(learned(engine)) >= before


def test_a_correction_that_a_person_asks_not_to_keep_is_taken_out(engine: Engine) -> None:
    tell(
        engine,
        ("user", "My teacher Otsuka has an eye operation on 9 June at St Luke's."),
        ("assistant", "Noted."),
        ("user", "Sorry, I meant 12 June, not 9 June."),
        ("assistant", "Noted."),
    )
    assert any("12 June" in claim for claim in learned(engine))
    tell(engine, ("user", "That's personal, don't write that down."))
    assert not any("operation" in claim for claim in learned(engine))
