"""Identity of callers: the desk's owner, a person or an agent by token, or a guest by name. Every change gets its
author here."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from memdesk.api.endpoint import Endpoint
from memdesk.engine.agents.granting import AGENT_CHARACTERS, checked_agent
from memdesk.engine.agents.limits import signers
from memdesk.engine.known_agents import TOKEN_BYTES, KeptToken, KnownAgents
from memdesk.files.atomic import write_atomic
from memdesk.files.passphrase import read_owner_token
from memdesk.model.agent import UNNAMED, agent_key
from memdesk.model.errors import BadAsk, NotAllowed, StorageFailed
from memdesk.model.history import Asker
from memdesk.model.message import NO_MESSAGE, message
from memdesk.model.team import AGENT, OWNER, ROLE_NAMES, may

AGENT_HEADER = "x-memdesk-agent"
SESSION_HEADER = "x-memdesk-session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Caller of a request. owner: it may do what the desk's owner may. agent, session: the names in the headers, None
    without one. token: what the desk keeps of the member's token that was presented. remote: it calls over the
    network."""

    owner: bool
    agent: str | None
    session: str | None = None
    token: KeptToken | None = None
    remote: bool = False

    @property
    def is_person(self) -> bool:
        return self.agent is None and (self.owner or self.token is not None)

    @property
    def role(self) -> str:
        return OWNER if self.owner else AGENT if self.token is None else self.token.role

    @property
    def bounded_by(self) -> KeptToken | None:
        """Token whose bounds hold for every call; None for the owner, a guest, and an agent on this computer whose
        token names no users, which has its grants."""
        token = None if self.owner else self.token
        return token if token is not None and (self.remote or token.users) else None

    def author(self, ask: Any, person: str) -> str:
        """Return the author of the caller's changes: as its token says, else `person:NAME` for the owner, `agent:NAME`
        for an agent."""
        if self.token is not None:
            return self.token.author
        if self.is_person:
            return f"person:{person}"
        return f"agent:{self.agent or getattr(ask, 'agent_id', None) or UNNAMED}"

    def named(self, ask: Any, *, reads: bool, call: str) -> Caller:
        """Return the caller with the name that a guest gives in its request. Raises NotAllowed for several names."""
        if self.is_person or self.owner or self.agent is not None:
            return self
        given = {agent_key(name): name for name in signers(ask, call, reads=reads)}
        if len(given) > 1:
            raise NotAllowed(
                message("One call cannot be signed by {list}.", list=" and ".join(sorted(given.values()))),
                next=message("Send one call for each agent."),
            )
        return replace(self, agent=checked_agent(next(iter(given.values()), UNNAMED)))

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
        token = read_owner_token(file)
    except OSError as refused:
        raise StorageFailed(
            message("The owner token {file} cannot be read: {refused}.", file=file, refused=refused)
        ) from refused
    if len(token) < TOKEN_BYTES:
        raise StorageFailed(
            message("The owner token {file} is damaged.", file=file),
            next=message("Remove the file; the service makes a new one."),
        )
    return token


def caller(
    headers: Mapping[str, str],
    token: str,
    agents: KnownAgents | None = None,
    *,
    now: int = 0,
    remote: bool = False,
) -> Caller:
    """Read the caller from a request's headers at an instant, in UTC microseconds. Raises NotAllowed for a token that
    is wrong or has ended, or another's name, and over the network for none; BadAsk for a bad name."""
    presented = headers.get("authorization")
    agent, session = (_named(headers, name) for name in (AGENT_HEADER, SESSION_HEADER))
    if presented is None and not remote:
        return Caller(owner=False, agent=agent, session=session)
    scheme, _, given = (presented or "").partition(" ")
    bearer = given.strip() if scheme.lower() == "bearer" else ""
    if secrets.compare_digest(bearer.encode(errors="replace"), token.encode()) and not remote:
        return Caller(owner=True, agent=agent, session=session)
    kept = None if agents is None or not bearer else agents.kept(bearer)
    if kept is None:
        raise (
            _no_token()
            if remote
            else NotAllowed(
                message("The token that was presented is neither the owner's of this desk nor an agent's."),
                next=message(
                    "`memdesk agents add NAME` makes an agent's; the owner's is in owner.token in the desk's folder."
                ),
            )
        )
    signs = kept.agent
    if kept.has_ended(now):
        raise NotAllowed(
            message("The token of {agent} has ended.", agent=signs),
            next=message("Make it a new one: `memdesk team invite {agent}`.", agent=signs)
            if kept.is_person
            else message("Make it a new one: `memdesk agents add {agent}`, or set it up anew.", agent=signs),
        )
    if agent is not None and (kept.is_person or agent_key(agent) != agent_key(signs)):
        raise NotAllowed(
            message("This token is {signs}'s; it may not sign as {agent}.", signs=signs, agent=agent),
            next=message("Leave the header X-MemDesk-Agent out, or use the token of that agent."),
        )
    return Caller(
        owner=kept.role == OWNER,
        agent=None if kept.is_person else signs,
        session=session,
        token=kept,
        remote=remote,
    )


def _no_token() -> NotAllowed:
    return NotAllowed(
        message("This desk answers over the network to a member's token only."),
        next=message(
            "Send it as `Authorization: Bearer TOKEN`. The desk's owner makes one: `memdesk team invite NAME`."
        ),
    )


LOCAL_HOSTS = frozenset(("localhost", "127.0.0.1", "[::1]", "::1", "desk"))
"""Names of this machine in the headers Host and Origin; `desk` is what clients of the socket send."""


def refuse_other_sites(headers: Mapping[str, str]) -> None:
    """Raise NotAllowed for a request from a page of another site, or to a name that is not this machine's: a browser
    that was led here sends one of the two (the protocol's rule against DNS rebinding)."""
    host, origin = headers.get("host", ""), headers.get("origin")
    named = [urlsplit(f"//{host}").hostname] if host else []
    named += [urlsplit(origin).hostname or "null"] if origin is not None else []
    for name in named:
        if name not in LOCAL_HOSTS:
            raise NotAllowed(
                message(
                    "A request from {name} is not answered: only this machine's own may call.",
                    name=str(name)[:100],
                ),
                next=message("Connect the runtime with `memdesk mcp`, or name localhost."),
            )


def admit(who: Caller, endpoint: Endpoint[Any, Any]) -> None:
    """Raise NotAllowed for a call that the caller's role may not make, or that nobody may over the network."""
    for_people = endpoint.person and not (who.owner or who.is_person)
    if for_people or not may(who.role, endpoint.role):
        raise NotAllowed(
            message("Only the desk's owner may call {endpoint}.", endpoint=endpoint.name)
            if who.token is None
            else message(
                "{member} is {role} of this desk; {endpoint} is for {needed}.",
                member=who.token.agent,
                role=ROLE_NAMES[who.role],
                endpoint=endpoint.name,
                needed=message("a person") if for_people else ROLE_NAMES[endpoint.role],
            ),
            next=NO_MESSAGE
            if who.token is None
            else message("Ask one of the desk's owners, or for another role."),
            details={"role": endpoint.role},
        )
    if endpoint.here and who.remote:
        raise NotAllowed(
            message("{endpoint} is not answered over the network.", endpoint=endpoint.name),
            next=message("Do it on the desk's own computer."),
        )


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
            message(
                "The header X-MemDesk-{shown} must name {what} in at most {count} printable characters.",
                shown=shown,
                what=what,
                count=AGENT_CHARACTERS,
            )
        )
    return name


def _utf8(header: str) -> str:
    """Return a header as UTF-8 text; ASGI passes headers as Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header
