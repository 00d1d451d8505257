"""Writing of workspace files: each write is journalled first, and never overwrites a text that was not seen.
Clashing texts are kept until a person has chosen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as replaced

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.workspace.disk import (
    WriteEntry,
    as_written,
    change_of,
    document_and_workspace,
    file_in_open_folder,
    hidden,
    on_disk,
    one_writer,
    path_of,
    record_outside_edit,
    record_version,
    refuse_not_utf8,
)
from memdesk.files.atomic import append as append_bytes
from memdesk.files.atomic import write_over
from memdesk.files.merge import merge
from memdesk.files.reading import TextFile, plain, text_of, without_unstorable
from memdesk.model.change import OUTSIDE, Change, Edit
from memdesk.model.document import DOCUMENT, Document, Workspace
from memdesk.model.errors import BadAsk, Conflict, StorageFailed
from memdesk.model.instant import SECOND
from memdesk.model.message import NO_MESSAGE, Message, message, verbatim
from memdesk.model.workspace import Saved
from memdesk.store import document_versions, journal, proposing, records
from memdesk.store.connection import Connection
from memdesk.store.document_versions import Kept

BLIND_SECONDS = 2


def unseen_stretches(kept: Sequence[Kept], modified_at: int, *, outside: str) -> list[tuple[Kept, Kept]]:
    """Return the versions written shortly before the last one, as (first, last) of each stretch without a
    gap.

    kept: a file's versions, oldest first, the last one from outside and modified at `modified_at`
    (microseconds)."""
    *earlier, last = (each for each in kept if not each.beside)
    if any(each.content_hash == last.content_hash for each in earlier):
        return []  # An earlier text was put back, which is meant.
    stretches: list[tuple[Kept, Kept]] = []
    gap = True
    for each in earlier:
        ours = each.author != outside and each.op != "import" and each.before is not None
        if ours and each.at > modified_at - BLIND_SECONDS * SECOND:
            stretches.append((each if gap else stretches.pop()[0], each))
            gap = False
        else:
            gap = True
    return stretches


def rejoined(text: str, stretches: Sequence[tuple[Kept, Kept]], texts: Mapping[str, str]) -> str:
    """Return the text with the lines of these stretches that it lacks; a stretch that clashes with it is left
    out.

    A text that has less than half of the earlier lines was not made from them, or is still being written; it
    is left as it is."""
    current = plain(text)
    for first, last in stretches:
        before, after = plain(texts[first.before or ""]), plain(texts[last.content_hash])
        was, now = _lines(before), _lines(current)
        if (was & now).total() * 2 >= was.total() and _lines(after) - was - now:
            both = merge(before, current, after)
            current = current if both.clashes else both.text
    return current


def _lines(text: str) -> Counter[str]:
    return Counter(line for line in text.split("\n") if line.strip())


CONFLICT = "conflict"
CLASHING = " was changed by two at once, in the same lines."


def keep_clashing_text(
    engine: Engine, document: Document, *, base: str, ours: str, theirs: TextFile, author: str
) -> Conflict:
    """Keep a text that cannot be merged with the file's present text; return the Conflict to raise.

    A conflict is kept once, however often its text is sent again."""

    def verb(db: Connection) -> tuple[Change | None, str]:
        now = records.need(db, DOCUMENT, document.id)
        sides = {
            "base": document_versions.keep(db, base),
            "ours": document_versions.keep(db, ours),
            "theirs": now.content_hash,
        }
        for known in proposing.proposals_about(db, CONFLICT, now.id, None):
            if known.status == "open" and sides.items() <= json.loads(known.details).items():
                return None, known.id
        draft = Draft.of(engine, db, now, now.channel)
        reason = now.path + CLASHING
        id = draft.question(
            CONFLICT, now.id, None, reason=verbatim(reason), details={**sides, "author": author}
        )
        flips = _version_edits(now, sides["ours"], len(ours))
        title = message("Kept beside {path}: a text that clashes with it", path=now.path)
        return change_of(now, title, author, (*draft.edits, *flips)), id

    _, id = engine.store.decide(verb)
    return Conflict(
        message("{path} was changed on the disk since you opened it.", path=document.path),
        next=message(
            "Read the file again and save on top of it; the desk's owner finds your text kept as a conflict."
        ),
        details={
            "expected": base,
            "found": theirs.text,
            "found_hash": document_versions.hash_of(theirs.text),
            "conflict": id,
        },
    )


def _version_edits(document: Document, other: str, size: int) -> tuple[Edit, Edit]:
    """Return two edits that add the other text to the file's history as a version and leave the file unchanged."""
    there = records.update_edit(DOCUMENT, document, content_hash=other, size=size)
    return there, there.mirrored()


ROUNDS = 20
"""Number of times a save is retried when another program writes at the same moment."""


LATEST = 100
"""Number of versions among which the most recent writes are looked for."""


def current(engine: Engine, document: Document, workspace: Workspace) -> TextFile:
    """Return a file as it is on the disk; a difference from its last version is recorded as an edit made
    outside.

    Lines that another program overwrote unseen are put back. Raises NotFound, Refused."""
    file = on_disk(engine, document, workspace)
    if document_versions.hash_of(file.text) == document.content_hash:
        return file
    with one_writer:
        document, workspace = document_and_workspace(engine, document.id)
        file = on_disk(engine, document, workspace)
        if document_versions.hash_of(file.text) != document.content_hash and record_outside_edit(
            engine, document, file
        ):
            return _put_back(engine, document, workspace, file)
        return file


def replace(
    engine: Engine,
    document_id: str,
    text: str,
    *,
    base_hash: str,
    author: str,
    title: Message = NO_MESSAGE,
    merging: bool = True,
    also: tuple[Edit, ...] = (),
) -> Saved:
    """Replace a file's text, in its line ends and encoding; unchanged lines keep their bytes.

    base_hash: the version that the text was made from. If the file has changed since, both changes are
    merged. Raises Conflict when they clash, with the text kept as a file conflict, or when `merging` is off;
    Refused when the file's bytes would be lost; StorageFailed, and the file is then unchanged."""
    refuse_unstorable(text)
    text = engine.vault.masked(text)
    with one_writer:
        document, workspace = document_and_workspace(engine, document_id)
        file = current(engine, document, workspace)
        refuse_not_utf8(document, file)
        base = _base(engine, document, file, base_hash)
        if base is None or not (merging or base == file.text):
            raise _moved_on(document, file, base or "")
        meant = WriteEntry(
            title=title or message("Edited {path}", path=document.path), author=author, also=also
        )
        return _Save(engine, document, workspace, meant, base, text, file).settle()


def append(
    engine: Engine,
    document_id: str,
    text: str,
    *,
    author: str,
    title: Message = NO_MESSAGE,
    key: str | None = None,
    carried: Mapping[str, str] | None = None,
) -> Saved:
    """Append a text to a file, starting on a new line; the bytes before it are not touched.

    carried: ids of facts by the lines that were written from them. Raises NotFound, Refused, StorageFailed;
    the file is then unchanged."""
    refuse_unstorable(text)
    text = engine.vault.masked(text)
    with one_writer:
        document, workspace = document_and_workspace(engine, document_id)
        file = current(engine, document, workspace)
        addition = file.manner.added(file.text, text)
        meant = WriteEntry(
            title=title or message("Added to {path}", path=document.path),
            author=author,
            key=key,
            carried=carried,
        )
        whole = file.text + addition
        with file_in_open_folder(workspace, path_of(document, workspace)) as path:
            change = record_version(engine, document, workspace, whole, meant, at=engine.clock())
            if change is None:
                return unchanged_answer(engine, document.id)
            with undone_on_failure(engine, change, author):
                manner = as_written(engine, file, addition, path_of(document, workspace), author=author)
                append_bytes(path, manner.bare(addition))
        return Saved(change=change, content_hash=document_versions.hash_of(whole))


def unchanged_answer(engine: Engine, document_id: str) -> Saved:
    """Return the answer to a save that had nothing to change."""
    with engine.store.reading() as db:
        last = document_versions.versions_of(db, document_id, limit=LATEST)[-1]
    return Saved(change=last.change, content_hash=last.content_hash)


@contextmanager
def undone_on_failure(engine: Engine, change: int | None, author: str) -> Iterator[None]:
    """Undo a change if the write that it records fails in the block."""
    try:
        yield
    except (StorageFailed, Conflict):
        if change is not None:
            engine.store.decide(lambda db: (journal.reversed_change(db, change, author), None))
        raise


@dataclass(slots=True)
class _Save:
    """Save of one text. base: the text it was made from. file: the file's present content."""

    engine: Engine
    document: Document
    workspace: Workspace
    meant: WriteEntry
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
                raise keep_clashing_text(
                    self.engine,
                    self.document,
                    base=self.base,
                    ours=self.text,
                    theirs=self.file,
                    author=self.meant.author,
                )
            if (saved := self._try(both.text)) is not None:
                return replaced(saved, merged=both.text != asked)
        raise Conflict(
            message("{path} is being written all the time by another program.", path=self.document.path)
        )

    def _try(self, text: str) -> Saved | None:
        """Write a text; return None when another text was found at the last moment, which is then taken in."""
        whole = self.file.manner.with_manner(self.file.text, text)
        place, manner = path_of(self.document, self.workspace), self.file.manner
        standing = manner.exact(self.file.text)
        data = as_written(self.engine, self.file, whole, place, author=self.meant.author).exact(whole)
        with file_in_open_folder(self.workspace, place) as path:
            change = record_version(
                self.engine, self.document, self.workspace, whole, self.meant, at=self.engine.clock()
            )
            theirs = None
            if data != standing:
                with undone_on_failure(self.engine, change, self.meant.author):
                    theirs = write_over(path, data, standing)
        if theirs is not None:
            self._meet(theirs)
            return None
        if change is None:
            return unchanged_answer(self.engine, self.document.id)
        return Saved(change=change, content_hash=document_versions.hash_of(whole))

    def _meet(self, theirs: bytes) -> None:
        """Record another program's text, and restore the recent writes that it did not see."""
        self.meant = replaced(self.meant, also=(), key=None)
        file = text_of(theirs, self.document.path, modified_at=self.engine.clock())
        self.file = hidden(self.engine, file, path_of(self.document, self.workspace))
        record_outside_edit(self.engine, self.document, self.file)
        refuse_not_utf8(self.document, self.file)
        current, _ = _with_overlooked(self.engine, self.document, self.file)
        if current != plain(self.file.text):
            self.base, self.text = self.file.text, current


def _base(engine: Engine, document: Document, file: TextFile, base_hash: str) -> str | None:
    """Return the text that a save is based on, None when it is no version of this file."""
    if document_versions.hash_of(file.text) == base_hash:
        return file.text
    with engine.store.reading() as db:
        known = document_versions.had_version(db, document.id, base_hash)
        return document_versions.text_of(db, base_hash) if known else None


def _moved_on(document: Document, file: TextFile, base: str) -> Conflict:
    return Conflict(
        message("{path} was changed on the disk since you opened it.", path=document.path),
        details={"expected": base, "found": file.text, "found_hash": document_versions.hash_of(file.text)},
    )


def _put_back(engine: Engine, document: Document, workspace: Workspace, file: TextFile) -> TextFile:
    """Restore the lines that an outside edit removed unseen; return the file as it is then."""
    text, author = _with_overlooked(engine, document, file)
    if file.mended or text == plain(file.text):
        return file
    meant = WriteEntry(
        title=message("Put back what was overwritten unseen: {path}", path=document.path), author=author
    )
    _Save(engine, document, workspace, meant, file.text, text, file).settle()
    return on_disk(engine, document, workspace)


def _with_overlooked(engine: Engine, document: Document, file: TextFile) -> tuple[str, str]:
    """Return (a file's text with the lines it removed unseen, the author of the last of them), with Unix line ends."""
    with engine.store.reading() as db:
        kept = document_versions.versions_of(db, document.id, limit=LATEST)
        stretches = unseen_stretches(kept, file.modified_at, outside=OUTSIDE)
        hashes = {hash for first, last in stretches for hash in (first.before or "", last.content_hash)}
        texts = {hash: document_versions.text_of(db, hash) for hash in hashes}
    return rejoined(file.text, stretches, texts), stretches[-1][1].author if stretches else OUTSIDE


def refuse_unstorable(text: str) -> None:
    """Raise BadAsk for a text that no text file can contain."""
    if without_unstorable(text) != text:
        raise BadAsk(message("The text holds a NUL or half a character, which no text file can."))
