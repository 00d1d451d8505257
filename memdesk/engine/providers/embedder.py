"""Interface of embedders, and those on this machine. Vectors are stored with `name`, so vectors of different models are
never mixed.

The bundled one needs no key, no download and no torch: WordLlama's wheel contains a 256-dimension table of token
vectors and its tokenizer. Both files are read directly, because its own loader looks for the tokenizer online.

A sentence-transformer is read from a folder and run by onnxruntime (the extra `onnx`), also without network and torch.
The folder has the usual layout of such models: `tokenizer.json`, `onnx/model.onnx` or `model.onnx`, and also
`1_Pooling/config.json` and `sentence_bert_config.json`, which define the pooling of token vectors and the length limit
of a text."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import json
import math
import mmap
import os
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.extras import install_extra
from memdesk.model.message import message

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Name of the model with its dimension or another mark, such as `static-256`."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 of shape (len(texts), dimension), rows of unit length, or zero for a text without a
        known word.

        Raises EmbedderUnavailable: callers then search by words alone and report it."""


class Unset:
    """Placeholder for an embedder that the settings do not fully define. It always fails, so no other
    embedder is used instead."""

    name, dimension = "unset", 0

    def __init__(self, says: str) -> None:
        self._says = says

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raise EmbedderUnavailable."""
        raise EmbedderUnavailable(
            message("There is no embedder: {says}.", says=self._says),
            next=message("Correct embedder and what it needs in the settings."),
        )


def unit(rows: Vectors) -> Vectors:
    """Scale rows to unit length, in place, and return them; a zero row stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows


def meaning(embedder: Embedder, texts: Sequence[str]) -> Vectors | None:
    """Return the unit vector of the texts' summed vectors; None if no text has a known word."""
    total = embedder.embed(list(texts)).sum(axis=0)
    length = float(np.linalg.norm(total))
    return None if length == 0 else np.asarray(total / length, np.float32)


def meaning_or_none(embedder: Embedder, texts: Sequence[str]) -> Vectors | None:
    """Return what `meaning` does; None also while there are no vectors, for callers that do without."""
    try:
        return meaning(embedder, texts)
    except EmbedderUnavailable:
        return None


def likeness(cosine: float) -> float:
    """Return 1 / (1 + L2 distance) of two unit vectors with this cosine: 1 if equal, 0.41 if orthogonal."""
    return 1 / (1 + math.sqrt(max(0.0, 2 - 2 * cosine)))


TOKENS_AT_MOST = 512
"""Longer texts are embedded by their beginning; a mean over more tokens carries little information."""
CHARACTERS_AT_MOST = 16 * TOKENS_AT_MOST
FEW = 16
"""Up to this many texts are tokenised on the calling thread."""
KIN_FROM = 0.4
"""Least cosine of two related words: work and works .83, wife and husband .70, city and town .44."""
KIN_AT_MOST = 12
ROUGH, ROUGH_FROM = 64, 0.25
"""Dimensions and least cosine of the first search for related words: it misses one in three hundred, in a
third of the time."""
_WORD = re.compile("▁([a-z]{3,})")
"""Token that is a complete word. Only these have related words: a word in pieces is near any word that shares
a piece."""
_lock = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """Loaded table. vectors: (tokens, 256), float16 in the file, of which the system keeps in memory what is used.
    words: the complete words, with `place` the row of each, `exact` their unit vectors and `rough` the unit vectors of
    their first ROUGH dimensions, which form a usable smaller table."""

    tokenizer: Any
    vectors: npt.NDArray[Any]
    words: tuple[str, ...]
    place: dict[str, int]
    exact: Vectors
    rough: Vectors

    def of_tokens(self, rows: Sequence[int]) -> Vectors:
        """Return the vectors of these rows, as float32."""
        found: Vectors = self.vectors[rows].astype(np.float32)
        return found


class StaticTable:
    """Embedder by the mean of token vectors, scaled to unit length. Loaded once, at first use; thread-safe."""

    name = "static-256"
    dimension = 256

    def embed(self, texts: Sequence[str]) -> Vectors:
        parts = _loaded()
        encoded = _encoded(parts.tokenizer, [text[:CHARACTERS_AT_MOST] for text in texts])
        out = np.zeros((len(texts), self.dimension), np.float32)
        for row, item in zip(out, encoded, strict=True):
            ids = item.ids[:TOKENS_AT_MOST]
            if ids:
                row += parts.of_tokens(ids).mean(axis=0)
        return unit(out)


@lru_cache(maxsize=8192)
def related_words(word: str) -> tuple[str, ...]:
    """Return the words nearest in meaning to a lower-case word, nearest first, at most KIN_AT_MOST; often
    none.

    Takes a seventh of a millisecond for a new word, independent of the desk's size, and no time for a
    repeated one. Raises EmbedderUnavailable."""
    parts = _loaded()
    if word not in parts.place:
        return ()
    row = parts.place[word]
    near = np.flatnonzero(_products(parts.rough, parts.rough[row]) >= ROUGH_FROM)
    cosines = _products(parts.exact[near], parts.exact[row])
    ranked = near[np.argsort(-cosines, kind="stable")][: np.count_nonzero(cosines >= KIN_FROM)]
    return tuple(parts.words[i] for i in ranked if i != row)[:KIN_AT_MOST]


def _encoded(tokenizer: Any, texts: Sequence[str]) -> Sequence[Any]:
    """Tokenise texts, a few of them on this thread: a batch starts the tokenizer's threads, which costs a
    query more than it saves."""
    if len(texts) <= FEW:
        return [tokenizer.encode(text, add_special_tokens=False) for text in texts]
    batch: Sequence[Any] = tokenizer.encode_batch(texts, add_special_tokens=False)
    return batch


def _keep_no_texts(tokenizer: Any) -> None:
    """Disable a tokenizer's cache. This one does not split words, so it would keep 10,000 complete texts, 3
    KB each.

    A library version without this setting keeps them."""
    with contextlib.suppress(AttributeError):
        tokenizer.model._resize_cache(0)


def _products(rows: Vectors, vector: Vectors) -> Vectors:
    """Return the product of each row and the vector, on this thread: for one word BLAS would start every core
    and wait for it."""
    products: Vectors = np.einsum("ij,j->i", rows, vector)
    return products


def _loaded() -> _Parts:
    with _lock:
        return _read_parts()


@lru_cache(maxsize=1)
def _read_parts() -> _Parts:
    spec = importlib.util.find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable(
            message("The bundled embedder is not installed."), next=message("Install MemDesk again.")
        )
    folder = Path(spec.origin).parent
    try:
        from tokenizers import Tokenizer

        pages, vectors = _mapped(folder / "weights" / "l2_supercat_256.safetensors")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
        _keep_no_texts(tokenizer)
    except (ImportError, LookupError, OSError, ValueError) as error:
        raise EmbedderUnavailable(
            message("The bundled embedder cannot be read: {error}.", error=error)
        ) from error
    whole = {
        found[1]: row
        for token, row in sorted(tokenizer.get_vocab().items())
        if (found := _WORD.fullmatch(token))
    }
    own = vectors[list(whole.values())].astype(np.float32)
    rough = unit(own[:, :ROUGH].copy())
    _give_back(pages)
    return _Parts(
        tokenizer=tokenizer,
        vectors=vectors,
        words=tuple(whole),
        place={word: at for at, word in enumerate(whole)},
        exact=unit(own),
        rough=rough,
    )


def _mapped(file: Path) -> tuple[mmap.mmap, npt.NDArray[Any]]:
    """Return the only tensor of a file of safetensors, as the file mapped into memory and an array over it.

    Raises OSError, LookupError or ValueError for any other file."""
    with file.open("rb") as opened:
        pages = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    data = 8 + int.from_bytes(pages[:8], "little")
    (told,) = (each for name, each in json.loads(pages[8:data]).items() if name != "__metadata__")
    if told["dtype"] != "F16":
        raise ValueError(f"numbers of the type {told['dtype']}")
    start, end = told["data_offsets"]
    rows = np.frombuffer(pages, "<f2", (end - start) // 2, data + start)
    return pages, rows.reshape(told["shape"])


def _give_back(pages: mmap.mmap) -> None:
    """Give memory back to the system: pages of the table that were read for all words, and what the libraries freed.
    Where the system takes none, nothing happens."""
    with contextlib.suppress(AttributeError, OSError):
        pages.madvise(mmap.MADV_DONTNEED)
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


ONNX_FILES = ("onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx")
ONNX_TOKENS = 512
"""Most tokens of a text, if the folder does not define it."""
ONNX_THREADS = 4
_onnx_lock = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class _OnnxParts:
    """Loaded model. inputs: the names of its inputs. first: use the first token's vector for the text, not the mean."""

    session: Any
    tokenizer: Any
    inputs: frozenset[str]
    first: bool


class SentenceTransformer:
    """Embedder loaded once, at first use; thread-safe. Its name is made of its folder and a hash of its model file."""

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

    def _loaded(self) -> _OnnxParts:
        with _onnx_lock:
            return _read_onnx(self._folder, self.name)


def _vector(parts: _OnnxParts, text: str) -> Vectors:
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
def _read_onnx(folder: Path, _name: str) -> _OnnxParts:
    try:
        import onnxruntime
    except ImportError as missing:
        raise EmbedderUnavailable(
            message("onnxruntime is not installed."), next=install_extra("onnx")
        ) from missing
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(ONNX_THREADS, os.cpu_count() or 1)
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
    tokenizer.enable_truncation(length if isinstance(length, int) and length > 0 else ONNX_TOKENS)
    first = _json_object(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") is True
    inputs = frozenset(each.name for each in session.get_inputs())
    return _OnnxParts(session=session, tokenizer=tokenizer, inputs=inputs, first=first)


def _model_in(folder: Path) -> Path:
    found = next((path for name in ONNX_FILES if (path := folder / name).is_file()), None)
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
