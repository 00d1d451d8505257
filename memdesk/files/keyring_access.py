"""Access to the system's keyring, through the package keyring of the extras `keyring` and `encryption`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from memdesk.model.errors import StorageFailed
from memdesk.model.extras import install_extra
from memdesk.model.message import message


def get(service: str, name: str) -> str | None:
    """Return an entry, None where there is none. Raises StorageFailed where the keyring does not answer."""
    found = _asked(lambda keyring: keyring.get_password(service, name))
    return found if isinstance(found, str) and found else None


def put(service: str, name: str, value: str) -> None:
    """Store an entry and read it back. Raises StorageFailed."""
    _asked(lambda keyring: keyring.set_password(service, name, value))
    if get(service, name) != value:
        raise StorageFailed(message("The system's keyring did not keep what it was given."))


def remove(service: str, name: str) -> None:
    """Remove an entry; a keyring that does not answer keeps it."""
    with suppress(StorageFailed):
        _asked(lambda keyring: keyring.delete_password(service, name))


def _asked(ask: Callable[[Any], Any]) -> Any:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise StorageFailed(
            message("The package keyring is not installed."), next=install_extra("keyring")
        ) from None
    try:
        return ask(keyring)
    except (KeyringError, OSError, RuntimeError) as refused:
        raise StorageFailed(
            message("The system's keyring does not answer: {refused}.", refused=refused),
            next=message("Unlock it, or start a session with one."),
        ) from refused
