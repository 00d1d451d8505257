"""Turns with no content to remember: courtesies and words of assent."""

from __future__ import annotations

import re

from memdesk.engine.extraction.language import HAN
from memdesk.engine.extraction.words import word_set

SHORTEST = 10
"""Characters under which an English turn is skipped (AgentX)."""
SHORTEST_HAN = 4
"""Characters under which a turn in a script of dense characters is skipped: 我住杭州 is read."""
_AGENTX = (
    "ok", "okay", "thanks", "thank you", "got it", "sure", "yes", "no", "yep", "nope", "alright", "sounds good",
    "perfect", "great", "cool", "understood", "i see", "ah", "oh", "hmm", "hm", "um", "uh",
)  # fmt: skip
_CHINESE = """
好 好的 好吧 好啊 嗯 嗯嗯 哦 噢 谢谢 谢谢你 多谢 感谢 明白 明白了 知道了 了解 收到 可以 行 对 对的 是的 没错 没问题 不用
不用了 不客气 没事 哈哈 哈哈哈 再见
"""
_JAPANESE = """
はい いいえ うん ありがとう ありがとうございます 了解です わかりました なるほど そうですね
"""
SKIPPED = frozenset(_AGENTX) | word_set(_CHINESE) | word_set(_JAPANESE)
"""Phrases that are skipped: AgentX's, and their equivalents in Chinese and Japanese."""
_DENSE = re.compile(f"[{HAN}\u3041-\u30ff]")


def trivial(text: str) -> bool:
    """Return True for a turn that extraction skips: a skipped phrase, or a text that is too short."""
    said = text.strip().strip(".!?。！？~～,， ").lower()
    if said in SKIPPED:
        return True
    return len(text.strip()) < (SHORTEST_HAN if _DENSE.search(text) else SHORTEST)
