"""Exports over the real socket: the formats, an archive as a job, and what is refused at once."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from memdesk.api import exports, upkeep, workspace
from memdesk.api.endpoint import Endpoint
from memdesk.api.memory import LEARN_FACT
from tests.conftest import Service
from tests.fixtures.interop.samples import SAMPLES

Call = Endpoint[Any, Any]


class Caller:
    """Calls endpoints of a running service as an agent, or as the desk's owner."""

    def __init__(self, service: Service, *, owner: bool) -> None:
        token = service.desk.owner_token.read_text().strip()
        headers = {"authorization": f"Bearer {token}"} if owner else {"x-memdesk-agent": "iris"}
        transport = httpx.HTTPTransport(uds=str(service.desk.socket))
        self.http = httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60)

    def __call__(self, endpoint: Call, **ask: Any) -> Any:
        said = self.raw(endpoint, **ask)
        assert said.status_code == 200, said.text
        return said.json()

    def raw(self, endpoint: Call, **ask: Any) -> httpx.Response:
        if endpoint.method == "GET":
            return self.http.get(endpoint.path, params=ask)
        return self.http.post(endpoint.path, json=ask)

    def ended(self, job: dict[str, Any]) -> dict[str, Any]:
        while job["state"] in ("waiting", "running"):
            time.sleep(0.05)
            job = self(upkeep.JOB, id=job["id"])
        return job


@pytest.fixture
def owner(running_service: Service) -> Iterator[Caller]:
    caller = Caller(running_service, owner=True)
    yield caller
    caller.http.close()


@pytest.fixture
def agent(running_service: Service) -> Iterator[Caller]:
    caller = Caller(running_service, owner=False)
    yield caller
    caller.http.close()


def test_the_formats_are_told_to_anyone(agent: Caller) -> None:
    found = {row["name"]: row for row in agent(exports.FORMATS)["rows"]}
    assert found["archive"]["suffix"] == ".zip" and found["archive"]["comes_back"]


def test_an_archive_is_written_as_a_job_and_known_again(agent: Caller, owner: Caller, tmp_path: Path) -> None:
    agent(LEARN_FACT, claim="Ships float", channel="quay")
    path = tmp_path / "all.zip"
    job = owner.ended(owner(exports.START, format="archive", path=str(path)))
    assert job["state"] == "done", job["says"]
    assert job["result"]["facts"] == 1 and job["says"] == f"Written to {path}."
    assert path.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(path) as zip:
        assert b"Ships float" in zip.read("facts.jsonl")
    told = owner(workspace.PREVIEW_IMPORT, path=str(path))
    assert told["items"] == [] and told["known"] >= 2


def test_every_export_of_another_program_comes_in_over_the_socket(owner: Caller, tmp_path: Path) -> None:
    for name, make in SAMPLES.items():
        (tmp_path / name).mkdir()
        path = str(make(tmp_path / name))
        told = owner(workspace.PREVIEW_IMPORT, path=path)
        job = owner.ended(owner(workspace.IMPORT, path=path))
        assert job["state"] == "done", (name, job["says"])
        assert told["items"] or told["known"], name
        assert owner(workspace.PREVIEW_IMPORT, path=path)["items"] == [], name


def test_every_format_goes_out_over_the_socket_as_it_says(
    agent: Caller, owner: Caller, tmp_path: Path
) -> None:
    agent(LEARN_FACT, claim="The ferry leaves at 7 in the morning", channel="quay", about=["Ferry"])
    for row in agent(exports.FORMATS)["rows"]:
        path = tmp_path / f"{row['name']}{row['suffix']}"
        job = owner.ended(owner(exports.START, format=row["name"], path=str(path)))
        assert job["state"] == "done", (row["name"], job["says"])
        assert path.is_dir() if row["suffix"] == "" else path.stat().st_size > 0
        if row["comes_back"]:
            told = owner(workspace.PREVIEW_IMPORT, path=str(path))
            assert told["known"] or told["items"], row["name"]


def test_what_cannot_be_written_is_refused_before_a_job_begins(
    agent: Caller, owner: Caller, tmp_path: Path
) -> None:
    free = str(tmp_path / "all.zip")
    assert agent.raw(exports.START, format="archive", path=free).status_code == 403
    for ask, code in (
        ({"format": "archive", "path": "all.zip"}, "bad_ask"),
        ({"format": "carrier", "path": free}, "bad_ask"),
        ({"format": "archive", "path": str(tmp_path / "no" / "all.zip")}, "not_found"),
        ({"format": "archive", "path": str(tmp_path)}, "conflict"),
        ({"format": "mem0", "path": free, "kinds": ["turn"]}, "bad_ask"),
    ):
        assert owner.raw(exports.START, **ask).json()["code"] == code


def test_an_export_that_a_killed_service_was_sending_is_gone_when_the_next_one_starts(
    running_service: Service,
) -> None:
    left = running_service.desk.folder / ".export-left"
    left.mkdir()
    (left / "export").write_text("Ships float")
    running_service.kill()
    running_service.start()
    assert not left.exists()
