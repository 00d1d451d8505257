"""Exchange of two file names in one step, where the system supports it, so that a replaced file's last
content is not lost."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

_HERE = -100
"""AT_FDCWD: paths are relative to the working folder, or absolute."""
_EXCHANGE = 2
"""RENAME_EXCHANGE of renameat2 (Linux 3.15), RENAME_SWAP of renamex_np (macOS 10.12)."""
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


def swap(one: Path, other: Path) -> bool:
    """Exchange two files; return False where the system or the file system cannot. Raises OSError."""
    call = _call()
    if call is None:
        return False
    ctypes.set_errno(0)
    if call(os.fsencode(one), os.fsencode(other)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(other))


@cache
def _call() -> Callable[[bytes, bytes], int] | None:
    """Return the system's own call, None where there is none."""
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        return lambda one, other: int(library.renamex_np(one, other, _EXCHANGE))
    if not hasattr(library, "renameat2"):
        return None
    return lambda one, other: int(library.renameat2(_HERE, one, _HERE, other, _EXCHANGE))
