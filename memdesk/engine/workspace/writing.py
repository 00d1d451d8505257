"""Everything that writes a file of a workspace: journalled first and written then, and never over what nobody saw.

What was meant survives a crash, and `unfinished` completes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as replaced

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.clashes import kept_beside
from memdesk.engine.workspace.disk import (
    held,
    moved,
    note,
    on_disk,
    one_writer,
    path_of,
    placed,
    refuse_mended,
)
from memdesk.engine.workspace.rejoining import overlooked, rejoined
from memdesk.files.atomic import append as append_bytes
from memdesk.files.atomic import write_over
from memdesk.files.manner import plain
from memdesk.files.merge import merge
from memdesk.files.reading import TextFile, sound, text_of
from memdesk.model.change import OUTSIDE, Edit
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import BadAsk, Conflict, StorageFailed
from memdesk.model.workspace import Saved
from memdesk.store import journal, versions, workspaces

ROUNDS = 20
"""How often a save meets somebody else's in the very moment of writing before it gives up."""


LATEST = 100
"""Versions among which those of the last moments are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """How a write is told. also: edits that belong into the same change. carried: ids of facts by the lines that were
    written from them. key: the caller's id, for retries."""

    title: str
    author: str
    also: tuple[Edit, ...] = ()
    carried: Mapping[str, str] | None = None
    key: str | None = None


def current(engine: Engine, document: Document, workspace: Workspace) -> TextFile:
    """A file as it is on the disk; when it is not as last seen, that is recorded as an edit made outside.

    What another program overwrote without having seen it is put back. Raises NotFound, Refused.
    """
    file = on_disk(engine, document, workspace)
    if versions.hash_of(file.text) == document.content_hash:
        return file
    with one_writer:
        document, workspace = placed(engine, document.id)
        file = on_disk(engine, document, workspace)
        if versions.hash_of(file.text) != document.content_hash and note(engine, document, file):
            return _put_back(engine, document, workspace, file)
        return file


def replace(
    engine: Engine, document_id: str, text: str, *, base_hash: str, author: str, title: str = "",
    merging: bool = True, also: tuple[Edit, ...] = (),
) -> Saved:  # fmt: skip
    """Write a file anew, in the line ends and encoding it had; lines that stay are not touched.

    base_hash: the version the text was made from. When the file is another by now, both changes are put together.
    Raises Conflict when they clash, with the text kept beside the file, or when `merging` is off; Refused when the
    bytes on the disk are no text that could be kept; StorageFailed, and the file is then as it was.
    """
    refuse_unsound(text)
    with one_writer:
        document, workspace = placed(engine, document_id)
        file = current(engine, document, workspace)
        refuse_mended(document, file)
        base = _base(engine, document, file, base_hash)
        if base is None or not (merging or base == file.text):
            raise _moved_on(document, file, base or "")
        meant = Meant(title=title or f"Edited {document.path}", author=author, also=also)
        return _Save(engine, document, workspace, meant, base, text, file).settle()


def append(
    engine: Engine, document_id: str, text: str, *, author: str, title: str = "", key: str | None = None,
    carried: Mapping[str, str] | None = None,
) -> Saved:  # fmt: skip
    """Put a text behind what a file holds, beginning on a line of its own; nothing before it is touched.

    carried: ids of facts by the lines that were written from them.
    Raises NotFound, Refused, StorageFailed; the file is then as it was.
    """
    refuse_unsound(text)
    with one_writer:
        document, workspace = placed(engine, document_id)
        file = current(engine, document, workspace)
        addition = file.manner.added(file.text, text)
        meant = Meant(title=title or f"Added to {document.path}", author=author, key=key, carried=carried)
        whole = file.text + addition
        with held(workspace, path_of(document, workspace)) as path:
            change = intend(engine, document, workspace, whole, meant)
            if change is None:
                return as_it_is(engine, document.id)
            with taken_back(engine, change, author):
                append_bytes(path, file.manner.bare(addition))
        return Saved(change=change, content_hash=versions.hash_of(whole))


def intend(engine: Engine, document: Document, workspace: Workspace, text: str, meant: Meant) -> int | None:
    """Journal what is about to be written; the change, None when there is nothing to change."""
    return moved(
        engine, document, workspace, text, at=engine.clock(), title=meant.title, author=meant.author, also=meant.also,
        carried=meant.carried, key=meant.key,
    )  # fmt: skip


def as_it_is(engine: Engine, document_id: str) -> Saved:
    """What a save answers that had nothing to change."""
    with engine.store.reading() as db:
        last = workspaces.versions_of(db, document_id, limit=LATEST)[-1]
    return Saved(change=last.change, content_hash=last.content_hash)


@contextmanager
def taken_back(engine: Engine, change: int | None, author: str) -> Iterator[None]:
    """Take a change back when what it meant could not be written."""
    try:
        yield
    except (StorageFailed, Conflict):
        if change is not None:
            engine.store.decide(lambda db: (journal.mirrored(db, change, author), None))
        raise


@dataclass(slots=True)
class _Save:
    """One text on its way into a file. file: what stands there, and is to be met."""

    engine: Engine
    document: Document
    workspace: Workspace
    meant: Meant
    base: str
    text: str
    file: TextFile

    def settle(self) -> Saved:
        """Write it, putting it together with whatever somebody writes in that very moment."""
        asked = self.file.manner.ended(plain(self.text))
        for _ in range(ROUNDS):
            ours = self.file.manner.ended(plain(self.text))
            both = merge(plain(self.base), ours, plain(self.file.text))
            if both.clashes:
                raise kept_beside(
                    self.engine, self.document, base=self.base, ours=self.text, theirs=self.file,
                    author=self.meant.author,
                )  # fmt: skip
            if (saved := self._try(both.text)) is not None:
                return replaced(saved, merged=both.text != asked)
        raise Conflict(f"{self.document.path} is being written all the time by another program.")

    def _try(self, text: str) -> Saved | None:
        """Write a text; None when somebody else's stood there in the last moment, which is then to be met."""
        whole = self.file.manner.woven(self.file.text, text)
        data, standing = self.file.manner.exact(whole), self.file.manner.exact(self.file.text)
        with held(self.workspace, path_of(self.document, self.workspace)) as path:
            change = intend(self.engine, self.document, self.workspace, whole, self.meant)
            theirs = None
            if data != standing:
                with taken_back(self.engine, change, self.meant.author):
                    theirs = write_over(path, data, standing)
        if theirs is not None:
            self._meet(theirs)
            return None
        if change is None:
            return as_it_is(self.engine, self.document.id)
        return Saved(change=change, content_hash=versions.hash_of(whole))

    def _meet(self, theirs: bytes) -> None:
        """Take in what somebody else wrote, with what it missed if it was begun before the last writes."""
        self.meant = replaced(self.meant, also=(), key=None)
        self.file = text_of(theirs, self.document.path, modified_at=self.engine.clock())
        note(self.engine, self.document, self.file)
        refuse_mended(self.document, self.file)
        told, _ = _with_overlooked(self.engine, self.document, self.file)
        if told != plain(self.file.text):
            self.base, self.text = self.file.text, told


def _base(engine: Engine, document: Document, file: TextFile, base_hash: str) -> str | None:
    """The text that a save is based on, None when it is no version of this file."""
    if versions.hash_of(file.text) == base_hash:
        return file.text
    with engine.store.reading() as db:
        known = workspaces.had_version(db, document.id, base_hash)
        return versions.text_of(db, base_hash) if known else None


def _moved_on(document: Document, file: TextFile, base: str) -> Conflict:
    return Conflict(
        f"{document.path} was changed on the disk since you opened it.",
        details={"expected": base, "found": file.text, "found_hash": versions.hash_of(file.text)},
    )


def _put_back(engine: Engine, document: Document, workspace: Workspace, file: TextFile) -> TextFile:
    """Put what an outside edit took away unseen back into the file; returns the file as it is then."""
    text, author = _with_overlooked(engine, document, file)
    if file.mended or text == plain(file.text):
        return file
    meant = Meant(title=f"Put back what was overwritten unseen: {document.path}", author=author)
    _Save(engine, document, workspace, meant, file.text, text, file).settle()
    return on_disk(engine, document, workspace)


def _with_overlooked(engine: Engine, document: Document, file: TextFile) -> tuple[str, str]:
    """(a file's text with what it took away unseen, who wrote that last), with Unix line ends."""
    with engine.store.reading() as db:
        kept = workspaces.versions_of(db, document.id, limit=LATEST)
        stretches = overlooked(kept, file.modified_at, outside=OUTSIDE)
        hashes = {hash for first, last in stretches for hash in (first.before or "", last.content_hash)}
        texts = {hash: versions.text_of(db, hash) for hash in hashes}
    return rejoined(file.text, stretches, texts), stretches[-1][1].author if stretches else OUTSIDE


def refuse_unsound(text: str) -> None:
    """Raise BadAsk for a text that no text file can hold."""
    if sound(text) != text:
        raise BadAsk("The text holds a NUL or half a character, which no text file can.")
