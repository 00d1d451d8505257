"""POLICIES: all policies for keeping a context short, one small file each."""

from __future__ import annotations

from memdesk.engine.context.policies.agenticx import AGENTICX
from memdesk.engine.context.policies.agentix import AGENTIX
from memdesk.engine.context.policies.custom import CUSTOM
from memdesk.engine.context.policies.openlegion import OPENLEGION
from memdesk.engine.context.policies.policy import Declared, Policy
from memdesk.model.errors import BadAsk
from memdesk.model.settings import Settings

POLICIES: tuple[Declared, ...] = (AGENTICX, AGENTIX, OPENLEGION, CUSTOM)
BY_NAME: dict[str, Declared] = {each.name: each for each in POLICIES}
WINDOW_AT_MOST = 100_000_000
"""Most tokens of a window; far beyond any model."""


def policy_for(settings: Settings, name: str | None, window_tokens: int | None) -> Policy:
    """Return the policy of this name, or the settings' default. Raises BadAsk for an unknown name or an
    invalid window."""
    wanted = settings.context_policy if name is None else name
    if wanted not in BY_NAME:
        raise BadAsk(f"There is no policy “{wanted}”.", next=f"The policies are {', '.join(BY_NAME)}.")
    window = settings.context_window if window_tokens is None else window_tokens
    if not 1 <= window <= WINDOW_AT_MOST:
        raise BadAsk(f"window_tokens lies between 1 and {WINDOW_AT_MOST:,}.")
    return BY_NAME[wanted].by(settings, window)
