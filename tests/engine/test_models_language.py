"""Language models over HTTP: answers, refusals and garbage of a real server, in both protocols."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from memdesk.engine.context.policies import AGENTICX_INSTRUCTION, policy_for
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import opinion
from memdesk.engine.providers.server import KEYRING, key_for
from memdesk.model.errors import ModelUnavailable
from memdesk.model.settings import DEFAULTS
from tests.engine.providers import booked, complete, use, use_language
from tests.model_server import Asked, ModelServer, Raw, Refusal, Reply, Status, Text

PROTOCOLS = ("openai", "anthropic")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_comes_with_what_it_cost(engine: Engine, protocol: str) -> None:
    with ModelServer(Text("Brest", 12, 1)) as server:
        use_language(engine, server, model_protocol=protocol)
        answer = complete(engine)
    assert (answer.text, answer.tokens_in, answer.tokens_out, answer.cut) == ("Brest", 12, 1, False)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_that_broke_off_says_so(engine: Engine, protocol: str) -> None:
    with ModelServer(Text('{"facts": [{"cl', stop="length")) as server:
        use_language(engine, server, model_protocol=protocol)
        assert complete(engine).cut


@pytest.mark.parametrize(
    ("protocol", "path", "header", "value"),
    [
        ("openai", "/v1/chat/completions", "authorization", "Bearer a-key"),
        ("anthropic", "/v1/messages", "x-api-key", "a-key"),
    ],
)
def test_the_question_goes_where_and_as_such_servers_expect_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, protocol: str, path: str, header: str, value: str
) -> None:
    monkeypatch.setenv("MEMDESK_MODEL_KEY", "a-key")
    with ModelServer() as server:
        use_language(engine, server, model_protocol=protocol)
        complete(engine)
    (asked,) = server.asked
    assert (asked.path, asked.headers[header]) == (path, value)
    assert (asked.body["model"], asked.body["max_tokens"], asked.body["temperature"]) == ("small", 20, 0.0)
    assert (asked.system, asked.prompt) == ("Be short.", "Where is the lighthouse?")
    assert protocol == "openai" or asked.headers["anthropic-version"] == "2023-06-01"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_refusal_is_one_sentence_and_no_failure_of_the_server(engine: Engine, protocol: str) -> None:
    with ModelServer(Refusal()) as server:
        use_language(engine, server, model_protocol=protocol)
        for _ in range(5):
            with pytest.raises(ModelUnavailable, match="declined"):
                complete(engine)
    assert len(server.asked) == 5


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"<html><body>Log in to the network</body></html>",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": 7}}], "usage": [1]}',
        b'{"choices": [{"mess',
        b'["a list"]',
        b"null",
        b'{"content": [], "stop_reason": "end_turn"}',
        b'{"content": "text", "stop_reason": "end_turn"}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b"",
    ],
)
def test_garbage_is_one_sentence(engine: Engine, protocol: str, body: bytes) -> None:
    with ModelServer(Raw(body)) as server:
        use_language(engine, server, model_protocol=protocol)
        with pytest.raises(ModelUnavailable, match="something else than an answer") as wrong:
            complete(engine)
    assert "small" in wrong.value.says and wrong.value.next


def test_what_a_reasoning_model_thinks_aloud_is_not_its_answer(engine: Engine) -> None:
    with ModelServer(Text("<think>\nA lighthouse…\n</think>\n\nBrest")) as server:
        use_language(engine, server)
        assert complete(engine).text == "Brest"


def test_a_model_that_dislikes_a_parameter_is_asked_without_it_from_then_on(engine: Engine) -> None:
    def picky(asked: Asked) -> Reply:
        for name in ("max_tokens", "temperature"):
            if name in asked.body:
                told = f"Unsupported parameter: '{name}' is not supported with this model."
                return Status(400, json.dumps({"error": {"message": told}}))
        return Text("Brest")

    with ModelServer(picky) as server:
        use_language(engine, server)
        assert [complete(engine).text for _ in range(2)] == ["Brest", "Brest"]
    assert len(server.asked) == 4 and server.asked[-1].body["max_completion_tokens"] == 20


def test_a_question_that_the_server_finds_wrong_is_not_asked_again(engine: Engine) -> None:
    told = '{"error": {"message": "This model has no room for so many tokens."}}'
    with ModelServer(Status(400, told)) as server:
        use_language(engine, server)
        with pytest.raises(ModelUnavailable, match="no room for so many tokens"):
            complete(engine)
    assert len(server.asked) == 1


def test_settings_name_the_model_or_there_is_none(engine: Engine) -> None:
    assert engine.language is None
    use(engine, model_url="http://localhost:1/v1", model_name="small")
    assert engine.language is not None and engine.language.name == "small"
    use(engine, model_name="")
    assert engine.language is None


def test_a_key_that_the_server_repeats_is_told_to_nobody(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MEMDESK_MODEL_KEY", "sk-very-secret")
    caplog.set_level("DEBUG")
    for status in (400, 401, 403, 404, 500):
        with ModelServer(Status(status, '{"error": {"message": "sk-very-secret may not"}}')) as server:
            use_language(engine, server)
            with pytest.raises(ModelUnavailable) as wrong:
                complete(engine)
        assert "sk-very-secret" not in f"{wrong.value.says} {wrong.value.next} {wrong.value.details}"
        assert str(status) in wrong.value.says
    assert "sk-very-secret" not in caplog.text and "sk-very-secret" not in repr(engine.models.__dict__)


def test_the_key_of_one_service_is_not_sent_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert key_for("https://api.openai.com/v1", "MEMDESK_MODEL_KEY").value == "sk-openai"
    assert key_for("http://localhost:11434/v1", "MEMDESK_MODEL_KEY").value == ""
    monkeypatch.setenv("MEMDESK_MODEL_KEY", "sk-own")
    assert key_for("https://api.openai.com/v1", "MEMDESK_MODEL_KEY").source == "MEMDESK_MODEL_KEY"
    assert key_for("https://api.openai.com/v1", "MEMDESK_EMBEDDER_KEY").value == "sk-openai"


def test_a_key_may_lie_in_the_systems_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring", reason="the extra `keyring` is not installed")
    backend = pytest.importorskip("keyring.backend")

    class Drawer(backend.KeyringBackend):  # type: ignore[misc, name-defined]
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return "sk-drawer" if (service, username) == (KEYRING, "models.example") else None

        def set_password(self, service: str, username: str, password: str) -> None:
            raise NotImplementedError

    before = keyring.get_keyring()
    keyring.set_keyring(Drawer())
    try:
        found = key_for("https://models.example/v1", "MEMDESK_MODEL_KEY")
        assert (found.value, found.source) == ("sk-drawer", "the system's keyring")
        assert "sk-drawer" not in repr(found)
        assert key_for("https://other.example/v1", "MEMDESK_MODEL_KEY").value == ""
    finally:
        keyring.set_keyring(before)


def test_a_stage_has_a_model_of_its_own_on_the_same_server(engine: Engine) -> None:
    with ModelServer(Text("BOTH")) as server:
        use_language(engine, server, judgement_model_name="judge", judgement_prompt="Be strict.")
        judge, desks = engine.language_for("judgement"), engine.language_for("summary")
        assert judge is engine.language_for("judgement") and desks is engine.language
        assert judge is not None and opinion(judge, "Mara sails", "Mara swims", instruction="Be strict.")
        assert (server.asked[0].body["model"], server.asked[0].system[:10]) == ("judge", "Be strict.")
        assert [spent.model for spent in booked(engine)] == ["judge"]
        use_language(engine, server, judgement_model_name="judge", model_name="large")
        assert engine.language_for("judgement") is not judge
        use_language(engine, server, model_url="", judgement_model_name="judge")
        assert engine.language_for("judgement") is None


def test_the_prompt_of_the_settings_takes_the_place_of_a_policys_instruction() -> None:
    own = replace(DEFAULTS, summary_prompt="Two lines.")
    assert policy_for(own, "agenticx", None).instruction == "Two lines."
    assert policy_for(DEFAULTS, "agenticx", None).instruction == AGENTICX_INSTRUCTION
