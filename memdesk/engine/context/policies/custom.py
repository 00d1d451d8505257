"""The desk's own policy: limits on messages, characters and share of the window, each from the settings, 0
for none."""

from __future__ import annotations

from memdesk.engine.context.policies.agentix import INSTRUCTION
from memdesk.engine.context.policies.policy import Declared, Policy, share
from memdesk.model.settings import Settings

OPENING = "[summary] "


def policy(settings: Settings, window_tokens: int) -> Policy:
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
        opening=OPENING,
        instruction=INSTRUCTION,
        summary_tokens=settings.summary_tokens,
    )


CUSTOM = Declared(
    name="custom",
    says="As this desk's settings say: messages, characters, or a share of the model's window.",
    by=policy,
)
