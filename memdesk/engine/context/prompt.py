"""Prompt context of an agent before a turn: one call, a token budget, and every piece with its source."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from memdesk.engine.context.messages import check, content_of, tokens_in
from memdesk.engine.context.pieces import (
    FORMS,
    SHARES,
    Form,
    Gist,
    PieceRequest,
    Unit,
    fit_pieces,
    gist,
    once,
    quotations,
    recalled,
    turns_around,
)
from memdesk.engine.engine import Engine, log_failure
from memdesk.engine.extraction.language import trivial
from memdesk.engine.recall import pipeline
from memdesk.engine.recall.hits import as_seen
from memdesk.engine.recall.query import terms
from memdesk.engine.recall.salient import salient
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import session_notes
from memdesk.engine.workspace.bootstrap import (
    MESSAGE_CHARACTERS,
    MESSAGES,
    QUERY_CHARACTERS,
    bootstrap,
    query_of,
    recall_section,
)
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, NotAllowed, NotFound, Refused
from memdesk.model.goal import Goal
from memdesk.model.message import Message as Sentence
from memdesk.model.message import joined
from memdesk.model.message import message as sentence
from memdesk.model.prompt import PIECES, AskContext, ContextPiece, PromptContext
from memdesk.model.recall import NEAR, AskSalient, Bundle, Hit, Query
from memdesk.model.session import SESSION
from memdesk.model.trust import Reader, agent_named, is_trusted
from memdesk.model.working import RESULTS, is_reserved, session_key
from memdesk.model.workspace_files import AskPrompt, AskRecallSection, PromptText
from memdesk.store import contexts, goals, records, semantic, working

QUERY_TERMS = 8
"""Most search terms of a query that older messages are added to; each term costs an index lookup."""
RECALLED, RECALLED_AT_MOST = 5, 100
"""Least number of memories to recall (AgenticX), and the most of one recall."""
HIT_TOKENS = 20
"""Tokens of a short memory: a recall asks for as many as the budget has room for."""
TECHNIQUES = ("hybrid", "entities", "self_query")
"""Recall techniques of a prompt. Paraphrases and a model would be too slow: at 100,000 facts they cost a
third of the time."""
FACTS, FACTS_AT_MOST, GOALS, NOTES = 10, 100, 10, 20
ANSWERING = frozenset(("assistant", "agent", "ai"))
"""Speakers whose turns are answers."""
NOTE_CHARACTERS = 600
BUDGET_AT_MOST = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Request with its open values filled in. held: texts already in the agent's context, on one line each.

    looks: True for a preview, which reinforces and records nothing. given: gists of the pieces before this one."""

    ask: AskContext
    author: str
    form: Form
    query: str
    conversation_id: str | None
    turn_index: int | None
    held: frozenset[str]
    looks: bool
    budget: int
    given: list[Gist] = field(default_factory=list)

    @property
    def reader(self) -> Reader:
        """Agent that the context is for."""
        return Reader(agent_named(self.author) or self.ask.agent_id or "", self.conversation_id)


def context(engine: Engine, ask: AskContext, *, author: str) -> PromptContext:
    """Return the prompt context an agent should get, and record it in the prompt log, if that is on.

    A piece that cannot be read is left out, with a notice of the reason. Raises BadAsk for an invalid
    request."""
    started = time.perf_counter()
    asked = _asked(engine, ask, author, looks=False)
    given = _build_context(engine, asked, started)
    if engine.settings.prompt_log:
        _log_prompt(engine, asked, given)
    return given


def preview(engine: Engine, ask: AskContext, *, author: str) -> PromptContext:
    """Return the prompt context an agent would get now, for a person to inspect. Nothing is reinforced or
    recorded.

    Raises as `context` does."""
    started = time.perf_counter()
    return _build_context(engine, _asked(engine, ask, author, looks=True), started)


def _build_context(engine: Engine, asked: _Asked, started: float) -> PromptContext:
    ask = asked.ask
    budget = asked.budget
    notices: list[Sentence] = []
    section = _section(engine, asked)
    bundle, record = _recalled(engine, asked) if section is None else (None, None)
    made = (
        section if section is not None and name == "recall" else _MAKERS[name](engine, asked, bundle, notices)
        for name in _wanted(ask.pieces)
    )
    wanted = [each for each in made if each is not None and each.units]
    joints = (tokens_in(asked.form.joint) + 1) * max(0, len(wanted) - 1)
    pieces, left = fit_pieces(wanted, budget, joints)
    if record is not None:
        record({id for piece in pieces for id in piece.ids})
    if bundle is not None:
        notices.extend(bundle.notices)
        if bundle.answer == NEAR:
            notices.append(bundle.reason)
    return PromptContext(
        text=asked.form.joint.join(piece.text for piece in pieces),
        pieces=pieces,
        tokens=sum(piece.tokens for piece in pieces),
        budget_tokens=budget,
        query=asked.query,
        left=left,
        took_ms=(time.perf_counter() - started) * 1e3,
        notices=tuple(notices),
    )


def _wanted(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the pieces to make, in order: what is recalled and not trusted follows the rest as its own piece."""
    for name in PIECES:
        if name in pieces:
            yield name
        if name == "recall" and name in pieces:
            yield "quoted"


def _asked(engine: Engine, ask: AskContext, author: str, *, looks: bool) -> _Asked:
    check(ask.messages)
    if ask.format not in FORMS:
        raise BadAsk(
            sentence("There is no format “{format}”.", format=ask.format),
            next=sentence("The formats are {forms}.", forms=", ".join(FORMS)),
        )
    if strange := [name for name in ask.pieces if name not in PIECES]:
        raise BadAsk(
            sentence("There is no piece “{strange}”.", strange=strange[0]),
            next=sentence("The pieces are {pieces}.", pieces=", ".join(PIECES)),
        )
    if ask.budget_tokens is not None and not 1 <= ask.budget_tokens <= BUDGET_AT_MOST:
        raise BadAsk(sentence("budget_tokens lies between 1 and {count}.", count=f"{BUDGET_AT_MOST:,}"))
    texts = [content_of(each).strip() for each in ask.messages]
    users = [text for text, each in zip(texts, ask.messages, strict=True) if text and each["role"] == "user"]
    said = query_of(ask.messages) if FORMS[ask.format].snippets else _newest(users[-MESSAGES:])
    conversation_id, turn_index = ask.conversation_id, ask.turn_index
    with engine.store.reading() as db:
        if conversation_id is None and ask.session_id is not None:
            session = records.get(db, SESSION, ask.session_id)
            conversation_id = session.conversation_id if session and session.user_id == ask.user_id else None
        if turn_index is None and conversation_id is not None:
            turn_index = semantic.last_turn_index(db, conversation_id) + 1
    return _Asked(
        ask=ask,
        author=author,
        form=FORMS[ask.format],
        query=ask.text.strip()[:QUERY_CHARACTERS] or said,
        conversation_id=conversation_id,
        turn_index=turn_index,
        held=frozenset(" ".join(text.split()) for text in texts if text),
        looks=looks,
        budget=engine.settings.prompt_tokens if ask.budget_tokens is None else ask.budget_tokens,
    )


def _newest(last: Sequence[str]) -> str:
    """Return the newest message and the older ones that still fit, newest first: the newest one decides the topic."""
    texts: list[str] = []
    for text in (text[:MESSAGE_CHARACTERS] for text in reversed(last)):
        whole = "\n".join((*texts, text))
        if texts and (len(whole) > QUERY_CHARACTERS or len(terms(whole)) > QUERY_TERMS):
            break
        texts.append(text)
    return "\n".join(texts)


def _section(engine: Engine, asked: _Asked) -> PieceRequest | None:
    """Return AgenticX's own recall section, if the form asks for it and the agent's files have content for
    it; else None."""
    if not asked.form.snippets or "recall" not in asked.ask.pieces:
        return None
    ask = AskRecallSection(
        messages=asked.ask.messages, workspace_id=asked.ask.workspace_id, agent_id=asked.ask.agent_id
    )
    try:
        section = recall_section(engine, ask, author=asked.author)
    except (NotFound, NotAllowed, BadAsk):
        return None
    if not section.text:
        return None
    units = tuple(Unit(text=line) for line in section.text.split("\n")[1:])
    source = ", ".join(dict.fromkeys(part.path for part in section.parts))
    return PieceRequest(name="recall", source=source, heading=asked.form.headings["recall"], units=units)


def _recalled(engine: Engine, asked: _Asked) -> tuple[Bundle | None, Callable[[Container[str]], None] | None]:
    """Recall memories for the user's last messages, with the function that records which of them the agent got; None
    if there are none or recall was not requested, and for a preview nothing to record."""
    if not asked.query or "recall" not in asked.ask.pieces:
        return None, None
    query = Query(
        text=asked.query,
        channel=asked.ask.channel,
        user_id=asked.ask.user_id,
        agent_id=asked.ask.agent_id,
        conversation_id=asked.conversation_id,
        session_id=asked.ask.session_id,
        limit=max(RECALLED, min(RECALLED_AT_MOST, asked.budget // HIT_TOKENS)),
        techniques=tuple(name for name in TECHNIQUES if getattr(engine.settings, f"recall_{name}")),
    )
    if asked.looks:
        bundle, record = pipeline.preview(engine, query), None
    else:
        bundle, record = pipeline.recall_some(engine, query, author=asked.author)
    return replace(bundle, hits=as_seen(bundle.hits, asked.reader)), record


def _identity(
    engine: Engine, asked: _Asked, _: Bundle | None, notices: list[Sentence]
) -> PieceRequest | None:
    files = _from_files(asked, notices, lambda ask: bootstrap(engine, ask, author=asked.author))
    return None if files is None else _lines_of_files("identity", files, asked)


def _learnings(
    engine: Engine, asked: _Asked, _: Bundle | None, notices: list[Sentence]
) -> PieceRequest | None:
    files = _from_files(
        asked,
        notices,
        lambda ask: session_notes.learnings_section(engine, ask, author=asked.author),
        quiet=True,
    )
    return None if files is None else _lines_of_files("learnings", files, asked)


def _from_files(
    asked: _Asked, notices: list[Sentence], read: Callable[[AskPrompt], PromptText], *, quiet: bool = False
) -> PromptText | None:
    """Return the text of an agent's files, None if it has none. quiet: the piece before already gave the
    reason as a notice."""
    try:
        return read(AskPrompt(workspace_id=asked.ask.workspace_id, agent_id=asked.ask.agent_id))
    except Refused:
        return None
    except (NotFound, NotAllowed, BadAsk) as wrong:
        if not quiet and (asked.ask.workspace_id is not None or isinstance(wrong, BadAsk)):
            notices.append(joined(sentence("No files were told."), wrong.says))
        return None


def _lines_of_files(name: str, found: PromptText, asked: _Asked) -> PieceRequest:
    """Return the piece of a prompt that consists of lines of files."""
    lines = tuple(Unit(text=line) for line in found.text.rstrip().split("\n")) if found.text.strip() else ()
    source = ", ".join(part.path for part in found.parts)
    heading = asked.form.headings[name]
    piece = PieceRequest(name=name, source=source, heading=heading, units=lines, running=True)
    if piece.tokens <= asked.budget * SHARES[name]:
        asked.given.extend(gist(line.text) for line in lines)
    return piece


def _hits(engine: Engine, asked: _Asked, bundle: Bundle | None, _: list[Sentence]) -> PieceRequest | None:
    """Return recalled memories, each thing once, without those that are already in the agent's context; with a large
    budget, the turns around them too."""
    if bundle is None:
        return None
    hits = [hit for hit in _new(bundle.hits, asked) if is_trusted(hit.trust)]
    if not asked.form.snippets and (room := asked.budget // HIT_TOKENS - RECALLED_AT_MOST) > 0:
        hits += _new(turns_around(engine, hits, asked.reader, room), asked)
    heading = asked.form.headings["recall"]
    units = recalled(_once(hits, asked), asked.form, asked.budget)
    return PieceRequest(name="recall", source="recall", heading=heading, units=units)


def _once(hits: Sequence[Hit], asked: _Asked) -> list[Hit]:
    """Return the memories that say something, each thing once."""
    gists = [_gist(hit) for hit in hits]
    places = once(gists, [len(hit.text) for hit in hits], asked.given)
    asked.given.extend(gists[place] for place in places)
    return [hits[place] for place in places]


def _gist(hit: Hit) -> Gist:
    speaker = hit.provenance.speaker or "" if hit.kind == "turn" else ""
    answers = speaker.lower() in ANSWERING
    return gist(hit.text if not speaker or answers else f"{speaker}: {hit.text}", answers=answers)


def _quoted(engine: Engine, asked: _Asked, bundle: Bundle | None, _: list[Sentence]) -> PieceRequest | None:
    """Return recalled memories that are not trusted, under a heading that says so."""
    if bundle is None:
        return None
    hits = [hit for hit in _new(bundle.hits, asked) if not is_trusted(hit.trust)]
    heading = asked.form.headings["quoted"]
    return PieceRequest(name="quoted", source="recall", heading=heading, units=quotations(_once(hits, asked)))


def _new(hits: Sequence[Hit], asked: _Asked) -> Iterator[Hit]:
    """Yield the memories that the agent does not have in its context already, without turns that say nothing."""
    for hit in hits:
        if " ".join(hit.text.split()) not in asked.held and not (hit.kind == "turn" and trivial(hit.text)):
            yield hit


def _facts(engine: Engine, asked: _Asked, bundle: Bundle | None, _: list[Sentence]) -> PieceRequest:
    """Return the most salient facts that nothing before them tells."""
    limit = max(FACTS, min(FACTS_AT_MOST, int(asked.budget * SHARES["facts"]) // HIT_TOKENS))
    ask = AskSalient(channel=asked.ask.channel, user_id=asked.ask.user_id, limit=limit)
    known = {hit.id for hit in bundle.hits} if bundle is not None else set()
    rows = [
        each
        for each in salient(engine, ask).rows
        if each.id not in known
        and is_trusted(asked.reader.trust_in((each.source, each.trust), agent_id=each.agent_id))
    ]
    places = once([gist(each.text) for each in rows], [len(each.text) for each in rows], asked.given)
    units = tuple(Unit(text=f"- {rows[place].text}", ids=(rows[place].id,)) for place in places)
    return PieceRequest(name="facts", source="salience", heading=asked.form.headings["facts"], units=units)


def _goals(engine: Engine, asked: _Asked, _bundle: Bundle | None, _: list[Sentence]) -> PieceRequest:
    with engine.store.reading() as db:
        channels = semantic.channels_read(db, asked.ask.user_id, " ".join(asked.ask.channel.split()))
        found = goals.active(db, asked.ask.user_id, tuple(dict.fromkeys((*channels, GLOBAL))), limit=GOALS)
    units = tuple(Unit(text=_goal(goal), ids=(goal.id,)) for goal in found if is_trusted(goal.trust))
    return PieceRequest(name="goals", source="goals", heading=asked.form.headings["goals"], units=units)


def _goal(goal: Goal) -> str:
    return f"- {shortened(goal.description, NOTE_CHARACTERS)} (priority {goal.priority})"


def _notes(engine: Engine, asked: _Asked, _bundle: Bundle | None, _: list[Sentence]) -> PieceRequest | None:
    return _scratch(engine, asked, "scratchpad", lambda key: not is_reserved(key))


def _results(engine: Engine, asked: _Asked, _bundle: Bundle | None, _: list[Sentence]) -> PieceRequest | None:
    """Return the results of sub-agents and delegates, stored under the keys reserved for them."""
    return _scratch(engine, asked, "subagents", lambda key: key.startswith(RESULTS))


def _scratch(engine: Engine, asked: _Asked, name: str, wanted: Callable[[str], bool]) -> PieceRequest | None:
    if asked.ask.session_id is None:
        return None
    start = session_key(asked.ask.user_id, asked.ask.session_id)
    with engine.store.reading() as db:
        held = working.entries_under(db, start, at=engine.clock(), lasting=False)
    notes = [(key, kept) for kept in held if wanted(key := kept.key.removeprefix(start))]
    latest = sorted(notes, key=lambda note: -note[1].touched_at)[:NOTES]
    units = tuple(Unit(text=f"- {key}: {_note(kept.value)}") for key, kept in latest)
    return PieceRequest(
        name=name, source=f"session {asked.ask.session_id}", heading=asked.form.headings[name], units=units
    )


def _note(value: object) -> str:
    return shortened(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), NOTE_CHARACTERS
    )


_MAKERS: dict[str, Callable[[Engine, _Asked, Bundle | None, list[Sentence]], PieceRequest | None]] = {
    "identity": _identity,
    "learnings": _learnings,
    "recall": _hits,
    "quoted": _quoted,
    "facts": _facts,
    "goals": _goals,
    "scratchpad": _notes,
    "subagents": _results,
}


def _log_prompt(engine: Engine, asked: _Asked, given: PromptContext) -> None:
    """Record the prompt context after the answer, so that the agent does not wait for the disk."""
    ask = asked.ask
    row = contexts.GivenContext(
        at=engine.clock(),
        author=asked.author,
        user_id=ask.user_id,
        channel=" ".join(ask.channel.split()),
        agent_id=ask.agent_id,
        session_id=ask.session_id,
        conversation_id=asked.conversation_id,
        turn_index=asked.turn_index,
        query=asked.query,
        budget_tokens=given.budget_tokens,
        tokens=given.tokens,
        format=ask.format,
        took_us=round(given.took_ms * 1e3),
    )
    kept: Sequence[ContextPiece] = given.pieces
    engine.store.submit(lambda db: contexts.keep(db, row, kept)).add_done_callback(
        partial(log_failure, "a prompt was told but could not be written down")
    )
