"""Acts on a set of memories that are asked for in words, such as “all facts about the old flat → past”."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.channel import LOCAL_USER
from memdesk.model.curation import Bulk, Touch
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name
from memdesk.model.timeline import AskTable

WORDS_AT_MOST = 400
"""Longest text that is read as an act, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAct:
    """Request to read an act in words and to preview it. channels, agents: those that the caller looks at; they narrow
    the set where the words name none, and are “this channel” and “this agent”."""

    text: FilledName
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    agents: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActReading:
    """Act as it was read, with its effect on each memory.

    understood: the parts that were understood, the act first. unknown: the words that were not. queries: the set, one
    table of each kind of memory. total: memories in it. act: the request that carries it out; None if why_not has the
    reason. will, rows: as in the preview of a bulk operation."""

    understood: tuple[Message, ...] = ()
    unknown: tuple[str, ...] = ()
    queries: tuple[AskTable, ...] = ()
    total: int = 0
    act: Bulk | None = None
    will: int = 0
    rows: tuple[Touch, ...] = ()
    why_not: Message = NO_MESSAGE
    next: Message = NO_MESSAGE
