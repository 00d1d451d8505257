"""Checkup: pass the desk's facts in bounded steps, and ask a person about the findings, the best first.

Findings are proposals only: nothing is retired by the checkup itself, and nothing is asked twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memdesk.engine.beliefs.comparing import Verdict, compare, nearly_same
from memdesk.engine.beliefs.expiry import is_over
from memdesk.engine.beliefs.lexicon import lexicon
from memdesk.engine.beliefs.placing import ChannelWords
from memdesk.engine.beliefs.reading import keys, read
from memdesk.engine.engine import Engine
from memdesk.engine.extraction.lexicon import pattern
from memdesk.engine.jobs.likely_pairs import PAIRED, likely_pair, of_other_speakers
from memdesk.engine.jobs.run import BudgetSpent, Run
from memdesk.engine.memory.believe import as_written, believed_about, naming, sentence
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.quarantine import suspicion
from memdesk.engine.memory.secret_questions import ask_about_new, ask_about_stored
from memdesk.engine.secrets.detector import MARK, find
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.disk import one_comparer
from memdesk.model.change import Change
from memdesk.model.channel import LOCAL_USER
from memdesk.model.checkup import FOUND, AskCheckup, CheckupList, Finding
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import DAY, MINUTE
from memdesk.model.message import Message, message
from memdesk.model.review import DOUBTFUL
from memdesk.store import beliefs, checkups, proposing, records
from memdesk.store.connection import Connection

AT_ONCE = 200
"""Facts of one step."""
OLDER_AT_MOST = 20_000
"""Most older facts that a run checks again, besides all new ones: about 40 s of processor time. The vocabulary of the
channels is sampled from as many."""
FINDINGS_AT_MOST = 2_000
"""Findings that are kept while a desk is passed; the best of them are asked about."""
ROWS_AT_MOST = 1_000
UNUSED_DAYS = 180
"""Age from which a fact that no recall ever returned is a finding, if it was only inferred."""
LIKELY = 0.7
"""Factor of the learned judge's probability, which ranks its findings below those of the rules."""
SURE = 0.85
SUSPICIOUS = 0.3
"""Least certainty of a rule against injected instructions that is a finding; quarantine needs more."""
SHORT, SHORT_UNSPACED = 12, 4
"""Characters below which a claim of one meaningful word says nothing, in languages with spaces and without."""
FEW_WORDS = 6
"""Words up to which a line of a file that begins with "this" or "it" says nothing, though headings are above it."""
_STEERS = pattern("checkup", "steers")
_ADDRESSES = pattern("checkup", "addresses")
_VALUE = re.compile(r"[^:：]{1,40}[:：]\s*\S")
"""Beginning of a claim that gives a named value without saying of what: `Email: …`."""
_GENERAL = pattern("checkup", "general")
"""Headings over anything."""
_VAGUE = pattern("checkup", "vague")


@dataclass(slots=True, kw_only=True)
class Checker:
    """Look at facts one by one. words: the vocabulary of the channels, for facts in the wrong one. places: those
    of facts that are lines of files.

    outside: they are of a source that stays as it is, where a claim that has ended reads as if it were true."""

    engine: Engine
    db: Connection
    words: ChannelWords
    at: int
    unused: frozenset[int] = frozenset()
    places: Mapping[str, checkups.Places] = field(default_factory=dict)
    outside: bool = False
    seen: set[frozenset[str]] = field(default_factory=set)

    def findings(self, fact: Fact) -> Iterator[Finding]:
        """Yield what is wrong with a fact, or with a fact and an older one."""
        for kind, judge in _CHECKS:
            if (finding := judge(self, fact)) is not None:
                score, reason = finding
                yield self._finding(kind, fact, score, reason)
        yield from self._pairs(fact)
        if fact.id in self.places:
            return  # The folder of a file decides on the channel of its lines.
        if (place := self.words.better_channel(fact.channel, fact.claim)) is not None:
            reason = message(
                "Its words are those of {other}, not of {channel}.",
                other=place.channel,
                channel=fact.channel,
            )
            yield replace(self._finding("misplaced", fact, place.sure, reason), suggested=place.channel)

    def _finding(self, kind: str, fact: Fact, score: float, reason: Message) -> Finding:
        return Finding(
            kind=kind,
            id=fact.id,
            title=shortened(fact.claim, 200),
            channel=fact.channel,
            reason=reason,
            score=score,
        )

    def _pairs(self, fact: Fact) -> Iterator[Finding]:
        yield from self._known_pairs(fact)
        pair = likely_pair(self.engine, self.db, fact, self.at)
        if pair is None or frozenset((fact.id, pair.older.id)) in self.seen:
            return
        if pair.verdict is Verdict.SAME or not self._of_other_things(fact, pair.older):
            yield self._pair(fact, pair.older, pair.verdict is Verdict.SAME, LIKELY * pair.sure, pair.reason)

    def _known_pairs(self, fact: Fact) -> Iterator[Finding]:
        called = naming(self.db, fact.user_id, fact.channel, fact.claim)
        claim = called.unified(fact.claim)
        for other in believed_about(self.db, fact.user_id, fact.channel, fact.claim, called):
            pair = frozenset((fact.id, other.id))
            if other.seq >= fact.seq or pair in self.seen or other.has_ended(self.at):
                continue
            if "past" in (fact.temporal, other.temporal) or of_other_speakers(fact, other):
                continue
            older = called.unified(other.claim)
            judged = compare(claim, older)
            nearly = judged.verdict is Verdict.APART and nearly_same(claim, older)
            if judged.verdict is Verdict.APART and not nearly:
                continue
            same = nearly or judged.verdict is Verdict.SAME
            if not same and self._of_other_things(fact, other):
                continue
            self.seen.add(pair)
            reason = (
                message("They differ in a verb only.")
                if nearly
                else sentence(as_written(judged.reason, fact.claim, other.claim))
            )
            yield self._pair(fact, other, same, 0.6 if nearly else 0.9, reason)

    def _pair(self, fact: Fact, other: Fact, same: bool, score: float, reason: Message) -> Finding:
        found = self._finding("duplicate" if same else "contradiction", fact, score, reason)
        return replace(found, other_id=other.id, other_title=shortened(other.claim, 200))

    def _of_other_things(self, fact: Fact, other: Fact) -> bool:
        """Return True for values of one name in two sections of a file, whose headings tell of what they are.

        A heading such as "Notes" says of nothing what it is."""
        if not (_VALUE.match(fact.claim) and _VALUE.match(other.claim)):
            return False
        here = self.places.get(fact.id, frozenset())
        there = checkups.places_in_files(self.db, [other.id]).get(other.id, frozenset()) if here else ()
        return any(
            one == document and _names_of(above, headings) and _names_of(headings, above)
            for one, above in here
            for document, headings in there
        )

    def expired(self, fact: Fact) -> tuple[float, Message] | None:
        known = fact.temporal == "past" and not (self.outside and _is_of_the_present(fact))
        if known or not (fact.has_ended(self.at) or is_over(fact.claim, fact.created_at, self.at)):
            return None
        return 0.9, message("The day until which it was true has passed.")

    def poisoned(self, fact: Fact) -> tuple[float, Message] | None:
        found = suspicion(fact.claim, by_person=False)
        if found is not None and found.certainty >= SUSPICIOUS:
            return found.certainty, message("{says}: “{words}”.", says=found.says, words=found.words)
        if _STEERS.search(fact.claim) and _ADDRESSES.search(fact.claim):
            return 0.7, message("It reads like an instruction to the agent.")
        return None

    def secret(self, fact: Fact) -> tuple[float, Message] | None:
        held = MARK in fact.claim or bool(find(fact.claim))
        return (
            (0.95, message("It holds a password or a key; the review queue asks about it.")) if held else None
        )

    def junk(self, fact: Fact) -> tuple[float, Message] | None:
        text = fact.claim.strip()
        reading = read(text)
        short = SHORT if lexicon(reading.language).spaced else SHORT_UNSPACED
        empty = not any(len(clause.tokens) > 1 for clause in reading.clauses) and len(text) < short
        named = any(headings for _, headings in self.places.get(fact.id, ()))
        vague = _VAGUE.search(text) is not None and not (named and len(text.split()) > FEW_WORDS)
        if not vague and (named or not empty):
            return None
        return 0.5, message("It does not say what it is about.")

    def unused_long(self, fact: Fact) -> tuple[float, Message] | None:
        if fact.seq not in self.unused or fact.pinned or fact.confidence >= SURE:
            return None
        return 0.3, message(
            "It was only inferred, and nothing asked for it in {count} days.", count=UNUSED_DAYS
        )

    def orphaned(self, fact: Fact) -> tuple[float, Message] | None:
        if (
            fact.source_turn_id is None
            or fact.quote
            or not checkups.source_is_gone(self.db, fact.source_turn_id)
        ):
            return None
        return 0.4, message("The turn it was read from is gone.")


_CHECKS: tuple[tuple[str, Callable[[Checker, Fact], tuple[float, Message] | None]], ...] = (
    ("poisoned", Checker.poisoned),
    ("secret", Checker.secret),
    ("expired", Checker.expired),
    ("orphaned", Checker.orphaned),
    ("junk", Checker.junk),
    ("unused", Checker.unused_long),
)


def _names_of(headings: Sequence[str], others: Sequence[str]) -> bool:
    """Return True if one of these headings, which is not above the other line too, names what a value is of."""
    return any(each not in others and not _GENERAL.fullmatch(each.strip()) for each in headings)


def _is_of_the_present(fact: Fact) -> bool:
    """Return True for a claim that is worded as true today, and names its end: "is valid until 3 March 2021"."""
    return fact.valid_to is not None and not any("past" in clause.mood for clause in read(fact.claim).clauses)


def findings(engine: Engine, ask: AskCheckup) -> CheckupList:
    """Return the findings about the newest facts, best first, without asking about any. Raises BadAsk."""
    if not 1 <= ask.limit <= ROWS_AT_MOST:
        raise BadAsk(message("limit lies between 1 and {count}.", count=f"{ROWS_AT_MOST:,}"))
    checked = check_facts(engine, ask.user_id, ask.channels, lambda *_: None)
    with engine.store.reading() as db:
        rows = tuple(replace(each, asked=_was_asked(db, each)) for each in checked.found[: ask.limit])
    return CheckupList(rows=rows, checked=checked.count, more=len(checked.found) > ask.limit)


@dataclass(slots=True, kw_only=True)
class Checked:
    """Result of a look at facts. found: best first. count: facts looked at. through: the search number of the last.
    spent: why it stopped before the last fact; None if it looked at all."""

    found: list[Finding] = field(default_factory=list)
    count: int = 0
    through: int = 0
    spent: BudgetSpent | None = None


def check_facts(
    engine: Engine,
    user_id: str,
    channels: Sequence[str],
    step: Callable[[int, int, Message], None],
    *,
    share: checkups.Share = checkups.ALL,
    outside: bool = False,
) -> Checked:
    """Look at the current facts of a share, some at a time; a step that raises BudgetSpent ends it early.

    outside: as for Checker."""
    _catch_up(engine, step)
    at = engine.clock()
    with engine.store.reading() as db:
        total = checkups.count(db, user_id, channels)
        words = _words(db, user_id, channels, total)
    checked = Checked()
    try:
        while True:
            with engine.store.reading() as db:
                facts = checkups.facts_after(db, user_id, channels, checked.through, AT_ONCE, share)
                unused = checkups.unused_among(db, [each.seq for each in facts], at - UNUSED_DAYS * DAY)
                checker = Checker(
                    engine=engine,
                    db=db,
                    words=words,
                    at=at,
                    unused=frozenset(unused),
                    places=checkups.places_in_files(db, [each.id for each in facts]),
                    outside=outside,
                )
                for fact in facts:
                    checked.found.extend(checker.findings(fact))
            if not facts:
                break
            checked.count, checked.through = checked.count + len(facts), facts[-1].seq
            if len(checked.found) > FINDINGS_AT_MOST:
                checked.found = _best(checked.found)
            step(checked.count, max(checked.count, total // share.parts), message("Checking facts"))
    except BudgetSpent as spent:
        checked.spent = spent
    checked.found = _best(checked.found)
    return checked


def _words(db: Connection, user_id: str, channels: Sequence[str], total: int) -> ChannelWords:
    """Return the vocabulary of the channels, from an even sample of OLDER_AT_MOST of `total` facts."""
    words, last = ChannelWords(), 0
    sample = checkups.Share(parts=_parts(total))
    while facts := checkups.facts_after(db, user_id, channels, last, AT_ONCE, sample):
        for fact in facts:
            words.add(fact.channel, fact.claim)
        last = facts[-1].seq
    return words


def _parts(total: int) -> int:
    return max(1, -(-total // OLDER_AT_MOST))


def _catch_up(engine: Engine, step: Callable[[int, int, Message], None]) -> None:
    """Read facts that another version of the reader read, until none waits."""
    while engine.store.maintain(lambda db, *_: beliefs.catch_up(db, keys, AT_ONCE)).result():
        step(0, 0, message("Reading facts"))


def _best(found: list[Finding]) -> list[Finding]:
    """Return findings in the order in which they are asked: by kind and score, one of each fact in turn."""
    ranks = {kind: place for place, kind in enumerate(FOUND)}
    ordered = sorted(found, key=lambda each: (ranks[each.kind], -each.score))
    named: Counter[str] = Counter()
    firsts: list[Finding] = []
    later: list[Finding] = []
    for each in ordered:
        (later if named[each.id] else firsts).append(each)
        named[each.id] += 1
    return [*firsts, *later][:FINDINGS_AT_MOST]


def _was_asked(db: Connection, found: Finding) -> bool:
    types = (_type(found),) if found.other_id is None else PAIRED
    return any(proposing.was_proposed(db, type, found.id, found.other_id) for type in types)


def _to_ask(db: Connection, found: Sequence[Finding]) -> list[Finding]:
    """Return the findings to ask about now: of memories that are all alike or all in conflict, one pair at a time."""
    clashes = _clashes(frozenset((each.id, each.other_id)) for each in found if each.other_id is not None)
    waiting = [each for type in PAIRED for each in proposing.open_of_type(db, LOCAL_USER, type)]
    taken = {clashes.get(frozenset((each.subject_id, each.other_id or ""))) for each in waiting} - {None}
    asked: list[Finding] = []
    for each in found:
        clash = clashes.get(frozenset((each.id, each.other_id or "")))
        if each.kind == "secret" or clash in taken or _was_asked(db, each):
            continue
        asked.append(each)
        taken |= {clash} - {None}
    return asked


def _clashes(pairs: Iterable[frozenset[str]]) -> dict[frozenset[str], int]:
    """Return the number of the clash of each pair: two pairs of three memories that are all paired are of one."""
    near: dict[str, set[str]] = {}
    clash: dict[frozenset[str], int] = {}
    members: dict[int, list[frozenset[str]]] = {}
    for number, pair in enumerate(pairs):
        one, other = pair
        thirds = near.setdefault(one, set()) & near.setdefault(other, set())
        near[one].add(other)
        near[other].add(one)
        joined = {clash[frozenset((each, third))] for third in thirds for each in pair}
        members[number] = [pair, *(each for old in joined for each in members.pop(old))]
        clash |= dict.fromkeys(members[number], number)
    return clash


def _type(found: Finding) -> str:
    return found.kind if found.other_id is not None else DOUBTFUL


def checkup(run: Run) -> dict[str, int]:
    """Check the facts that are new since the last checkup, and a share of the others, a different one at each run; ask
    about the best findings, at most as many a day as a person answers.

    So a run does not grow with the desk, and each fact has its turn. Returns counts of facts checked, findings by kind,
    and questions asked. Raises BudgetSpent if its time was over; the next run goes on behind the last fact."""
    engine = run.engine
    with engine.store.reading() as db:
        parts = _parts(checkups.count(db, LOCAL_USER, ()))
        share = checkups.Share(parts, _turn(engine) % parts, checkups.checked_seq(db))
    checked = check_facts(engine, LOCAL_USER, (), run.step, share=share)
    found = checked.found
    run.counts.update({"checked": checked.count, "asked": 0, **Counter(each.kind for each in found)})
    run.counts["asked"] += ask_about_stored(engine, author=run.author) + ask_about_new(
        engine, author=run.author
    )
    room = engine.settings.checkup_questions
    with engine.store.reading() as db:
        room -= checkups.asked_since(db, run.author, engine.clock() - DAY)
        fresh = _to_ask(db, found)[: max(0, room)]
    for each in fresh:
        with one_comparer:  # A question about a fact that is being undone would keep the fact.
            run.counts["asked"] += run.decide(_asking(run, each))
    if not run.dry:
        engine.store.maintain(lambda db, *_: checkups.note_checked(db, checked.through)).result()
    if checked.spent is not None:
        raise checked.spent
    return dict(run.counts)


def _turn(engine: Engine) -> int:
    """Return a number that is another one at each run of the clock."""
    return engine.clock() // (MINUTE * (engine.settings.checkup_minutes or DAY // MINUTE))


def _asking(run: Run, found: Finding) -> Callable[[Connection], tuple[Change | None, int]]:
    def verb(db: Connection) -> tuple[Change | None, int]:
        if not all(records.get(db, FACT, id) for id in (found.id, found.other_id) if id is not None):
            return None, 0
        draft = Draft(
            engine=run.engine,
            db=db,
            user_id=LOCAL_USER,
            channel=found.channel,
            agent_id=None,
            at=run.engine.clock(),
        )
        details = {"found": found.kind, "suggested": found.suggested, "by": run.author}
        if (
            draft.propose(_type(found), found.id, found.other_id, reason=found.reason, details=details)
            is None
        ):
            return None, 0
        return draft.change(
            "learn",
            message("Asked about “{found}”", found=shortened(found.title, 80)),
            author=run.author,
            run=run.id,
        ), 1

    return verb
