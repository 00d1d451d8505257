"""Folder of memory files of one agent: a workspace of the desk, so that every write is recorded and can be
undone.

Paths are checked before use; files are written by the workspace, with its versions, merges and journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace import placing, writing
from memdesk.engine.workspace.disk import change_of, hidden, limit_of, one_writer, refuse_not_utf8
from memdesk.engine.workspace.layouts import Place
from memdesk.engine.workspace.placing import ImportContext
from memdesk.files.reading import TextFile, text_of
from memdesk.files.walk import Met, Tree, opened
from memdesk.model.change import EDITS_AT_MOST, OUTSIDE, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFolder:
    """Folder of an agent's memory files: `prefix` below `base`, a folder that the desk trusts without checks.

    name, layout, channel, agent_id: used to create the workspace if it does not exist yet."""

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
        """Yield the base folder for checked access; the agent's own folder is created if missing."""
        with opened(self.base) as tree:
            tree.make_folders(self.prefix)
            yield tree

    def look(self, parts: Parts) -> Met | None:
        """Return the entry at a path of the folder, if any. Raises Refused for a link or a device on the way."""
        with self.tree() as tree:
            return tree.look((*self.prefix, *parts))

    def listed(self, parts: Parts, *, depth: int) -> Iterator[tuple[Parts, Met]]:
        """Yield folders and files below a folder, by name, each folder before its contents: (path below it, entry)."""
        with self.tree() as tree:
            yield from _listed(tree, (*self.prefix, *parts), (), depth)

    def read(self, parts: Parts) -> tuple[Document, TextFile]:
        """Return the record and the text of an existing file; changes made outside are recorded first."""
        document, workspace = self._document(parts)
        file = writing.current(self.engine, document, workspace)
        with self.engine.store.reading() as db:
            return records.need(db, DOCUMENT, document.id), file

    def create(self, parts: Parts, text: str) -> int:
        """Create a file; return the change. Raises Conflict if it exists, BadAsk if the text is too large."""
        if len(text.encode()) > limit_of(self.engine):
            raise BadAsk(
                message("The text is larger than a file of the desk may be."),
                next=message("Keep it in several files."),
            )
        with one_writer:
            workspace = self.workspace()
            self._let_go(workspace, parts)
            with self.tree() as tree:
                tree.make_folders((*self.prefix, *parts[:-1]))
            return placing.create(self.engine, workspace.id, "/".join(parts), text, author=self.author).change

    def write(self, document: Document, was: TextFile, text: str) -> int:
        """Replace a file's text `was`; changes by others in the meantime are merged. Returns the change."""
        base = document_versions.hash_of(was.text)
        return writing.replace(self.engine, document.id, text, base_hash=base, author=self.author).change

    def remove(self, parts: Parts) -> int:
        """Remove a file; its versions stay. Returns the change."""
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
        """Remove a folder with all its files, in one change; return the change, None if it had no file.

        Raises Refused if it contains a file that is not text, which the desk could not restore."""
        with one_writer, self.tree() as tree:
            held = self._files_below(tree, parts)
            edits = [records.update_edit(DOCUMENT, each, retired_at=self.engine.clock()) for each, _ in held]
            change = self._journal(message("Removed {parts}/", parts="/".join(parts)), edits, op="retire")
            with writing.undone_on_failure(self.engine, change, self.author):
                aside = tree.set_aside((*self.prefix, *parts))
                if _differ(tree, aside, len(parts), held, limit_of(self.engine)):
                    tree.move_folder(aside, (*self.prefix, *parts))
                    raise Conflict(
                        message(
                            "A file in {parts} was changed in this very moment; it stays.",
                            parts="/".join(parts),
                        )
                    )
            tree.clear(aside)
            return change

    def rename_folder(self, parts: Parts, target: Parts) -> int | None:
        """Give a folder another path, in one change; return the change, None if it had no file."""
        with one_writer, self.tree() as tree:
            held, workspace = self._files_below(tree, parts), self.workspace()
            tree.make_folders((*self.prefix, *target[:-1]))
            edits: list[Edit] = []
            with self.engine.store.reading() as db:
                for document, _ in held:
                    path = "/".join((*target, *document.path.split("/")[len(parts) :]))
                    edits.extend(placing.make_room(self.engine, db, workspace.id, path))
                    edits.append(placing.moved_to(document, path, workspace))
            change = self._journal(
                message("Renamed {parts}/ to {target}/", parts="/".join(parts), target="/".join(target)),
                edits,
            )
            with writing.undone_on_failure(self.engine, change, self.author):
                tree.move_folder((*self.prefix, *parts), (*self.prefix, *target))
            return change

    def _files_below(self, tree: Tree, parts: Parts) -> list[tuple[Document, TextFile]]:
        """Return every file below a folder, as it is now. Raises Refused for a file that is not text, BadAsk
        for too many."""
        below = [met.parts[len(self.prefix) :] for met in tree.below((*self.prefix, *parts))]
        if 2 * len(below) > EDITS_AT_MOST:
            raise BadAsk(
                message(
                    "The folder holds {count} files; {most} at most are moved at once.",
                    count=len(below),
                    most=EDITS_AT_MOST // 2,
                )
            )
        held = [self.read(each) for each in below]
        for document, file in held:
            refuse_not_utf8(document, file)
        return held

    def _journal(self, title: Message, edits: Sequence[Edit], *, op: str = "update") -> int | None:
        workspace = self.workspace()

        def verb(db: Connection) -> tuple[Change | None, None]:
            return (change_of(workspace, title, self.author, tuple(edits), op=op) if edits else None), None

        applied, _ = self.engine.store.decide(verb)
        return None if applied is None else applied.id

    def _document(self, parts: Parts) -> tuple[Document, Workspace]:
        """Return the record of an existing file and its workspace; a file added from outside is registered first."""
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
            path=self.root,
            name=workspace.name,
            layout=workspace.layout,
            channel=workspace.channel,
            agent_id=workspace.agent_id,
            registered=True,
        )
        with self.tree() as tree:
            data, at = tree.read((*self.prefix, *parts), limit_bytes=limit_of(self.engine))
        reading = placing.read_new_file(
            self.engine, place, path, hidden(self.engine, text_of(data, path, modified_at=at)), self.user_id
        )
        run = new_id("run", self.engine.clock())
        placing.import_file(
            self.engine, reading, ImportContext(author=OUTSIDE, run=run, user_id=self.user_id)
        )

    def _let_go(self, workspace: Workspace, parts: Parts) -> None:
        """Record the removal of a file that was deleted from outside."""
        known = self._known(workspace, "/".join(parts))
        if known is None or known.retired_at is not None or self.look(parts) is not None:
            return
        gone = records.update_edit(DOCUMENT, known, retired_at=self.engine.clock())
        title = message("Removed outside: {path}", path=known.path)
        self.engine.store.apply(change_of(known, title, OUTSIDE, (gone,), op="retire"))

    def _known(self, workspace: Workspace, path: str) -> Document | None:
        with self.engine.store.reading() as db:
            return document_versions.document_at(db, workspace.id, path)

    def workspace(self) -> Workspace:
        """Return the folder's workspace; at the first write it is created, or restored if it was retired."""
        with self.engine.store.reading() as db:
            known = document_versions.workspace_at(db, self.user_id, str(self.root))
        if known is not None and known.retired_at is None:
            return known
        channel = ensure_channel(self.engine, self.user_id, self.channel, author=self.author)
        self.engine.store.decide(lambda db: (self._registering(db, channel), None))
        with self.engine.store.reading() as db:
            made = document_versions.workspace_at(db, self.user_id, str(self.root))
        assert made is not None
        return made

    def _registering(self, db: Connection, channel: str) -> Change | None:
        known = document_versions.workspace_at(db, self.user_id, str(self.root))
        if known is not None and known.retired_at is None:
            return None
        draft = Draft.of(self.engine, db, self, channel)
        if known is not None:
            draft.edits.append(records.update_edit(WORKSPACE, known, retired_at=None))
        else:
            draft.create(
                WORKSPACE,
                channel=draft.channel,
                agent_id=self.agent_id,
                name=self.name,
                path=str(self.root),
                layout=self.layout,
                created_at=draft.at,
            )
        title = message("Memory folder of {name}", name=self.name)
        return draft.change("learn", title, author=self.author, layer="workspace")


def _listed(tree: Tree, folder: Parts, below: Parts, depth: int) -> Iterator[tuple[Parts, Met]]:
    for met in tree.entries(folder):
        path = (*below, met.parts[-1])
        yield path, met
        if met.is_folder and depth > 1 and not met.parts[-1].startswith("."):
            yield from _listed(tree, met.parts, path, depth - 1)


def _differ(
    tree: Tree, aside: Parts, depth: int, held: Sequence[tuple[Document, TextFile]], limit_bytes: int
) -> bool:
    """Return True if the files of a folder that was set aside differ from those just read."""
    wanted = {document.path.split("/", depth)[depth]: file for document, file in held}
    there = {"/".join(met.parts[len(aside) :]): met for met in tree.below(aside)}
    if wanted.keys() != there.keys():
        return True
    return any(
        tree.read(met.parts, limit_bytes=limit_bytes)[0] != wanted[path].manner.exact(wanted[path].text)
        for path, met in there.items()
    )
