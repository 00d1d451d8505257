"""Forms of a prompt: headings by system, and recalled memories as lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.engine.context.tokens import Unit
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.bootstrap import HEADING, snippets
from memdesk.model.recall import Hit
from memdesk.model.trust import UNTRUSTED, quoted

LINE_CHARACTERS, LONGEST_CHARACTERS = 300, 2_000
"""Characters of one recalled memory in forms other than AgenticX's, which has its own limit (OpenLegion); in a budget
of which that is a small part, as many as LINE_SHARE of it holds, up to the second number."""
LINE_SHARE, TOKEN_CHARACTERS = 0.05, 4


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
    "identity": "",
    "learnings": "## Learnings\n\n",
    "recall": "## Recalled\n\n",
    "quoted": f"## {UNTRUSTED}\n\n",
    "facts": "## Known facts\n\n",
    "goals": "## Goals\n\n",
    "scratchpad": "## Scratchpad\n\n",
    "subagents": "## Results of sub-agents\n\n",
}
FORMS: dict[str, Form] = {
    "neutral": Form(headings=_NEUTRAL),
    "agenticx": Form(headings={**_NEUTRAL, "recall": f"{HEADING}\n"}, snippets=True),
    "openlegion": Form(
        headings={
            **_NEUTRAL,
            "learnings": "## Learnings from Past Sessions\n\n",
            "recall": "[Relevant memory auto-loaded]\n",
            "facts": "## Your Memory (most relevant)\n\n",
        },
        joint="\n\n---\n\n",
        sourced=True,
    ),
}


def line_characters(budget: int) -> int:
    """Return the characters of one recalled memory in a budget of tokens."""
    return max(LINE_CHARACTERS, min(LONGEST_CHARACTERS, int(budget * LINE_SHARE * TOKEN_CHARACTERS)))


def recalled(hits: Sequence[Hit], form: Form, budget: int) -> tuple[Unit, ...]:
    """Return recalled memories as lines, best first."""
    texts = [hit.text for hit in hits]
    each = line_characters(budget)
    told = snippets(texts) if form.snippets else snippets(texts, each=each, together=sys.maxsize)
    return tuple(
        Unit(text=f"- {_named(hits[place], text, form)}", ids=(hits[place].id,)) for place, text in told
    )


def quotations(hits: Sequence[Hit]) -> tuple[Unit, ...]:
    """Return recalled memories that are not trusted, each as one line that says where it comes from."""
    return tuple(
        Unit(text=f"- {quoted(shortened(hit.text, LINE_CHARACTERS), hit.source)}", ids=(hit.id,))
        for hit in hits
    )


def _named(hit: Hit, text: str, form: Form) -> str:
    if form.sourced:
        return f"[{hit.provenance.path or hit.provenance.conversation_title or hit.kind}] {text}"
    if form.snippets:
        return f"[历史对话] {text}" if hit.kind == "turn" else text
    speaker = f"{hit.provenance.speaker}: " if hit.kind == "turn" and hit.provenance.speaker else ""
    when = f" ({hit.at:%Y-%m-%d})" if hit.at else ""
    return f"{speaker}{text}{when}"
