"""anthropic: Anthropic's memory tool on a separate folder for each agent, in either of its published dialects, and its
commands, which other memory tools have too: view, create, str_replace, insert, delete, rename.

Lines are shown and matched with Unix line ends; a file keeps the line ends it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.agent_folders import folder_of, user_folder
from memdesk.engine.toolsets.memories import MemoryFolder, Parts
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet
from memdesk.engine.workspace.disk import one_writer
from memdesk.engine.workspace.layouts import slug
from memdesk.files.reading import plain
from memdesk.files.walk import parts_of
from memdesk.model.errors import BadAsk, Conflict, Refused
from memdesk.model.message import message
from memdesk.model.tools import ToolAnswer, ToolCall

AROUND = 2
"""Lines shown before and after a replacement."""
_PACKAGES = "node_modules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Wording of a tool, in the parts that differ between its published forms.

    error: prefix of an error message. unlisted: names that a listing omits in addition to hidden ones.
    no_folder: message for editing a folder, "" for the message of a missing file. ends_with_newline: an
    insertion adds a final newline if the file had none."""

    error: str
    unlisted: tuple[str, ...]
    listing: str
    edited: str
    no_file: str
    no_line: str
    no_folder: str
    ends_with_newline: bool


DOCS = Words(
    error="Error: ",
    unlisted=(_PACKAGES,),
    listing="excluding hidden items and node_modules:",
    edited="The memory file has been edited.",
    no_file="Error: The path {path} does not exist",
    no_line="Error: Invalid `insert_line` parameter: {line}. "
    "It should be within the range of lines of the file: [0, {last}]",
    no_folder="",
    ends_with_newline=False,
)
PYTHON = Words(
    error="",
    unlisted=(),
    listing="excluding hidden items:",
    edited="The memory file has been edited. Here is the snippet showing the change (with line numbers):",
    no_file="The path {path} does not exist. Please provide a valid path.",
    no_line="Invalid `insert_line` parameter: {line}. It should be within the range [0, {last}].",
    no_folder="The path {path} is not a file.",
    ends_with_newline=True,
)
WORDS = {"docs": DOCS, "python": PYTHON}


def size_text(size_bytes: int) -> str:
    """Return a size in the unit that makes it less than 1,024, with one decimal unless it is an integer."""
    size, units = float(size_bytes), ["B", "K", "M", "G"]
    while round(size, 1) >= 1024 and len(units) > 1:
        size, units = size / 1024, units[1:]
    return f"{int(size)}{units[0]}" if size == int(size) else f"{size:.1f}{units[0]}"


def line_range(asked: Any, lines: int) -> tuple[int, int]:
    """Return the first and the last line to show; -1 means the last line of the file."""
    if not asked:
        return 1, lines
    first, last = asked
    return max(1, first), lines if last == -1 else last


def numbered(lines: list[str], first: int) -> str:
    """Return lines with their numbers, six characters wide, from `first` on."""
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines, first))


def snippet(text: str, line: int) -> str:
    """Return the lines around a line, counted from 0, with their numbers."""
    lines, first = text.split("\n"), max(0, line - AROUND)
    return numbered(lines[first : line + AROUND + 1], first + 1)


ROOT = "/memories"
LINES_AT_MOST = 999_999
LEVELS = 2
_HERE = ("/", ".", "./")
"""Names of the root itself if paths are relative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCall:
    """Call of a memory tool: the folder it works on, and its wording. relative: paths need not name the root."""

    folder: MemoryFolder
    words: Words
    relative: bool = False

    def parts(self, path: str) -> Parts:
        """Return the names of a path below the root. Raises ToolFault for a path that leads elsewhere."""
        below = self._below(path)
        with self.inside(path):
            return parts_of(below)

    def _below(self, path: str) -> str:
        if path == ROOT or path.startswith(f"{ROOT}/"):
            return path.removeprefix(ROOT).lstrip("/")
        if not self.relative:
            raise ToolFault(f"Path must start with {ROOT}, got: {path}")
        return "" if path in _HERE else path.removeprefix("./")

    @contextmanager
    def inside(self, path: str) -> Iterator[None]:
        """Raise ToolFault for a path that is refused inside this context, because it would lead out of the folder."""
        try:
            yield
        except Refused as refused:
            if isinstance(refused, ToolFault):
                raise
            raise ToolFault(f"Path {path} would escape {ROOT} directory") from refused


def view(desk: FileCall, asked: dict[str, Any]) -> ToolAnswer:
    """Return a folder's listing, or a file's lines with their numbers."""
    path = _path(asked, "path", "view")
    parts = desk.parts(path)
    with desk.inside(path):
        met = desk.folder.look(parts)
    if met is None:
        raise ToolFault(f"The path {path} does not exist. Please provide a valid path.")
    if met.is_folder:
        return ToolAnswer(text=_listing(desk, path.rstrip("/") or ".", parts, met.size_bytes))
    lines = plain(desk.folder.read(parts)[1].text).split("\n")
    if len(lines) > LINES_AT_MOST:
        raise ToolFault(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first, last = line_range(asked.get("view_range"), len(lines))
    return ToolAnswer(
        text=f"Here's the content of {path} with line numbers:\n" + numbered(lines[first - 1 : last], first)
    )


def create(desk: FileCall, asked: dict[str, Any]) -> ToolAnswer:
    """Create a file; an existing one is not changed."""
    path, text = _path(asked, "path", "create"), _text(asked, "file_text", "create")
    parts = desk.parts(path)
    taken = ToolFault(f"{desk.words.error}File {path} already exists")
    with desk.inside(path):
        if not parts or desk.folder.look(parts) is not None:
            raise taken
        _need_folders(desk, parts)
        try:
            change = desk.folder.create(parts, text)
        except Conflict:
            raise taken from None
    return ToolAnswer(text=f"File created successfully at: {path}", change=change)


def str_replace(desk: FileCall, asked: dict[str, Any]) -> ToolAnswer:
    """Replace a text that occurs exactly once in a file."""
    path, old = _path(asked, "path", "str_replace"), plain(_text(asked, "old_str", "str_replace"))
    new = plain(asked.get("new_str") or "")
    missing = f"{desk.words.error}The path {{path}} does not exist. Please provide a valid path."
    lines: list[int] = []

    def replaced(text: str) -> str:
        at = _only_place(text, old, path)
        lines.append(text.count("\n", 0, at))
        return text[:at] + new + text[at + len(old) :]

    after, change = _rewrite(desk, path, missing, replaced)
    return ToolAnswer(text=f"{desk.words.edited}\n{snippet(after, lines[0])}", change=change)


def insert(desk: FileCall, asked: dict[str, Any]) -> ToolAnswer:
    """Insert lines after a line of a file; 0 inserts them before the first."""
    path, added = _path(asked, "path", "insert"), plain(_text(asked, "insert_text", "insert"))
    line = asked.get("insert_line")
    if not isinstance(line, int):
        raise _needed("insert_line", "insert")

    def longer(text: str) -> str:
        lines = text.removesuffix("\n").split("\n") if text else []
        if not 0 <= line <= len(lines):
            raise ToolFault(desk.words.no_line.format(line=line, last=len(lines)))
        lines.insert(line, added.rstrip("\n"))
        ends = text.endswith("\n") or desk.words.ends_with_newline or (not text and added.endswith("\n"))
        return "\n".join(lines) + ("\n" if ends else "")

    _, change = _rewrite(desk, path, desk.words.no_file, longer)
    return ToolAnswer(text=f"The file {path} has been edited.", change=change)


def delete(desk: FileCall, asked: dict[str, Any]) -> ToolAnswer:
    """Delete a file or a folder; its versions stay."""
    path = _path(asked, "path", "delete")
    parts = desk.parts(path)
    if not parts:
        raise ToolFault(f"Cannot delete the {ROOT} directory itself")
    with desk.inside(path):
        met = desk.folder.look(parts)
    if met is None:
        raise ToolFault(f"{desk.words.error}The path {path} does not exist")
    change = desk.folder.remove_folder(parts) if met.is_folder else desk.folder.remove(parts)
    return ToolAnswer(text=f"Successfully deleted {path}", change=change)


def rename(desk: FileCall, asked: dict[str, Any]) -> ToolAnswer:
    """Give a file or a folder another path; a file or folder that has this path is not changed."""
    old, new = _path(asked, "old_path", "rename"), _path(asked, "new_path", "rename")
    parts, target = desk.parts(old), desk.parts(new)
    if not parts:
        raise ToolFault(f"Cannot rename the {ROOT} directory itself")
    taken = ToolFault(f"{desk.words.error}The destination {new} already exists")
    with desk.inside(new):
        if not target or desk.folder.look(target) is not None:
            raise taken
        _need_folders(desk, target)
    with desk.inside(old):
        met = desk.folder.look(parts)
    if met is None:
        raise ToolFault(f"{desk.words.error}The path {old} does not exist")
    if target[: len(parts)] == parts:
        raise ToolFault(f"{desk.words.error}The destination {new} lies in {old} itself")
    try:
        change = (desk.folder.rename_folder if met.is_folder else desk.folder.rename)(parts, target)
    except Conflict:
        raise taken from None
    return ToolAnswer(text=f"Successfully renamed {old} to {new}", change=change)


COMMANDS: dict[str, Callable[[FileCall, dict[str, Any]], ToolAnswer]] = {
    "view": view,
    "create": create,
    "str_replace": str_replace,
    "insert": insert,
    "delete": delete,
    "rename": rename,
}


def _rewrite(desk: FileCall, path: str, missing: str, change: Callable[[str], str]) -> tuple[str, int]:
    """Write a file with its text changed by `change`, locked for other writers of this service; return the
    text and the change id.

    Raises ToolFault if there is no such file."""
    parts = desk.parts(path)
    with one_writer:
        with desk.inside(path):
            met = desk.folder.look(parts)
        if met is None:
            raise ToolFault(missing.format(path=path))
        if met.is_folder:
            raise ToolFault((desk.words.no_folder or missing).format(path=path))
        document, file = desk.folder.read(parts)
        after = change(plain(file.text))
        return after, desk.folder.write(document, file, after)


def _only_place(text: str, wanted: str, path: str) -> int:
    """Return the position of a text that occurs exactly once. Raises ToolFault."""
    found = list(_occurrences(text, wanted))
    if not found:
        raise ToolFault(
            f"No replacement was performed, old_str `{wanted}` did not appear verbatim in {path}."
        )
    if len(found) > 1:
        lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in found)
        raise ToolFault(
            f"No replacement was performed. Multiple occurrences of old_str `{wanted}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    return found[0]


def _need_folders(desk: FileCall, parts: Parts) -> None:
    """Raise ToolFault if a file has the path of a folder that a path names."""
    for depth in range(1, len(parts)):
        met = desk.folder.look(parts[:depth])
        if met is not None and not met.is_folder:
            above = "/".join((ROOT, *parts[:depth]))
            raise ToolFault(f"{desk.words.error}The path {above} is not a directory")


def _listing(desk: FileCall, path: str, parts: Parts, size_bytes: int) -> str:
    shown = [
        f"{size_text(met.size_bytes)}\t{path}/{'/'.join(below)}{'/' if met.is_folder else ''}"
        for below, met in desk.folder.listed(parts, depth=LEVELS)
        if not any(name.startswith(".") or name in desk.words.unlisted for name in below)
    ]
    head = f"Here're the files and directories up to {LEVELS} levels deep in {path}, {desk.words.listing}"
    return "\n".join([head, f"{size_text(size_bytes)}\t{path}", *shown])


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted) if wanted else -1
    while at != -1:
        yield at
        at = text.find(wanted, at + 1)


def _path(asked: dict[str, Any], name: str, command: str) -> str:
    path = _text(asked, name, command)
    if not path:
        raise _needed(name, command)
    return path


def _text(asked: dict[str, Any], name: str, command: str) -> str:
    text = asked.get(name)
    if not isinstance(text, str):
        raise _needed(name, command)
    return text


def _needed(name: str, command: str) -> ToolFault:
    return ToolFault(f"Error: Parameter `{name}` is required for command: {command}")


LAYOUT = "Anthropic memory"


def memory(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Execute one command in the agent's memory folder."""
    dialect = call.place.dialect or engine.settings.memory_tool_dialect
    if dialect not in WORDS:
        raise BadAsk(message("dialect must be one of {words}.", words=", ".join(WORDS)))
    return COMMANDS[call.arguments["command"]](
        FileCall(folder=_folder(engine, call), words=WORDS[dialect]), call.arguments
    )


def _folder(engine: Engine, call: ToolCall) -> MemoryFolder:
    """Return the agent's memory folder on the desk."""
    base = engine.desk.workspaces
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    return MemoryFolder(
        engine=engine,
        base=base,
        prefix=(*user_folder(call.place.user_id), folder_of(call.agent), "memories"),
        name=call.agent,
        layout=LAYOUT,
        channel=call.place.channel or slug(call.agent) or "memories",
        agent_id=call.agent,
        user_id=call.place.user_id,
        author=call.author,
    )


WORKING = WorkingSet(verbs={"memory": memory})
