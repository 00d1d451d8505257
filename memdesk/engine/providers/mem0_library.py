"""Mem0 as a library with a local store for each user (the extra `mem0`): an additional memory, separate from
the desk's own.

No data leaves the machine: no model is asked, its vectors come from the bundled table with any embedder of
the desk, since a local store has one fixed dimension, and its telemetry is off."""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memdesk.engine.providers.embedder import StaticTable
from memdesk.model.errors import NotFound, StorageFailed
from memdesk.model.extras import install_extra
from memdesk.model.message import message

DIMENSION = 256
"""Dimension of the bundled table."""
NOBODY = "http://127.0.0.1:9/v1"
"""Address for the model and the embedder that Mem0 requires; neither is ever asked (RFC 863: port 9 discards)."""


class Mem0Stores:
    """Stores of a desk's users, opened at first use. Thread-safe: a local store serves one call at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._open: dict[str, Any] = {}

    @contextmanager
    def of(self, user_id: str) -> Iterator[Any]:
        """Yield a user's `mem0.Memory`. Raises NotFound without the extra, StorageFailed if the store is damaged."""
        with self._lock:
            if user_id not in self._open:
                self._open[user_id] = _opened(self._folder, self.place(user_id))
            yield self._open[user_id]

    def place(self, user_id: str) -> Path:
        """Return the folder of a user's store; its name is a hash, so it hides the user id and is always a
        valid folder name."""
        return (
            self._folder
            / hashlib.blake2b(user_id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        )

    def erase(self, user_id: str) -> bool:
        """Remove a user's store permanently; return True if there was one. Raises StorageFailed if files remain."""
        with self._lock:
            if user_id in self._open:
                _close(self._open.pop(user_id))
            place = self.place(user_id)
            if not place.exists():
                return False
            try:
                shutil.rmtree(place)
            except OSError as refused:
                raise StorageFailed(
                    message(
                        "Mem0's store {place} could not be removed: {strerror}.",
                        place=place,
                        strerror=refused.strerror,
                    )
                ) from refused
            return True

    def close(self) -> None:
        with self._lock:
            while self._open:
                _close(self._open.popitem()[1])


def _opened(folder: Path, place: Path) -> Any:
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    library, base = _library(folder)
    config = {
        "vector_store": {
            "provider": "qdrant",
            "config": {
                "path": str(place / "vectors"),
                "on_disk": True,
                "collection_name": "memories",
                "embedding_model_dims": DIMENSION,
            },
        },
        "llm": {"provider": "lmstudio", "config": {"lmstudio_base_url": NOBODY}},
        "embedder": {"provider": "lmstudio", "config": {"lmstudio_base_url": NOBODY}},
        "history_db_path": str(place / "history.db"),
    }
    try:
        memory = library.Memory.from_config(config)
    except Exception as wrong:  # noqa: BLE001  the errors of Mem0 and of its stores share no root but this
        raise StorageFailed(
            message("Mem0's store {place} cannot be opened: {wrong}.", place=place, wrong=str(wrong)[:200]),
            next=message("Move the folder away to begin anew."),
        ) from wrong
    memory.embedding_model = _bundled(base)()
    return memory


def _library(folder: Path) -> tuple[Any, Any]:
    """Return (mem0, its module of embedders). The folder and the telemetry setting are set first, because
    mem0 reads them at import."""
    os.environ.setdefault("MEM0_DIR", str(folder))
    os.environ["MEM0_TELEMETRY"] = "False"
    try:
        return importlib.import_module("mem0"), importlib.import_module("mem0.embeddings.base")
    except ImportError as missing:
        raise NotFound(message("Mem0 is not installed."), next=install_extra("mem0")) from missing


def _bundled(base: Any) -> Any:
    """Return the bundled table as one of Mem0's embedder classes."""
    table = StaticTable()

    def embed(_self: Any, text: str, _action: str | None = None) -> list[float]:
        vector: list[float] = table.embed([text])[0].tolist()
        return vector

    return type("Bundled", (base.EmbeddingBase,), {"embed": embed})


def _close(memory: Any) -> None:
    memory.close()
    memory.vector_store.client.close()
