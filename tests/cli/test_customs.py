"""What an archive from elsewhere brings is listed and accepted on the command line, and a source is revoked there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from tests.fixtures.interop.forging import forge, made


def test_an_import_lists_what_needs_a_yes_and_takes_what_was_accepted(memdesk: Any, tmp_path: Path) -> None:
    facts = [made(FACT, f"f_{n}", claim=f"Berth {n} is\u200b free", pinned=1) for n in (1, 2)]
    path = str(forge(tmp_path, {FACT.table: facts}))
    said = memdesk("import", path, "--preview").out
    assert "! pins: 2, 0 accepted. Without a yes they come in unpinned" in said
    assert "- pins:f_1 Pinned: Berth 1 is‹ZWSP› free" in said and "--accept all" in said
    assert (
        "a kind with --accept trust, one thing with --accept trust:ID"
        in memdesk("import", path, "--preview", "--accept", "pins").out
    )
    assert memdesk("import", path, "--yes", "--accept", "pin").code == BadAsk.exit_code
    done = memdesk("import", path, "--yes", "--accept", "trust,standing", "--accept", "pins:f_2")
    assert done.code == 0 and "+ pins:f_2" in done.out
    rows = json.loads(memdesk("facts", "--json").out)["rows"]
    assert {row["id"]: row["pinned"] for row in rows} == {"f_1": False, "f_2": True}


def test_an_import_is_looked_at_revoked_and_brought_back(memdesk: Any, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(
        json.dumps({"role": "user", "content": "We decided to use PostgreSQL for the ingest."}) + "\n"
    )
    job = json.loads(memdesk("import", str(path), "--json").out)["job"]
    run = job["result"]["run"]
    look = memdesk("revoke", "--run", run, "--look")
    assert look.code == 0 and "1 turn" in look.out and "Stored by it" in look.out, look.err
    done = memdesk("revoke", "--run", run, "--yes")
    assert done.code == 0 and "Taken out of memory" in done.out, done.err
    words = done.out.split("`")[1].split()
    assert words[:2] == ["memdesk", "undo"] and words[3] == "--run"
    assert memdesk(*words[1:]).code == 0
    assert "1 turn" in memdesk("revoke", "--run", run, "--look").out
    assert memdesk("revoke", "--session", "nowhere", "--look").code != 0
