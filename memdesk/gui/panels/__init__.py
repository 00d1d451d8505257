"""PANELS: the panels of the stage, in the order of the rail: place by place, the first of a place first."""

from __future__ import annotations

from memdesk.gui.language import marked
from memdesk.gui.shell.entry import PanelEntry
from memdesk.model.team import AGENT, CURATOR, OWNER

PANELS: tuple[PanelEntry, ...] = (
    PanelEntry("review", marked("Today"), "today", "ReviewPanel", "today", CURATOR),
    PanelEntry("who", marked("Who is my agent"), "identity", "WhoPanel", "today", OWNER),
    PanelEntry("facts", marked("Facts"), "facts", "FactsPanel", "memory"),
    PanelEntry("graph", marked("Graph"), "graph", "GraphPanel", "memory"),
    PanelEntry("salience", marked("Salience"), "salience", "SaliencePanel", "memory"),
    PanelEntry("conversations", marked("Conversations"), "conversations", "ConversationsPanel", "memory"),
    PanelEntry("profile", marked("Profile"), "person", "ProfilePanel", "memory"),
    PanelEntry("goals", marked("Goals"), "goals", "GoalsPanel", "memory"),
    PanelEntry("procedures", marked("Tools & strategies"), "tools", "ProceduresPanel", "memory"),
    PanelEntry("identity", marked("Identity files"), "identity", "IdentityPanel", "files", OWNER),
    PanelEntry("daily", marked("Daily logs"), "daily", "DailyPanel", "files", OWNER),
    PanelEntry("learnings", marked("Learnings"), "learnings", "LearningsPanel", "files", OWNER),
    PanelEntry("lab", marked("Recall lab"), "lab", "LabPanel", "view"),
    PanelEntry("compaction", marked("Compaction"), "compaction", "CompactionPanel", "view", AGENT),
    PanelEntry("scratchpad", marked("Scratchpad"), "scratchpad", "ScratchpadPanel", "view", OWNER),
    PanelEntry("audit", marked("Audit"), "audit", "AuditPanel", "history"),
    PanelEntry("overview", marked("Overview"), "overview", "OverviewPanel", "history"),
    PanelEntry("jobs", marked("Jobs"), "job", "JobsPanel", "history", OWNER),
    PanelEntry("backups", marked("Backups"), "backup", "BackupsPanel", "history", OWNER),
    PanelEntry("connections", marked("Runtimes"), "plug", "ConnectionsPanel", "connections", OWNER),
    PanelEntry("agents", marked("Agents"), "agents", "AgentsPanel", "connections", OWNER),
    PanelEntry("members", marked("Members"), "external", "MembersPanel", "connections", OWNER),
    PanelEntry("workspaces", marked("Workspaces"), "folder", "WorkspacesPanel", "connections", OWNER),
    PanelEntry("transfer", marked("Import and export"), "merge", "TransferPanel", "connections"),
    PanelEntry("settings", marked("Settings"), "settings", "SettingsPanel", "settings", OWNER),
    PanelEntry("secrets", marked("Secrets"), "lock", "SecretsPanel", "settings", OWNER),
)
