"""Acts on a set of memories in Chinese, as the English words for them: “关于旧公寓的事实 → 已过去”.

Each rule is a pattern with its English; a value that is a name or a topic is quoted, so that no English rule reads it.
Words that no rule reads are kept as they are, and are returned as not understood."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HAN = re.compile(r"[\u4e00-\u9fff]")
_ARROW = re.compile(r"\s*(?:→|⇒|⟶|[-=]+>)\s*")
_NOUNS: tuple[tuple[str, str], ...] = (
    ("事实", "facts"),
    ("实体", "entities"),
    ("目标", "goals"),
    ("策略", "strategies"),
    ("决定|决策", "decisions"),
    ("偏好", "preferences"),
    ("约束|限制", "constraints"),
    ("事件", "events"),
    ("一切|全部内容|所有内容|所有东西|记忆|内容", "everything"),
)
"""Kinds and categories, which end the set: in Chinese the conditions precede them."""
_NOUN = "|".join(chinese for chinese, _ in _NOUNS)
_SPAN = r"(?:\d+|[一二两三四五六七八九十]+)\s*(?:小时|天|周|个月|月|年)"
_LEAD = r"自|从|来自|由|频道|在|带|提到|包含|置信度|超过|早于"
_END = rf"的(?=\s*(?:{_NOUN}|{_LEAD}|所有|全部|$))"
_WROTE = r"(?:写下|写|记下|记录|学到|存储|存)"
_FILTERS: tuple[tuple[str, str], ...] = (
    (rf"(?:关于|(?<!所)有关|提到|提及|包含)\s*(.+?)\s*{_END}", "about “{0}”"),
    (r"带(?:有)?标签\s*(.+?)\s*的", "tagged “{0}”"),
    (r"标签(?:是|为)\s*(.+?)\s*的", "tagged “{0}”"),
    (r"置信度(?:低于|小于|不到)\s*([\d.]+)\s*的?", "with confidence below {0}"),
    (r"在?\s*(?:这个|当前)频道(?:里|中|内)?的?", "in this channel"),
    (r"在?\s*频道\s*#?([^的]+?)\s*(?:里|中|内)?的", "in “{0}”"),
    (r"在?\s*#?([^\s的]+)\s*频道(?:里|中|内)?的?", "in “{0}”"),
    (rf"(?:超过|早于)\s*({_SPAN})(?:以前|之前|前)?的?", "before {0}前"),
    (rf"({_SPAN})(?:以前|之前)的?", "before {0}前"),
    (r"(?:自从|自|从)\s*([^\s的]+?)\s*(?:以来|之后|以后|起)", "since {0}"),
    (r"([^\s的]+?)\s*(?:以来|之后|以后)", "since {0}"),
    (r"([^\s的]+?)\s*(?:之前|以前)", "before {0}"),
    (rf"(?:来自|由)\s*(?:智能体|代理)?\s*([^的]+?)\s*{_WROTE}?的", "from “{0}”"),
    (rf"(?:这个|当前)(?:智能体|代理)\s*{_WROTE}?的?", "from this agent"),
    (r"(?:我|手动|手工)\s*(?:写下|写|记下|添加|输入)的", "from me"),
    (r"导入的", "from import"),
    (rf"([^\s的]+)\s*{_WROTE}的", "by “{0}”"),
)
"""Conditions of the set, in the order in which they are looked for."""
_STATES: tuple[tuple[str, str], ...] = (
    ("已?停用的", "retired"),
    ("已?(?:被)?隔离的", "quarantined"),
    ("已?固定的", "pinned"),
    ("已过去的|过去的|过时的", "past"),
)
_OWNER = (rf"([^\s的\d]+)\s*的(?=\s*(?:{_NOUN}|所有|全部))", "from {0}")
"""A possessive, of what the other rules left: “Forge 的事实”, “上周的事实”."""
_FILLER = re.compile(r"所有|全部|每个|每条|那些|这些|的|了|，|、|和|都")
_ACTS: tuple[tuple[str, str], ...] = (
    (r"(?:标记?为|设为|改为|变为)?已?过去|不再(?:成立|正确|有效)|(?:标记?为|设为)?已?过时", "past"),
    (r"停用|撤下|隐藏", "retire"),
    (r"隔离", "quarantine"),
    (r"恢复", "restore"),
    (r"取消固定", "unpin"),
    (r"固定", "pin"),
    (r"提升(?:到|至)?(?:全局|\s*_global)?", "promote"),
    (r"移(?:动)?(?:到|至|进)\s*(?:频道)?\s*#?(.+?)\s*(?:频道)?", "to “{0}”"),
    (r"(?:加上?|打上?|添加)?标签\s*#?(.+)", "tag “{0}”"),
)
_OBJECT_LAST = r"停用|撤下|隐藏|隔离|恢复|取消固定|固定|提升"
"""Acts that can precede their set: “停用关于旧公寓的事实”, but not “停用的事实”, which are retired ones."""


def in_english(text: str) -> str:
    """Return an act in Chinese in the English words for it; a text without Chinese characters as it is."""
    if not _HAN.search(text):
        return text
    set_words, act = _split(text)
    english = _set_in_english(set_words)
    return f"{english} → {_act_in_english(act)}" if act else english


def _split(text: str) -> tuple[str, str]:
    """Return the words of the set and those of the act."""
    if arrow := _ARROW.search(text):
        return text[: arrow.start()], text[arrow.end() :]
    for act, _ in _ACTS:
        if match := re.fullmatch(rf"(?:请\s*)?(?:把|将|给|为)\s*(?P<set>.+?)\s*(?P<act>{act})", text):
            return match["set"], match["act"]
    if match := re.fullmatch(rf"(?:请\s*)?(?P<act>{_OBJECT_LAST})(?!的)\s*(?P<set>.+)", text):
        return match["set"], match["act"]
    return text, ""


def _act_in_english(words: str) -> str:
    for pattern, english in _ACTS:
        if match := re.fullmatch(pattern, words.strip()):
            return english.format(*match.groups())
    return words


def _set_in_english(words: str) -> str:
    """Return kinds, states and words of no rule first, then the conditions, as English has them."""
    conditions, rest = _taken(words, _FILTERS)
    states, rest = _taken(rest, _STATES)
    owners, rest = _taken(rest, (_OWNER,))
    nouns, rest = _taken(rest, _NOUNS)
    left = _FILLER.sub(" ", rest).split()
    return " ".join((*left, *states, *nouns, *conditions, *owners))


def _taken(words: str, rules: Sequence[tuple[str, str]]) -> tuple[list[str], str]:
    """Return the English of each match, and the words without the matches."""
    found: list[str] = []
    for pattern, english in rules:
        for match in re.finditer(pattern, words):
            found.append(english.format(*match.groups()))
        words = re.sub(pattern, " ", words)
    return found, words
