"""Text as stored in memory and shown in titles: on one line, bounded."""

from __future__ import annotations

from memdesk.model.errors import BadAsk


def tidied(text: str, what: str, at_most: int) -> str:
    """Return the text on one line with single spaces. Raises BadAsk if it is empty or too long."""
    tidy = " ".join(text.split())
    if not tidy:
        raise BadAsk(f"{what} is empty.", next="Say something.")
    if len(tidy) > at_most:
        raise BadAsk(f"{what} has {len(tidy)} characters; {at_most} at most.", next="Make it shorter.")
    return tidy


def shortened(text: str, at_most: int = 80) -> str:
    """Return the beginning of a text on one line, for titles."""
    tidy = " ".join(text.split())
    return tidy if len(tidy) <= at_most else tidy[: at_most - 1] + "…"
