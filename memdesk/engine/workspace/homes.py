"""Choice of the workspace for a call: an agent may use only its own, the desk's owner may name any."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.layouts import Layout, layout_named
from memdesk.model.document import WORKSPACE, Workspace
from memdesk.model.errors import BadAsk, NotAllowed, NotFound
from memdesk.store import records

AGENT = "agent:"


def home(engine: Engine, workspace_id: str | None, agent_id: str | None, *, author: str) -> Workspace:
    """Return the workspace that a call is about. Raises NotFound, NotAllowed, BadAsk where several are
    possible."""
    own = author.removeprefix(AGENT) if author.startswith(AGENT) else None
    if own is not None and agent_id is not None and agent_id.casefold() != own.casefold():
        raise NotAllowed(f"{own} may not use the workspace of another agent.")
    with engine.store.reading() as db:
        if workspace_id is not None:
            return _allowed(records.need(db, WORKSPACE, workspace_id), own)
        found: list[Workspace] = records.find(db, WORKSPACE, retired_at=None)
    name = own or agent_id
    mine = [each for each in found if name is None or (each.agent_id or "").casefold() == name.casefold()]
    if not mine:
        raise NotFound(
            f"{name or 'Nobody'} has no workspace on this desk.", next="Import the agent's folder first."
        )
    if len(mine) > 1:
        listed = ", ".join(f"{each.id} ({each.path})" for each in mine[:5])
        raise BadAsk(f"Several workspaces could be meant: {listed}.", next="Name one as workspace_id.")
    return mine[0]


def layout_of(workspace: Workspace) -> Layout:
    """Return the layout of a workspace."""
    return layout_named(workspace.layout)


def _allowed(workspace: Workspace, own: str | None) -> Workspace:
    if own is not None and (workspace.agent_id or "").casefold() != own.casefold():
        raise NotAllowed(f"{own} may not use the workspace {workspace.name}.")
    return workspace
