"""Backups on the command line: made, listed, and put in the desk's place, even where it cannot be opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memdesk.files.places import Desk

Run = Callable[..., Any]


def claims(memdesk: Run) -> set[str]:
    return {row["claim"] for row in memdesk("facts", "--json").json["rows"]}


def test_a_backup_is_made_listed_and_restored_by_name(memdesk: Run) -> None:
    memdesk("remember", "Cranes lift cargo")
    said = memdesk("backup", "now").out
    name = said.split()[0]
    assert said == f"{name} is made and tested.\n" and name.endswith("by-hand")
    memdesk("remember", "Tugs pull ships")
    shown = memdesk("backup").out
    assert name in shown and "1 fact, 0 entities" in shown and "are free." in shown
    done = memdesk("backup", "restore", name, "--yes")
    assert (done.code, f"Restored {name}." in done.out, "is kept as" in done.out) == (0, True, True)
    assert claims(memdesk) == {"Cranes lift cargo"}
    kept = memdesk("backup", "list", "--json").json["last_restore"]["kept"]
    memdesk("backup", "restore", kept, "--yes")
    assert claims(memdesk) == {"Cranes lift cargo", "Tugs pull ships"}


def test_a_restore_names_one_backup_or_one_moment(memdesk: Run) -> None:
    assert memdesk("backup", "restore").code == 2
    assert memdesk("backup", "restore", "yesterday", "--yes").code == 4
    assert memdesk("backup", "restore", "--at", "2001-01-01", "--yes").code == 4


def test_a_desk_that_cannot_be_opened_is_brought_back(memdesk: Run, desk: Desk) -> None:
    memdesk("remember", "Cranes lift cargo")
    memdesk("backup", "now")
    memdesk("stop")
    desk.database.write_bytes(b"\0" * 8192)
    assert memdesk("facts").code == 10
    newest = memdesk("backup", "--json").json["rows"][0]["name"]
    assert memdesk("backup", "restore", newest, "--yes").code == 0
    assert "Cranes lift cargo" in claims(memdesk)
