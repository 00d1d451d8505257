"""Text that Claude Code reads at its start: the chain of CLAUDE.md files with their imports, and the
beginning of its memory index.

Only files inside the workspace, above it, and in the person's own .claude folder are read; an import that
leads elsewhere is not followed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.disk import limit_of
from memdesk.engine.workspace.layouts import MARKDOWN
from memdesk.files.reading import read_text
from memdesk.model.diary import PromptPart, PromptText
from memdesk.model.document import Workspace
from memdesk.model.errors import Refused

LAYOUT = "Claude Code"
DEPTH = 5
"""Maximum depth of nested imports."""
INDEX_LINES, INDEX_BYTES = 200, 25_000
"""Limits of the memory index that is loaded."""
_IMPORT = re.compile(r"(?<![\w`])@((?:~|\.{1,2})?[\w./\\-]*\w)")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_SPAN = re.compile(r"`[^`]*`")


def told(engine: Engine, workspace: Workspace) -> PromptText:
    """Return the chain as one text, outermost file first, each file under its path."""
    root = Path(workspace.path)
    index = root / "memory" / "MEMORY.md"
    sections = [each for path in _chain(root) for each in _with_imports(engine, path, root)]
    if (text := _read(engine, index)) is not None:
        sections.append((index, text, _first(text)))
    whole = "\n\n".join(f"Contents of {path}:\n\n{shown}" for path, _, shown in sections)
    parts = (PromptPart(path=str(path), size=len(text), told=len(shown)) for path, text, shown in sections)
    return PromptText(text=whole, parts=tuple(parts))


def _chain(root: Path) -> Iterator[Path]:
    """Yield the person's own file, then those of the folders above from the outermost, then the workspace's."""
    yield Path.home() / ".claude" / "CLAUDE.md"
    for folder in (*reversed(root.parents), root):
        if folder != Path.home():
            yield folder / "CLAUDE.md"
            yield folder / ".claude" / "CLAUDE.md"
            yield folder / "CLAUDE.local.md"
    yield from sorted((root / ".claude" / "rules").rglob("*.md"))


def _with_imports(
    engine: Engine, path: Path, root: Path, depth: int = 0, seen: frozenset[Path] = frozenset()
) -> Iterator[tuple[Path, str, str]]:
    text = None if path in seen or depth > DEPTH else _read(engine, path)
    if text is None:
        return
    yield path, text, text
    for name in _imports(text):
        target = (Path(name).expanduser() if name.startswith("~") else path.parent / name).resolve()
        if _may_be_read(target, path, root):
            yield from _with_imports(engine, target, root, depth + 1, seen | {path})


def _may_be_read(target: Path, importer: Path, root: Path) -> bool:
    own = Path.home() / ".claude"
    inside = any(target.is_relative_to(folder) for folder in (root.resolve(), importer.parent.resolve(), own))
    return inside and target.suffix.lower() in MARKDOWN


def _imports(text: str) -> Iterator[str]:
    """Yield the paths that a text imports: `@path`, outside code."""
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield from (found[1] for found in _IMPORT.finditer(_SPAN.sub("", line)))


def _read(engine: Engine, path: Path) -> str | None:
    try:
        return read_text(path, path.name, limit_bytes=limit_of(engine)).text if path.is_file() else None
    except Refused:
        return None


def _first(text: str) -> str:
    lines = "".join(text.splitlines(keepends=True)[:INDEX_LINES])
    return lines.encode()[:INDEX_BYTES].decode(errors="ignore")
