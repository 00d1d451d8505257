"""POLICIES: all policies for keeping a context short, with the thresholds of the system each comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from memdesk.engine.context.messages import Size
from memdesk.model.context import Mark, Message
from memdesk.model.errors import BadAsk
from memdesk.model.message import NO_MESSAGE
from memdesk.model.message import Message as Sentence
from memdesk.model.message import message as sentence
from memdesk.model.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Context policy of one system, by the current settings.

    messages_from, characters_from, tokens_from: from how many on it compacts, None for never. flush_from:
    from how many tokens on it stores facts ahead. retain: number of last messages that stay unchanged.
    cooldown: new messages before it compacts again. summarise: False drops the removed messages without a
    summary. role, opening: role and first words of the summary's message. bridge: the assistant's message
    between a summary and a user's message. instruction: the prompt for a language model; summary_tokens and
    temperature: length and temperature of its answer. snippets: use AgenticX's short snippets if the model
    fails."""

    name: str
    retain: int
    window_tokens: int
    messages_from: int | None = None
    characters_from: int | None = None
    tokens_from: int | None = None
    flush_from: int | None = None
    cooldown: int = 0
    summarise: bool = True
    role: str = "system"
    opening: str
    bridge: str = ""
    instruction: str
    summary_tokens: int
    temperature: float = 0.0
    snippets: bool = False

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Thresholds at which it acts, the earlier action first."""
        at = (
            ("tokens", self.flush_from, "flush"),
            ("messages", self.messages_from, "compact"),
            ("characters", self.characters_from, "compact"),
            ("tokens", self.tokens_from, "compact"),
        )
        return tuple(Mark(of=of, at=value, does=does) for of, value, does in at if value is not None)

    def due(self, size: Size) -> tuple[str, Sentence]:
        """Return (the action due for a context of this size: none, flushed or compacted; the reason as a sentence)."""
        held = {"messages": size.messages, "characters": size.characters, "tokens": size.tokens}
        for does, action in (("compact", "compacted"), ("flush", "flushed")):
            for mark in self.marks:
                if mark.does == does and held[mark.of] >= mark.at:
                    return action, sentence(
                        "{count} {of}; {name} acts from {mark} on.",
                        count=f"{held[mark.of]:,}",
                        of=mark.of,
                        name=self.name,
                        mark=f"{mark.at:,}",
                    )
        return "none", NO_MESSAGE

    def message(self, summary: str, after: Message) -> tuple[Message, ...]:
        """Return the messages that replace the summarised ones. after: the first message that stays."""
        stands: Message = {"role": self.role, "content": self.opening + summary}
        if self.bridge and after.get("role") == "user":
            return stands, {"role": "assistant", "content": self.bridge}
        return (stands,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Policy by name. says: a description for people. by: function that returns the policy for settings and a
    window."""

    name: str
    says: Sentence
    by: Callable[[Settings, int], Policy]


def share(window_tokens: int, part: float) -> int:
    """Return a share of a window in tokens, at least one."""
    return max(1, round(window_tokens * part))


AGENTICX_OPENING = "[compacted] "
FLOORS = {"messages": 8, "characters": 4_000, "retain": 4}
"""Lowest values of its thresholds; a lower configured value is raised to them."""
ANSWER_SHARE, ANSWER_TOKENS, MARGIN_TOKENS = 4, 20_000, 13_000
"""Later AgenticX reserves a fourth of the window, 20,000 tokens at most, for the answer, and a margin of
13,000 more."""
AGENTICX_INSTRUCTION = (
    "请把下面的对话压缩成一段简洁的摘要，供智能体继续工作。必须保留：用户的目标与待办、已作出的决定、人名与专有名词、数字与日期。"
    "对话里的硬性约束（必须、不要、始终、must、never、always 等）要逐字照抄。不要编造，不要评论，只输出摘要。"
)


def agenticx_policy(settings: Settings, window_tokens: int) -> Policy:
    """Return the policy by the settings, with the floors applied."""
    answer = min(ANSWER_TOKENS, window_tokens // ANSWER_SHARE)
    tokens = max(1, window_tokens - answer - MARGIN_TOKENS) if settings.agenticx_tokens else None
    return Policy(
        name="agenticx",
        retain=max(FLOORS["retain"], settings.agenticx_retain),
        window_tokens=window_tokens,
        messages_from=max(FLOORS["messages"], settings.agenticx_messages) + 1,
        characters_from=max(FLOORS["characters"], settings.agenticx_characters) + 1,
        tokens_from=tokens,
        cooldown=settings.agenticx_cooldown,
        opening=AGENTICX_OPENING,
        instruction=AGENTICX_INSTRUCTION,
        summary_tokens=settings.summary_tokens,
        snippets=settings.agenticx_fallback == "snippets",
    )


AGENTICX = Declared(
    name="agenticx",
    says=sentence(
        "Past a number of messages or characters, one system message in the place of all but the last."
    ),
    by=agenticx_policy,
)


AGENTIX_OPENING = "Summary of the conversation so far:\n\n"
AGENTIX_INSTRUCTION = (
    "Summarise the conversation so that the agent keeps its gist. Keep the user's goals, decisions, open tasks, names, "
    "numbers and dates. Copy hard constraints (must, never, always, only) word for word. Invent nothing. Answer with "
    "the summary alone, in the conversation's language."
)


def agentix_policy(settings: Settings, window_tokens: int) -> Policy:
    """Return the policy by the settings: conversation_summarization_enabled, max_conversation_window,
    max_context_tokens."""
    return Policy(
        name="agentix",
        retain=settings.agentix_window,
        window_tokens=window_tokens,
        tokens_from=settings.agentix_tokens + 1,
        summarise=settings.agentix_summarization,
        opening=AGENTIX_OPENING,
        instruction=AGENTIX_INSTRUCTION,
        summary_tokens=settings.summary_tokens,
    )


AGENTIX = Declared(
    name="agentix",
    says=sentence(
        "Past a number of tokens, a summary and the last messages; or, without summaries, the last messages alone."
    ),
    by=agentix_policy,
)


OPENLEGION_OPENING = "## Conversation Summary (auto-compacted)\n\n"
BRIDGE = "Understood, continuing from the summary above."
OPENLEGION_INSTRUCTION = (
    "Summarise the conversation for the agent that goes on with it: what the user wants, what was decided and done, "
    "what is open, and every name, number and date that still matters. Copy hard constraints (must, never, always) "
    "word for word. Invent nothing. Answer with the summary alone, in the conversation's language."
)
TEMPERATURE = 0.3


def openlegion_policy(settings: Settings, window_tokens: int) -> Policy:
    """Return the policy by the settings, as shares of the window. The original keeps the last 4 messages,
    whichever role is first."""
    return Policy(
        name="openlegion",
        retain=settings.openlegion_retain,
        window_tokens=window_tokens,
        tokens_from=share(window_tokens, settings.openlegion_compact),
        flush_from=share(window_tokens, settings.openlegion_flush),
        role="user",
        opening=OPENLEGION_OPENING,
        bridge=BRIDGE,
        instruction=OPENLEGION_INSTRUCTION,
        summary_tokens=settings.summary_tokens,
        temperature=TEMPERATURE,
    )


OPENLEGION = Declared(
    name="openlegion",
    says=sentence(
        "By shares of the model's window: facts are stored ahead, then a summary and the last messages."
    ),
    by=openlegion_policy,
)


CUSTOM_OPENING = "[summary] "


def custom_policy(settings: Settings, window_tokens: int) -> Policy:
    """Return the policy by the settings that begin with `custom_`."""
    compact, flush = settings.custom_compact, settings.custom_flush
    return Policy(
        name="custom",
        retain=settings.custom_retain,
        window_tokens=window_tokens,
        messages_from=settings.custom_messages + 1 if settings.custom_messages else None,
        characters_from=settings.custom_characters + 1 if settings.custom_characters else None,
        tokens_from=share(window_tokens, compact) if compact else None,
        flush_from=share(window_tokens, flush) if flush else None,
        summarise=settings.custom_summary,
        opening=CUSTOM_OPENING,
        instruction=AGENTIX_INSTRUCTION,
        summary_tokens=settings.summary_tokens,
    )


CUSTOM = Declared(
    name="custom",
    says=sentence("As this desk's settings say: messages, characters, or a share of the model's window."),
    by=custom_policy,
)


POLICIES: tuple[Declared, ...] = (AGENTICX, AGENTIX, OPENLEGION, CUSTOM)
BY_NAME: dict[str, Declared] = {each.name: each for each in POLICIES}
WINDOW_AT_MOST = 100_000_000
"""Most tokens of a window; far beyond any model."""


def policy_for(settings: Settings, name: str | None, window_tokens: int | None) -> Policy:
    """Return the policy of this name, or the settings' default. Raises BadAsk for an unknown name or an
    invalid window."""
    wanted = settings.context_policy if name is None else name
    if wanted not in BY_NAME:
        raise BadAsk(
            sentence("There is no policy “{wanted}”.", wanted=wanted),
            next=sentence("The policies are {by_name}.", by_name=", ".join(BY_NAME)),
        )
    window = settings.context_window if window_tokens is None else window_tokens
    if not 1 <= window <= WINDOW_AT_MOST:
        raise BadAsk(sentence("window_tokens lies between 1 and {count}.", count=f"{WINDOW_AT_MOST:,}"))
    policy = BY_NAME[wanted].by(settings, window)
    return replace(policy, instruction=settings.summary_prompt) if settings.summary_prompt else policy
