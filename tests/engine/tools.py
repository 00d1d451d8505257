"""An agent with a set of tools on a real desk, and the folder that was brought in for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memdesk.api.tools.tool import misfits
from memdesk.api.tools.toolsets import toolset
from memdesk.engine.engine import Engine
from memdesk.engine.toolsets.toolset import carry_out
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.model.tools import ToolAnswer, ToolCall, ToolPlace
from tests.fixtures.intake.worlds import take


@dataclass(frozen=True, kw_only=True)
class Agent:
    """Calls the tools of one set. owner: the desk's owner calls in its place."""

    engine: Engine
    set: str
    name: str = "iris"
    place: ToolPlace = field(default_factory=ToolPlace)
    owner: bool = False

    def asks(self, tool: str, **arguments: Any) -> ToolAnswer:
        """arguments: with a final _ where Python has the word to itself."""
        told = {name.rstrip("_"): value for name, value in arguments.items()}
        declared = toolset(self.set).named(tool)
        assert declared is not None
        author = "person:Mara" if self.owner else f"agent:{self.name}"
        call = ToolCall(agent=self.name, author=author, owner=self.owner, place=self.place, arguments=told)
        return carry_out(self.engine, WORKING[self.set], tool, call, misfits(declared, told))

    def says(self, tool: str, **arguments: Any) -> str:
        said = self.asks(tool, **arguments)
        assert not said.is_error, said.text
        return said.text

    def fails(self, tool: str, **arguments: Any) -> str:
        said = self.asks(tool, **arguments)
        assert said.is_error and said.change is None, said.text
        return said.text


def opened(engine: Engine, root: Path, files: dict[str, str], **asked: Any) -> Path:
    """These files on the disk, and brought in from where they lie."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    take(engine, root, **asked)
    return root


def bytes_of(root: Path) -> dict[str, bytes]:
    """Every file below a folder, byte for byte."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}
