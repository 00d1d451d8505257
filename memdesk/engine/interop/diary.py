"""Workspace of an agent on the sample desk: its files with real dates, and its day files as they grow."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import take_in
from memdesk.engine.progress import silent
from memdesk.engine.workspace import documents, register
from memdesk.engine.workspace.layouts import Place
from memdesk.engine.workspace.register import Bringer
from memdesk.files.atomic import write_atomic
from memdesk.files.places import resource
from memdesk.files.reading import MEGABYTE, Entry, read_text, walk
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.ids import new_id
from memdesk.model.instant import SECOND
from memdesk.model.workspace import AskImport, SaveFile
from memdesk.store import records, versions

FIRST_FILES = ("IDENTITY.md", "SOUL.md", "AGENTS.md", "HEARTBEAT.md")
"""Files an agent has on its first day. The others describe what it learned since, and are added when the
script ends."""
GROWING = ("MEMORY.md", "USER.md")
"""Files that grow line by line during the script."""
GROWTH = ((78, 0.2), (61, 0.35), (44, 0.5), (30, 0.65), (17, 0.8), (6, 0.9), (1, 1.0))
"""(days before today, share of its bullets that a growing file has from then on)."""
_DAY = re.compile(r"\{day (-?\d+)\}")


@dataclass(slots=True, kw_only=True)
class Diary:
    """Folder of one agent. person: the user who imports it; today: the date of day 0."""

    engine: Engine
    agent: str
    person: str
    today: date
    lines: dict[str, list[str]] = field(default_factory=dict)
    grown: int = 0

    @property
    def folder(self) -> Path:
        return self.engine.desk.workspaces / self.agent.lower()

    def open(self) -> None:
        """Create the agent's folder with the files of its first day."""
        self._fill(lambda name: name in FIRST_FILES)
        self._import()

    def complete(self) -> None:
        """Write the rest of its files, and import them in the ordinary way."""
        self._fill(lambda name: name not in (*FIRST_FILES, *GROWING))
        self._import()

    def grow(self, day: date) -> None:
        """Extend the growing files to their state on the evening of a day: imported at first, then saved,
        with the agent and the person as alternating authors."""
        while self.grown < len(GROWTH) and day >= self.today - timedelta(days=GROWTH[self.grown][0]):
            author = f"person:{self.person}" if self.grown % 3 == 2 else f"agent:{self.agent}"
            for name in GROWING:
                text = resource("sample", "workspaces", self.agent.lower(), name).read_text("utf-8")
                self._save(name, beginning(_DAY.sub(self._date, text), GROWTH[self.grown][1]), author)
            self.grown += 1

    def note(self, title: str, clock: str, text: str) -> None:
        """Add a line to today's day file, under the conversation it was written in."""
        self.lines.setdefault(title, []).append(f"- {clock} {text}")

    def close_day(self, day: date) -> None:
        """Write the day file, if anything was noted."""
        if self.lines:
            parts = [f"## {title}\n\n" + "\n".join(lines) for title, lines in self.lines.items()]
            relative = f"memory/{day.isoformat()}.md"
            self._write(relative, f"# {day.isoformat()}\n\n" + "\n\n".join(parts) + "\n")
            self._join(relative)
            self.lines.clear()

    def _fill(self, wanted: Callable[[str], bool]) -> None:
        source = resource("sample", "workspaces", self.agent.lower())
        for entry in walk(source):
            if isinstance(entry, Entry) and wanted(entry.name):
                self._write(entry.name, _DAY.sub(self._date, entry.path.read_text("utf-8")))

    def _date(self, found: re.Match[str]) -> str:
        return (self.today + timedelta(days=int(found[1]))).isoformat()

    def _write(self, relative: str, text: str) -> None:
        path = self.folder / relative
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(path, text.encode())
        seconds = self.engine.clock() / SECOND
        os.utime(path, (seconds, seconds))

    def _save(self, relative: str, text: str, author: str) -> None:
        with self.engine.store.reading() as db:
            place: Workspace = records.find(db, WORKSPACE, path=str(self.folder))[0]
            known: list[Document] = records.find(db, DOCUMENT, workspace_id=place.id, path=relative)
        if not known:
            self._write(relative, text)
            self._join(relative)
        elif versions.hash_of(text) != known[0].content_hash:
            ask = SaveFile(document_id=known[0].id, text=text, base_hash=known[0].content_hash)
            documents.save(self.engine, ask, author=author)

    def _import(self) -> None:
        ask = AskImport(path=str(self.folder), channel=GLOBAL, agent_id=self.agent)
        take_in(self.engine, ask, author=f"person:{self.person}", progress=silent)

    def _join(self, relative: str) -> None:
        """Import one file that the agent itself has just written."""
        place = Place(
            path=self.folder,
            name=self.agent,
            layout="OpenClaw",
            channel=GLOBAL,
            agent_id=self.agent,
            registered=True,
        )
        file = read_text(self.folder / relative, relative, limit_bytes=MEGABYTE)
        reading = register.look(self.engine, place, relative, file, LOCAL_USER)
        run = new_id("run", self.engine.clock())
        register.join(
            self.engine, reading, Bringer(author=f"agent:{self.agent}", run=run, user_id=LOCAL_USER)
        )


def beginning(text: str, share: float) -> str:
    """Return a note up to this share of its bullets, including the text before and between them."""
    lines = text.splitlines()
    bullets = [number for number, line in enumerate(lines) if line.startswith("- ")]
    kept = bullets[: max(1, round(len(bullets) * share))]
    if share >= 1 or not kept:
        return text
    return "\n".join(lines[: kept[-1] + 1]) + "\n"
