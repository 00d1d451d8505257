"""Agents that write over a desk's socket, and what they were answered."""

from __future__ import annotations

import http.client
import random
import threading
from contextlib import closing, suppress
from typing import Any

from memdesk.api import curation, memory, working
from memdesk.files.places import Desk
from memdesk.store.connection import Connection
from tests.faults.wire import Wire


class Acknowledged:
    """What a desk's writers were answered: the changes, records and keys that have to be there. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes: set[int] = set()
        self._records: set[str] = set()
        self._values: set[str] = set()
        self.count = 0

    def note(
        self, *, change: int | None = None, records: tuple[str, ...] = (), value: str | None = None
    ) -> None:
        with self._lock:
            self.count += 1
            self._changes.update(() if change is None else (change,))
            self._records.update(records)
            self._values.update(() if value is None else (value,))

    def missing(self, db: Connection) -> list[str]:
        gone: set[Any] = self._changes - {row[0] for row in db.rows("SELECT id FROM changes")}
        gone |= self._records - {row[0] for row in db.rows("SELECT id FROM records")}
        held = " ".join(row[0] for row in db.rows("SELECT value FROM working"))
        gone |= {value for value in self._values if value not in held}
        return [f"{each} was acknowledged and is not there" for each in sorted(gone, key=str)]


def write(desk: Desk, name: str, dice: random.Random, known: Acknowledged) -> None:
    """Write until nobody answers any more."""
    with closing(Wire(desk, agent=f"w{name}")) as agent, closing(Wire(desk)) as owner:
        number = 0
        with suppress(OSError, http.client.HTTPException):
            while True:
                number += 1
                write_one(agent, owner, f"{name}-{number}", dice, known)


def write_one(agent: Wire, owner: Wire, mark: str, dice: random.Random, known: Acknowledged) -> None:
    """Write something at random, and note what was acknowledged of it."""

    def learned(claim: str, *about: str) -> dict[str, Any]:
        fact: dict[str, Any] = agent.answer(memory.LEARN_FACT, claim=claim, about=about)
        return fact

    match dice.randrange(10):
        case 0 | 1 | 2:
            turn = agent.answer(memory.STORE_TURN, content=f"Turn {mark} tells of pumps", channel="talk")
            known.note(change=turn["change"], records=(turn["id"],))
        case 3 | 4:
            turns = [{"content": f"Turn {mark}, part {part}", "conversation_id": mark} for part in range(5)]
            stored = agent.answer(memory.STORE_TURNS, turns=turns)["turns"]
            known.note(change=stored[0]["change"], records=tuple(each["id"] for each in stored))
        case 5 | 6:
            fact = learned(f"Pump {mark} is red", "Pumps")
            known.note(change=fact["change"], records=(fact["id"],))
        case 7:
            fact = learned(f"Valve {mark} is blue", "Valves")
            known.note(change=fact["change"], records=(fact["id"],))
            known.note(change=owner.answer(curation.PIN, id=fact["id"], pinned=True)["change"])
        case 8:
            fact = learned(f"Door {mark} is green")
            known.note(change=fact["change"])
            known.note(change=owner.answer(curation.UNDO, change=fact["change"])["change"])
        case _:
            agent.answer(working.SET, key=mark, value=f"value {mark}.")
            known.note(value=f"value {mark}.")
