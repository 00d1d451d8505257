"""PANELS: the panels of the stage, in the order of the rail. Ctrl+1 opens the first."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Description of a panel, used until the panel is first opened and its module imported: a window that
    starts with one panel does not wait for the others. `name` is also its module in this package. page_of,
    at_foot: see Panel."""

    name: str
    title: str
    icon: str
    panel: str
    at_foot: bool = False
    page_of: str = ""

    def __call__(self, session: Session, inspector: Inspector) -> Panel:
        """Create the panel."""
        made = self.kind()(session, inspector)
        assert isinstance(made, Panel)
        return made

    def kind(self) -> type[Panel]:
        """Import and return the panel's class. Raises ImportError or AttributeError if the table is wrong."""
        module = import_module(f"memdesk.gui.panels.{self.name}.{self.name}_panel")
        found: type[Panel] = getattr(module, self.panel)
        return found


PANELS: tuple[Entry, ...] = (
    Entry(name="overview", title=marked("Overview"), icon="overview", panel="OverviewPanel"),
    Entry(name="graph", title=marked("Graph"), icon="graph", panel="GraphPanel"),
    Entry(name="review", title=marked("Review"), icon="review", panel="ReviewPanel"),
    Entry(name="identity", title=marked("Identity files"), icon="identity", panel="IdentityPanel"),
    Entry(name="daily", title=marked("Daily logs"), icon="daily", panel="DailyPanel"),
    Entry(name="salience", title=marked("Salience"), icon="salience", panel="SaliencePanel"),
    Entry(name="audit", title=marked("Audit"), icon="audit", panel="AuditPanel"),
    Entry(name="compaction", title=marked("Compaction"), icon="compaction", panel="CompactionPanel"),
    Entry(name="lab", title=marked("Recall lab"), icon="lab", panel="LabPanel"),
    Entry(name="facts", title=marked("Facts"), icon="facts", panel="FactsPanel"),
    Entry(
        name="conversations", title=marked("Conversations"), icon="conversations", panel="ConversationsPanel"
    ),
    Entry(name="goals", title=marked("Goals"), icon="goals", panel="GoalsPanel"),
    Entry(name="procedures", title=marked("Tools & strategies"), icon="tools", panel="ProceduresPanel"),
    Entry(name="scratchpad", title=marked("Scratchpad"), icon="scratchpad", panel="ScratchpadPanel"),
    Entry(name="settings", title=marked("Settings"), icon="settings", panel="SettingsPanel", at_foot=True),
    Entry(name="jobs", title=marked("Jobs"), icon="job", panel="JobsPanel", page_of="settings"),
    Entry(
        name="workspaces",
        title=marked("Workspaces"),
        icon="file",
        panel="WorkspacesPanel",
        page_of="settings",
    ),
    Entry(
        name="transfer",
        title=marked("Import and export"),
        icon="merge",
        panel="TransferPanel",
        page_of="settings",
    ),
    Entry(name="backups", title=marked("Backups"), icon="lock", panel="BackupsPanel", page_of="settings"),
)
