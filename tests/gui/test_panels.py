"""The table of panels: each names a class that there is, and a window imports only what it opens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memdesk.gui.panels import PANELS
from memdesk.gui.shell.panel import Panel, PanelEntry

ROOT = Path(__file__).parent.parent.parent
IMPORTED = """
import sys, memdesk.gui.app
print(*(name for name in sys.modules if ".gui.panels." in name), "numpy" in sys.modules)
"""


@pytest.mark.parametrize("entry", PANELS, ids=lambda entry: entry.name)
def test_every_declared_panel_has_a_class_of_that_name(entry: PanelEntry) -> None:
    kind: Any = entry.kind
    assert issubclass(kind, Panel) and kind.name == entry.name


def test_no_panel_is_imported_before_it_is_opened() -> None:
    words = [sys.executable, "-c", IMPORTED]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
