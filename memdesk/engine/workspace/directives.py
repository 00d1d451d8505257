"""agnx's directives: files outside the memory that are added to its prompt; the memory itself is read only by
tools.

Those of the shared folder come first, then the agent's own, each in the order of their names. A file
memory.md replaces the usage text of the memory tools, which otherwise comes last."""

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
    """Return all directives as one text.

    usage: the usage text of the memory tools. It is left out, like a memory.md, where the agent's agent.yaml
    configures no memory."""
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
    """Return the folders of directives: the one shared by all agents, and the agent's own."""
    own = Path(workspace.path)
    shared = own.parents[2] if workspace.layout == AGNX.name else own.parents[1]
    return shared / FOLDER, own / FOLDER


def _directives(engine: Engine, folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.glob("*.md")):
        text = _read(engine, path)
        if text.strip():
            yield path, text


def _remembers(engine: Engine, root: Path) -> bool:
    """Return True if the agent's configuration has a section on memory, or there is no configuration."""
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
