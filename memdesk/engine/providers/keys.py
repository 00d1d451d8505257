"""Source of API keys: the environment, or the system's keyring. Keys are never stored, logged or shown."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import httpx

from memdesk.model.message import message

KEYRING = "memdesk"
"""Service name of the keys in the keyring, one for each host: `keyring set memdesk api.openai.com`."""
WELL_KNOWN = {"api.openai.com": "OPENAI_API_KEY", "api.anthropic.com": "ANTHROPIC_API_KEY"}
"""Variables that these two services' own programs read. They are never sent to another host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """API key, "" for none. source: where it was found, as a phrase."""

    value: str = field(default="", repr=False)
    source: str = "none"

    def hidden_in(self, text: str) -> str:
        """Return a text with the key removed, because servers often repeat the key they refuse."""
        return text.replace(self.value, "…") if self.value else text


def key_for(url: str, variable: str) -> Key:
    """Return the key of the server at `url`: from `variable`, else from the host's own variable, else from
    the keyring."""
    host = httpx.URL(url).host
    for name in (variable, WELL_KNOWN.get(host, "")):
        if name and (value := os.environ.get(name, "").strip()):
            return Key(value=value, source=name)
    if value := _from_keyring(host):
        return Key(value=value, source=message("the system's keyring"))
    return Key()


def _from_keyring(host: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        held: Any = keyring.get_password(KEYRING, host)
    except (KeyringError, OSError, RuntimeError):
        # A machine without a desktop has no keyring, or a locked one: then there is no key, and the server says so.
        return ""
    return held.strip() if isinstance(held, str) else ""
