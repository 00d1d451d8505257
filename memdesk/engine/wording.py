"""Text as stored in memory and shown in titles: on one line, bounded; and the bound of a number of rows."""

from __future__ import annotations

from memdesk.model.errors import BadAsk
from memdesk.model.message import Message, message, remade, verbatim


def check_limit(limit: int, most: int) -> None:
    """Raise BadAsk for a number of rows out of range."""
    if not 1 <= limit <= most:
        raise BadAsk(message("limit lies between 1 and {count}.", count=most))


def tidied(text: str, what: str, at_most: int) -> str:
    """Return the text on one line with single spaces. Raises BadAsk if it is empty or too long."""
    tidy = " ".join(text.split())
    if not tidy:
        raise BadAsk(message("{note} is empty.", note=what), next=message("Say something."))
    if len(tidy) > at_most:
        raise BadAsk(
            message(
                "{what} has {count} characters; {most} at most.", what=what, count=len(tidy), most=at_most
            ),
            next=message("Make it shorter."),
        )
    return tidy


def shortened(text: str, at_most: int = 80) -> str:
    """Return the beginning of a text on one line, for titles."""
    tidy = " ".join(text.split())
    return tidy if len(tidy) <= at_most else tidy[: at_most - 1] + "…"


def titled(title: Message, at_most: int) -> Message:
    """Return a title on one line, shortened in its longest part if it has too many characters."""
    title = verbatim(title)
    if not title.id:
        return verbatim(shortened(title, at_most))
    texts = {name: part for name, part in title.parts.items() if isinstance(part, str)}
    excess = len(title) - at_most
    if excess <= 0 or not texts:
        return title
    longest = max(texts, key=lambda name: len(texts[name]))
    shorter = shortened(texts[longest], max(len(texts[longest]) - excess, 1))
    return remade(title, dict(title.parts) | {longest: shorter})


def relation_title(source: str, target: str, type: str) -> Message:
    """Return a relation as a sentence: “Mara works for Tidepool”."""
    return message(
        "{source} {what} {target}", source=source, what=type.lower().replace("_", " "), target=target
    )
