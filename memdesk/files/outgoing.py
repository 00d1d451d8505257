"""Export target: a file or folder written under a temporary name in the same folder and then renamed."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memdesk.files.atomic import move, sync_folder
from memdesk.model.errors import BadAsk, Conflict, NotFound, StorageFailed


def need_free(path: Path) -> None:
    """Check that a path can be created. Raises BadAsk for a relative path, NotFound without its folder,
    Conflict when taken."""
    if not path.is_absolute():
        raise BadAsk(f"{path} is not an absolute path.", next="Name the file from the root on.")
    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}.", next="Make it first, or check the path.")
    if os.path.lexists(path):
        raise Conflict(f"{path.name} is there already.", next="Name another file, or move that one away.")


@contextmanager
def outgoing(path: Path, *, folder: bool, by: Path) -> Iterator[Path]:
    """Yield a temporary path to fill; afterwards it is at `path`, private to its owner. It is removed if the
    block raises.

    by: the folder of the exporting desk; a desk makes only one export to a path at a time. Raises Conflict
    when `path` was created meanwhile, StorageFailed when it cannot be written."""
    # A desk's own name for each path: what a crash left is taken away when the work is done again.
    temporary = path.with_name(f".memdesk-{uuid.uuid5(uuid.NAMESPACE_URL, f'{by} {path}').hex}.tmp")
    try:
        _remove(temporary)
        if folder:
            temporary.mkdir(mode=0o700)
        else:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        yield temporary
        _put(temporary, path, folder=folder)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StorageFailed(f"{path.name} could not be written: {why}.") from error
    finally:
        _remove(temporary)


def _remove(temporary: Path) -> None:
    if temporary.is_dir():
        shutil.rmtree(temporary, ignore_errors=True)
    else:
        temporary.unlink(missing_ok=True)


def _put(temporary: Path, path: Path, *, folder: bool) -> None:
    if folder:
        need_free(path)
        temporary.rename(path)
        sync_folder(path.parent)
        return
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
    move(temporary, path)
