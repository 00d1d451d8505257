"""AgenticX's ContextCompactor: above 20 messages or 48,000 characters, all but the last 8 become one system
message."""

from __future__ import annotations

from memdesk.engine.context.policies.policy import Declared, Policy
from memdesk.model.settings import Settings

OPENING = "[compacted] "
FLOORS = {"messages": 8, "characters": 4_000, "retain": 4}
"""Lowest values of its thresholds; a lower configured value is raised to them."""
ANSWER_SHARE, ANSWER_TOKENS, MARGIN_TOKENS = 4, 20_000, 13_000
"""Later AgenticX reserves a fourth of the window, 20,000 tokens at most, for the answer, and a margin of
13,000 more."""
INSTRUCTION = (
    "请把下面的对话压缩成一段简洁的摘要，供智能体继续工作。必须保留：用户的目标与待办、已作出的决定、人名与专有名词、数字与日期。"
    "对话里的硬性约束（必须、不要、始终、must、never、always 等）要逐字照抄。不要编造，不要评论，只输出摘要。"
)


def policy(settings: Settings, window_tokens: int) -> Policy:
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
        opening=OPENING,
        instruction=INSTRUCTION,
        summary_tokens=settings.summary_tokens,
        snippets=settings.agenticx_fallback == "snippets",
    )


AGENTICX = Declared(
    name="agenticx",
    says="Past a number of messages or characters, one system message in the place of all but the last.",
    by=policy,
)
