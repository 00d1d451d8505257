"""Summary of a stretch of conversation: by the language model if it answers well, else without one and
labelled so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.engine.context import asking
from memdesk.engine.context.checks import faults
from memdesk.engine.context.extracts import extract
from memdesk.engine.context.policies.policy import Policy
from memdesk.engine.context.said import Said, Spoken, constraints, names, spoken
from memdesk.engine.engine import Engine
from memdesk.model.compaction import DROPPED, OFFLINE, SNIPPETS, Compaction
from memdesk.model.context import SummarySentence
from memdesk.model.errors import ModelUnavailable

TOKEN_CHARACTERS = 4
"""Characters of an extract for each token that the summary may have."""
SHARE = 0.5
"""Largest share of the sentences' characters that an extract may have, constraints aside; otherwise it would
not be shorter."""
SNIPPET_TURNS, SNIPPET_CHARACTERS, SNIPPETS_CHARACTERS = 12, 160, 700
"""AgenticX's fallback: number of last turns, characters of each, and characters of all together."""
SNIPPETS_LABEL = "Snippets, made without a language model: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Summary of turns. text: the replacement for the turns, "" if they are dropped. by, note: as in
    Compaction.

    found: every sentence that could have been part of it."""

    text: str
    sentences: tuple[SummarySentence, ...]
    by: str
    note: str
    found: tuple[Spoken, ...]


def summarise(engine: Engine, policy: Policy, turns: Sequence[Said], previous: Compaction | None) -> Summary:
    """Summarise turns together with the previous summary. An unavailable or failing model is not an error."""
    before = _carried(previous)
    found = (*before, *spoken(turns))
    if not policy.summarise:
        return Summary(text="", sentences=(), by=DROPPED, note="", found=found)
    must = constraints(found)
    about = names(turns)
    size = sum(len(turn.text) for turn in turns)

    def check(text: str) -> list[str]:
        return faults(text, names=about, constraints=must, characters=size)

    note = ""
    if engine.settings.summary_model and engine.language is not None:
        try:
            said = asking.ask(
                engine.language, policy, turns, before="" if previous is None else previous.summary,
                must=[each.text for each in must], names=about, check=check,
            )  # fmt: skip
            sentences = asking.covering(said, found, engine.embedder)
            return Summary(text=said, sentences=sentences, by=engine.language.name, note="", found=found)
        except (ModelUnavailable, asking.Unfit) as failed:
            note = str(failed)
    if note and policy.snippets:
        text, sentences = _snippets(turns, must, about)
        by = SNIPPETS
    else:
        room = min(
            policy.summary_tokens * TOKEN_CHARACTERS, round(SHARE * sum(len(each.text) for each in found))
        )
        made = extract(found, about, engine.embedder, characters=room)
        text, sentences, by = made.text, made.sentences, OFFLINE
    if check(text) and by == OFFLINE:
        # Nothing in it speaks in sentences, such as the output of tools: its beginnings say at least what it was.
        more, also = _snippets(turns, (), ())
        text, sentences = f"{text}\n{more}", (*sentences, *also)
    return Summary(text=text, sentences=sentences, by=by, note=note, found=found)


def _carried(previous: Compaction | None) -> tuple[Spoken, ...]:
    """Return the sentences of the previous summary, with the turns they cover."""
    if previous is None:
        return ()
    return tuple(
        Spoken(
            text=each["text"], turns=tuple(each["turns"]) or (previous.first_index,),
            constraint=bool(each.get("constraint")), carried=True,
        )
        for each in json.loads(previous.sentences)
    )  # fmt: skip


def _snippets(
    turns: Sequence[Said], must: Sequence[Spoken], about: Sequence[str]
) -> tuple[str, tuple[SummarySentence, ...]]:
    """Return AgenticX's short snippets of the last turns, followed by the constraints and missing names."""
    last = turns[-SNIPPET_TURNS:]
    pieces = [f"[{turn.role}] {' '.join(turn.text.split())[:SNIPPET_CHARACTERS]}" for turn in last]
    text = SNIPPETS_LABEL + "；".join(pieces)[:SNIPPETS_CHARACTERS]
    sentences = [
        SummarySentence(text=piece, turns=(turn.index,)) for piece, turn in zip(pieces, last, strict=True)
    ]
    if must:
        text += "\nConstraints:\n" + "\n".join(f"- {each.text}" for each in must)
        sentences += [SummarySentence(text=each.text, turns=each.turns, constraint=True) for each in must]
    missing = [name for name in about if name.casefold() not in text.casefold()]
    return text + (f"\nAlso named: {', '.join(missing)}" if missing else ""), tuple(sentences)
