"""Whatever is done to the lines of a file and to the facts read from them, in any order: file and facts agree."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memdesk.engine.engine import now
from memdesk.engine.memory import curate, line_links
from memdesk.engine.memory.decisions import decide
from memdesk.engine.memory.line_links import line_numbers_by_words, normalised_words
from memdesk.engine.memory.merge import merge
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.memory.review_queue import review
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents, outside_edits
from memdesk.engine.workspace.documents import learn_line
from memdesk.files.places import Desk
from memdesk.model.curation import EditFact, Forget, Merge, Pin, Restore, Retire, Undo
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.errors import MemDeskError
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.remember import NewFact
from memdesk.model.review import AskReview, Decide
from memdesk.model.workspace import LearnLine, ReadFile, SaveFile
from memdesk.store import document_versions, records
from tests.effort import examples
from tests.fixtures.intake.worlds import MARA, events, take

PEOPLE, THINGS = ("Mara", "Sam", "Ann Lee"), ("black tea", "green tea", "rowing boats")
CLAIMS = st.builds(
    lambda person, thing: f"{person} likes {thing}", st.sampled_from(PEOPLE), st.sampled_from(THINGS)
)
LINES = st.one_of(
    CLAIMS.map(lambda claim: f"- {claim}"),
    CLAIMS.map(lambda claim: f"* **{claim}**"),
    st.sampled_from(["", "# Memory", "- [ ] buy a kettle", "some words"]),
)
TEXTS = st.lists(LINES, max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))
AUTHORS = st.sampled_from([MARA, "agent:iris"])
PICKED = st.integers(min_value=0, max_value=1_000)


class RoundTrip(RuleBasedStateMachine):
    """One MEMORY.md, everybody who may write it, and everything a person may do to its facts."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.engine = open_engine(Desk(Path(self.folder.name, "desk")), clock=now)
        self.path = Path(self.folder.name, "iris", "MEMORY.md")
        self.path.parent.mkdir()

    def teardown(self) -> None:
        self.engine.close()
        self.folder.cleanup()

    @initialize(text=TEXTS)
    def begin(self, text: str) -> None:
        self.path.write_text("# Memory\n\n- Mara likes black tea\n" + text)
        take(self.engine, self.path.parent)
        self.undone: set[int] = {event.id for event in events(self.engine)}

    @rule(text=TEXTS)
    def another_program_writes_it(self, text: str) -> None:
        self.path.write_text(text)
        outside_edits.take_in_changes(self.engine, [self.path])

    @rule(line=LINES)
    def another_program_appends(self, line: str) -> None:
        with self.path.open("a") as file:
            file.write(f"{line}\n")
        outside_edits.take_in_changes(self.engine, [self.path])

    @rule(text=TEXTS, author=AUTHORS)
    def it_is_saved(self, text: str, author: str) -> None:
        self.attempt(lambda: self.save(text, author))

    @rule(picked=PICKED, line=LINES, author=AUTHORS)
    def a_line_is_changed(self, picked: int, line: str, author: str) -> None:
        lines = self.path.read_text().splitlines() or [""]
        lines[picked % len(lines)] = line
        self.attempt(lambda: self.save("\n".join(lines) + "\n", author))

    @rule(picked=PICKED)
    def a_fact_is_retired(self, picked: int) -> None:
        self.attempt(lambda: curate.retire(self.engine, Retire(id=self.fact(picked)), author=MARA))

    @rule(picked=PICKED)
    def a_fact_is_restored(self, picked: int) -> None:
        self.attempt(lambda: curate.restore(self.engine, Restore(id=self.fact(picked)), author=MARA))

    @rule(picked=PICKED)
    def a_fact_is_forgotten(self, picked: int) -> None:
        self.attempt(lambda: curate.forget(self.engine, Forget(fact_id=self.fact(picked)), author=MARA))

    @rule(picked=PICKED, other=PICKED)
    def two_facts_are_merged(self, picked: int, other: int) -> None:
        ask = Merge(id=self.fact(picked), into_id=self.fact(other))
        self.attempt(lambda: merge(self.engine, ask, author=MARA))

    @rule(picked=PICKED, claim=CLAIMS, author=AUTHORS)
    def a_fact_is_superseded(self, picked: int, claim: str, author: str) -> None:
        ask = NewFact(claim=claim, channel=self.document().channel, supersedes=self.fact(picked))
        self.attempt(lambda: learn_fact(self.engine, ask, author=author))

    @rule(picked=PICKED, claim=CLAIMS, decision=st.sampled_from(["merge", "keep_subject", "keep_other"]))
    def a_question_is_answered(self, picked: int, claim: str, decision: str) -> None:
        open = review(self.engine, AskReview(types=("contradiction",))).rows
        if open:
            ask = Decide(id=open[picked % len(open)].id, decision=decision, text=claim)
            self.attempt(lambda: decide(self.engine, ask, author=MARA))

    @rule(picked=PICKED, claim=CLAIMS)
    def a_fact_is_edited(self, picked: int, claim: str) -> None:
        ask = EditFact(fact_id=self.fact(picked), claim=claim)
        self.attempt(lambda: curate.edit_fact(self.engine, ask, author=MARA))

    @rule(picked=PICKED)
    def a_fact_is_pinned(self, picked: int) -> None:
        self.attempt(lambda: curate.pin(self.engine, Pin(id=self.fact(picked)), author=MARA))

    @rule(picked=PICKED)
    def a_line_is_learned(self, picked: int) -> None:
        number = picked % (len(self.path.read_text().splitlines()) or 1) + 1
        ask = LearnLine(document_id=self.document().id, line=number)
        self.attempt(lambda: learn_line(self.engine, ask, author=MARA))

    @rule(picked=PICKED)
    def a_change_is_taken_back(self, picked: int) -> None:
        mine = [event.id for event in events(self.engine) if event.id not in self.undone]
        if mine:
            self.attempt(
                lambda: undo(self.engine, Undo(change=mine[-1 - picked % min(3, len(mine))]), author=MARA)
            )

    def attempt(self, deed: Callable[[], object]) -> None:
        """Do something that may be refused, with a sentence and without a trace."""
        try:
            deed()
        except MemDeskError as refused:
            assert refused.says

    def save(self, text: str, author: str) -> None:
        read = documents.read(self.engine, ReadFile(document_id=self.document().id))
        ask = SaveFile(document_id=read.document_id, text=text, base_hash=read.content_hash)
        documents.save(self.engine, ask, author=author)

    def document(self) -> Document:
        with self.engine.store.reading() as db:
            (found,) = records.find(db, DOCUMENT)
        assert isinstance(found, Document)
        return found

    def fact(self, picked: int) -> str:
        with self.engine.store.reading() as db:
            facts: list[Fact] = records.find(db, FACT)
        return facts[picked % len(facts)].id

    @invariant()
    def file_and_facts_agree(self) -> None:
        text = self.path.read_text()
        with self.engine.store.reading() as db:
            (document,) = records.find(db, DOCUMENT)
            tied = line_links.ties_in_file(db, document.id)
            claims = {
                claim_hash(each.claim) for each in records.find(db, FACT, retired_at=None, superseded_by=None)
            }
        assert document_versions.hash_of(text) == document.content_hash
        stands = line_numbers_by_words(text)
        held = {each.spot.said for each in tied if each.holds}
        for each in tied:
            assert each.spot.said in stands or each.spot.said not in held, each
            if (
                " likes " in each.spot.said
            ):  # What nobody believes may be written again, and nothing comes of it.
                assert (each.spot.said in stands) == (each.spot.said in held), each
            assert not (each.holds and each.spot.gone)
        for line in text.splitlines():
            if " likes " in line:
                assert claim_hash(normalised_words(line)) in claims, line


TestRoundTrip = RoundTrip.TestCase
TestRoundTrip.settings = settings(
    max_examples=examples(30), stateful_step_count=15, suppress_health_check=list(HealthCheck)
)
