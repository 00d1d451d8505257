"""Doctor: examines a desk without a service, however damaged it is, and repairs as much as possible.

A repair never modifies the database: it builds another in a separate folder, from every readable row, the
journal and the newest good backup, and puts it in place as a restore does. The replaced database is kept."""

from __future__ import annotations

import logging
import os
import shutil
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from memdesk.engine.backups import open_copy, verify_copy
from memdesk.engine.beliefs.reading import CLAIMS
from memdesk.engine.engine import now
from memdesk.engine.health.replacement import build, note_event, put_in_place, restore
from memdesk.engine.mark import mark_in, read_mark
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.engine.providers.meter import EMBEDDER, LANGUAGE, RERANKER
from memdesk.engine.providers.server import key_for
from memdesk.engine.secrets.vault import Vault
from memdesk.files.notices import LOST, Notices
from memdesk.files.places import LOOPBACK, Desk
from memdesk.files.settings import load_settings
from memdesk.model.backup import Backup, Examination, Finding, Repaired, RestoreBackup
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, MemDeskError, StorageFailed
from memdesk.model.extras import install_extra, is_installed
from memdesk.model.message import NO_MESSAGE, Message, joined, message
from memdesk.store import agents, backups, binding, chain, document_versions, events, integrity, records
from memdesk.store.connection import Connection
from memdesk.store.integrity import Flaw
from memdesk.store.salvage import Salvaged, salvage

LITTLE_BYTES = 256 * 1024 * 1024
NAMED = 5
"""Flaws of a kind that a sentence names; the others are counted."""
REPAIR = message("`memdesk doctor --repair` shows what can be done, and does it with --yes.")
_BACK_THERE = message("Restore the database from a backup that PostgreSQL's own tools made.")
log = logging.getLogger(__name__)


def _passed(area: str, says: Message, next: Message = NO_MESSAGE, *, mends: bool = False) -> Finding:
    return Finding(area=area, ok=True, says=says, next=next, mends=mends)


def _failed(area: str, says: Message, next: Message = NO_MESSAGE, *, mends: bool = False) -> Finding:
    return Finding(area=area, ok=False, says=says, next=next, mends=mends)


_UNDIGESTED = _passed(
    "rows", message("An earlier MemDesk wrote this desk; the next start brings it to today's.")
)


def examine(desk: Desk, progress: Progress = ignore_progress) -> Examination:
    """Examine a desk. Nothing is written, and a service may run meanwhile."""
    findings = [*_libraries(), *_folder(desk), *_settings(desk), *_database(desk, progress), *_backups(desk)]
    damaged = [each for each in findings if each.mends and not each.ok]
    return Examination(
        desk=str(desk.folder), findings=tuple(findings), plan=tuple(_plan(desk)) if damaged else ()
    )


def repair(desk: Desk, progress: Progress = ignore_progress) -> Repaired:
    """Build a complete database from the recoverable data, and replace the damaged one. The caller must have
    the desk's lock.

    If the process is killed, the desk is either the old one or the new one. Raises StorageFailed if neither
    the database nor a backup yields any data; the desk is then unchanged."""
    backups.finish_replacement(desk.database, desk.mark)
    good = _newest_good(desk)
    kept = backups.keep_damaged(desk.backups, desk.database, at=now()) if desk.database.exists() else ""
    try:
        return _salvaged(desk, good, kept, progress)
    except (StorageFailed, binding.sqlite.Error) as hopeless:
        log.warning("nothing could be salvaged: %s", hopeless)
        if good is None:
            raise StorageFailed(
                message("Nothing of the database can be read, and there is no tested backup."),
                next=message(
                    "The database is kept as {kept}. Start with an empty desk by moving {database} away.",
                    kept=kept,
                    database=desk.database,
                ),
            ) from hopeless
    restore(desk, RestoreBackup(name=good.name), progress)
    return Repaired(
        says=message(
            "Nothing of the database could be read. The desk is as it was when {good} was made; what came "
            "after it is lost.",
            good=good.name,
        ),
        kept=kept,
        since=good.name,
    )


def _salvaged(desk: Desk, good: Backup | None, kept: str, progress: Progress) -> Repaired:
    built = build(desk)
    try:
        with open_copy(built):
            progress(0, 3, message("Laying out an empty desk"))
        progress(1, 3, message("Copying what can be read"))
        file = None if good is None else backups.file_of(desk.backups, good)
        found = salvage(desk.database, built / desk.database.name, file)
        progress(2, 3, message("Testing what was built"))
        verify_copy(built)
        with open_copy(built) as engine:
            missing = max(0, _newest_known(desk) - engine.store.mark[0])
            counts = {"lost": len(found.lost), "stubs": len(found.changes), "missing": missing}
            mark = note_event(engine, message("The desk was repaired"), **counts, kept=kept)
        put_in_place(desk, mark)
        return _repair_summary(found, kept, missing)
    finally:
        shutil.rmtree(built, ignore_errors=True)


def _newest_known(desk: Desk) -> int:
    """Return the number of the newest event that the desk is known to have had."""
    mark = read_mark(desk.mark)
    known = [mark_in(item) for item in Notices(desk.notices).items(LOST)] + ([mark] if mark else [])
    return max((each.event for each in known), default=0)


def _repair_summary(found: Salvaged, kept: str, missing: int) -> Repaired:
    again = {"journal": len(found.from_journal), "backup": len(found.from_backup)}
    says = [
        message(
            "Copied {rows} rows; made {restored} memories again; lost {lost}.",
            rows=f"{found.rows:,}",
            restored=f"{sum(again.values()):,}",
            lost=f"{len(found.lost):,}",
        )
    ]
    if found.changes:
        says.append(
            message(
                "Of {count} events of the journal only the number is left: they cannot be undone, and a memory "
                "that nothing else has is lost without a name.",
                count=f"{len(found.changes):,}",
            )
        )
    if missing:
        gone = message(
            "Of the newest {count} events that the desk once held, nothing is left.", count=f"{missing:,}"
        )
        says.append(gone)
    if dropped := sum(found.dropped.values()):
        kinds = sorted(found.dropped)
        says.append(
            message("{count} rows that are no memory were lost: {list}.", count=f"{dropped:,}", list=kinds)
        )
    return Repaired(
        says=joined(*says),
        kept=kept,
        again=again,
        lost=tuple(found.lost),
        changes=len(found.changes),
        missing=missing,
    )


def _plan(desk: Desk) -> Iterator[Message]:
    good = _newest_good(desk)
    yield message("Keep the database as it is in {backups}.", backups=desk.backups)
    yield message("Build another beside it of every row that can be read and is what was written.")
    yield (
        message("Make records that are missing again from the journal, else from {good}.", good=good.name)
        if good
        else message("Make records that are missing again from the journal.")
    )
    yield message(
        "Make the indexes of words and vectors, the counters and the chain of hashes anew from the rows."
    )
    yield message("Test it as a backup is tested, put it in the database's place, and name what was lost.")


def _newest_good(desk: Desk) -> Backup | None:
    """Return the newest tested backup whose file is still unchanged."""
    for each in backups.list_backups(desk.backups):
        if each.verified_at is not None:
            try:
                backups.examine(backups.file_of(desk.backups, each))
            except MemDeskError:
                continue
            return each
    return None


# What is looked at.


def _libraries() -> Iterator[Finding]:
    version = message("SQLite is {version}.", version=binding.version)
    if binding.too_old:
        advice = message("A desk needs 3.43: install pysqlite3 or sqlean.py beside MemDesk.")
        yield _failed("libraries", version, advice)
    else:
        yield _passed("libraries", version)
    with closing(Connection(Path(":memory:"))) as db:
        if db.vectors:
            yield _passed("libraries", message("sqlite-vec is loaded."))
        else:
            yield _failed(
                "libraries",
                message("This SQLite cannot load sqlite-vec: words answer alone."),
                message("Install pysqlite3 or sqlean.py beside MemDesk."),
            )
    yield _extra("window", message("The window is installed."), message("The window is not installed."))
    yield _extra("mcp", message("MCP is installed."), message("MCP is not installed."))


def _extra(name: str, there: Message, absent: Message) -> Finding:
    """An extra that is not installed is no problem of the desk."""
    return (
        _passed("libraries", there)
        if is_installed(name)
        else _passed("libraries", absent, install_extra(name))
    )


def _folder(desk: Desk) -> Iterator[Finding]:
    if not desk.folder.is_dir():
        yield _failed(
            "folder",
            message("There is no desk in {folder}.", folder=desk.folder),
            message("Name another with --desk, or make one with `memdesk open`."),
        )
        return
    if desk.folder.stat().st_uid != os.geteuid():
        yield _failed(
            "folder",
            message("The desk's folder belongs to another user."),
            message("Take it over with chown."),
        )
    for path in (desk.folder, desk.owner_token, desk.agent_tokens, desk.database):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            yield _failed(
                "folder",
                message("Others may change or read {path}.", path=path),
                message("chmod go-rwx {path}", path=path),
            )
    if not os.access(desk.folder, os.W_OK):
        yield _failed(
            "folder",
            message("The desk's folder cannot be written."),
            message("chmod u+rwx {folder}", folder=desk.folder),
        )
    try:
        yield _passed("folder", message("The socket is {socket}.", socket=desk.socket))
    except MemDeskError as wrong:
        yield _failed("folder", wrong.says, wrong.next)
    free = shutil.disk_usage(desk.folder).free
    says = message("The disk has {count} MB free.", count=f"{free / 1e6:,.0f}")
    if free > LITTLE_BYTES:
        yield _passed("folder", says)
    else:
        yield _failed("folder", says, message("Free some disk space."))


def _settings(desk: Desk) -> Iterator[Finding]:
    try:
        settings = load_settings(desk.settings)
    except MemDeskError as wrong:
        yield _failed("settings", wrong.says, wrong.next)
        return
    yield _passed("settings", message("The settings can be read."))
    servers = (
        (LANGUAGE, settings.model_url),
        (EMBEDDER, settings.embedder_url),
        (RERANKER, settings.reranker_url),
    )
    for role, url in servers:
        if url:
            host = urlsplit(url).hostname or ""
            if key_for(url, role.variable).value or host in LOOPBACK:
                there = message("There is a key for the {role} at {host}.", role=role.name, host=host)
                yield _passed("models", there)
                continue
            yield _failed(
                "models",
                message("There is no key for the {role} at {host}.", role=role.name, host=host),
                message(
                    "Set {variable}, or `keyring set memdesk {host}`.", variable=role.variable, host=host
                ),
            )


def _database(desk: Desk, progress: Progress) -> Iterator[Finding]:
    if (address := desk.address) is not None:
        yield from _replica(desk, address)
        for each in _in_postgres(desk, address, progress):
            # A repair is of a file.
            yield replace(
                each, mends=False, next=NO_MESSAGE if each.ok or each.area == "members" else _BACK_THERE
            )
        return
    if not desk.database.exists():
        if any(each.verified_at for each in backups.list_backups(desk.backups)):
            yield _failed("database", message("The database is missing."), REPAIR, mends=True)
        else:
            says = message("There is no database yet; the first start makes it.")
            yield _passed("database", says, mends=True)
        return
    try:
        with closing(Connection(desk.database)) as db:
            yield from _check_database(db, desk, progress)
    except (binding.sqlite.Error, MemDeskError) as error:
        says = message("The database cannot be read: {error}.", error=error)
        yield _failed("database", says, REPAIR, mends=True)


def _replica(desk: Desk, address: str) -> Iterator[Finding]:
    # Settings that cannot be read, and a driver that is missing, have findings of their own.
    with suppress(ImportError, BadAsk):
        from memdesk.store.postgres.replica import Replica

        if (settings := load_settings(desk.settings)).recall_replica:
            most_s = settings.recall_replica_lag_seconds
            with closing(Replica(settings.recall_replica, address, most_s=most_s)) as replica:
                state = replica.look()
            yield Finding(area="replica", ok=state.ok, says=state.says, next=state.next)


def _in_postgres(desk: Desk, address: str, progress: Progress) -> Iterator[Finding]:
    yield _passed("database", message("The memory is in a PostgreSQL database, which checks its own pages."))
    try:
        # Of the extra `team`: nothing of it is imported for a desk in a folder.
        from memdesk.store.postgres import walling
        from memdesk.store.postgres.connection import PostgresConnection

        with closing(PostgresConnection(address)) as db:
            db.run("BEGIN")
            missing = walling.missing_wall(db)
            has_members = "access_tokens" in db.tables() and bool(agents.all_tokens(db))
            yield Finding(
                area="members",
                ok=not missing or not has_members,
                says=missing or message("Row-level security keeps each member to its users and channels."),
            )
            if integrity.is_digested(db):
                yield from _check_rows(db, desk, progress)
            else:
                yield _UNDIGESTED
    except (ImportError, binding.sqlite.Error, MemDeskError) as error:
        says = message("The database cannot be read: {error}.", error=str(error).strip().rstrip("."))
        yield _failed("database", says)


def _check_database(db: Connection, desk: Desk, progress: Progress) -> Iterator[Finding]:
    progress(0, 4, message("Reading the pages"))
    yield _finding("database", integrity.check_pages(db), message("Every page of the database is whole."))
    if not integrity.is_digested(db):
        yield _UNDIGESTED
        return
    yield _finding(
        "schema", integrity.check_schema(db), message("Tables and indexes are those of this version.")
    )
    yield from _check_rows(db, desk, progress)


def _check_rows(db: Connection, desk: Desk, progress: Progress) -> Iterator[Finding]:
    progress(1, 4, message("Reading the rows"))
    yield _finding("rows", integrity.check_rows(db), message("Every row is what was written."))
    progress(2, 4, message("Reading the indexes"))
    yield _finding(
        "indexes",
        integrity.check_indexes(db, CLAIMS),
        message("Words, vectors and counters agree with the rows."),
    )
    progress(3, 4, message("Walking the journal"))
    yield from _journal(db, desk)
    yield from _files(db, Vault(desk.folder, now).masked)


def _finding(area: str, flaws: list[Flaw], well: Message) -> Finding:
    if not flaws:
        return _passed(area, well, mends=True)
    counted = Counter(f"{flaw.table or 'pages'}: {flaw.what}" for flaw in flaws)
    said = ", ".join(f"{name} {number:,}×" for name, number in counted.most_common(NAMED))
    named = [flaw.id or flaw.detail for flaw in flaws if flaw.id or flaw.detail]
    says = message("Damaged: {said}.", said=said)
    if named:
        says = message("Damaged: {said} ({list}).", said=said, list="; ".join(dict.fromkeys(named[:NAMED])))
    return _failed(area, says, REPAIR, mends=True)


def _journal(db: Connection, desk: Desk) -> Iterator[Finding]:
    if (broken := chain.first_break(db)) is None:
        yield _passed("journal", message("The journal is what was written."), mends=True)
    else:
        says = message("The journal is damaged at change {broken}.", broken=broken)
        yield _failed("journal", says, REPAIR, mends=True)
    mark, newest = read_mark(desk.mark), events.newest(db)
    if mark is not None and newest < mark.event:
        yield _failed(
            "journal",
            message(
                "The database lacks the last {count} events that it once held.",
                count=f"{mark.event - newest:,}",
            ),
            message(
                "`memdesk backup list` shows whether a backup has them; `memdesk backup restore NAME` brings it back."
            ),
        )


def _files(db: Connection, masked: Callable[[str], str]) -> Iterator[Finding]:
    homes: dict[str, Workspace] = {each.id: each for each in records.find(db, WORKSPACE)}
    missing, other = [], []
    for document in records.find(db, DOCUMENT, retired_at=None):
        if document.workspace_id not in homes:
            continue  # The damage of the rows is named by itself.
        path = Path(homes[document.workspace_id].path, document.path)
        if not path.exists():
            missing.append(str(path))
        elif _differs(path, document, masked):
            other.append(str(path))
    # The service takes in what changed outside; that is no damage.
    if missing:
        says = message(
            "{count} files are not where they were: {list}.", count=len(missing), list=missing[:NAMED]
        )
        yield _passed("files", says)
    if other:
        says = message("{count} files were edited: {list}.", count=len(other), list=other[:NAMED])
        yield _passed("files", says)
    if not (missing or other):
        yield _passed("files", message("Files of workspaces are as they were last seen."))


def _differs(path: Path, document: Document, masked: Callable[[str], str]) -> bool:
    try:
        text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
        return document_versions.hash_of(masked(text)) != document.content_hash
    except (OSError, UnicodeDecodeError):
        return True


def _backups(desk: Desk) -> Iterator[Finding]:
    newest = next((each for each in backups.list_backups(desk.backups) if each.verified_at), None)
    if newest is None:
        yield _passed(
            "backups", message("There is no backup yet."), message("`memdesk backup now` makes one.")
        )
    else:
        when = newest.made_at.astimezone().strftime("%Y-%m-%d %H:%M")
        yield _passed("backups", message("The newest backup is of {when}.", when=when))
