"""Facts of a context go into the agent's MEMORY.md before anything gives way, in OpenLegion's form, and only once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.context.compactor import compact
from memdesk.engine.context.messages import size_of
from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.workspace import files, outside_edits
from memdesk.model.context import Compact, Compacted
from memdesk.model.errors import NotFound, StorageFailed
from memdesk.model.fact import FACT, Fact
from memdesk.model.remember import NewFact
from memdesk.model.turn import TURN
from memdesk.store import records
from tests.fixtures.intake.worlds import take

AGENT = "agent:forge"
SAID: list[dict[str, Any]] = [
    {"role": ("user", "assistant")[n % 2], "content": line}
    for n, line in enumerate(
        (
            "My sister Ines lives in Brest.",
            "Noted.",
            "We decided to use PgBouncer.",
            "Good.",
            *("Go on.", "Yes.") * 4,
        )
    )
]


def workspace(engine: Engine, folder: Path, *, memory: str = "# Long-Term Memory\n") -> Path:
    """An OpenLegion workspace of Forge's."""
    (folder / "learnings").mkdir(parents=True)
    (folder / "learnings" / "errors.md").write_text("")
    (folder / "SOUL.md").write_text("# Identity\n")
    (folder / "MEMORY.md").write_text(memory)
    take(engine, folder)
    return folder


def squeeze(engine: Engine, messages: list[dict[str, Any]] = SAID, **more: Any) -> Compacted:
    ask = Compact(
        **{
            "messages": tuple(messages),
            "conversation_id": "talk",
            "channel": "x",
            "agent_id": "forge",
            "force": True,
        }
        | {"policy": "openlegion", **more}
    )
    return compact(engine, ask, author=AGENT)


def test_facts_stand_in_memory_and_the_day_says_so(engine: Engine, tmp_path: Path) -> None:
    folder = workspace(engine, tmp_path / "forge")
    done = squeeze(engine)
    text = (folder / "MEMORY.md").read_text()
    assert done.facts and not done.notices
    assert re.search(
        r"\n\n## Extracted \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)\n\n(- \*\*\w+\*\*: .+\n)+\Z", text
    ), text
    assert "Ines lives in Brest" in text and "PgBouncer" in text
    (day,) = (folder / "memory").glob("*.md")
    assert re.search(r"- \[\d\d:\d\d\] Context compacted — \d+ facts flushed to memory\n", day.read_text())


def test_what_memory_holds_is_not_written_again(engine: Engine, tmp_path: Path) -> None:
    folder = workspace(engine, tmp_path / "forge")
    squeeze(engine, conversation_id="one")
    before = (folder / "MEMORY.md").read_text()
    squeeze(engine, conversation_id="two")
    assert (folder / "MEMORY.md").read_text() == before


def test_facts_stored_ahead_stand_under_their_own_heading(engine: Engine, tmp_path: Path) -> None:
    folder = workspace(engine, tmp_path / "forge")
    window = round(size_of(SAID).tokens / 0.65)
    done = squeeze(engine, force=False, window_tokens=window)
    assert done.action == "flushed"
    assert "## Proactive Flush (" in (folder / "MEMORY.md").read_text()
    assert not list(folder.glob("memory/*.md"))


def test_a_file_that_cannot_be_written_leaves_the_list_as_it_was(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace(engine, tmp_path / "forge")

    def full(*_: Any, **__: Any) -> Any:
        raise StorageFailed("MEMORY.md could not be written: No space left on device.")

    with monkeypatch.context() as patched:
        patched.setattr(files, "add", full)
        with pytest.raises(StorageFailed):
            squeeze(engine)
    done = squeeze(engine)
    assert done.action == "compacted" and not done.repeated
    assert "Ines lives in Brest" in (folder / "MEMORY.md").read_text()


def test_an_agent_without_a_workspace_is_compacted_all_the_same(engine: Engine) -> None:
    assert squeeze(engine).action == "compacted"
    with pytest.raises(NotFound):
        squeeze(engine, conversation_id="other", workspace_id="w_nowhere")


def claims_held(engine: Engine) -> Counter[str]:
    """How often each claim is held that is neither retired nor superseded."""
    with engine.store.reading() as db:
        found: list[Fact] = records.find(db, FACT, retired_at=None, superseded_by=None)
    return Counter(each.claim for each in found)


def lines_tied(engine: Engine) -> dict[str, str]:
    """The claims of facts that are read from files, with their lines."""
    with engine.store.reading() as db:
        held: list[Fact] = records.find(db, FACT)
        found = line_links.ties_of_facts(db, [each.id for each in held])
    return {each.fact.claim: each.spot.line for each in found}


@pytest.mark.parametrize("memory", ["# Long-Term Memory\n", None], ids=["with MEMORY.md", "without it"])
@pytest.mark.parametrize("channel", ["x", "forge"])
def test_a_flush_holds_each_fact_once_and_ties_it_to_its_line(
    engine: Engine, tmp_path: Path, memory: str | None, channel: str
) -> None:
    folder = workspace(engine, tmp_path / "forge")
    if memory is None:
        (folder / "MEMORY.md").unlink()
    done = squeeze(engine, channel=channel)
    held = claims_held(engine)
    written = (folder / "MEMORY.md").read_text()
    assert sum(held.values()) == len(done.facts) == written.count("- **") > 1
    tied = lines_tied(engine)
    assert tied.keys() == held.keys()
    assert all(line.endswith(claim) and line in written for claim, line in tied.items())


def test_a_line_that_words_a_claim_otherwise_is_tied_to_its_fact_all_the_same(
    engine: Engine, tmp_path: Path
) -> None:
    folder = workspace(engine, tmp_path / "forge")
    squeeze(engine, force=False)
    with engine.store.reading() as db:
        (turn,) = records.find(db, TURN, conversation_id="talk", turn_index=2)
    pair = {"key": "database pool", "value": "Ines decided to use PgBouncer at noon"}
    learned = learn_fact(
        engine, NewFact(claim="The pool is chosen", channel="x", source_turn_id=turn.id, **pair), author=AGENT
    )
    squeeze(engine)
    line = "- **database pool**: Ines decided to use PgBouncer at noon"
    assert line in (folder / "MEMORY.md").read_text().splitlines()
    assert lines_tied(engine)["The pool is chosen"] == line
    assert not [claim for claim in claims_held(engine) if "noon" in claim]
    (folder / "MEMORY.md").write_text((folder / "MEMORY.md").read_text().replace("at noon", "at dawn"))
    outside_edits.take_in_changes(engine, [folder / "MEMORY.md"])
    held = claims_held(engine)
    assert "The pool is chosen" not in held and len([claim for claim in held if "dawn" in claim]) == 1
    with engine.store.reading() as db:
        assert records.need(db, FACT, learned.id).superseded_by is not None


def test_what_a_line_of_memory_claims_already_gets_no_second_line(engine: Engine, tmp_path: Path) -> None:
    claim = f"{engine.person}'s sister Ines lives in Brest"
    folder = workspace(engine, tmp_path / "forge", memory=f"# Long-Term Memory\n\n* {claim}\n")
    squeeze(engine, channel="forge")
    assert (folder / "MEMORY.md").read_text().count(claim) == 1
    assert claims_held(engine)[claim] == 1


def test_a_line_edited_later_gives_its_fact_up_for_another_in_the_same_channel(
    engine: Engine, tmp_path: Path
) -> None:
    folder = workspace(engine, tmp_path / "forge")
    squeeze(engine)
    before = claims_held(engine)
    (folder / "MEMORY.md").write_text((folder / "MEMORY.md").read_text().replace("in Brest", "in Nantes"))
    outside_edits.take_in_changes(engine, [folder / "MEMORY.md"])
    after = claims_held(engine)
    assert after.total() == before.total()
    (gone,), (come,) = before - after, after - before
    assert "Brest" in gone and come == gone.replace("Brest", "Nantes")
    with engine.store.reading() as db:
        (old,), (new,) = (records.find(db, FACT, claim=claim) for claim in (gone, come))
    assert old.superseded_by == new.id and old.channel == new.channel == "x"
    assert lines_tied(engine)[come] == f"- **fact**: {come}"


def test_a_line_taken_away_later_keeps_what_the_conversation_tells(engine: Engine, tmp_path: Path) -> None:
    folder = workspace(engine, tmp_path / "forge")
    squeeze(engine)
    before = claims_held(engine)
    (folder / "MEMORY.md").write_text("# Long-Term Memory\n")
    outside_edits.take_in_changes(engine, [folder / "MEMORY.md"])
    assert claims_held(engine) == before and not lines_tied(engine)
