"""Answers about secrets: mask them, erase them for good, or let them stand as no secret; and a look at one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.secret_sweep import put_back, sweep
from memdesk.engine.progress import ignore_progress
from memdesk.engine.secrets.detector import placeholder
from memdesk.engine.secrets.vault import ALLOWED, KEPT, Entry
from memdesk.model.change import Change
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.instant import to_datetime
from memdesk.model.kind import Kind
from memdesk.model.message import message
from memdesk.model.proposal import ERASE_SECRETS, NOT_SECRET
from memdesk.model.secret import (
    STATES,
    AllowSecret,
    AskSecrets,
    Revealed,
    RevealSecret,
    SecretList,
    SecretRow,
    SweepSecrets,
)
from memdesk.store import records

ROWS_AT_MOST = 1_000


def list_secrets(engine: Engine, ask: AskSecrets) -> SecretList:
    """Return the secrets of the desk, newest first, without their values. Raises BadAsk."""
    if ask.state and ask.state not in STATES:
        raise BadAsk(message("state is one of {states}.", states=", ".join(STATES)))
    if not 1 <= ask.limit <= ROWS_AT_MOST:
        raise BadAsk(message("limit lies between 1 and {count}.", count=f"{ROWS_AT_MOST:,}"))
    every = engine.vault.entries()
    found = [each for each in reversed(every) if not ask.state or each.state == ask.state][: ask.limit]
    with engine.store.reading() as db:
        known = records.by_ids(db, [each.record for each in found if each.record])
    rows = tuple(_row(each, known.get(each.record)) for each in found)
    return SecretList(rows=rows, kept=sum(each.state == KEPT for each in every))


def _row(entry: Entry, place: tuple[Kind[Any], Any] | None) -> SecretRow:
    kind, record = place or (None, None)
    return SecretRow(
        id=entry.id,
        kind=entry.kind,
        state=entry.state,
        came=entry.author.partition(":")[2] or entry.author,
        record=entry.record if place else "",
        title="" if kind is None else str(getattr(record, kind.title)),
        files=entry.files,
        found_at=to_datetime(entry.at),
    )


def reveal(engine: Engine, ask: RevealSecret, *, author: str) -> Revealed:
    """Return a secret in clear, and record who saw it. Raises NotFound, also for one that was erased."""
    entry = engine.vault.entry(ask.id)
    value = engine.vault.value(entry.id)
    if value is None:
        raise NotFound(
            message("The value of {kind} was erased.", kind=placeholder(entry.kind, entry.id)),
            next=message("`memdesk secrets` lists them."),
        )
    title = message("Looked at a secret: {kind}", kind=placeholder(entry.kind, entry.id))
    engine.store.apply(Change(op="update", layer="workspace", title=title, author=author, edits=()))
    return Revealed(id=entry.id, kind=entry.kind, value=value)


def allow(engine: Engine, ask: AllowSecret, *, author: str) -> Revealed:
    """Treat a value as no secret from now on, and put it back where it was masked. Raises NotFound, also if it was
    erased."""
    revealed = reveal(engine, RevealSecret(id=ask.id), author=author)
    settle(engine, NOT_SECRET, (revealed.id,), author=author)
    return revealed


def settle(engine: Engine, decision: str, ids: Sequence[str], *, author: str) -> None:
    """Carry out an answer of a person about these secrets."""
    known = {each.id for each in engine.vault.entries()}
    there = tuple(id for id in ids if id in known)
    if decision == NOT_SECRET:
        engine.vault.move(there, state=ALLOWED)
        for id in there:
            put_back(engine, id, author=author)
    elif there:
        ask = SweepSecrets(ids=there, erase=decision == ERASE_SECRETS)
        sweep(engine, ask, author=author, progress=ignore_progress)
