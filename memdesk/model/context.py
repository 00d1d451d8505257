"""The context window: the messages an agent has in it, what they weigh, and what compacting made of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER

Message = dict[str, Any]
"""A message as a runtime has it: `role`, `content` (text, or a list of parts) and whatever else, kept as it came."""
ACTIONS = ("none", "flushed", "compacted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The messages in an agent's context.

    messages: oldest first, as OpenAI or Anthropic shape them; whatever they hold is kept as it came. session_id: names
    the session; without one, conversation_id, channel and policy say it. policy: agenticx, agentix, openlegion or
    custom; left out, the session's or the settings'. window_tokens: what the model takes in. token_counts: of each
    message, where the caller counted; else they are estimated.
    """

    messages: tuple[Message, ...]
    session_id: str | None = None
    conversation_id: str | None = None
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    policy: str | None = None
    window_tokens: int | None = None
    token_counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compact(Window):
    """Keep the messages, and compact them where the policy says so. force: compact whatever it says.

    workspace_id: whose MEMORY.md gets the facts; left out, the agent's only one.
    """

    force: bool = False
    workspace_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """From `at` on, a policy acts. of: messages, characters or tokens; does: flush or compact."""

    of: str
    at: int
    does: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """How full a context is. Instructions at its beginning weigh tokens and count as no message.

    counted: whether every count of tokens is the caller's. usage: tokens over window_tokens. marks: where the policy
    acts. retain: messages that stay as they are. due: what compacting would do now, one of none, flushed, compacted;
    because: why. current_count: messages, as the hook PreCompact is told.
    """

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
    because: str
    current_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySentence:
    """One sentence of a summary and the turns it covers, by their index. constraint: it is one, word for word."""

    text: str
    turns: tuple[int, ...]
    constraint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What was said in an archived turn and stands neither in the summary nor in a fact."""

    turn_index: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionRow:
    """One compaction as listed. by: the language model that summarised, or offline, snippets or dropped.

    first_index, last_index: the turns that gave way. lost: how much of what they said is in neither summary nor facts.
    restored: it was taken back. summary_characters: of what stands for the turns, 0 for nothing.
    """

    id: str
    conversation_id: str
    title: str
    session_id: str | None
    channel: str
    agent_id: str | None
    at: datetime
    policy: str
    by: str
    note: str
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
    """What became of a context. messages: the list to go on with, the same where nothing was compacted.

    action: none, flushed (facts were stored, the list is as it was) or compacted. archived: messages that gave way.
    facts: ids of those that were learned now. before, after: the meter. repeated: this very list was compacted before,
    and the answer is the same. notices: what was off, in sentences.
    """

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
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCompactions:
    """Compactions, newest first. after: the `next` of the page before. state: current, restored or all.

    channels, agents: empty for all.
    """

    user_id: str = LOCAL_USER
    conversation_id: str | None = None
    session_id: str | None = None
    channels: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    state: str = "all"
    after: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionList:
    """`next` asks for the page after this one, None when this is the last."""

    rows: tuple[CompactionRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCompaction:
    """One compaction whole. first, limit: which of its turns."""

    compaction_id: str
    user_id: str = LOCAL_USER
    first: int = 0
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedTurn:
    """A turn that gave way. sentences: which of the summary's cover it, by their place from 0. facts: learned from it.

    lost: what it said that neither holds.
    """

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
    """A fact that holds what was said in these turns. since: it was made of them after the compaction."""

    id: str
    claim: str
    category: str
    confidence: float
    turns: tuple[int, ...]
    since: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionWhole:
    """A compaction with both its sides. total: how many turns gave way; turns: those asked for.

    message: what stands in the list instead of them. previous_id: the compaction whose summary this one took in.
    facts: what memory holds of the turns by now. lost: what it does not; a fact made of it later brings it back.
    """

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
    """The messages that gave way, as they came. text: only those with all of these words.

    whole: also what gave way before, from the conversation's first message on.
    """

    compaction_id: str
    user_id: str = LOCAL_USER
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
    """`total` messages, of which `rows` are those from `first` on."""

    total: int
    first: int
    rows: tuple[ArchivedMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreArchive:
    """Put the messages that gave way back in the place of their summary.

    messages: the list as it is now, if the caller wants it back whole; without it, only what gave way is returned.
    """

    compaction_id: str
    user_id: str = LOCAL_USER
    messages: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """messages: the list with the archived messages in it, or those alone. change: what takes this back."""

    compaction_id: str
    messages: tuple[Message, ...]
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInfo:
    """A policy as it stands by the settings. summary: who would summarise now: a language model by its name, offline

    for extracts, or dropped. default: it is the one of sessions that name none."""

    name: str
    says: str
    retain: int
    marks: tuple[Mark, ...]
    window_tokens: int
    summary: str
    default: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyList:
    rows: tuple[PolicyInfo, ...]
