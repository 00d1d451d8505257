"""Assertions in English claims, which stand in the third person: who lives where, prefers what, what is due when.

One pattern a form; a claim may match several. What matches none asserts nothing that could be contradicted by slot."""

from __future__ import annotations

import re

from memdesk.engine.extraction import people, words
from memdesk.engine.extraction.assertion import (
    EMPLOYER,
    HOME,
    IS,
    JOB,
    LIKES,
    PREFERS,
    USES,
    Assertion,
    subject_of,
)
from memdesk.engine.extraction.assertion_forms import (
    Form,
    Found,
    Tell,
    attribute_of,
    dated_attribute,
    form,
    read,
)
from memdesk.engine.extraction.likeness import base
from memdesk.engine.extraction.values import NUMBERS, times
from memdesk.engine.extraction.words import word_set

_S = r"^(?P<s>[^,;:]{1,60}?)"
_ADV = r"(?: (?:now|still|currently|actually|also|just|recently|really|already|officially|finally|mainly))*"
_HAS = rf"(?: has)?{_ADV}"
_NAME = r"(?P<v>(?-i:[A-Z]).*)$"
_LEAD = re.compile(
    r"^(?:(?:since|in|as of|from|currently|now|today|at the moment|these days)\b[^,]{0,40}, )", re.IGNORECASE
)
_CUT = re.compile(
    r"\s*(?:[,;(]|\.$|\s(?:and|but|because|since|while|where|which|who|with|although|so|until|when|now|anymore"
    r"|these days|at the moment|instead|last|next|this|in (?=\d)|for (?=\w+ years?))\b).*$"
)
_NUMBER = rf"(?:\d[\d.,]*|{'|'.join(NUMBERS)})"
_OCCUPATION = (
    r"(?:nurse|engineer|developer|programmer|teacher|doctor|physician|surgeon|lawyer|attorney|designer|manager"
    r"|architect|chef|cook|journalist|accountant|pilot|scientist|researcher|professor|electrician|plumber|carpenter"
    r"|mechanic|driver|baker|barista|pharmacist|dentist|therapist|psychologist|analyst|consultant|librarian|paramedic"
    r"|firefighter|policeman|policewoman|farmer|gardener|receptionist|secretary|cashier|waiter|waitress|translator)"
)
_SPOUSE = word_set("husband wife spouse")
_SINGLE_KIN = word_set(
    "partner boyfriend girlfriend fiancé fiancée mother father mum mom dad boss manager supervisor"
)
_MANY_KIN = people.KIN | people.PETS | people.GROUP
_NAMED = word_set(
    "name nickname surname title address email e-mail hometown employer owner maintainer birthplace"
)
_TIMED = word_set("deadline date birthday anniversary")
_NUMBERED = word_set(
    "port version age height weight price cost budget salary phone number size pin extension limit"
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
"""What a thing is one of: adjectives that exclude each other."""
_VAGUE = words.VAGUE | words.FEELINGS | words.NEGATIVE


def english(claim: str) -> Found:
    """What an English claim asserts, each assertion once."""
    yield from read(_LEAD.sub("", claim.replace("’", "'").strip().rstrip(".")), FORMS)


def _value(text: str) -> str:
    return _CUT.sub("", text).strip(" .\"'")


def _slot(name: str, *, denied: bool = False, arrival: bool = False) -> Tell:
    """A form whose value goes into one slot of its subject."""

    def tell(match: re.Match[str]) -> Found:
        value = _value(re.split(r" (?:in|as|near|at|on) ", match["v"])[0])
        yield Assertion(
            subject=subject_of(match["s"]), slot=name, value=value, denied=denied, arrival=arrival
        )

    return tell


def _from_to(match: re.Match[str]) -> Found:
    """ "switched from npm to pnpm", "moved from Oslo to Porto": the first is over."""
    subject, gone, come = subject_of(match["s"]), _value(match["w"]), _value(match["v"])
    homes = match["verb"] in ("moved", "relocated") and gone[:1].isupper() and come[:1].isupper()
    slot = HOME if homes else USES
    yield Assertion(subject=subject, slot=slot, value=gone, single=homes, denied=True, arrival=True)
    yield Assertion(subject=subject, slot=slot, value=come, single=homes, arrival=True)


def _age(match: re.Match[str]) -> Found:
    yield Assertion(
        subject=attribute_of(match["s"], "age"), slot=IS, value=match["v"], arrival="turn" in match["verb"]
    )


def _called(match: re.Match[str]) -> Found:
    last = match["s"].lower().split()[-1]
    if last in _SPOUSE | _SINGLE_KIN:
        yield Assertion(subject=_kin(match["s"]), slot=IS, value=_value(match["v"]))
    elif last not in _MANY_KIN:
        yield Assertion(subject=attribute_of(match["s"], "name"), slot=IS, value=_value(match["v"]))


def _kin(phrase: str) -> tuple[str, ...]:
    subject = subject_of(phrase)
    return tuple(sorted({"spouse" if word in _SPOUSE else word for word in subject}))


def _spouse(match: re.Match[str]) -> Found:
    arrival = not match["verb"].startswith("is")
    yield Assertion(
        subject=attribute_of(match["s"], "spouse"), slot=IS, value=_value(match["v"]), arrival=arrival
    )
    yield Assertion(subject=subject_of(match["s"]), slot="marital status", value="married", arrival=arrival)


def _attribute(match: re.Match[str]) -> Found:
    """ "Mara's favourite colour is blue", "The deadline for the release is 12 December", "Timezone: CET"."""
    phrase, value = match["s"], _value(match["v"])
    head = re.split(r" (?:of|for|in|on) ", phrase)[0].lower().split()[-1]
    favourite = re.search(r"\bfavou?rite\b", phrase, re.IGNORECASE) and base(head) == head
    kin = head in _SPOUSE | _SINGLE_KIN and "'s " in phrase
    if favourite or (kin and value[:1].isupper()) or (not kin and _suits(head, value)):
        key = re.sub(r"\bfavorite\b", "favourite", phrase, flags=re.IGNORECASE)
        yield Assertion(subject=_kin(key), slot=IS, value=value)


def _suits(head: str, value: str) -> bool:
    """True when the value is of the sort that an attribute has: a date for a deadline, digits for a port."""
    if head in _TIMED:
        return bool(times(value))
    if head in _NUMBERED:
        return any(char.isdigit() for char in value)
    first = value.split()[0].lower() if value else ""
    if head in _NAMED:
        return value[:1].isupper() or "@" in value or value[:1].isdigit()
    return head in _WORDED and first not in _VAGUE


def _favourite(match: re.Match[str]) -> Found:
    yield Assertion(
        subject=attribute_of(f"{match['o']} {match['n']}", "favourite"), slot=IS, value=match["s"]
    )


def _scheduled(match: re.Match[str]) -> Found:
    """ "The stand-up is at 9:00", "Mara's flight leaves on 4 May"."""
    verb, value = match["verb"].lower(), match["v"]
    if not times(value) or not re.match(r"the |.+'s ", match["s"], re.IGNORECASE):
        return
    key = next((name for name, verbs in _MOMENTS.items() if verb.startswith(verbs)), IS)
    moved = "moved" in verb or "rescheduled" in verb or "pushed" in verb
    yield Assertion(subject=subject_of(match["s"]), slot=key, value=value, arrival=moved)


_MOMENTS: dict[str, tuple[str, ...]] = {
    "ends": ("end", "close", "expire", "finish"),
    "leaves": ("leave", "depart"),
    "arrives": ("arrive", "land"),
}


def _preferred(match: re.Match[str]) -> Found:
    value, over = _value(match["v"]), _value(match.groupdict().get("w") or "")
    if value.startswith("to "):
        return
    subject = subject_of(match["s"])
    yield Assertion(subject=subject, slot=PREFERS, value=value, over=over, single=False)
    kept = re.split(r" (?:in|on|at|for|from|by|to|when) ", value)[0].split()
    if 2 <= len(kept) <= 3 and not over:
        yield Assertion(
            subject=subject, slot=f"{PREFERS} {base(kept[-1].lower())}", value=" ".join(kept[:-1])
        )


def _liked(match: re.Match[str]) -> Found:
    verb = match["verb"].lower()
    denied = re.search(r"n't|not|longer|dislike|hate|detest|stand|stopped", verb) is not None
    yield Assertion(
        subject=subject_of(match["s"]),
        slot=LIKES,
        value=_value(match["v"]),
        single=False,
        denied=denied,
    )


def _used(match: re.Match[str]) -> Found:
    subject, value = subject_of(match["s"]), _value(match["v"])
    purpose = re.fullmatch(r"(.+?) (?:for|as) (?:the |its |their |a |an )?(.+)", value)
    version = re.fullmatch(r"([A-Za-z][\w.+#-]*) (?:version )?v?(\d[\w.]*)", value)
    if purpose:
        yield Assertion(subject=subject, slot=f"{USES} for {purpose[2].lower()}", value=purpose[1])
    elif version and version[1].lower() != "port":
        yield Assertion(subject=subject, slot=f"version of {version[1].lower()}", value=version[2])
    denied = "n't" in match["verb"] or "longer" in match["verb"] or "stopped" in match["verb"]
    yield Assertion(subject=subject, slot=USES, value=value, single=False, denied=denied)


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


_LASTING = r"(?:lived|been living|been based) in (?P<v>(?-i:[A-Z]).*? (?:since|for)\b.*)$"
_LIKING = (
    r"(?P<verb>(?:really |no longer |doesn't (?:really )?|does not |don't |do not )?(?:likes?|loves?|enjoys?|adores?)"
    r"|is(?:n't| not| no longer)? (?:fond of|keen on|(?:a )?(?:big |huge )?fan of)|dislikes?|hates?|detests?"
    r"|can't stand|cannot stand|stopped (?:liking|enjoying))"
)
FORMS: tuple[Form, ...] = (
    form(rf"{_S}{_ADV} (?:lives?|resides?|is living|is based) in {_NAME}", _slot(HOME)),
    form(rf"{_S} has{_ADV} {_LASTING}", _slot(HOME)),
    form(rf"^(?P<s>the .+?|.+?'s .+?) is{_ADV} (?:located |based )?(?:in|at) {_NAME}", _slot("located in")),
    form(rf"{_S}{_HAS} (?:moved|relocated|is moving) (?:back )?to {_NAME}", _slot(HOME, arrival=True)),
    form(rf"{_S} (?:doesn't live|does not live|no longer lives) in {_NAME}", _slot(HOME, denied=True)),
    form(
        rf"{_S}{_HAS} (?P<verb>switched|migrated|moved|changed|upgraded|relocated) from (?P<w>[^,]+?) to (?P<v>[^,]+)$",
        _from_to,
    ),
    form(
        rf"{_S}{_ADV} (?:works?|is working|is employed|has worked|has been working)(?: as an? [^,]{{1,40}}?)?"
        rf" (?:at|for|by) {_NAME}",
        _slot(EMPLOYER),
    ),
    form(
        rf"{_S}{_HAS} (?:started (?:working|work|a (?:new )?(?:job|position|role))|got a (?:new )?job|was hired"
        rf"|took a job|joined(?= .* as an? )) ?(?:at|with|for|by)? {_NAME}",
        _slot(EMPLOYER, arrival=True),
    ),
    form(rf"{_S} (?:doesn't work|does not work|no longer works) (?:at|for) {_NAME}", _slot(EMPLOYER, denied=True)),
    form(
        rf"{_S}{_HAS} (?:quit|left|resigned from|retired from|was fired from|was laid off (?:from|by)|stopped working)"
        rf"(?: (?:their|the|his|her) (?:job|position|role|post|work))?(?: (?:at|with|for|from))? {_NAME}",
        _slot(EMPLOYER, denied=True, arrival=True),
    ),
    form(rf"{_S}{_ADV} (?:works|is working|is employed) as (?:an? |the )?(?P<v>[^,]+)$", _slot(JOB)),
    form(
        rf"{_S}{_ADV} (?:is|became|has become)(?: now)? an? (?P<v>(?:[\w-]+ ){{0,3}}?{_OCCUPATION})\b(?!'s)", _slot(JOB)
    ),
    form(
        rf"{_S}{_HAS} (?P<verb>is|turned|just turned) (?P<v>[1-9]\d?|1[01]\d)(?: years? old| years of age)?$", _age
    ),
    form(rf"{_S} was born (?:on|in) (?P<v>.+)$", dated_attribute("birthday")),
    form(rf"{_S} is{_ADV} (?:called|named) {_NAME}", _called),
    form(rf"{_S}{_ADV} (?P<verb>is{_ADV} married to|(?:has )?{_ADV} ?married) {_NAME}", _spouse),
    form(r"^(?P<s>[^:]{1,80}?)(?: is| was changed to| has changed to| changed to| is set to| =|:)(?: now| on)?"
          r" (?P<v>.+)$",
          _attribute),
    form(r"^(?P<s>.{1,60}?) is (?P<o>.+?)'s favou?rite (?P<n>[\w -]+)$", _favourite),
    form(
        r"^(?P<s>[^,;:]{3,60}?) (?P<verb>(?:is|was|has been|will be)(?: now)?(?: (?:scheduled|planned|set|due|moved"
        r"|rescheduled|pushed))?|starts|begins|takes place|happens|ends|closes|expires|finishes|leaves|departs|arrives"
        r"|lands|opens) (?:on |at |for |to |from |in |by )?(?P<v>.*)$",
        _scheduled,
    ),
    form(rf"{_S}{_ADV} prefers? (?P<v>.+?) (?:over|to|rather than|instead of) (?P<w>.+)$", _preferred),
    form(rf"{_S}{_ADV} prefers? (?P<v>(?:(?! over | to | rather than | instead of ).)+)$", _preferred),
    form(rf"{_S}{_ADV} {_LIKING} (?P<v>.+)$", _liked),
    form(
        rf"{_S}{_ADV} (?P<verb>uses?|is using|runs on|requires|doesn't use|no longer uses|stopped using)"
        r" (?P<v>[^,]+)$",
        _used,
    ),
    form(rf"{_S}{_ADV} (?:listens|runs|is exposed|is served|serves|is|uses)(?: on)? port (?P<v>\d+)", _port),
    form(rf"{_S}{_ADV} (?:has|owns) (?P<v>{_NUMBER}) (?:\w+ )?(?P<n>[a-z]+s|children|people|mice)\b", _counted),
    form(
        rf"{_S} (?P<verb>costs|weighs|is)(?: about| around)? [$€£¥]?(?P<v>{_NUMBER})"
        r"(?: ?(?P<n>kg|kilos?|pounds|cm|metres?|meters?|km|miles|euros?|dollars|gb|mb|tb|percent|%))\b",
        _measured,
    ),
    form(rf"{_S} is{_ADV} (?P<v>[a-z-]+)(?: (?:to|for|by|now|until|at|on) .*)?$", _on_axis),
)  # fmt: skip
"""A pattern of a claim, matched from its first letter, and what it asserts."""
