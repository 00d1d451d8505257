"""What the fields of a record are called in the window."""

from __future__ import annotations

from memdesk.gui.inspectors import fields
from memdesk.model.kinds import KINDS

UNSEEN = {"id", "seq"}


def test_every_field_of_every_record_has_a_name_in_words() -> None:
    columns = {column for kind in KINDS for column in kind.columns}
    assert columns - fields.BOOKKEEPING - UNSEEN <= set(fields.NAMES)
