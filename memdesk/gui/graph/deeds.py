"""Actions on the graph: the merge of two rows, and the export of the drawing to a file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from memdesk.contract import curation
from memdesk.gui.deed import named
from memdesk.gui.frame import times
from memdesk.gui.graph.heading import heading_plain
from memdesk.gui.graph.saving import FORMATS, save
from memdesk.gui.graph.stand import Stand
from memdesk.gui.inspectors.moving import would
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets.told import Told
from memdesk.model.curation import Merge, MergePreview, PreviewMerge
from memdesk.model.errors import MemDeskError, StorageFailed

FILE = "memdesk-graph"


class Deeds(QObject):
    """Runs the actions and shows their results in the message bar `told`."""

    def __init__(self, session: Session, told: Told, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._told, self._panel = session, told, parent
        self.dialog: QFileDialog | None = None

    # Merging.

    def ask_merge(self, id: str, into: str) -> None:
        """Show a preview of a merge, and merge only if a person agrees."""
        self._session.spawn(self._ask_merge(id, into), failed=self._tell_failure)

    async def _ask_merge(self, id: str, into: str) -> None:
        seen = await self._session.call(curation.PREVIEW_MERGE, PreviewMerge(id=id, into_id=into))

        def agree() -> None:
            self._session.spawn(self._merge(id, into, seen), failed=self._tell_failure)

        self._told.tell(would(seen), icon="merge", button=tr("Merge"), act=agree)
        self._told.button.setFocus()

    async def _merge(self, id: str, into: str, seen: MergePreview) -> None:
        says = tr("Merged “{title}” into “{into}”", title=named(seen.title), into=named(seen.into))
        ask = Merge(id=id, into_id=into)
        if seen.changes == 1:
            await self._session.do(curation.MERGE, ask, says)
        else:
            done = await self._session.call(curation.MERGE, ask)
            self._session.did_run(done.change, says, "update")
        self._told.hide()

    # A picture.

    def ask_where(self, stand: Stand) -> None:
        """Open the dialog to choose the file; without exec(), which would stop the event loop."""
        scene, when = stand.scene, times.minute(datetime.now().astimezone())
        note = f"{heading_plain(scene.center)} · {scene.counted} · {when}"
        dialog = QFileDialog(self._panel.window(), tr("Export the graph"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(list(FORMATS.values()))
        dialog.setDefaultSuffix(next(iter(FORMATS)))
        suffixes = {words: suffix for suffix, words in FORMATS.items()}
        dialog.filterSelected.connect(lambda words: dialog.setDefaultSuffix(suffixes[words]))
        dialog.selectFile(FILE)
        dialog.fileSelected.connect(lambda file: self.save(stand, Path(file), note))
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        dialog.open()

    def save(self, stand: Stand, file: Path, note: str) -> None:
        """Write the drawing to a file and show the path."""
        try:
            save(stand, file, note)
        except StorageFailed as wrong:
            self._tell_failure(wrong)
        else:
            self._told.tell(tr("The graph was written to {file}", file=str(file)), icon="check", tone="ok")

    def _tell_failure(self, wrong: MemDeskError) -> None:
        self._told.tell(f"{wrong.says} {wrong.next}".strip(), icon="warning", tone="bad")
