"""Summary of a stretch of conversation: by the language model if it answers well, else without one; checked
before it may replace the conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.engine.context import summarisers
from memdesk.engine.context.messages import (
    Sentence,
    TurnText,
    constraints,
    contains,
    facts_of,
    names,
    sentences_of,
)
from memdesk.engine.context.policies import Policy
from memdesk.engine.context.summarisers import extract
from memdesk.engine.engine import Engine
from memdesk.model.context import DROPPED, OFFLINE, SNIPPETS, Compaction, SummarySentence
from memdesk.model.errors import ModelUnavailable
from memdesk.model.message import message as sentence

FLOOR_SHARE, FLOOR_CHARACTERS = 0.02, 120
"""A summary is too short if it has less than this share of the conversation's characters and also less than
this number."""


def faults(
    summary: str, *, names: Sequence[str], constraints: Sequence[Sentence], characters: int
) -> list[str]:
    """Return the faults of a summary as sentences; empty for a good one. characters: length of the
    conversation.

    A summary must not be empty or too short, must mention every name, and must contain every hard constraint
    word for word."""
    said = summary.strip()
    if not said:
        return [sentence("The summary is empty.")]
    found: list[str] = []
    floor = min(FLOOR_CHARACTERS, round(characters * FLOOR_SHARE))
    if len(said) < floor:
        found.append(
            sentence("The summary has {count} characters, fewer than {floor}.", count=len(said), floor=floor)
        )
    found += [
        sentence("It does not name {name}.", name=name)
        for name in names
        if name.casefold() not in said.casefold()
    ]
    found += [
        sentence("It lacks the constraint “{text}”.", text=each.text)
        for each in constraints
        if not contains(said, each.text)
    ]
    return found


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
    found: tuple[Sentence, ...]


def summarise(
    engine: Engine, policy: Policy, turns: Sequence[TurnText], previous: Compaction | None
) -> Summary:
    """Summarise turns together with the previous summary. An unavailable or failing model is not an error."""
    before = _carried(previous)
    found = (*before, *sentences_of(turns))
    if not policy.summarise:
        return Summary(text="", sentences=(), by=DROPPED, note="", found=found)
    must = constraints(found)
    about = names(turns)
    size = sum(len(turn.text) for turn in turns)

    def check(text: str) -> list[str]:
        return faults(text, names=about, constraints=must, characters=size)

    note = ""
    model = engine.language_for("summary") if engine.settings.summary_model else None
    if model is not None:
        try:
            said = summarisers.ask(
                model,
                policy,
                turns,
                before="" if previous is None else previous.summary,
                must=[each.text for each in must],
                names=about,
                check=check,
            )
            sentences = summarisers.sentence_coverage(said, found, engine.embedder)
            return Summary(text=said, sentences=sentences, by=model.name, note="", found=found)
        except (ModelUnavailable, summarisers.UnfitSummary) as failed:
            note = str(failed)
    if note and policy.snippets:
        text, sentences = _snippets(turns, must, about)
        by = SNIPPETS
    else:
        room = min(
            policy.summary_tokens * TOKEN_CHARACTERS, round(SHARE * sum(len(each.text) for each in found))
        )
        made = extract(found, about, engine.embedder, characters=room, facts=facts_of(turns))
        text, sentences, by = made.text, made.sentences, OFFLINE
    if check(text) and by == OFFLINE:
        # Nothing in it speaks in sentences, such as the output of tools: its beginnings say at least what it was.
        more, also = _snippets(turns, (), ())
        text, sentences = f"{text}\n{more}", (*sentences, *also)
    return Summary(text=text, sentences=sentences, by=by, note=note, found=found)


def _carried(previous: Compaction | None) -> tuple[Sentence, ...]:
    """Return the sentences of the previous summary, with the turns they cover."""
    if previous is None:
        return ()
    return tuple(
        Sentence(
            text=each["text"],
            turns=tuple(each["turns"]) or (previous.first_index,),
            constraint=bool(each.get("constraint")),
            carried=True,
        )
        for each in json.loads(previous.sentences)
    )


def _snippets(
    turns: Sequence[TurnText], must: Sequence[Sentence], about: Sequence[str]
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
