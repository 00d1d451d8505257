"""Model that compares facts beside the desk's embedder, from the extra `facts`; here mostly one of three topics."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

import numpy as np
import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.run import begin
from memdesk.engine.jobs.upkeep import embed_pending, embedding
from memdesk.engine.memory.curate import edit_fact, retire
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.progress import ignore_progress
from memdesk.engine.providers import models
from memdesk.engine.providers.embedder import Vectors, unit
from memdesk.engine.providers.models import FactsModel
from memdesk.engine.recall.pipeline import preview, recall
from memdesk.model.curation import EditFact, Retire
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.extras import is_installed
from memdesk.model.recall import Query
from memdesk.model.remember import NewFact
from memdesk.store import aging, run_context, search
from tests.engine.conftest import embed_all
from tests.engine.providers import use

AGENT, PERSON = "agent:forge", "person:mara"
TOPICS = (("hydrologist", "living"), ("cycles", "commute"), ("rooibos", "beverage"))
CLAIMS = ("Mara works as a hydrologist", "Mara cycles to the office", "Mara drinks rooibos at night")


class Topics:
    """Embedder of facts by the topic of their words."""

    name, dimension = "facts:topics", 4

    def __init__(self, *, works: bool = True) -> None:
        self.works, self.texts = works, 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not self.works:
            raise EmbedderUnavailable("It does not work.")
        self.texts += len(texts)
        rows = [[0.1, *(float(any(word in text for word in topic)) for topic in TOPICS)] for text in texts]
        return unit(np.array(rows, np.float32))


def use_model(engine: Engine, model: Topics | None) -> None:
    use(engine, facts_model=False)
    engine.models.facts = model
    engine.compare_facts()


def best(engine: Engine, text: str) -> str:
    hits = recall(engine, Query(text=text, channel="tidepool", floor=0.0), author=AGENT).hits
    return hits[0].text


def learn_all(engine: Engine) -> list[str]:
    ids = [learn_fact(engine, NewFact(claim=claim, channel="tidepool"), author=AGENT).id for claim in CLAIMS]
    embed_all(engine)
    return ids


def known(engine: Engine, model: Topics) -> int:
    with engine.store.reading() as db:
        waiting = search.facts_without(db, model.name, 0, 100)
    return len(CLAIMS) - len(waiting)


def test_facts_of_before_get_vectors_of_the_model_and_are_found_by_it(engine: Engine) -> None:
    learn_all(engine)
    model = Topics()
    use_model(engine, model)
    assert known(engine, model) == 0
    assert embedding(begin(engine, "embedding", progress=ignore_progress, dry=True)) == {"texts": len(CLAIMS)}
    assert embed_pending(engine) == len(CLAIMS)
    assert (known(engine, model), embed_pending(engine), model.texts) == (3, 0, 3)
    for claim, (_, word) in zip(CLAIMS, TOPICS, strict=True):
        assert best(engine, f"Mara {word}?") == claim


def test_a_fact_that_waits_for_the_model_is_found_without_it(engine: Engine) -> None:
    learn_all(engine)
    use_model(engine, Topics())
    assert best(engine, "hydrologist") == CLAIMS[0]


def test_a_claim_that_moves_gets_a_vector_of_its_new_text(engine: Engine) -> None:
    model = Topics()
    use_model(engine, model)
    ids = learn_all(engine)
    edit_fact(engine, EditFact(fact_id=ids[0], claim="Mara works from home and cycles"), author=PERSON)
    assert known(engine, model) == 2
    embed_all(engine)
    assert known(engine, model) == 3


def test_only_vectors_of_texts_that_are_gone_are_orphans(engine: Engine) -> None:
    use_model(engine, Topics())
    ids = learn_all(engine)
    with engine.store.reading() as db:
        assert aging.orphaned_vectors(db, 100) == []
    retire(engine, Retire(id=ids[0]), author=PERSON)
    with engine.store.reading() as db:
        gone = aging.orphaned_vectors(db, 100)
        assert len(gone) == 2
    assert engine.store.maintain(lambda db, *_: aging.purge_vectors(db, gone)).result() == 2
    with engine.store.reading() as db:
        assert db.value("SELECT count(*) FROM embeddings") == 4


def test_without_the_model_facts_rank_as_if_it_had_never_been_there(engine: Engine) -> None:
    learn_all(engine)
    query = Query(text="How does Mara commute?", channel="tidepool", floor=0.0)

    def scores() -> list[tuple[str, float]]:
        found = preview(engine, query).hits
        return [(hit.text, part.value) for hit in found for part in hit.parts if part.name == "meaning"]

    use_model(engine, None)
    before = scores()
    use_model(engine, Topics())
    embed_all(engine)
    assert scores() != before
    use_model(engine, None)
    assert scores() == before


def test_a_model_that_fails_is_named_and_recall_answers_without_it(engine: Engine) -> None:
    learn_all(engine)
    use_model(engine, Topics(works=False))
    found = recall(engine, Query(text="hydrologist", channel="tidepool"), author=AGENT)
    assert found.hits[0].text == CLAIMS[0]
    assert "It does not work." in found.notices


@pytest.mark.skipif(not is_installed("facts"), reason="the extra `facts` is not installed")
def test_the_model_of_the_extra_knows_a_paraphrase() -> None:
    milk, boat, asked = FactsModel().embed(
        ["Jonas cannot digest milk", "Jonas sold his boat", "Is Jonas lactose intolerant?"]
    )
    assert milk.shape == (512,)
    assert milk @ asked > boat @ asked + 0.2


@pytest.mark.skipif(is_installed("facts"), reason="the extra `facts` is installed")
def test_without_the_extra_nothing_compares_facts_and_its_next_step_is_to_install_it(engine: Engine) -> None:
    assert engine.facts_model is None
    with pytest.raises(EmbedderUnavailable) as caught:
        FactsModel().embed(["A fact"])
    assert "memdesk[facts]" in str(caught.value.next)


def test_a_question_is_embedded_between_two_parts_of_a_large_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []

    class Loaded:
        def encode(self, texts: Sequence[str]) -> list[list[float]]:
            batches.append(len(texts))
            return [[1.0] * FactsModel.dimension for _ in texts]

    def a_call_comes() -> None:
        if len(batches) == 1:
            call = Thread(target=FactsModel().embed, args=(["who cycles"],))
            call.start()
            call.join()

    monkeypatch.setattr(models, "_loaded", Loaded)
    token = run_context.in_background.set(a_call_comes)
    try:
        vectors = FactsModel().embed([f"fact {number}" for number in range(20)])
    finally:
        run_context.in_background.reset(token)
    assert len(vectors) == 20
    assert batches == [8, 1, 8, 4]
