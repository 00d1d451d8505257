"""Putting memory in order from the command line: channels, tags, the review queue, merging, and the ways back."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.model.errors import BadAsk, Conflict


def learned(memdesk: Any, claim: str, channel: str, *more: str) -> str:
    return str(memdesk("remember", claim, "--channel", channel, "--json", *more).json["id"])


def test_channels_are_listed_made_renamed_merged_archived_and_restored(memdesk: Any) -> None:
    learned(memdesk, "The ferry leaves at nine", "harbour")
    assert "Channel island" in memdesk("channels", "create", "island").out
    said = memdesk("channels", "rename", "harbour", "port")
    assert "Channel harbour renamed to port. Moved 1 fact." in said.out and "--run` takes it back" in said.out
    change = memdesk("channels", "merge", "port", "island", "--json").json["result"]["change"]
    assert [row["name"] for row in memdesk("channels", "--json").json["rows"]] == ["island"]
    assert memdesk("undo", str(change), "--run").out.startswith("Took ")
    assert memdesk("redo").out.startswith("Did ")
    assert memdesk("undo", str(change), "--run").code == 0
    assert memdesk("undo", str(change), "--run").out.startswith("Nothing to undo.")
    assert memdesk("channels", "archive", "port", "--reason", "winter").code == 0
    assert "archived" in memdesk("channels", "--archived").out and "port" not in memdesk("channels").out
    assert "Restored channel port" in memdesk("channels", "restore", "port").out


def test_a_channel_that_is_not_named_is_asked_for(memdesk: Any) -> None:
    for words in (("archive",), ("rename", "harbour")):
        assert memdesk("channels", *words).code == 2
    assert memdesk("channels", "rename", "nowhere", "somewhere").code == 4


def test_memory_is_tagged_and_found_by_its_tag(memdesk: Any) -> None:
    id = learned(memdesk, "Lamps are lit at dusk", "lights")
    assert memdesk("tag", id, "Daily", "night").out == f"{id}: daily, night\n"
    assert memdesk("tag", id, "night", "--remove").out == f"{id}: daily\n"
    assert "daily" in memdesk("tag").out
    assert [row["id"] for row in memdesk("facts", "--tag", "daily", "--json").json["rows"]] == [id]


def test_duplicates_are_asked_about_and_answered(memdesk: Any) -> None:
    for name in ("PostgreSQL", "Postgres"):
        learned(memdesk, f"The log runs on {name}", "store", "--about", name)
    found = memdesk("review", "--find-duplicates", "--type", "duplicate")
    assert "subject: “Postgres”" in found.out and "Asked about 1 possible duplicate" in found.err
    (question,) = memdesk("review", "--json", "--channel", "store", "--type", "duplicate").json["rows"]
    assert memdesk("review", question["id"]).code == 2
    assert "opens it again" in memdesk("review", question["id"], "merge").out
    assert memdesk("review", question["id"], "dismiss").code == 5
    assert memdesk("review", "--state", "accepted", "--json").json["rows"][0]["decision"] == "merge"


def test_a_decision_for_all_of_a_source_is_added_listed_and_lifted(memdesk: Any) -> None:
    assert "Nothing is decided once for all" in memdesk("standing").err
    added = memdesk("standing", "add", "promotion", "dismiss", "--agent", "Iris")
    assert added.code == 0 and "memdesk standing lift" in added.out
    (row,) = memdesk("standing", "--json").json["rows"]
    assert (row["type"], row["source_kind"], row["source"]) == ("promotion", "agent", "Iris")
    assert memdesk("standing", "--agent", "Forge", "--json").json["rows"] == []
    assert row["says"] in memdesk("standing", "--agent", "Iris").out
    again = memdesk("standing", "add", "promotion", "dismiss", "--agent", "Iris")
    assert again.code == Conflict.exit_code
    wrong = memdesk("standing", "add", "promotion", "sing", "--agent", "Iris")
    assert wrong.code == BadAsk.exit_code and "promotion: " in wrong.err
    for words in (("add", "promotion", "dismiss"), ("add", "promotion", "--agent", "Iris"), ("lift",)):
        assert memdesk("standing", *words).code == BadAsk.exit_code
    lifted = memdesk("standing", "lift", row["id"])
    assert "lets it stand again" in lifted.out
    assert memdesk("standing", "--json").json["rows"] == []
    assert "lifted" in memdesk("standing", "--all").out
    assert memdesk("standing", "lift", row["id"]).code == Conflict.exit_code
    assert memdesk("undo").code == 0
    assert memdesk("standing", "--json").json["rows"][0]["id"] == row["id"]


def test_a_promotion_is_demoted_and_what_is_retired_or_wrongly_filed_is_put_right(memdesk: Any) -> None:
    id = learned(memdesk, "Gulls nest on the roof", "birds")
    copy = memdesk("promote", id, "--json").json["id"]
    assert "Demoted as change" in memdesk("demote", copy, "--reason", "only here").out
    assert memdesk("retire", id).code == 0
    assert "Restored as change" in memdesk("restore", id).out
    assert "Moved as change" in memdesk("move", id, "roofs").out
    assert "Forgot as change" in memdesk("forget", id).out
    assert memdesk("forget", id).code == 5


@pytest.mark.parametrize("preview", [True, False])
def test_a_merge_can_be_looked_at_first(memdesk: Any, preview: bool) -> None:
    kept, lost = (
        learned(memdesk, f"{claim}, {preview}", "tides")
        for claim in ("High water is at ten", "At ten it is high")
    )
    said = memdesk("merge", lost, kept, *(["--preview"] if preview else []))
    assert ("would go into" if preview else "Merged as change") in said.out


def test_a_user_is_erased_only_when_named_twice(memdesk: Any) -> None:
    memdesk("remember", "The guest prefers the quiet room", "--user", "guest")
    refused = memdesk("erase", "guest")
    assert refused.code == 2 and "nothing was erased" in refused.err
    assert memdesk("facts", "--user", "guest", "--json").json["total"] == 1
    assert "Erased" in memdesk("erase", "guest", "--confirm", "guest", "--backups").out
    assert memdesk("facts", "--user", "guest", "--json").json["total"] == 0
    assert memdesk("erase", "guest", "--confirm", "guest").code == 4
