"""`memdesk jobs`: the schedule, a run, a dry run, pausing, and the history."""

from __future__ import annotations

from typing import Any

from memdesk.model.errors import BadAsk, NotFound


def test_the_jobs_are_listed_with_their_schedule(memdesk: Any) -> None:
    rows = {row["name"]: row for row in memdesk("jobs", "--json").json["rows"]}
    assert (rows["consolidate"]["every_minutes"], rows["embedding"]["by_change"]) == (15, True)
    said = memdesk("jobs").out
    assert "15 minutes" in said and "every" in said.lower() and "day" in said


def test_a_job_is_run_dry_and_for_real_and_stands_in_the_history(memdesk: Any) -> None:
    memdesk("remember", "Mara prefers green tea")
    dry = memdesk("jobs", "run", "decay", "--dry")
    assert (dry.code, "decay: Would change nothing." in dry.out) == (0, True)
    assert memdesk("jobs", "run", "decay", "--json").json["result"]["asked"] == 0
    history = memdesk("jobs", "history", "decay", "--json").json
    assert [(run["dry"], run["state"]) for run in history["rows"]] == [(False, "done"), (True, "done")]
    assert history["rows"][0]["author"].startswith("person:")
    assert "done, dry" in memdesk("jobs", "history").out


def test_a_job_is_paused_and_resumed(memdesk: Any) -> None:
    assert "resume cleanup" in memdesk("jobs", "pause", "cleanup").out
    assert "paused" in memdesk("jobs").out
    memdesk("jobs", "resume", "cleanup")
    assert "paused" not in memdesk("jobs").out


def test_all_jobs_are_stopped_and_started(memdesk: Any) -> None:
    assert "jobs start" in memdesk("jobs", "stop").out
    assert not memdesk("jobs", "--json").json["enabled"] and "jobs start" in memdesk("jobs").out
    memdesk("jobs", "start")
    assert memdesk("jobs", "--json").json["enabled"]


def test_a_missing_or_unknown_name_is_a_sentence(memdesk: Any) -> None:
    assert memdesk("jobs", "run").code == BadAsk.exit_code
    wrong = memdesk("jobs", "run", "tidy")
    assert (wrong.code, "consolidate" in wrong.err) == (NotFound.exit_code, True)
