"""What a run counted, in the language of the window."""

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
"""As the jobs name them."""


def counted(name: str) -> str:
    """“faded facts” of faded_facts; a count nobody named here is said as it is."""
    said = name.replace("_", " ")
    return tr(said) if said in COUNTS else said
