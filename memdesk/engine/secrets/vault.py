"""Vault: the clear text of the desk's secrets, outside the database, and the placeholders that represent them there.

Every stored text has `[secret: AWS key 7Q3FKD2M]` instead of the key, so rows, words, vectors, journal, backups and
exports are free of it. The id comes from the value by a keyed hash: the same secret has the same placeholder
everywhere. The values are in `secrets.json`, encoded with the key in `secrets.key`, so that no copy of one file, no
search index and no `grep` shows one. That is no protection against a program that may read both files."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from memdesk.engine.secrets.detector import ID_CHARACTERS, MARK, PLACEHOLDER, find, placeholder
from memdesk.files.atomic import overwrite_removed
from memdesk.files.encryption import read_sealed, write_sealed
from memdesk.model.errors import NotFound, StorageFailed
from memdesk.model.message import message

KEY_BYTES = 32
WAITING_AT_MOST = 10_000
"""Values that were seen in a request and not stored yet; more of them than a request can have."""
CLEAN_AT_MOST, CLEAN_CHARACTERS = 256, 20_000
"""Number and length of texts that are remembered as free of secrets."""
ROUNDS = 4
"""Times a text is searched again after secrets in it were replaced: what is left may read otherwise then."""
KEPT, ALLOWED, ERASED = "kept", "allowed", "erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Secret of the desk. state: kept, allowed (no secret, a person says) or erased. sealed: its encoded value.

    record: the record it was first stored in, author: by whom, "" for a text that belongs to none. files: paths of
    files that have it in clear. asked: a person was asked about it."""

    id: str
    kind: str
    state: str
    sealed: str
    at: int
    record: str = ""
    author: str = ""
    files: tuple[str, ...] = ()
    asked: bool = False


class Vault:
    """Secrets of one desk. Thread-safe."""

    def __init__(self, folder: Path, clock: Callable[[], int]) -> None:
        self._file, self._clock = folder / "secrets.json", clock
        self._lock = threading.RLock()
        self._key_file = folder / "secrets.key"
        self.searched, entries = _read(self._file)
        """Version of the rules by which the desk was last searched for secrets that it has in clear."""
        self._entries = {each.id: each for each in entries}
        self._waiting: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._clean: OrderedDict[str, None] = OrderedDict()
        self.unasked = any(each.state == KEPT and not each.asked for each in self._entries.values())
        """True if there are secrets that no question in review is about."""

    @cached_property
    def _key(self) -> bytes:
        """Key of the desk, made when the first secret comes."""
        with self._lock:
            return _key_in(self._key_file)

    def masked(self, text: str, *, again: Collection[str] = ()) -> str:
        """Return a text with its secrets replaced. Their values are remembered until the text is stored.

        again: ids whose placeholders the text has already, as they are; a new one is told from them."""
        if text in self._clean:
            return text
        for _ in range(ROUNDS):
            found = [(each, self._id_of(text[each.start : each.end])) for each in find(text)]
            found = [(each, id) for each, id in found if not self._is_allowed(id)]
            if not found:
                self._note_clean(text)
                return text
            for each, id in reversed(found):
                self._wait(id, each.kind, text[each.start : each.end])
                text = text[: each.start] + placeholder(each.kind, id, again=id in again) + text[each.end :]
        return text

    def _note_clean(self, text: str) -> None:
        """Remember a text without secrets: it is searched at the door, and would be again when it is stored."""
        if len(text) > CLEAN_CHARACTERS:
            return
        with self._lock:
            self._clean[text] = None
            if len(self._clean) > CLEAN_AT_MOST:
                self._clean.popitem(last=False)

    def guard(self, text: str, record: str, author: str) -> str:
        """Return a text as it may be stored, and keep the values of the secrets that it refers to."""
        masked = self.masked(text)
        if MARK in masked and (self._waiting or record):
            self.keep(masked, record, author)
        return masked

    def keep(self, text: str, record: str = "", author: str = "", file: str = "") -> None:
        """Keep the secrets whose placeholders are in a text. Raises StorageFailed."""
        with self._lock:
            for match in PLACEHOLDER.finditer(text):
                self._keep(match["id"], record, author, file)

    def _keep(self, id: str, record: str, author: str, file: str) -> None:
        known = self._entries.get(id)
        waiting = self._waiting.get(id)
        if known is None and waiting is None:
            return
        if known is None or (known.state == ERASED and waiting is not None):
            assert waiting is not None
            kind, value = waiting
            known = Entry(id=id, kind=kind, state=KEPT, sealed=self._sealed(id, value), at=self._clock())
        now = replace(known, record=known.record or record, author=known.author or author)
        if file and file not in now.files:
            now = replace(now, files=(*now.files, file))
        if now != self._entries.get(id):
            self._entries[id] = now
            self._write()
            self.unasked = self.unasked or (now.state == KEPT and not now.asked)
        self._waiting.pop(id, None)

    def shown(self, text: str) -> str:
        """Return a text with the values of its placeholders, as far as they are known."""
        return PLACEHOLDER.sub(lambda match: self.value(match["id"]) or match[0], text)

    def value(self, id: str) -> str | None:
        """Return the value of a secret, None if it is not known (any more)."""
        with self._lock:
            if (entry := self._entries.get(id)) is not None and entry.sealed:
                return self._opened(entry)
            waiting = self._waiting.get(id)
            return None if waiting is None else waiting[1]

    def is_in(self, id: str, file: str) -> bool:
        """Return True if a file has or had this secret in clear."""
        entry = self._entries.get(id)
        return entry is not None and file in entry.files

    def entries(self) -> tuple[Entry, ...]:
        """Return every secret that the desk has or had, oldest first."""
        with self._lock:
            return tuple(self._entries.values())

    def entry(self, id: str) -> Entry:
        """Return a secret by its id. Raises NotFound."""
        with self._lock:
            found = self._entries.get(id.strip().upper())
        if found is None:
            raise NotFound(
                message("There is no secret {id} on this desk.", id=id),
                next=message("`memdesk secrets` lists them."),
            )
        return found

    def move(self, ids: Iterable[str], **fields: Any) -> None:
        """Change the entries of secrets: their state, or that a person was asked."""
        with self._lock:
            for id in ids:
                self._entries[id] = replace(self._entries[id], **fields)
            self._write()
            self.unasked = any(each.state == KEPT and not each.asked for each in self._entries.values())

    def note_searched(self, rules: str) -> None:
        """Record that the desk was searched for stored secrets by this version of the rules."""
        with self._lock:
            self.searched = rules
            self._write()

    def erase(self, ids: Iterable[str]) -> None:
        """Forget the values of secrets for good; their ids stay, to say what a placeholder stood for."""
        with self._lock:
            wanted = tuple(ids)
            for id in wanted:
                self._waiting.pop(id, None)
            self.move(wanted, state=ERASED, sealed="", files=())

    def add(self, kind: str, value: str, *, record: str = "", author: str = "") -> str:
        """Keep a value as a secret and return its id."""
        id = self._id_of(value)
        self._wait(id, kind, value)
        with self._lock:
            self._keep(id, record, author, "")
        return id

    def _is_allowed(self, id: str) -> bool:
        entry = self._entries.get(id)
        return entry is not None and entry.state == ALLOWED

    def _wait(self, id: str, kind: str, value: str) -> None:
        known = self._entries.get(id)
        if known is not None and known.state == KEPT:
            return
        with self._lock:
            self._waiting[id] = (kind, value)
            while len(self._waiting) > WAITING_AT_MOST:
                self._waiting.popitem(last=False)

    def _id_of(self, value: str) -> str:
        digest = hashlib.blake2b(
            value.encode("utf-8", "surrogatepass"), digest_size=5, key=self._key
        ).digest()
        return base64.b32encode(digest).decode()[:ID_CHARACTERS]

    def _sealed(self, id: str, value: str) -> str:
        return base64.b64encode(self._mixed(id, value.encode("utf-8", "surrogatepass"))).decode()

    def _opened(self, entry: Entry) -> str:
        return self._mixed(entry.id, base64.b64decode(entry.sealed)).decode("utf-8", "surrogatepass")

    def _mixed(self, id: str, data: bytes) -> bytes:
        stream = hashlib.shake_256(self._key + id.encode()).digest(len(data))
        return bytes(one ^ other for one, other in zip(data, stream, strict=True))

    def _write(self) -> None:
        rows = [asdict(each) for each in self._entries.values()]
        data = json.dumps({"searched": self.searched, "secrets": rows}, indent=1).encode()
        with overwrite_removed(self._file):
            write_sealed(self._file, data)


def _key_in(file: Path) -> bytes:
    """Return the key of a desk, created if there is none. Raises StorageFailed."""
    try:
        if not file.exists():
            write_sealed(file, secrets.token_bytes(KEY_BYTES))
        key = read_sealed(file)
    except OSError as error:
        raise StorageFailed(
            message("The key {path} cannot be read: {strerror}.", path=file, strerror=error.strerror)
        ) from error
    if len(key) != KEY_BYTES:
        raise StorageFailed(
            message("The key {path} is damaged.", path=file),
            next=message("Put it back from a copy of the desk's folder."),
        )
    return key


def _read(file: Path) -> tuple[str, list[Entry]]:
    """Return (version of the rules of the last search, entries). Raises StorageFailed."""
    try:
        held = json.loads(read_sealed(file))
        return held["searched"], [
            Entry(**{**each, "files": tuple(each["files"])}) for each in held["secrets"]
        ]
    except FileNotFoundError:
        return "", []
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StorageFailed(
            message("The secrets in {file} cannot be read.", file=file),
            next=message("Put the file back from a copy of the desk's folder."),
        ) from error


T = TypeVar("T")
_MEANT = frozenset({"token", "passphrase", "password", "confirm"})
"""Fields of requests that must have their value as it is: it is used, and never stored."""


def masked(vault: Vault, value: T) -> T:
    """Return a request, or arguments in JSON, with the secrets in all its texts replaced by placeholders."""
    result: Any = _masked(vault, value)
    return result  # type: ignore[no-any-return]


def _masked(vault: Vault, value: Any) -> Any:
    if value is None or isinstance(value, int | float):
        return value
    match value:
        case str():
            return vault.masked(value)
        case tuple() | list():
            parts = [_masked(vault, each) for each in value]
            return value if all(a is b for a, b in zip(parts, value, strict=True)) else type(value)(parts)
        case Mapping():
            return {name: _named(vault, str(name), each) for name, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        moved = {
            each.name: after
            for each in fields(value)
            if each.name not in _MEANT
            and (after := _masked(vault, before := getattr(value, each.name))) is not before
        }
        return replace(value, **moved) if moved else value
    return value


def _named(vault: Vault, name: str, value: Any) -> Any:
    """Return an entry of a JSON object masked; its name may be what calls the value a password."""
    if isinstance(value, str):
        prefix = f'{name}: "'
        quoted = vault.masked(f'{prefix}{value}"')
        if quoted.startswith(prefix) and quoted.endswith('"'):
            value = quoted[len(prefix) : -1]
    return _masked(vault, value)
