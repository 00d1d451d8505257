"""Changes by other programs are recorded on the desk as journalled changes; writes that were cut short are
completed at the service's start."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.engine.workspace import fact_updates, placing
from memdesk.engine.workspace.disk import (
    as_written,
    change_of,
    hidden,
    is_write_missing,
    last_own_version,
    limit_of,
    on_disk,
    one_comparer,
    one_writer,
    path_of,
)
from memdesk.engine.workspace.folders import walked
from memdesk.engine.workspace.layouts import KNOWN_HIDDEN, Place, home_of, is_memory, places_of
from memdesk.engine.workspace.line_facts import text_change_of
from memdesk.engine.workspace.placing import make_room, moved_to
from memdesk.engine.workspace.writing import current
from memdesk.files.atomic import create, remove, sweep, write_atomic
from memdesk.files.reading import Entry, TextFile, look, read_text
from memdesk.model.change import OUTSIDE, Change, Edit
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.errors import Conflict, NotFound, Refused, StorageFailed
from memdesk.model.kind import new_id
from memdesk.model.message import message, verbatim
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection

GONE_AT_ONCE = 200
"""Number of removed files that leave in one change, well below the limit of edits in a change."""
WALKED_FROM = 500
"""Number of names in one burst above which walking the folder is quicker than looking at each."""


def folders(engine: Engine) -> tuple[Path, ...]:
    """Return the folders to watch: those of all workspaces that exist, without those inside another."""
    paths = sorted({Path(each.path) for each in _workspaces(engine)})
    there = [path for path in paths if path.is_dir()]
    return tuple(path for path in there if not any(above in there for above in path.parents))


def missing(engine: Engine) -> tuple[Workspace, ...]:
    """Return the workspaces whose folder is gone."""
    return tuple(each for each in _workspaces(engine) if not Path(each.path).is_dir())


def compare_folders(
    engine: Engine, within: Iterable[Path], progress: Progress = ignore_progress
) -> dict[str, Any]:
    """Compare every workspace in these folders with the disk; return counts: edited, found, renamed, gone."""
    roots, counts = tuple(within), Counter[str]()
    with one_comparer:
        for each in _workspaces(engine):
            if any(Path(each.path).is_relative_to(root) for root in roots):
                counts += _FolderComparison(engine, each).everything(progress)
    return dict(counts)


def take_in_changes(engine: Engine, paths: Iterable[Path], *, empty: bool = False) -> Counter[str]:
    """Compare the files and folders that another program touched with the desk; return counts: edited, found,
    renamed, gone.

    empty: take in new files even if they are empty."""
    with one_comparer:
        return _take_in_changes(engine, paths, empty)


def _take_in_changes(engine: Engine, paths: Iterable[Path], empty: bool) -> Counter[str]:
    homes = sorted(_workspaces(engine), key=lambda each: -len(each.path))
    names: dict[str, set[str]] = {}
    for path in paths:
        users = set[str]()
        for home in homes:
            if path.is_relative_to(home.path) and home.user_id not in users:
                users.add(home.user_id)
                names.setdefault(home.id, set()).add(path.relative_to(home.path).as_posix())
    counts: Counter[str] = Counter()
    for home in homes:
        if home.id in names:
            counts += _FolderComparison(engine, home, empty).these(names[home.id])
    return counts


@dataclass(frozen=True, slots=True)
class _FolderComparison:
    """Comparison of one workspace with its folder. empty: take in new files even if they are empty."""

    engine: Engine
    workspace: Workspace
    empty: bool = False

    @property
    def root(self) -> Path:
        return Path(self.workspace.path)

    def everything(self, progress: Progress) -> Counter[str]:
        """Compare every file; files that have not changed since they were last seen are not read."""
        if not self.root.is_dir():
            return Counter()
        there = {entry.name: entry for entry in self._walked()}
        known = self._known()
        moved = [
            document
            for name, document in known.items()
            if name not in there or not _untouched(there[name], document)
        ]
        return self._settle(known, there, {each.path for each in moved} | set(there) - set(known), progress)

    def these(self, names: set[str]) -> Counter[str]:
        """Compare the files of these names, and the files in folders of these names."""
        if not self.root.is_dir():
            return Counter()
        known = self._known()
        opened = {name for name in names if name == "." or (self.root / name).is_dir()}
        if opened or len(names) > WALKED_FROM:
            there = {entry.name: entry for entry in self._walked()}
        else:
            looked = (look(self.root, name, known_hidden=KNOWN_HIDDEN) for name in names)
            there = {entry.name: entry for entry in looked if entry is not None and self._is_memory(entry)}
        asked = {name for name in {*known, *there} if _concerned(name, names)}
        return self._settle(known, there, asked, ignore_progress)

    def _settle(
        self, known: dict[str, Document], there: dict[str, Entry], names: set[str], progress: Progress
    ) -> Counter[str]:
        gone = {name: known[name] for name in names if name in known and not _lies_there(self.root / name)}
        counts: Counter[str] = Counter()
        new: list[tuple[Entry, TextFile]] = []
        user_id = self.workspace.user_id
        registered = tuple(Place.of(each) for each in _workspaces(self.engine) if each.user_id == user_id)
        places = places_of(self.root, [*known, *there], registered)
        for done, name in enumerate(sorted(names)):
            progress(done, len(names), verbatim(name))
            if name in known and name not in gone:
                counts["edited"] += self._edited(known[name])
            elif name not in there or (file := self._read(there[name])) is None:
                continue
            elif gone:
                new.append((there[name], file))
            else:
                counts["found"] += self._found(there[name], file, places)
        for entry, file in self._renamed(gone, new, counts):
            counts["found"] += self._found(entry, file, places)
        speaking, silent_ones = self._by_facts(gone.values())
        for document in speaking:
            counts["gone"] += self._gone([document])
        for start in range(0, len(silent_ones), GONE_AT_ONCE):
            counts["gone"] += self._gone(silent_ones[start : start + GONE_AT_ONCE])
        return +counts

    def _by_facts(self, documents: Iterable[Document]) -> tuple[list[Document], list[Document]]:
        """Return the files that facts are read from, and the others."""
        speaking: list[Document] = []
        others: list[Document] = []
        with self.engine.store.reading() as db:
            for each in documents:
                (speaking if line_links.ties_in_file(db, each.id) else others).append(each)
        return speaking, others

    def _edited(self, document: Document) -> bool:
        try:
            return (
                document_versions.hash_of(current(self.engine, document, self.workspace).text)
                != document.content_hash
            )
        except (NotFound, Refused):
            return False  # What cannot be read any more stays as it was last seen.

    def _read(self, entry: Entry) -> TextFile | None:
        """Return a new file's text; None while there is nothing in it to take in."""
        try:
            found = read_text(entry.path, entry.name, limit_bytes=limit_of(self.engine))
            file = hidden(self.engine, found, entry.path)
        except Refused:
            return None
        return file if self.empty or file.text.strip() else None

    def _renamed(
        self, gone: dict[str, Document], new: Sequence[tuple[Entry, TextFile]], counts: Counter[str]
    ) -> Iterator[tuple[Entry, TextFile]]:
        """Move the documents of removed files to new files with the same text; yield the other new files."""
        for entry, file in new:
            hash = document_versions.hash_of(file.text)
            alike = [each for each in gone.values() if each.content_hash == hash]
            same = next(
                (each for each in alike if Path(each.path).name == entry.path.name), next(iter(alike), None)
            )
            if same is None or not self._moved(same, entry.name):
                yield entry, file
            else:
                del gone[same.path]
                counts["renamed"] += 1

    def _moved(self, document: Document, path: str) -> bool:
        def verb(db: Connection) -> tuple[Change | None, bool]:
            now = records.need(db, DOCUMENT, document.id)
            if now.path != document.path or now.retired_at is not None:
                return None, False
            edits = (
                *make_room(self.engine, db, self.workspace.id, path),
                moved_to(now, path, self.workspace),
            )
            return change_of(
                now,
                message("Renamed outside: {path} to {new_path}", path=now.path, new_path=path),
                OUTSIDE,
                edits,
            ), True

        try:
            return self.engine.store.decide(verb)[1]
        except Conflict:
            return False  # The desk gave that path to another file meanwhile.

    def _found(self, entry: Entry, file: TextFile, places: tuple[Place, ...]) -> bool:
        """Take a new file into this workspace, or into one inside it that its layout shows."""
        place = home_of(entry.path, places)
        relative = entry.path.relative_to(place.path).as_posix()
        context = placing.ImportContext(
            author=OUTSIDE, run=new_id("run", self.engine.clock()), user_id=self.workspace.user_id, found=True
        )
        with one_writer:
            reading = placing.read_new_file(self.engine, place, relative, file, self.workspace.user_id)
            return bool(placing.import_file(self.engine, reading, context))

    def _gone(self, documents: list[Document]) -> int:
        """Retire the documents of removed files in one change, with the facts of the first one; return their number."""
        first = documents[0]
        title = (
            message("Gone from the disk: {path} and {count} more", path=first.path, count=len(documents) - 1)
            if len(documents) > 1
            else message("Gone from the disk: {path}", path=first.path)
        )

        with one_writer:
            if not self._remaining(documents):
                return 0
            text_change = text_change_of(self.engine, first, self.workspace, "")
            run = fact_updates.apply_all_but_last(
                self.engine, first, text_change, author=OUTSIDE, title=title
            )

            def verb(db: Connection) -> tuple[Change | None, int]:
                left = [now for each in documents if (now := self._still(db, each)) is not None]
                edits: list[Edit] = [
                    records.update_edit(DOCUMENT, each, retired_at=self.engine.clock()) for each in left
                ]
                if first.id in (each.id for each in left):
                    edits += fact_updates.last_group_edits(
                        self.engine, db, first, text_change, author=OUTSIDE
                    )
                change = change_of(self.workspace, title, OUTSIDE, tuple(edits), op="retire")
                return (replace(change, run=run) if edits else None), len(left)

            return self.engine.store.decide(verb)[1]

    def _remaining(self, documents: list[Document]) -> bool:
        with self.engine.store.reading() as db:
            return any(self._still(db, each) is not None for each in documents)

    def _still(self, db: Connection, document: Document) -> Document | None:
        """Return the document as it is now; None when it is out of use or its file is there again."""
        now = records.get(db, DOCUMENT, document.id)
        if now is None or now.retired_at is not None or now.path != document.path:
            return None
        return None if (self.root / now.path).exists() or not self.root.is_dir() else now

    def _is_memory(self, entry: Entry) -> bool:
        return is_memory(entry.path.name, self.workspace.layout)

    def _known(self) -> dict[str, Document]:
        with self.engine.store.reading() as db:
            return document_versions.in_use(db, self.workspace.id)

    def _walked(self) -> list[Entry]:
        """Return every memory file of this workspace; those of workspaces inside it belong to them."""
        lying = (item for item in walked(self.engine, self.workspace) if isinstance(item, Entry))
        return [entry for entry in lying if self._is_memory(entry)]


def _workspaces(engine: Engine) -> list[Workspace]:
    with engine.store.reading() as db:
        return records.find(db, WORKSPACE, retired_at=None)


def _lies_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _untouched(entry: Entry, document: Document) -> bool:
    """Return True if a file's time is that of its last version; never true for a version that MemDesk wrote."""
    try:
        return entry.path.stat().st_mtime_ns // 1000 == document.updated_at
    except OSError:
        return False


def _concerned(name: str, touched: set[str]) -> bool:
    """Return True if a file was touched, or is in a folder that was."""
    if name in touched or "." in touched:
        return True
    parts = name.split("/")
    return any("/".join(parts[:n]) in touched for n in range(1, len(parts)))


log = logging.getLogger(__name__)


def reconcile(engine: Engine) -> int:
    """Finish the writes that a kill interrupted; return the number of files."""
    with engine.store.reading() as db:
        homes = {each.id: each for each in records.find(db, WORKSPACE)}
        known = records.find(db, DOCUMENT)
    found = [(each, homes[each.workspace_id]) for each in known]
    for folder in sorted({Path(workspace.path, document.path).parent for document, workspace in found}):
        sweep(folder)
    return sum(_finish(engine, document, workspace) for document, workspace in found)


def _finish(engine: Engine, document: Document, workspace: Workspace) -> bool:
    try:
        if document.retired_at is not None:
            return _finish_removal(engine, document, workspace)
        if not path_of(document, workspace).exists():
            return _finish_coming(engine, document, workspace)
        return _finish_save(engine, document, workspace)
    except (NotFound, Refused, Conflict):
        return False
    except StorageFailed:
        log.warning("A write of %s could not be finished", document.path, exc_info=True)
        return False


def _finish_save(engine: Engine, document: Document, workspace: Workspace) -> bool:
    with engine.store.reading() as db:
        last = last_own_version(db, document)
        text = "" if last is None else document_versions.text_of(db, last.content_hash)
    if last is None:
        return False
    file = on_disk(engine, document, workspace)
    if not is_write_missing(last, file):
        return False
    path = path_of(document, workspace)
    write_atomic(path, as_written(engine, file, text, path, author=last.author).exact(text))
    return True


def _finish_coming(engine: Engine, document: Document, workspace: Workspace) -> bool:
    """Create a file that was to be created, if no folder on its path was touched since; return True if it was."""
    path = path_of(document, workspace)
    at = _meant_at(engine, document)
    above = next(folder for folder in path.parents if folder.is_dir())
    if at is None or not Path(workspace.path).is_dir() or above.stat().st_mtime_ns // 1000 > at:
        return False
    with engine.store.reading() as db:
        text = document_versions.text_of(db, document.content_hash)
    create(path, as_written(engine, None, text, path, author=OUTSIDE).exact(text))
    return True


def _finish_removal(engine: Engine, document: Document, workspace: Workspace) -> bool:
    """Remove a file that was to be removed, if neither it nor its name was touched since; return True if it was."""
    path = path_of(document, workspace)
    at = _meant_at(engine, document)
    if at is None or not path.exists() or path.stat().st_ctime_ns // 1000 > at:
        return False
    file = on_disk(engine, document, workspace)
    if document_versions.hash_of(file.text) != document.content_hash:
        return False
    remove(path, file.manner.exact(file.text))
    return True


def _meant_at(engine: Engine, document: Document) -> int | None:
    """Return when MemDesk last decided to create or remove this file; None when that was found on the disk."""
    with engine.store.reading() as db:
        last = document_versions.last_move(db, document.id, "retired_at")
    if last is None or last[1].files_stay or last[2] == OUTSIDE:
        return None
    return last[0]
