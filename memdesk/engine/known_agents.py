"""Agents of a desk as every call asks for them: whose token it is, and what an agent was granted.

Tokens are kept outside the database, as hashes: restoring a backup or importing an archive brings none back."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

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
from memdesk.model.channel import LOCAL_USER
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message
from memdesk.store import agents, browsing, records
from memdesk.store.store import Store

TOKEN_BYTES = 32
"""Random bytes of a token. So many need no slow hash: nobody can try them."""
PREFIX = "mda_"
"""Beginning of every agent's token, by which a leaked one is recognised."""


GUEST = Rights()
"""Rights of an agent without grants."""


@dataclass(frozen=True, slots=True)
class KeptToken:
    """Token of an agent. hash: SHA-256 in hexadecimal. made_at, ends_at: UTC microseconds; None for no end."""

    agent: str
    hash: str
    made_at: int
    ends_at: int | None = None

    def has_ended(self, now: int) -> bool:
        return self.ends_at is not None and self.ends_at <= now


@dataclass(slots=True)
class KnownAgents:
    """Tokens and grants of one desk. Thread-safe. file: the tokens' hashes.

    Grants are read again after a commit that moved one, so that an undo applies at once."""

    store: Store
    file: Path
    seen: dict[str, int] = field(default_factory=dict)
    _by_hash: dict[str, KeptToken] = field(default_factory=dict)
    _rights: dict[str, Rights] = field(default_factory=dict)
    _spellings: dict[str, str] | None = None
    _is_moved: bool = False
    _is_stale: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._by_hash = {each.hash: each for each in _tokens_in(self.file)}
        self.store.submit(lambda db: agents.watch(db, self._note_move)).result()
        self.store.subscribe(self._note_commit)

    def spelled(self, agent: str) -> str:
        """Return an agent's name as the desk has it, if it knows one that differs in case or width alone."""
        if self._spellings is None:
            with self.store.reading() as db:
                named = browsing.agents(db)
            known = (*named, *(each.agent for each in self.tokens()))
            self._spellings = {agent_key(each): each for each in reversed(known)}
        return self._spellings.setdefault(agent_key(agent), agent)

    def kept(self, token: str) -> KeptToken | None:
        """Return what is kept of a token, ended ones included, None for no agent's."""
        return self._by_hash.get(_hash_of(token))

    def tokens_of(self, agent: str) -> list[KeptToken]:
        """Return the tokens of an agent of this name, oldest first; none for a guest."""
        key = agent_key(agent)
        return [each for each in self.tokens() if agent_key(each.agent) == key]

    def tokens(self) -> tuple[KeptToken, ...]:
        return tuple(self._by_hash.values())

    def make_token(self, agent: str, *, at: int, ends_at: int | None = None) -> str:
        """Return a new token for an agent; earlier ones stay, except those that have ended. Raises StorageFailed."""
        token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        with self._lock:
            made = KeptToken(agent, _hash_of(token), at, ends_at)
            ended = [each for each in self.tokens_of(agent) if each.has_ended(at)]
            self._keep([*(each for each in self.tokens() if each not in ended), made])
        return token

    def revoke(self, agent: str) -> int:
        """Revoke an agent's tokens; return how many it had. Raises StorageFailed."""
        with self._lock:
            left = [each for each in self.tokens() if agent_key(each.agent) != agent_key(agent)]
            revoked = len(self._by_hash) - len(left)
            if revoked:
                self._keep(left)
            return revoked

    def rights_of(self, agent: str) -> Rights:
        """Return what an agent was granted."""
        if self._is_stale:
            # Before the read: a commit in between makes it stale again.
            self._is_stale = False
            with self.store.reading() as db:
                self._rights = _rights_in(records.find(db, GRANT, retired_at=None))
        return self._rights.get(agent_key(agent), GUEST)

    def _note_move(self) -> None:
        self._is_moved = True

    def _note_commit(self) -> None:
        if self._is_moved:
            self._is_moved, self._is_stale = False, True

    def _keep(self, tokens: list[KeptToken]) -> None:
        rows = [asdict(each) for each in tokens]
        write_atomic(self.file, json.dumps(rows, ensure_ascii=False, indent=1).encode() + b"\n")
        self._by_hash = {each.hash: each for each in tokens}


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


def _token_in(row: dict[str, Any]) -> KeptToken:
    ends_at = row.get("ends_at")
    return KeptToken(
        str(row["agent"]), str(row["hash"]), int(row["made_at"]), None if ends_at is None else int(ends_at)
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
