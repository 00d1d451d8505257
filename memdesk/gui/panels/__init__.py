"""PANELS: the panels of the stage, in the order of the rail: place by place, the first of a place first."""

from __future__ import annotations

from memdesk.gui.language import marked
from memdesk.gui.shell.entry import PanelEntry

PANELS: tuple[PanelEntry, ...] = (
    PanelEntry(name="review", title=marked("Today"), icon="today", panel="ReviewPanel", place="today"),
    PanelEntry(name="who", title=marked("Who is my agent"), icon="identity", panel="WhoPanel", place="today"),
    PanelEntry(name="facts", title=marked("Facts"), icon="facts", panel="FactsPanel", place="memory"),
    PanelEntry(name="graph", title=marked("Graph"), icon="graph", panel="GraphPanel", place="memory"),
    PanelEntry(
        name="salience", title=marked("Salience"), icon="salience", panel="SaliencePanel", place="memory"
    ),
    PanelEntry(
        name="conversations",
        title=marked("Conversations"),
        icon="conversations",
        panel="ConversationsPanel",
        place="memory",
    ),
    PanelEntry(name="profile", title=marked("Profile"), icon="person", panel="ProfilePanel", place="memory"),
    PanelEntry(name="goals", title=marked("Goals"), icon="goals", panel="GoalsPanel", place="memory"),
    PanelEntry(
        name="procedures",
        title=marked("Tools & strategies"),
        icon="tools",
        panel="ProceduresPanel",
        place="memory",
    ),
    PanelEntry(
        name="identity", title=marked("Identity files"), icon="identity", panel="IdentityPanel", place="files"
    ),
    PanelEntry(name="daily", title=marked("Daily logs"), icon="daily", panel="DailyPanel", place="files"),
    PanelEntry(
        name="learnings",
        title=marked("Learnings"),
        icon="learnings",
        panel="LearningsPanel",
        place="files",
    ),
    PanelEntry(name="lab", title=marked("Recall lab"), icon="lab", panel="LabPanel", place="view"),
    PanelEntry(
        name="compaction",
        title=marked("Compaction"),
        icon="compaction",
        panel="CompactionPanel",
        place="view",
    ),
    PanelEntry(
        name="scratchpad",
        title=marked("Scratchpad"),
        icon="scratchpad",
        panel="ScratchpadPanel",
        place="view",
    ),
    PanelEntry(name="audit", title=marked("Audit"), icon="audit", panel="AuditPanel", place="history"),
    PanelEntry(
        name="overview", title=marked("Overview"), icon="overview", panel="OverviewPanel", place="history"
    ),
    PanelEntry(name="jobs", title=marked("Jobs"), icon="job", panel="JobsPanel", place="history"),
    PanelEntry(name="backups", title=marked("Backups"), icon="backup", panel="BackupsPanel", place="history"),
    PanelEntry(
        name="connections",
        title=marked("Runtimes"),
        icon="plug",
        panel="ConnectionsPanel",
        place="connections",
    ),
    PanelEntry(
        name="agents", title=marked("Agents"), icon="agents", panel="AgentsPanel", place="connections"
    ),
    PanelEntry(
        name="members", title=marked("Members"), icon="external", panel="MembersPanel", place="connections"
    ),
    PanelEntry(
        name="workspaces",
        title=marked("Workspaces"),
        icon="folder",
        panel="WorkspacesPanel",
        place="connections",
    ),
    PanelEntry(
        name="transfer",
        title=marked("Import and export"),
        icon="merge",
        panel="TransferPanel",
        place="connections",
    ),
    PanelEntry(
        name="settings", title=marked("Settings"), icon="settings", panel="SettingsPanel", place="settings"
    ),
    PanelEntry(name="secrets", title=marked("Secrets"), icon="lock", panel="SecretsPanel", place="settings"),
)
