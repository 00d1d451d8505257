"""A small application on a real socket, for what holds whatever the engine does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from small_service import Answers, Serving, served


@pytest.fixture
def serving() -> Iterator[Callable[[Answers], Serving]]:
    """Serve an application of the test's own; every one is stopped afterwards."""
    with ExitStack() as services:
        yield lambda answers: services.enter_context(served(answers))
