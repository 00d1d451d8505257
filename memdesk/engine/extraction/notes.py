"""Text of markdown notes without the marks of its form."""

from __future__ import annotations

import re

_LINK = re.compile(r"!?\[([^\]]{1,200})\]\([^)\s]{0,400}\)")
_MARKS = re.compile(r"\*\*|__|~~|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")


def strip_markdown(text: str) -> str:
    """Return the text without markdown marks: links by their words, emphasis and code by their contents."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())
