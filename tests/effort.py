"""How hard the property tests try: in every run with a part of their examples, always the same; with --slow with all.

HYPOTHESIS_PROFILE=searching tries all of them too, and other ones each time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import hypothesis

Try = TypeVar("Try")

PART, FEWEST = 4, 10
MOST = 100
"""Of a property that names no number."""

# None has a deadline: how long one takes says what else the machine does.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, max_examples=MOST // PART)
hypothesis.settings.register_profile("searching", deadline=None, print_blob=True, max_examples=MOST)


def begin(*, slow: bool) -> None:
    """Load the profile for this run, before any test is read."""
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "searching" if slow else "steady"))


def stride() -> int:
    """Of the steps at which something is killed one in so many is tried in this run."""
    return PART if hypothesis.settings().derandomize else 1


def examples(most: int) -> int:
    """How many examples are tried in this run, where `most` are tried when there is time."""
    return max(FEWEST, most // PART) if hypothesis.settings().derandomize else most


def part(tries: Sequence[Try], number: int) -> Sequence[Try]:
    """Return those of the tries that are made in this run: of a `number`ed subject, so that neighbours differ."""
    return tries[number % stride() :: stride()] or tries[:1]
