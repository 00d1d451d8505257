"""Kept questions: keep one as a test, forget it, and ask all of them again to see what was gained and lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.rows import row_of
from memdesk.engine.recall.pipeline import preview
from memdesk.engine.wording import shortened, tidied
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.errors import NotFound, Refused
from memdesk.model.instant import optional_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.model.questions import (
    KEPT_CHARACTERS,
    KEPT_QUESTION,
    AskQuestions,
    ForgetQuestion,
    KeepQuestion,
    KeptQuestion,
    QuestionChanged,
    QuestionList,
    QuestionRow,
    QuestionsRun,
    RunQuestions,
)
from memdesk.model.recall import Query
from memdesk.store import recalls, records, semantic
from memdesk.store.connection import Connection

KEPT_AT_MOST = 200
"""Most questions of a user: all of them are asked after every change."""
AUTHOR = "job:questions"


def keep(engine: Engine, ask: KeepQuestion, *, author: str) -> QuestionChanged:
    """Keep a question as a test. Raises BadAsk for an empty or too long text, Refused if there are too many."""
    text = tidied(ask.text, "the question", KEPT_CHARACTERS)
    expects = tidied(ask.expects, "what it must tell", KEPT_CHARACTERS)
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)

    def verb(db: Connection) -> tuple[Change | None, str]:
        kept = records.find(db, KEPT_QUESTION, user_id=ask.user_id, retired_at=None)
        same = (text, expects, channel, ask.agent_id)
        for each in kept:
            if (each.text, each.expects, each.channel, each.agent_id) == same:
                return None, each.id
        if len(kept) >= KEPT_AT_MOST:
            raise Refused(
                message(
                    "There are {count} kept questions already, the most there may be.", count=KEPT_AT_MOST
                ),
                next=message("Forget one with `memdesk questions forget ID`."),
            )
        at = engine.clock()
        made = KeptQuestion(
            seq=engine.store.new_seq(),
            id=new_id(KEPT_QUESTION.prefix, at),
            user_id=ask.user_id,
            channel=channel,
            agent_id=ask.agent_id,
            text=text,
            expects=expects,
            passes=None,
            passes_at=None,
            created_at=at,
        )
        edits = (records.creation_edit(KEPT_QUESTION, made),)
        return Change.about(made, "learn", _title(made), author=author, edits=edits), made.id

    applied, id = engine.store.decide(verb)
    return QuestionChanged(
        id=id,
        change=None if applied is None else applied.id,
        title=message("Kept question: “{text}”", text=shortened(text)),
    )


def forget(engine: Engine, ask: ForgetQuestion, *, author: str) -> QuestionChanged:
    """Forget a kept question; undo brings it back. Raises NotFound."""

    def verb(db: Connection) -> tuple[Change, KeptQuestion]:
        known = records.get(db, KEPT_QUESTION, ask.id)
        if known is None or known.retired_at is not None:
            raise NotFound(
                message("There is no kept question {id}.", id=ask.id),
                next=message("`memdesk questions` lists them."),
            )
        edits = (records.update_edit(KEPT_QUESTION, known, retired_at=engine.clock()),)
        return Change.about(known, "retire", _title(known), author=author, edits=edits), known

    applied, known = engine.store.decide(verb)
    return QuestionChanged(id=known.id, change=None if applied is None else applied.id, title=_title(known))


def list_questions(engine: Engine, ask: AskQuestions) -> QuestionList:
    """Return the kept questions of a user: those that lost their answer first, then the newest."""
    with engine.store.reading() as db:
        channels = semantic.current_channels(db, ask.user_id, ask.channels)
        kept = records.find(db, KEPT_QUESTION, user_id=ask.user_id, retired_at=None)
    chosen = [
        each
        for each in kept
        if (not channels or each.channel in channels) and (not ask.lost or each.passes == 0)
    ]
    chosen.sort(key=lambda each: (each.passes != 0, -each.seq))
    return QuestionList(rows=tuple(map(_row, chosen)))


def run(engine: Engine, ask: RunQuestions, *, author: str) -> QuestionsRun:
    """Ask the kept questions of a user now, and record which of them gained or lost their answer."""
    with engine.store.reading() as db:
        kept = records.find(db, KEPT_QUESTION, user_id=ask.user_id, retired_at=None)
    found = {each.id: int(_is_answered(engine, each)) for each in kept}
    moved = [each for each in kept if each.passes != found[each.id]]
    change = _record(engine, moved, found, author) if moved else None
    now = [_row(replace(each, passes=found[each.id], passes_at=engine.clock())) for each in moved]
    passing = sum(found.values())
    return QuestionsRun(
        says=message(
            "Kept questions that find what they must: {passing} of {count}.", passing=passing, count=len(kept)
        ),
        asked=len(kept),
        passing=passing,
        change=change,
        gained=tuple(row for row, was in zip(now, moved, strict=True) if row.passes and was.passes == 0),
        lost=tuple(row for row in now if not row.passes),
    )


def stamp(engine: Engine) -> tuple[int, int]:
    """Return a value that changes with every change of memory and every new vector: then questions are asked again."""
    with engine.store.reading(together=False) as db:
        return recalls.stamp(db)


def run_all(engine: Engine) -> int:
    """Ask the kept questions of every user, as after a change. Returns how many gained or lost their answer."""
    with engine.store.reading() as db:
        users = {each.user_id for each in records.find(db, KEPT_QUESTION, retired_at=None)}
    runs = [run(engine, RunQuestions(user_id=user), author=AUTHOR) for user in sorted(users)]
    return sum(len(each.gained) + len(each.lost) for each in runs)


def _is_answered(engine: Engine, question: KeptQuestion) -> bool:
    query = Query(
        text=question.text,
        channel=question.channel,
        user_id=question.user_id,
        agent_id=question.agent_id,
    )
    expected = " ".join(question.expects.casefold().split())
    return any(expected in " ".join(hit.text.casefold().split()) for hit in preview(engine, query).hits)


def _record(engine: Engine, moved: Sequence[KeptQuestion], found: dict[str, int], author: str) -> int | None:
    """Store the new results of questions. One that was changed meanwhile keeps its result until the next run."""

    def verb(db: Connection) -> tuple[Change | None, None]:
        known = {each.id: each for each in records.many(db, KEPT_QUESTION, "id", [each.id for each in moved])}
        same = [known[each.id] for each in moved if known.get(each.id) == each][:EDITS_AT_MOST]
        if not same:
            return None, None
        at = engine.clock()
        edits = tuple(
            records.update_edit(KEPT_QUESTION, each, passes=found[each.id], passes_at=at) for each in same
        )
        lost = [each for each in same if not found[each.id]]
        title = (
            message(
                "Kept questions that lost their answer: {texts}",
                texts=[shortened(each.text) for each in lost],
            )
            if lost
            else message("Kept questions answered: {count}", count=len(same))
        )
        return Change.about(same[0], "update", title, author=author, edits=edits), None

    applied, _ = engine.store.decide(verb)
    return None if applied is None else applied.id


def _title(question: KeptQuestion) -> Message:
    return message("Kept question: “{text}”", text=shortened(question.text))


def _row(question: KeptQuestion) -> QuestionRow:
    return row_of(QuestionRow, question, since=optional_datetime(question.passes_at), says=_state(question))


def _state(question: KeptQuestion) -> Message:
    match question.passes:
        case None:
            return message("not asked yet")
        case 0:
            return message("no longer told: {expects}", expects=shortened(question.expects))
        case _:
            return message("told")
