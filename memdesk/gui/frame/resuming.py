"""Saved state of the window: its panels and divider, the filters, and the memory shown in the inspector."""

from __future__ import annotations

from typing import Any

from memdesk.gui.frame.body import Body
from memdesk.gui.frame.memo import Memo
from memdesk.gui.frame.stage import Stage
from memdesk.gui.inspector import Inspector
from memdesk.gui.session import Session


def left(session: Session, stage: Stage, body: Body, inspector: Inspector) -> dict[str, Any]:
    """Return the window's state as JSON data."""
    return {
        "panels": stage.left(),
        "sides": stage.sides,
        "divider": stage.splitter.sizes(),
        "shown": inspector.memory_id if body.inspector_open else "",
        "channels": session.channels,
        "agents": session.agents,
    }


def resume(memo: Memo, session: Session, stage: Stage) -> None:
    """Restore the filters and panels; on the first start, show the first panel."""
    # Read first: opening a panel writes into the memo.
    panel, kept = memo.panel, memo.left
    session.filter_channels(tuple(kept.get("channels", ())))
    session.filter_agents(tuple(kept.get("agents", ())))
    sides = [name for name in kept.get("sides", ()) if stage.has(name)]
    for place, name in enumerate(sides if len(sides) == 2 else ()):
        stage.open(name, beside=place == 1)
    stage.open(panel if stage.has(panel) else stage.names[0])
    if stage.is_split:
        stage.splitter.resume(kept.get("divider", []))
