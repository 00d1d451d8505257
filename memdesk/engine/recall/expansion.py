"""Query expansion: search with the paraphrases of a query in addition to the query itself."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.paraphrase import AT_MOST, paraphrases
from memdesk.engine.recall.technique import LISTED, Find, nearest, without_vectors
from memdesk.engine.recall.words import terms
from memdesk.model.errors import EmbedderUnavailable
from memdesk.store import search
from memdesk.store.connection import Connection

HITS_PER_WORD = 20
"""Newest memories taken for a word that only a paraphrase contains."""


def expand(engine: Engine, db: Connection, asked: Asked) -> Find:
    """Return memories that contain a word found only in a paraphrase, then those near the paraphrases in
    meaning."""
    ways = (*asked.variants, *paraphrases(asked.text))[: AT_MOST + len(asked.variants)]
    if not ways:
        return Find(says="There is no other way to say this.")
    try:
        meant = nearest(engine, db, asked, ways)
    except EmbedderUnavailable as error:
        return without_vectors(error)
    known = set(terms(asked.text))
    new = dict.fromkeys(term for way in ways for term in terms(way) if term not in known)
    spoken = [seq for term in new for seq in search.postings(db, term, asked.scope, HITS_PER_WORD)]
    both = dict.fromkeys((*spoken[:LISTED], *meant))
    return Find(
        seqs=list(both)[:LISTED], says="Also searched: " + "; ".join(f"“{way}”" for way in ways) + "."
    )
