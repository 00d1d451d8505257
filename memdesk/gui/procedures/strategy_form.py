"""Form that edits a strategy: its text, its condition, and its tools in order."""

from __future__ import annotations

from memdesk.gui.language import tr
from memdesk.gui.widgets import Area, Form, Text
from memdesk.model.procedures import EditStrategy, StrategyRow


class StrategyForm(Form):
    """Form shown in place of the strategy."""

    def __init__(self, strategy: StrategyRow) -> None:
        self._strategy = strategy
        self.words = Area(strategy.description, name=tr("Strategy"), lines=4)
        self.pattern = Area(
            strategy.context_pattern, name=tr("When to use it"), placeholder=tr("At any time"), lines=2
        )
        self.tools = Area("\n".join(strategy.tool_sequence), name=tr("Tools"), lines=5, mono=True)
        super().__init__(
            tr("Edit strategy"), tr("Save"), self.words, Text(tr("When to use it"), 12, "t2"), self.pattern,
            Text(tr("Tools in the order of their use, one a line"), 12, "t2"), self.tools,
        )  # fmt: skip

    def begin(self) -> None:
        """Put the cursor at the end of the text."""
        self.words.editor.setFocus()
        self.words.editor.moveCursor(self.words.editor.textCursor().MoveOperation.End)

    @property
    def begun(self) -> bool:
        """Return True if any field was changed."""
        return self.asked() is not None

    def check(self) -> bool:
        """Return True if there are a text and at least one tool; otherwise show the error."""
        said = bool(self.words.text().strip())
        self.words.set_error("" if said else tr("A strategy needs words."))
        self.tools.set_error("" if self._tools() else tr("Name at least one tool."))
        return said and bool(self._tools())

    def asked(self) -> EditStrategy | None:
        """Return a request with the changed fields, None if no field changed."""
        was = self._strategy
        said, pattern, tools = self.words.text().strip(), self.pattern.text().strip(), self._tools()
        asked = EditStrategy(
            strategy_id=was.id, was=was.description, description=said if said != was.description else None,
            context_pattern=pattern if pattern != was.context_pattern else None,
            tool_sequence=tools if tools != was.tool_sequence else None,
        )  # fmt: skip
        return None if asked == EditStrategy(strategy_id=was.id, was=was.description) else asked

    def _tools(self) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.tools.text().splitlines() if line.strip())
