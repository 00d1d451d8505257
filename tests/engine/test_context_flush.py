"""Facts of a context go into the agent's MEMORY.md before anything gives way, in OpenLegion's form, and only once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.context.compactor import compact
from memdesk.engine.context.messages import size_of
from memdesk.engine.engine import Engine
from memdesk.engine.workspace import files
from memdesk.model.context import Compact, Compacted
from memdesk.model.errors import NotFound, StorageFailed
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
