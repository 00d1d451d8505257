"""Every test of the window begins in English, with motion as a person has it; some share a desk that is full."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from memdesk.gui import language, look
from tests.conftest import Service
from tests.gui.filled import filled


@pytest.fixture(autouse=True)
def window_as_it_is() -> Iterator[None]:
    language.use("en")
    look.reduce_motion(False)
    yield
    look.reduce_motion(False)
    # Below a menu that a test leaves open no key of the next one's window works.
    while isinstance(QApplication.instance(), QApplication) and (menu := QApplication.activePopupWidget()):
        menu.hide()
    # A window takes a button that is still down as the person's, and waits for its release.
    assert not QGuiApplication.mouseButtons().value, "the test leaves a button of the mouse down"


@pytest.fixture(scope="module")
def full_service() -> Iterator[Service]:
    """The service of a desk with one of everything in it, shared by the tests of a file: each undoes what it does."""
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    with filled(folder) as service:
        yield service
    shutil.rmtree(folder, ignore_errors=True)
