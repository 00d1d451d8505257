"""The models at work and what they cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Questions of one day to one model for one purpose. day: a local date; role: language, embedder or reranker.

    purpose: `recall`, `job:consolidate`, … guessed: some of these tokens were not told, so characters were counted.
    """

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
    """One role and what fills it. model: "" where nothing does. key: where its key was found, never the key.

    says: how it is, in a sentence. rests_for_s: seconds for which it is left alone after failures. spent_today and
    day_tokens: tokens since midnight, and at most; 0 for no limit.
    """

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
    """Every role, in order."""

    rows: tuple[ModelState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSpending:
    """The ledger of the last days. days: how many, today among them."""

    days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """The ledger, newest day first."""

    rows: tuple[Spent, ...]
