"""The desk's own state on the command line: its audit log, its journal's chain, its numbers and its settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memdesk.files.places import Desk
from memdesk.model.errors import StorageFailed
from memdesk.store import binding

Run = Callable[..., Any]


def test_the_audit_log_is_listed_and_narrowed(memdesk: Run) -> None:
    memdesk("remember", "Cranes lift cargo", "--channel", "harbour")
    shown = memdesk("audit", "--channel", "harbour", "--op", "learn", "--type", "semantic")
    assert "Cranes lift cargo" in shown.out
    rows = memdesk("audit", "--channel", "harbour", "--json").json["rows"]
    assert {row["source_channel"] for row in rows} == {"harbour"}
    assert memdesk("audit", "--failed").out == ""


def test_what_was_refused_is_in_the_audit_log(memdesk: Run) -> None:
    change = memdesk("remember", "A passing thought", "--json").json["change"]
    memdesk("undo", str(change))
    assert memdesk("undo", str(change)).code == 5
    shown = memdesk("audit", "--failed")
    assert "undo (refused)" in shown.out
    assert "undone already" in shown.out


def test_older_rows_are_asked_for_by_the_row_they_follow(memdesk: Run) -> None:
    first = memdesk("audit", "--limit", "1")
    older = first.err.partition("--after ")[2].strip(" .\n")
    row = memdesk("audit", "--limit", "1", "--after", older, "--json").json["rows"][0]
    assert row["id"] < int(older)


def test_the_days_of_the_audit_log_are_listed(memdesk: Run) -> None:
    shown = memdesk("audit", "--days")
    assert "open" in shown.out
    assert "Level writes; days are kept for 365 days." in shown.err


def test_verify_says_that_all_holds_and_where_the_chain_stands(memdesk: Run) -> None:
    shown = memdesk("verify")
    assert shown.code == 0
    assert "changes hold" in shown.out
    assert len(memdesk("verify", "--json").json["hash"]) == 32


def test_metrics_are_told_in_lines(memdesk: Run) -> None:
    memdesk("remember", "The cargo is late")
    memdesk("recall", "cargo")
    shown = memdesk("metrics").out
    assert "database" in shown and "P95 MS" in shown
    assert memdesk("metrics", "--json").json["memory"]["records"]["fact"] >= 1


def test_a_setting_is_explained_changed_and_put_back(memdesk: Run) -> None:
    assert "range     1 to 100" in memdesk("settings", "recall_limit").out
    assert memdesk("settings", "recall_limit", "20").out == "recall_limit is 20 from now on.\n"
    assert memdesk("settings", "recall_limit", "20").out == "recall_limit was so already.\n"
    assert memdesk("settings", "fusion", "rrf").out == 'fusion is "rrf" from now on.\n'
    changed = memdesk("settings", "--changed", "--json").json["rows"]
    assert {row["name"] for row in changed} == {"recall_limit", "fusion"}
    assert memdesk("settings", "recall_limit", "--reset").out == "recall_limit is 10 from now on.\n"
    memdesk("settings", "fusion", "--reset")
    assert memdesk("settings", "--changed").out == ""
    assert "Setting fusion: rrf → weighted" in memdesk("log", "--limit", "1").out


def test_a_bad_setting_is_refused_with_its_range(memdesk: Run) -> None:
    shown = memdesk("settings", "recall_limit", "1000")
    assert (shown.code, shown.err.splitlines()[0]) == (
        2,
        "memdesk: recall_limit should lie between 1 and 100.",
    )
    assert memdesk("settings", "recal_limit").code == 2
    assert memdesk("settings", "--reset").code == 2


@pytest.mark.file
def test_damage_is_said_after_every_command_until_somebody_answers(memdesk: Run, desk: Desk) -> None:
    memdesk("remember", "The cargo lies in Oslo.")
    raw = binding.sqlite.connect(desk.database, isolation_level=None)
    raw.execute("UPDATE facts SET quote = 'other'")
    raw.close()
    assert memdesk("verify").code == StorageFailed.exit_code

    said = memdesk("facts").err
    assert "Damage of the disk was found in" in said and "memdesk notices answer damaged" in said
    assert memdesk("notices", "--json").json["rows"][0]["id"] == "damaged"

    memdesk("notices", "answer", "damaged")
    assert "Damage" not in memdesk("facts").err
