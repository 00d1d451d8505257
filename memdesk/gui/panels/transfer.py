"""Import and export: import memory from files, export it in another program's format, or erase a user for
good."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from memdesk.contract import workspace
from memdesk.gui.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.panel import Panel
from memdesk.gui.session import Session
from memdesk.gui.transfer.bringing import Bringing
from memdesk.gui.transfer.erasing import Erasing
from memdesk.gui.transfer.sending import Sending
from memdesk.gui.widgets import Control, Segments, row
from memdesk.model.history import FeedEvent
from memdesk.model.status import Nothing

IMPORT, EXPORT, ERASE, BACKUP = "import", "export", "erase", "backup"
PAGES = (IMPORT, EXPORT, ERASE)


class TransferPanel(Panel):
    """Three pages under one bar: import, export, erase."""

    name, title, icon = "transfer", marked("Import and export"), "merge"
    page_of = "settings"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.pages = Segments(
            ((IMPORT, tr("Import")), (EXPORT, tr("Export")), (ERASE, tr("Erase a user"))),
            name=tr("What to do"),
        )
        self.folders = Control("button", tr("Workspaces"), "file")
        self.backup = Control("button", tr("Back everything up"), "lock",
                              tip=tr("Write an archive of everything, which an import brings back"))  # fmt: skip
        self.bringing, self.sending, self.erasing = Bringing(session), Sending(session), Erasing(session)
        self._shown = QStackedWidget()
        for page in (self.bringing, self.sending, self.erasing):
            self._shown.addWidget(page)
        bar = row(self.pages, None, margins=(20, 0, 20, 0))
        self.furnish(self._shown, filters=bar, actions=(self.folders, self.backup))
        self.setFocusProxy(self.bringing.source)
        self.pages.chosen.connect(self.open_page)
        self.folders.clicked.connect(lambda: inspector.navigated.emit("workspaces", ""))
        self.backup.clicked.connect(self._back_up)
        self.erasing.erased.connect(session.refresh_status)

    def concerned(self, event: FeedEvent) -> bool:
        """Return False: agents' changes must not reset a form that a person is filling in."""
        return False

    async def load(self) -> None:
        """Load the data that the open page needs."""
        self.bringing.offer_layouts((await self.session.call(workspace.LIST, Nothing())).layouts)
        await self._load_page()
        self.show_content()

    async def _load_page(self) -> None:
        page = self.pages.value()
        if page == EXPORT and not self.sending.foot.is_busy:
            await self.sending.load()
        elif page == ERASE and not self.erasing.foot.is_busy:
            await self.erasing.load()

    def open_page(self, page: object) -> None:
        """Show a page of PAGES."""
        self._turn_to(page)
        self.session.spawn(self._load_page(), failed=self.show_failure)

    def _turn_to(self, page: object) -> None:
        self.pages.set_value(page)
        self._shown.setCurrentIndex(PAGES.index(str(page)))
        self.setFocusProxy(
            {IMPORT: self.bringing.source, EXPORT: self.sending, ERASE: self.erasing}[str(page)]
        )

    def select(self, id: str) -> None:
        """Open a page by its name, or examine a file or folder by its path; BACKUP begins a backup."""
        if id == BACKUP:
            self._back_up()
        elif id in PAGES:
            self.open_page(id)
        else:
            self.open_page(IMPORT)
            self.bringing.look_at(id)

    def _back_up(self) -> None:
        """Prepare an export of all memory; the person confirms once the place is right."""
        self._turn_to(EXPORT)
        self.session.spawn(self._backed_up(), failed=self.show_failure)

    async def _backed_up(self) -> None:
        await self.sending.load()
        self.sending.back_up()
