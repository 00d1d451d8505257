"""Assertions about things in English claims: attributes, appointments, versions, ports, numbers and states."""

from __future__ import annotations

import re

from memdesk.engine.extraction import words
from memdesk.engine.extraction.assertion import IS, USES, Assertion, subject_of
from memdesk.engine.extraction.assertion_forms import Form, Found, attribute_of, form
from memdesk.engine.extraction.english_phrases import (
    ADVERBS,
    DEFINITE,
    HAS,
    MANY_KIN,
    NUMBER,
    SINGLE_KIN,
    SPOUSE,
    SUBJECT,
    kin_subject,
    value_of,
)
from memdesk.engine.extraction.likeness import base
from memdesk.engine.extraction.values import times
from memdesk.engine.extraction.words import word_set

_NAMED = word_set(
    "name nickname surname title address email e-mail hometown employer owner maintainer birthplace"
)
_TIMED = word_set("deadline date birthday anniversary")
_NUMBERED = word_set(
    """
    age budget capacity cost extension height interval limit memory number phone pin port price quota retention salary
    size threshold timeout version weight
    """
)
_WORDED = word_set(
    "job profession occupation nationality status branch host hostname licence license timezone zone theme"
)
_AXES = {
    "marital status": word_set("married single divorced engaged widowed"),
    "diet": word_set("vegetarian vegan omnivorous pescatarian carnivorous"),
    "openness": word_set("open closed"),
    "switch": word_set("on off enabled disabled"),
    "handedness": word_set("left-handed right-handed ambidextrous"),
    "visibility": word_set("public private"),
    "need": word_set("required optional mandatory"),
    "permission": word_set("allowed forbidden permitted prohibited"),
}
"""Adjectives that exclude each other, by the quality they describe: a thing has one of each group."""
_VAGUE = words.VAGUE | words.FEELINGS | words.NEGATIVE


def _attribute(match: re.Match[str]) -> Found:
    """Yield the assertion of "Mara's favourite colour is blue", "The deadline is 12 December" or "Timezone:
    CET"."""
    phrase, value = match["s"], value_of(match["v"])
    head = re.split(r" (?:of|for|in|on) ", phrase)[0].lower().split()[-1]
    favourite = re.search(r"\bfavou?rite\b", phrase, re.IGNORECASE) and base(head) == head
    kin = head in SPOUSE | SINGLE_KIN and "'s " in phrase
    several = head == "name" and bool(MANY_KIN & set(subject_of(phrase)))
    if favourite or (kin and value[:1].isupper()) or (not kin and not several and _suits(head, value)):
        key = re.sub(r"\bfavorite\b", "favourite", phrase, flags=re.IGNORECASE)
        yield Assertion(subject=kin_subject(key), slot=IS, value=value)


def _suits(head: str, value: str) -> bool:
    """Return True if the value has the type that the attribute requires: a date for a deadline, digits for a
    port."""
    if head in _TIMED:
        return bool(times(value))
    if head in _NUMBERED:
        return any(char.isdigit() for char in value)
    first = value.split()[0].lower() if value else ""
    if head in _NAMED:
        return value[:1].isupper() or "@" in value or value[:1].isdigit()
    return head in _WORDED and first not in _VAGUE


_BEFORE_TIME = re.compile(r"(?:the|next|this|tomorrow|today|tonight)\b|[(（]")


def _scheduled(match: re.Match[str]) -> Found:
    """Yield the assertion of a scheduled time: "The review is at 9:00", "Mara's flight leaves on 4 May"."""
    verb, value = match["verb"].lower(), match["v"]
    opening = " ".join(_BEFORE_TIME.sub("", value).split()[:2])
    if not times(opening) or not re.match(r"the |.+'s ", match["s"], re.IGNORECASE):
        return
    key = next((name for name, verbs in _MOMENTS.items() if verb.startswith(verbs)), IS)
    moved = re.search("moved|rescheduled|postponed|pushed", verb) is not None
    yield Assertion(subject=subject_of(match["s"]), slot=key, value=value, arrival=moved)


_MOMENTS: dict[str, tuple[str, ...]] = {
    "ends": ("end", "close", "expire", "finish"),
    "leaves": ("leave", "depart"),
    "arrives": ("arrive", "land"),
}


def _used(match: re.Match[str]) -> Found:
    subject, value = subject_of(match["s"]), value_of(match["v"])
    purpose = re.fullmatch(r"(.+?) (?:for|as) (?:the |its |their |a |an )?(.+)", value)
    version = re.fullmatch(r"([A-Za-z][\w.+#-]*) (?:version )?v?(\d[\w.]*)", value)
    if purpose:
        yield Assertion(subject=subject, slot=f"{USES} for {purpose[2].lower()}", value=purpose[1])
    elif version and version[1].lower() != "port":
        yield Assertion(subject=subject, slot=f"version of {version[1].lower()}", value=version[2])
    denied = "n't" in match["verb"] or "longer" in match["verb"] or "stopped" in match["verb"]
    yield Assertion(subject=subject, slot=USES, value=value, single=False, denied=denied)


def _upgraded(match: re.Match[str]) -> Found:
    slot = f"version of {match['n'].lower()}"
    yield Assertion(subject=subject_of(match["s"]), slot=slot, value=match["v"], arrival=True)


def _stored(match: re.Match[str]) -> Found:
    yield Assertion(
        subject=subject_of(match["s"]), slot=f"keeps {match['n'].lower()} in", value=value_of(match["v"])
    )


def _hosted(match: re.Match[str]) -> Found:
    if not times(match["v"]):
        yield Assertion(subject=subject_of(match["s"]), slot="is on", value=value_of(match["v"]))


def _port(match: re.Match[str]) -> Found:
    yield Assertion(subject=attribute_of(match["s"], "port"), slot=IS, value=match["v"])


def _counted(match: re.Match[str]) -> Found:
    yield Assertion(
        subject=subject_of(match["s"]),
        slot=f"has {base(match['n'].lower())}",
        value=match["v"].lower(),
    )


def _measured(match: re.Match[str]) -> Found:
    slot = f"{match['verb']} {base(match['n'].lower()) if match['n'] else ''}"
    yield Assertion(subject=subject_of(match["s"]), slot=slot, value=match["v"])


def _on_axis(match: re.Match[str]) -> Found:
    state = match["v"].lower()
    axis = next((name for name, states in _AXES.items() if state in states), None)
    if axis:
        yield Assertion(subject=subject_of(match["s"]), slot=axis, value=state)


THINGS: tuple[Form, ...] = (
    form(r"^(?P<s>[^:]{1,80}?)(?: is| was changed to| has changed to| changed to| is set to| =|:)(?: now| on)?"
          r" (?P<v>.+)$",
          _attribute),
    form(
        r"^(?P<s>[^,;:]{3,60}?) (?P<verb>(?:is|was|has been|will be)(?: now)?(?: (?:scheduled|planned|set|due|moved"
        r"|rescheduled|pushed))?|(?:has |got )?(?:moved|rescheduled|postponed|pushed)(?: back)?"
        r"|starts|begins|takes place|happens|ends|closes|expires|finishes|leaves|departs|arrives|lands|opens)"
        r" (?:on |at |for |to |from |in |by )?(?P<v>.*)$",
        _scheduled,
    ),
    form(
        rf"{SUBJECT}{ADVERBS} (?P<verb>uses?|is using|runs on|requires|doesn't use|no longer uses|stopped using"
        r"|(?:deploys?|builds?|tests?|writes?|develops?) (?:with|in|using)) (?P<v>[^,]+)$",
        _used,
    ),
    form(
        rf"{SUBJECT}{HAS} (?:upgraded|updated|switched|moved|migrated) to (?P<n>[A-Z][\w.+#-]*) (?:version )?"
        r"v?(?P<v>\d[\w.]*)$",
        _upgraded,
    ),
    form(rf"{SUBJECT}{ADVERBS} (?:stores?|keeps?|saves?|hosts?) (?P<n>[^,]+?) (?:in|on|at) (?P<v>[^,]+)$", _stored),
    form(rf"{DEFINITE} (?:is|runs|is hosted|is deployed) on (?P<v>(?!port\b)[^,]+)$", _hosted),
    form(rf"{SUBJECT}{ADVERBS} (?:listens|runs|is exposed|is served|serves|is|uses)(?: on)? port (?P<v>\d+)", _port),
    form(
        rf"{SUBJECT}{ADVERBS} (?:has|owns) (?P<v>{NUMBER}) (?:\w+ )?(?P<n>[a-z]+s|children|people|mice)"
        r"(?: now| in total)?$",
        _counted,
    ),
    form(
        rf"{SUBJECT} (?P<verb>costs|weighs|is)(?: about| around)? [$€£¥]?(?P<v>{NUMBER})"
        r"(?: ?(?P<n>kg|kilos?|pounds|cm|metres?|meters?|km|miles|euros?|dollars|gb|mb|tb|percent|%))\b",
        _measured,
    ),
    form(rf"{SUBJECT} is{ADVERBS} (?P<v>[a-z-]+)(?: now| again)?(?: to .*)?$", _on_axis),
)  # fmt: skip
"""Forms about things: a pattern matched from the first letter of a claim, and the function that yields its
assertions."""
