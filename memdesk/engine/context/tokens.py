"""Token counts without a model's own tokenizer: an estimate by classes of characters.

Compared with the vocabulary of 32,000 pieces of the bundled embedder, it is within 5 % for English talk,
markdown and Russian, 9 % high for program text, 13 % low for JSON and 22 % low for Chinese; newer
vocabularies make fewer pieces of Chinese than that one."""

from __future__ import annotations

import numpy as np

MESSAGE_TOKENS = 4
"""Tokens of a message in addition to its text: its role and its end marks, as in chat formats (OpenAI's
cookbook)."""
_LETTER, _DIGIT, _MARK, _WIDE, _OTHER = 1 / 4.2, 0.9, 0.7, 1.0, 1 / 3


def _weights() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return the share of a token that each character of the basic plane counts as."""
    table = np.full(0x10000, _OTHER, np.float32)
    for code in range(128):
        letter = chr(code)
        table[code] = _LETTER if letter.isalpha() or letter == " " else _DIGIT if letter.isdigit() else _MARK
    for first, last in ((0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF)):
        table[first : last + 1] = _WIDE
    return table


_TABLE = _weights()


def tokens_in(text: str) -> int:
    """Return the approximate number of tokens of a text; 0 for an empty one. 50,000 characters take a quarter
    of a millisecond."""
    if not text:
        return 0
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    plane = codes < 0x10000
    beyond = 2.0 * float(np.count_nonzero(~plane))
    return max(1, round(float(_TABLE[codes[plane]].sum()) + beyond))
