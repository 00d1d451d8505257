"""Identity of callers: the desk's owner by token, or an agent by name. Every change gets its author here."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from memdesk.api.endpoint import Endpoint
from memdesk.files.atomic import write_atomic
from memdesk.model.errors import BadAsk, NotAllowed, StorageFailed
from memdesk.model.history import Asker

AGENT_HEADER = "x-memdesk-agent"
SESSION_HEADER = "x-memdesk-session"
AGENT_CHARACTERS = 200
UNNAMED = "unnamed"
TOKEN_BYTES = 32
"""Random bytes of a token, as `secrets` recommends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Caller of a request. agent, session: the names in the headers, None without one."""

    owner: bool
    agent: str | None
    session: str | None = None

    def author(self, ask: Any, person: str) -> str:
        """Return the author of the caller's changes: `person:NAME` for the owner, else `agent:NAME`."""
        if self.agent is None and self.owner:
            return f"person:{person}"
        return f"agent:{self.agent or getattr(ask, 'agent_id', None) or UNNAMED}"

    def asker(self, call: str, ask: Any, person: str) -> Asker:
        """Return the details of this call that the audit log may record if it is refused."""
        return Asker(
            call=call,
            author=self.author(ask, person),
            user_id=getattr(ask, "user_id", None),
            channel=getattr(ask, "channel", None),
            conversation_id=getattr(ask, "conversation_id", None),
            session_id=self.session or getattr(ask, "session_id", None),
        )


def owner_token(file: Path) -> str:
    """Return the desk's owner token, created at the first start. Raises StorageFailed when it cannot be read
    or stored.

    Call it with the desk's lock acquired."""
    if not file.exists():
        write_atomic(file, secrets.token_urlsafe(TOKEN_BYTES).encode() + b"\n")
    return _kept_token(file)


def _kept_token(file: Path) -> str:
    try:
        file.chmod(0o600)
        token = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as refused:
        raise StorageFailed(f"The owner token {file} cannot be read: {refused}.") from refused
    if len(token) < TOKEN_BYTES:
        raise StorageFailed(
            f"The owner token {file} is damaged.", next="Remove the file; the service makes a new one."
        )
    return token


def caller(headers: Mapping[str, str], token: str) -> Caller:
    """Read the caller from a request's headers. Raises NotAllowed for a wrong token, BadAsk for a bad name."""
    presented = headers.get("authorization")
    agent, session = (_named(headers, name) for name in (AGENT_HEADER, SESSION_HEADER))
    if presented is None:
        return Caller(owner=False, agent=agent, session=session)
    scheme, _, given = presented.partition(" ")
    same = secrets.compare_digest(given.strip().encode(errors="replace"), token.encode())
    if scheme.lower() != "bearer" or not same:
        raise NotAllowed(
            "The owner token that was presented is not this desk's.",
            next="Read it from the file owner.token in the desk's folder: `Authorization: Bearer TOKEN`.",
        )
    return Caller(owner=True, agent=agent, session=session)


def admit(who: Caller, endpoint: Endpoint[Any, Any]) -> None:
    """Raise NotAllowed when an agent makes a call that is the owner's alone."""
    if endpoint.owner and not who.owner:
        raise NotAllowed(f"Only the desk's owner may call {endpoint.name}.")


def _named(headers: Mapping[str, str], header: str) -> str | None:
    """Return the name in a header, in UTF-8 or percent-encoded for clients that can send only ASCII."""
    given = headers.get(header)
    if given is None:
        return None
    try:
        name = unquote(_utf8(given), errors="strict").strip()
    except UnicodeDecodeError:
        name = ""
    if not name or len(name) > AGENT_CHARACTERS or not name.isprintable():
        shown, what = ("Agent", "an agent") if header == AGENT_HEADER else ("Session", "a session")
        raise BadAsk(
            f"The header X-MemDesk-{shown} must name {what} in at most {AGENT_CHARACTERS} printable characters."
        )
    return name


def _utf8(header: str) -> str:
    """Return a header as UTF-8 text; ASGI passes headers as Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header
