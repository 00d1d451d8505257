"""Counting tokens without a model's own tokenizer: an estimate by classes of characters, and whose counts they are.

Held against the vocabulary of 32,000 pieces that the bundled embedder brings, it is within 5 % for English talk,
markdown and Russian, 9 % high for program text, 13 % low for JSON and 22 % low for Chinese, of which newer vocabularies
make fewer pieces than that one.
"""

from __future__ import annotations

import numpy as np

MESSAGE_TOKENS = 4
"""What a message costs beside its text: its role and its ends, as chat formats write them (OpenAI's cookbook)."""
_LETTER, _DIGIT, _MARK, _WIDE, _OTHER = 1 / 4.2, 0.9, 0.7, 1.0, 1 / 3


def _weights() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The share of a token that a character of the basic plane is."""
    table = np.full(0x10000, _OTHER, np.float32)
    for code in range(128):
        letter = chr(code)
        table[code] = _LETTER if letter.isalpha() or letter == " " else _DIGIT if letter.isdigit() else _MARK
    for first, last in ((0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF)):
        table[first : last + 1] = _WIDE
    return table


_TABLE = _weights()


def tokens_in(text: str) -> int:
    """About how many tokens a text has; 0 for none. Fifty thousand characters take a quarter of a millisecond."""
    if not text:
        return 0
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    plane = codes < 0x10000
    beyond = 2.0 * float(np.count_nonzero(~plane))
    return max(1, round(float(_TABLE[codes[plane]].sum()) + beyond))
