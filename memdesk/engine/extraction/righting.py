"""Apply corrections to claims: a corrected clause is read as usual, a corrected phrase is put into the claim
it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from memdesk.engine.extraction.corrections import Correction, replaced
from memdesk.engine.extraction.found import Draft
from memdesk.engine.extraction.language import Sentence, parts

Source = TypeVar("Source")


def corrected(correction: Correction, claims: Callable[[str, Sentence], Iterable[Draft]]) -> Iterator[Draft]:
    """Yield the claims of a correction; if it is only a phrase, that phrase. claims: reads a sentence of one
    language."""
    said = Sentence(start=correction.now_start, text=correction.now, asked=False)
    drafts = [draft for tongue, part in parts(said) for draft in claims(tongue, part)]
    for draft in drafts:
        yield replace(draft, replaces=correction.was or "", start=correction.start, end=correction.end)
    if not drafts and correction.was:
        yield Draft(
            claim=correction.now, category="fact", certainty="explicit", temporal="current", start=correction.start,
            end=correction.end, replaces=correction.was, phrase=True,
        )  # fmt: skip


def put_right(
    told: Iterable[tuple[Source, Draft]],
) -> tuple[list[tuple[Source, Draft]], list[tuple[Source, Draft]]]:
    """Return (claims, phrases): a corrected phrase is put into the latest claim that contains the replaced
    words.

    Phrases that match no claim are returned separately."""
    claims: list[tuple[Source, Draft]] = []
    phrases: list[tuple[Source, Draft]] = []
    for source, draft in told:
        whole = _whole(draft, claims) if draft.phrase else draft
        if whole is None:
            phrases.append((source, draft))
        else:
            claims.append((source, whole))
    return claims, phrases


def _whole(phrase: Draft, claims: list[tuple[Source, Draft]]) -> Draft | None:
    for _, draft in reversed(claims):
        claim = replaced(draft.claim, phrase.replaces or "", phrase.claim)
        if claim is not None:
            return replace(
                phrase, claim=claim, category=draft.category, temporal=draft.temporal, phrase=False
            )
    return None
