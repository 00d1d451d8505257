"""Each system's folder is opened as it is, read, and written byte for byte as the system itself would."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine, now
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import undo
from memdesk.engine.workspace import documents, outside_edits, session_notes, writing
from memdesk.engine.workspace.bootstrap import bootstrap
from memdesk.engine.workspace.day_files import BACKUPS_KEPT, recent, rewrite, write_day
from memdesk.files.places import Desk
from memdesk.model.curation import Undo
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, MemDeskError, NotAllowed, NotFound, Refused
from memdesk.model.instant import to_datetime
from memdesk.model.workspace import ReadFile
from memdesk.model.workspace_files import AskPrompt, RecordLearning, RewriteFile, WriteDay
from memdesk.store import records
from tests.fixtures.intake.worlds import MARA, changes, take

IRIS = "agent:iris"
AT = datetime(2026, 3, 1, 14, 3, tzinfo=UTC)
LOCAL = AT.astimezone()
DAY, TIME = LOCAL.date().isoformat(), f"{LOCAL:%H:%M}"
Folder = dict[str, str]

AGENTICX: Folder = {
    ".agenticx/workspace/IDENTITY.md": "# Identity\n\nWarm.\n",
    ".agenticx/workspace/USER.md": "- Name: Mara\n",
    ".agenticx/workspace/MEMORY.md": "# MEMORY.md - Long-Term Anchors\n\n## User Anchors\n- Likes tea\n",
    ".agenticx/workspace/memory/2026-02-28.md": "# Daily Memory\n\n- Date: 2026-02-28\n- Notes:\n  - Bought kiwis\n",
    ".agenticx/avatars/iris/workspace/IDENTITY.md": "# Identity\n\nCurt.\n",
    ".agenticx/avatars/iris/workspace/MEMORY.md": "# MEMORY.md\n\n## Agent Notes\n- Boats leak\n",
    ".agenticx/groups/crew/workspace/IDENTITY.md": "# The crew\n",
    ".agenticx/groups/crew/workspace/MEMORY.md": "## 用户偏好（本群理解）\n- 短句\n",
}
OPENLEGION: Folder = {
    "iris/AGENTS.md": "# Agent Instructions\n\nBe kind.\n",
    "iris/SOUL.md": "# Identity\n\nCurious.\n",
    "iris/USER.md": "# User Context\n\nName: Mara\n",
    "iris/MEMORY.md": "# Long-Term Memory\n\n## Extracted (2026-02-20 15:10 UTC)\n\n- **tea**: green\n",
    "iris/HEARTBEAT.md": "# Heartbeat Rules\n\n1. Look at the inbox\n",
    "iris/learnings/errors.md": "- [2026-02-20 14:05] **exec**: no such file\n",
    "iris/memory/2026-03-01.md": "- [09:00] Began\n",
}
OPENCLAW: Folder = {
    "iris/AGENTS.md": "# Agents\n",
    "iris/SOUL.md": "# Soul\n",
    "iris/TOOLS.md": "# Tools\n",
    "iris/IDENTITY.md": "# Identity\n",
    "iris/USER.md": "# User\n",
    "iris/MEMORY.md": "# Memory\n\n- Decision: use Postgres\n",
    "iris/memory/2026-02-20.md": "# 2026-02-20\n\nTalked about routers.\n",
}
AGNX: Folder = {
    ".agnx/memory/world/people.md": "Alice - Role: Engineer",
    ".agnx/memory/world/Systems.md": "## Production\n- DB: PostgreSQL",
    ".agnx/memory/agents/iris/MEMORY.md": "Mara prefers short answers",
    ".agnx/memory/agents/iris/daily/2026-02-05.md": "# 2026-02-05\n\n## 09:30\n\nHelped\n",
}
DURAGENT: Folder = {
    ".duragent/memory/world/people.md": "Alice - Role: Engineer",
    ".duragent/agents/iris/agent.yaml": "kind: Agent\n",
    ".duragent/agents/iris/memory/MEMORY.md": "Mara prefers short answers\n",
    ".duragent/agents/iris/memory/daily/2026-02-16.md": "# 2026-02-16\n\n## 09:30\n\nHelped\n",
}
AGENTIX: Folder = {
    ".agentix/memories/user_preferences.md": "- dark mode\n",
    ".agentix/agent-memory/iris/sources.md": "- a good atlas\n",
    ".agentix/agent-memory-local/iris/machine.md": "- the printer is slow\n",
}
CLAUDE: Folder = {
    "CLAUDE.md": "# Project\n\n- Use pnpm\n@docs/style.md\n@../outside.md\n`@docs/not.md`\n",
    "docs/style.md": "- Short lines\n",
    "docs/not.md": "- Not told\n",
    "CLAUDE.local.md": "- My own port is 5000\n",
}
CLAUDE_MEMORY: Folder = {
    ".claude/projects/-srv-app/memory/MEMORY.md": "# Memory index\n\n- [Testing](feedback_testing.md)\n",
    ".claude/projects/-srv-app/memory/feedback_testing.md": "---\nname: testing\ntype: feedback\n---\nReal ones.\n",
}
PLAIN: Folder = {"notes.md": "# Notes\n", "journal/2026-02-20.md": "# 2026-02-20\n\n## 08:00\n\nWoke.\n"}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = open_engine(Desk(tmp_path / "desk"), clock=now)
    yield opened
    opened.close()


def opened(engine: Engine, tmp_path: Path, files: Folder) -> Path:
    """These files on the disk, and brought in from where they lie."""
    root = tmp_path / "home"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    take(engine, root)
    return root


def bytes_of(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def workspaces(engine: Engine) -> dict[str, Workspace]:
    with engine.store.reading() as db:
        return {Path(each.path).as_posix(): each for each in records.find(db, WORKSPACE)}


def only(engine: Engine, layout: str, agent: str | None = None) -> Workspace:
    (found,) = [
        each
        for each in workspaces(engine).values()
        if each.layout == layout and agent in (None, each.agent_id)
    ]
    return found


def document(engine: Engine, workspace: Workspace, path: str) -> Document:
    with engine.store.reading() as db:
        (found,) = records.find(db, DOCUMENT, workspace_id=workspace.id, path=path)
    assert isinstance(found, Document)
    return found


SYSTEMS = [
    pytest.param(
        AGENTICX,
        "AgenticX",
        "iris",
        f"memory/{DAY}.md",
        f"# Daily Memory\n\n- Date: {DAY}\n- Notes:\n  - Rained\n",
        "MEMORY.md",
        id="AgenticX",
    ),
    pytest.param(
        OPENLEGION,
        "OpenLegion",
        "iris",
        "memory/2026-03-01.md",
        "- [09:00] Began\n- [14:03] Rained\n",
        "MEMORY.md",
        id="OpenLegion",
    ),
    pytest.param(
        OPENCLAW, "OpenClaw", "iris", f"memory/{DAY}.md", f"# {DAY}\n\nRained\n", "MEMORY.md", id="OpenClaw"
    ),
    pytest.param(
        AGNX, "agnx", "iris", f"daily/{DAY}.md", f"# {DAY}\n\n## {TIME}\n\nRained\n", "MEMORY.md", id="agnx"
    ),
    pytest.param(
        DURAGENT,
        "duragent",
        "iris",
        f"memory/daily/{DAY}.md",
        f"# {DAY}\n\n## {TIME}\n\nRained\n",
        "memory/MEMORY.md",
        id="duragent",
    ),
    pytest.param(
        PLAIN,
        "folder",
        None,
        f"journal/{DAY}.md",
        f"# {DAY}\n\n## {TIME}\n\nRained\n",
        "notes.md",
        id="markdown",
    ),
]


@pytest.mark.parametrize(("files", "layout", "agent", "day", "text", "curated"), SYSTEMS)
def test_a_day_and_a_curated_edit_change_nothing_else(
    engine: Engine, tmp_path: Path, files: Folder, layout: str, agent: str, day: str, text: str, curated: str
) -> None:
    root = opened(engine, tmp_path, files)
    before = bytes_of(root)
    assert before == {name: told.encode() for name, told in files.items()}
    home = only(engine, layout, agent)
    folder = Path(home.path).relative_to(root)
    wrote = write_day(engine, WriteDay(text="Rained", workspace_id=home.id, at=AT), author=MARA)
    assert (wrote.path, wrote.document_id) == (day, document(engine, home, day).id)
    told = documents.read(engine, ReadFile(document_id=document(engine, home, curated).id))
    writing.replace(
        engine, told.document_id, told.text + "\n- New\n", base_hash=told.content_hash, author=MARA
    )
    after = bytes_of(root)
    where = (folder / day).as_posix()
    assert after.pop(where) == text.encode()
    before.pop(where, None)
    edited = (folder / curated).as_posix()
    assert after.pop(edited) == before.pop(edited) + b"\n- New\n"
    assert after == before


@pytest.mark.parametrize(
    ("files", "layout"), [(AGENTIX, "Agentix"), (CLAUDE, "Claude Code"), (CLAUDE_MEMORY, "Claude Code")]
)
def test_a_system_without_days_says_so_and_its_files_are_kept_to_the_byte(
    engine: Engine, tmp_path: Path, files: Folder, layout: str
) -> None:
    root = opened(engine, tmp_path, files)
    found = [each for each in workspaces(engine).values() if each.layout == layout]
    assert found and bytes_of(root) == {name: told.encode() for name, told in files.items()}
    with pytest.raises(Refused, match=f"{layout} keeps no day files"):
        write_day(engine, WriteDay(text="Rained", workspace_id=found[0].id), author=MARA)
    assert bytes_of(root) == {name: told.encode() for name, told in files.items()}


def test_each_system_isolates_its_own(engine: Engine, tmp_path: Path) -> None:
    root = opened(engine, tmp_path, {**AGENTICX, **AGNX, **AGENTIX})
    found = {
        Path(path).relative_to(root).as_posix(): (each.layout, each.agent_id, each.channel)
        for path, each in workspaces(engine).items()
    }
    assert found == {
        ".agenticx/workspace": ("AgenticX", "agenticx", "agenticx"),
        ".agenticx/avatars/iris/workspace": ("AgenticX", "iris", "iris"),
        ".agenticx/groups/crew/workspace": ("AgenticX", "group_crew", "crew"),
        ".agnx/memory/world": ("agnx world", None, "_global"),
        ".agnx/memory/agents/iris": ("agnx", "iris", "iris"),
        ".agentix/memories": ("Agentix", "home", "home"),
        ".agentix/agent-memory/iris": ("Agentix", "iris", "home"),
        ".agentix/agent-memory-local/iris": ("Agentix", "iris", "home"),
    }
    told = {row.layout: row.why for row in documents.list_workspaces(engine).rows}
    assert told["agnx"] == "it lies in memory/agents and holds MEMORY.md or daily"
    assert told["Agentix"].startswith("it is") and all(told.values())


def test_what_agentix_keeps_for_all_projects_is_global(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    (tmp_path / "home" / ".agentix").mkdir(parents=True)
    root = tmp_path / "home" / ".agentix" / "agent-memory" / "iris"
    root.mkdir(parents=True)
    (root / "sources.md").write_text("- a good atlas\n")
    take(engine, root)
    assert only(engine, "Agentix").channel == "_global"


def test_agentix_keeps_memory_in_files_of_any_name(engine: Engine, tmp_path: Path) -> None:
    kept = {".agentix/memories/deep/port.txt": "5432\n", ".agentix/memories/plain": "tea\n"}
    root = opened(engine, tmp_path, {**AGENTIX, **kept})
    (root / ".agentix/memories/later.yaml").write_text("boats: 2\n")
    assert outside_edits.take_in_changes(engine, [root / ".agentix/memories/later.yaml"]) == {"found": 1}
    with engine.store.reading() as db:
        home = only(engine, "Agentix", "home")
        paths = {each.path for each in records.find(db, DOCUMENT, workspace_id=home.id)}
    assert paths == {"user_preferences.md", "deep/port.txt", "plain", "later.yaml"}


def test_an_agent_writes_into_its_own_workspace_and_no_other(engine: Engine, tmp_path: Path) -> None:
    opened(engine, tmp_path, AGENTICX)
    wrote = write_day(engine, WriteDay(text="Rained", at=AT), author=IRIS)
    assert document(engine, only(engine, "AgenticX", "iris"), wrote.path).agent_id == "iris"
    other = only(engine, "AgenticX", "agenticx")
    for ask in (WriteDay(text="x", workspace_id=other.id), WriteDay(text="x", agent_id="agenticx")):
        with pytest.raises(NotAllowed):
            write_day(engine, ask, author=IRIS)
    with pytest.raises(NotFound, match="forge has no workspace"):
        write_day(engine, WriteDay(text="x"), author="agent:forge")
    with pytest.raises(BadAsk, match="Several workspaces"):
        write_day(engine, WriteDay(text="x"), author=MARA)


def test_a_retried_entry_is_written_once_and_an_undone_day_is_gone(engine: Engine, tmp_path: Path) -> None:
    root = opened(engine, tmp_path, AGNX)
    ask = WriteDay(text="Rained", at=AT, retry_key="call-1")
    first, again = (write_day(engine, ask, author=IRIS) for _ in range(2))
    assert (again.change, again.repeated, first.repeated) == (first.change, True, False)
    path = root / ".agnx/memory/agents/iris/daily" / f"{DAY}.md"
    assert path.read_text() == f"# {DAY}\n\n## {TIME}\n\nRained\n"
    undo(engine, Undo(change=first.change), author=IRIS)
    assert not path.exists()


def test_a_second_entry_stands_under_the_first_and_an_empty_file_gets_its_heading(
    engine: Engine, tmp_path: Path
) -> None:
    root = opened(engine, tmp_path, AGNX)
    path = root / ".agnx/memory/agents/iris/daily" / f"{DAY}.md"
    path.write_text("")
    for text in ("A", "B"):
        write_day(engine, WriteDay(text=text, at=AT), author=IRIS)
    assert path.read_text() == f"# {DAY}\n\n## {TIME}\n\nA\n\n## {TIME}\n\nB\n"


def test_a_day_that_is_full_is_refused_and_stays(engine: Engine, tmp_path: Path) -> None:
    root = opened(engine, tmp_path, AGENTICX)
    with pytest.raises(Refused, match="8,000 characters"):
        write_day(engine, WriteDay(text="x" * 8_000, at=AT), author=IRIS)
    assert not (root / ".agenticx/avatars/iris/workspace/memory").exists()


def test_agnx_recalls_world_memory_and_days_in_its_very_bytes(engine: Engine, tmp_path: Path) -> None:
    opened(engine, tmp_path, AGNX)
    today = to_datetime(now()).astimezone()
    write_day(engine, WriteDay(text="A", at=today), author=IRIS)
    day, time = today.date().isoformat(), f"{today:%H:%M}"
    told = recent(engine, AskPrompt(), author=IRIS)
    assert told.text == (
        "# World Knowledge\n\n## Systems\n\n## Production\n- DB: PostgreSQL\n\n## people\n\nAlice - Role: Engineer"
        "\n\n---\n\n# Your Memory\n\nMara prefers short answers"
        f"\n\n---\n\n# Recent Experiences\n\n# {day}\n\n## {time}\n\nA\n"
    )


def test_openlegion_reads_its_days_newest_first(engine: Engine, tmp_path: Path) -> None:
    opened(engine, tmp_path, OPENLEGION)
    today = to_datetime(now())
    write_day(engine, WriteDay(text="A", at=today), author=MARA)
    told = recent(engine, AskPrompt(agent_id="iris"), author=MARA)
    assert told.text == f"## Session Log: {today.date()}\n\n- [{today:%H:%M}] A\n"


# OpenLegion's learnings, bootstrap and standing files.


def learn(engine: Engine, kind: str, subject: str, text: str, context: str = "") -> None:
    session_notes.record(
        engine, RecordLearning(kind=kind, subject=subject, text=text, context=context), author=IRIS
    )


def test_errors_and_corrections_are_kept_in_openlegions_lines(engine: Engine, tmp_path: Path) -> None:
    root = opened(engine, tmp_path, OPENLEGION) / "iris" / "learnings"
    at = f"{to_datetime(now()):%Y-%m-%d %H:%M}"
    learn(engine, "error", "exec", "Command not found: foo", "Tried foo")
    learn(engine, "correction", "I used JSON " + "x" * 300, "No, please use YAML")
    assert (root / "errors.md").read_text() == OPENLEGION["iris/learnings/errors.md"] + (
        f"- [{at}] **exec**: Command not found: foo\n  Context: Tried foo\n"
    )
    original = ("I used JSON " + "x" * 300)[:200]
    assert (root / "corrections.md").read_text() == (
        f"- [{at}] Original: {original}\n  Correction: No, please use YAML\n"
    )
    told = session_notes.learnings_section(engine, AskPrompt(), author=IRIS)
    assert told.text.index("## Recent Errors (avoid repeating)") < told.text.index(
        "## User Corrections (follow these)"
    )


def test_learnings_rotate_and_a_prompt_gets_the_last_lines(engine: Engine, tmp_path: Path) -> None:
    root = opened(engine, tmp_path, OPENLEGION) / "iris" / "learnings"
    lines = [f"- [2026-02-20 14:05] **exec**: error number {n:05}\n" for n in range(1_001)]
    (root / "errors.md").write_text("".join(lines))
    learn(engine, "error", "exec", "the newest")
    kept = (root / "errors.md").read_text().splitlines(keepends=True)
    assert kept[:-1] == lines[500:] and "the newest" in kept[-1]
    told = session_notes.learnings_section(engine, AskPrompt(), author=IRIS).text
    assert told.count("\n- ") == 20 and "the newest" in told and "01000" in told and "00981" not in told


def test_a_prompts_learnings_end_at_their_limit(engine: Engine, tmp_path: Path) -> None:
    opened(engine, tmp_path, OPENLEGION)
    for n in range(20):
        learn(engine, "error", "exec", f"{n} " + "x" * 400)
        learn(engine, "correction", f"{n} " + "y" * 400, "Say it")
    told = session_notes.learnings_section(engine, AskPrompt(), author=IRIS)
    assert len(told.text) == 3_000
    assert [part.shown for part in told.parts] == [3_000 - told.text.index("\n\n") - 2, 0]


@pytest.mark.parametrize(
    ("message", "holds"),
    [
        ("No, use YAML", True),
        ("  ACTUALLY, blue", True),
        ("Fix: the title", True),
        ("not now", False),
        ("I know", False),
    ],
)
def test_a_correction_is_known_by_how_it_begins(message: str, holds: bool) -> None:
    assert session_notes.is_correction(message) == holds


def test_a_session_of_openlegion_begins_with_its_files_cut_at_their_budgets(
    engine: Engine, tmp_path: Path
) -> None:
    files = {
        **OPENLEGION,
        "iris/SOUL.md": "s" * 4_001,
        "iris/MEMORY.md": "m" * 15_000,
        "iris/PROJECT.md": "p" * 22_000,
    }
    opened(engine, tmp_path, files)
    told = bootstrap(engine, AskPrompt(), author=IRIS)
    tail = "\n\n... (truncated, use memory_search for full content)"
    assert [part.path for part in told.parts] == [
        "PROJECT.md",
        "AGENTS.md",
        "SOUL.md",
        "USER.md",
        "MEMORY.md",
    ]
    assert told.text.startswith("p" * 22_000 + "\n\n---\n\n# Agent Instructions")
    assert "s" * 4_000 + tail in told.text and "s" * 4_001 not in told.text
    assert len(told.text) == len(told.text.strip()) == 40_000 + len(tail)
    assert told.parts[-1].shown == 40_000 - told.text.index("m" * 100)
    assert told.parts[2].shown == 4_000 < told.parts[2].size


def test_claude_codes_chain_follows_imports_inside_the_folder(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "person")
    root = opened(engine, tmp_path, CLAUDE)
    (tmp_path / "outside.md").write_text("- secret\n")
    told = bootstrap(engine, AskPrompt(workspace_id=only(engine, "Claude Code").id), author=MARA)
    assert [Path(part.path).name for part in told.parts] == ["CLAUDE.md", "style.md", "CLAUDE.local.md"]
    assert "Use pnpm" in told.text and "Short lines" in told.text
    assert "secret" not in told.text and "Not told" not in told.text
    assert str(root) in told.text


def test_a_file_of_the_persons_own_is_imported_though_their_home_is_a_link(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "disk" / ".claude").mkdir(parents=True)
    (tmp_path / "disk" / ".claude" / "own.md").write_text("- Speak plainly\n")
    (tmp_path / "person").symlink_to(tmp_path / "disk")
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    opened(engine, tmp_path / "code", {**CLAUDE, "CLAUDE.md": "# Project\n\n@~/.claude/own.md\n"})
    told = bootstrap(engine, AskPrompt(workspace_id=only(engine, "Claude Code").id), author=MARA)
    assert "Speak plainly" in told.text


def test_claude_codes_memory_is_told_by_its_first_lines(engine: Engine, tmp_path: Path) -> None:
    index = "".join(f"- line {n}\n" for n in range(300))
    opened(engine, tmp_path, {**CLAUDE_MEMORY, ".claude/projects/-srv-app/memory/MEMORY.md": index})
    told = bootstrap(engine, AskPrompt(workspace_id=only(engine, "Claude Code").id), author=MARA)
    assert "- line 199" in told.text and "- line 200" not in told.text


def test_a_standing_file_is_written_whole_with_a_backup_and_the_day_tells(
    engine: Engine, tmp_path: Path
) -> None:
    root = opened(engine, tmp_path, OPENLEGION) / "iris"
    wrote = rewrite(engine, RewriteFile(path="HEARTBEAT.md", text="# Heartbeat Rules\n"), author=IRIS)
    assert (root / "HEARTBEAT.md").read_text() == "# Heartbeat Rules\n"
    (backup,) = (root / "backups").iterdir()
    assert backup.read_text() == OPENLEGION["iris/HEARTBEAT.md"] and backup.name.startswith("HEARTBEAT.md.20")
    assert (root / wrote.path).read_text().endswith("Updated workspace file: HEARTBEAT.md\n")
    for n in range(BACKUPS_KEPT + 3):
        rewrite(engine, RewriteFile(path="HEARTBEAT.md", text=f"{n}\n"), author=IRIS)
    assert len(list((root / "backups").iterdir())) == BACKUPS_KEPT


@pytest.mark.parametrize(
    ("path", "text", "error", "says"),
    [
        (
            "SOUL.md",
            "x",
            NotAllowed,
            r"Cannot update SOUL\.md\. Agents can only update: HEARTBEAT\.md, USER\.md",
        ),
        ("../x", "x", NotAllowed, "Cannot update"),
        ("USER.md", "x" * 32_001, Refused, "32,000"),
    ],
)
def test_other_files_are_not_an_agents_to_rewrite(
    engine: Engine, tmp_path: Path, path: str, text: str, error: type[MemDeskError], says: str
) -> None:
    root = opened(engine, tmp_path, OPENLEGION)
    before, known = bytes_of(root), changes(engine)
    with pytest.raises(error, match=says):
        rewrite(engine, RewriteFile(path=path, text=text), author=IRIS)
    assert bytes_of(root) == before and changes(engine) == known
