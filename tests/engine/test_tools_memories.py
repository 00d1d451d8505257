"""Anthropic's memory tool on a real desk: both dialects to the letter, every write kept, undone, and recalled."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.api.tools.tool import misfits
from memdesk.api.tools.toolsets import toolset
from memdesk.engine.engine import Engine
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.toolsets.agent_folders import folder_of
from memdesk.engine.toolsets.anthropic_tools import size_text
from memdesk.engine.toolsets.toolset import carry_out
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.engine.undo import undo
from memdesk.engine.workspace import disk, documents, placing
from memdesk.files import reading
from memdesk.model.curation import Undo
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.recall import Query
from memdesk.model.tools import ToolAnswer, ToolCall, ToolPlace
from memdesk.model.workspace import ReadFile
from memdesk.store import document_versions, records
from tests.effort import examples

TEXT = "# Tea\nMara drinks green tea\nnever coffee\n"


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0B"), (1_023, "1023B"), (1_536, "1.5K"), (1_048_575, "1.0M"), (1_048_576, "1M"), (2**40, "1024G")],
)
def test_a_size_is_told_in_the_unit_that_makes_it_short(size: int, text: str) -> None:
    assert size_text(size) == text


def asked(
    engine: Engine, command: str, *, agent: str = "forge", dialect: str | None = None, **more: Any
) -> ToolAnswer:
    tool = toolset("anthropic").tools[0]
    arguments = {"command": command, **more}
    call = ToolCall(
        agent=agent, author=f"agent:{agent}", place=ToolPlace(dialect=dialect), arguments=arguments
    )
    return carry_out(engine, WORKING["anthropic"], tool.name, call, misfits(tool, arguments))


def says(engine: Engine, command: str, **more: Any) -> str:
    said = asked(engine, command, **more)
    assert not said.is_error, said.text
    return said.text


def fails(engine: Engine, command: str, **more: Any) -> str:
    said = asked(engine, command, **more)
    assert said.is_error and said.change is None, said.text
    return said.text


def folder(engine: Engine, agent: str = "forge") -> Path:
    return engine.desk.workspaces / folder_of(agent) / "memories"


@pytest.fixture
def kept(engine: Engine) -> Engine:
    says(engine, "create", path="/memories/notes/tea.md", file_text=TEXT)
    return engine


def test_a_file_is_created_viewed_and_listed(kept: Engine) -> None:
    assert says(kept, "view", path="/memories/notes/tea.md") == (
        "Here's the content of /memories/notes/tea.md with line numbers:\n"
        "     1\t# Tea\n     2\tMara drinks green tea\n     3\tnever coffee\n     4\t"
    )
    assert says(kept, "view", path="/memories/notes/tea.md", view_range=[2, 2]).endswith(
        "numbers:\n     2\tMara drinks green tea"
    )
    assert says(kept, "view", path="/memories/notes/tea.md", view_range=[3, -1]).endswith(
        "3\tnever coffee\n     4\t"
    )
    head, root, notes, tea = says(kept, "view", path="/memories").split("\n")
    assert head == (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:"
    )
    assert root.endswith("\t/memories") and notes.endswith("\t/memories/notes/")
    assert tea == f"{len(TEXT)}B\t/memories/notes/tea.md"
    assert (folder(kept) / "notes" / "tea.md").read_text() == TEXT
    assert (folder(kept) / "notes" / "tea.md").stat().st_mode & 0o777 == 0o600


def test_hidden_items_packages_and_what_lies_deeper_are_not_listed(kept: Engine) -> None:
    for path in (".secret.md", "node_modules/x.md", "a/b/c.md", "x.bin"):
        says(kept, "create", path=f"/memories/{path}", file_text="1")
    listed = says(kept, "view", path="/memories")
    assert "/memories/a/b/" in listed and "x.bin" in listed
    assert all(name not in listed for name in ("secret", "node_modules/x", "c.md"))
    python = says(kept, "view", path="/memories", dialect="python")
    assert "node_modules/x.md" in python and python.split("\n")[0].endswith("excluding hidden items:")


def test_a_replacement_shows_its_surroundings_and_ambiguity_is_refused(kept: Engine) -> None:
    said = says(kept, "str_replace", path="/memories/notes/tea.md", old_str="green", new_str="white")
    head, *lines = said.split("\n")
    assert head == "The memory file has been edited."
    assert lines == ["     1\t# Tea", "     2\tMara drinks white tea", "     3\tnever coffee", "     4\t"]
    missing = fails(kept, "str_replace", path="/memories/notes/tea.md", old_str="green", new_str="x")
    assert missing == (
        "No replacement was performed, old_str `green` did not appear verbatim in /memories/notes/tea.md."
    )
    many = fails(kept, "str_replace", path="/memories/notes/tea.md", old_str="e", new_str="x")
    assert many.startswith(
        "No replacement was performed. Multiple occurrences of old_str `e` in lines: 1, 2, 2, 3"
    )
    assert many.endswith("Please ensure it is unique")


def test_lines_are_inserted_where_they_are_wanted(kept: Engine) -> None:
    path = "/memories/notes/tea.md"
    assert (
        says(kept, "insert", path=path, insert_line=0, insert_text="first\n")
        == f"The file {path} has been edited."
    )
    says(kept, "insert", path=path, insert_line=4, insert_text="last")
    assert (folder(kept) / "notes" / "tea.md").read_text() == f"first\n{TEXT}last\n"
    assert fails(kept, "insert", path=path, insert_line=9, insert_text="x") == (
        "Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 5]"
    )


@pytest.mark.parametrize(
    ("command", "more", "docs", "python"),
    [
        (
            "view",
            {"path": "/memories/x"},
            *["The path /memories/x does not exist. Please provide a valid path."] * 2,
        ),
        (
            "create",
            {"path": "/memories/notes/tea.md", "file_text": ""},
            "Error: File /memories/notes/tea.md already exists",
            "File /memories/notes/tea.md already exists",
        ),
        (
            "str_replace",
            {"path": "/memories/x", "old_str": "a", "new_str": "b"},
            "Error: The path /memories/x does not exist. Please provide a valid path.",
            "The path /memories/x does not exist. Please provide a valid path.",
        ),
        (
            "str_replace",
            {"path": "/memories/notes", "old_str": "a", "new_str": "b"},
            "Error: The path /memories/notes does not exist. Please provide a valid path.",
            "The path /memories/notes is not a file.",
        ),
        (
            "insert",
            {"path": "/memories/x", "insert_line": 0, "insert_text": "a"},
            "Error: The path /memories/x does not exist",
            "The path /memories/x does not exist. Please provide a valid path.",
        ),
        (
            "insert",
            {"path": "/memories/notes", "insert_line": 0, "insert_text": "a"},
            "Error: The path /memories/notes does not exist",
            "The path /memories/notes is not a file.",
        ),
        (
            "delete",
            {"path": "/memories/x"},
            "Error: The path /memories/x does not exist",
            "The path /memories/x does not exist",
        ),
        ("delete", {"path": "/memories/"}, *["Cannot delete the /memories directory itself"] * 2),
        (
            "rename",
            {"old_path": "/memories/x", "new_path": "/memories/y"},
            "Error: The path /memories/x does not exist",
            "The path /memories/x does not exist",
        ),
        (
            "rename",
            {"old_path": "/memories/notes/tea.md", "new_path": "/memories/notes"},
            "Error: The destination /memories/notes already exists",
            "The destination /memories/notes already exists",
        ),
        (
            "rename",
            {"old_path": "/memories", "new_path": "/memories/y"},
            *["Cannot rename the /memories directory itself"] * 2,
        ),
        (
            "create",
            {"path": "/memories/notes/tea.md/x", "file_text": ""},
            "Error: The path /memories/notes/tea.md is not a directory",
            "The path /memories/notes/tea.md is not a directory",
        ),
        ("view", {"path": "/etc/passwd"}, *["Path must start with /memories, got: /etc/passwd"] * 2),
        ("view", {"path": "/memoriesX"}, *["Path must start with /memories, got: /memoriesX"] * 2),
        ("view", {}, *["Error: Parameter `path` is required for command: view"] * 2),
    ],
)
def test_errors_are_worded_as_each_dialect_words_them(
    kept: Engine, command: str, more: dict[str, Any], docs: str, python: str
) -> None:
    assert fails(kept, command, **more) == docs
    assert fails(kept, command, dialect="python", **more) == python


@pytest.mark.parametrize(
    "path", ["../x", "..\\x", "%2e%2e%2fx", "a/../../x", "\u202ex", "a\nb", "con", "x" * 300]
)
def test_a_path_that_leads_elsewhere_is_refused_by_every_command(kept: Engine, path: str) -> None:
    hostile = f"/memories/{path}"
    expected = f"Path {hostile} would escape /memories directory"
    calls: list[tuple[str, dict[str, Any]]] = [
        ("view", {"path": hostile}),
        ("create", {"path": hostile, "file_text": "x"}),
        ("str_replace", {"path": hostile, "old_str": "a", "new_str": "b"}),
        ("insert", {"path": hostile, "insert_line": 0, "insert_text": "x"}),
        ("delete", {"path": hostile}),
        ("rename", {"old_path": hostile, "new_path": "/memories/y"}),
        ("rename", {"old_path": "/memories/notes/tea.md", "new_path": hostile}),
    ]
    for command, more in calls:
        assert fails(kept, command, **more) == expected, command


def test_links_lead_nowhere_whatever_is_asked(kept: Engine, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (folder(kept) / "out").symlink_to(outside)
    os.link(outside / "secret.md", folder(kept) / "hard.md")
    for path in ("/memories/out", "/memories/out/secret.md", "/memories/hard.md", "/memories/out/new.md"):
        for command, more in (
            ("view", {}),
            ("delete", {}),
            ("create", {"file_text": "x"}),
            ("str_replace", {"old_str": "secret", "new_str": "x"}),
            ("insert", {"insert_line": 0, "insert_text": "x"}),
        ):
            assert fails(kept, command, path=path, **more) == f"Path {path} would escape /memories directory"
        moved = fails(kept, "rename", old_path="/memories/notes/tea.md", new_path=path)
        assert moved == f"Path {path} would escape /memories directory"
    assert [each.name for each in outside.iterdir()] == ["secret.md"]
    assert (outside / "secret.md").read_text() == "secret"


COMMANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("view", {"path": "/memories/notes/tea.md"}),
    ("str_replace", {"path": "/memories/notes/tea.md", "old_str": "secret", "new_str": "x"}),
    ("insert", {"path": "/memories/notes/tea.md", "insert_line": 0, "insert_text": "x"}),
    ("delete", {"path": "/memories/notes/tea.md"}),
    ("rename", {"old_path": "/memories/notes/tea.md", "new_path": "/memories/tea.md"}),
    ("create", {"path": "/memories/notes/new.md", "file_text": "x"}),
)


@pytest.mark.parametrize(("command", "more"), COMMANDS)
def test_a_folder_swapped_for_a_link_between_its_judging_and_its_use_leads_nowhere(
    kept: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, more: dict[str, Any]
) -> None:
    outside, notes = tmp_path / "outside", folder(kept) / "notes"
    outside.mkdir()
    (outside / "tea.md").write_text("secret")
    judge = reading.real_within

    def judged(root: Path, name: str) -> Path:
        found = judge(root, name)
        if not notes.is_symlink():
            notes.rename(folder(kept) / "was")
            notes.symlink_to(outside)
        return found

    for room in (disk, placing):
        monkeypatch.setattr(room, "real_within", judged)
    assert "secret" not in fails(kept, command, **more)
    assert [each.name for each in outside.iterdir()] == ["tea.md"]
    assert (outside / "tea.md").read_text() == "secret"


def test_every_command_is_undone_by_its_own_number(kept: Engine) -> None:
    def there() -> dict[str, str]:
        files = (path for path in folder(kept).rglob("*") if path.is_file())
        return {str(path.relative_to(folder(kept))): path.read_text() for path in files}

    calls: list[tuple[str, dict[str, Any]]] = [
        ("create", {"path": "/memories/new/plan.md", "file_text": "1\n"}),
        ("str_replace", {"path": "/memories/notes/tea.md", "old_str": "green", "new_str": "white"}),
        ("insert", {"path": "/memories/notes/tea.md", "insert_line": 1, "insert_text": "x"}),
        ("rename", {"old_path": "/memories/notes/tea.md", "new_path": "/memories/drinks/tea.md"}),
        ("rename", {"old_path": "/memories/notes", "new_path": "/memories/kept/notes"}),
        ("delete", {"path": "/memories/notes/tea.md"}),
        ("delete", {"path": "/memories/notes"}),
    ]
    for command, more in calls:
        before = there()
        said = asked(kept, command, **more)
        assert said.change is not None and there() != before, (command, said.text)
        undone = undo(kept, Undo(change=said.change), author="person:Mara")
        assert there() == before, command
        redone = undo(kept, Undo(change=undone.change), author="person:Mara")
        assert there() != before, command
        undo(kept, Undo(change=redone.change), author="person:Mara")


def test_a_folder_goes_and_moves_whole_and_its_versions_stay(kept: Engine) -> None:
    says(kept, "create", path="/memories/notes/deep/more.md", file_text="more\n")
    assert says(kept, "rename", old_path="/memories/notes", new_path="/memories/old/notes") == (
        "Successfully renamed /memories/notes to /memories/old/notes"
    )
    assert (folder(kept) / "old" / "notes" / "deep" / "more.md").read_text() == "more\n"
    assert says(kept, "delete", path="/memories/old") == "Successfully deleted /memories/old"
    assert list(folder(kept).iterdir()) == []
    with kept.store.reading() as db:
        found = records.find(db, DOCUMENT)
        assert all(each.retired_at is not None for each in found) and len(found) == 2
        assert document_versions.versions_of(db, found[0].id)
    says(kept, "create", path="/memories/old/notes/tea.md", file_text="anew\n")
    assert (folder(kept) / "old" / "notes" / "tea.md").read_text() == "anew\n"


def test_a_folder_with_what_is_no_text_stays(kept: Engine) -> None:
    (folder(kept) / "notes" / "photo.png").write_bytes(b"\x89PNG\0\0")
    assert "photo.png holds NUL bytes" in fails(kept, "delete", path="/memories/notes")
    assert (folder(kept) / "notes" / "tea.md").read_text() == TEXT


def test_a_file_that_is_no_text_is_named_as_that_whatever_is_asked(kept: Engine) -> None:
    (folder(kept) / "raw.md").write_bytes(b"a\0b")
    for command, more in (
        ("view", {"path": "/memories/raw.md"}),
        ("delete", {"path": "/memories/raw.md"}),
        ("rename", {"old_path": "/memories/raw.md", "new_path": "/memories/new.md"}),
    ):
        assert fails(kept, command, **more).startswith("Error: raw.md holds NUL bytes")


def test_what_a_person_writes_outside_is_seen_kept_and_edited_on(kept: Engine) -> None:
    file = folder(kept) / "notes" / "tea.md"
    file.write_text(TEXT + "by hand\n")
    (folder(kept) / "mine.md").write_text("mine\n")
    assert "by hand" in says(kept, "view", path="/memories/notes/tea.md")
    says(kept, "str_replace", path="/memories/mine.md", old_str="mine", new_str="ours")
    says(kept, "str_replace", path="/memories/notes/tea.md", old_str="by hand", new_str="by two hands")
    assert file.read_text() == TEXT + "by two hands\n"
    with kept.store.reading() as db:
        id = next(each.id for each in records.find(db, DOCUMENT) if each.path == "notes/tea.md")
    told = documents.read(kept, ReadFile(document_id=id))
    assert [each.author for each in told.versions] == ["agent:forge", "outside", "agent:forge"]
    file.unlink()
    says(kept, "create", path="/memories/notes/tea.md", file_text="again\n")
    assert file.read_text() == "again\n"


def test_a_file_keeps_its_line_ends_and_its_missing_final_newline(kept: Engine) -> None:
    file = folder(kept) / "windows.md"
    file.write_bytes(b"one\r\ntwo\r\nthree")
    says(kept, "str_replace", path="/memories/windows.md", old_str="one\ntwo", new_str="one\n2")
    says(kept, "insert", path="/memories/windows.md", insert_line=2, insert_text="2.5\n")
    assert file.read_bytes() == b"one\r\n2\r\n2.5\r\nthree"


def test_edits_of_one_file_at_once_are_all_kept(kept: Engine) -> None:
    def write(number: int) -> None:
        says(
            kept,
            "insert",
            path="/memories/notes/tea.md",
            insert_line=number % 3,
            insert_text=f"line {number}",
        )

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(write, range(40)))
    lines = (folder(kept) / "notes" / "tea.md").read_text().splitlines()
    assert sorted(lines) == sorted([*TEXT.splitlines(), *(f"line {number}" for number in range(40))])


def test_each_agent_has_a_folder_of_its_own_however_alike_their_names(engine: Engine) -> None:
    names = ["forge", "Forge", "forge!", "f/orge", "../forge", "锻造", "锻 造", "a" * 150, "a" * 151]
    for name in names:
        says(engine, "create", agent=name, path="/memories/me.md", file_text=name)
    for name in names:
        assert says(engine, "view", agent=name, path="/memories/me.md").endswith(f"1\t{name}")
    assert len(list(engine.desk.workspaces.iterdir())) == len(names)


def test_memory_files_are_a_workspace_that_recall_searches(kept: Engine) -> None:
    with kept.store.reading() as db:
        (found,) = records.find(db, WORKSPACE)
    assert (found.layout, found.agent_id, found.channel) == ("Anthropic memory", "forge", "forge")
    hits = recall(
        kept, Query(text="green tea", channel="forge", kinds=("passage",)), author="agent:forge"
    ).hits
    assert hits and "green tea" in hits[0].text


FILES = st.sampled_from(["/memories/a/b.md", "/memories/c.md"])
PATHS = st.sampled_from(["/memories", "/memories/a", "/memories/a/b.md", "/memories/c.md"])
TEXTS = st.sampled_from(["x\ny\nx\n", "", "one line\n"])
OLD, NEW = st.sampled_from(["x", "y", "one", "z"]), st.sampled_from(["y", "new\nlines", ""])
TARGETS = st.sampled_from(["/memories/d", "/memories/a/b.md", "/memories/c.md"])
INSERTED = st.sampled_from(["ins", "two\nlines\n"])


def step(command: str, **fields: Any) -> Any:
    return st.fixed_dictionaries({"command": st.just(command), **fields})


STEPS = st.one_of(
    step("view", path=PATHS),
    step("delete", path=PATHS),
    step("create", path=FILES, file_text=TEXTS),
    step("str_replace", path=PATHS, old_str=OLD, new_str=NEW),
    step("insert", path=FILES, insert_line=st.integers(0, 4), insert_text=INSERTED),
    step("rename", old_path=PATHS, new_path=TARGETS),
)


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=3, max_size=9))
def test_the_python_dialect_says_what_the_sdks_own_tool_says(
    engine: Engine, tmp_path: Path, steps: Any
) -> None:
    tools = pytest.importorskip("anthropic.lib.tools")
    memory = pytest.importorskip("anthropic.lib.tools._beta_builtin_memory_tool")
    run = f"run-{engine.clock()}"
    theirs = memory.BetaLocalFilesystemMemoryTool(str(tmp_path / run))
    for each in steps:
        try:
            expected, wrong = theirs.call(each), False
        except tools.ToolError as error:
            expected, wrong = str(error), True
        except OSError:
            return
        ours = asked(engine, agent=run, dialect="python", **each)
        assert (ours.text, ours.is_error) == (expected, wrong), steps
        if wrong and each["command"] == "rename":
            return  # Theirs has made the folder of the new path by then.
