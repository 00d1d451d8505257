"""Trace the modules that five requests enter, for the page of the architecture.

Each journey runs twice in a real engine, and the second is traced: what is computed once for a process is left out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from memdesk.engine.context import compactor
from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import take_in
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory import promotion
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import ignore_progress
from memdesk.engine.recall import pipeline
from memdesk.engine.workspace import outside_edits
from memdesk.files.places import Desk
from memdesk.model.context import Compact
from memdesk.model.curation import Promote
from memdesk.model.interop import AskImport
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact

PACKAGE = Path(__file__).resolve().parent.parent / "memdesk"
FORGE, MARA = "agent:Forge", "person:Mara"
LINES = ("- 8 nodes, each with its own PgBouncer.\n", "- NATS between them, three replicas.\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Desk on which the journeys happen, and the parent of the folders they use."""

    engine: Engine
    folder: Path


Step = Callable[[], object]
"""The traced part of a journey; what it needs is there already."""


def recall(world: World, name: str) -> Step:
    _learned(world, name)
    query = Query(text=f"How much does the {name} crane lift?", channel=name)
    return lambda: pipeline.recall(world.engine, query, author=FORGE)


def promote(world: World, name: str) -> Step:
    ask = Promote(fact_id=_learned(world, name))
    return lambda: promotion.promote(world.engine, ask, author=MARA)


def outside_edit(world: World, name: str) -> Step:
    folder = _agent_folder(world, name)
    _import(world, folder)
    (folder / "MEMORY.md").write_text("# Memory\n\n" + "".join(reversed(LINES)), "utf-8")
    return lambda: outside_edits.compare_folders(world.engine, [folder])


def compact(world: World, name: str) -> Step:
    messages = tuple(
        {"role": ("user", "assistant")[n % 2], "content": f"Message {n}: the {name} crane lifts {n} tonnes."}
        for n in range(40)
    )
    ask = Compact(
        messages=messages, conversation_id=f"talk-{name}", channel=name, policy="openlegion", force=True
    )
    return lambda: compactor.compact(world.engine, ask, author=FORGE)


def import_folder(world: World, name: str) -> Step:
    folder = _agent_folder(world, name)
    return lambda: _import(world, folder)


def _learned(world: World, name: str) -> str:
    fact = NewFact(claim=f"The {name} crane lifts 12 tonnes.", channel=name, about=(f"{name} crane",))
    id = learn_fact(world.engine, fact, author=FORGE).id
    while embed_pending(world.engine):
        pass
    return id


def _agent_folder(world: World, name: str) -> Path:
    folder = world.folder / name
    (folder / "memory").mkdir(parents=True)
    (folder / "IDENTITY.md").write_text("- **Name:** Forge\n", "utf-8")
    (folder / "MEMORY.md").write_text("# Memory\n\n" + "".join(LINES), "utf-8")
    (folder / "memory" / "2026-11-20.md").write_text("# 2026-11-20\n\n- 09:12 Crane measured.\n", "utf-8")
    return folder


def _import(world: World, folder: Path) -> None:
    ask = AskImport(path=str(folder), channel=folder.name, agent_id="Forge")
    take_in(world.engine, ask, author=MARA, progress=ignore_progress)


JOURNEYS: dict[str, Callable[[World, str], Step]] = {
    "recall": recall,
    "promote": promote,
    "outside edit": outside_edit,
    "compact": compact,
    "import of a folder": import_folder,
}


@cache
def entered() -> dict[str, dict[str, list[str]]]:
    """Return the modules of each journey, by the package that they are in."""
    return {name: _by_package(_traced(prepare)) for name, prepare in JOURNEYS.items()}


def _traced(prepare: Callable[[World, str], Step]) -> set[Path]:
    with TemporaryDirectory() as folder:
        engine = open_engine(Desk(Path(folder) / "desk"))
        world = World(engine=engine, folder=Path(folder))
        try:
            prepare(world, "old")()
            step = prepare(world, "new")
            with _tracing(engine) as found:
                step()
        finally:
            engine.close()
    return found


@contextmanager
def _tracing(engine: Engine) -> Iterator[set[Path]]:
    """Collect the modules of the package whose functions are called, by this thread and by the store's writer."""
    found: set[Path] = set()

    def called(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_name[0] != "<":
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE):
                found.add(path.relative_to(PACKAGE))

    # The writer's thread is running already: it is asked to trace itself.
    engine.store.maintain(lambda *_: sys.setprofile(called)).result()
    sys.setprofile(called)
    try:
        yield found
    finally:
        sys.setprofile(None)
        engine.store.maintain(lambda *_: sys.setprofile(None)).result()


def _by_package(paths: set[Path]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted(paths):
        found.setdefault(path.parent.as_posix(), []).append(path.name)
    return found
