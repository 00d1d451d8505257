"""Names of the counts of a run in the language of the window."""

from __future__ import annotations

from memdesk.gui.language import marked, tr

COUNTS = frozenset(
    (
        marked("changes"), marked("undone"), marked("conversations"), marked("turns"), marked("facts"),
        marked("entities"), marked("relations"), marked("strategies"), marked("outcomes"), marked("texts"),
        marked("superseded"), marked("flagged"), marked("kept"), marked("left"), marked("proposed"),
        marked("promoted"), marked("retired"), marked("archived"), marked("deleted"), marked("swept"),
        marked("purged"), marked("closed"), marked("dropped"), marked("prompts"), marked("repeated"), marked("held"),
        marked("faded entities"), marked("faded facts"),
    )
)  # fmt: skip
"""Counts as the jobs name them, with spaces instead of underscores."""


def counted(name: str) -> str:
    """Return a count's name: “faded facts” for faded_facts; a name missing from COUNTS is not translated."""
    said = name.replace("_", " ")
    return tr(said) if said in COUNTS else said
