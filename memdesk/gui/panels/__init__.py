"""PANELS: the views of the stage, in the order of the rail. Ctrl+1 opens the first."""

from __future__ import annotations

from memdesk.gui.panels.audit import AuditPanel
from memdesk.gui.panels.panel import Panel

PANELS: tuple[type[Panel], ...] = (AuditPanel,)
