"""Secrets of the desk: find those stored in clear, take them out, and prove that no byte is left; list them, reveal
one, and carry out a person's answer about them."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.engine.secrets.detector import RULES_NAME, find, placeholder
from memdesk.engine.secrets.vault import ALLOWED, KEPT, Entry
from memdesk.files.atomic import overwrite_removed, write_atomic
from memdesk.files.encryption import is_sealed, read_sealed, write_sealed
from memdesk.files.notices import UNSWEPT
from memdesk.model.change import Change, Edit
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.instant import to_datetime
from memdesk.model.kind import Kind
from memdesk.model.kinds import KINDS
from memdesk.model.message import counted, message
from memdesk.model.review import ERASE_SECRETS, NOT_SECRET
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
from memdesk.store import backups, erasing, records
from memdesk.store.connection import Connection
from memdesk.store.encrypting import clear_bytes
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal

STEPS = 5
PAUSE_SECONDS = 0.5
TRIES = 20
"""Attempts to rewrite the file while others read it; it is rewritten at the next start otherwise."""
LONG_CHARACTERS, LONG_DIGITS = 8, 13
"""Length from which a value is replaced and searched for without the words around it."""
PIECE = 48
"""Bytes of a long secret that are searched for: a database may keep the rest of it on another page."""
_OWN = ("secrets.json", "secrets.key")


def check(ask: SweepSecrets) -> None:
    """Raise BadAsk for an erasure that names no secret: erased values cannot be brought back."""
    if ask.erase and not ask.ids:
        raise BadAsk(
            message("No secret is named, so nothing was erased."),
            next=message("`memdesk secrets` lists them with their ids."),
        )


def sweep(engine: Engine, ask: SweepSecrets, *, author: str, progress: Progress) -> dict[str, Any]:
    """Mask secrets wherever the desk has them in clear; with `erase` also forget their values.

    Returns counts by table, what is left where, and how much was searched. Continued after a stop, it does what is
    still to do. Raises BadAsk, NotFound for an unknown id, StorageFailed."""
    check(ask)
    wanted = [engine.vault.entry(id) for id in ask.ids]
    progress(0, STEPS, message("Searching the desk"))
    stored = find_stored(engine)
    entries = wanted or [engine.vault.entry(id) for id in stored]
    values = {each.id: value for each in entries if (value := engine.vault.value(each.id)) is not None}
    progress(1, STEPS, message("Replacing them by placeholders"))
    counts = _replace(engine, entries, values, author) if values else {}
    progress(2, STEPS, message("Rewriting the file without them"))
    if counts:
        _compact(engine)
    cleaned = _clean_texts(engine, entries, values)
    removed = _remove_backups(engine, values.values()) if ask.backups else []
    written = _write_files(entries, values) if ask.files else []
    progress(3, STEPS, message("Searching for what is left"))
    searched, left = _remaining(engine, entries, values)
    if not wanted:
        engine.vault.note_searched(RULES_NAME)
        engine.notices.forget(UNSWEPT)
    if ask.erase:
        engine.vault.erase(each.id for each in entries)
        engine.forget()
    progress(4, STEPS, message("Done"))
    return {
        "secrets": len(entries),
        "rows": counts,
        "files": [*cleaned, *written],
        "removed": removed,
        "searched_files": searched,
        "left": left,
        "says": _says(len(entries), ask, searched, left),
    }


def find_stored(engine: Engine) -> list[str]:
    """Search all texts of the database; keep the secrets that are there in clear, and return their ids."""
    found: dict[str, None] = {}
    allowed = {each.id for each in engine.vault.entries() if each.state == ALLOWED}
    with engine.store.reading() as db:
        for table, record, text in erasing.texts(db):
            for each in find(text):
                owner = record if table in {kind.table for kind in KINDS} else ""
                id = engine.vault.add(each.kind, text[each.start : each.end], record=owner)
                if id not in allowed:
                    found[id] = None
    return list(found)


def put_back(engine: Engine, id: str, *, author: str) -> int:
    """Put the value of an allowed secret back into current memory, as a change with an undo; return the records."""
    entry, value = engine.vault.entry(id), engine.vault.value(id)
    mask = placeholder(entry.kind, entry.id)

    def verb(db: Connection) -> tuple[Change | None, int]:
        edits: list[Edit] = []
        for kind in KINDS:
            where = [name for name in kind.text if name in kind.columns]
            for record in erasing.records_with(db, kind, where, mask):
                restored = {
                    name: getattr(record, name) for name in where if isinstance(getattr(record, name), str)
                }
                moved = {
                    name: text.replace(mask, value or mask) for name, text in restored.items() if mask in text
                }
                edits.append(records.update_edit(kind, record, **moved))
        title = message("No secret: the text of {mask} is shown again", mask=mask)
        return (Change(op="update", title=title, author=author, edits=tuple(edits)) if edits else None), len(
            edits
        )

    return engine.store.decide(verb)[1] if value is not None else 0


def _replace(
    engine: Engine, entries: Collection[Entry], values: dict[str, str], author: str
) -> dict[str, int]:
    swap, needles = _swap_of(engine, entries, values), list(values.values())

    def work(db: Connection, index: Index, journal: Journal) -> dict[str, int]:
        if not erasing.count(db, needles, swap):
            return {}
        counts = erasing.swap_everywhere(db, index, needles, swap, by=journal.last_id + 1)
        title = message("Took {secrets} out of the desk", secrets=counted(len(values), "secret", "secrets"))
        details = {"secrets": sorted(values), "rows": counts}
        journal.apply(
            Change(op="update", layer="workspace", title=title, author=author, edits=(), details=details)
        )
        return counts

    counts = engine.store.maintain(work).result()
    engine.forget()
    return counts


def _swap_of(engine: Engine, entries: Collection[Entry], values: dict[str, str]) -> erasing.Swap:
    """Return the function that masks these secrets in a text.

    A long value is replaced wherever it is. A short one, such as a PIN, is replaced only where the words around it
    say what it is: as a number it may be anything."""
    kinds = {each.id: each.kind for each in entries}
    long = {value: placeholder(kinds[id], id) for id, value in values.items() if is_long(value)}
    short = [value for value in values.values() if not is_long(value)]
    pattern = re.compile("|".join(map(re.escape, sorted(long, key=len, reverse=True)))) if long else None

    def swap(text: str) -> str:
        if pattern is not None:
            text = pattern.sub(lambda found: long[found[0]], text)
        return engine.vault.masked(text) if any(value in text for value in short) else text

    return swap


def is_long(value: str) -> bool:
    """Return True for a value that nothing else has by chance."""
    return len(value) >= LONG_CHARACTERS and not (value.isdigit() and len(value) < LONG_DIGITS)


def _compact(engine: Engine) -> None:
    for _ in range(TRIES):
        if engine.store.alone(erasing.compact).result():
            return
        time.sleep(PAUSE_SECONDS)


def _clean_texts(engine: Engine, entries: Collection[Entry], values: dict[str, str]) -> list[str]:
    """Replace the secrets in the desk's own text files, such as its log and the results of long acts."""
    cleaned = []
    for file in _files(engine.desk.folder):
        if file.suffix not in (".log", ".json", ".txt", ".1", ".2", ".3") or file.name in _OWN:
            continue
        was = now = read_sealed(file)
        for each in entries:
            if is_long(values.get(each.id, "")):
                value = values[each.id].encode("utf-8", "surrogatepass")
                now = now.replace(value, placeholder(each.kind, each.id).encode())
        if now != was:
            with overwrite_removed(file):
                (write_sealed if is_sealed(file) else write_atomic)(file, now)
            cleaned.append(str(file))
    return cleaned


def _remove_backups(engine: Engine, values: Collection[str]) -> list[str]:
    folder = engine.desk.backups
    holding = [
        each
        for each in backups.list_backups(folder)
        if _count_in(backups.file_of(folder, each), _needles(values))
    ]
    for each in holding:
        backups.remove(folder, each)
    return [each.name for each in holding]


def _write_files(entries: Collection[Entry], values: dict[str, str]) -> list[str]:
    """Write placeholders into the files of workspaces that have one of the secrets in clear."""
    written = []
    for path in {path for each in entries for path in each.files}:
        file = Path(path)
        if not file.is_file() or file.is_symlink():
            continue
        was = now = file.read_bytes()
        for each in entries:
            if each.id in values:
                now = now.replace(values[each.id].encode(), placeholder(each.kind, each.id).encode())
        if now != was:
            with overwrite_removed(file):
                write_atomic(file, now)
            written.append(path)
    return written


def _remaining(
    engine: Engine, entries: Collection[Entry], values: dict[str, str]
) -> tuple[int, dict[str, int]]:
    """Return (files searched, places of the secrets by file), of the desk and of workspaces that had them."""
    needles = _needles(values.values())
    there = [*_files(engine.desk.folder), *(Path(path) for each in entries for path in each.files)]
    there = [file for file in dict.fromkeys(there) if file.is_file() and file.name not in _OWN]
    left = {str(file): n for file in there if (n := _count_in(file, needles))}
    with engine.store.reading() as db:
        swap = _swap_of(engine, entries, values)
        inside = erasing.count(db, list(values.values()), swap) if values else {}
    if inside and str(engine.desk.database) not in left:
        left[str(engine.desk.database)] = sum(inside.values())
    return len(there), left


def _needles(values: Collection[str]) -> list[bytes]:
    pieces: dict[bytes, None] = {}
    for value in filter(is_long, values):
        data = value.encode("utf-8", "surrogatepass")
        for start in {0, max(0, len(data) // 2 - PIECE // 2), max(0, len(data) - PIECE)}:
            pieces[data[start : start + PIECE]] = None
    return list(pieces)


def _count_in(file: Path, needles: Collection[bytes]) -> int:
    """Return how often a file has one of these bytes, reading it in parts that overlap."""
    found, tail = 0, b""
    try:
        for part in clear_bytes(file):
            data = tail + part
            found += sum(data.count(needle) for needle in needles)
            tail = data[-PIECE + 1 :] if PIECE > 1 else b""
            found -= sum(tail.count(needle) for needle in needles)
        found += sum(tail.count(needle) for needle in needles)
    except OSError:
        return 0
    return found


def _files(folder: Path) -> Iterator[Path]:
    return (each for each in sorted(folder.rglob("*")) if each.is_file() and not each.is_symlink())


def _says(secrets: int, ask: SweepSecrets, searched: int, left: dict[str, int]) -> str:
    if not secrets:
        return message("No secret is stored in clear: {count} files searched.", count=f"{searched:,}")
    number, files = counted(secrets, "secret", "secrets"), f"{searched:,}"
    head = (
        message("Erased {secrets}. Searched {count} files", secrets=number, count=files)
        if ask.erase
        else message("Masked {secrets}. Searched {count} files", secrets=number, count=files)
    )
    if not left:
        return message("{head}: 0 places have one in clear.", head=head)
    places = "".join(f"\n  {file}: {n}" for file, n in sorted(left.items()))
    return message("{head}. Still there, and yours to judge:{places}", head=head, places=places)


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
