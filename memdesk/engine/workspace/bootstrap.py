"""Prompt at the start of a session: a system's standing files in its order, cut where the system cuts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall import agent_search
from memdesk.engine.recall.agent_search import Passage
from memdesk.engine.workspace import files
from memdesk.engine.workspace.disk import AGENT, hidden, home, layout_of, limit_of
from memdesk.engine.workspace.layouts import MARKDOWN, day_of
from memdesk.engine.workspace.layouts.layout import Bootstrap
from memdesk.engine.workspace.layouts.systems import AGNX, DURAGENT
from memdesk.files.reading import read_text
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import Refused
from memdesk.model.message import message
from memdesk.model.tools import ToolCall, ToolPlace
from memdesk.model.workspace_files import AskPrompt, AskRecallSection, PromptPart, PromptText

LAYOUT = "Claude Code"
DEPTH = 5
"""Maximum depth of nested imports."""
INDEX_LINES, INDEX_BYTES = 200, 25_000
"""Limits of the memory index that is loaded."""
_IMPORT = re.compile(r"(?<![\w`])@((?:~|\.{1,2})?[\w./\\-]*\w)")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_SPAN = re.compile(r"`[^`]*`")


def claude_instructions(engine: Engine, workspace: Workspace) -> PromptText:
    """Return the chain as one text, outermost file first, each file under its path."""
    root = Path(workspace.path)
    index = root / "memory" / "MEMORY.md"
    sections = [each for path in _chain(root) for each in _with_imports(engine, path, root)]
    if (text := _read_instructions(engine, index)) is not None:
        sections.append((index, text, _first(text)))
    whole = "\n\n".join(f"Contents of {path}:\n\n{shown}" for path, _, shown in sections)
    parts = (PromptPart(path=str(path), size=len(text), shown=len(shown)) for path, text, shown in sections)
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
    text = None if path in seen or depth > DEPTH else _read_instructions(engine, path)
    if text is None:
        return
    yield path, text, text
    for name in _imports(text):
        target = (Path(name).expanduser() if name.startswith("~") else path.parent / name).resolve()
        if _may_be_read(target, path, root):
            yield from _with_imports(engine, target, root, depth + 1, seen | {path})


def _may_be_read(target: Path, importer: Path, root: Path) -> bool:
    own = (Path.home() / ".claude").resolve()
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


def _read_instructions(engine: Engine, path: Path) -> str | None:
    try:
        if not path.is_file():
            return None
        return hidden(engine, read_text(path, path.name, limit_bytes=limit_of(engine))).text
    except Refused:
        return None


def _first(text: str) -> str:
    lines = "".join(text.splitlines(keepends=True)[:INDEX_LINES])
    return lines.encode()[:INDEX_BYTES].decode(errors="ignore")


LAYOUTS = (AGNX.name, DURAGENT.name)
FOLDER = "directives"
MEMORY = "memory.md"
_CONFIGURED = re.compile(r"^[ \t]+memory[ \t]*:", re.MULTILINE)


def agnx_directives(engine: Engine, workspace: Workspace, usage: str) -> PromptText:
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
    parts = [PromptPart(path=_shown(path, root), size=len(text), shown=len(text)) for path, text in found]
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
        text = _read_directive(engine, path)
        if text.strip():
            yield path, text


def _remembers(engine: Engine, root: Path) -> bool:
    """Return True if the agent's configuration has a section on memory, or there is no configuration."""
    config = root / "agent.yaml"
    return not config.is_file() or _CONFIGURED.search(_read_directive(engine, config)) is not None


def _read_directive(engine: Engine, path: Path) -> str:
    try:
        return (
            hidden(engine, read_text(path, path.name, limit_bytes=limit_of(engine))).text
            if path.is_file() and not path.is_symlink()
            else ""
        )
    except Refused:
        return ""


def _shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def bootstrap(engine: Engine, ask: AskPrompt, *, author: str, usage: str = "") -> PromptText:
    """Return the text with which a session of this agent begins. Raises NotFound, NotAllowed, and Refused
    where the layout has none.

    usage: the usage text of its memory tools, for a system that puts it among its directives."""
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    if workspace.layout == LAYOUT:
        return claude_instructions(engine, workspace)
    if workspace.layout in LAYOUTS:
        return agnx_directives(engine, workspace, usage)
    facts = layout_of(workspace).bootstrap
    if facts is None:
        raise Refused(
            message("Nothing is known of what a session of {layout} begins with.", layout=workspace.layout)
        )
    found = [(part, files.text_of(engine, workspace, part.path) or "") for part in facts.parts]
    shown = [(part.path, text, cut(text, part.characters, facts.cut)) for part, text in found if text.strip()]
    whole = cut(facts.joint.join(text for _, _, text in shown), facts.characters, facts.cut)
    return PromptText(text=whole, parts=_parts(shown, facts))


def cut(text: str, characters: int | None, tail: str) -> str:
    """Return the text, or its first `characters` characters followed by `tail` if it is longer."""
    return text if characters is None or len(text) <= characters else text[:characters] + tail


def _parts(passages: list[tuple[str, str, str]], facts: Bootstrap) -> tuple[PromptPart, ...]:
    """Return how many characters of each file are in the prompt, where the joined text is cut too."""
    parts, place = [], 0
    for path, text, shown in passages:
        own = len(text) if shown == text else len(shown) - len(facts.cut)
        fits = own if facts.characters is None else max(0, min(own, facts.characters - place))
        parts.append(PromptPart(path=path, size=len(text), shown=fits))
        place += len(shown) + len(facts.joint)
    return tuple(parts)


HEADING = "## 相关历史记忆(自动召回)"
MESSAGES, MESSAGE_CHARACTERS, QUERY_CHARACTERS = 5, 200, 500
"""Number of the user's last messages that are searched for, and the lengths at which each and all together are cut."""
PASSAGES, SNIPPET_CHARACTERS, SNIPPETS_CHARACTERS = 5, 200, 500
"""How many passages are told, and how long each and all together may be."""
ROOT_FILES = ("IDENTITY", "USER", "SOUL", "MEMORY")
"""Files that AgenticX searches in addition to the days."""


def recall_section(engine: Engine, ask: AskRecallSection, *, author: str) -> PromptText:
    """Return the section; "" where the user has written nothing or nothing fits. Raises the errors of `home`."""
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    query = query_of(ask.messages)
    if not query:
        return PromptText(text="", parts=())
    place = ToolPlace(user_id=workspace.user_id, channel=workspace.channel)
    call = ToolCall(agent=workspace.agent_id or author.removeprefix(AGENT), author=author, place=place)
    found = agent_search.passages(engine, call, query, [workspace], PASSAGES, _is_searched)
    passages = [(found[place], snippet) for place, snippet in snippets(each.text for each in found)]
    text = "\n".join((HEADING, *(f"- {snippet}" for _, snippet in passages))) if passages else ""
    return PromptText(text=text, parts=tuple(_part(each, snippet) for each, snippet in passages))


def query_of(messages: Iterable[dict[str, Any]]) -> str:
    """Return the user's last messages as one query; "" without a word of theirs."""
    said = [str(each.get("content") or "").strip() for each in messages if each.get("role") == "user"]
    recent = [text[:MESSAGE_CHARACTERS] for text in said[-MESSAGES:] if text]
    return " ".join(recent)[:QUERY_CHARACTERS].strip()


def snippets(
    texts: Iterable[str], *, each: int = SNIPPET_CHARACTERS, together: int = SNIPPETS_CHARACTERS
) -> list[tuple[int, str]]:
    """Return (place, text) of texts put on one line each, in order, without repeats, until the total length
    is reached.

    each, together: the maximum length of one and of all, in characters."""
    length_of: dict[str, int] = {}
    left = together
    for place, text in enumerate(texts):
        snippet = " ".join(text.split())[:each]
        if snippet in length_of:
            continue
        if (left := left - len(snippet)) < 0:
            break
        length_of[snippet] = place
    return [(place, snippet) for snippet, place in length_of.items()]


def _is_searched(document: Document) -> bool:
    path = PurePosixPath(document.path)
    return day_of(document.path) is not None or (len(path.parts) == 1 and path.stem.upper() in ROOT_FILES)


def _part(passage: Passage, snippet: str) -> PromptPart:
    return PromptPart(path=passage.document.path, size=len(passage.text), shown=len(snippet))
