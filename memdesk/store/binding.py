"""Choice of the SQLite library for this process: one that can load sqlite-vec if available, else text search
only.

Many CPythons ship a stdlib `sqlite3` that cannot load extensions. The order is pysqlite3, sqlean under its
name, then the stdlib, with or without extensions. It is chosen once, before sqlite_utils is imported, because
one file must never be opened through two SQLite libraries in one process (SQLite, "How To Corrupt", 2.2.1).
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

_LOADER = "enable_load_extension"


def _choose() -> ModuleType:
    for name in ("pysqlite3.dbapi2", "sqlean.dbapi2"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if name.startswith("sqlean"):
            # sqlite_utils looks for pysqlite3 by name; it must get this same library.
            sys.modules["pysqlite3"] = importlib.import_module("sqlean")
            sys.modules["pysqlite3.dbapi2"] = module
        return module
    return importlib.import_module("sqlite3")


sqlite: Any = _choose()
"""DB-API module in use. Untyped: none of the three has type stubs for all the calls used here."""

can_load_extensions: bool = hasattr(sqlite.Connection, _LOADER)
version: str = sqlite.sqlite_version
too_old: bool = sqlite.sqlite_version_info < (3, 43)
"""True before SQLite 3.43, in which FTS5 cannot delete a row from a contentless index."""
