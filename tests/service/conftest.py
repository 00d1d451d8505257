"""A small application on a real socket, for what holds whatever the engine does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_service import Answers, Serving

from memdesk.files.places import Desk


@pytest.fixture
def serving(short_folder: Path) -> Iterator[Callable[[Answers], Serving]]:
    """Serve an application of the test's own; every one is stopped afterwards."""
    started: list[Serving] = []

    def serve(answers: Answers) -> Serving:
        service = Serving(Desk(short_folder / "desk"), answers)
        service.start()
        started.append(service)
        return service

    yield serve
    for service in started:
        service.stop()
