"""Extraction: entities, facts and relations read from talk and from notes, and held against what memory has.

By cues it needs no model and is pure, so that it runs anywhere and a person can ask why a fact was drawn."""

from __future__ import annotations

from memdesk.engine.extraction.extract import extract, extract_lines
from memdesk.engine.extraction.found import Found, FoundEntity, FoundFact, FoundRelation, Utterance

__all__ = ["Found", "FoundEntity", "FoundFact", "FoundRelation", "Utterance", "extract", "extract_lines"]
