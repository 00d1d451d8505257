"""Seal of an archive: proof that this very desk made it, by a key that never leaves the desk's folder."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from typing import Any

from memdesk.files.atomic import write_atomic
from memdesk.files.places import Desk
from memdesk.model.errors import StorageFailed
from memdesk.model.message import message

SEAL = "seal"
"""Entry of the manifest that has the seal of all its other entries, among them the digest of every file."""
KEY_BYTES = 32
OWN, CHANGED, FOREIGN = "own", "changed", "foreign"
"""Origins of an archive: made by this desk, made by it and changed since, made elsewhere."""


def sealed(desk: Desk, manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest with the desk's seal. Raises StorageFailed where the key cannot be read or made."""
    if not desk.archive_key.exists():
        write_atomic(desk.archive_key, secrets.token_bytes(KEY_BYTES))
    key = _key(desk)
    return {**manifest, SEAL: {"desk": _name(key), "mac": _mac(key, manifest)}}


def origin(desk: Desk, manifest: dict[str, Any]) -> str:
    """Return OWN, CHANGED or FOREIGN for the manifest of an archive. Raises StorageFailed."""
    seal = manifest.get(SEAL)
    if not isinstance(seal, dict) or not desk.archive_key.exists():
        return FOREIGN
    key = _key(desk)
    if seal.get("desk") != _name(key):
        return FOREIGN
    rest = {name: value for name, value in manifest.items() if name != SEAL}
    given = str(seal.get("mac")).encode("utf-8", "replace")
    return OWN if hmac.compare_digest(given, _mac(key, rest).encode()) else CHANGED


def _key(desk: Desk) -> bytes:
    try:
        key = desk.archive_key.read_bytes()
    except OSError as error:
        raise StorageFailed(
            message(
                "The key {path} cannot be read: {strerror}.", path=desk.archive_key, strerror=error.strerror
            )
        ) from error
    if len(key) != KEY_BYTES:
        raise StorageFailed(
            message("The key {path} is damaged.", path=desk.archive_key),
            next=message("Remove the file; archives made before then count as made elsewhere."),
        )
    return key


def _name(key: bytes) -> str:
    """Return the name of the desk in its seals, from which the key cannot be computed."""
    return hmac.new(key, b"memdesk archive: name", hashlib.sha256).hexdigest()[:32]


def _mac(key: bytes, manifest: dict[str, Any]) -> str:
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, b"memdesk archive: manifest\n" + text.encode(), hashlib.sha256).hexdigest()
