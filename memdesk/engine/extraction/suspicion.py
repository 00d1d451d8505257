"""Rules for text that looks like an instruction to the agent, not a fact to remember. Heuristics, without a
model.

Text that an agent reads (a page, a mail, the output of a tool) may be written to steer it. Such a claim
should be reviewed before it can be recalled. The certainties are set by hand, from how rarely the words of a
rule have another purpose; they are not measured probabilities, and a new wording passes every rule."""

from __future__ import annotations

import re
from dataclasses import dataclass

STRANGER = 0.15
"""Certainty added to a rule if the words are not the person's."""
SUREST = 0.99


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Result of the rules on a text: the reason, the certainty (0 to 1, set by hand), and the matched words."""

    says: str
    certainty: float
    words: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Way to steer an agent: its description, the certainty of its words, and their pattern."""

    says: str
    certainty: float
    pattern: re.Pattern[str]


def _rule(says: str, certainty: float, *patterns: str) -> Rule:
    return Rule(says, certainty, re.compile("|".join(patterns), re.IGNORECASE))


_SECRET = (
    r"(?:pass\s?words?|api[ _-]?keys?|secret keys?|access tokens?"
    r"|credentials|private keys?|ssh keys?|seed phrases?)"
)
_AWAY = r"(?:https?://|www\.|[\w.+-]+@[\w-]+\.\w+)"
RULES = (
    _rule(
        "It tells to set instructions aside", 0.9,
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,30}"
        r"\b(?:previous|prior|above|earlier|preceding|all|your|system)\b[^.!?\n]{0,20}"
        r"\b(?:instructions?|prompts?|rules|guidelines|guardrails|directives)\b",
        r"(?:忽略|无视|忘记|不要理会)[^。！？\n]{0,12}(?:指令|指示|提示词|规则|设定)",
    ),
    _rule(
        "It poses as the system or another voice of the prompt", 0.8,
        r"<\|?/?(?:im_start|im_end|system|assistant)\|?>", r"\[/?(?:INST|SYS|SYSTEM)\]", r"<<SYS>>",
        r"^\s*#*\s*(?:new )?system (?:prompt|message|override)\b\s*:",
        r"\bBEGIN (?:SYSTEM|NEW) (?:PROMPT|INSTRUCTIONS)\b",
    ),
    _rule(
        "It gives the agent another role", 0.7,
        r"\byou are (?:now|no longer)\b[^.!?\n]{0,40}"
        r"\b(?:assistant|ai|agent|model|chatbot|unrestricted|jailbroken|dan)\b",
        r"\b(?:pretend|act)\b[^.!?\n]{0,20}\b(?:no|without) (?:restrictions?|rules|guidelines|filters?)\b",
        r"(?:你现在是|从现在起你是)[^。！？\n]{0,20}(?:助手|模型|智能体|AI)",
    ),
    _rule(
        "It asks to keep something from the person", 0.75,
        r"\b(?:do not|don't|never|without)\b[^.!?\n]{0,15}"
        r"\b(?:tell|telling|mention|inform|informing|reveal|alert|ask)\w*\b[^.!?\n]{0,20}\b(?:the )?user\b",
        r"(?:不要|别|勿)(?:告诉|通知|提醒)(?:用户|主人|使用者)",
    ),
    _rule(
        "It sends secrets away", 0.85,
        rf"\b(?:send|post|forward|upload|mail|email|leak|exfiltrate)\b[^.!?\n]{{0,60}}{_SECRET}[^\n]{{0,60}}",
        rf"\b(?:send|post|forward|upload|mail|email)\b[^\n]{{0,80}}\b(?:conversation|chat|memory|files?|data)\b[^\n]{{0,40}}{_AWAY}",
        r"!\[[^\]]*\]\(https?://[^)]*[?&][^)]*=[^)]*\)",
    ),
    _rule(
        "It orders a lasting act toward an address", 0.55,
        rf"\b(?:always|from now on|whenever|every time)\b[^\n]{{0,60}}"
        rf"\b(?:send|forward|pay|transfer|wire|run|execute|download|install|cc|bcc)\b[^\n]{{0,60}}{_AWAY}",
        rf"(?:总是|每次|从现在起|今后)[^。\n]{{0,30}}(?:发送|转发|付款|转账|执行|运行|下载)[^。\n]{{0,30}}{_AWAY}",
    ),
    _rule(
        "It hides characters that nobody sees", 0.7,
        r"[\u202a-\u202e\u2066-\u2069]", r"[\U000e0020-\U000e007f]{3,}", r"(?:\u200b|\u2060|\ufeff){3,}",
    ),
)  # fmt: skip


def suspicion(text: str, *, by_person: bool) -> Suspicion | None:
    """Return the suspicion of the rule with the highest certainty; None if no rule matches.

    by_person: the person wrote the text in a conversation."""
    found = [(rule, match) for rule in RULES if (match := rule.pattern.search(text))]
    if not found:
        return None
    rule, match = max(found, key=lambda each: each[0].certainty)
    certainty = rule.certainty if by_person else min(SUREST, rule.certainty + STRANGER)
    return Suspicion(rule.says, round(certainty, 2), " ".join(match[0].split())[:120])
