"""Make the skeleton of a panel: its module, its line in PANELS, its help page and its test.

python packaging/run.py new panel NAME     NAME is one lower-case word, as `notes`

The skeleton lists facts, so that it works at once. Change what it lists, its title, its icon and its help."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PANELS = "memdesk/gui/panels/__init__.py"

PANEL = '''"""NAME: one sentence about what the panel shows."""

from __future__ import annotations

from memdesk.api import memory
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import Column, RowsModel, Table
from memdesk.model.browse import FactRow, ListFacts


class CLASS(RecordPanel):
    """Table of records; Enter shows one in the inspector."""

    name = "ID"
    kinds = ("fact",)

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self.model: RowsModel[FactRow] = RowsModel(columns(session))
        self.table = Table(self.model, name=tr("NAME"))
        self.table.opened.connect(lambda row: inspector.show_memory(row.id))
        search = self.search_field(tr("Filter"))
        self.lay_out(self.table, focus=self.table, actions=(search,))

    async def load(self) -> None:
        """Load the records; the chosen one stays chosen."""
        page = await self.session.call(
            memory.FACTS, ListFacts(channels=self.session.channels, text=self.sought)
        )
        self.table.replace_rows(page.rows)
        self.say(f"{page.total:,}")
        if page.rows:
            self.show_content()
        elif self.is_filtered:
            self.show_none_here(tr("There is nothing here."))
        else:
            self.show_empty(tr("Nothing yet."), tr("Say here where they come from."))


def columns(session: Session) -> tuple[Column[FactRow], ...]:
    """Return the columns."""
    return (
        Column(tr("Claim"), lambda row: row.claim, px=13, token="t1"),
        Column(tr("Channel"), lambda row: row.channel, width=122, channel=session.channel_number),
        Column(tr("Age"), lambda row: formatting.ago(row.created_at), width=100, align="right"),
    )
'''

ENTRY = """    PanelEntry(name="ID", title=marked("NAME"), icon="facts", place="memory"),
"""

HELP = """# NAME

One sentence about the panel. [Open it](panel:ID)

## What the numbers mean

The number beside the title counts the rows.

## Keys

| Key | What it does |
|---|---|
| `J` `K` | next and previous row |
| `Enter` | show the row in the inspector |

## Three things to try

1. Choose a row and press `Enter`.
2. Type into the filter.
3. Choose a channel in the top bar.
"""

TEST = '''"""The panel NAME on a real service."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from memdesk.api import memory
from memdesk.gui.panels.ID_panel import CLASS
from memdesk.model.remember import NewFact
from tests.conftest import Service
from tests.gui.driving import drive, shared, until


def test_what_is_learned_is_listed(qapp: QApplication, running_service: Service) -> None:
    async def scenario() -> None:
        async with shared(running_service.desk) as (agent, window):
            await agent.call(memory.LEARN_FACT, NewFact(claim="The pontoon is blue.", channel="harbour"))
            panel = window.open_panel("ID")
            assert isinstance(panel, CLASS)
            await until(lambda: [row.claim for row in panel.model.rows()] == ["The pontoon is blue."], "it")

    drive(qapp, scenario)
'''


def main(arguments: Sequence[str]) -> int:
    """Make the skeleton in this checkout. Returns the exit code: 2 for a name that cannot be used."""
    if len(arguments) != 1 or not (
        arguments[0].isalpha() and arguments[0].islower() and arguments[0].isascii()
    ):
        print("Name the panel with one lower-case word: new panel notes", file=sys.stderr)
        return 2
    name = arguments[0]
    panels = CHECKOUT / "memdesk/gui/panels"
    if (panels / name).exists() or (panels / f"{name}_panel.py").exists():
        print(f"There is a panel {name}.", file=sys.stderr)
        return 2
    for path in make(CHECKOUT, name):
        print(path)
    print(
        "The icon is one of PATHS in memdesk/gui/icons.py. Columns that sort, and filters: see `memory.TABLE`."
    )
    return 0


def make(checkout: Path, name: str) -> list[str]:
    """Write the files of a panel, and declare it at the end of PANELS. Returns their paths."""
    files = {
        f"memdesk/gui/panels/{name}_panel.py": PANEL,
        f"resources/help/en/{name}.md": HELP,
        f"tests/gui/test_{name}_panel.py": TEST,
    }
    for path, text in files.items():
        file = checkout / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_filled(text, name), encoding="utf-8")
    table = checkout / PANELS
    declared = table.read_text(encoding="utf-8").rstrip()
    table.write_text(f"{declared.removesuffix(')')}{_filled(ENTRY, name)})\n", encoding="utf-8")
    return [*files, PANELS]


def _filled(text: str, name: str) -> str:
    title = name.capitalize()
    return text.replace("CLASS", f"{title}Panel").replace("NAME", title).replace("ID", name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
