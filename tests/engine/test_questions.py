"""Questions asked again: the effect of a change before it is made, and questions that are kept as tests."""

from __future__ import annotations

import pytest

from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.recall.act_effect import effect
from memdesk.engine.recall.kept_questions import forget, keep, list_questions, run, run_all
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.undo import undo
from memdesk.model.browse import ListFacts
from memdesk.model.curation import EditFact, Retire, Undo
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.questions import AskEffect, AskQuestions, ForgetQuestion, KeepQuestion, RunQuestions
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from tests.engine.conftest import embed_all

ME, FORGE = "person:Mara", "agent:Forge"
QUERY = "how long are raw readings kept"


@pytest.fixture
def kept(engine: Engine) -> str:
    """A fact that Forge recalled a moment ago, beside another."""
    id = learn_fact(
        engine, NewFact(claim="Raw readings are kept for 30 days", channel="bay"), author=FORGE
    ).id
    learn_fact(engine, NewFact(claim="The harbour office closes at 16:00", channel="bay"), author=FORGE)
    embed_all(engine)
    recall(engine, Query(text=QUERY, channel="bay"), author=FORGE)
    engine.store.submit(lambda _: None).result()  # The recall is written down by then.
    return id


def state(engine: Engine) -> object:
    with engine.store.reading() as db:
        tables = ("facts", "searchable", "embeddings", "changes", "recalls", "usage", "scopes", "belief_keys")
        return [db.rows(f"SELECT * FROM {table} ORDER BY 1") for table in tables]


def test_the_effect_of_a_correction_shows_the_new_words_and_writes_nothing(engine: Engine, kept: str) -> None:
    before = state(engine)
    found = effect(
        engine, AskEffect(act="edit", ids=(kept,), claim="Raw readings are kept for 14 days"), author=ME
    )
    assert (found.asked, found.recalls, found.why_not) == (1, 1, "")
    (changed,) = found.changed
    assert (changed.query, changed.agent, changed.channel) == (QUERY, "Forge", "bay")
    line = next(each for each in changed.lines if each.id == kept)
    assert (line.before, line.text) == (
        "Raw readings are kept for 30 days",
        "Raw readings are kept for 14 days",
    )
    assert line.was == line.now == 1
    assert state(engine) == before


def test_each_act_has_its_effect_and_an_act_that_would_be_refused_says_why(engine: Engine, kept: str) -> None:
    gone = effect(engine, AskEffect(act="retire", ids=(kept,)), author=ME)
    assert [(each.id, each.now) for each in gone.changed[0].lines if each.now is None] == [(kept, None)]
    moved = effect(engine, AskEffect(act="move", ids=(kept,), channel="attic"), author=ME)
    assert kept in {each.id for each in moved.changed[0].lines if each.now is None}
    lifted = effect(engine, AskEffect(act="promote", ids=(kept,)), author=ME)
    assert lifted.asked == 1 and not lifted.why_not
    assert effect(engine, AskEffect(act="demote", ids=(kept,)), author=ME).why_not
    assert [row.channel for row in facts(engine, ListFacts(text="Raw")).rows] == ["bay"]
    for act, limit in (("erase", 1), ("edit", 1), ("retire", 0)):
        with pytest.raises(BadAsk):
            effect(engine, AskEffect(act=act, ids=(kept,), limit=limit), author=ME)
    with pytest.raises(BadAsk):
        effect(engine, AskEffect(act="edit", ids=(kept, kept), claim="Two"), author=ME)
    with pytest.raises(NotFound):
        effect(engine, AskEffect(act="retire", ids=("f_none",)), author=ME)


def test_the_effect_of_an_act_on_a_set_is_of_all_of_it_at_once_and_writes_nothing(
    engine: Engine, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = learn_fact(
        engine, NewFact(claim="Readings are kept raw and rolled up", channel="bay"), author=FORGE
    )
    fresh = learn_fact(
        engine, NewFact(claim="Raw readings go to the attic later", channel="bay"), author=FORGE
    )
    embed_all(engine)
    before = state(engine)
    both = (second.id, kept)

    def lost(act: str, ids: tuple[str, ...], **more: str) -> set[str]:
        found = effect(engine, AskEffect(act=act, ids=ids, **more), author=ME)
        assert not found.why_not
        return {line.id for each in found.changed for line in each.lines if line.now is None}

    assert lost("retire", both) == lost("quarantine", both) == set(both)
    assert not lost("past", both), "what was true is told as past"
    assert lost("move", both, channel="attic") == set(both)
    assert lost("merge", both, into_id=fresh.id) == set(both)
    assert lost("retire", (kept, "f_none")) == {kept}, "one that is refused is left out"
    assert state(engine) == before
    monkeypatch.setattr("memdesk.engine.recall.act_effect.EDITS_AT_MOST", 1)
    cut = effect(engine, AskEffect(act="retire", ids=(fresh.id, second.id, kept)), author=ME)
    assert cut.untried and kept in {line.id for line in cut.changed[0].lines if line.now is None}


def test_a_kept_question_loses_its_answer_with_an_edit_and_gains_it_with_the_undo(
    engine: Engine, kept: str
) -> None:
    made = keep(engine, KeepQuestion(text=QUERY, expects="30 days", channel="bay"), author=ME)
    assert keep(engine, KeepQuestion(text=QUERY, expects="30 days", channel="bay"), author=ME).change is None
    assert run(engine, RunQuestions(), author=ME).passing == 1
    assert run(engine, RunQuestions(), author=ME).change is None, "what stays as it was is not written down"
    edited = edit_fact(engine, EditFact(fact_id=kept, claim="Raw readings are kept for 14 days"), author=ME)
    embed_all(engine)
    lost = run(engine, RunQuestions(), author=ME)
    assert [row.id for row in lost.lost] == [made.id] and lost.change is not None
    (row,) = list_questions(engine, AskQuestions(lost=True)).rows
    assert row.passes is False and "30 days" in row.says
    undo(engine, Undo(change=edited.change), author=ME)
    embed_all(engine)
    assert run_all(engine) == 1
    assert list_questions(engine, AskQuestions(lost=True)).rows == ()


def test_a_forgotten_question_is_asked_no_more_and_undo_brings_it_back(engine: Engine, kept: str) -> None:
    made = keep(engine, KeepQuestion(text=QUERY, expects="30 days", channel="bay"), author=ME)
    gone = forget(engine, ForgetQuestion(id=made.id), author=ME)
    retire(engine, Retire(id=kept), author=ME)
    assert run_all(engine) == 0
    with pytest.raises(NotFound):
        forget(engine, ForgetQuestion(id=made.id), author=ME)
    undo(engine, Undo(change=gone.change), author=ME)
    assert run(engine, RunQuestions(), author=ME).asked == 1
    with pytest.raises(BadAsk):
        keep(engine, KeepQuestion(text=" ", expects="x"), author=ME)
