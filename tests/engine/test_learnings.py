"""Learnings as entries of their files: listed, corrected and removed, with undo."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.undo import undo
from memdesk.engine.workspace.documents import list_workspaces
from memdesk.engine.workspace.learnings import change_learning, list_learnings
from memdesk.model.curation import Undo
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.workspace_files import ChangeLearning, Learning, ListLearnings
from tests.engine.test_workspace_systems import OPENLEGION, opened

MARA = "person:Mara"
FILES = {
    **OPENLEGION,
    "iris/learnings/errors.md": "# Errors\n\n- [2026-02-20 14:05] **exec**: no such file\n  Context: npm test\n"
    "- [2026-02-21 09:00] **fetch**: timed out\n\nA line by hand\n",
    "iris/learnings/corrections.md": "- [2026-02-22 10:00] Original: It is Bern\n  Correction: It is Basel\n",
}


def rows(engine: Engine) -> dict[str, Learning]:
    return {each.text: each for each in list_learnings(engine, ListLearnings()).rows}


def test_entries_are_read_with_subject_context_and_line_the_newest_first(
    engine: Engine, tmp_path: Path
) -> None:
    opened(engine, tmp_path, FILES)
    found = rows(engine)
    assert list(found) == ["It is Basel", "A line by hand", "timed out", "no such file"]
    first = found["no such file"]
    assert (first.kind, first.subject, first.context, first.line) == ("error", "exec", "npm test", 3)
    assert first.at == datetime(2026, 2, 20, 14, 5, tzinfo=UTC) and first.agent_id == "iris"
    assert (found["It is Basel"].kind, found["It is Basel"].subject) == ("correction", "It is Bern")
    assert found["A line by hand"].at is None
    assert list_learnings(engine, ListLearnings(agents=("nobody",))).rows == ()
    assert [each.learnings for each in list_workspaces(engine).rows] == [True]


def test_an_entry_is_corrected_and_removed_in_its_file_and_undo_brings_it_back(
    engine: Engine, tmp_path: Path
) -> None:
    file = opened(engine, tmp_path, FILES) / "iris" / "learnings" / "errors.md"
    before, told = file.read_text(), rows(engine)["no such file"]
    shorter = "- [2026-02-20 14:05] **exec**: run npm ci first"
    ask = ChangeLearning(document_id=told.document_id, was=told.entry, text=shorter)
    done = change_learning(engine, ask, author=MARA)
    assert file.read_text() == before.replace(told.entry, shorter)
    with pytest.raises(Conflict, match="not there any more"):
        change_learning(engine, ask, author=MARA)
    gone = rows(engine)["timed out"]
    change_learning(engine, ChangeLearning(document_id=gone.document_id, was=gone.entry), author=MARA)
    assert "timed out" not in file.read_text() and "run npm ci" in file.read_text()
    undo(engine, Undo(), author=MARA)
    undo(engine, Undo(change=done.change), author=MARA)
    assert file.read_text() == before


def test_an_entry_that_is_too_long_or_of_another_file_is_refused(engine: Engine, tmp_path: Path) -> None:
    opened(engine, tmp_path, FILES)
    told = rows(engine)["timed out"]
    with pytest.raises(BadAsk, match="at most"):
        change_learning(
            engine,
            ChangeLearning(document_id=told.document_id, was=told.entry, text="x" * 4_001),
            author=MARA,
        )
    with engine.store.reading() as db:
        (other,) = [id for (id,) in db.rows("SELECT id FROM documents WHERE path LIKE '%SOUL.md' LIMIT 1")]
    with pytest.raises(BadAsk, match="holds no learnings"):
        change_learning(engine, ChangeLearning(document_id=other, was="x"), author=MARA)
