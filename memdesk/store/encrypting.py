"""Rewriting a database encrypted, or in clear, into another file.

SQLCipher keeps a nonce and a digest in every page, so pages cannot be copied, and its own `sqlcipher_export` gives rows
new numbers, by which indexes of vectors find them. Table by table, every row keeps its number here."""

from __future__ import annotations

import hashlib
import hmac
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from memdesk.model import desk_keys
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message
from memdesk.store import binding

ROW_NUMBER = "_rowid_"
PAGE_BYTES, SALT_BYTES, NONCE_BYTES, DIGEST_BYTES = 4096, 16, 16, 64
"""Layout of a page of SQLCipher 4: the first page begins with a salt, each ends with a nonce and an HMAC-SHA512."""
LOG_HEAD_BYTES, FRAME_HEAD_BYTES = 32, 24
"""Headers of a WAL and of each page in it (SQLite, "WAL file format")."""
CHUNK_BYTES = 1 << 20


def rewrite(source: Path, target: Path, *, clear: bool) -> None:
    """Write the content of a database, which no process changes, into a new file. clear: without encryption.

    Raises StorageFailed; what was written is then of no use."""
    try:
        with closing(binding.connect(target, clear=clear, isolation_level=None)) as db:
            key = None if desk_keys.is_clear(source) else desk_keys.key_for(source)
            given = "" if key is None else f"x'{key.hex()}'"
            db.execute("ATTACH DATABASE ? AS source KEY ?", (str(source), given))
            db.execute("BEGIN")
            _copy_all(db)
            db.execute("COMMIT")
    except binding.sqlite.Error as error:
        raise StorageFailed(
            message("The database could not be rewritten: {error}.", error=error),
            next=message("`memdesk doctor` says what is wrong with it."),
        ) from error


def _copy_all(db: Any) -> None:
    tables = _parts(db, "type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_%'")
    for _, sql in tables:
        db.execute(sql)
    for name, _ in tables:
        columns = ", ".join(_columns(db, name))
        db.execute(
            f"INSERT INTO main.{_quoted(name)} ({columns}) SELECT {columns} FROM source.{_quoted(name)}"
        )
    if _parts(db, "name = 'sqlite_sequence'"):
        db.execute("DELETE FROM main.sqlite_sequence")
        db.execute("INSERT INTO main.sqlite_sequence SELECT * FROM source.sqlite_sequence")
    for _, sql in _parts(db, "type = 'index' AND sql IS NOT NULL"):
        db.execute(sql)
    # The tables behind a virtual table are copied; its module must not make them anew.
    db.execute("PRAGMA writable_schema = ON")
    db.execute(
        "INSERT INTO main.sqlite_schema SELECT * FROM source.sqlite_schema WHERE type = 'table' AND rootpage = 0 "
        "OR type IN ('view', 'trigger')"
    )
    db.execute("PRAGMA writable_schema = OFF")
    for pragma in ("user_version", "application_id"):
        value = db.execute(f"PRAGMA source.{pragma}").fetchone()[0]
        db.execute(f"PRAGMA main.{pragma} = {value}")


def _parts(db: Any, where: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = db.execute(
        f"SELECT name, sql FROM source.sqlite_schema WHERE {where} ORDER BY _rowid_"
    ).fetchall()
    return found


def _columns(db: Any, table: str) -> Iterator[str]:
    """Yield the columns of a table, before them the row's number where no column is it."""
    rows = db.execute(f"PRAGMA source.table_info({_quoted(table)})").fetchall()
    numbered = [row for row in rows if row[5]]
    is_number = len(numbered) == 1 and numbered[0][2].upper() == "INTEGER"
    without = db.execute(
        "SELECT wr FROM pragma_table_list WHERE schema = 'source' AND name = ?", (table,)
    ).fetchone()[0]
    if not is_number and not without:
        yield ROW_NUMBER
    yield from (_quoted(row[1]) for row in rows)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def sign_again(damaged: Path, target: Path) -> Path:
    """Copy an encrypted database, with valid digests on damaged pages, and return the copy; one in clear stays itself.

    After a page with a wrong digest, SQLCipher reads nothing more. With a digest for the page as it is, it reads the
    complete file, and only what was damaged is wrong, as in a file in clear. Raises OSError."""
    key = desk_keys.key_for(damaged)
    if key is None or desk_keys.is_clear(damaged):
        return damaged
    shutil.copyfile(damaged, target)
    if (log := damaged.with_name(damaged.name + "-wal")).exists():
        shutil.copyfile(log, target.with_name(target.name + "-wal"))
    with target.open("r+b") as file:
        salt = file.read(SALT_BYTES)
        signer = hashlib.pbkdf2_hmac(
            "sha512", key, bytes(each ^ 0x3A for each in salt), 2, desk_keys.KEY_BYTES
        )
        for number in range(1, target.stat().st_size // PAGE_BYTES + 1):
            start = (number - 1) * PAGE_BYTES
            file.seek(start)
            page = file.read(PAGE_BYTES)
            body = page[SALT_BYTES if number == 1 else 0 : -DIGEST_BYTES]
            digest = hmac.digest(signer, body + number.to_bytes(4, "little"), "sha512")
            if digest != page[-DIGEST_BYTES:]:
                file.seek(start + PAGE_BYTES - DIGEST_BYTES)
                file.write(digest)
    return target


def clear_bytes(file: Path) -> Iterator[bytes]:
    """Yield the content of a file in parts, decrypted page by page where it is a database or a log of an
    encrypted desk.

    Raises OSError."""
    key = desk_keys.key_for(file)
    logs = file.name.endswith("-wal")
    if key is None or not (logs or file.suffix == ".db") or desk_keys.is_clear(file):
        with file.open("rb") as stream:
            while part := stream.read(CHUNK_BYTES):
                yield part
        return
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    with file.open("rb") as stream:
        stream.seek(LOG_HEAD_BYTES if logs else 0)
        first = not logs
        while len(page := stream.read(PAGE_BYTES + (FRAME_HEAD_BYTES if logs else 0))) >= PAGE_BYTES:
            if logs:
                first = page[:4] == b"\0\0\0\1"
                page = page[FRAME_HEAD_BYTES:]
            nonce = page[-DIGEST_BYTES - NONCE_BYTES : -DIGEST_BYTES]
            body = page[SALT_BYTES if first else 0 : -DIGEST_BYTES - NONCE_BYTES]
            first = False
            yield Cipher(algorithms.AES(key), modes.CBC(nonce)).decryptor().update(body)
