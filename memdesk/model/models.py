"""The models in use and their token costs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Use of one model on one day for one purpose. day: a local date; role: language, embedder or reranker.

    purpose: `recall`, `job:consolidate`, … guessed: the model did not report some token counts, so they were
    estimated from characters."""

    day: str
    role: str
    model: str
    purpose: str
    calls: int
    failures: int
    tokens_in: int
    tokens_out: int
    guessed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelState:
    """State of one model role. model: "" for none. key: where its key was found, never the key.

    says: its state, in a sentence. rests_for_s: seconds for which it is not called after failures.
    spent_today and day_tokens: tokens since midnight, and the daily limit; 0 for no limit."""

    role: str
    model: str
    url: str
    key: str
    says: str
    rests_for_s: float
    spent_today: int
    day_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsState:
    """State of every model role, in order."""

    rows: tuple[ModelState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSpending:
    """Request for the ledger of the last days. days: how many, including today."""

    days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """The ledger, newest day first."""

    rows: tuple[Spent, ...]
