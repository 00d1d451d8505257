"""Identity of a folder: its Git repository, and the mark of the folder on its disk."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SECONDS = 3.0
"""Time limit of one question to Git. Where it is exceeded, the folder counts as one outside Git."""
_REMOTE = re.compile(
    r"(?:(?P<scheme>[a-z+]+)://(?:[^@/]*@)?(?P<host>[^:/]+)(?::\d+)?/|(?:[^@/\s]+@)?(?P<scp>[\w.-]+):(?!/))(?P<path>.+)"
)
"""Remote with a scheme, as git-clone(1) has them, or in the short form of scp. A path on this machine is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderIdentity:
    """Identity of a folder. root: the top folder of its repository, else the folder itself. remote: `HOST/PATH`, ""
    without one. first_commit: "" without one. mark: of `root`, as `folder_mark` returns it."""

    root: Path
    remote: str = ""
    first_commit: str = ""
    mark: str = ""

    @property
    def identity(self) -> str:
        if self.remote:
            return f"git:{self.remote}"
        return f"commit:{self.first_commit}" if self.first_commit else f"folder:{self.root}"

    @property
    def name(self) -> str:
        """Name of the project: that of its remote, else of its folder."""
        return (self.remote.rpartition("/")[2] if self.remote else self.root.name) or "root"

    @property
    def full_name(self) -> str:
        """Name with the owner of the repository, or the folder around it, before it."""
        around = self.remote.split("/")[-2:-1] if self.remote else [self.root.parent.name]
        return "/".join([*filter(None, around), self.name])


def identify(folder: Path) -> FolderIdentity:
    """Return the identity of a folder, which need not exist."""
    folder = Path(os.path.realpath(folder))
    top = _git(folder, "rev-parse", "--show-toplevel") if folder.is_dir() else ""
    if not top:
        return FolderIdentity(root=folder, mark=folder_mark(folder))
    root = Path(top)
    name = _git(root, "remote").partition("\n")[0]
    remotes = {each for each in _git(root, "remote").split("\n") if each}
    name = "origin" if "origin" in remotes else name
    remote = normalised_remote(_git(root, "config", "--get", f"remote.{name}.url")) if name else ""
    # The first of several roots, as of a history that was joined from two.
    first = _git(root, "rev-list", "--max-parents=0", "HEAD").split("\n")[-1]
    return FolderIdentity(root=root, remote=remote, first_commit=first, mark=folder_mark(root))


def normalised_remote(url: str) -> str:
    """Return a remote as `HOST/PATH`, the same for every protocol; "" for a path on this machine."""
    found = _REMOTE.fullmatch(url.strip())
    if found is None or found["scheme"] == "file":
        return ""
    host = (found["host"] or found["scp"]).lower()
    return f"{host}/{found['path'].strip('/').removesuffix('.git')}"


def folder_mark(folder: Path) -> str:
    """Return what a folder keeps when it is moved, and no later folder in its place has: its device, inode and time of
    birth. "" where there is no folder, or the system does not say when it was born."""
    try:
        about = folder.stat()
    except OSError:
        return ""
    born = getattr(about, "st_birthtime", None) or _birth_time(folder)
    return f"{about.st_dev}:{about.st_ino}:{born}" if born else ""


def _birth_time(folder: Path) -> str:
    """Return the birth time as stat(1) prints it; Python's own stat has none on Linux."""
    born = _output(["stat", "--format=%W", "--", str(folder)])
    return "" if born in ("0", "-", "?") else born


def _git(folder: Path, *words: str) -> str:
    return _output(["git", "-C", str(folder), *words])


def _output(command: list[str]) -> str:
    """Return the output of a program; "" if it is not there, fails or takes too long."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        ran = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
