"""Patterns job: strategies learned from the tool calls of conversations and their success."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

from memdesk.engine.extraction.corrections import corrections
from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.procedures import DESCRIPTION_CHARACTERS, draft_outcome, draft_strategy
from memdesk.engine.recall.query import terms
from memdesk.engine.wording import shortened
from memdesk.model.change import Change
from memdesk.model.message import message
from memdesk.model.strategy import Strategy
from memdesk.model.tool_call import ToolCall
from memdesk.model.turn import CONVERSATION, Turn
from memdesk.store import procedures, records
from memdesk.store.connection import Connection
from memdesk.store.words import is_run

OBJECTION_CHARACTERS = 400
"""Characters of a person's last turn that are searched for an objection; it comes at the beginning or not at all."""
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
"""A sequence that continues in the same way at least this often is part of the longer one and not listed separately."""
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


AT_ONCE = 200
"""Conversations read together; with their peers they stay within the edits of one change."""
PEERS = 250
"""Newest conversations of the same channel that those being read are compared with."""
PER_KIND = 5
"""Most strategies learned from one kind of request at once: those that explain most of its calls."""
SHARE = 0.1
"""Share of the successes of one kind that a strategy must explain: rarer sequences are detours."""
WORDS_SHOWN = 8


@dataclass(slots=True, kw_only=True)
class _Kind:
    """Attempts at one kind of task: the same task type, or similar requests."""

    task_type: str
    words: dict[str, str]
    attempts: list[Attempt] = field(default_factory=list)

    def takes(self, attempt: Attempt) -> bool:
        if self.task_type or attempt.task_type:
            return self.task_type == attempt.task_type
        return same_kind(self.words, attempt.words)

    @property
    def subject(self) -> str:
        """Keywords that at least half of its successes share, in the order of the first request."""
        good = [attempt for attempt in self.attempts if attempt.succeeded]
        counts = Counter(root for attempt in good for root in attempt.words)
        enough = max(min(2, len(good)), len(good) / 2)
        return " ".join(
            _joined([word for root, word in self.words.items() if counts[root] >= enough])[:WORDS_SHOWN]
        )

    @property
    def pattern(self) -> str:
        """Description of when to use the strategies learned here."""
        return ": ".join(part for part in (self.task_type, self.subject) if part)

    def knows(self, strategy: Strategy) -> bool:
        """Return True if a strategy is for this kind of task."""
        pattern = strategy.context_pattern or strategy.description
        named = pattern.partition(": ")[0].casefold() == self.task_type.casefold()
        return named or same_kind(keywords(pattern), keywords(self.pattern))


def patterns(run: Run) -> dict[str, int]:
    """Learn strategies from conversations with tool calls not read yet.

    A sequence of tools becomes a strategy once `pattern_calls` conversations of one kind succeeded with it;
    each that tried it is an outcome for or against it. Returns counts of conversations, strategies and
    outcomes. A crash loses nothing and repeats nothing: no conversation gives a strategy a second outcome."""
    with run.engine.store.reading() as db:
        waiting = procedures.conversations_unread(db)
    run.counts.update(dict.fromkeys(("conversations", "strategies", "outcomes"), 0))
    for (user_id, channel), rows in groupby(sorted(waiting, key=_scope), key=_scope):
        ids = [row[0] for row in rows]
        for start in range(0, len(ids), AT_ONCE):
            run.step(run.counts["conversations"], len(waiting), message("Reading tool calls"))
            _read(run, user_id, channel, ids[start : start + AT_ONCE])
    return dict(run.counts)


def _scope(row: tuple[str, str, str]) -> tuple[str, str]:
    return row[1], row[2]


def _read(run: Run, user_id: str, channel: str, waiting: Sequence[str]) -> None:
    """Learn from these conversations together with the newest others of their channel, and mark them as read."""
    with run.engine.store.reading() as db:
        peers = procedures.conversations_with_calls(db, user_id, channel, PEERS)
        calls = procedures.calls_of(db, list(dict.fromkeys((*waiting, *reversed(peers)))))
        tried = [attempt for id in calls for attempt in _attempts(db, calls[id], id)]
    fresh = set(waiting)
    for kind in _kinds(tried):
        if any(attempt.conversation_id in fresh for attempt in kind.attempts):
            _learn(run, user_id, channel, kind)
    newest = {id: max(call.created_at for call in calls[id]) for id in waiting if calls[id]}
    run.decide(partial(_mark, run, newest))
    run.counts["conversations"] += len(waiting)


def _attempts(db: Connection, calls: Sequence[ToolCall], id: str) -> list[Attempt]:
    return list(attempts(calls, *procedures.spoken_ends(db, id))) if calls else []


def _kinds(tried: Iterable[Attempt]) -> list[_Kind]:
    """Group attempts by kind of task; one without a type and without a request is left out."""
    kinds: list[_Kind] = []
    for attempt in tried:
        if attempt.task_type or attempt.words:
            kind = next((each for each in kinds if each.takes(attempt)), None)
            if kind is None:
                kind = _Kind(task_type=attempt.task_type, words=attempt.words)
                kinds.append(kind)
            kind.attempts.append(attempt)
    return kinds


def _learn(run: Run, user_id: str, channel: str, kind: _Kind) -> None:
    good = {each.conversation_id: each.worked for each in kind.attempts if each.succeeded}
    enough = max(run.engine.settings.pattern_calls, math.ceil(SHARE * len(good)))
    found = frequent(list(good.values()), enough)
    for tools, _ in found[:PER_KIND]:
        learned, outcomes = run.decide(partial(_pattern, run, user_id, channel, kind, tools))
        run.counts["strategies"] += learned
        run.counts["outcomes"] += outcomes


def _pattern(
    run: Run, user_id: str, channel: str, kind: _Kind, tools: Tools, db: Connection
) -> tuple[Change | None, tuple[bool, int]]:
    """Return the change that makes a sequence a strategy, or adds the new outcomes to the existing one.

    A strategy that a person or a job retired stays retired."""
    draft = Draft(engine=run.engine, db=db, user_id=user_id, channel=channel, at=run.engine.clock())
    sequence = json.dumps(tools, ensure_ascii=False)
    using = procedures.strategies_using(db, user_id, draft.channel, sequence)
    known = next((strategy for strategy in using if kind.knows(strategy)), None)
    if known is not None and known.retired_at is not None:
        return None, (False, 0)
    description = _description(kind, tools) if known is None else known.description
    id = known.id if known else draft_strategy(draft, description, kind.pattern, sequence)
    tried = procedures.conversations_tried(db, id)
    verdicts = {
        each.conversation_id: each.succeeded
        for each in kind.attempts
        if each.conversation_id not in tried and (contains(each.worked, tools) or contains(each.tried, tools))
    }
    for conversation_id, succeeded in verdicts.items():
        draft_outcome(draft, id, conversation_id, success=succeeded)
    return _change(run, draft, description, known is None, verdicts), (known is None, len(verdicts))


def _change(
    run: Run, draft: Draft, description: str, learned: bool, verdicts: dict[str, bool]
) -> Change | None:
    if not draft.edits:
        return None
    worked, count = sum(verdicts.values()), len(verdicts)
    went = (
        message("worked in {worked} of {count} conversations", worked=worked, count=count)
        if count > 1
        else message("worked again")
        if worked
        else message("failed")
    )
    return draft.change(
        "learn" if learned else "update",
        message("{description}: {went}", description=shortened(description, 80), went=went),
        author=run.author,
        layer="procedural",
        run=run.id,
        details={"worked": worked, "conversations": list(verdicts)[:20]},
    )


def _description(kind: _Kind, tools: Tools) -> str:
    """Return the tools and their purpose, within the length limit of a description."""
    way = " → ".join(tools)
    aim = f"{kind.task_type} (“{kind.subject}”)" if kind.task_type and kind.subject else kind.pattern
    return shortened(f"{way}, for {aim}", DESCRIPTION_CHARACTERS)


def _mark(run: Run, newest: dict[str, int], db: Connection) -> tuple[Change | None, None]:
    """Return the change that records up to which call each conversation was read."""
    talks = records.many(db, CONVERSATION, "id", list(newest))
    if not talks:
        return None, None
    if len(talks) == 1:
        title = message("Read the tool calls of “{talks}”", talks=shortened(talks[0].title, 60))
    else:
        title = message("Read the tool calls of {count} conversations", count=len(talks))
    return Change.about(
        talks[0],
        "update",
        title,
        author=run.author,
        edits=(records.update_edit(CONVERSATION, talk, patterns_at=newest[talk.id]) for talk in talks),
        layer="procedural",
        run=run.id,
    ), None


def _joined(words: Iterable[str]) -> list[str]:
    """Return words with the bigrams of a CJK run joined again: 部署 署网 网站 becomes 部署网站."""
    found: list[str] = []
    for word in words:
        if found and is_run(word) and is_run(found[-1]) and found[-1][-1] == word[0]:
            found[-1] += word[1:]
        else:
            found.append(word)
    return found
