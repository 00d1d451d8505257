"""A sentence-transformer from a folder: a tiny ONNX model, written here byte by byte and run by onnxruntime."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.providers.embedder import SentenceTransformer
from memdesk.engine.recall.pipeline import recall
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.recall import Query
from tests.engine.conftest import embed_all
from tests.engine.providers import use
from tests.engine.test_recall import FORGE, learn

WORDS = ("[UNK]", "lighthouse", "harbour", "tax", "return", "the")
TABLE = np.array(
    [[0, 0, 0, 1], [1, 0, 0, 0], [0.9, 0.1, 0, 0], [0, 1, 0, 0], [0, 0.9, 0.1, 0], [0, 0, 1, 0]], np.float32
)
needs_onnx = pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None, reason="the extra `onnx` is not installed"
)


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def field(number: int, value: bytes | str | int) -> bytes:
    """One field of a protobuf message: a number, or bytes with their length before them."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def shaped(name: str, kind: int, dimensions: Sequence[str | int]) -> bytes:
    """A ValueInfoProto: a tensor of this element type and shape."""
    sizes = b"".join(field(1, field(2 if isinstance(each, str) else 1, each)) for each in dimensions)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, sizes)))


def model(table: np.ndarray) -> bytes:
    """A model that looks token vectors up in a table (onnx.proto: FLOAT is 1, INT64 is 7)."""
    tensor = (
        field(1, table.shape[0])
        + field(1, table.shape[1])
        + field(2, 1)
        + field(8, "table")
        + field(9, table.tobytes())
    )
    node = field(1, "table") + field(1, "input_ids") + field(2, "vectors") + field(4, "Gather")
    graph = (
        field(1, node)
        + field(2, "tiny")
        + field(5, tensor)
        + field(11, shaped("input_ids", 7, ("batch", "tokens")))
        + field(12, shaped("vectors", 1, ("batch", "tokens", table.shape[1])))
    )
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sentence-transformer of six words in four dimensions."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()  # type: ignore[assignment]
    made = tmp_path / "tiny"
    (made / "onnx").mkdir(parents=True)
    (made / "1_Pooling").mkdir()
    tokenizer.save(str(made / "tokenizer.json"))
    (made / "onnx" / "model.onnx").write_bytes(model(TABLE))
    return made


@needs_onnx
def test_a_text_is_the_mean_of_its_tokens_at_unit_length(folder: Path) -> None:
    vectors = SentenceTransformer(folder).embed(["The lighthouse", "tax"])
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [[np.sqrt(0.5), 0, np.sqrt(0.5), 0], [0, 1, 0, 0]])


@needs_onnx
def test_the_folder_says_whether_the_first_token_stands_for_all_and_how_long_a_text_may_be(
    folder: Path,
) -> None:
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    assert np.allclose(SentenceTransformer(folder).embed(["tax the the the"]), [[0, 1, 0, 0]])


@needs_onnx
def test_a_long_text_is_read_by_its_beginning(folder: Path) -> None:
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 2}))
    assert np.allclose(SentenceTransformer(folder).embed(["tax tax the the the"]), [[0, 1, 0, 0]])


@needs_onnx
def test_a_desk_recalls_by_it_and_another_model_in_the_same_folder_is_another(
    engine: Engine, folder: Path
) -> None:
    claims = ("A harbour", "A tax return")
    for claim in claims:
        learn(engine, claim)
    use(engine, embedder="onnx", embedder_folder=str(folder))
    embed_all(engine)
    before = engine.models.embedder.name
    ask = Query(text="lighthouse", channel="tidepool", floor=0.0, techniques=())
    assert recall(engine, ask, author=FORGE).hits[0].text == "A harbour"
    (folder / "onnx" / "model.onnx").write_bytes(model(TABLE[:, ::-1].copy()))
    use(engine, embedder="static")
    use(engine, embedder="onnx")
    assert engine.models.embedder.name != before
    embed_all(engine)
    assert recall(engine, ask, author=FORGE).hits[0].text == "A harbour"


@needs_onnx
@pytest.mark.parametrize("spoilt", ["onnx/model.onnx", "tokenizer.json"])
def test_a_spoilt_folder_is_one_sentence_and_words_answer_alone(
    engine: Engine, folder: Path, spoilt: str
) -> None:
    learn(engine, "A harbour")
    (folder / spoilt).write_bytes(b"\x00 not what it was")
    use(engine, embedder="onnx", embedder_folder=str(folder))
    with pytest.raises(EmbedderUnavailable, match="cannot be read"):
        embed_pending(engine)
    bundle = recall(engine, Query(text="harbour", channel="tidepool"), author=FORGE)
    assert [hit.text for hit in bundle.hits] == ["A harbour"] and "Words alone" in bundle.notices[0]


@pytest.mark.parametrize("named", ["", "/nowhere/at/all"])
def test_a_folder_without_a_model_is_missed_and_nothing_stands_in(engine: Engine, named: str) -> None:
    learn(engine, "A harbour")
    use(engine, embedder="onnx", embedder_folder=named)
    with pytest.raises(EmbedderUnavailable, match="There is no embedder"):
        embed_pending(engine)
