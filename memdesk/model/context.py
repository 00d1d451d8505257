"""The context window: the messages in an agent's context, their size, and the result of compacting them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import Message as Sentence
from memdesk.model.names import FilledName, Name

OFFLINE, SNIPPETS, DROPPED = "offline", "snippets", "dropped"
"""Sources of a summary without a language model: our extracts, AgenticX's short snippets, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """Record of one compaction. Its turns stay in the conversation, `first_index` to `last_index`.

    previous_id: the compaction whose summary was part of the compacted messages. message: the replacement in
    the list, a JSON list of messages. sentences: JSON list of {text, turns, constraint} with the turns that
    each sentence of the summary covers. by: the language model, or one of OFFLINE, SNIPPETS, DROPPED; note:
    why the model was not used. kept: JSON list of ids of facts. lost: JSON list of {turn, text} that neither
    the summary nor a fact contains. Counts are of the complete list before and after. retired_at: since when
    it is undone, with its turns in the list again."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    conversation_id: str
    session_id: str | None
    policy: str
    previous_id: str | None
    first_index: int
    last_index: int
    summary: str
    message: str
    sentences: str
    by: str
    note: str
    kept: str
    lost: str
    messages_before: int
    messages_after: int
    characters_before: int
    characters_after: int
    tokens_before: int
    tokens_after: int
    took_us: int
    created_at: int
    retired_at: int | None = None


COMPACTION = Kind(
    name="compaction",
    prefix="cp",
    table="compactions",
    record=Compaction,
    label="Compaction",
    layer="episodic",
    title="summary",
    subject_rank=11,
    owner="conversation",
    references=(("conversation_id", "conversation"), ("previous_id", "compaction")),
)


Message = dict[str, Any]
"""Message as a runtime has it: `role`, `content` (text, or a list of parts) and any other fields, kept
unchanged."""
ACTIONS = ("none", "flushed", "compacted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The messages in an agent's context.

    messages: oldest first, in the format of OpenAI or Anthropic; unknown fields are kept unchanged.
    session_id: names the session; without one, conversation_id, channel and policy apply. policy: agenticx,
    agentix, openlegion or custom; left out, the session's or the settings'. window_tokens: the size of the
    model's context window. token_counts: of each message, where the caller counted; else they are estimated.
    """

    messages: tuple[Message, ...]
    session_id: FilledName | None = None
    conversation_id: Name | None = None
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    policy: str | None = None
    window_tokens: int | None = None
    token_counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compact(Window):
    """Request to store the messages, and compact them where the policy requires it. force: compact regardless
    of the policy.

    workspace_id: the workspace whose MEMORY.md gets the facts; left out, the agent's only one."""

    force: bool = False
    workspace_id: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Threshold at which a policy acts. of: messages, characters or tokens; does: flush or compact."""

    of: str
    at: int
    does: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """Fill level of a context. Instructions at its beginning count as tokens but not as messages.

    counted: whether every count of tokens is the caller's. usage: tokens over window_tokens. marks: the
    policy's thresholds. retain: how many last messages are left unchanged. due: the result of compacting now,
    one of none, flushed, compacted; because: the reason. current_count: messages, as passed to the hook
    PreCompact."""

    policy: str
    messages: int
    characters: int
    tokens: int
    counted: bool
    window_tokens: int
    usage: float
    marks: tuple[Mark, ...]
    retain: int
    due: str
    because: Sentence
    current_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySentence:
    """Sentence of a summary and the indexes of the turns it covers. constraint: it repeats a constraint word
    for word."""

    text: str
    turns: tuple[int, ...]
    constraint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Sentence of an archived turn that is in neither the summary nor a fact."""

    turn_index: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionRow:
    """Compaction as listed. by: the language model that summarised, or offline, snippets or dropped.

    first_index, last_index: the range of archived turns. lost: how many of their sentences are in neither
    summary nor facts. restored: whether it was undone. summary_characters: length of the replacement text, 0
    for none."""

    id: str
    conversation_id: str
    title: str
    session_id: str | None
    channel: str
    agent_id: str | None
    at: datetime
    policy: str
    by: str
    note: Sentence
    first_index: int
    last_index: int
    messages_before: int
    messages_after: int
    characters_before: int
    characters_after: int
    tokens_before: int
    tokens_after: int
    facts: int
    lost: int
    took_ms: float
    restored: bool
    summary_characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """Result of compacting a context. messages: the list to continue with, unchanged where nothing was
    compacted.

    action: none, flushed (facts were stored, the list is unchanged) or compacted. archived: how many messages
    were archived. facts: ids of facts learned now. before, after: the meter. repeated: this very list was
    compacted before, and the answer is the same. notices: problems such as a missing model, in sentences."""

    action: str
    messages: tuple[Message, ...]
    conversation_id: str
    archived: int
    facts: tuple[str, ...]
    before: Meter
    after: Meter
    compaction: CompactionRow | None = None
    summary: str = ""
    repeated: bool = False
    notices: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCompactions:
    """Compactions, newest first. after: the `next` of the page before. state: current, restored or all.

    channels, agents: empty for all.
    """

    user_id: FilledName = LOCAL_USER
    conversation_id: Name | None = None
    session_id: FilledName | None = None
    channels: tuple[Name, ...] = ()
    agents: tuple[Name, ...] = ()
    state: str = "all"
    after: Name = ""
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionList:
    """Page of compactions. `next` asks for the page after this one, None when this is the last."""

    rows: tuple[CompactionRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCompaction:
    """Request for one compaction in full. first, limit: the range of its turns to return."""

    compaction_id: Name
    user_id: FilledName = LOCAL_USER
    first: int = 0
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedTurn:
    """Archived turn. sentences: positions (from 0) of the summary sentences that cover it. facts: facts
    learned from it.

    lost: its sentences that are in neither."""

    id: str
    turn_index: int
    role: str
    speaker: str
    text: str
    at: datetime
    sentences: tuple[int, ...] = ()
    facts: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFact:
    """Fact derived from archived turns. since: it was learned from them after the compaction."""

    id: str
    claim: str
    category: str
    confidence: float
    turns: tuple[int, ...]
    since: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionWhole:
    """Compaction in full: the archived turns and their summary. total: the number of archived turns; turns:
    the requested ones.

    message: the messages that replace them in the list. previous_id: the compaction whose summary this one
    included. facts: facts now in memory that were derived from the turns. lost: sentences in no fact; a fact
    learned later removes its sentence from here."""

    row: CompactionRow
    summary: str
    message: tuple[Message, ...]
    sentences: tuple[SummarySentence, ...]
    total: int
    turns: tuple[ArchivedTurn, ...]
    facts: tuple[KeptFact, ...]
    lost: tuple[Lost, ...]
    previous_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskArchive:
    """Request for archived messages, unchanged. text: only those with all of these words.

    whole: also messages archived by earlier compactions, from the conversation's first message on."""

    compaction_id: Name
    user_id: FilledName = LOCAL_USER
    text: str = ""
    whole: bool = False
    first: int = 0
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMessage:
    turn_id: str
    turn_index: int
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Archived messages: `total` in all, `rows` are those from `first` on."""

    total: int
    first: int
    rows: tuple[ArchivedMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreArchive:
    """Request to put archived messages back in place of their summary.

    messages: the list as it is now, to get back the complete list; without it, only the archived messages are
    returned."""

    compaction_id: Name
    user_id: FilledName = LOCAL_USER
    messages: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """Result of restoring an archive.

    messages: the list with the archived messages in it, or those alone. change: the number to undo this by.
    """

    compaction_id: str
    messages: tuple[Message, ...]
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInfo:
    """Policy under the present settings. summary: the summariser that would be used now: a language model by
    its name, offline for extracts, or dropped. default: it applies to sessions that name none."""

    name: str
    says: Sentence
    retain: int
    marks: tuple[Mark, ...]
    window_tokens: int
    summary: str
    default: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyList:
    rows: tuple[PolicyInfo, ...]
