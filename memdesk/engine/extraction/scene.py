"""Who speaks to whom. A scene is kept per speaker while a conversation is read: it says who "she" and "you" are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Scene:
    """One speaker's side of a conversation.

    agent: the speaker is an agent, whose outcomes alone count. at_work: a person instructs an agent, so that orders and
    impersonal statements are meant as facts. called: participants' names in small letters. names: first words, in
    small letters, of the names in this conversation. antecedent: whom "he" or "she" may mean, with that pronoun."""

    speaker: str
    partner: str | None
    agent: bool
    at_work: bool
    called: frozenset[str]
    names: frozenset[str]
    antecedent: tuple[str, str] | None = None
