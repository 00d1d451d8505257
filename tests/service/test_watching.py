"""The service sees what other programs do to files within a second, in bursts, and after folders were away."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memdesk.api import history, recall, upkeep, workspace
from memdesk.api.endpoint import Endpoint
from tests.conftest import Service, until
from tests.service.test_keeping_calls import Caller
from tests.service.test_together import registered


@pytest.fixture
def owner(running_service: Service) -> Iterator[Caller]:
    caller = Caller(running_service, owner=True)
    yield caller
    caller.http.close()


@pytest.fixture
def folder(running_service: Service, tmp_path: Path, owner: Caller) -> Path:
    """A registered workspace that is being watched."""
    folder = tmp_path / "iris"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n\n- Mara likes tea\n")
    asyncio.run(registered(running_service.desk, folder))
    until(
        lambda: any(
            job["name"] == "files" and job["state"] == "done" for job in owner(upkeep.STATUS)["jobs"]
        ),
        "the first look",
    )
    return folder


def found(owner: Caller, word: str) -> set[str]:
    hits = owner(recall.SEARCH, text=word, channel="iris", kinds=["passage"])["hits"]
    return {hit["provenance"]["path"] for hit in hits if word in hit["text"]}


def test_edits_new_files_and_deletions_are_seen_while_they_are_watched(folder: Path, owner: Caller) -> None:
    (folder / "MEMORY.md").write_text("# Memory\n\n- Mara likes cocoa\n")
    until(lambda: found(owner, "cocoa"), "the edit")
    (folder / "memory").mkdir()
    (folder / "memory" / "2026-03-01.md").write_text("- Bought kiwis\n")
    until(lambda: found(owner, "kiwis"), "the new file")
    (folder / "memory" / "2026-03-01.md").unlink()
    until(lambda: not found(owner, "kiwis"), "the deletion")
    rows = owner(history.PAGE, authors=["outside"])["rows"]
    assert [row["op"] for row in rows] == ["retire", "import", "update"]


def test_a_burst_of_files_is_met_whole(folder: Path, owner: Caller) -> None:
    for n in range(300):
        (folder / f"note{n:03}.md").write_text(f"note {n} about herons\n")
    until(lambda: owner(upkeep.STATUS)["documents"] == 301, "the files")
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "only.md").write_text("one left\n")
    until(lambda: owner(upkeep.STATUS)["documents"] == 1, "their deletion")


def test_a_folder_that_was_away_is_looked_through_when_it_is_back(folder: Path, owner: Caller) -> None:
    away = folder.with_name("away")
    folder.rename(away)
    until(lambda: any("is away" in notice for notice in owner(upkeep.STATUS)["notices"]), "the notice")
    assert found(owner, "tea") and not owner(workspace.LIST)["rows"][0]["present"]
    (away / "MEMORY.md").write_text("# Memory\n\n- Mara likes cocoa\n")
    away.rename(folder)
    until(lambda: found(owner, "cocoa"), "the edit")
    assert not owner(upkeep.STATUS)["notices"]
    (folder / "MEMORY.md").write_text("# Memory\n\n- Mara likes broth\n")
    until(lambda: found(owner, "broth"), "the edit")


def test_a_folder_that_another_takes_the_place_of_at_once_is_looked_through_and_watched(
    folder: Path, owner: Caller
) -> None:
    """As by a checkout or a restore: it was away for so short a time that no look at it fell into that."""
    other = folder.with_name("other")
    other.mkdir()
    (other / "MEMORY.md").write_text("# Memory\n\n- Mara likes cocoa\n")
    folder.rename(folder.with_name("away"))
    other.rename(folder)
    until(lambda: found(owner, "cocoa"), "what the new folder holds")
    (folder / "MEMORY.md").write_text("# Memory\n\n- Mara likes broth\n")
    until(lambda: found(owner, "broth"), "an edit in the new folder")


def test_what_happened_while_the_service_was_down_is_seen_at_its_start(
    running_service: Service, folder: Path
) -> None:
    running_service.stop()
    (folder / "MEMORY.md").unlink()
    (folder / "trip.md").write_text("Lisbon by train\n")
    running_service.start()
    owner = Caller(running_service, owner=True)
    until(lambda: found(owner, "Lisbon") == {"trip.md"} and not found(owner, "tea"), "the rename")
    owner.http.close()


def test_our_own_writes_are_not_taken_for_another_programs(folder: Path, owner: Caller) -> None:
    row = owner(workspace.FILES)["rows"][0]
    seen = owner(workspace.READ, document_id=row["document_id"])
    for n in range(5):
        text = seen["text"] + f"- line {n}\n"
        saved = owner(
            workspace.SAVE, document_id=row["document_id"], text=text, base_hash=seen["content_hash"]
        )
        seen = {"text": text, "content_hash": saved["content_hash"]}
    home = owner(workspace.LIST)["rows"][0]["id"]
    made = owner(workspace.CREATE, workspace_id=home, path="new.md", text="New.\n")
    moved = owner(workspace.RENAME, document_id=made["document_id"], path="notes/newer.md")
    owner(workspace.RETIRE, document_id=moved["document_id"])
    time.sleep(1)
    assert owner(history.PAGE, authors=["outside"])["total"] == 0


def test_conflicts_are_listed_shown_and_resolved_over_the_socket(folder: Path, owner: Caller) -> None:
    id = owner(workspace.FILES)["rows"][0]["document_id"]
    seen = owner(workspace.READ, document_id=id)
    asked = {"document_id": id, "base_hash": seen["content_hash"]}
    owner(workspace.SAVE, **asked, text="Mine.\n")
    clash = owner.raw(workspace.SAVE, **asked, text="Yours.\n")
    assert clash.status_code == 409
    conflict = clash.json()["details"]["conflict"]
    assert [row["id"] for row in owner(workspace.CONFLICTS)["rows"]] == [conflict]
    whole = owner(workspace.CONFLICT, conflict_id=conflict)
    owner(workspace.RESOLVE, conflict_id=conflict, side="text", text="Ours.\n", base_hash=whole["now_hash"])
    assert (folder / "MEMORY.md").read_text() == "Ours.\n" and owner(workspace.CONFLICTS)["rows"] == []


def test_files_are_the_owners_to_change(running_service: Service, folder: Path) -> None:
    agent = Caller(running_service, owner=False)
    calls: tuple[tuple[Endpoint[Any, Any], dict[str, str]], ...] = (
        (workspace.CREATE, {"workspace_id": "w", "path": "x.md"}),
        (workspace.RETIRE, {"document_id": "d"}),
        (workspace.CONFLICTS, {}),
    )
    assert [agent.raw(call, **ask).status_code for call, ask in calls] == [403] * 3
    agent.http.close()
