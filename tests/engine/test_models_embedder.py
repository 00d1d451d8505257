"""An embedder over HTTP: good vectors and bad, and a desk whose embedder is changed while it is in use."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.promotion import promote
from memdesk.engine.opening import open_engine
from memdesk.engine.providers import embedder
from memdesk.engine.providers.embedder import StaticTable
from memdesk.engine.recall.pipeline import recall
from memdesk.model.curation import Promote
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.recall import Query
from tests.engine.conftest import embed_all
from tests.engine.providers import booked, use, use_embedder
from tests.engine.test_recall import FORGE, learn
from tests.model_server import Asked, ModelServer, Raw, Reply, Status, vector_of

STATM = Path("/proc/self/statm")
WORDS = "The lighthouse in Brest closes at six"


def rows(*vectors: list[Any]) -> Raw:
    data = [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]
    return Raw(json.dumps({"data": data}).encode())


def held(engine: Engine) -> dict[str, int]:
    """How many memories are found by the vectors of each model, and the dimensions of those vectors."""
    with engine.store.reading() as db:
        return dict(
            db.rows(
                "SELECT model || ' ' || (length(vector) / 2), count(*) FROM searchable "
                "JOIN embeddings ON embeddings.id = embedding GROUP BY 1"
            )
        )


def found(engine: Engine, text: str) -> dict[str, float]:
    """The claims that come back, with the share that meaning has in their score."""
    bundle = recall(engine, Query(text=text, channel="tidepool", floor=0.0, techniques=()), author=FORGE)
    return {hit.text: hit.ranks.get("vectors", 0) for hit in bundle.hits}


def test_vectors_come_back_in_the_order_of_the_texts_at_unit_length(engine: Engine) -> None:
    def shuffled(asked: Asked) -> Reply:
        data = [
            {"index": at, "embedding": [float(at + 1), 0.0, 3.0]} for at, _ in enumerate(asked.body["input"])
        ]
        return Raw(json.dumps({"data": data[::-1]}).encode())

    with ModelServer(shuffled) as server:
        use_embedder(engine, server)
        vectors = engine.models.embedder.embed(["one", " ", "two"])
    assert vectors.dtype == np.float32 and vectors.shape == (3, 3)
    assert np.allclose(vectors[0] * np.sqrt(10), [1, 0, 3]) and not vectors[1].any()
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 0, 1])


@pytest.mark.parametrize(
    "garbage",
    [
        Raw(b"{"),
        Raw(b'{"data": []}'),
        Raw(b'{"data": [{"index": 1, "embedding": [1.0]}]}'),
        Raw(b'{"data": [{"index": 0, "embedding": []}]}'),
        Raw(b'{"data": [{"index": 0, "embedding": null}]}'),
        Raw(b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}'),
        Raw(b'{"data": [{"index": 0, "embedding": [1e999, 1.0]}]}'),
        Raw(b'{"data": [{"index": 0, "embedding": ["a", "b"]}]}'),
        Raw(b'{"data": [{"index": 0, "embedding": [[1.0], [2.0]]}]}'),
        Status(500),
        Status(401),
    ],
    ids=str,
)
def test_garbage_for_vectors_is_one_sentence_and_words_answer_alone(engine: Engine, garbage: Reply) -> None:
    learn(engine, WORDS)
    with ModelServer(garbage) as server:
        use_embedder(engine, server)
        with pytest.raises(EmbedderUnavailable, match="words"):
            embed_pending(engine)
        bundle = recall(engine, Query(text="Brest lighthouse", channel="tidepool"), author=FORGE)
    assert [hit.text for hit in bundle.hits] == [WORDS]
    assert any("Words alone answered" in notice for notice in bundle.notices)
    assert held(engine) == {}


def test_vectors_of_two_dimensions_in_one_answer_are_garbage(engine: Engine) -> None:
    with ModelServer(rows([1.0], [1.0, 2.0])) as server:
        use_embedder(engine, server)
        with pytest.raises(EmbedderUnavailable):
            engine.models.embedder.embed(["one", "two"])


def test_a_text_that_the_server_never_takes_keeps_no_other_from_its_vector(engine: Engine) -> None:
    def squeamish(asked: Asked) -> Reply:
        if any("poison" in text for text in asked.body["input"]):
            return Status(400, '{"error": {"message": "no"}}')
        return rows(*(vector_of(text, 8) for text in asked.body["input"]))

    for claim in (WORDS, "A claim with poison in it", "Mara likes tea"):
        learn(engine, claim)
    with ModelServer(squeamish) as server:
        use_embedder(engine, server)
        embed_all(engine)
    assert held(engine) == {f"{engine.models.embedder.name} 8": 3}


def test_a_text_that_is_too_long_is_embedded_by_its_beginning(engine: Engine) -> None:
    def narrow(asked: Asked) -> Reply:
        if any(len(text) > 1000 for text in asked.body["input"]):
            return Status(413)
        return rows(*(vector_of(text, 8) for text in asked.body["input"]))

    with ModelServer(narrow) as server:
        use_embedder(engine, server)
        (vector,) = engine.models.embedder.embed(["word " * 4000])
    assert vector.any()


def test_a_server_that_takes_nothing_at_all_leaves_everything_waiting(engine: Engine) -> None:
    learn(engine, WORDS)
    with ModelServer(Status(400)) as server:
        use_embedder(engine, server)
        with pytest.raises(EmbedderUnavailable, match="takes none"):
            embed_pending(engine)
    assert held(engine) == {}


@pytest.mark.parametrize("dimension", [3, 8, 100, 384, 1024])
def test_another_embedder_makes_every_vector_anew_and_nothing_is_mixed(
    engine: Engine, dimension: int
) -> None:
    for claim in (WORDS, "Mara likes tea", "The pool size is 25 per node"):
        learn(engine, claim)
    embed_all(engine)
    assert held(engine) == {"static-256 256": 3}
    with ModelServer(dimension=dimension) as server:
        use_embedder(engine, server)
        assert held(engine) == {}
        assert found(engine, "Brest lighthouse")[WORDS] == 0
        embed_all(engine)
        name = engine.models.embedder.name
        assert held(engine) == {f"{name} {dimension}": 3}
        assert found(engine, "the lighthouse in Brest")[WORDS] == 1
        learn(engine, "Jun likes rye bread")
        embed_all(engine)
        assert held(engine) == {f"{name} {dimension}": 4}
    use(engine, embedder="static")
    embed_all(engine)
    assert held(engine) == {"static-256 256": 4}


def test_going_back_to_an_embedder_costs_nothing_for_what_it_has_read(engine: Engine) -> None:
    learn(engine, WORDS)
    with ModelServer() as server:
        use_embedder(engine, server)
        embed_all(engine)
        asked = len(server.asked)
        use(engine, embedder="static")
        embed_all(engine)
        use(engine, embedder="server")
        embed_all(engine)
        assert len(server.asked) == asked
        assert list(held(engine).values()) == [1]


def test_a_server_that_answers_in_another_dimension_is_never_mixed_with_what_it_said_before(
    engine: Engine,
) -> None:
    learn(engine, WORDS)
    with ModelServer(dimension=32) as server:
        use_embedder(engine, server)
        embed_all(engine)
        server.dimension = 48
        bundle = recall(engine, Query(text="Where may Mara go?", channel="tidepool"), author=FORGE)
        assert any("48 dimensions" in notice for notice in bundle.notices)
        embed_all(engine)
        assert held(engine) == {f"{engine.models.embedder.name} 48": 1}
        assert found(engine, "the lighthouse")[WORDS] == 1


def test_vectors_under_way_while_the_embedder_is_changed_are_thrown_away(engine: Engine) -> None:
    learn(engine, WORDS)

    def changing(asked: Asked) -> Reply:
        use(engine, embedder="static")
        return rows(*(vector_of(text, 8) for text in asked.body["input"]))

    with ModelServer(changing) as server:
        use_embedder(engine, server)
        with pytest.raises(EmbedderUnavailable):
            embed_pending(engine)
    embed_all(engine)
    assert held(engine) == {"static-256 256": 1}


def test_a_desk_opens_again_with_the_embedder_it_had(engine: Engine) -> None:
    learn(engine, WORDS)
    with ModelServer(dimension=40) as server:
        engine.desk.settings.write_text(
            f'embedder = "server"\nembedder_url = "{server.url}"\nembedder_name = "words"\n'
        )
        # As before a restart: of a database the engines that have it open share the embedder.
        engine.close()
        again = open_engine(engine.desk)
        try:
            embed_all(again)
            assert list(held(again)) == [f"{again.models.embedder.name} 40"]
            assert again.store.dimension == 40
        finally:
            again.close()


def test_a_model_is_never_waited_for_while_memory_is_being_written(engine: Engine) -> None:
    """While the embedder is asked, a write goes through: whoever asks does not stand in the write door."""
    slow: list[bool] = []

    def watching(asked: Asked) -> Reply:
        written = engine.store.maintain(lambda *_: True)
        try:
            slow.append(not written.result(timeout=20))
        except TimeoutError:
            slow.append(True)
        return rows(*(vector_of(text, 8) for text in asked.body["input"]))

    with ModelServer(watching) as server:
        use_embedder(engine, server)
        one = learn(engine, WORDS)
        embed_all(engine)
        recall(engine, Query(text="lighthouse", channel="tidepool"), author=FORGE)
        promote(engine, Promote(fact_id=one), author="person:Mara")
        embed_all(engine)
    assert slow and not any(slow)


def test_an_embedder_that_is_named_by_halves_is_missed_and_nothing_else_stands_in(engine: Engine) -> None:
    learn(engine, WORDS)
    use(engine, embedder="server")
    with pytest.raises(EmbedderUnavailable, match="embedder_url"):
        embed_pending(engine)
    assert held(engine) == {}


def test_what_an_embedder_costs_is_booked(engine: Engine) -> None:
    with ModelServer() as server:
        use_embedder(engine, server)
        engine.models.embedder.embed(["two words"])
        server.answer(rows([1.0, 2.0]))
        engine.models.embedder.embed(["x" * 400])
    (row,) = booked(engine)
    assert (row.role, row.model, row.calls, row.guessed) == ("embedder", "words", 2, True)
    assert 2 + 100 <= row.tokens_in <= 2 + 130


@pytest.mark.skipif(not STATM.exists(), reason="how much a process holds is read from /proc")
def test_the_bundled_table_keeps_nothing_of_the_texts_it_embedded() -> None:
    table = StaticTable()
    table.embed(["It is loaded with the first text."])
    before = held_mb()
    for number in range(4_000):
        table.embed(
            [f"The harbour master of berth {number} repaired pump {number * 7} before the ferry came in"]
        )
    assert held_mb() - before < 4


def test_the_bundled_table_is_read_from_its_file_as_it_is_used() -> None:
    table = embedder._loaded().vectors
    assert table.dtype == np.float16 and not table.flags.owndata and not table.flags.writeable


@pytest.mark.parametrize("content", [b"", b"\x00" * 4, b"\x08" + b"\x00" * 7 + b"no json!", b"cut"])
def test_a_damaged_file_of_the_bundled_table_is_named_with_its_reason(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = embedder.importlib.util.find_spec("wordllama")
    assert spec is not None and spec.origin is not None
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "l2_supercat_256.safetensors").write_bytes(content)
    (tmp_path / "tokenizers").symlink_to(Path(spec.origin).parent / "tokenizers")
    moved = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(embedder.importlib.util, "find_spec", lambda _: moved)
    with pytest.raises(EmbedderUnavailable, match="cannot be read"):
        embedder._read_parts.__wrapped__()


def held_mb() -> float:
    return int(STATM.read_text().split()[1]) * resource.getpagesize() / 1e6
