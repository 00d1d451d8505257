"""PANELS: the views of the stage, in the order of the rail. Ctrl+1 opens the first."""

from __future__ import annotations

from memdesk.gui.panels.audit import AuditPanel
from memdesk.gui.panels.compaction import CompactionPanel
from memdesk.gui.panels.conversations import ConversationsPanel
from memdesk.gui.panels.daily import DailyPanel
from memdesk.gui.panels.facts import FactsPanel
from memdesk.gui.panels.goals import GoalsPanel
from memdesk.gui.panels.graph import GraphPanel
from memdesk.gui.panels.identity import IdentityPanel
from memdesk.gui.panels.jobs import JobsPanel
from memdesk.gui.panels.lab import LabPanel
from memdesk.gui.panels.overview import OverviewPanel
from memdesk.gui.panels.panel import Panel
from memdesk.gui.panels.procedures import ProceduresPanel
from memdesk.gui.panels.review import ReviewPanel
from memdesk.gui.panels.salience import SaliencePanel
from memdesk.gui.panels.scratchpad import ScratchpadPanel
from memdesk.gui.panels.settings import SettingsPanel
from memdesk.gui.panels.transfer import TransferPanel
from memdesk.gui.panels.workspaces import WorkspacesPanel

PANELS: tuple[type[Panel], ...] = (
    OverviewPanel,
    GraphPanel,
    ReviewPanel,
    IdentityPanel,
    DailyPanel,
    SaliencePanel,
    AuditPanel,
    CompactionPanel,
    LabPanel,
    FactsPanel,
    ConversationsPanel,
    GoalsPanel,
    ProceduresPanel,
    ScratchpadPanel,
    SettingsPanel,
    JobsPanel,
    WorkspacesPanel,
    TransferPanel,
)
