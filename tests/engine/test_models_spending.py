"""Budgets and the ledger, the reranker as a technique of recall, and the models as a person sees them."""

from __future__ import annotations

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.health.status import check_models, ledger, models
from memdesk.engine.jobs.schedule import job_named, perform
from memdesk.engine.memory.remember import store_turns
from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import recall
from memdesk.files.settings import checked
from memdesk.model.errors import BadAsk, Cancelled, EmbedderUnavailable, ModelUnavailable
from memdesk.model.recall import Bundle, Query, Technique
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.status import AskSpending
from tests.engine.conftest import Clock, embed_all
from tests.engine.providers import booked, complete, use, use_embedder, use_language
from tests.engine.test_recall import FORGE, learn
from tests.model_server import Hang, ModelServer, Raw, Status, Text


def test_a_day_has_its_budget_and_the_next_day_another(engine: Engine, clock: Clock) -> None:
    with ModelServer(Text("Brest", 60, 50)) as server:
        use_language(engine, server, model_day_tokens=200)
        complete(engine)
        complete(engine)
        with pytest.raises(ModelUnavailable, match="its 200 tokens are spent") as wrong:
            complete(engine)
        assert "model_day_tokens" in wrong.value.next and len(server.asked) == 2
        clock.pass_days(1)
        assert complete(engine).text == "Brest"
    assert [(row.calls, row.tokens_in, row.tokens_out) for row in booked(engine)] == [
        (1, 60, 50),
        (2, 120, 100),
    ]


def test_the_embedders_budget_is_its_own(engine: Engine) -> None:
    with ModelServer() as server:
        use_embedder(engine, server, embedder_day_tokens=3)
        engine.models.embedder.embed(["three little words"])
        with pytest.raises(EmbedderUnavailable, match="3 tokens are spent"):
            engine.models.embedder.embed(["more"])
        use_language(engine, server)
        assert complete(engine).text


def test_what_was_spent_before_a_restart_still_counts(engine: Engine, clock: Clock) -> None:
    with ModelServer(Text("Brest", 60, 50)) as server:
        use_language(engine, server)
        complete(engine)
        assert booked(engine)
        again = open_engine(engine.desk, clock=clock)
        try:
            use_language(again, server, model_day_tokens=100)
            with pytest.raises(ModelUnavailable, match="tokens are spent"):
                complete(again)
        finally:
            again.close()


def test_the_ledger_says_for_what_a_model_was_asked(engine: Engine) -> None:
    store_turns(engine, NewTurns(turns=(NewTurn(content="I moved to Lisbon."),)), author=FORGE)
    with ModelServer(Text('{"entities": [], "facts": [], "relations": []}', 100, 10)) as server:
        use_language(engine, server, extraction_model=True, recall_hyde=True)
        perform(engine, job_named("consolidate"), author="person:Mara")
        recall(engine, Query(text="Where do I live?"), author=FORGE)
        server.answer(Status(404))
        with pytest.raises(ModelUnavailable):
            complete(engine)
    booked(engine)
    rows = {row.purpose: row for row in ledger(engine, AskSpending(days=1)).rows}
    assert {"job:consolidate", "recall", "other"} <= rows.keys()
    assert rows["job:consolidate"].tokens_in == 100 and rows["other"].failures == 1
    with pytest.raises(BadAsk):
        ledger(engine, AskSpending(days=0))


def test_a_job_that_is_stopped_does_not_wait_for_its_model(engine: Engine) -> None:
    store_turns(engine, NewTurns(turns=(NewTurn(content="I moved to Lisbon."),)), author=FORGE)
    with ModelServer(Hang()) as server:
        use_language(engine, server, extraction_model=True, model_seconds=60)

        def progress(done: int, total: int, says: str) -> None:
            if server.asked:
                raise Cancelled("Cancelled; what was finished stays.")

        with pytest.raises(Cancelled):
            perform(engine, job_named("consolidate"), author="person:Mara", progress=progress)
    with engine.store.reading() as db:
        assert db.value("SELECT consolidated_index FROM conversations") == -1


def reranked(engine: Engine, text: str) -> tuple[Bundle, Technique]:
    embed_all(engine)
    bundle = recall(
        engine, Query(text=text, channel="tidepool", techniques=("hybrid", "rerank"), floor=0.0), author=FORGE
    )
    return bundle, next(each for each in bundle.techniques if each.name == "rerank")


def test_a_reranker_judges_the_best_again_and_its_share_is_told(engine: Engine) -> None:
    for claim in (
        "The pool size is 25 per node",
        "The pool of drivers meets on Monday",
        "Mara likes the pool",
    ):
        learn(engine, claim)
    said = b'{"results": [{"index": 2, "relevance_score": 8.5}, {"index": 0, "relevance_score": -3}]}'
    with ModelServer(Raw(said)) as server:
        use(engine, reranker_url=server.url, reranker_name="judge")
        bundle, told = reranked(engine, "pool")
        (asked,) = server.asked
    assert asked.path == "/v1/rerank" and asked.body["query"] == "pool"
    first = bundle.hits[0]
    assert first.text == asked.body["documents"][2] and first.ranks["rerank"] == 1
    assert {part.name: part.value for part in first.parts}["rerank"] > 0
    assert abs(sum(part.value for part in first.parts) - first.score) < 1e-9
    assert told.found == 2 and told.note == "Judged by judge."


@pytest.mark.parametrize(
    "reply", [Status(500), Raw(b"{}"), Raw(b'{"results": [{"index": 99, "relevance_score": 1}]}')]
)
def test_a_reranker_that_fails_steps_aside_and_the_order_stays(engine: Engine, reply: Status | Raw) -> None:
    for claim in ("The pool size is 25 per node", "Mara likes the pool"):
        learn(engine, claim)
    before, told = reranked(engine, "pool size")
    assert "No reranker is set" in told.note
    with ModelServer(reply) as server:
        use(engine, reranker_url=server.url, reranker_name="judge")
        after, told = reranked(engine, "pool size")
    assert [hit.id for hit in after.hits] == [hit.id for hit in before.hits]
    assert "The order stays" in told.note
    assert engine.recall_metrics.snapshot().techniques["rerank"].aside == 2


def test_a_person_sees_each_model_and_whether_it_answers(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    language, embedder, reranker = models(engine).rows
    assert (language.says, embedder.says, embedder.model) == (
        "None is set.",
        "Here, without a network.",
        "static-256",
    )
    assert reranker.model == ""
    monkeypatch.setenv("MEMDESK_MODEL_KEY", "sk-secret")
    with ModelServer(Status(401)) as server:
        use_language(engine, server)
        for _ in range(3):
            with pytest.raises(ModelUnavailable):
                complete(engine)
        language = models(engine).rows[0]
        assert language.rests_for_s > 0 and "401" in language.says
        assert (language.url, language.key) == (server.url, "MEMDESK_MODEL_KEY")
        server.answer(Text("hello"))
        assert check_models(engine).rows[0].says == "Answered with 5 characters."
        assert "256 dimensions" in check_models(engine).rows[1].says
        assert models(engine).rows[0].says == "Ready."
    assert "sk-secret" not in repr(models(engine))


def test_a_stage_with_its_own_model_is_listed_and_checked_beside_the_desks(engine: Engine) -> None:
    with ModelServer(Text("hello")) as server:
        use_language(engine, server, recap_model_name="writer")
        desk, recap, embedder, _ = models(engine).rows
        assert (desk.stage, recap.stage, recap.role, embedder.role) == ("", "recap", "language", "embedder")
        assert (recap.model, recap.url) == ("writer", server.url)
        assert check_models(engine).rows[1].says == "Answered with 5 characters."
        assert server.asked[-1].body["model"] == "writer"


@pytest.mark.parametrize(
    "address",
    [
        "localhost:11434",
        "ftp://models.example/v1",
        "http://",
        "https://key@models.example/v1",
        "https://models.example/v1?key=sk-1",
        "http://[::1",
        "http://models.example:99999",
    ],
)
def test_an_address_that_is_none_or_holds_a_key_is_refused(address: str) -> None:
    for name in ("model_url", "embedder_url", "reranker_url"):
        with pytest.raises(BadAsk):
            checked(name, address)


def test_an_address_of_a_server_is_kept_as_it_is() -> None:
    for address in (
        "",
        "http://localhost:11434/v1",
        "https://models.example/openai/v1/",
        "http://[::1]:8000/v1",
    ):
        assert checked("model_url", address) == address
