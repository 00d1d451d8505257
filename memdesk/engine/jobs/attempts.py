"""Attempts at tasks with tools in conversations, their success, and the sequences of tools that several
share. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from memdesk.engine.extraction.corrections import corrections
from memdesk.engine.recall.query_words import terms
from memdesk.model.procedure import ToolCall
from memdesk.model.turn import Turn

OBJECTION_CHARACTERS = 400
"""Characters of a person's last turn that are searched for an objection; it comes at the beginning or not at
all."""
_COURTESY = """
    please pls kindly thanks thank hi hello hey ok okay help need want let 请 麻烦 帮我 谢谢
"""
COURTESY = frozenset(_COURTESY.split())
"""Words of a request that do not show its purpose."""
ALIKE = 0.5
"""Share of the smaller request's keywords that two requests must have in common to be of one kind."""
_CONTENT = r"(?:thank|nothing|all good|i'm (?:good|fine)|(?:that|it)(?:'s| is) (?:all|it|fine|great|good|perfect|ok))"
_OBJECTIONS = (
    rf"no(?:pe)?\s*[,.!;–—-](?!\s*{_CONTENT})",
    r"(?:wrong|incorrect)\b",
    r"(?:that|it|this)(?:'s| is| was) (?:still )?not (?:what|right|correct|it\b|how)",
    r"(?:that|it|this)(?:'s| is| was) (?:still )?(?:wrong|incorrect|broken|failing)",
    r"(?:that|it|this) (?:still )?(?:doesn't|didn't|does not|did not) (?:work|help|fix)",
    r"still (?:broken|failing|wrong|not (?:working|right|fixed))",
    r"not (?:what i|like that|that one)",
    r"(?:please )?(?:undo|revert|redo) (?:that|this|it)\b",
    r"(?:please )?(?:try again|start over)\b",
    r"(?:please )?(?:don't|do not|stop) (?:do|doing)\b",
    r"(?:you should(?:n't)? have|i said|instead,)",
    r"(?:不对|不是这|不是我|错了|还是不|不要这|重来|重做)",
    r"(?:違う|違います|ちがう|だめ|やり直)",
)
_OBJECTION = re.compile(rf"\W*(?:{'|'.join(_OBJECTIONS)})", re.IGNORECASE)
"""Openings of a turn by a dissatisfied person (after OpenLegion's list), in addition to the corrections that
extraction reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Calls of one conversation for one type of task.

    tried: every tool in order, immediate repeats once; worked: without the calls that failed. words: keywords
    of the request that opened the conversation, by their root."""

    conversation_id: str
    task_type: str
    tried: tuple[str, ...]
    worked: tuple[str, ...]
    succeeded: bool
    words: dict[str, str]


def attempts(calls: Sequence[ToolCall], opening: Turn | None, closing: Turn | None) -> Iterator[Attempt]:
    """Return the attempts of one conversation. calls: in the order of their time; opening, closing: a
    person's turns.

    An attempt succeeded if its last call did not fail and, if that call ends the conversation, the person did
    not object afterwards."""
    words = keywords(opening.content) if opening is not None else {}
    for task_type in dict.fromkeys(call.task_type for call in calls):
        own = [call for call in calls if call.task_type == task_type]
        objected = own[-1] is calls[-1] and _objects(opening, closing, own[-1])
        yield Attempt(
            conversation_id=str(own[-1].conversation_id),
            task_type=task_type,
            words=words,
            tried=without_repeats(call.tool_name for call in own),
            worked=without_repeats(call.tool_name for call in own if call.success != 0),
            succeeded=own[-1].success != 0 and not objected,
        )


def without_repeats(tools: Iterable[str]) -> tuple[str, ...]:
    """Return the tools in order, with immediate repeats once."""
    return tuple(tool for tool, _ in groupby(tools))


def keywords(text: str) -> dict[str, str]:
    """Return the keywords of a request by their root, in order, without words of courtesy."""
    found: dict[str, str] = {}
    for word in terms(text):
        if word not in COURTESY:
            found.setdefault(_root(word), word)
    return found


def same_kind(some: Iterable[str], others: Iterable[str]) -> bool:
    """Return True if two sets of roots are one kind of request: they share half of the smaller set, and at
    least two if both have two."""
    left, right = set(some), set(others)
    fewer = min(len(left), len(right))
    shared = len(left & right)
    return fewer > 0 and shared >= min(2, fewer) and shared >= ALIKE * fewer


def _root(word: str) -> str:
    """Return a word without the endings by which requests for the same differ; no linguistics, and the same
    for both."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.isascii() and word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def _objects(opening: Turn | None, closing: Turn | None, last: ToolCall) -> bool:
    """Return True if the person's last turn, after the last call, rejects the outcome."""
    if opening is None or closing is None or closing.id == opening.id or closing.created_at < last.created_at:
        return False
    said = closing.content[:OBJECTION_CHARACTERS].replace("\u2019", "'")
    return _OBJECTION.match(said) is not None or any(corrections(said))


Tools = tuple[str, ...]
SHORTEST = 2
"""Fewest tools in a sequence: a single tool adds nothing to the statistics of tools by task type."""
LONGEST = 12
OUTDONE = 0.5
"""A sequence that continues in the same way at least this often is part of the longer one and not listed
separately."""
READ = 200
"""Tools of one attempt that are read; a longer attempt is a day's work, not one way of doing a task."""


def frequent(attempts: Sequence[Tools], at_least: int) -> list[tuple[Tools, int]]:
    """Return (sequence, how many attempts contain it) for the unbroken sequences that `at_least` attempts
    share.

    Only the longest: a sequence is left out if a longer one that contains it is at least half as common. The
    sequence that explains most calls comes first."""
    counts: Counter[Tools] = Counter()
    for tools in attempts:
        counts.update(_pieces(tools[:READ]))
    shared = {piece: count for piece, count in counts.items() if count >= at_least}
    outdone = {
        inner
        for piece, count in shared.items()
        for inner in (piece[1:], piece[:-1])
        if count >= OUTDONE * counts[inner]
    }
    longest = [(piece, count) for piece, count in shared.items() if piece not in outdone]
    return sorted(longest, key=lambda found: (-found[1] * len(found[0]), found[0]))


def contains(tools: Tools, sequence: Tools) -> bool:
    """Return True if these tools contain the sequence without a gap."""
    size = len(sequence)
    return any(tools[at : at + size] == sequence for at in range(len(tools) - size + 1))


def _pieces(tools: Tools) -> set[Tools]:
    return {
        tools[start : start + size]
        for size in range(SHORTEST, min(LONGEST, len(tools)) + 1)
        for start in range(len(tools) - size + 1)
    }
