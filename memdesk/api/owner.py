"""Owner: the passphrase that confirms dangerous calls."""

from __future__ import annotations

from memdesk.api.endpoint import Post
from memdesk.model.owner import NewPassphrase, PassphraseSet

PASSPHRASE = Post(
    "owner.passphrase",
    NewPassphrase,
    PassphraseSet,
    "Set the passphrase that erasing, restoring, exporting and granting ask for, or remove it",
    "service.desk_calls:set_owner_passphrase",
    owner=True,
    confirmed=True,
    example=NewPassphrase(passphrase=""),
)
