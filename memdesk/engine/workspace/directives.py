"""agnx's directives: what its prompt gains from files beside the memory, which itself is only read by its tools.

Of the shared folder first, then of the agent's own, each in the order of their names. One called memory.md takes the
place of the usage text of the memory tools, which otherwise stands last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.disk import limit_of
from memdesk.engine.workspace.layouts.agnx import AGNX, DURAGENT
from memdesk.files.reading import read_text
from memdesk.model.diary import PromptPart, PromptText
from memdesk.model.document import Workspace
from memdesk.model.errors import Refused

LAYOUTS = (AGNX.name, DURAGENT.name)
FOLDER = "directives"
MEMORY = "memory.md"
_CONFIGURED = re.compile(r"^[ \t]+memory[ \t]*:", re.MULTILINE)


def told(engine: Engine, workspace: Workspace, usage: str) -> PromptText:
    """All directives as one text. usage: the text of the memory tools; left out, as a memory.md is, where the agent's
    agent.yaml configures no memory."""
    root = Path(workspace.path)
    remembers = _remembers(engine, root)
    found = [
        (path, text)
        for folder in _folders(workspace)
        for path, text in _directives(engine, folder)
        if remembers or path.name != MEMORY
    ]
    parts = [PromptPart(path=_shown(path, root), size=len(text), told=len(text)) for path, text in found]
    texts = [text.strip() for _, text in found]
    if remembers and usage and not any(path.name == MEMORY for path, _ in found):
        texts.append(usage)
    return PromptText(text="\n\n".join(texts), parts=tuple(parts))


def _folders(workspace: Workspace) -> tuple[Path, ...]:
    """Where directives lie: beside the agents for all of them, and in the agent's own folder."""
    own = Path(workspace.path)
    shared = own.parents[2] if workspace.layout == AGNX.name else own.parents[1]
    return shared / FOLDER, own / FOLDER


def _directives(engine: Engine, folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.glob("*.md")):
        text = _read(engine, path)
        if text.strip():
            yield path, text


def _remembers(engine: Engine, root: Path) -> bool:
    """Whether the agent's configuration has a section on memory; an agent without a configuration has its folder."""
    config = root / "agent.yaml"
    return not config.is_file() or _CONFIGURED.search(_read(engine, config)) is not None


def _read(engine: Engine, path: Path) -> str:
    try:
        return (
            read_text(path, path.name, limit_bytes=limit_of(engine)).text
            if path.is_file() and not path.is_symlink()
            else ""
        )
    except Refused:
        return ""


def _shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
