"""Techniques of the recall layer: their result, search by meaning, and HyDE (Gao et al. 2022)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memdesk.engine.engine import Engine
from memdesk.engine.memory.categories import meaning
from memdesk.engine.recall.query import ResolvedQuery
from memdesk.engine.wording import shortened
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.store import search
from memdesk.store.connection import Connection

LISTED = 40
"""Most memories that a technique lists: after this place its share is small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueResult:
    """Result of one technique. seqs: search numbers, best first. ties: certainty, 0 to 1, of those it vouches
    for.

    asked: the query narrowed by the technique, None if unchanged. aside: the technique could not run."""

    seqs: Sequence[int] = ()
    ties: Mapping[int, float] = field(default_factory=dict)
    asked: ResolvedQuery | None = None
    aside: bool = False
    says: Message = NO_MESSAGE


def nearest(engine: Engine, db: Connection, asked: ResolvedQuery, texts: Sequence[str]) -> list[int]:
    """Return the memories nearest to the joint meaning of these texts, best first. Raises
    EmbedderUnavailable."""
    vector = meaning(engine, texts)
    if vector is None:
        return []
    return [seq for seq, _ in search.by_vector(db, vector, asked.scope, engine.embedder.name)[:LISTED]]


def without_vectors(error: EmbedderUnavailable) -> TechniqueResult:
    """Return the result of a technique of meaning if there are no vectors."""
    return TechniqueResult(aside=True, says=error.says)


TEMPERATURE = 0.7
TOKENS = 150
"""Most tokens of the imagined answer; it and the temperature are AgentX's values."""
_TASK = (
    "Write the passage that would answer the question, as somebody might have noted it down: two or three plain "
    "sentences in the language of the question, without preamble. Where you do not know, make up likely details."
)


def search_imagined(engine: Engine, db: Connection, asked: ResolvedQuery) -> TechniqueResult:
    """Find memories near to an imagined answer. Only its meaning is used: its details are invented."""
    if engine.language is None:
        return TechniqueResult(
            aside=True, says=message("No language model is set that could imagine an answer.")
        )
    try:
        imagined = engine.language.complete(
            system=_TASK, prompt=asked.text, max_tokens=TOKENS, temperature=TEMPERATURE
        ).text.strip()
        if not imagined:
            return TechniqueResult(
                aside=True,
                says=message(
                    "The language model {language} imagined nothing.", language=engine.language.name
                ),
            )
        return TechniqueResult(
            seqs=nearest(engine, db, asked, [imagined]),
            says=message("Imagined: “{text}”", text=shortened(imagined, 160)),
        )
    except (ModelUnavailable, EmbedderUnavailable) as error:
        return TechniqueResult(aside=True, says=error.says)
