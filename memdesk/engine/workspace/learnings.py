"""OpenLegion's learnings: errors of tools and corrections by the user, in its exact line format, and their
prompt section."""

from __future__ import annotations

from datetime import UTC

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import files
from memdesk.engine.workspace.disk import one_writer
from memdesk.engine.workspace.homes import home, layout_of
from memdesk.model.diary import AskPrompt, DayWritten, PromptPart, PromptText, RecordLearning
from memdesk.model.document import Workspace
from memdesk.model.errors import BadAsk, Refused
from memdesk.model.instant import to_datetime

ERRORS, CORRECTIONS = "learnings/errors.md", "learnings/corrections.md"
SAID_CHARACTERS, CORRECTED_CHARACTERS = 200, 500
ROTATED_BYTES = 50_000
"""Size above which a file loses the first half of its lines before the next is added."""
INJECTED_LINES = 20
"""Number of last lines taken from each file; lines, not entries."""
INJECTED_CHARACTERS = 3_000
HEADINGS = (
    (ERRORS, "## Recent Errors (avoid repeating)"),
    (CORRECTIONS, "## User Corrections (follow these)"),
)
CUES = (
    "no,", "no.", "wrong", "incorrect", "that's not", "that is not", "actually,", "i meant", "you should", "don't do",
    "do not do", "stop doing", "not what i", "i said", "please don't", "instead,", "correction:", "fix:",
    "not like that",
)  # fmt: skip
"""Beginnings of a correction, in lower case."""


def is_correction(message: str) -> bool:
    """Return True if a user's message, from the second turn on, corrects what the agent wrote before it."""
    return message.strip().lower().startswith(CUES)


def record(engine: Engine, ask: RecordLearning, *, author: str) -> DayWritten:
    """Store a lesson, dated in UTC. Raises BadAsk, NotFound, NotAllowed, Refused where the system keeps none."""
    if ask.kind not in ("error", "correction"):
        raise BadAsk("kind is error or correction.")
    if not ask.subject.strip() or not ask.text.strip():
        raise BadAsk(
            f"{'The tool and its error' if ask.kind == 'error' else 'What was said and meant'} must be given."
        )
    workspace = _home(engine, ask.workspace_id, ask.agent_id, author)
    now = to_datetime(engine.clock()).astimezone(UTC)
    path, line = _line(ask, f"{now:%Y-%m-%d %H:%M}")
    title = f"Learned from {'an error' if ask.kind == 'error' else 'a correction'}: {' '.join(ask.text.split())[:80]}"
    with one_writer:
        _rotate(engine, workspace, path, author)
        done = files.add(engine, workspace, path, line, author=author, title=title)
    return DayWritten(
        document_id=done.document_id, path=path, day=now.date(), time=f"{now:%H:%M}", change=done.change
    )


def injected(engine: Engine, ask: AskPrompt, *, author: str) -> PromptText:
    """Return the section on past errors and corrections for the prompt of every session; "" where there are
    none."""
    workspace = _home(engine, ask.workspace_id, ask.agent_id, author)
    found = [(path, heading, files.text_of(engine, workspace, path) or "") for path, heading in HEADINGS]
    told = [(path, heading, text, _last(text)) for path, heading, text in found if text.strip()]
    whole = "\n\n".join(f"{heading}\n\n{last}" for _, heading, _, last in told)
    parts = tuple(PromptPart(path=path, size=len(text), told=len(last)) for path, _, text, last in told)
    return PromptText(text=whole[:INJECTED_CHARACTERS], parts=parts)


def _home(engine: Engine, workspace_id: str | None, agent_id: str | None, author: str) -> Workspace:
    workspace = home(engine, workspace_id, agent_id, author=author)
    if not layout_of(workspace).learnings:
        raise Refused(f"{workspace.layout} keeps no learnings.", next="Write a day entry instead.")
    return workspace


def _line(ask: RecordLearning, when: str) -> tuple[str, str]:
    if ask.kind == "error":
        context = f"\n  Context: {ask.context}" if ask.context else ""
        return ERRORS, f"- [{when}] **{ask.subject}**: {ask.text}{context}\n"
    said, meant = ask.subject[:SAID_CHARACTERS], ask.text[:CORRECTED_CHARACTERS]
    return CORRECTIONS, f"- [{when}] Original: {said}\n  Correction: {meant}\n"


def _rotate(engine: Engine, workspace: Workspace, path: str, author: str) -> None:
    found = files.read(engine, workspace, path)
    if found is None or found[1].size_bytes <= ROTATED_BYTES:
        return
    lines = found[1].text.splitlines(keepends=True)
    kept = "".join(lines[len(lines) // 2 :])
    files.rewrite(engine, workspace, path, kept, author=author, title=f"Rotated {path}: its older half left")


def _last(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-INJECTED_LINES:])
