"""One service for all tests of the frameworks' classes; each test has a channel and names of its own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.client import SyncClient
from memdesk.files.places import Desk
from tests.conftest import Service


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    serving = Service(Desk(folder / "desk"))
    serving.start()
    yield serving
    serving.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def owner(service: Service) -> Iterator[SyncClient]:
    with SyncClient(service.desk) as client:
        yield client
