"""Masking of requests at the doors of the engine: calls, tools and what they carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from memdesk.engine.secrets.vault import Vault

T = TypeVar("T")
_MEANT = frozenset({"token", "passphrase", "password", "confirm"})
"""Fields of requests that must have their value as it is: it is used, and never stored."""


def masked(vault: Vault, value: T) -> T:
    """Return a request, or arguments in JSON, with the secrets in all its texts replaced by placeholders."""
    result: Any = _masked(vault, value)
    return result  # type: ignore[no-any-return]


def _masked(vault: Vault, value: Any) -> Any:
    match value:
        case str():
            return vault.masked(value)
        case tuple() | list():
            parts = [_masked(vault, each) for each in value]
            return value if all(a is b for a, b in zip(parts, value, strict=True)) else type(value)(parts)
        case Mapping():
            return {name: _named(vault, str(name), each) for name, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        moved = {
            each.name: after
            for each in fields(value)
            if each.name not in _MEANT
            and (after := _masked(vault, before := getattr(value, each.name))) is not before
        }
        return replace(value, **moved) if moved else value
    return value


def _named(vault: Vault, name: str, value: Any) -> Any:
    """Return an entry of a JSON object masked; its name may be what calls the value a password."""
    if isinstance(value, str):
        prefix = f'{name}: "'
        quoted = vault.masked(f'{prefix}{value}"')
        if quoted.startswith(prefix) and quoted.endswith('"'):
            value = quoted[len(prefix) : -1]
    return _masked(vault, value)
