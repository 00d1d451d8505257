"""A fact and the line it is read from follow each other, in one change that can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.engine.browsing.details import inspect
from memdesk.engine.engine import Engine, now
from memdesk.engine.memory import curate
from memdesk.engine.memory.bulk import bulk, preview_bulk
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.merge import merge
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.memory.review_queue import preview_decision, review
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents, outside_edits, placing
from memdesk.engine.workspace.documents import learn_line
from memdesk.engine.workspace.fact_updates import draft_for
from memdesk.files.places import Desk
from memdesk.model.browse import Inspect
from memdesk.model.change import Change
from memdesk.model.curation import Bulk, Curated, EditFact, Forget, Merge, Pin, Restore, Retire, Undo
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.recall import Provenance
from memdesk.model.remember import NewFact
from memdesk.model.review import AskReview, Decide
from memdesk.model.workspace import LearnLine, ReadFile, Saved, SaveFile
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection
from tests.fixtures.intake.worlds import MARA, changes, events, take

TEXT = "# Memory\n\n- Mara likes black tea\n- The north quay closes at nine\n- Sam owns a red boat\n"
TEA, QUAY, BOAT = "Mara likes black tea", "The north quay closes at nine", "Sam owns a red boat"
AGENT = "agent:iris"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = open_engine(Desk(tmp_path / "desk"), clock=now)
    yield opened
    opened.close()


@pytest.fixture
def memory(engine: Engine, tmp_path: Path) -> Path:
    """The MEMORY.md of a workspace that was just imported."""
    folder = tmp_path / "iris"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text(TEXT)
    (folder / "memory" / "2026-03-01.md").write_text("- [09:00] The pump was repaired by Sam\n- Rain\n")
    take(engine, folder)
    return folder / "MEMORY.md"


def document(engine: Engine, path: str = "MEMORY.md") -> Document:
    with engine.store.reading() as db:
        (found,) = records.find(db, DOCUMENT, path=path)
    assert isinstance(found, Document)
    return found


def fact(engine: Engine, claim: str) -> Fact:
    """The latest fact with this claim."""
    with engine.store.reading() as db:
        found: list[Fact] = records.find(db, FACT, claim=claim)
    return found[-1]


def current(engine: Engine) -> set[str]:
    with engine.store.reading() as db:
        return {each.claim for each in records.find(db, FACT, retired_at=None, superseded_by=None)}


def origin(engine: Engine, claim: str) -> Provenance:
    found = inspect(engine, Inspect(id=fact(engine, claim).id)).provenance
    assert found is not None
    return found


def edit(engine: Engine, path: Path, text: str) -> None:
    """Another program writes the file, and the desk sees it."""
    path.write_text(text)
    outside_edits.take_in_changes(engine, [path])


def save(engine: Engine, text: str, author: str = MARA) -> Saved:
    read = documents.read(engine, ReadFile(document_id=document(engine).id))
    ask = SaveFile(document_id=read.document_id, text=text, base_hash=read.content_hash)
    return documents.save(engine, ask, author=author)


def retire(engine: Engine, claim: str, author: str = MARA) -> Curated:
    return curate.retire(engine, Retire(id=fact(engine, claim).id), author=author)


def test_a_fact_names_the_file_the_version_and_the_line_it_is_read_from(engine: Engine, memory: Path) -> None:
    found = origin(engine, QUAY)
    assert (found.path, found.first_line, found.last_line) == ("MEMORY.md", 4, 4)
    assert found.version == document(engine).content_hash
    assert found.line == f"- {QUAY}" and found.quote == QUAY


def test_the_line_is_named_where_it_stands_now(engine: Engine, memory: Path) -> None:
    edit(engine, memory, TEXT.replace("- Mara", "\nSome words\n\n- Mara"))
    assert origin(engine, QUAY).first_line == 7


def test_an_edited_line_supersedes_its_fact_and_one_undo_takes_both_back(
    engine: Engine, memory: Path
) -> None:
    old, before = fact(engine, TEA), changes(engine)
    saved = save(engine, TEXT.replace("black", "green"))
    new = fact(engine, "Mara likes green tea")
    assert changes(engine) == before + 1
    assert fact(engine, TEA).superseded_by == new.id and fact(engine, TEA).temporal == "past"
    assert origin(engine, "Mara likes green tea").first_line == 3
    undo(engine, Undo(change=saved.change), author=MARA)
    assert fact(engine, TEA) == old and current(engine) == {TEA, QUAY, BOAT}
    assert memory.read_text() == TEXT


def test_an_edit_from_outside_does_the_same(engine: Engine, memory: Path) -> None:
    edit(engine, memory, TEXT.replace("nine", "ten"))
    assert current(engine) == {TEA, "The north quay closes at ten", BOAT}
    undo(engine, Undo(change=events(engine)[-1].id), author=MARA)
    assert current(engine) == {TEA, QUAY, BOAT} and memory.read_text() == TEXT


def test_a_new_line_is_believed_and_one_that_went_takes_its_fact_with_it(
    engine: Engine, memory: Path
) -> None:
    edit(engine, memory, TEXT.replace(f"- {TEA}\n", "") + "- The mast is made of spruce\n")
    assert current(engine) == {QUAY, BOAT, "The mast is made of spruce"}


def test_a_line_that_only_moved_or_changed_its_bullet_changes_no_fact(engine: Engine, memory: Path) -> None:
    before = {claim: fact(engine, claim) for claim in (TEA, QUAY, BOAT)}
    edit(engine, memory, f"* {BOAT}\n\n# Memory\n1. **{TEA}**\n- {QUAY}\n")
    assert {claim: fact(engine, claim) for claim in (TEA, QUAY, BOAT)} == before


def test_a_line_that_comes_back_brings_the_same_fact_back(engine: Engine, memory: Path) -> None:
    old = fact(engine, TEA)
    edit(engine, memory, TEXT.replace(f"- {TEA}\n", ""))
    edit(engine, memory, TEXT + f"- {TEA}\n")
    assert fact(engine, TEA) == old
    edit(engine, memory, f"# Memory\n- {TEA}\n- {QUAY}\n- {BOAT}\n")
    assert fact(engine, TEA) == old


def test_a_claim_in_other_spelling_is_the_same_fact(engine: Engine, memory: Path) -> None:
    old = fact(engine, TEA)
    edit(engine, memory, TEXT.replace("black tea", "Black Tea"))
    assert fact(engine, "Mara likes Black Tea").id == old.id


def test_a_line_ties_the_entities_that_it_names_to_each_other(engine: Engine, memory: Path) -> None:
    edit(engine, memory, TEXT + "- Sam Hale works at Siemens\n")
    with engine.store.reading() as db:
        names = {each.id: each.name for each in records.find(db, ENTITY)}
        found = records.find(db, RELATION, type="WORKS_FOR")
    assert [(names[each.source_id], names[each.target_id]) for each in found] == [("Sam Hale", "Siemens")]


def test_of_two_lines_that_tell_one_fact_either_may_go(engine: Engine, memory: Path) -> None:
    old, other = fact(engine, TEA), f"- {TEA.upper()}\n"
    edit(engine, memory, TEXT + other)
    assert fact(engine, TEA) == old
    edit(engine, memory, TEXT.replace(f"- {TEA}\n", "") + other)
    (left,) = current(engine) - {QUAY, BOAT}
    assert fact(engine, left).id == old.id
    assert inspect(engine, Inspect(id=old.id)).provenance.first_line == 5
    edit(engine, memory, TEXT.replace(f"- {TEA}\n", ""))
    assert current(engine) == {QUAY, BOAT}


def test_retiring_a_fact_strikes_its_line_and_undo_brings_both_back(engine: Engine, memory: Path) -> None:
    done = retire(engine, QUAY)
    assert done.files == ("MEMORY.md",)
    assert memory.read_text() == TEXT.replace(f"- {QUAY}\n", "")
    assert origin(engine, QUAY).first_line == 4  # Where it stood.
    undo(engine, Undo(change=done.change), author=MARA)
    assert memory.read_text() == TEXT and current(engine) == {TEA, QUAY, BOAT}


def test_an_agent_writes_into_no_other_agents_file(engine: Engine, memory: Path) -> None:
    assert retire(engine, QUAY, author="agent:forge").files == ()
    assert memory.read_text() == TEXT
    assert retire(engine, TEA, author=AGENT).files == ("MEMORY.md",)
    assert TEA not in memory.read_text()


def test_restoring_a_fact_brings_its_line_back_into_what_was_written_since(
    engine: Engine, memory: Path
) -> None:
    retire(engine, QUAY)
    edit(engine, memory, f"# Memory of Iris\n\n- {TEA}\n- {BOAT}\n- The mast is made of spruce\n")
    curate.restore(engine, Restore(id=fact(engine, QUAY).id), author=MARA)
    text = f"# Memory of Iris\n\n- {TEA}\n- {QUAY}\n- {BOAT}\n- The mast is made of spruce\n"
    assert memory.read_text() == text


def test_editing_a_fact_rewrites_its_line_and_nothing_else(engine: Engine, memory: Path) -> None:
    memory.write_bytes(b"# Memory\r\n\r\n* Mara likes black tea  \r\n* Sam owns a red boat")
    outside_edits.take_in_changes(engine, [memory])
    ask = EditFact(fact_id=fact(engine, TEA).id, claim="Mara likes white tea")
    done = curate.edit_fact(engine, ask, author=MARA)
    assert memory.read_bytes() == b"# Memory\r\n\r\n* Mara likes white tea  \r\n* Sam owns a red boat"
    assert origin(engine, "Mara likes white tea").line == "* Mara likes white tea"
    undo(engine, Undo(change=done.change), author=MARA)
    assert memory.read_bytes() == b"# Memory\r\n\r\n* Mara likes black tea  \r\n* Sam owns a red boat"


def test_a_line_is_found_again_by_its_words_before_it_is_written(engine: Engine, memory: Path) -> None:
    memory.write_text("- A line nobody told the desk of\n" + TEXT)  # The desk has not looked yet.
    retire(engine, BOAT)
    assert memory.read_text() == "- A line nobody told the desk of\n" + TEXT.replace(f"- {BOAT}\n", "")


def test_a_fact_whose_line_went_unseen_is_not_retired_twice(engine: Engine, memory: Path) -> None:
    memory.write_text(TEXT.replace(f"- {TEA}\n", ""))
    with pytest.raises(Conflict, match="retired already"):
        retire(engine, TEA)


@pytest.mark.parametrize("verb", ["retire", "pin", "promote", "move"])
def test_a_preview_neither_tells_nor_does_what_another_program_wrote_meanwhile(
    engine: Engine, memory: Path, verb: str
) -> None:
    memory.write_text(written := TEXT.replace("red", "blue"))  # The desk has not looked yet.
    before, head, ids = current(engine), latest(engine), tuple(fact(engine, each).id for each in (BOAT, QUAY))
    seen = preview_bulk(engine, Bulk(verb=verb, ids=ids, channel="harbor"), author=MARA)
    assert seen.will == 2 and {row.also.get("fact") for row in seen.rows} <= {None, 1}
    assert {row.files for row in seen.rows} == ({("MEMORY.md",)} if verb == "retire" else {()})
    assert (current(engine), latest(engine), memory.read_text()) == (before, head, written)
    bulk(engine, Bulk(verb="retire", ids=ids), author=MARA, progress=ignore_progress)
    assert memory.read_text() == written.replace(f"- {QUAY}\n", "")


def test_a_preview_of_what_strikes_a_line_keeps_no_version_of_the_file(engine: Engine, memory: Path) -> None:
    ask = Bulk(verb="retire", ids=(fact(engine, BOAT).id,))
    preview_bulk(engine, ask, author=MARA)
    struck = document_versions.hash_of(TEXT.replace(f"- {BOAT}\n", ""))
    with engine.store.reading() as db, pytest.raises(NotFound):
        document_versions.text_of(db, struck)


def test_a_file_that_is_away_keeps_no_fact_from_being_retired(engine: Engine, memory: Path) -> None:
    memory.rename(memory.with_name("away"))
    assert retire(engine, TEA).files == ()
    assert TEA not in current(engine)


@pytest.mark.parametrize("author", ["outside", AGENT])
def test_what_a_person_wrote_outlives_its_line_unless_a_person_takes_it_out(
    engine: Engine, memory: Path, author: str
) -> None:
    curate.pin(engine, Pin(id=fact(engine, TEA).id), author=MARA)
    without = TEXT.replace(f"- {TEA}\n", "")
    if author == "outside":
        edit(engine, memory, without)
    else:
        save(engine, without, author=author)
    assert current(engine) == {TEA, QUAY, BOAT}
    save(engine, without.replace(f"- {BOAT}\n", ""))
    assert current(engine) == {TEA, QUAY}


def test_an_agents_edit_of_a_line_a_person_wrote_is_a_question(engine: Engine, memory: Path) -> None:
    save(engine, TEXT + "- The mast is made of spruce\n")  # A person writes the line, so it is theirs.
    save(engine, TEXT + "- The mast is made of pine\n", author=AGENT)
    (question,) = review(engine, AskReview(types=("contradiction",))).rows
    assert {question.subject.title, question.other.title if question.other else ""} == {
        "The mast is made of spruce",
        "The mast is made of pine",
    }
    decide(engine, Decide(id=question.id, decision="keep_other"), author=MARA)
    assert "pine" not in memory.read_text() and "The mast is made of spruce" in current(engine)


def test_a_persons_own_edit_of_a_pinned_line_keeps_the_pin(engine: Engine, memory: Path) -> None:
    curate.pin(engine, Pin(id=fact(engine, TEA).id), author=MARA)
    save(engine, TEXT.replace("black", "green"))
    assert fact(engine, "Mara likes green tea").pinned and fact(engine, TEA).superseded_by


def test_a_line_of_any_file_can_be_learned_and_is_followed_then(engine: Engine, memory: Path) -> None:
    day = memory.parent / "memory" / "2026-03-01.md"
    id = document(engine, "memory/2026-03-01.md").id
    ask = LearnLine(document_id=id, line=1, text="- [09:00] The pump was repaired by Sam")
    learned = learn_line(engine, ask, author=AGENT)
    assert learned.claim == "The pump was repaired by Sam" and learned.change is not None
    assert learn_line(engine, ask, author=AGENT).change is None
    edit(engine, day, "- [09:00] The pump was repaired by Ann\n- Snow fell on all the boats\n")
    assert current(engine) == {TEA, QUAY, BOAT, "The pump was repaired by Ann"}
    retire(engine, "The pump was repaired by Ann")
    assert day.read_text() == "- Snow fell on all the boats\n"


def test_a_line_a_person_learned_is_theirs_whoever_edits_it(engine: Engine, memory: Path) -> None:
    id = document(engine, "memory/2026-03-01.md").id
    learn_line(engine, LearnLine(document_id=id, line=1), author=MARA)
    edit(
        engine, memory.parent / "memory" / "2026-03-01.md", "- [09:00] The pump was repaired by Ann\n- Rain\n"
    )
    assert {"The pump was repaired by Sam", "The pump was repaired by Ann"} <= current(engine)


def test_a_line_read_by_itself_that_becomes_a_question_makes_no_fact(engine: Engine, memory: Path) -> None:
    edit(engine, memory, TEXT.replace("Sam owns a red boat", "Sam owns a red boat?"))
    assert current(engine) == {TEA, QUAY}


def test_a_fact_told_with_the_words_of_a_file_is_tied_to_their_line(engine: Engine, memory: Path) -> None:
    day = document(engine, "memory/2026-03-01.md")
    ask = NewFact(
        claim="Sam repairs pumps",
        channel=day.channel,
        document_id=day.id,
        quote="The pump was repaired by Sam",
    )
    learn_fact(engine, ask, author=MARA)
    assert origin(engine, "Sam repairs pumps").first_line == 1
    retire(engine, "Sam repairs pumps")
    assert (memory.parent / day.path).read_text() == "- Rain\n"


def test_a_fact_whose_words_stand_in_no_line_leaves_the_file_alone(engine: Engine, memory: Path) -> None:
    day = document(engine, "memory/2026-03-01.md")
    before = (memory.parent / day.path).read_bytes()
    ask = NewFact(
        claim="Sam repairs pumps", channel=day.channel, document_id=day.id, quote="of an older text"
    )
    learned = learn_fact(engine, ask, author=MARA)
    curate.edit_fact(engine, EditFact(fact_id=learned.id, claim="Sam mends pumps"), author=MARA)
    curate.retire(engine, Retire(id=learned.id), author=MARA)
    curate.restore(engine, Restore(id=learned.id), author=MARA)
    assert (memory.parent / day.path).read_bytes() == before
    assert origin(engine, "Sam mends pumps").path == day.path


def test_learning_is_not_redone_once_its_line_is_gone(engine: Engine, memory: Path) -> None:
    day = document(engine, "memory/2026-03-01.md")
    learned = learn_line(engine, LearnLine(document_id=day.id, line=1), author=MARA)
    undone = undo(engine, Undo(change=learned.change), author=MARA)
    edit(engine, memory.parent / day.path, "- Rain\n")
    with pytest.raises(Conflict, match="no longer in memory/2026-03-01.md"):
        undo(engine, Undo(change=undone.change), author=MARA)


def test_a_line_is_learned_in_other_words_where_its_own_do_not_stand_alone(
    engine: Engine, memory: Path
) -> None:
    ask = LearnLine(
        document_id=document(engine, "memory/2026-03-01.md").id,
        line=2,
        claim="It rained on 1 March",
        category="event",
    )
    learn_line(engine, ask, author=MARA)
    assert (fact(engine, "It rained on 1 March").category, origin(engine, "It rained on 1 March").line) == (
        "event",
        "- Rain",
    )


def test_a_line_that_is_not_there_or_says_nothing_is_not_learned(engine: Engine, memory: Path) -> None:
    id = document(engine).id
    with pytest.raises(Conflict, match="no longer"):
        learn_line(engine, LearnLine(document_id=id, line=3, text="- Something else"), author=MARA)
    with pytest.raises(Conflict, match="no longer"):
        learn_line(engine, LearnLine(document_id=id, line=99), author=MARA)
    with pytest.raises(BadAsk, match="says nothing"):
        learn_line(engine, LearnLine(document_id=id, line=2), author=MARA)


def learn(engine: Engine, claim: str, supersedes: str, author: str) -> str:
    ask = NewFact(claim=claim, channel=document(engine).channel, supersedes=fact(engine, supersedes).id)
    return learn_fact(engine, ask, author=author).id


def latest(engine: Engine) -> int:
    return events(engine)[-1].id


def test_forgetting_a_fact_takes_its_line_out_and_undo_brings_both_back(engine: Engine, memory: Path) -> None:
    old, before = fact(engine, QUAY), changes(engine)
    done = curate.forget(engine, Forget(fact_id=old.id), author=MARA)
    assert done.files == ("MEMORY.md",) and changes(engine) == before + 1
    assert memory.read_text() == TEXT.replace(f"- {QUAY}\n", "")
    assert fact(engine, QUAY).temporal == "past" and origin(engine, QUAY).first_line == 4
    undo(engine, Undo(change=done.change), author=MARA)
    assert memory.read_text() == TEXT and fact(engine, QUAY) == old


def test_a_forgotten_fact_stays_out_of_the_file_until_its_line_is_written_again(
    engine: Engine, memory: Path
) -> None:
    curate.forget(engine, Forget(fact_id=fact(engine, QUAY).id), author=MARA)
    curate.edit_fact(engine, EditFact(fact_id=fact(engine, QUAY).id, category="event"), author=MARA)
    assert QUAY not in memory.read_text()
    edit(engine, memory, TEXT)
    again = fact(engine, QUAY)
    assert again.temporal != "past" and again.salience == engine.settings.new_salience
    retire(engine, QUAY)
    assert memory.read_text() == TEXT.replace(f"- {QUAY}\n", "")


@pytest.mark.parametrize("author", [MARA, AGENT])
def test_the_line_of_a_superseded_fact_tells_the_new_one(engine: Engine, memory: Path, author: str) -> None:
    old, before = fact(engine, QUAY), changes(engine)
    learn(engine, "The north quay closes at ten", QUAY, author)
    assert memory.read_text() == TEXT.replace("nine", "ten") and changes(engine) == before + 1
    assert origin(engine, "The north quay closes at ten").first_line == 4
    assert current(engine) == {TEA, "The north quay closes at ten", BOAT}
    undo(engine, Undo(change=latest(engine)), author=MARA)
    assert memory.read_text() == TEXT and fact(engine, QUAY) == old
    assert current(engine) == {TEA, QUAY, BOAT}


def test_the_line_that_a_new_fact_inherited_follows_it(engine: Engine, memory: Path) -> None:
    new = learn(engine, "The north quay closes at ten", QUAY, AGENT)
    ask = EditFact(fact_id=new, claim="The north quay closes at two")
    curate.edit_fact(engine, ask, author=MARA)
    assert memory.read_text() == TEXT.replace("nine", "two")
    curate.restore(engine, Restore(id=fact(engine, QUAY).id), author=MARA)
    assert sorted(memory.read_text().splitlines()) == sorted(
        [*TEXT.replace("nine", "two").splitlines(), f"- {QUAY}"]
    )
    curate.retire(engine, Retire(id=new), author=MARA)
    assert "two" not in memory.read_text() and f"- {QUAY}\n" in memory.read_text()


def test_a_superseded_fact_leaves_its_line_where_the_new_one_has_its_own(
    engine: Engine, memory: Path
) -> None:
    learn(engine, BOAT, QUAY, AGENT)
    assert memory.read_text() == TEXT.replace(f"- {QUAY}\n", "")
    assert current(engine) == {TEA, BOAT}


def test_what_a_person_pinned_is_not_superseded_by_an_agent_but_asked_about(
    engine: Engine, memory: Path
) -> None:
    curate.pin(engine, Pin(id=fact(engine, QUAY).id), author=MARA)
    learn(engine, "The north quay closes at ten", QUAY, AGENT)
    assert memory.read_text() == TEXT and QUAY in current(engine)
    (question,) = review(engine, AskReview(types=("contradiction",))).rows
    decide(engine, Decide(id=question.id, decision="keep_subject"), author=MARA)
    assert memory.read_text() == TEXT.replace("nine", "ten") and QUAY not in current(engine)


def test_of_two_merged_facts_the_line_of_the_kept_one_stays(engine: Engine, memory: Path) -> None:
    before, was = changes(engine), current(engine)
    done = merge(engine, Merge(id=fact(engine, BOAT).id, into_id=fact(engine, TEA).id), author=MARA)
    assert done.files == ("MEMORY.md",) and changes(engine) == before + 1
    assert memory.read_text() == TEXT.replace(f"- {BOAT}\n", "") and current(engine) == {TEA, QUAY}
    undo(engine, Undo(change=done.change), author=MARA)
    assert memory.read_text() == TEXT and current(engine) == was
    assert [origin(engine, claim).first_line for claim in (TEA, QUAY, BOAT)] == [3, 4, 5]
    retire(engine, BOAT)
    assert memory.read_text() == TEXT.replace(f"- {BOAT}\n", "")


def test_a_line_goes_over_to_the_fact_that_its_own_is_merged_into(engine: Engine, memory: Path) -> None:
    ask = NewFact(claim="The quay in the north closes at 9 pm", channel=document(engine).channel)
    kept = learn_fact(engine, ask, author=AGENT).id
    done = merge(engine, Merge(id=fact(engine, QUAY).id, into_id=kept), author=MARA)
    assert memory.read_text() == TEXT.replace(QUAY, ask.claim) and origin(engine, ask.claim).first_line == 4
    undo(engine, Undo(change=done.change), author=MARA)
    assert memory.read_text() == TEXT and origin(engine, QUAY).first_line == 4
    curate.retire(engine, Retire(id=kept), author=MARA)
    assert memory.read_text() == TEXT


def test_two_facts_said_as_one_have_one_line(engine: Engine, memory: Path) -> None:
    rival = "The north quay closes at ten"
    edit(engine, memory, TEXT + f"- {rival}\n")
    was = current(engine)

    def ask(db: Connection) -> tuple[Change, None]:
        draft = draft_for(engine, db, document(engine))
        draft.question("contradiction", fact(engine, rival).id, fact(engine, QUAY).id, reason="They differ.")
        return Change(op="learn", title="Asked", author=AGENT, edits=tuple(draft.edits)), None

    engine.store.decide(ask)
    (question,) = review(engine, AskReview(types=("contradiction",))).rows
    both = "The north quay closes at nine, in summer at ten"
    answer = Decide(id=question.id, decision="merge", text=both)
    seen = preview_decision(engine, answer, author=MARA)
    assert "MEMORY.md" in [effect.title for effect in seen.effects] and memory.read_text().count("quay") == 2
    done = decide(engine, answer, author=MARA)
    text = memory.read_text()
    assert text.count("quay") == 1 and f"- {both}\n" in text and current(engine) == {TEA, BOAT, both}
    undo(engine, Undo(change=done.change), author=MARA)
    assert memory.read_text() == TEXT + f"- {rival}\n" and current(engine) == was


def test_an_undo_takes_no_claim_from_a_fact_whose_line_says_it_since(engine: Engine, memory: Path) -> None:
    id, claim = fact(engine, QUAY).id, "The north quay closes at two"
    curate.forget(engine, Forget(fact_id=id), author=MARA)
    edited = curate.edit_fact(engine, EditFact(fact_id=id, claim=claim), author=MARA)
    edit(engine, memory, text := memory.read_text() + f"- {claim}\n")
    with pytest.raises(Conflict, match="MEMORY.md says"):
        undo(engine, Undo(change=edited.change), author=MARA)
    assert memory.read_text() == text and claim in current(engine)


def test_an_undo_brings_no_line_back_whose_fact_was_retired_since(engine: Engine, memory: Path) -> None:
    curate.pin(engine, Pin(id=fact(engine, QUAY).id), author=MARA)
    saved = save(engine, without := TEXT.replace(f"- {QUAY}\n", ""), author=AGENT)
    retire(engine, QUAY)
    with pytest.raises(Conflict, match="decided over since"):
        undo(engine, Undo(change=saved.change), author=MARA)
    assert memory.read_text() == without and QUAY not in current(engine)


def test_a_forgotten_fact_that_is_corrected_does_not_come_back_with_its_old_line(
    engine: Engine, memory: Path
) -> None:
    id, claim = fact(engine, QUAY).id, "The south quay closes at ten"
    curate.forget(engine, Forget(fact_id=id), author=MARA)
    curate.edit_fact(engine, EditFact(fact_id=id, claim=claim), author=MARA)
    edit(engine, memory, TEXT)
    assert fact(engine, claim).temporal == "past" and fact(engine, QUAY).id != id
    edit(engine, memory, TEXT + f"- {claim}\n")
    assert fact(engine, claim).id == id and fact(engine, claim).temporal != "past"


def test_no_line_goes_over_to_a_fact_that_was_forgotten(engine: Engine, memory: Path) -> None:
    curate.forget(engine, Forget(fact_id=fact(engine, QUAY).id), author=MARA)
    merge(engine, Merge(id=fact(engine, BOAT).id, into_id=fact(engine, QUAY).id), author=MARA)
    assert memory.read_text() == f"# Memory\n\n- {TEA}\n"


def test_a_file_that_goes_takes_its_facts_with_it_and_brings_them_back(engine: Engine, memory: Path) -> None:
    before = fact(engine, TEA)
    memory.rename(memory.with_suffix(".away"))
    outside_edits.take_in_changes(engine, [memory])
    assert current(engine) == set()
    memory.with_suffix(".away").rename(memory)
    outside_edits.take_in_changes(engine, [memory])
    assert current(engine) == {TEA, QUAY, BOAT} and fact(engine, TEA) == before
    gone = placing.retire(engine, document(engine).id, author=MARA)
    assert current(engine) == set()
    undo(engine, Undo(change=gone.change), author=MARA)
    assert current(engine) == {TEA, QUAY, BOAT} and memory.read_text() == TEXT


def test_a_rewrite_of_very_many_lines_is_a_run_of_changes(engine: Engine, memory: Path) -> None:
    edit(engine, memory, "".join(f"- Berth {n} costs {n} euros a day\n" for n in range(100, 170)))
    assert len(current(engine)) == 70
    edit(engine, memory, "".join(f"- Berth {n} costs {n + 5} euros a day\n" for n in range(100, 170)))
    assert len(current(engine)) == 70 and "Berth 120 costs 125 euros a day" in current(engine)


def test_a_new_file_of_a_persons_is_believed(engine: Engine, memory: Path) -> None:
    lines = "".join(f"- Buoy {n} is painted green\n" for n in range(30))
    placing.create(engine, document(engine).workspace_id, "USER.md", lines, author=MARA)
    assert len(current(engine)) == 33
