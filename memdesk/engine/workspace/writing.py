"""Writing of workspace files: each write is journalled first, and never overwrites a text that was not seen.

A journalled write survives a crash: `unfinished` completes it."""

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
"""Number of times a save is retried when another program writes at the same moment."""


LATEST = 100
"""Number of versions among which the most recent writes are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """Journal entry of a write. also: edits for the same change. carried: ids of facts by the lines that were
    written from them. key: the caller's id, for retries."""

    title: str
    author: str
    also: tuple[Edit, ...] = ()
    carried: Mapping[str, str] | None = None
    key: str | None = None


def current(engine: Engine, document: Document, workspace: Workspace) -> TextFile:
    """Return a file as it is on the disk; a difference from its last version is recorded as an edit made
    outside.

    Lines that another program overwrote unseen are put back. Raises NotFound, Refused."""
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
    """Replace a file's text, in its line ends and encoding; unchanged lines keep their bytes.

    base_hash: the version that the text was made from. If the file has changed since, both changes are
    merged. Raises Conflict when they clash, with the text kept as a file conflict, or when `merging` is off;
    Refused when the file's bytes would be lost; StorageFailed, and the file is then unchanged."""
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
    """Append a text to a file, starting on a new line; the bytes before it are not touched.

    carried: ids of facts by the lines that were written from them. Raises NotFound, Refused, StorageFailed;
    the file is then unchanged."""
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
    """Journal a write before it happens; return the change's id, None when there is nothing to change."""
    return moved(
        engine, document, workspace, text, at=engine.clock(), title=meant.title, author=meant.author, also=meant.also,
        carried=meant.carried, key=meant.key,
    )  # fmt: skip


def as_it_is(engine: Engine, document_id: str) -> Saved:
    """Return the answer to a save that had nothing to change."""
    with engine.store.reading() as db:
        last = workspaces.versions_of(db, document_id, limit=LATEST)[-1]
    return Saved(change=last.change, content_hash=last.content_hash)


@contextmanager
def taken_back(engine: Engine, change: int | None, author: str) -> Iterator[None]:
    """Undo a change if the write that it records fails in the block."""
    try:
        yield
    except (StorageFailed, Conflict):
        if change is not None:
            engine.store.decide(lambda db: (journal.mirrored(db, change, author), None))
        raise


@dataclass(slots=True)
class _Save:
    """Save of one text. base: the text it was made from. file: the file's present content."""

    engine: Engine
    document: Document
    workspace: Workspace
    meant: Meant
    base: str
    text: str
    file: TextFile

    def settle(self) -> Saved:
        """Write the text, merged with anything written at the same moment. Raises Conflict after ROUNDS
        attempts, or on a clash."""
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
        """Write a text; return None when another text was found at the last moment, which is then taken in."""
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
        """Record another program's text, and restore the recent writes that it did not see."""
        self.meant = replaced(self.meant, also=(), key=None)
        self.file = text_of(theirs, self.document.path, modified_at=self.engine.clock())
        note(self.engine, self.document, self.file)
        refuse_mended(self.document, self.file)
        told, _ = _with_overlooked(self.engine, self.document, self.file)
        if told != plain(self.file.text):
            self.base, self.text = self.file.text, told


def _base(engine: Engine, document: Document, file: TextFile, base_hash: str) -> str | None:
    """Return the text that a save is based on, None when it is no version of this file."""
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
    """Restore the lines that an outside edit removed unseen; return the file as it is then."""
    text, author = _with_overlooked(engine, document, file)
    if file.mended or text == plain(file.text):
        return file
    meant = Meant(title=f"Put back what was overwritten unseen: {document.path}", author=author)
    _Save(engine, document, workspace, meant, file.text, text, file).settle()
    return on_disk(engine, document, workspace)


def _with_overlooked(engine: Engine, document: Document, file: TextFile) -> tuple[str, str]:
    """Return (a file's text with the lines it removed unseen, the author of the last of them), with Unix line
    ends."""
    with engine.store.reading() as db:
        kept = workspaces.versions_of(db, document.id, limit=LATEST)
        stretches = overlooked(kept, file.modified_at, outside=OUTSIDE)
        hashes = {hash for first, last in stretches for hash in (first.before or "", last.content_hash)}
        texts = {hash: versions.text_of(db, hash) for hash in hashes}
    return rejoined(file.text, stretches, texts), stretches[-1][1].author if stretches else OUTSIDE


def refuse_unsound(text: str) -> None:
    """Raise BadAsk for a text that no text file can contain."""
    if sound(text) != text:
        raise BadAsk("The text holds a NUL or half a character, which no text file can.")
