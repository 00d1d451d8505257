"""A real engine in a temporary folder, with a clock that a test can turn."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.opening import open_engine
from memdesk.engine.undo import latest_undo, undo
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.channel import LOCAL_USER
from memdesk.model.curation import Undo, Undone
from memdesk.model.instant import DAY
from memdesk.store.connection import Connection
from tests import postgres, statements

START = 1_750_000_000_000_000
statements.trace()
prepared_by_postgres = statements.prepared_by_postgres


class Clock:
    """Time that stands still until it is turned; every reading is a microsecond later, so order stays."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        self.at += 1
        return self.at

    def pass_days(self, days: float) -> None:
        self.at += round(days * DAY)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quote nothing, so that every claim is worded by a rule."""
    module = importlib.import_module("memdesk.engine.extraction.extract")
    monkeypatch.setattr(module, "claims_of", lambda turn, worded, scene: worded)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    # The sample of an ordinary run; `--postgres` runs all of them in PostgreSQL.
    if metafunc.definition.get_closest_marker("both"):
        metafunc.parametrize("engine", ("file", "postgresql"), indirect=True)


@pytest.fixture
def engine(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Engine]:
    desk = Desk(tmp_path / "desk")
    if getattr(request, "param", "file") == "postgresql":
        desk.folder.mkdir()
        desk.address_file.write_text(postgres.server().desk())
    opened = open_engine(desk, clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path: Path, clock: Clock) -> Iterator[Engine]:
    """A second desk, empty."""
    opened = open_engine(Desk(tmp_path / "other"), clock=clock)
    yield opened
    opened.close()


def stored_fact(engine: Engine, claim: str, channel: str, **more: Any) -> str:
    """A fact as it stands in memory, held against no other: for tests of what a person decides about two."""
    told = {
        "category": "fact",
        "confidence": 0.95,
        "temporal": None,
        "source": "explicit",
        "source_turn_id": None,
        **{name: value for name, value in more.items() if name != "about"},
    }
    home = ensure_channel(engine, LOCAL_USER, channel, author="agent:Forge")

    def verb(db: Connection) -> tuple[Change, str]:
        draft = Draft(
            engine=engine, db=db, user_id=LOCAL_USER, channel=home, agent_id=None, at=engine.clock()
        )
        id, _ = draft.fact(claim, **told)
        draft.about(id, more.get("about", ()), told["source_turn_id"])
        return Change(
            op="learn", title=claim, author="agent:Forge", edits=tuple(draft.edits), channel=home
        ), id

    return engine.store.decide(verb)[1]


def redo(engine: Engine, author: str) -> Undone:
    """Undo an author's latest undo, which was of one change."""
    ask = latest_undo(engine, author)
    assert isinstance(ask, Undo)
    return undo(engine, ask, author=author)


def embed_all(engine: Engine) -> None:
    while embed_pending(engine):
        pass
