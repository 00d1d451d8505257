"""Owner: the passphrase that confirms dangerous calls."""

from __future__ import annotations

from memdesk.api.endpoint import Post
from memdesk.model.agent import AnswerAct, AskConfirmation, Confirmed, NewPassphrase, PassphraseSet
from memdesk.model.status import Nothing
from memdesk.model.team import OWNER

PASSPHRASE = Post(
    "owner.passphrase",
    NewPassphrase,
    PassphraseSet,
    "Set the passphrase that erasing, restoring, exporting and granting ask for, or remove it",
    "service.desk_calls:set_owner_passphrase",
    role=OWNER,
    confirmed=True,
    example=NewPassphrase(passphrase=""),
)
CONFIRM = Post(
    "owner.confirm",
    AskConfirmation,
    Confirmed,
    "Have a person confirm an act that a command carries out itself",
    "service.desk_calls:confirm_act",
    role=OWNER,
    here=True,
    confirmed=True,
    example=AskConfirmation(what="Restore the backup of Monday"),
)
ANSWER = Post(
    "owner.answer",
    AnswerAct,
    Nothing,
    "Allow or refuse an act that waits for a click; only the window may",
    "service.desk_calls:answer_act",
    role=OWNER,
    here=True,
    window=True,
    example=AnswerAct(id="w_01K5C0NF1RM", allow=False),
)
