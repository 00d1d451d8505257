"""Agents and other members of a desk as every call asks for them: whose token it is, and what an agent was granted."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from memdesk.files.atomic import write_atomic
from memdesk.model.agent import (
    AGENT_SCOPE,
    CHANNEL_SCOPE,
    GLOBAL_SCOPE,
    GRANT,
    PERSON_SCOPE,
    USER_SCOPE,
    Grant,
    Rights,
    agent_key,
)
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message
from memdesk.model.team import AGENT, ROLES
from memdesk.store import agents, browsing, records
from memdesk.store.run_context import within
from memdesk.store.store import Store

TOKEN_BYTES = 32
"""Random bytes of a token. So many need no slow hash: nobody can try them."""
PREFIX = "mda_"
"""Beginning of every agent's token, by which a leaked one is recognised."""


GUEST = Rights()
"""Rights of an agent without grants."""


@dataclass(frozen=True, slots=True)
class KeptToken:
    """Token of a member. agent: its name. hash: SHA-256 in hexadecimal. made_at, ends_at: UTC microseconds; None for no
    end. role: one of ROLES. users, channels: those it may use; empty for what an agent was granted."""

    agent: str
    hash: str
    made_at: int
    ends_at: int | None = None
    role: str = AGENT
    users: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()

    @property
    def is_person(self) -> bool:
        return self.role != AGENT

    @property
    def author(self) -> str:
        """Author of the member's changes."""
        return f"{'person' if self.is_person else 'agent'}:{self.agent}"

    def bounded(self, rights: Rights) -> Rights:
        """Return an agent's rights within the users and channels of its token."""
        return replace(
            rights,
            users=frozenset(self.users) or rights.users,
            channels=frozenset(self.channels) or rights.channels,
            may_write_global=rights.may_write_global or GLOBAL in self.channels,
            may_begin_users=not self.users,
        )

    def has_ended(self, now: int) -> bool:
        return self.ends_at is not None and self.ends_at <= now


@dataclass(slots=True)
class KnownAgents:
    """Tokens and grants of one desk. Thread-safe. register: keeps the tokens' hashes.

    Grants are read again after a commit that moved one, so that an undo applies at once."""

    store: Store
    register: TokenRegister
    seen: dict[str, int] = field(default_factory=dict)
    _rights: dict[str, Rights] = field(default_factory=dict)
    _spellings: dict[str, str] | None = None
    _is_moved: bool = False
    _is_stale: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.store.submit(lambda db: agents.watch(db, self._note_move)).result()
        self.store.subscribe(self._note_commit)

    def spelled(self, agent: str) -> str:
        """Return an agent's name as the desk has it, if it knows one that differs in case or width alone."""
        if self._spellings is None:
            with within(None), self.store.reading() as db:
                named = browsing.agents(db)
            known = (*named, *(each.agent for each in self.tokens()))
            self._spellings = {agent_key(each): each for each in reversed(known)}
        return self._spellings.setdefault(agent_key(agent), agent)

    def kept(self, token: str) -> KeptToken | None:
        """Return what is kept of a token, ended ones included, None for no member's."""
        return self.register.find(_hash_of(token))

    def tokens_of(self, agent: str) -> list[KeptToken]:
        """Return the tokens of an agent of this name, oldest first; none for a guest."""
        key = agent_key(agent)
        return [each for each in self.tokens() if agent_key(each.agent) == key]

    def tokens(self) -> tuple[KeptToken, ...]:
        """Return the tokens of agents, oldest first."""
        return tuple(each for each in self.register.all() if not each.is_person)

    def make_token(
        self,
        name: str,
        *,
        at: int,
        ends_at: int | None = None,
        role: str = AGENT,
        users: tuple[str, ...] = (),
        channels: tuple[str, ...] = (),
    ) -> str:
        """Return a new token for a member; earlier ones stay, except those that have ended. Raises StorageFailed."""
        token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        made = KeptToken(name, _hash_of(token), at, ends_at, role, users, channels)
        with self._lock:
            named = (each for each in self.register.all() if agent_key(each.agent) == agent_key(name))
            self.register.change([made], [each for each in named if each.has_ended(at)])
        return token

    def revoke(self, tokens: Sequence[KeptToken]) -> int:
        """Revoke tokens; return how many. Raises StorageFailed."""
        with self._lock:
            self.register.change([], tokens)
        return len(tokens)

    def rights_of(self, agent: str) -> Rights:
        """Return what an agent was granted."""
        if self._is_stale:
            # Before the read: a commit in between makes it stale again.
            self._is_stale = False
            with within(None), self.store.reading() as db:
                self._rights = _rights_in(records.find(db, GRANT, retired_at=None))
        return self._rights.get(agent_key(agent), GUEST)

    def _note_move(self) -> None:
        self._is_moved = True

    def _note_commit(self) -> None:
        if self._is_moved:
            self._is_moved, self._is_stale = False, True


def _rights_in(grants: list[Grant]) -> dict[str, Rights]:
    held: dict[str, dict[str, set[str]]] = {}
    for each in grants:
        held.setdefault(agent_key(each.agent), {}).setdefault(each.scope, set()).add(each.name)
    return {key: _rights(scopes) for key, scopes in held.items()}


def _rights(scopes: dict[str, set[str]]) -> Rights:
    return Rights(
        channels=frozenset(scopes.get(CHANNEL_SCOPE, ())),
        users=frozenset((LOCAL_USER, *scopes.get(USER_SCOPE, ()))),
        agents=frozenset(map(agent_key, scopes.get(AGENT_SCOPE, ()))),
        may_write_global=GLOBAL_SCOPE in scopes,
        may_change_the_persons=PERSON_SCOPE in scopes,
    )


def _hash_of(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class TokenRegister(Protocol):
    """Place of the hashes of a desk's tokens. is_shared: several services read it, each time from a database."""

    is_shared: bool

    def find(self, hash: str) -> KeptToken | None:
        """Return the token with this hash, None if there is none or it was revoked."""

    def all(self) -> tuple[KeptToken, ...]:
        """Return all tokens, oldest first."""

    def change(self, made: Sequence[KeptToken], gone: Sequence[KeptToken]) -> None:
        """Add and remove tokens. Raises StorageFailed."""


class FileRegister:
    """Register in a file of the desk's folder, outside the database: restoring a backup restores no revoked token."""

    is_shared = False

    def __init__(self, file: Path) -> None:
        self._file = file
        self._by_hash = {each.hash: each for each in _tokens_in(file)}

    def find(self, hash: str) -> KeptToken | None:
        return self._by_hash.get(hash)

    def all(self) -> tuple[KeptToken, ...]:
        return tuple(self._by_hash.values())

    def change(self, made: Sequence[KeptToken], gone: Sequence[KeptToken]) -> None:
        kept = [*(each for each in self.all() if each not in gone), *made]
        rows = [asdict(each) for each in kept]
        write_atomic(self._file, json.dumps(rows, ensure_ascii=False, indent=1).encode() + b"\n")
        self._by_hash = {each.hash: each for each in kept}


class SharedRegister:
    """Tokens of a desk in a database, which every service of it reads at each call: a revocation applies at once.

    file: tokens that a desk in a folder had, which move into a database without tokens."""

    is_shared = True

    def __init__(self, store: Store, file: Path) -> None:
        self._store = store
        store.submit(agents.prepare_tokens).result()
        if file.exists() and not self.all():
            self.change(_tokens_in(file), [])

    def find(self, hash: str) -> KeptToken | None:
        with within(None), self._store.reading() as db:
            row = agents.token_of(db, hash)
        return None if row is None else _token_in(json.loads(row))

    def all(self) -> tuple[KeptToken, ...]:
        with within(None), self._store.reading(together=False) as db:
            rows = agents.all_tokens(db)
        return tuple(sorted((_token_in(json.loads(row)) for row in rows), key=lambda each: each.made_at))

    def change(self, made: Sequence[KeptToken], gone: Sequence[KeptToken]) -> None:
        rows = [(each.hash, json.dumps(asdict(each), ensure_ascii=False)) for each in made]
        hashes = [each.hash for each in gone]
        with within(None):
            self._store.submit(lambda db: agents.change_tokens(db, rows, hashes)).result()


def _token_in(row: dict[str, Any]) -> KeptToken:
    role, ends_at = str(row.get("role", AGENT)), row.get("ends_at")
    if role not in ROLES:
        raise ValueError(f"no role {role}")
    return KeptToken(
        str(row["agent"]),
        str(row["hash"]),
        int(row["made_at"]),
        None if ends_at is None else int(ends_at),
        role,
        tuple(map(str, row.get("users", ()))),
        tuple(map(str, row.get("channels", ()))),
    )


def _tokens_in(file: Path) -> list[KeptToken]:
    """Return the tokens of the file; none where there is no file. Raises StorageFailed for a damaged one: a desk that
    forgot its tokens would let anyone sign."""
    try:
        rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
        return [_token_in(row) for row in rows]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise StorageFailed(
            message("The agents' tokens {file} cannot be read: {wrong}.", file=file, wrong=wrong),
            next=message(
                "Remove the file and start again; then make every agent a new token: `memdesk agents add NAME`."
            ),
        ) from wrong
