"""Settings while the desk runs: all or none, told in the journal, kept in the file beside a person's own comments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memdesk.engine.browsing.history import event, page
from memdesk.engine.engine import Engine
from memdesk.engine.health.settings import change_settings, list_settings
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.files.settings import load_settings
from memdesk.model.errors import BadAsk, StorageFailed
from memdesk.model.history import AskEvent, AskHistory
from memdesk.model.settings import DEFAULTS, NAMES
from memdesk.model.status import ChangeSettings, SettingRow, SettingsChanged

PERSON = "person:Mara"


def change(engine: Engine, *reset: str, **values: bool | int | float | str) -> SettingsChanged:
    return change_settings(engine, ChangeSettings(values=values, reset=reset), author=PERSON)


def row(engine: Engine, name: str) -> SettingRow:
    return next(each for each in list_settings(engine).rows if each.name == name)


def test_every_setting_is_listed_with_its_range_and_reason(engine: Engine) -> None:
    rows = list_settings(engine).rows
    assert tuple(each.name for each in rows) == NAMES
    assert all(each.why and not each.changed for each in rows)
    assert (row(engine, "recall_limit").low, row(engine, "recall_limit").high) == (1, 100)
    assert row(engine, "audit_level").choices == ("off", "writes", "reads", "verbose")


def test_a_change_holds_at_once_and_after_the_next_start(engine: Engine, tmp_path: Path) -> None:
    done = change(engine, recall_limit=20, speaker_boost=0)
    assert {(each.name, each.value, each.changed) for each in done.rows} == {
        ("recall_limit", 20, True),
        ("speaker_boost", 0.0, True),
    }
    assert engine.settings.recall_limit == 20
    engine.close()
    again = open_engine(Desk(tmp_path / "desk"))
    assert (again.settings.recall_limit, again.settings.speaker_boost) == (20, 0.0)
    again.close()


def test_a_change_is_an_event_with_before_and_after(engine: Engine) -> None:
    done = change(engine, recall_limit=20)
    assert done.change is not None
    told = event(engine, AskEvent(id=done.change))
    assert told.row.title == "Setting recall_limit: 10 → 20"
    assert (told.row.op, told.row.author, told.row.undoable) == ("update", PERSON, False)
    assert told.details == {"settings": {"recall_limit": {"before": 10, "after": 20}}}


def test_bad_values_are_refused_with_the_range_or_the_choices(engine: Engine) -> None:
    with pytest.raises(BadAsk, match="between 1 and 100"):
        change(engine, recall_limit=0)
    with pytest.raises(BadAsk, match="off, writes, reads, verbose"):
        change(engine, audit_level="loud")
    with pytest.raises(BadAsk, match="true or false"):
        change(engine, recall_hyde="yes")
    with pytest.raises(BadAsk, match="no setting recal_limit") as wrong:
        change(engine, recal_limit=3)
    assert "recall_limit" in wrong.value.next


def test_one_bad_value_leaves_every_setting_as_it_was(engine: Engine) -> None:
    with pytest.raises(BadAsk):
        change(engine, recall_limit=20, graph_depth=9)
    assert engine.settings == DEFAULTS
    assert not engine.desk.settings.exists()
    assert page(engine, AskHistory()).total == 0


def test_a_persons_comments_and_order_stay(engine: Engine) -> None:
    engine.desk.settings.write_text(
        '# my desk\nperson = "Mara"  # me\n\n# shorter answers\nrecall_limit = 5\n'
    )
    change(engine, recall_limit=7, graph_depth=3)
    assert engine.desk.settings.read_text() == (
        '# my desk\nperson = "Mara"  # me\n\n# shorter answers\nrecall_limit = 7\ngraph_depth = 3\n'
    )


def test_reset_takes_a_setting_out_of_the_file(engine: Engine) -> None:
    change(engine, recall_limit=20, graph_depth=3)
    done = change(engine, "recall_limit")
    assert [(each.name, each.value, each.changed) for each in done.rows] == [("recall_limit", 10, False)]
    assert load_settings(engine.desk.settings) == replace(DEFAULTS, graph_depth=3)
    assert "recall_limit" not in engine.desk.settings.read_text()


def test_what_is_so_already_is_no_event(engine: Engine) -> None:
    assert change(engine, recall_limit=10).change is None
    assert page(engine, AskHistory()).total == 0


def test_a_file_that_cannot_be_read_is_left_alone(engine: Engine) -> None:
    engine.desk.settings.write_text("recall_limit = [")
    with pytest.raises(BadAsk, match="cannot be read"):
        change(engine, graph_depth=3)
    assert engine.desk.settings.read_text() == "recall_limit = ["
    assert engine.settings == DEFAULTS


def test_a_folder_in_the_place_of_the_file_is_told(engine: Engine) -> None:
    engine.desk.settings.mkdir()
    with pytest.raises(BadAsk, match="cannot be read: .*directory"):
        change(engine, graph_depth=3)


def test_a_change_that_cannot_be_journalled_puts_the_file_back(engine: Engine) -> None:
    change(engine, recall_limit=20)
    engine.store.close()
    with pytest.raises(StorageFailed):
        change(engine, recall_limit=30)
    assert load_settings(engine.desk.settings).recall_limit == 20
    assert engine.settings.recall_limit == 20


def test_nothing_named_and_set_and_reset_at_once_are_refused(engine: Engine) -> None:
    with pytest.raises(BadAsk, match="No setting"):
        change(engine)
    with pytest.raises(BadAsk, match="at once"):
        change(engine, "recall_limit", recall_limit=20)
