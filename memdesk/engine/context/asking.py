"""Summary by a language model: asked once, asked a second time with the faults listed, then given up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from memdesk.engine.context.extracts import likeness
from memdesk.engine.context.policies.policy import Policy
from memdesk.engine.context.said import Said, Spoken
from memdesk.engine.extraction.language import plain, sentences
from memdesk.engine.providers.embedder import Embedder
from memdesk.engine.providers.language import LanguageModel
from memdesk.model.context import SummarySentence

CHUNK_CHARACTERS = 20_000
"""Characters of conversation in one question; a longer stretch is summarised piece by piece, each piece with
the summary so far (OpenLegion)."""
TURN_CHARACTERS = 2_000
"""Characters of one turn that the model is shown."""
MORE_TOKENS = 1.25
"""Factor by which the second answer may be longer than the first (AgenticX: 500 over 400)."""
COVERS_FROM, COVERS_AT_MOST = 0.3, 6
"""Least likeness at which a summary sentence covers a turn's sentence, and the most sentences it covers,
nearest first."""
_WRAPPED = re.compile(
    r"^\s*(?:```[a-z]*\n)?\s*(?:\[(\w[\w -]*)\](.*)\[/\1\]|<(\w+)>(.*)</\3>)\s*(?:\n```)?\s*$", re.DOTALL
)
Check = Callable[[str], list[str]]


class Unfit(Exception):
    """The model answered, but its summary cannot replace the conversation. The exception text gives the
    reason."""


def ask(
    model: LanguageModel, policy: Policy, turns: Sequence[Said], *, before: str, must: Sequence[str],
    names: Sequence[str], check: Check,
) -> str:  # fmt: skip
    """Return the model's summary. before: the summary so far. must: texts it has to copy. names: names it has
    to mention.

    Raises ModelUnavailable, or Unfit when an answer is empty or the second answer still fails the check."""
    *chunks, last = list(_chunks(turns)) or [""]
    for chunk in chunks:
        before = _answer(model, policy, _prompt(before, chunk, must, names, ()))
        if not before:
            raise Unfit(f"{model.name} said nothing.")
    said = _answer(model, policy, _prompt(before, last, must, names, ()))
    if not (wrong := check(said)):
        return said
    said = _answer(model, policy, _prompt(before, last, must, names, wrong), share=MORE_TOKENS)
    if wrong := check(said):
        raise Unfit(f"{model.name} gave no summary that holds: {wrong[0]}")
    return said


def covering(summary: str, found: Sequence[Spoken], embedder: Embedder) -> tuple[SummarySentence, ...]:
    """Return each sentence of a summary with the turns whose sentences are most like it."""
    told = [sentence.text for sentence in sentences(plain(summary))]
    alike = likeness([*told, *(each.text for each in found)], embedder)[: len(told), len(told) :]
    rows = []
    for text, row in zip(told, alike, strict=True):
        near = [n for n in np.argsort(-row, kind="stable")[:COVERS_AT_MOST].tolist() if row[n] >= COVERS_FROM]
        turns = tuple(sorted({turn for n in near for turn in found[n].turns}))
        held = any(found[n].constraint and row[n] > 0.9 for n in near)
        rows.append(SummarySentence(text=text, turns=turns, constraint=held))
    return tuple(rows)


def _answer(model: LanguageModel, policy: Policy, prompt: str, share: float = 1.0) -> str:
    tokens = round(policy.summary_tokens * share)
    said = model.complete(
        system=policy.instruction, prompt=prompt, max_tokens=tokens, temperature=policy.temperature
    ).text.strip()
    if (wrapped := _WRAPPED.match(said)) is not None:
        said = (wrapped[2] or wrapped[4] or "").strip()
    return said


def _prompt(before: str, talk: str, must: Sequence[str], names: Sequence[str], wrong: Sequence[str]) -> str:
    parts = [
        f"Summary so far:\n{before}" if before else "",
        f"Conversation:\n{talk}",
        "Copy these word for word:\n" + "\n".join(f"- {each}" for each in must) if must else "",
        f"Name {', '.join(names)}." if names else "",
        "Your last answer would not do:\n" + "\n".join(f"- {each}" for each in wrong) if wrong else "",
    ]
    return "\n\n".join(filter(None, parts))


def _chunks(turns: Sequence[Said]) -> Iterator[str]:
    lines: list[str] = []
    held = 0
    for turn in turns:
        line = f"[{turn.speaker or turn.role}] {turn.text[:TURN_CHARACTERS]}"
        if lines and held + len(line) > CHUNK_CHARACTERS:
            yield "\n".join(lines)
            lines, held = [], 0
        lines.append(line)
        held += len(line) + 1
    if lines:
        yield "\n".join(lines)
