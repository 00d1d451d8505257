"""Projects: the channel of the folder in which a runtime works, by identity and not by the folder's name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import NAME_CHARACTERS, about_channel, channel_named, ensure_channel
from memdesk.engine.memory.rows import row_of
from memdesk.engine.wording import tidied
from memdesk.model.change import Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.model.project import (
    PROJECT,
    BindProject,
    EnterProject,
    ForgetProject,
    ListProjects,
    Project,
    ProjectBound,
    ProjectChannel,
    ProjectInfo,
    ProjectList,
    SplitProject,
)
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

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


def channel_for(engine: Engine, folder: str, *, user_id: str, author: str) -> str:
    """Return the channel of the project that a folder belongs to; a new project gets its own channel.

    The first project of a name takes the channel of that name, also one with memory that no project has; a namesake
    gets the name with its owner or folder before it. `_global` where no folder is named."""
    if not folder.strip() or "\0" in folder:
        return GLOBAL
    where = identify(Path(folder).expanduser())
    with engine.store.reading() as db:
        known = _project_of(db, where, user_id)
        if known is not None and _agrees(known, where):
            return semantic.current_channel(db, user_id, known.channel)

    def verb(db: Connection) -> tuple[Change | None, str]:
        known = _project_of(db, where, user_id)
        channel = _free_channel(db, where, user_id) if known is None else known.channel
        edit = _edit(engine, db, known, where, channel, user_id)
        return _change(
            "learn", message("Project {where}", where=where.name), channel, user_id, author, edit
        ), channel

    _, channel = engine.store.decide(verb)
    return ensure_channel(engine, user_id, channel, author=author)


def enter(engine: Engine, ask: EnterProject, *, author: str) -> ProjectChannel:
    """Return the channel of the project that a runtime works in."""
    return ProjectChannel(channel=channel_for(engine, ask.folder, user_id=ask.user_id, author=author))


def projects(engine: Engine, ask: ListProjects) -> ProjectList:
    """Return the projects of a user, or the one that a folder belongs to."""
    with engine.store.reading() as db:
        if ask.folder:
            known = _project_of(db, identify(Path(ask.folder).expanduser()), ask.user_id)
            found = [] if known is None else [known]
        else:
            found = _all(db, ask.user_id)
        rows = [
            row_of(ProjectInfo, each, channel=semantic.current_channel(db, ask.user_id, each.channel))
            for each in found
        ]
    return ProjectList(rows=tuple(sorted(rows, key=lambda row: (row.channel, row.created_at))))


def bind(engine: Engine, ask: BindProject, *, author: str) -> ProjectBound:
    """Give the project in a folder another channel, which is created if it is missing. Two projects with one channel
    share their memory from then on. Raises BadAsk for a bad name."""
    where = identify(Path(ask.folder).expanduser())
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)

    def verb(db: Connection) -> tuple[Change | None, None]:
        known = _project_of(db, where, ask.user_id)
        if known is not None and known.channel == channel:
            return None, None
        edit = _edit(engine, db, known, where, channel, ask.user_id)
        title = message("Project {where} has channel {channel}", where=where.name, channel=channel)
        return _change("update", title, channel, ask.user_id, author, edit), None

    applied, _ = engine.store.decide(verb)
    return ProjectBound(name=where.name, channel=channel, change=None if applied is None else applied.id)


def split(engine: Engine, ask: SplitProject, *, author: str) -> ProjectBound:
    """Give the project in a folder a channel that no other project has.

    Raises NotFound for a folder of no project, BadAsk for a channel that another project has."""
    where = identify(Path(ask.folder).expanduser())
    with engine.store.reading() as db:
        known = _project_of(db, where, ask.user_id)
        if known is None:
            raise _unknown(where.root)
        others = {each.channel for each in _all(db, ask.user_id) if each.id != known.id}
        if ask.channel:
            channel = tidied(ask.channel, message("A channel's name"), NAME_CHARACTERS)
        else:
            names = _names(where)
            channel = next(
                name for name in names if name not in others and channel_named(db, ask.user_id, name) is None
            )
    if channel in others:
        raise BadAsk(
            message("Another project has channel {channel}.", channel=channel),
            next=message("Name a channel that none has."),
        )
    return bind(engine, BindProject(folder=ask.folder, channel=channel, user_id=ask.user_id), author=author)


def forget(engine: Engine, ask: ForgetProject, *, author: str) -> ProjectBound:
    """Retire the project that was last seen in a folder, or that the folder belongs to. Undo lists it again.

    Raises NotFound for a folder of no project."""
    folder = Path(ask.folder).expanduser().absolute()

    def verb(db: Connection) -> tuple[Change | None, Project]:
        # Of a folder that is gone, nothing but its path is known.
        seen = [each for each in _all(db, ask.user_id) if each.root == str(folder)]
        known = seen[0] if seen else _project_of(db, identify(folder), ask.user_id)
        if known is None:
            raise _unknown(folder)
        edit = records.update_edit(PROJECT, known, retired_at=engine.clock())
        title = message("Project {where} was taken off the list", where=known.name)
        return _change("retire", title, known.channel, ask.user_id, author, edit), known

    applied, known = engine.store.decide(verb)
    return ProjectBound(
        name=known.name, channel=known.channel, change=None if applied is None else applied.id
    )


def _unknown(folder: Path) -> NotFound:
    return NotFound(
        message("No project is known in {root}.", root=folder),
        next=message("`memdesk projects` lists them."),
    )


def _all(db: Connection, user_id: str) -> list[Project]:
    found: list[Project] = records.find(db, PROJECT, user_id=user_id, retired_at=None)
    return found


def _project_of(db: Connection, where: FolderIdentity, user_id: str) -> Project | None:
    """Return the project of a folder: the same identity, else the same folder or first commit with a remote that is
    new, else a folder that was moved, else a folder outside Git around this one."""
    found = _all(db, user_id)
    for is_it in (_is_same, _is_renamed, _is_moved):
        for each in found:
            if is_it(each, where):
                return each
    if where.remote or where.first_commit:
        return None
    # A session in the home folder makes nobody's other folders a part of it.
    broad = {Path.home(), *Path.home().parents}
    outside = {Path(each.root): each for each in found if each.identity.startswith("folder:")}
    return next((outside[each] for each in where.root.parents if each in outside and each not in broad), None)


def _is_same(project: Project, where: FolderIdentity) -> bool:
    if project.identity != where.identity:
        return False
    # Another folder in the place of one that is gone is another project.
    return not project.identity.startswith("folder:") or not project.mark or project.mark == where.mark


def _is_renamed(project: Project, where: FolderIdentity) -> bool:
    """Return True for a repository whose remote is new or changed, or a folder that became a repository."""
    if project.root == str(where.root) and project.mark and project.mark == where.mark:
        return project.first_commit in ("", where.first_commit)
    return bool(
        where.remote and project.identity.startswith("commit:") and project.first_commit == where.first_commit
    )


def _is_moved(project: Project, where: FolderIdentity) -> bool:
    """Return True for a folder that is at another place now. A copy has another mark."""
    same = bool(project.mark) and project.mark == where.mark
    return same and project.identity.startswith("folder:") and folder_mark(Path(project.root)) != project.mark


def _agrees(project: Project, where: FolderIdentity) -> bool:
    """Return True if nothing about a project has to be written down again."""
    inside = not (where.remote or where.first_commit) and Path(project.root) in where.root.parents
    return inside or (project.identity == where.identity and _is_current(project, where))


def _is_current(project: Project, where: FolderIdentity) -> bool:
    """Return True while the folder where a project was last seen is there; a second clone changes nothing."""
    return project.root == str(where.root) or Path(project.root).is_dir()


def _edit(
    engine: Engine, db: Connection, known: Project | None, where: FolderIdentity, channel: str, user_id: str
) -> Edit | None:
    """Return the edit that creates a project, or gives it these values; None if it has them."""
    fields: dict[str, Any] = {
        "channel": channel,
        "name": where.name,
        "identity": where.identity,
        "root": str(where.root),
        "first_commit": where.first_commit,
        "mark": where.mark,
    }
    if known is not None:
        if Path(known.root) in where.root.parents and not (where.remote or where.first_commit):
            fields = {"channel": channel}
        moved = {name: value for name, value in fields.items() if getattr(known, name) != value}
        return records.update_edit(PROJECT, known, **moved) if moved else None
    gone = records.find(db, PROJECT, user_id=user_id, identity=where.identity, limit=1)
    if gone:
        return records.update_edit(PROJECT, gone[0], retired_at=None, **fields)
    now = engine.clock()
    project = Project(
        seq=engine.store.new_seq(), id=new_id(PROJECT.prefix, now), user_id=user_id, created_at=now, **fields
    )
    return records.creation_edit(PROJECT, project)


def _change(
    op: str, title: Message, channel: str, user_id: str, author: str, edit: Edit | None
) -> Change | None:
    return None if edit is None else about_channel(op, title, channel, user_id, author, edit)


def _free_channel(db: Connection, where: FolderIdentity, user_id: str) -> str:
    """Return the first name of a new project that no other project uses."""
    taken = {semantic.current_channel(db, user_id, each.channel) for each in _all(db, user_id)} | {GLOBAL}
    return next(name for name in _names(where) if semantic.current_channel(db, user_id, name) not in taken)


def _names(where: FolderIdentity) -> Iterator[str]:
    """Yield the names that a project's channel may have, the best first."""
    for name in (where.name, where.full_name):
        yield " ".join(name.split())[:NAME_CHARACTERS] or "root"
    number = 2
    while True:
        yield f"{' '.join(where.full_name.split())[: NAME_CHARACTERS - 8]} {number}"
        number += 1
