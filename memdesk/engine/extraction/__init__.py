"""Extraction: read entities, facts and relations from conversations and notes, and compare them with memory.

Cue-based extraction needs no model and is pure: it runs anywhere, and a person can ask why a fact was
extracted."""

from __future__ import annotations

from memdesk.engine.extraction.extract import extract, extract_lines
from memdesk.engine.extraction.findings import Found, FoundEntity, FoundFact, FoundRelation, Utterance

__all__ = ["Found", "FoundEntity", "FoundFact", "FoundRelation", "Utterance", "extract", "extract_lines"]
