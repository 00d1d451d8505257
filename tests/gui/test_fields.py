"""What the fields of a record are called in the window."""

from __future__ import annotations

from memdesk.gui import formatting
from memdesk.gui.inspectors import fields
from memdesk.model.history import FieldMove
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import KINDS

UNSEEN = {"id", "seq"}


def test_every_field_of_every_record_has_a_name_in_words() -> None:
    columns = {column for kind in KINDS for column in kind.columns}
    assert columns - fields.BOOKKEEPING - UNSEEN <= set(fields.NAMES)


def test_days_of_a_claim_are_days_and_what_only_the_desk_reads_is_left_out() -> None:
    moves = [
        FieldMove(record="f_1", kind="fact", title="", field=name, before=None, after=value)
        for name, value in (("valid_from", "1795737600000000"), ("details", '{"ids": []}'))
    ]
    (cell,) = fields.cells(moves)
    assert cell.name == "valid from" and cell.after == formatting.day(to_datetime(1795737600000000))
