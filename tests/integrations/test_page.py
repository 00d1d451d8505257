"""The page of the frameworks: every program runs as printed, twice, with a restart of the service between."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import memdesk.integrations
from tests.conftest import Service

PAGE = Path(__file__).parent.parent.parent / "resources" / "docs" / "frameworks.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
NEEDS = {
    "MemDeskSession": ("agents", "The north gate opens at six."),
    "MemDeskStore": ("langgraph", "{'text': 'Mara drinks green tea', 'cups': 3}\n['drink']"),
    "MemDeskSaver": ("langgraph", "{'visits': 2} {'visits': 2}"),
    "MemDeskMemoryTool": ("anthropic", "The north gate opens at six."),
    "MemDeskStorage": ("httpx", "The north gate opens at six."),
    "AsyncAgentMemory": ("httpx", "The crane at the north gate is painted orange"),
}


def run(service: Service, block: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", block],
        env={**os.environ, "MEMDESK_DESK": str(service.desk.folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_program_of_the_page_runs_and_again_after_a_restart(service: Service) -> None:
    assert len(BLOCKS) == len(NEEDS)
    for restarted in (False, True):
        for block, (name, (package, told)) in zip(BLOCKS, NEEDS.items(), strict=True):
            assert name in block
            again = restarted and name == "MemDeskMemoryTool"
            if importlib.util.find_spec(package) is not None and not again:
                assert told in run(service, block), name
        if not restarted:
            service.stop()
            service.start()


def test_a_class_whose_framework_is_away_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = memdesk.integrations._WITHOUT_FRAMEWORK
    assert set(memdesk.integrations.__all__) == {*memdesk.integrations._MODULES, *plain}
    for name, (module, extra, _) in memdesk.integrations._MODULES.items():
        framework = {"langgraph": "langgraph.store.base", "openai-agents": "agents"}.get(extra, "anthropic")
        for each in (f"memdesk.integrations.{module}", "langgraph.checkpoint.base", f"{framework}.lib.tools"):
            monkeypatch.delitem(sys.modules, each, raising=False)
        with monkeypatch.context() as away:
            for each in ("agents.memory.session", "langgraph.store.base", "langgraph.checkpoint.base"):
                away.setitem(sys.modules, each, None)
            away.setitem(sys.modules, "anthropic.lib.tools", None)
            with pytest.raises(ImportError, match=rf"pip install 'memdesk\[{extra}\]'"):
                getattr(memdesk.integrations, name)


def test_nothing_of_a_framework_is_imported_by_the_rest_of_the_package() -> None:
    told = "import memdesk.__main__, memdesk.client, memdesk.integrations, sys; memdesk.client.connect"
    names = "[n for n in ('agents', 'langgraph', 'langchain_core', 'anthropic') if n in sys.modules]"
    done = subprocess.run([sys.executable, "-c", f"{told}; print({names})"], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
