"""Questions kept as tests: what an agent asks, and what recall must tell it, asked again after every change; and the
effect of an act that was not carried out yet: which recent recalls would return something else after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.curation import VERBS
from memdesk.model.kind import Kind
from memdesk.model.message import NO_MESSAGE, Message
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


TRIED = ("edit", "demote", *(verb for verb in VERBS if verb != "tag"))
"""Acts whose effect can be asked for; tags alter no recall."""
ASKED_AT_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEffect:
    """Request for the effect of an act on memories. act: one of TRIED. ids: 1 to 1,000; one for an edit.

    claim: of an edit; channel: to move to; into_id: to merge into. days: how far back recalls are asked again. limit:
    recalls at most."""

    act: FilledName
    ids: tuple[FilledName, ...]
    claim: str = ""
    channel: Name = ""
    into_id: Name = ""
    days: int = 7
    limit: int = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectLine:
    """Memory in the answer to a recall. was, now: its place before and after, from 1; None where it is not returned.

    text: after the change, of one that goes before it. before: its text before, if that differs."""

    id: str
    text: str
    was: int | None
    now: int | None
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEffect:
    """Recall that would return something else. at: when it was last asked. lines: all that it returns before or after,
    in the order after the change, those that go at the end."""

    query: str
    agent: str
    channel: str
    at: datetime
    says: Message
    lines: tuple[EffectLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActEffect:
    """Effect of an act, which was not carried out. why_not: why it would be refused. untried: memories of a large set
    that were left out, none of which a recall returned lately if there was room for those.

    says: the effect in a sentence. asked: recalls that were asked again, of `recalls` in those days; fewer than
    `limit` if the time for it ran out. changed: those that would return something else."""

    says: Message
    why_not: Message = NO_MESSAGE
    asked: int = 0
    recalls: int = 0
    took_ms: float = 0.0
    untried: int = 0
    changed: tuple[RecallEffect, ...] = ()
