"""AgenticX's hook keeps what a session brought: its gates, its caps, its bytes, and no line twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine, now
from memdesk.engine.memory.scratchpad import read_note
from memdesk.engine.opening import open_engine
from memdesk.engine.workspace.session_notes import compacted, facts_of, keep_session
from memdesk.files.places import Desk
from memdesk.model.errors import Refused
from memdesk.model.instant import to_datetime
from memdesk.model.working import FACTS, AskNote
from memdesk.model.workspace_files import KeepSession, SessionKept
from tests.fixtures.intake.worlds import take

IRIS = "agent:agenticx"
Message = dict[str, Any]


def user(content: str) -> Message:
    return {"role": "user", "content": content}


def agent(content: str) -> Message:
    return {"role": "assistant", "content": content}


TALK = (
    user("请帮我把数据库迁移到新的服务器上，并且在周五之前做完所有的检查和备份"),
    agent("已完成迁移，新服务器在 10.0.0.5。"),
    user("Please remember that the port is 5432"),
    agent("Noted, I will."),
    user("Could you also write the weekly report about the ingest?"),
    agent("The report is done and lies in reports/week9.md."),
)
LINES = (
    "- 用户请求: 请帮我把数据库迁移到新的服务器上，并且在周五之前做完所有的检查和备份",
    "- 完成事项: 已完成迁移，新服务器在 10.0.0.5。",
    "- 用户要求记住: Please remember that the port is 5432",
    "- 用户请求: Could you also write the weekly report about the ingest?",
    "- 完成事项: The report is done and lies in reports/week9.md.",
)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = open_engine(Desk(tmp_path / "desk"), clock=now)
    yield opened
    opened.close()


@pytest.fixture
def folder(engine: Engine, tmp_path: Path) -> Path:
    folder = tmp_path / ".agenticx" / "workspace"
    folder.mkdir(parents=True)
    (folder / "IDENTITY.md").write_text("# Identity\n")
    (folder / "MEMORY.md").write_text("x")
    take(engine, folder)
    return folder


def keep(engine: Engine, messages: tuple[Message, ...] = TALK) -> SessionKept:
    return keep_session(engine, KeepSession(messages=messages, session_id="s1"), author=IRIS)


def today() -> str:
    return to_datetime(now()).astimezone().date().isoformat()


def test_requests_wishes_and_outcomes_are_drawn_in_both_languages() -> None:
    assert facts_of(TALK) == LINES


@pytest.mark.parametrize(
    "message",
    [
        agent("We abandoned the idea of two servers."),
        agent("That is an unsuccessful attempt, sadly."),
        user("这是一个很重要的要求，大家都知道这一点，而且已经讨论过很多很多次了。"),
        user("please"),
        {"role": "tool", "content": "everything is done here"},
        {"role": "user", "content": [{"type": "text", "text": "please remember this"}]},
    ],
)
def test_words_inside_words_and_other_talk_are_no_cues(message: Message) -> None:
    assert facts_of((message,) * 6) == ()


def test_a_session_that_hardly_began_and_a_long_one_are_bounded() -> None:
    assert facts_of(TALK[:5]) == ()
    assert len(facts_of(tuple(user(f"Please remember number {n}") for n in range(30)))) == 8


def test_the_day_memory_and_scratchpad_get_the_lines_in_agenticxs_bytes(engine: Engine, folder: Path) -> None:
    kept = keep(engine)
    assert kept.facts == LINES and kept.day_change and kept.memory_change
    day = (folder / "memory" / f"{today()}.md").read_text()
    assert day == f"## Session Facts ({today()})\n" + "\n".join(LINES) + "\n\n"
    expected = f"x\n## Auto-extracted ({today()})\n" + "\n".join(LINES[:4]) + "\n"
    assert (folder / "MEMORY.md").read_text() == expected
    note = read_note(engine, AskNote(session_id="s1", key=FACTS), author=IRIS)
    assert note.value == "\n".join(LINES)


def test_the_same_session_kept_again_writes_nothing_twice(engine: Engine, folder: Path) -> None:
    keep(engine)
    before = (folder / "MEMORY.md").read_text().count("已完成迁移")
    again = keep(engine)
    assert again.day_change is None and before == 1
    memory = (folder / "MEMORY.md").read_text()
    assert all(memory.count(line) == 1 for line in LINES)
    note = read_note(engine, AskNote(session_id="s1", key=FACTS), author=IRIS)
    assert note.value == "\n".join(LINES)


def test_a_full_day_and_a_full_memory_stay_as_they_are(engine: Engine, folder: Path) -> None:
    (folder / "memory").mkdir()
    (folder / "memory" / f"{today()}.md").write_text("y" * 7_990)
    assert keep(engine).says.endswith("is full.")
    (folder / "memory" / f"{today()}.md").write_text("short\n")
    (folder / "MEMORY.md").write_text("z" * 4_000)
    kept = keep(engine)
    assert kept.day_change and kept.memory_change is None
    assert (folder / "MEMORY.md").read_text() == "z" * 4_000


def test_a_long_day_loses_repeated_lines_and_nothing_else(engine: Engine, folder: Path) -> None:
    alike = "- " + "a" * 90
    day = f"# Day\n\n{alike} one\n{alike} two\n  - nested\n{alike} ONE\ntext\ntext\n" + "- filler\n" * 250
    (folder / "memory").mkdir()
    (folder / "memory" / f"{today()}.md").write_text(day)
    keep(engine)
    told = (folder / "memory" / f"{today()}.md").read_text()
    assert told.startswith(
        f"# Day\n\n{alike} one\n{alike} two\n  - nested\ntext\ntext\n- filler\n## Session Facts"
    )
    assert compacted(told) == told


def test_another_systems_workspace_has_no_such_hook(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "agenticx"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n")
    take(engine, folder)
    with pytest.raises(Refused, match="has no such hook"):
        keep(engine)
