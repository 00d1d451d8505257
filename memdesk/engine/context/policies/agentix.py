"""Agentix's context memory: past 16,384 tokens the last 10 messages stay; the others are summarised, or dropped."""

from __future__ import annotations

from memdesk.engine.context.policies.policy import Declared, Policy
from memdesk.model.settings import Settings

OPENING = "Summary of the conversation so far:\n\n"
INSTRUCTION = (
    "Summarise the conversation so that the agent keeps its gist. Keep the user's goals, decisions, open tasks, names, "
    "numbers and dates. Copy hard constraints (must, never, always, only) word for word. Invent nothing. Answer with "
    "the summary alone, in the conversation's language."
)


def policy(settings: Settings, window_tokens: int) -> Policy:
    """Return the policy by the settings: conversation_summarization_enabled, max_conversation_window,
    max_context_tokens."""
    return Policy(
        name="agentix",
        retain=settings.agentix_window,
        window_tokens=window_tokens,
        tokens_from=settings.agentix_tokens + 1,
        summarise=settings.agentix_summarization,
        opening=OPENING,
        instruction=INSTRUCTION,
        summary_tokens=settings.summary_tokens,
    )


AGENTIX = Declared(
    name="agentix",
    says="Past a number of tokens, a summary and the last messages; or, without summaries, the last messages alone.",
    by=policy,
)
