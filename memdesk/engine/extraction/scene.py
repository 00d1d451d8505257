"""Scene of a speaker while a conversation is read: it records who is speaking to whom, and who "she" and
"you" are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Scene:
    """State of one speaker in a conversation.

    agent: the speaker is an agent, so that only reported outcomes count. at_work: a person instructs an
    agent, so that orders and impersonal statements are meant as facts. called: names of the speakers in lower
    case. names: first words, in lower case, of the names in this conversation. antecedent: the person that
    "he" or "she" may mean, and that pronoun."""

    speaker: str
    partner: str | None
    agent: bool
    at_work: bool
    called: frozenset[str]
    names: frozenset[str]
    antecedent: tuple[str, str] | None = None
