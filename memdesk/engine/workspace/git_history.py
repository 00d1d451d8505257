"""Versions of a file that Git knows: its commits with their texts, read by the git command. Git is never needed."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from memdesk.model.instant import from_datetime

log = logging.getLogger(__name__)

COMMITS_AT_MOST = 200
"""Latest commits of a file that become versions."""
BYTES_AT_MOST = 4_000_000
"""Most bytes of all versions of one file; older ones are left out."""
GIT_SECONDS = 10
AUTHOR_CHARACTERS = 80
_SAFE = (
    # A repository's own settings start no program here.
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false"),
    *("--no-pager", "--literal-pathspecs", "--no-optional-locks"),
)
_MARK, _CUT = "\x1e", "\x1f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """Commit of a file. at: the author's date, in UTC microseconds. text: the file as of this commit."""

    author: str
    at: int
    text: str


def commits_of(path: Path) -> tuple[Commit, ...]:
    """Return the latest commits of a file, oldest first, each with another text; none if it is in no repository, or
    git is missing or fails."""
    git = shutil.which("git")
    if git is None or not _is_in_repository(path.parent):
        return ()
    try:
        return tuple(_distinct(_read(git, path)))
    except (OSError, subprocess.SubprocessError, ValueError) as failed:
        log.info("the history of %s was not read from Git: %s", path.name, failed)
        return ()


@cache
def _is_in_repository(folder: Path) -> bool:
    return any((each / ".git").exists() for each in (folder, *folder.parents))


def _read(git: str, path: Path) -> list[Commit]:
    """Return the commits, oldest first."""
    shape = f"--format={_MARK}%H{_CUT}%an{_CUT}%aI"
    logged = _run(
        git,
        path.parent,
        *("log", "--follow", "--no-ext-diff", "--no-textconv", "--name-only", "-z"),
        *(shape, f"--max-count={COMMITS_AT_MOST}", "--", path.name),
    ).decode("utf-8", "replace")
    found: list[Commit] = []
    size = 0
    for entry in logged.split(_MARK)[1:]:
        head, _, names = entry.replace("\0", "\n").partition("\n")
        commit, author, at = head.split(_CUT)
        name = next(filter(None, names.split("\n")), "")
        if not name:
            continue
        try:
            text = _run(git, path.parent, "cat-file", "blob", f"{commit}:{name}").decode("utf-8")
        except (subprocess.CalledProcessError, UnicodeDecodeError):
            continue  # Deleted by this commit, or not a text then.
        size += len(text)
        if size > BYTES_AT_MOST:
            break
        moment = from_datetime(datetime.fromisoformat(at))
        found.append(Commit(author=author[:AUTHOR_CHARACTERS], at=moment, text=text))
    return found[::-1]


def _run(git: str, folder: Path, *words: str) -> bytes:
    command = [git, *_SAFE, *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, check=True, timeout=GIT_SECONDS, stdin=subprocess.DEVNULL
    ).stdout


def _distinct(commits: Sequence[Commit]) -> Iterator[Commit]:
    """Yield the commits that changed the text."""
    before: str | None = None
    for each in commits:
        if each.text != before:
            yield each
        before = each.text
