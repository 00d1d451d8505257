"""Manner in which a file is read: who speaks in it, whom it is about, and of which day it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.layouts import INSTRUCTIONS, RULES, day_of, manner_of
from memdesk.engine.workspace.layouts.layout import name_in
from memdesk.engine.workspace.statements import Subjects
from memdesk.model.instant import to_datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Manner in which a file is read. subjects: the persons in it; manner: one of layouts' MANNERS; day: the
    date of a day file; today: the desk's date."""

    subjects: Subjects
    manner: str
    today: date
    day: date | None = None

    def of_text(self, lines: Sequence[str]) -> Voice:
        """Return the voice with the owner's name as the file gives it, where the desk has only the account's."""
        subjects = self.subjects
        name = name_in("\n".join(lines)) if subjects.of_person and subjects.guessed else None
        return self if name is None else replace(self, subjects=replace(subjects, person=name))


def voice_of(engine: Engine, relative: str, agent_id: str | None, layout: str) -> Voice:
    """Return the manner in which a file is read. “I” is the agent that keeps the file; in instructions, and
    where no agent is known, it is the person."""
    manner = manner_of(relative, layout)
    by_person = manner in (INSTRUCTIONS, RULES) or agent_id is None
    day = day_of(relative)
    return Voice(
        subjects=Subjects(
            writer=engine.person if by_person or agent_id is None else agent_id,
            person=engine.person,
            of_person=PurePosixPath(relative).stem.upper() in ("USER", "HUMAN"),
            guessed=not engine.settings.person,
        ),
        manner=manner,
        today=to_datetime(engine.clock()).date(),
        day=None if day is None else date.fromisoformat(day),
    )
