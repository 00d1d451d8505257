"""Relations between entities, read from finished claims by the words between two names.

Claims are already in the third person, so "Caroline works at Siemens" gives its relation without knowing the
speaker. Two names in one claim are RELATED_TO each other only if the claim is about the first of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction.entities import Cast, Span
from memdesk.engine.extraction.findings import FoundFact, FoundRelation

_OBJECT = r"(?:the |a |an |their |our )?(?:\w+ )?$"
_ENGLISH = (
    (
        "WORKS_FOR",
        r"\b(?:work(?:s|ed|ing)?|job|intern(?:s|ed|ing)?|employed|hired|position|engineer|role|consult\w*)\b"
        r"[^,;.]{0,40}\b(?:at|for|with|by) (?:the )?$",
    ),
    (
        "CREATOR_OF",
        r"\b(?:creat(?:ed|es)|buil(?:t|ds)|wr(?:ote|ites)|founded|designed|develop(?:ed|s)|made|painted"
        r"|composed|maintains?) " + _OBJECT,
    ),
    (
        "CREATED_BY",
        r"\b(?:created|built|written|founded|designed|developed|made|painted|composed|maintained|directed"
        r"|invented) by (?:the )?$",
    ),
    (
        "PART_OF",
        r"\b(?:(?:part|member|module|component|branch|subsidiary|feature) of|belongs? to|joined)"
        r" (?:the |a )?$",
    ),
    (
        "LOCATED_IN",
        r"\b(?:liv(?:es?|ed|ing)|located|based|situated|stay(?:s|ed|ing)|hosted|mov(?:ed|ing|es)"
        r"|relocat(?:ed|ing)|born|grew up|is|are|was|office|home|from|runs|settled)\b[^,;.]{0,30}?"
        r"\b(?:in|to|at|from|near|on) (?:the )?$",
    ),
    (
        "KNOWS",
        r"\b(?:knows|met|married(?: to)?|friends? with|engaged to|dating|colleagues? of"
        r"|introduced(?: \w+)? to"
        r"|mentors?|lives with|works with) (?:their |the )?(?:\w+ )?$",
    ),
    (
        "REFERENCES",
        r"\b(?:us(?:es|ed|ing)|use|depends? on|relies on|runs on|built (?:with|on)|written in|refers? to"
        r"|references|cites|links? to|connects? to|goes? through|backed by|powered by|deployed (?:on|to)"
        r"|migrat\w+ to|switch\w+ to) (?:the |a )?(?:\w+ )?$",
    ),
)
_CHINESE = (
    ("WORKS_FOR", "(?:在(?:[^，。]{1,8}的)?|任职于|入职了?|就职于)$"),
    ("CREATOR_OF", "(?:开发|创建|编写|创办|设计|写)了?$"),
    ("CREATED_BY", "(?:作者是|由)$"),
    ("PART_OF", "(?:属于|隶属)$"),
    ("LOCATED_IN", "(?:住在|位于|搬到|搬去|来自|在|定居|老家是|老家在)了?$"),
    ("KNOWS", "(?:认识|嫁给|娶了|和|跟)了?$"),
    ("REFERENCES", "(?:使用|用|采用|依赖|基于|引用|部署在|换成|改用|迁移到|选用)了?$"),
)
_CUES = tuple((type, re.compile(pattern, re.IGNORECASE)) for type, pattern in _ENGLISH + _CHINESE)
"""Type of a relation and the words between its two names; CREATOR_OF is CREATED_BY in the other direction."""

_TARGETS = {
    "CREATOR_OF": ("Product", "Technology", "Organization", "Event", "Entity"),
    "WORKS_FOR": ("Organization", "Entity", "Product"),
    "LOCATED_IN": ("Location",),
    "KNOWS": ("Person", "Agent"),
    "REFERENCES": ("Technology", "Product", "Entity", "Organization"),
}
_SOURCES = {
    "WORKS_FOR": ("Person",),
    "KNOWS": ("Person", "Agent"),
    "CREATOR_OF": ("Person", "Agent", "Organization"),
}
_OVER = re.compile(
    r"\b(?:no longer|(?:does|do|is)n't|stopped|quit|left|lost|former|formerly|used to|fired|resigned"
    r"|before|until|previously)\b|不再|不在|离职|辞职|以前|之前",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:moved|born|grew up|relocated|settled|joined)\b|搬|出生|长大|老家", re.IGNORECASE)
_GOES_ON = re.compile(
    r" (?!(?:for|in|with|and|last|at|on|by|as|to|when|while|since|this|next|together)\b)[a-z]"
)
_AT_WORK = re.compile("[^，。]{0,8}(?:工作|上班|实习|任职|当|做|担任|负责)")
_AT_HOME = re.compile("[^，。]{0,8}(?:住|生活|定居|长大|出生|工作|上班|上学|读)")
_PLACED = ("WORKS_FOR", "LOCATED_IN")


def relations(fact: FoundFact, spans: list[Span], cast: Cast, speaker: str) -> Iterator[FoundRelation]:
    """Yield the relations in one fact. spans: entity names in its claim, in order. speaker: the author of the
    claim."""
    if len(spans) < 2:
        return
    subject = spans[0]
    opens = subject.name == speaker or fact.claim[: subject.start].strip(" ,").lower() in (
        "",
        "the",
        "a",
        "an",
        "one of the",
    )
    bound = set()
    for other in spans[1:]:
        if other.name == subject.name or other.name in bound:
            continue
        bound.add(other.name)
        typed = _typed(fact, subject, other, cast)
        if typed:
            yield typed
        elif opens:
            yield _relation(fact, subject.name, other.name, "RELATED_TO", min(fact.confidence, 0.70))


def _typed(fact: FoundFact, subject: Span, other: Span, cast: Cast) -> FoundRelation | None:
    between = fact.claim[subject.end : other.start]
    if len(between) > 90 or "，" in between:
        return None
    after = fact.claim[other.end :]
    for type, pattern in _CUES:
        fits = pattern.search(between) and _fits(type, cast.type_of(subject.name), cast.type_of(other.name))
        if fits and _is_valid(type, fact, between, after, cast.type_of(subject.name)):
            if type == "CREATOR_OF":
                return _relation(fact, other.name, subject.name, "CREATED_BY", fact.confidence)
            return _relation(fact, subject.name, other.name, type, fact.confidence)
    return None


def _fits(type: str, source: str, target: str) -> bool:
    """Return True if both ends have types the relation can join: a person works for an organisation, lives in
    a place."""
    return source in _SOURCES.get(type, (source,)) and target in _TARGETS.get(type, (target,))


def _is_valid(type: str, fact: FoundFact, between: str, after: str, subject: str) -> bool:
    """Return False for a relation that has ended or not begun, and for a thing that is only named after the
    other entity."""
    if type in ("CREATOR_OF", "PART_OF"):
        return not _GOES_ON.match(after)
    if type not in _PLACED:
        return True
    if fact.temporal == "future" or _OVER.search(between):
        return False
    if fact.temporal == "past" and not _LASTING.search(between):
        return False
    if subject != "Person" or "在" not in between[-10:] or between.endswith("住在"):
        return True
    return (_AT_WORK if type == "WORKS_FOR" else _AT_HOME).match(after) is not None


def _relation(fact: FoundFact, source: str, target: str, type: str, confidence: float) -> FoundRelation:
    return FoundRelation(
        source=source, target=target, type=type, utterance_id=fact.utterance_id, confidence=confidence
    )
