"""A folder of memory files that is one agent's: a workspace of the desk, so that every write is kept and undoable.

Paths are walked before they are used; the writing itself is the workspace's, with its versions, merges and journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace import placing, register, writing
from memdesk.engine.workspace.disk import change_of, limit_of, one_writer, refuse_mended
from memdesk.engine.workspace.layouts import Place
from memdesk.engine.workspace.register import Bringer
from memdesk.files.reading import TextFile, text_of
from memdesk.files.walk import Met, Tree, opened
from memdesk.model.change import EDITS_AT_MOST, OUTSIDE, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.ids import new_id
from memdesk.store import records, versions, workspaces
from memdesk.store.connection import Connection

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Where an agent's memory files lie: in `prefix` below `base`, a folder that the desk trusts as it is.

    name, layout, channel, agent_id: what the workspace is made with when it is not there yet.
    """

    engine: Engine
    base: Path
    prefix: Parts
    name: str
    layout: str
    channel: str
    agent_id: str | None
    user_id: str
    author: str

    @property
    def root(self) -> Path:
        return self.base.joinpath(*self.prefix)

    @contextmanager
    def tree(self) -> Iterator[Tree]:
        """The base to walk in, the shelf's own folder made where it is missing."""
        with opened(self.base) as tree:
            tree.make_folders(self.prefix)
            yield tree

    def look(self, parts: Parts) -> Met | None:
        """What lies at a path of the shelf. Raises Refused for a link or a device on the way."""
        with self.tree() as tree:
            return tree.look((*self.prefix, *parts))

    def listed(self, parts: Parts, *, depth: int) -> Iterator[tuple[Parts, Met]]:
        """Folders and files below a folder, by name, each folder before what it holds: (path below it, met)."""
        with self.tree() as tree:
            yield from _listed(tree, (*self.prefix, *parts), (), depth)

    def read(self, parts: Parts) -> tuple[Document, TextFile]:
        """A file that is there, and what is known of it; what was written outside is recorded first."""
        document, workspace = self._document(parts)
        file = writing.current(self.engine, document, workspace)
        with self.engine.store.reading() as db:
            return records.need(db, DOCUMENT, document.id), file

    def create(self, parts: Parts, text: str) -> int:
        """Put a new file on the shelf; returns the change. Raises Conflict when there is one."""
        if len(text.encode()) > limit_of(self.engine):
            raise BadAsk(
                "The text is larger than a file of the desk may be.", next="Keep it in several files."
            )
        with one_writer:
            workspace = self.workspace()
            self._let_go(workspace, parts)
            with self.tree() as tree:
                tree.make_folders((*self.prefix, *parts[:-1]))
            return placing.create(self.engine, workspace.id, "/".join(parts), text, author=self.author).change

    def write(self, document: Document, was: TextFile, text: str) -> int:
        """Write a file anew that read `was`; what others write meanwhile is merged. Returns the change."""
        base = versions.hash_of(was.text)
        return writing.replace(self.engine, document.id, text, base_hash=base, author=self.author).change

    def remove(self, parts: Parts) -> int:
        """Take a file away; its versions stay. Returns the change."""
        document, _ = self._document(parts)
        return placing.retire(self.engine, document.id, author=self.author).change

    def rename(self, parts: Parts, target: Parts) -> int:
        """Give a file another path; its versions go with it. Returns the change."""
        with one_writer:
            document, workspace = self._document(parts)
            self._let_go(workspace, target)
            with self.tree() as tree:
                tree.make_folders((*self.prefix, *target[:-1]))
            return placing.rename(self.engine, document.id, "/".join(target), author=self.author).change

    def remove_folder(self, parts: Parts) -> int | None:
        """Take a folder away with all its files, in one change; returns it, None when it held no file.

        Raises Refused when it holds what is no text: the desk could not bring that back.
        """
        with one_writer, self.tree() as tree:
            held = self._held(tree, parts)
            edits = [records.moved(DOCUMENT, each, retired_at=self.engine.clock()) for each, _ in held]
            change = self._journal(f"Removed {'/'.join(parts)}/", edits, op="retire")
            with writing.taken_back(self.engine, change, self.author):
                aside = tree.set_aside((*self.prefix, *parts))
                if _differ(tree, aside, len(parts), held, limit_of(self.engine)):
                    tree.move_folder(aside, (*self.prefix, *parts))
                    raise Conflict(f"A file in {'/'.join(parts)} was changed in this very moment; it stays.")
            tree.clear(aside)
            return change

    def rename_folder(self, parts: Parts, target: Parts) -> int | None:
        """Give a folder another path, in one change; returns it, None when it held no file."""
        with one_writer, self.tree() as tree:
            held, workspace = self._held(tree, parts), self.workspace()
            tree.make_folders((*self.prefix, *target[:-1]))
            edits: list[Edit] = []
            with self.engine.store.reading() as db:
                for document, _ in held:
                    path = "/".join((*target, *document.path.split("/")[len(parts) :]))
                    edits.extend(placing.make_room(self.engine, db, workspace.id, path))
                    edits.append(placing.moved_to(document, path, workspace))
            change = self._journal(f"Renamed {'/'.join(parts)}/ to {'/'.join(target)}/", edits)
            with writing.taken_back(self.engine, change, self.author):
                tree.move_folder((*self.prefix, *parts), (*self.prefix, *target))
            return change

    def _held(self, tree: Tree, parts: Parts) -> list[tuple[Document, TextFile]]:
        """Every file below a folder, as it is. Raises Refused for what is no text, BadAsk for too many."""
        below = [met.parts[len(self.prefix) :] for met in tree.below((*self.prefix, *parts))]
        if 2 * len(below) > EDITS_AT_MOST:
            raise BadAsk(
                f"The folder holds {len(below)} files; {EDITS_AT_MOST // 2} at most are moved at once."
            )
        held = [self.read(each) for each in below]
        for document, file in held:
            refuse_mended(document, file)
        return held

    def _journal(self, title: str, edits: Sequence[Edit], *, op: str = "update") -> int | None:
        workspace = self.workspace()

        def verb(db: Connection) -> tuple[Change | None, None]:
            return (change_of(workspace, title, self.author, tuple(edits), op=op) if edits else None), None

        applied, _ = self.engine.store.decide(verb)
        return None if applied is None else applied.id

    def _document(self, parts: Parts) -> tuple[Document, Workspace]:
        """What is known of a file that is there; one that somebody else put there joins the workspace."""
        workspace, path = self.workspace(), "/".join(parts)
        known = self._known(workspace, path)
        if known is None or known.retired_at is not None:
            self._join(workspace, parts)
            known = self._known(workspace, path)
            assert known is not None
        return known, workspace

    def _join(self, workspace: Workspace, parts: Parts) -> None:
        path = "/".join(parts)
        place = Place(
            path=self.root, name=workspace.name, layout=workspace.layout, channel=workspace.channel,
            agent_id=workspace.agent_id, registered=True,
        )  # fmt: skip
        with self.tree() as tree:
            data, at = tree.read((*self.prefix, *parts), limit_bytes=limit_of(self.engine))
        reading = register.look(self.engine, place, path, text_of(data, path, modified_at=at), self.user_id)
        run = new_id("run", self.engine.clock())
        register.join(self.engine, reading, Bringer(author=OUTSIDE, run=run, user_id=self.user_id))

    def _let_go(self, workspace: Workspace, parts: Parts) -> None:
        """Record that a file is gone which somebody else took away."""
        known = self._known(workspace, "/".join(parts))
        if known is None or known.retired_at is not None or self.look(parts) is not None:
            return
        gone = records.moved(DOCUMENT, known, retired_at=self.engine.clock())
        title = f"Removed outside: {known.path}"
        self.engine.store.apply(change_of(known, title, OUTSIDE, (gone,), op="retire"))

    def _known(self, workspace: Workspace, path: str) -> Document | None:
        with self.engine.store.reading() as db:
            return workspaces.document_at(db, workspace.id, path)

    def workspace(self) -> Workspace:
        """The shelf's workspace, made or taken into use again at its first write."""
        with self.engine.store.reading() as db:
            known = workspaces.workspace_at(db, self.user_id, str(self.root))
        if known is not None and known.retired_at is None:
            return known
        channel = ensure_channel(self.engine, self.user_id, self.channel, author=self.author)
        self.engine.store.decide(lambda db: (self._registering(db, channel), None))
        with self.engine.store.reading() as db:
            made = workspaces.workspace_at(db, self.user_id, str(self.root))
        assert made is not None
        return made

    def _registering(self, db: Connection, channel: str) -> Change | None:
        known = workspaces.workspace_at(db, self.user_id, str(self.root))
        if known is not None and known.retired_at is None:
            return None
        draft = Draft(
            engine=self.engine, db=db, user_id=self.user_id, channel=channel, agent_id=self.agent_id,
            at=self.engine.clock(),
        )  # fmt: skip
        if known is not None:
            draft.edits.append(records.moved(WORKSPACE, known, retired_at=None))
        else:
            draft.bear(
                WORKSPACE, channel=draft.channel, agent_id=self.agent_id, name=self.name, path=str(self.root),
                layout=self.layout, created_at=draft.at,
            )  # fmt: skip
        return Change(
            op="learn", layer="workspace", title=f"Memory folder of {self.name}", author=self.author,
            edits=tuple(draft.edits), channel=draft.channel, user_id=self.user_id,
        )  # fmt: skip


def _listed(tree: Tree, folder: Parts, below: Parts, depth: int) -> Iterator[tuple[Parts, Met]]:
    for met in tree.entries(folder):
        path = (*below, met.parts[-1])
        yield path, met
        if met.is_folder and depth > 1 and not met.parts[-1].startswith("."):
            yield from _listed(tree, met.parts, path, depth - 1)


def _differ(
    tree: Tree, aside: Parts, depth: int, held: Sequence[tuple[Document, TextFile]], limit_bytes: int
) -> bool:
    """Whether files of a folder that was set aside are others than those that were just read."""
    wanted = {document.path.split("/", depth)[depth]: file for document, file in held}
    there = {"/".join(met.parts[len(aside) :]): met for met in tree.below(aside)}
    if wanted.keys() != there.keys():
        return True
    return any(
        tree.read(met.parts, limit_bytes=limit_bytes)[0] != wanted[path].manner.exact(wanted[path].text)
        for path, met in there.items()
    )
