"""Quarantine: a memory that looks like an instruction to the agent is kept out of recall until a person
decides if it may return."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links, standing_decisions
from memdesk.engine.memory.draft import PERSON, Draft
from memdesk.engine.wording import shortened, tidied
from memdesk.model.change import Change, Edit
from memdesk.model.curation import Curated
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.kind import Kind
from memdesk.model.kinds import with_act
from memdesk.model.proposal import QUARANTINE
from memdesk.model.review import Quarantine
from memdesk.store import proposing, records
from memdesk.store.connection import Connection

NOT_BY_PERSON = 0.15
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
        "It tells to set instructions aside",
        0.9,
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,30}"
        r"\b(?:previous|prior|above|earlier|preceding|all|your|system)\b[^.!?\n]{0,20}"
        r"\b(?:instructions?|prompts?|rules|guidelines|guardrails|directives)\b",
        r"(?:忽略|无视|忘记|不要理会)[^。！？\n]{0,12}(?:指令|指示|提示词|规则|设定)",
    ),
    _rule(
        "It poses as the system or another voice of the prompt",
        0.8,
        r"<\|?/?(?:im_start|im_end|system|assistant)\|?>",
        r"\[/?(?:INST|SYS|SYSTEM)\]",
        r"<<SYS>>",
        r"^\s*#*\s*(?:new )?system (?:prompt|message|override)\b\s*:",
        r"\bBEGIN (?:SYSTEM|NEW) (?:PROMPT|INSTRUCTIONS)\b",
    ),
    _rule(
        "It gives the agent another role",
        0.7,
        r"\byou are (?:now|no longer)\b[^.!?\n]{0,40}"
        r"\b(?:assistant|ai|agent|model|chatbot|unrestricted|jailbroken|dan)\b",
        r"\b(?:pretend|act)\b[^.!?\n]{0,20}\b(?:no|without) (?:restrictions?|rules|guidelines|filters?)\b",
        r"(?:你现在是|从现在起你是)[^。！？\n]{0,20}(?:助手|模型|智能体|AI)",
    ),
    _rule(
        "It asks to keep something from the person",
        0.75,
        r"\b(?:do not|don't|never|without)\b[^.!?\n]{0,15}"
        r"\b(?:tell|telling|mention|inform|informing|reveal|alert|ask)\w*\b[^.!?\n]{0,20}\b(?:the )?user\b",
        r"(?:不要|别|勿)(?:告诉|通知|提醒)(?:用户|主人|使用者)",
    ),
    _rule(
        "It sends secrets away",
        0.85,
        rf"\b(?:send|post|forward|upload|mail|email|leak|exfiltrate)\b[^.!?\n]{{0,60}}{_SECRET}[^\n]{{0,60}}",
        rf"\b(?:send|post|forward|upload|mail|email)\b[^\n]{{0,80}}\b(?:conversation|chat|memory|files?|data)\b[^\n]{{0,40}}{_AWAY}",
        r"!\[[^\]]*\]\(https?://[^)]*[?&][^)]*=[^)]*\)",
    ),
    _rule(
        "It orders a lasting act toward an address",
        0.55,
        rf"\b(?:always|from now on|whenever|every time)\b[^\n]{{0,60}}"
        rf"\b(?:send|forward|pay|transfer|wire|run|execute|download|install|cc|bcc)\b[^\n]{{0,60}}{_AWAY}",
        rf"(?:总是|每次|从现在起|今后)[^。\n]{{0,30}}(?:发送|转发|付款|转账|执行|运行|下载)[^。\n]{{0,30}}{_AWAY}",
    ),
    _rule(
        "It hides characters that nobody sees",
        0.7,
        r"[\u202a-\u202e\u2066-\u2069]",
        r"[\U000e0020-\U000e007f]{3,}",
        r"(?:\u200b|\u2060|\ufeff){3,}",
    ),
)


def suspicion(text: str, *, by_person: bool) -> Suspicion | None:
    """Return the suspicion of the rule with the highest certainty; None if no rule matches.

    by_person: the person wrote the text in a conversation."""
    found = [(rule, match) for rule in RULES if (match := rule.pattern.search(text))]
    if not found:
        return None
    rule, match = max(found, key=lambda each: each[0].certainty)
    certainty = rule.certainty if by_person else min(SUREST, rule.certainty + NOT_BY_PERSON)
    return Suspicion(rule.says, round(certainty, 2), " ".join(match[0].split())[:120])


QUARANTINABLE = with_act("quarantine")
BY_HAND = "Held out of recall by hand."
REASON_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class Doubt:
    """Reason why a claim must not be recalled before a person has seen it. known: id of a quarantined fact
    with the same claim."""

    says: str
    known: str | None = None


def find_doubt(draft: Draft, claim: str, quote: str, *, author: str, by_person: bool) -> Doubt | None:
    """Return a reason to distrust a claim: it is quarantined already, its source is distrusted, or it reads
    like an instruction.

    A claim that a person enters is never doubted. by_person: it was read from a turn of the person."""
    if author.startswith(PERSON):
        return None
    known = proposing.quarantined_fact(draft.db, draft.user_id, draft.channel, claim)
    if known is not None:
        return Doubt("It is held out of recall already.", known)
    decision = standing_decisions.quarantining_decision(
        draft.db, draft.user_id, agent_id=draft.agent_id, channel=draft.channel
    )
    if decision is not None:
        return Doubt(f"{standing_decisions.decision_label(decision)}.")
    threshold = draft.engine.settings.quarantine_from
    found = suspicion(f"{claim}\n{quote}", by_person=by_person)
    if found is None or found.certainty < threshold:
        return None
    return Doubt(f"{found.says}: “{found.words}”. A rule of thumb, {found.certainty:.2f} sure.")


def draft_quarantined(draft: Draft, doubt: Doubt, claim: str, **told: Any) -> tuple[str, bool]:
    """Draft a quarantined fact, with the question about it. Returns (id, True if it existed)."""
    if doubt.known is not None:
        return doubt.known, True
    id, known = draft.fact(claim, retired_at=draft.at, **told)
    if not known:
        draft.question(QUARANTINE, id, None, reason=doubt.says)
    return id, known


def quarantine(engine: Engine, ask: Quarantine, *, author: str) -> Curated:
    """Quarantine a memory; the lines that a fact is read from are removed from their files.

    Raises NotFound, BadAsk for a kind that is not recalled, Conflict for a memory out of recall already;
    StorageFailed."""
    reason = tidied(ask.reason, "A reason", REASON_CHARACTERS) if ask.reason.strip() else BY_HAND

    def verb(db: Connection) -> tuple[Change | None, str]:
        kind, record = records.any_record(db, ask.id)
        title = shortened(str(getattr(record, kind.title)))
        draft = Draft(
            engine=engine,
            db=db,
            user_id=record.user_id,
            channel=record.channel,
            agent_id=getattr(record, "agent_id", None),
            at=engine.clock(),
        )
        return Change(
            op="retire",
            layer=kind.layer,
            title=f"Quarantined: {title}",
            author=author,
            edits=tuple(quarantine_edits(draft, kind, record, reason=reason)),
            channel=record.channel,
            user_id=record.user_id,
            details={"reason": reason},
        ), title

    applied, title = engine.decide(verb, (ask.id,))
    assert applied is not None
    return Curated(id=ask.id, change=applied.id, title=title, files=line_links.paths(engine, applied))


def quarantine_edits(draft: Draft, kind: Kind[Any], record: Any, *, reason: str) -> list[Edit]:
    """Add the edits that quarantine a memory and ask about it to the draft; return the draft's edits. Raises
    BadAsk, Conflict."""
    if kind.name not in QUARANTINABLE:
        raise BadAsk(f"A {kind.label.lower()} is not held out of recall.", next="Retire it instead.")
    if record.retired_at is not None or getattr(record, "superseded_by", None) is not None:
        raise Conflict(f"“{shortened(str(getattr(record, kind.title)))}” is out of recall already.")
    draft.edits.append(records.update_edit(kind, record, retired_at=draft.at))
    draft.question(QUARANTINE, record.id, None, reason=reason)
    return draft.edits
