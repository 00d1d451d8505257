"""Files of a day as they are written, from top to bottom, each under its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memdesk.gui.editor.authors import per_line
from memdesk.gui.editor.page import LARGE_CHARACTERS
from memdesk.gui.editor.past import plain_ends
from memdesk.gui.editor.plain import Plain
from memdesk.gui.editor.source import Source
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import AgentMark, Ground, Splitter, Text, column, row
from memdesk.model.workspace import FileText

HEAD_PX = 34


class DaySources(Ground):
    """Read-only texts of files. name_of: turns an author such as "agent:Iris" into words, for the bars next
    to the lines."""

    def __init__(self, session: Session, name_of: Callable[[str], str]) -> None:
        super().__init__("stage")
        self._session, self._name_of = session, name_of
        self.files: tuple[FileText, ...] = ()
        self._parts: list[Ground] = []
        self._splitter = Splitter(vertical=True)
        self.setLayout(column(self._splitter, gap=0))

    def show_files(self, files: Sequence[FileText]) -> None:
        """Show other texts. If they are the same, the scroll position stays."""
        if tuple(files) == self.files:
            return
        self.files = tuple(files)
        for part in self._parts:
            part.setParent(None)
            part.deleteLater()
        self._parts = [self._part(file) for file in files]
        for part in self._parts:
            self._splitter.add(part)

    def _part(self, file: FileText) -> Ground:
        marks = (
            [AgentMark(file.agent_id, self._session.mark(f"agent:{file.agent_id}")[1])]
            if file.agent_id
            else []
        )
        name = Text(file.path, 12, "t2", weight=600, elide=True)
        size = Text(tr("%Ln character(s)", "", len(file.text)), 12, "t3")
        head = row(*marks, name, size, gap=8, margins=(20, 0, 20, 1))
        head.setStretchFactor(name, 1)
        return Ground(
            "stage", layout=column(Ground("stage", "bottom", head, height=HEAD_PX), self._text(file), gap=0)
        )

    def _text(self, file: FileText) -> Source | Plain:
        text = plain_ends(file.text)
        if len(text) > LARGE_CHARACTERS:
            plain = Plain()
            plain.set_text(text)
            plain.setReadOnly(True)
            return plain
        source = Source(self._name_of, name=file.path)
        source.set_text(text)
        source.set_authors(per_line(text, file.authors), "")
        source.setReadOnly(True)
        return source
