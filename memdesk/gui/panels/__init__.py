"""PANELS: the panels of the stage, in the order of the rail. Ctrl+1 opens the first."""

from __future__ import annotations

from memdesk.gui.language import marked
from memdesk.gui.shell.entry import PanelEntry

PANELS: tuple[PanelEntry, ...] = (
    PanelEntry(name="overview", title=marked("Overview"), icon="overview", panel="OverviewPanel"),
    PanelEntry(name="graph", title=marked("Graph"), icon="graph", panel="GraphPanel"),
    PanelEntry(name="review", title=marked("Review"), icon="review", panel="ReviewPanel"),
    PanelEntry(name="identity", title=marked("Identity files"), icon="identity", panel="IdentityPanel"),
    PanelEntry(name="daily", title=marked("Daily logs"), icon="daily", panel="DailyPanel"),
    PanelEntry(name="salience", title=marked("Salience"), icon="salience", panel="SaliencePanel"),
    PanelEntry(name="audit", title=marked("Audit"), icon="audit", panel="AuditPanel"),
    PanelEntry(name="compaction", title=marked("Compaction"), icon="compaction", panel="CompactionPanel"),
    PanelEntry(name="lab", title=marked("Recall lab"), icon="lab", panel="LabPanel"),
    PanelEntry(name="facts", title=marked("Facts"), icon="facts", panel="FactsPanel"),
    PanelEntry(
        name="conversations", title=marked("Conversations"), icon="conversations", panel="ConversationsPanel"
    ),
    PanelEntry(name="goals", title=marked("Goals"), icon="goals", panel="GoalsPanel"),
    PanelEntry(name="procedures", title=marked("Tools & strategies"), icon="tools", panel="ProceduresPanel"),
    PanelEntry(name="scratchpad", title=marked("Scratchpad"), icon="scratchpad", panel="ScratchpadPanel"),
    PanelEntry(
        name="connections", title=marked("Connections"), icon="plug", panel="ConnectionsPanel", at_foot=True
    ),
    PanelEntry(
        name="settings", title=marked("Settings"), icon="settings", panel="SettingsPanel", at_foot=True
    ),
    PanelEntry(name="jobs", title=marked("Jobs"), icon="job", panel="JobsPanel", page_of="settings"),
    PanelEntry(
        name="workspaces",
        title=marked("Workspaces"),
        icon="file",
        panel="WorkspacesPanel",
        page_of="settings",
    ),
    PanelEntry(
        name="agents", title=marked("Agents"), icon="identity", panel="AgentsPanel", page_of="settings"
    ),
    PanelEntry(
        name="transfer",
        title=marked("Import and export"),
        icon="merge",
        panel="TransferPanel",
        page_of="settings",
    ),
    PanelEntry(
        name="backups", title=marked("Backups"), icon="lock", panel="BackupsPanel", page_of="settings"
    ),
    PanelEntry(
        name="secrets", title=marked("Secrets"), icon="lock", panel="SecretsPanel", page_of="settings"
    ),
)
