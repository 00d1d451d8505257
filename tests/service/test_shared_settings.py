"""Services of one desk in a PostgreSQL database have the same settings of memory, and each its own of its host."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memdesk.api import context, upkeep
from memdesk.client.client import SyncClient
from memdesk.model.prompt import AskContext, ListSeen
from memdesk.model.status import ChangeSettings, Nothing
from tests import postgres
from tests.conftest import Service, until
from tests.store.postgres.test_desk_in_database import desk_in_database


@pytest.fixture
def both(short_folder: Path) -> Iterator[tuple[Service, Service]]:
    """Two services, the first with settings in its file."""
    address = postgres.server().desk()
    first, second = (Service(desk_in_database(short_folder / name, address)) for name in "ab")
    first.desk.settings.write_text('recall_limit = 3\nperson = "Mara"\n')
    for service in (first, second):
        service.desk.folder.chmod(0o700)
        service.start()
    yield first, second
    for service in (first, second):
        if service.process is not None:
            service.stop()


def asked(service: Service, endpoint: Any, ask: Any) -> Any:
    with SyncClient(service.desk) as owner:
        return owner.call(endpoint, ask)


def setting(service: Service, name: str) -> Any:
    rows = asked(service, upkeep.SETTINGS, Nothing()).rows
    return next(row.value for row in rows if row.name == name)


def test_a_setting_that_one_service_changes_holds_for_the_other_and_after_a_restart(
    both: tuple[Service, Service],
) -> None:
    first, second = both
    assert setting(second, "recall_limit") == 3 and setting(second, "person") != "Mara"
    asked(second, upkeep.CHANGE_SETTINGS, ChangeSettings(values={"prompt_log": False, "person": "Ana"}))
    until(lambda: setting(first, "prompt_log") is False, "the other service's setting")
    assert setting(first, "person") == "Mara"
    asked(first, context.PROMPT, AskContext(text="Who sails?"))
    assert not asked(first, context.PROMPTS, ListSeen()).rows
    assert tomllib.loads(first.desk.settings.read_text()) == {
        "recall_limit": 3,
        "person": "Mara",
        "prompt_log": False,
    }
    first.stop()
    asked(second, upkeep.CHANGE_SETTINGS, ChangeSettings(reset=("recall_limit",)))
    first.start()
    assert setting(first, "recall_limit") == 10 and setting(first, "prompt_log") is False
