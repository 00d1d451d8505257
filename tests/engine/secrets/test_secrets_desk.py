"""Secrets on a desk: no stored text has one, files keep theirs, and a sweep leaves none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.engine.browsing.history import page
from memdesk.engine.engine import Engine
from memdesk.engine.memory import secret_sweep as answers
from memdesk.engine.memory.curate import edit_fact
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.remember import learn_fact, store_turn, upsert_entity
from memdesk.engine.memory.review_queue import preview_decision, review
from memdesk.engine.memory.secret_questions import ask_about_new, ask_about_stored, offer_sweep
from memdesk.engine.memory.secret_sweep import sweep
from memdesk.engine.memory.standing_decisions import add_standing
from memdesk.engine.memory.working import set_value
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.secrets.detector import PLACEHOLDER
from memdesk.engine.secrets.vault import Vault, masked
from memdesk.engine.undo import undo
from memdesk.engine.verify import verify
from memdesk.model.curation import EditFact, Undo
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT
from memdesk.model.history import AskHistory
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from memdesk.model.review import AskReview, Decide
from memdesk.model.secret import AskSecrets, RevealSecret, SweepSecrets
from memdesk.model.standing_decision import Stand
from memdesk.model.working import SetValue
from memdesk.store import erasing, records
from memdesk.store.guarding import unguarded
from tests.engine.conftest import Clock, embed_all
from tests.engine.secrets.texts import Draw, told

IRIS, MARA = "agent:iris", "person:mara"


def made_up(seed: str) -> str:
    draw = Draw(seed)
    return "gho_" + draw.mixed(36)


def bytes_of(engine: Engine) -> bytes:
    engine.store.maintain(lambda db, *_: None).result()
    found = [each.read_bytes() for each in engine.desk.folder.rglob("*") if each.is_file()]
    if engine.desk.address is not None:
        with engine.store.reading() as db:
            found += [text.encode() for _, _, text in erasing.texts(db)]
    return b"".join(found)


def claims(engine: Engine) -> list[str]:
    with engine.store.reading() as db:
        return [each.claim for each in records.find(db, FACT)]


def test_no_made_up_secret_reaches_the_files_of_a_desk_by_any_door(engine: Engine) -> None:
    cases = [case for case in told(times=1) if len(case.secret) > 4]
    for number, case in enumerate(cases):
        fact = masked(engine.vault, NewFact(claim=case.text[:900], channel="ops"))
        learn_fact(engine, fact, author=IRIS)
        store_turn(
            engine, NewTurn(content=case.text, conversation_id=f"c{number}", channel="ops"), author=IRIS
        )
        upsert_entity(
            engine, NewEntity(name=f"Thing {number}", description=case.text, channel="ops"), author=IRIS
        )
        set_value(engine, SetValue(conversation_id="c1", key=f"k{number}", value={"note": [case.text]}))
        recall(engine, Query(text=case.text[:300], channel="ops"), author=IRIS)
    embed_all(engine)
    data = bytes_of(engine)
    assert [case.text for case in cases if case.secret.encode() in data] == []


def test_a_secret_is_masked_alike_everywhere_and_found_by_its_value(engine: Engine) -> None:
    key = made_up("alike")
    one = learn_fact(engine, NewFact(claim=f"The mirror pushes with {key}", channel="ops"), author=IRIS)
    again = learn_fact(
        engine, NewFact(claim=f"The mirror pushes with {key}", channel="ops"), author="agent:bo"
    )
    assert again.id == one.id
    found = recall(engine, Query(text=engine.vault.masked(f"Who uses {key}?"), channel="ops"), author=IRIS)
    assert found.hits and "[secret: GitHub token " in found.hits[0].text and key not in found.hits[0].text


def test_only_the_value_is_replaced_and_the_edit_of_a_masked_fact_can_be_undone(engine: Engine) -> None:
    key = made_up("edit")
    fact = learn_fact(engine, NewFact(claim=f"The mirror pushes with {key}", channel="ops"), author=IRIS)
    (before,) = claims(engine)
    assert engine.vault.shown(before) == f"The mirror pushes with {key}"
    done = edit_fact(engine, EditFact(fact_id=fact.id, claim=f"The tide job pushes with {key}"), author=MARA)
    undo(engine, Undo(change=done.change), author=MARA)
    assert claims(engine) == [before]


def test_a_question_is_asked_once_for_each_source(engine: Engine) -> None:
    for number in range(3):
        learn_fact(
            engine,
            NewFact(claim=f"Key {number} is {made_up(str(number))}", channel="ops", agent_id="iris"),
            author=IRIS,
        )
    assert ask_about_new(engine) == 1 and ask_about_new(engine) == 0
    (question,) = review(engine, AskReview()).rows
    assert question.type == "secret" and question.reason.startswith("3 secrets came with iris")
    learn_fact(engine, NewFact(claim=f"Key 4 is {made_up('4')}", channel="ops", agent_id="iris"), author=IRIS)
    assert ask_about_new(engine) == 1
    (question,) = review(engine, AskReview()).rows
    assert question.reason.startswith("4 secrets came with iris")
    decide(engine, Decide(id=question.id, decision="keep_masked"), author=MARA)
    assert review(engine, AskReview()).rows == () and answers.list_secrets(engine, AskSecrets()).kept == 4


def test_secrets_of_a_source_can_be_kept_masked_once_and_for_all(engine: Engine) -> None:
    stand = Stand(type="secret", source_kind="agent", source="iris", decision="keep_masked")
    add_standing(engine, stand, author=MARA)
    learn_fact(engine, NewFact(claim=f"Key is {made_up('s')}", channel="ops", agent_id="iris"), author=IRIS)
    assert ask_about_new(engine) == 1 and review(engine, AskReview()).rows == ()


def test_what_is_no_secret_is_shown_again_and_never_masked_anew(engine: Engine) -> None:
    claim = f"The build id is token: {made_up('id')}"
    fact = learn_fact(engine, NewFact(claim=claim, channel="ops", agent_id="iris"), author=IRIS)
    ask_about_new(engine)
    (question,) = review(engine, AskReview()).rows
    assert preview_decision(engine, Decide(id=question.id, decision="not_secret"), author=MARA).why_not == ""
    assert claim not in claims(engine)
    decide(engine, Decide(id=question.id, decision="not_secret"), author=MARA)
    assert claims(engine) == [claim]
    assert learn_fact(engine, NewFact(claim=claim, channel="ops"), author=IRIS).id == fact.id
    assert ask_about_new(engine) == 0


@pytest.mark.file
def test_an_erased_secret_cannot_be_revealed_and_no_byte_of_it_is_left(engine: Engine) -> None:
    key = made_up("gone")
    learn_fact(engine, NewFact(claim=f"Jun pasted {key}", channel="ops", agent_id="iris"), author=IRIS)
    (row,) = answers.list_secrets(engine, AskSecrets()).rows
    assert answers.reveal(engine, RevealSecret(id=row.id), author=MARA).value == key
    assert "Looked at a secret" in page(engine, AskHistory()).rows[0].title
    done = sweep(engine, SweepSecrets(ids=(row.id,), erase=True), author=MARA, progress=ignore_progress)
    assert done["left"] == {} and done["searched_files"] >= 2
    with pytest.raises(NotFound):
        answers.reveal(engine, RevealSecret(id=row.id), author=MARA)
    sealed = (engine.desk.folder / "secrets.json").read_text()
    assert json.loads(sealed)["secrets"][0]["sealed"] == ""
    assert key.encode() not in bytes_of(engine)


def test_erasing_needs_a_name(engine: Engine) -> None:
    with pytest.raises(BadAsk):
        sweep(engine, SweepSecrets(erase=True), author=MARA, progress=ignore_progress)


@pytest.fixture
def earlier(engine: Engine) -> tuple[Engine, str]:
    """A desk that stored a secret in clear, before there was a guard: in facts, turns, journal, audit and a recall."""
    key = made_up("earlier")
    guard, mask = engine.vault.guard, engine.vault.masked
    engine.store.guard_by(unguarded)
    engine.vault.masked = lambda text, *, again=(): text  # type: ignore[method-assign]
    fact = learn_fact(
        engine, NewFact(claim=f"The mirror pushes with {key}", channel="ops", agent_id="iris"), author=IRIS
    )
    edit_fact(engine, EditFact(fact_id=fact.id, claim=f"The tide mirror pushes with {key}"), author=MARA)
    store_turn(
        engine, NewTurn(content=f"Use {key} until May", conversation_id="c", channel="ops"), author=IRIS
    )
    learn_fact(engine, NewFact(claim="The tide is high", channel="ops"), author=IRIS)
    recall(engine, Query(text=f"what is {key}", channel="ops"), author=IRIS)
    embed_all(engine)
    engine.vault.masked = mask  # type: ignore[method-assign]
    engine.store.guard_by(guard)
    engine.vault.note_searched("")
    assert key.encode() in bytes_of(engine)
    return engine, key


def test_a_sweep_masks_what_an_earlier_desk_has_in_clear(earlier: tuple[Engine, str]) -> None:
    engine, key = earlier
    done = sweep(engine, SweepSecrets(), author=MARA, progress=ignore_progress)
    assert done["left"] == {} and done["secrets"] == 1 and done["rows"]["facts"] == 1
    data = bytes_of(engine)
    assert key.encode() not in data and key.lower().encode() not in data
    assert [each.id for each in engine.vault.entries()] == [PLACEHOLDER.search(claims(engine)[0])["id"]]  # type: ignore[index]
    hits = recall(engine, Query(text="tide mirror pushes", channel="ops"), author=IRIS).hits
    assert any(PLACEHOLDER.search(hit.text) for hit in hits)
    assert [each for each in verify(engine, ignore_progress).findings if not each.ok] == []


def test_an_earlier_desk_offers_a_sweep_once_and_an_empty_one_does_not(earlier: tuple[Engine, str]) -> None:
    engine, _ = earlier
    assert engine.notices.standing() == ()
    offer_sweep(engine)
    offer_sweep(engine)
    (notice,) = engine.notices.standing()
    assert notice.id == "unswept" and "memdesk secrets sweep" in notice.says
    sweep(engine, SweepSecrets(), author=MARA, progress=ignore_progress)
    offer_sweep(engine)
    assert engine.notices.standing() == ()


def test_the_night_asks_about_secrets_of_an_earlier_desk_once(earlier: tuple[Engine, str]) -> None:
    engine, key = earlier
    assert ask_about_stored(engine, author="job:checkup") >= 1
    assert ask_about_stored(engine, author="job:checkup") == 0
    question = review(engine, AskReview()).rows[0]
    decide(engine, Decide(id=question.id, decision="erase_secrets"), author=MARA)
    assert key.encode() not in bytes_of(engine)


@pytest.mark.parametrize("after", (":", "=", ": no", "is here", "to the left"))
def test_a_secret_at_the_end_of_a_line_is_masked_whatever_the_next_line_begins_with(
    tmp_path: Path, after: str
) -> None:
    vault = Vault(tmp_path, Clock())
    shown = [case.text for case in told(times=1) if case.secret in vault.masked(f"{case.text}\n{after}")]
    assert shown == []


@given(st.text(max_size=80), st.sampled_from(list(told(times=1))), st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_masking_is_exact_to_take_back_and_does_nothing_twice(
    tmp_path_factory: pytest.TempPathFactory, before: str, case: object, after: str
) -> None:
    vault = Vault(tmp_path_factory.mktemp("vault"), Clock())
    text = f"{before}\n{case.text}\n{after}"  # type: ignore[attr-defined]
    shown = vault.masked(text)
    assert case.secret not in shown  # type: ignore[attr-defined]
    assert vault.masked(shown) == shown
    assert vault.shown(shown) == text
