"""Every test of the window begins in English, with motion as a person has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memdesk.gui import language, look


@pytest.fixture(autouse=True)
def window_as_it_is() -> Iterator[None]:
    language.use("en")
    look.reduce_motion(False)
    yield
    look.reduce_motion(False)
