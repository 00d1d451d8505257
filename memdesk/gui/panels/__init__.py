"""PANELS: the panels of the stage, in the order of the rail: place by place, the first of a place first."""

from __future__ import annotations

from memdesk.gui.language import marked
from memdesk.gui.shell.panel import PanelEntry
from memdesk.model.team import AGENT, CURATOR, OWNER

PANELS: tuple[PanelEntry, ...] = (
    PanelEntry(name="review", title=marked("Today"), icon="today", place="today", role=CURATOR),
    PanelEntry(name="who", title=marked("Who is my agent"), icon="identity", place="today", role=OWNER),
    PanelEntry(name="facts", title=marked("Facts"), icon="facts", place="memory"),
    PanelEntry(name="graph", title=marked("Graph"), icon="graph", place="memory"),
    PanelEntry(name="salience", title=marked("Salience"), icon="salience", place="memory"),
    PanelEntry(name="conversations", title=marked("Conversations"), icon="conversations", place="memory"),
    PanelEntry(name="profile", title=marked("Profile"), icon="person", place="memory"),
    PanelEntry(name="goals", title=marked("Goals"), icon="goals", place="memory"),
    PanelEntry(name="procedures", title=marked("Tools & strategies"), icon="tools", place="memory"),
    PanelEntry(name="identity", title=marked("Identity files"), icon="identity", place="files", role=OWNER),
    PanelEntry(name="daily", title=marked("Daily logs"), icon="daily", place="files", role=OWNER),
    PanelEntry(name="learnings", title=marked("Learnings"), icon="learnings", place="files", role=OWNER),
    PanelEntry(name="lab", title=marked("Recall lab"), icon="lab", place="view"),
    PanelEntry(name="compaction", title=marked("Compaction"), icon="compaction", place="view", role=AGENT),
    PanelEntry(name="scratchpad", title=marked("Scratchpad"), icon="scratchpad", place="view", role=OWNER),
    PanelEntry(name="audit", title=marked("Audit"), icon="audit", place="history"),
    PanelEntry(name="overview", title=marked("Overview"), icon="overview", place="history"),
    PanelEntry(name="jobs", title=marked("Jobs"), icon="job", place="history", role=OWNER),
    PanelEntry(name="backups", title=marked("Backups"), icon="backup", place="history", role=OWNER),
    PanelEntry(name="connections", title=marked("Runtimes"), icon="plug", place="connections", role=OWNER),
    PanelEntry(name="agents", title=marked("Agents"), icon="agents", place="connections", role=OWNER),
    PanelEntry(name="members", title=marked("Members"), icon="external", place="connections", role=OWNER),
    PanelEntry(name="workspaces", title=marked("Workspaces"), icon="folder", place="connections", role=OWNER),
    PanelEntry(
        name="transfer", title=marked("Import and export"), icon="merge", place="connections", role=CURATOR
    ),
    PanelEntry(name="settings", title=marked("Settings"), icon="settings", place="settings", role=OWNER),
    PanelEntry(name="secrets", title=marked("Secrets"), icon="lock", place="settings", role=OWNER),
)
