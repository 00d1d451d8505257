"""Kept questions: what an agent asks, and what recall must tell it; asked again after every change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name

KEPT_CHARACTERS = 500
"""Longest question, and longest words that it must be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptQuestion:
    """Question kept as a test. text: the query. expects: words that a hit must contain, in any letter case.

    agent_id: who asks. passes: 1 if the last run found them, 0 if not, None before the first run. passes_at: since
    when that is so."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    text: str
    expects: str
    passes: int | None
    passes_at: int | None
    created_at: int
    retired_at: int | None = None


KEPT_QUESTION = Kind(
    name="question",
    prefix="gq",
    table="questions",
    record=KeptQuestion,
    label="Kept question",
    layer="semantic",
    title="text",
    subject_rank=22,
    panel="lab",
    icon="lab",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepQuestion:
    """Request to keep a question as a test. text: the query. expects: words that a recall must tell.

    channel, agent_id: as the recall is asked."""

    text: str
    expects: str
    channel: FilledName = GLOBAL
    agent_id: FilledName | None = None
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetQuestion:
    """Request to forget a kept question; undo brings it back."""

    id: FilledName


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionChanged:
    """Result of keeping or forgetting a question. change: the number to undo it by, None where it is kept already."""

    id: str
    change: int | None
    title: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class AskQuestions:
    """Request for the kept questions of a user. lost: only those whose answer is missing."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """Kept question as listed. passes: whether recall tells what it must; None before the first run.

    since: when that became so. says: the state in a sentence."""

    id: str
    text: str
    expects: str
    channel: str
    agent_id: str | None
    passes: bool | None
    since: datetime | None
    says: Message
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionList:
    """Kept questions, those that lost their answer first."""

    rows: tuple[QuestionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuestions:
    """Request to ask the kept questions of a user now."""

    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsRun:
    """Result of asking the kept questions. gained, lost: those whose answer came or went since the last run.

    says: the result in a sentence. change: that records it, None where nothing came or went."""

    says: Message
    asked: int
    passing: int
    change: int | None
    gained: tuple[QuestionRow, ...] = ()
    lost: tuple[QuestionRow, ...] = ()
