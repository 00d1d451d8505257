"""Every test of the window begins with motion as a person has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memdesk.gui import look


@pytest.fixture(autouse=True)
def motion_as_it_is() -> Iterator[None]:
    look.reduce_motion(False)
    yield
    look.reduce_motion(False)
