"""models: what is set, whether it answers, and what it cost, as a person reads it."""

from __future__ import annotations

from typing import Any

from tests.model_server import ModelServer, Text


def test_a_person_sets_a_model_checks_it_and_reads_what_it_cost(memdesk: Any) -> None:
    with ModelServer(Text("hello", 20, 1)) as server:
        memdesk("settings", "model_url", server.url)
        memdesk("settings", "model_name", "small")
        said = memdesk("models", "check").out
        assert "small" in said and "Answered with 5 characters." in said and "static-256" in said
        told = memdesk("models", "spending").out
    assert "language" in told and "check" in told and "20 in, 1 out" in told
