"""Names that folders and files give: of an agent, of a workspace, of the channel its memory goes to."""

from __future__ import annotations

import re
from pathlib import Path

_PLAIN_NAMES = frozenset(("workspace", "memory", "memories", "daily", "agent", "home", "docs"))
_NAME = re.compile(
    r"^[-*+\s]*(?:name|名字|姓名|名称|名前)[* \t]*[:：][*\"“` \t]*(?P<name>\w[^\n*(（\[]*)",
    re.IGNORECASE | re.MULTILINE,
)


def name_in(identity: str) -> str | None:
    """The name an identity file gives its agent: `- **Name:** Iris`."""
    found = _NAME.search(identity)
    name = found["name"].strip(' \t.*_"“”') if found else ""
    return name[:60] or None


def named_after(folder: Path) -> str:
    """A folder's name, or its parent's where it is one that every system uses."""
    plain = folder.name.lower().lstrip(".") in _PLAIN_NAMES
    name = folder.parent.name if plain and folder.parent.name else folder.name
    return name.strip(".-") or "folder"


def slug(text: str) -> str:
    """A channel's name from a title: lower case, words joined by hyphens, any script."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")[:60]
