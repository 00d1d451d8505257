"""Names taken from folders and files: of an agent, of a workspace, of the channel for its memory."""

from __future__ import annotations

import re
from pathlib import Path

_PLAIN_NAMES = frozenset(("workspace", "memory", "memories", "daily", "agent", "home", "docs"))
_NAME = re.compile(
    r"^[-*+\s]*(?:name|名字|姓名|名称|名前)[* \t]*[:：][*\"“` \t]*(?P<name>\w[^\n*(（\[]*)",
    re.IGNORECASE | re.MULTILINE,
)


def name_in(identity: str) -> str | None:
    """Return the name that an identity file gives its agent: `- **Name:** Iris`."""
    found = _NAME.search(identity)
    name = found["name"].strip(' \t.*_"“”') if found else ""
    return name[:60] or None


def named_after(folder: Path) -> str:
    """Return a folder's name, or its parent's where its own is a general one such as `workspace`."""
    plain = folder.name.lower().lstrip(".") in _PLAIN_NAMES
    name = folder.parent.name if plain and folder.parent.name else folder.name
    return name.strip(".-") or "folder"


def slug(text: str) -> str:
    """Return a channel name made from a title: lower case, words joined by hyphens, any script."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")[:60]
