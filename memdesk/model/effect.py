"""Effect of an act that was not carried out yet: which recent recalls would return something else after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.curation import VERBS
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name

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
