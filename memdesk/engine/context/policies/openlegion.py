"""OpenLegion's context manager: facts stored from 60 % of the model's window on, a summary and the last 4 from 70 %."""

from __future__ import annotations

from memdesk.engine.context.policies.policy import Declared, Policy, share
from memdesk.model.settings import Settings

OPENING = "## Conversation Summary (auto-compacted)\n\n"
BRIDGE = "Understood, continuing from the summary above."
INSTRUCTION = (
    "Summarise the conversation for the agent that goes on with it: what the user wants, what was decided and done, "
    "what is open, and every name, number and date that still matters. Copy hard constraints (must, never, always) "
    "word for word. Invent nothing. Answer with the summary alone, in the conversation's language."
)
TEMPERATURE = 0.3


def policy(settings: Settings, window_tokens: int) -> Policy:
    """Return the policy by the settings, as shares of the window. The original keeps the last 4 messages,
    whichever role is first."""
    return Policy(
        name="openlegion",
        retain=settings.openlegion_retain,
        window_tokens=window_tokens,
        tokens_from=share(window_tokens, settings.openlegion_compact),
        flush_from=share(window_tokens, settings.openlegion_flush),
        role="user",
        opening=OPENING,
        bridge=BRIDGE,
        instruction=INSTRUCTION,
        summary_tokens=settings.summary_tokens,
        temperature=TEMPERATURE,
    )


OPENLEGION = Declared(
    name="openlegion",
    says="By shares of the model's window: facts are stored ahead, then a summary and the last messages.",
    by=policy,
)
