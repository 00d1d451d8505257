"""Button that creates a standard file that an agent lacks, from the template for it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal

from memdesk.contract import workspace
from memdesk.gui.editor.files_list import LAYERS
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Option
from memdesk.gui.widgets.drop import ChoiceMenu
from memdesk.model.status import Nothing
from memdesk.model.workspace import CreateFile, Template


class Beginning(Control):
    """Button with a menu of missing files. The signal `begun` carries the id of the new document. One undo
    removes the file."""

    begun = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__("button", tr("New file"), "plus", drop=True)
        self._session = session
        self._templates: tuple[Template, ...] = ()
        self.clicked.connect(self.open_menu)
        self._offer()

    async def load(self) -> None:
        """Load the missing files of the agents selected in the top bar."""
        found = (await self._session.call(workspace.TEMPLATES, Nothing())).rows
        agents = self._session.agents
        self._templates = tuple(each for each in found if not agents or each.agent_id in agents)
        self._offer()

    @property
    def options(self) -> tuple[Option, ...]:
        """Return one option per missing file, grouped by agent."""
        homes = [each.workspace_id for each in self._templates]
        return tuple(
            Option(
                value=each, text=f"{_owner(each)} / {each.path} · {tr(LAYERS[each.layer])}", icon="file",
                separator_before=bool(n) and homes[n - 1] != each.workspace_id,
            )
            for n, each in enumerate(self._templates)
        )  # fmt: skip

    def menu(self) -> ChoiceMenu:
        """Return the menu with the current options."""
        made = ChoiceMenu(self.options, lambda _: False, staying=False, parent=self)
        made.picked.connect(lambda each: self._session.spawn(self._begin(each)))
        return made

    def open_menu(self) -> None:
        """Open the menu below the button."""
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    async def _begin(self, chosen: Template) -> None:
        ask = CreateFile(workspace_id=chosen.workspace_id, path=chosen.path, text=chosen.text)
        says = tr("Began {file} of {owner}", file=chosen.path, owner=_owner(chosen))
        made = await self._session.do(workspace.CREATE, ask, says)
        self.begun.emit(made.document_id)

    def _offer(self) -> None:
        why = tr("The service is away; nothing can be changed.") if self._session.is_away else ""
        none = "" if self._templates else tr("Every standing file is there.")
        self.set_enabled(not (why or none), why or none)


def _owner(template: Template) -> str:
    return template.agent_id or template.workspace
