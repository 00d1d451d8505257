"""Extraction without a model: entities, facts and relations read from English and Chinese talk and from markdown notes.

Pure functions over text, so that consolidation can run them anywhere and a person can ask why a fact was drawn."""

from __future__ import annotations

from memdesk.engine.extraction.extract import extract, extract_lines
from memdesk.engine.extraction.found import Found, FoundEntity, FoundFact, FoundRelation, Utterance

__all__ = ["Found", "FoundEntity", "FoundFact", "FoundRelation", "Utterance", "extract", "extract_lines"]
