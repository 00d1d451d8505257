"""The table of panels: it says what each panel says of itself, and a window imports only what it opens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.gui.panels import PANELS, Entry

ROOT = Path(__file__).parent.parent.parent
IMPORTED = """
import sys, memdesk.gui.app
print(*(name for name in sys.modules if ".gui.panels." in name), "numpy" in sys.modules)
"""


@pytest.mark.parametrize("entry", PANELS, ids=lambda entry: entry.name)
def test_the_table_says_of_a_panel_what_it_says_of_itself(entry: Entry) -> None:
    kind = entry.kind()
    told = (entry.name, entry.title, entry.icon, entry.at_foot, entry.page_of)
    assert told == (kind.name, kind.title, kind.icon, kind.at_foot, kind.page_of)


def test_no_panel_is_imported_before_it_is_opened() -> None:
    words = [sys.executable, "-c", IMPORTED]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
