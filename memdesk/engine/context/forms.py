"""Forms of the prompt context: a neutral one, and the wording of the systems whose agents expect their own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.engine.context.budget import Unit
from memdesk.engine.workspace.recall_section import HEADING, snippets
from memdesk.model.recall import Hit

LINE_CHARACTERS = 300
"""Characters of one recalled memory in forms other than AgenticX's, which has its own limit (OpenLegion)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Wording of a prompt context. headings: by piece, empty for a piece without a heading. joint: text
    between pieces.

    snippets: recalled memories are cut as AgenticX cuts them. sourced: each recalled memory begins with its
    source."""

    headings: dict[str, str]
    joint: str = "\n\n"
    snippets: bool = False
    sourced: bool = False


_NEUTRAL = {
    "identity": "", "learnings": "## Learnings\n\n", "recall": "## Recalled\n\n", "facts": "## Known facts\n\n",
    "goals": "## Goals\n\n", "scratchpad": "## Scratchpad\n\n", "subagents": "## Results of sub-agents\n\n",
}  # fmt: skip
FORMS: dict[str, Form] = {
    "neutral": Form(headings=_NEUTRAL),
    "agenticx": Form(headings={**_NEUTRAL, "recall": f"{HEADING}\n"}, snippets=True),
    "openlegion": Form(
        headings={
            **_NEUTRAL, "learnings": "## Learnings from Past Sessions\n\n", "recall": "[Relevant memory auto-loaded]\n",
        },
        joint="\n\n---\n\n", sourced=True,
    ),
}  # fmt: skip


def recalled(hits: Sequence[Hit], form: Form) -> tuple[Unit, ...]:
    """Return recalled memories as lines, best first."""
    texts = [hit.text for hit in hits]
    told = snippets(texts) if form.snippets else snippets(texts, each=LINE_CHARACTERS, together=sys.maxsize)
    return tuple(
        Unit(text=f"- {_named(hits[place], text, form)}", ids=(hits[place].id,)) for place, text in told
    )


def _named(hit: Hit, text: str, form: Form) -> str:
    if form.sourced:
        return f"[{hit.provenance.path or hit.provenance.conversation_title or hit.kind}] {text}"
    if form.snippets:
        return f"[历史对话] {text}" if hit.kind == "turn" else text
    speaker = f"{hit.provenance.speaker}: " if hit.kind == "turn" and hit.provenance.speaker else ""
    when = f" ({hit.at:%Y-%m-%d})" if hit.at else ""
    return f"{speaker}{text}{when}"
