"""Lexicons of extraction: the form of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.extraction import lexicon
from memdesk.engine.extraction.lexicon import pattern

FILES = sorted(Path(lexicon.__file__).parent.glob("*.txt"))


def test_a_pattern_has_an_alternative_a_line_and_an_indented_line_continues_one():
    first, *others = pattern("worth_signs", "musing").pattern.split("|\\b")
    assert first.endswith("(?:the|how|when|that|your|what|every)\\b")
    assert others and "looking forward|feeling" in others[0]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_line_of_a_lexicon_makes_an_empty_alternative_that_matches_everything(file: Path):
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [each for each in lines if each.startswith("|") or each.endswith("|")] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_section_is_in_a_lexicon_once(file: Path):
    names = [
        each
        for each in file.read_text(encoding="utf-8").splitlines()
        if each.startswith("[") and each.endswith("]")
    ]
    assert len(names) == len(set(names))
