"""Memory of agents is found in the known places of a machine, by names and sizes alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop import sources
from memdesk.engine.interop.batches import Chat
from memdesk.engine.interop.sources import open_source
from memdesk.engine.workspace import folders
from memdesk.model.document import WORKSPACE
from memdesk.model.interop import AskDiscovery, AskImport
from memdesk.model.workspace_files import AskFolder
from memdesk.store import records
from tests.fixtures.intake.worlds import MARA, take


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        ".claude/CLAUDE.md": "- Run the tests.",
        ".claude/projects/-home-me-api/memory/MEMORY.md": "- The API is in Go.",
        ".claude/projects/-home-me-api/one.jsonl": "{}",
        ".claude/plugins/cache/help.md": "not memory",
        ".claude/.git/notes.md": "not memory",
        "clawd/SOUL.md": "# Soul",
        "clawd/memory/2026-03-01.md": "## 09:00",
        ".local/share/mcp/memory.jsonl": '{"type": "entity"}',
        ".codex/config.toml": "model = 1",
        "Documents/letters/mother.md": "private",
    }
    folder = tmp_path / "home"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("HOME", str(folder))
    return folder


def test_each_system_is_found_with_its_counts_and_the_others_are_named(engine: Engine, home: Path) -> None:
    found = sources.discover(engine, AskDiscovery())
    seen = {
        row.system: (Path(row.path).relative_to(home).as_posix(), row.notes, row.transcripts)
        for row in found.rows
    }
    assert seen == {
        "OpenClaw": ("clawd", 2, 0),
        "Claude Code": (".claude", 2, 1),
        "MCP memory server": (".local/share/mcp/memory.jsonl", 0, 0),
    }
    assert "Codex" in found.missing and "Claude Code" not in found.missing
    assert all(row.size_bytes and row.changed_at and not row.known for row in found.rows)


def test_a_place_is_known_while_its_folder_is_on_the_desk(engine: Engine, home: Path) -> None:
    take(engine, home / "clawd")

    def known() -> set[str]:
        return {row.system for row in sources.discover(engine, AskDiscovery()).rows if row.known}

    assert known() == {"OpenClaw"}
    with engine.store.reading() as db:
        (workspace,) = records.find(db, WORKSPACE)
    folders.remove(engine, AskFolder(workspace_id=workspace.id), author=MARA)
    assert known() == set()


def test_the_sessions_that_openclaw_keeps_apart_from_its_workspace_are_found_and_come_in(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".openclaw"
    told = [
        {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-03-01T09:00:00Z"},
        {"type": "message", "id": "m1", "parentId": None, "timestamp": "2026-03-01T09:00:01Z"}
        | {"message": {"role": "user", "content": "I moved to Bergen."}},
    ]
    session = folder / "agents/main/sessions/s1.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    (folder / "workspace").mkdir()
    (folder / "workspace/SOUL.md").write_text("# Soul", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    found = {row.path: (row.notes, row.transcripts) for row in sources.discover(engine, AskDiscovery()).rows}
    assert found == {str(folder / "workspace"): (1, 0), str(folder / "agents"): (0, 1)}
    source = open_source(engine, AskImport(path=str(folder / "agents")))
    assert [item.agent_id for item in source.items if isinstance(item, Chat)] == ["main"]


def test_a_folder_without_end_is_looked_at_within_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "ENTRIES", 30)
    for number in range(100):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        (folder / "note.md").write_text("x", encoding="utf-8")
    (tmp_path / "again").symlink_to(tmp_path)
    assert sources.contents_of(tmp_path).notes <= 30
