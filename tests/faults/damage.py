"""Random damage to a desk's database: how it comes out, and what the doctor gives back.

Each round takes a copy of a populated desk and damages it in one of four ways. Then the desk is opened, everything that
reads memory is asked (every list, every memory by its id, recalls, a prompt, every version of every file), and the desk
is verified. What comes out is held against what the whole desk answered:

- refused: the desk did not open, or a call was refused, with a sentence of MemDesk's own errors
- told: `verify` or a notice says that something is wrong, and no answer held anything but what was written
- unharmed: every readable row of every table reads as it did, and so does every answer: the damage met unused bytes
- silent: something reads otherwise, or is missing, and nothing says so
- wrong: an answer held text that was never written

Where it was refused or told, the doctor repairs it, and what it built is held against the whole desk again. There is a
backup of its first three quarters:

- mended: every memory and every version of a file is there again
- named: what is missing is named among what was lost, or counted where it is of events that no file holds
- backup: nothing of the database could be read, and the whole desk is as it was when the backup was made
- hopeless: nothing could be given back, and the doctor says so
- unnamed: something is missing or otherwise, or the desk is still not whole, and the doctor did not say so

`python -m tests.faults.damage [rounds] [seed]` prints the figures.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from memdesk.engine import backups
from memdesk.engine.browsing.details import inspect
from memdesk.engine.browsing.lists import facts
from memdesk.engine.engine import Engine
from memdesk.engine.health.doctor import repair
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.remember import learn_fact, store_turns, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import preview, recall
from memdesk.engine.verify import verify
from memdesk.files.places import Desk
from memdesk.model.browse import Inspect, ListFacts
from memdesk.model.errors import BugError, MemDeskError, StorageFailed
from memdesk.model.recall import Query
from memdesk.model.remember import NewEntity, NewFact, NewTurn, NewTurns
from memdesk.store import binding, document_versions, records

PAGE = 4096
BURST = 64
MADE_AGAIN = ("embeddings", "searchable", "categories", "scopes", "sqlite_sequence")
"""Made of the rows. A lost tail may hold vectors alone: the service makes them again, and `verify` holds all the others
against the rows."""
AGENT, PERSON = "agent:coder", "person:Mara"
_PLACES = ("Frankfurt", "Dublin", "Bonn", "Oslo", "Lima", "Kyoto", "Quito", "Riga")
_THINGS = ("payments", "search", "billing", "mail", "export", "login", "report", "cache")
QUESTIONS = ("Where does the payments service run?", "Who owns the cache?", "搜索服务在哪里?", "mail in Oslo")
Answers = dict[str, str]
OUTCOMES = ("refused", "told", "unharmed", "silent", "wrong")
GIFTS = ("mended", "named", "backup", "hopeless", "unnamed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One damage. way: of WAYS; outcome: of OUTCOMES; what: was damaged, and what shows how it came out.

    gift: of GIFTS, "" where nothing was to be repaired; why: what shows it. again, lost: memories made again, and named
    as lost.
    """

    way: str
    outcome: str
    what: str
    gift: str = ""
    why: str = ""
    again: int = 0
    lost: int = 0

    @property
    def is_broken(self) -> bool:
        """Whether a promise did not hold."""
        return self.outcome in ("silent", "wrong") or self.gift == "unnamed"


def populate(desk: Desk, facts: int = 400) -> None:
    """A desk with facts, turns, entities, versions of files, vectors and recalls, its WAL written into the file.

    A backup holds the first three quarters of it."""
    engine = open_engine(desk)
    try:
        for n in range(facts):
            if n == facts * 3 // 4:
                backups.make_backup(engine, "before the rest")
            thing, place = _THINGS[n % 8], _PLACES[n // 8 % 8]
            claim = f"The {thing} service number {n} runs in {place} since {1990 + n % 35}."
            learn_fact(engine, NewFact(claim=claim, channel="tidepool"), author=AGENT)
            if n % 4 == 0:
                turn = NewTurn(
                    role="user", content=f"We moved {thing} {n} to {place}. {'更多' * 40}", channel="tidepool"
                )
                store_turns(engine, NewTurns(turns=(turn,)), author=AGENT)
            if n % 10 == 0:
                upsert_entity(engine, NewEntity(name=f"{place} {n}", type="Place"), author=AGENT)
                text = f"# Notes {n}\n" + "\n".join(f"- {thing} {line} in {place}" for line in range(40))
                engine.store.submit(lambda db, text=text: document_versions.keep(db, text)).result()  # type: ignore[misc]
        while embed_pending(engine):
            pass
        for question in QUESTIONS:
            recall(engine, Query(text=question, channel="tidepool"), author=AGENT)
    finally:
        engine.close()


def answers(engine: Engine) -> Answers:
    """Everything that is said of memory, each answer under its own name."""
    found = dict(_answers(engine))
    return {name: text for name, text in found.items() if text}


def _answers(engine: Engine) -> Iterator[tuple[str, str]]:
    first = 0
    while rows := facts(engine, ListFacts(first=first, limit=100)).rows:
        yield from ((f"list {row.id}", row.claim) for row in rows)
        first += 100
    with engine.store.reading() as db:
        ids = [row[0] for row in db.rows("SELECT id FROM records WHERE kind IN ('fact', 'entity', 'turn')")]
        names = [row[0] for row in db.rows("SELECT hash FROM versions")]
    for id in ids:
        yield f"show {id}", _or_refused(lambda id=id: inspect(engine, Inspect(id=id)).title)  # type: ignore[misc]
        with engine.store.reading() as db:
            yield f"read {id}", _or_refused(lambda id=id: json.dumps(asdict(records.any_record(db, id)[1])))  # type: ignore[misc]
    for name in names:
        with engine.store.reading() as db:
            yield f"text {name}", _or_refused(lambda name=name: document_versions.text_of(db, name))  # type: ignore[misc]
    for question in QUESTIONS:
        bundle = preview(engine, Query(text=question, channel="tidepool"))
        yield f"recall {question}", " ".join(hit.id for hit in bundle.hits)
        yield from ((f"hit {hit.id}", hit.text) for hit in bundle.hits)


def _or_refused(ask: Callable[[], str]) -> str:
    """An answer; empty where the call was refused with a sentence."""
    try:
        return ask()
    except BugError:
        raise
    except MemDeskError:
        return ""


def rows(file: Path) -> dict[str, list[str]]:
    """Every row of every table as it reads, from a copy: what may be called unharmed.

    The pages of search indexes are no rows: those are judged by whether a recall answers as it did.
    """
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            if (beside := file.with_name(file.name + suffix)).exists():
                shutil.copy(beside, Path(folder) / beside.name)
        raw = binding.sqlite.connect(Path(folder) / file.name)
        raw.text_factory = bytes
        try:
            names = [
                name.decode()
                for (name,) in raw.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
                    "AND name NOT GLOB 'words_*' AND name NOT GLOB 'titles_*' AND name NOT GLOB 'vectors_*' "
                    "ORDER BY name"
                )
            ]
            return {
                name: sorted(map(repr, raw.execute(f"SELECT * FROM {name}")))
                for name in names
                if name not in MADE_AGAIN
            }
        finally:
            raw.close()


def bursts(file: Path, chance: random.Random) -> str:
    """64 random bytes somewhere in the database."""
    at = chance.randrange(file.stat().st_size - BURST)
    _write(file, at, chance.randbytes(BURST))
    return f"64 bytes at {at}"


def zeroes(file: Path, chance: random.Random) -> str:
    """A page of zeros."""
    at = chance.randrange(file.stat().st_size // PAGE) * PAGE
    _write(file, at, bytes(PAGE))
    return f"page {at // PAGE + 1} zeroed"


def cut(file: Path, chance: random.Random) -> str:
    """The end of the file cut off."""
    size = file.stat().st_size
    kept = size - chance.randrange(1, size // 3)
    with file.open("r+b") as opened:
        opened.truncate(kept)
    return f"cut from {size} to {kept}"


def flips(file: Path, chance: random.Random) -> str:
    """Bits of the WAL flipped: the tail that a crash left there."""
    wal = file.with_name(file.name + "-wal")
    at = chance.randrange(32, wal.stat().st_size)
    with wal.open("r+b") as opened:
        opened.seek(at)
        byte = opened.read(1)[0]
    _write(wal, at, bytes([byte ^ (1 << chance.randrange(8))]))
    return f"WAL bit flipped at {at}"


WAYS = {"64 bytes": bursts, "zeroed page": zeroes, "cut tail": cut, "WAL bit": flips}

ROUND = ("64 bytes", "zeroed page", "64 bytes", "WAL bit", "64 bytes", "cut tail", "64 bytes", "zeroed page")


def _write(file: Path, at: int, data: bytes) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(data)


def judged(desk: Desk, whole: Answers, all_rows: dict[str, list[str]]) -> tuple[str, str]:
    """(how a damaged desk comes out, what shows it). whole, all_rows: what it said before."""
    try:
        same = rows(desk.database) == all_rows
    except (binding.sqlite.Error, UnicodeDecodeError):
        same = False
    try:
        engine = open_engine(desk)
    except MemDeskError as wrong:
        return "refused", wrong.says
    try:
        said = answers(engine)
        wrong = [
            name
            for name, text in said.items()
            if whole.get(name, text) != text and not name.startswith("recall")
        ]
        wrong += [name for name in said if name not in whole and not name.startswith(("hit", "recall"))]
        wrong += [
            name for name, text in said.items() if name.startswith("hit") and text not in whole.values()
        ]
        if wrong:
            return "wrong", f"{wrong[0]}: {said[wrong[0]]!r}"
        found = verify(engine)
        told = engine.notices.standing()
        if told or not found.whole:
            return "told", (
                told[0].says if told else found.findings[0].says if found.findings else str(found.first_break)
            )
        missing = [
            name for name, text in whole.items() if said.get(name) != text and not name.startswith("hit")
        ]
        if same and not missing:
            return "unharmed", ""
        return "silent", missing[0] if missing else _moved(desk.database, all_rows)
    except MemDeskError as wrong:
        return ("wrong", f"bug: {wrong.says}") if isinstance(wrong, BugError) else ("refused", wrong.says)
    finally:
        with contextlib.suppress(MemDeskError):
            engine.close()


def _moved(file: Path, before: dict[str, list[str]]) -> str:
    try:
        now = rows(file)
    except (binding.sqlite.Error, UnicodeDecodeError) as wrong:
        return str(wrong)
    return ", ".join(name for name in before if now.get(name) != before[name])


def mended(desk: Desk, whole: Answers) -> dict[str, object]:
    """What the doctor makes of a damaged desk, as the fields of its Round. whole: what it said before."""
    try:
        done = repair(desk)
    except StorageFailed as hopeless:
        return {"gift": "hopeless", "why": hopeless.says}
    counts = {"again": sum(done.again.values()), "lost": len(done.lost)}
    engine = open_engine(desk)
    try:
        said, found = answers(engine), verify(engine)
    finally:
        engine.close()
    named = {each.id for each in done.lost}
    other = [
        name
        for name, text in said.items()
        if (text not in whole.values() if name.startswith("hit") else whole.get(name, "") != text)
        and not name.startswith("recall")
    ]
    missing = [name for name in whole if name.startswith(("read", "text")) and name not in said]
    if other or not found.whole:
        return {"gift": "unnamed", "why": f"{other[:3]} {found.findings[:3]} {found.first_break}", **counts}
    if done.since:
        return {"gift": "backup", "why": done.says, **counts}
    unsaid = [
        name
        for name in missing
        if (name.startswith("read") and name.removeprefix("read ") not in named)
        or (name.startswith("text") and "versions" not in done.says)
    ]
    if len(unsaid) > done.missing + done.changes:
        return {"gift": "unnamed", "why": f"{unsaid[:3]}: {done.says}", **counts}
    return {"gift": "named" if missing else "mended", "why": done.says, **counts}


def rounds(count: int, seed: int, folder: Path, facts: int = 400) -> Iterator[Round]:
    """So many random damages, each in the way whose turn it is. facts: as `populate` stores them."""
    whole, unwritten = Desk(folder / "whole"), Desk(folder / "unwritten")
    populate(whole, facts)
    said, kept = _read(whole)
    _with_a_wal(whole, unwritten)
    said_of_wal, kept_of_wal = _read_copy(unwritten, folder)
    chance = random.Random(seed)
    for number in range(count):
        way = ROUND[number % len(ROUND)]
        source = unwritten if way == "WAL bit" else whole
        desk = Desk(folder / "damaged")
        shutil.rmtree(desk.folder, ignore_errors=True)
        shutil.copytree(source.folder, desk.folder)
        where = WAYS[way](desk.database, chance)
        was = (said_of_wal, kept_of_wal) if source is unwritten else (said, kept)
        outcome, why = judged(desk, *was)
        gift = mended(desk, was[0]) if outcome in ("refused", "told") else {}
        yield Round(way=way, outcome=outcome, what=f"{where}: {why}", **gift)  # type: ignore[arg-type]


def _read(desk: Desk) -> tuple[Answers, dict[str, list[str]]]:
    kept = rows(desk.database)
    engine = open_engine(desk)
    try:
        said = answers(engine)
        found = verify(engine)
        assert found.whole, found
        return said, kept
    finally:
        engine.close()


def _read_copy(desk: Desk, folder: Path) -> tuple[Answers, dict[str, list[str]]]:
    copy = Desk(folder / "copy")
    shutil.copytree(desk.folder, copy.folder)
    return _read(copy)


def _with_a_wal(source: Desk, target: Desk) -> None:
    """A copy of a desk as a killed service leaves it: its last writes in the WAL alone, and noted outside."""
    working = Desk(target.folder.with_name("working"))
    shutil.copytree(source.folder, working.folder)
    engine = open_engine(working)
    for n in range(20):
        learn_fact(engine, NewFact(claim=f"Note {n} was written last.", channel="tidepool"), author=AGENT)
    while embed_pending(engine):
        pass
    assert engine.mark is not None
    engine.mark.write()
    shutil.copytree(working.folder, target.folder, ignore=shutil.ignore_patterns("*-shm", "*.lock", "*.sock"))
    engine.close()


def main() -> None:
    given = [int(each) for each in sys.argv[1:] if each.isdigit()]
    count, seed = (*given, *(200, 1)[len(given) :])
    figures: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for each in rounds(count, seed, Path(folder)):
            figures.update(((each.way, each.outcome), (each.way, each.gift)))
            if each.is_broken or "-v" in sys.argv:
                sys.stdout.write(f"{each.outcome}: {each.what}; {each.gift}: {each.why}\n")
                sys.stdout.flush()
    for way in WAYS:
        outcomes = (f"{figures[way, name]} {name}" for name in (*OUTCOMES, *GIFTS) if figures[way, name])
        sys.stdout.write(f"{way}: {', '.join(outcomes)}\n")


if __name__ == "__main__":
    main()
