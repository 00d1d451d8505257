"""Choice of the SQLite library for this process: one that can load sqlite-vec if available, else text search
only.

Many CPythons ship a stdlib `sqlite3` that cannot load extensions. The order is pysqlite3, sqlean under its
name, then the stdlib, with or without extensions. It is chosen once, before sqlite_utils is imported, because
one file must never be opened through two SQLite libraries in one process (SQLite, "How To Corrupt", 2.2.1).

A process that opened an encrypted desk uses SQLCipher instead, for every database. `connect` is the one place that
opens a database."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from memdesk.model import desk_keys
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message

_CIPHER = "sqlcipher3"
_LOADER = "enable_load_extension"


def _choose() -> ModuleType:
    for name in (_CIPHER,) if desk_keys.has_any() else ("pysqlite3", "sqlean"):
        try:
            module = importlib.import_module(f"{name}.dbapi2")
        except ImportError:
            continue
        # sqlite_utils looks for pysqlite3 by name; it must get this same library.
        sys.modules["pysqlite3"] = importlib.import_module(name)
        sys.modules["pysqlite3.dbapi2"] = module
        return module
    return importlib.import_module("sqlite3")


sqlite: Any = _choose()
"""DB-API module in use. Untyped: none of the three has type stubs for all the calls used here."""

can_load_extensions: bool = hasattr(sqlite.Connection, _LOADER)
version: str = sqlite.sqlite_version
too_old: bool = sqlite.sqlite_version_info < (3, 43)
"""True before SQLite 3.43, in which FTS5 cannot delete a row from a contentless index."""
is_cipher: bool = sqlite.__name__.startswith(_CIPHER)
"""True if this process reads and writes encrypted databases."""


def connect(path: Path, *, query: str = "", clear: bool = False, **options: Any) -> Any:
    """Return a connection to a database, with its key if it is one of an encrypted desk.

    query: of SQLite's URI, such as `?mode=ro`. clear: create it in clear whatever desk it is in. A database that is in
    clear already is opened as it is. Raises StorageFailed where this process cannot read encrypted ones."""
    key = None if clear or desk_keys.is_clear(path) else desk_keys.key_for(path)
    if key is not None and not is_cipher:
        raise StorageFailed(
            message("This process has read a desk in clear, and cannot open an encrypted one as well."),
            next=message("Start MemDesk again for the encrypted desk."),
        )
    name = path.absolute().as_uri() + query if query else str(path)
    raw = sqlite.connect(name, uri=bool(query), **options)
    if is_cipher:
        # SQLCipher would write to standard error what it also raises.
        raw.execute("PRAGMA cipher_log_level = NONE")
    if key is not None:
        raw.execute(f"PRAGMA key = {pragma_key(key)}")
    return raw


def pragma_key(key: bytes) -> str:
    """Return a raw key as SQLCipher takes it: no passphrase, so nothing is derived for each connection."""
    return f"\"x'{key.hex()}'\""
