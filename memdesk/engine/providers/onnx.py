"""Sentence-transformer from a folder, run by onnxruntime (the extra `onnx`). No network, no torch.

The folder has the usual layout of such models: `tokenizer.json`, `onnx/model.onnx` or `model.onnx`, and also
`1_Pooling/config.json` and `sentence_bert_config.json`, which define the pooling of token vectors and the
length limit of a text."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from memdesk.engine.providers.embedder import Vectors, unit
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.extras import install_extra
from memdesk.model.message import message

MODELS = ("onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx")
TOKENS_AT_MOST = 512
"""Most tokens of a text, if the folder does not define it."""
THREADS_AT_MOST = 4
_lock = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """Loaded model. inputs: the names of its inputs. first: use the first token's vector for the text, not
    the mean."""

    session: Any
    tokenizer: Any
    inputs: frozenset[str]
    first: bool


class SentenceTransformer:
    """Embedder loaded once, at first use; thread-safe. Its name is made of its folder and a hash of its model
    file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.name = f"{folder.name}-{_digest(_model_in(folder))}"
        self.dimension = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors as Embedder does. Texts are run one at a time: with an int8 model, the texts of a
        batch affect each other."""
        parts = self._loaded()
        rows = [_vector(parts, text) for text in texts]
        self.dimension = rows[0].size if rows else self.dimension
        return unit(np.array(rows, np.float32).reshape(len(rows), self.dimension))

    def _loaded(self) -> _Parts:
        with _lock:
            return _read_parts(self._folder, self.name)


def _vector(parts: _Parts, text: str) -> Vectors:
    encoded = parts.tokenizer.encode(text)
    given = {
        "input_ids": encoded.ids,
        "attention_mask": encoded.attention_mask,
        "token_type_ids": encoded.type_ids,
    }
    fed = {name: np.array([values], np.int64) for name, values in given.items() if name in parts.inputs}
    try:
        said = np.asarray(parts.session.run(None, fed)[0][0], np.float32)
    except Exception as wrong:  # noqa: BLE001  onnxruntime's errors share no root but this
        raise EmbedderUnavailable(
            message("The model failed at a text: {name}.", name=type(wrong).__name__)
        ) from wrong
    if said.ndim == 1:
        return said
    if parts.first:
        return np.asarray(said[0], np.float32)
    weights = np.array(encoded.attention_mask, np.float32)
    return np.asarray(weights @ said / max(1.0, float(weights.sum())), np.float32)


@lru_cache(maxsize=2)
def _read_parts(folder: Path, _name: str) -> _Parts:
    try:
        import onnxruntime
    except ImportError as missing:
        raise EmbedderUnavailable(
            message("onnxruntime is not installed."), next=install_extra("onnx")
        ) from missing
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(THREADS_AT_MOST, os.cpu_count() or 1)
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        session = onnxruntime.InferenceSession(
            str(_model_in(folder)), options, providers=["CPUExecutionProvider"]
        )
    except Exception as wrong:  # noqa: BLE001  onnxruntime's and tokenizers' errors share no root but this
        said = str(wrong).splitlines()[:1]
        raise EmbedderUnavailable(
            message("The model in {folder} cannot be read: {said}.", folder=folder, said="".join(said))
        ) from wrong
    tokenizer.no_padding()
    length = _json_object(folder / "sentence_bert_config.json").get("max_seq_length")
    tokenizer.enable_truncation(length if isinstance(length, int) and length > 0 else TOKENS_AT_MOST)
    first = _json_object(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") is True
    inputs = frozenset(each.name for each in session.get_inputs())
    return _Parts(session=session, tokenizer=tokenizer, inputs=inputs, first=first)


def _model_in(folder: Path) -> Path:
    found = next((path for name in MODELS if (path := folder / name).is_file()), None)
    if found is None:
        raise EmbedderUnavailable(
            message("There is no ONNX model in {folder}.", folder=folder),
            next=message("embedder_folder names a folder that holds model.onnx."),
        )
    return found


@lru_cache(maxsize=8)
def _digest_of(path: Path, _size: int, _modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=6)).hexdigest()


def _digest(path: Path) -> str:
    """Return a hash of a model file, computed once until the file changes."""
    found = path.stat()
    return _digest_of(path, found.st_size, found.st_mtime_ns)


def _json_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a settings file; empty if it is missing or cannot be read."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
