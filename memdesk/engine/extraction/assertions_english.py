"""Assertions in English claims in the third person: who lives where, who prefers which value, which task is
due when.

Each form has one pattern; a claim may match several. A claim that matches none cannot be contradicted by
slot."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words
from memdesk.engine.extraction.assertion import (
    EMPLOYER,
    HOME,
    IS,
    JOB,
    LIKES,
    PREFERS,
    USES,
    Assertion,
    Form,
    FormReader,
    Found,
    attribute_of,
    dated_attribute,
    form,
    read,
    subject_of,
)
from memdesk.engine.extraction.lexicon import word_set, words
from memdesk.engine.extraction.normal_forms import NUMBERS, base, times

SUBJECT = r"^(?P<s>[^,;:]{1,60}?)"
ADVERBS = (
    r"(?: (?:now|still|currently|actually|also|just|recently|really|already|officially|finally|mainly))*"
)
HAS = rf"(?: has)?{ADVERBS}"
NAME = r"(?P<v>(?-i:[A-Z]).*)$"
DEFINITE = r"^(?P<s>the .+?|.+?'s .+?)"
NUMBER = rf"(?:\d[\d.,]*|{'|'.join(NUMBERS)})"
SPOUSE = word_set("husband wife spouse")
SINGLE_KIN = word_set(
    "partner boyfriend girlfriend fiancé fiancée mother father mum mom dad boss manager supervisor"
)
"""People of whom a person has only one: another name contradicts the first."""
MANY_KIN = english_words.KIN | english_words.PETS | english_words.GROUP
_CUT = re.compile(
    r"\s*(?:[,;(]|\.$|\s(?:and|but|because|since|while|where|which|who|with|although|so|until"
    r"|when|now|anymore"
    r"|these days|at the moment|instead|last|next|this|in (?=\d)|for (?=\w+ years?))\b).*$"
)


def value_of(text: str) -> str:
    """Return a value without the words after it: "Siemens, which pays well" gives "Siemens"."""
    return _CUT.sub("", text).strip(" .\"'")


def kin_subject(phrase: str) -> tuple[str, ...]:
    """Return the subject of a kinship phrase; husband and wife both become spouse."""
    return tuple(sorted({"spouse" if word in SPOUSE else word for word in subject_of(phrase)}))


_OCCUPATION = rf"(?:{english_words.alternatives(words('english', 'occupations'))})"
_NO_LONGER_ONE = (
    r"(?!(?:former|retired|trained|qualified|certified|aspiring|amateur|future|good|great|bad)\b)"
)
_DIMENSIONS = (
    word_set("dark light"),
    word_set("short long brief concise terse detailed verbose"),
    word_set("morning afternoon evening night"),
    word_set("hot cold iced warm"),
    word_set("window aisle middle"),
    word_set("green black herbal white red"),
    word_set("formal informal casual"),
    word_set("remote on-site onsite hybrid"),
    word_set("spicy mild"),
)
"""Groups of adjectives of which a person prefers one: dark mode or light mode, short answers or long ones."""


def _slot(name: str, *, denied: bool = False, arrival: bool = False) -> FormReader:
    """Return a form function that puts the value into one slot of its subject."""

    def assertions(match: re.Match[str]) -> Found:
        value = value_of(re.split(r" (?:in|as|near|at|on|for) ", match["v"])[0])
        yield Assertion(
            subject=subject_of(match["s"]), slot=name, value=value, denied=denied, arrival=arrival
        )

    return assertions


def _placed(match: re.Match[str]) -> Found:
    """Yield the home asserted by "The office is in Basel". A person who is in Basel may live elsewhere, so
    people are skipped."""
    if not english_words.KIN & set(subject_of(match["s"])):
        yield from _slot(HOME)(match)


def _from_to(match: re.Match[str]) -> Found:
    """Yield both assertions of "switched from npm to pnpm" or "moved from Oslo to Porto": the first value is
    denied."""
    subject, gone, come = subject_of(match["s"]), value_of(match["w"]), value_of(match["v"])
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
    if last in SPOUSE | SINGLE_KIN:
        yield Assertion(subject=kin_subject(match["s"]), slot=IS, value=value_of(match["v"]))
    elif last not in MANY_KIN:
        yield Assertion(subject=attribute_of(match["s"], "name"), slot=IS, value=value_of(match["v"]))


def _spouse(match: re.Match[str]) -> Found:
    arrival = not match["verb"].startswith("is")
    yield Assertion(
        subject=attribute_of(match["s"], "spouse"), slot=IS, value=value_of(match["v"]), arrival=arrival
    )
    yield Assertion(subject=subject_of(match["s"]), slot="marital status", value="married", arrival=arrival)


def _favourite(match: re.Match[str]) -> Found:
    yield Assertion(
        subject=attribute_of(f"{match['o']} {match['n']}", "favourite"), slot=IS, value=match["s"]
    )


def _preferred(match: re.Match[str]) -> Found:
    value, over = value_of(match["v"]), value_of(match.groupdict().get("w") or "")
    if value.startswith("to "):
        return
    subject = subject_of(match["s"])
    yield Assertion(subject=subject, slot=PREFERS, value=value, over=over, single=False)
    kept = re.split(r" (?:in|on|at|for|from|by|to|when) ", value)[0].lower().split()
    sorts = next((sorts for sorts in _DIMENSIONS if len(kept) > 1 and kept[0] in sorts), None)
    if sorts and not over:
        slot = f"{PREFERS} {base(kept[-1])}, {min(sorts)}"
        yield Assertion(subject=subject, slot=slot, value=kept[0])


def _liked(match: re.Match[str]) -> Found:
    verb = match["verb"].lower()
    denied = re.search(r"n't|not|longer|dislike|hate|detest|stand|stopped", verb) is not None
    yield Assertion(
        subject=subject_of(match["s"]),
        slot=LIKES,
        value=value_of(match["v"]),
        single=False,
        denied=denied,
    )


_LASTING = r"(?:lived|been living|been based) in (?P<v>(?-i:[A-Z]).*? (?:since|for)\b.*)$"
_LIKING = (
    r"(?P<verb>(?:really |no longer |doesn't (?:really )?|does not |don't |do not )?(?:likes?"
    r"|loves?|enjoys?|adores?)"
    r"|is(?:n't| not| no longer)? (?:fond of|keen on|(?:a )?(?:big |huge )?fan of)|dislikes?|hates?|detests?"
    r"|can't stand|cannot stand|stopped (?:liking|enjoying))"
)
PEOPLE: tuple[Form, ...] = (
    form(rf"{SUBJECT}{ADVERBS} (?:lives?|resides?|is living|is based) in {NAME}", _slot(HOME)),
    form(rf"{SUBJECT} has{ADVERBS} {_LASTING}", _slot(HOME)),
    form(rf"{DEFINITE} is{ADVERBS} (?:located |based )?(?:in|at) {NAME}", _placed),
    form(rf"{SUBJECT}{HAS} (?:moved|relocated|is moving) (?:back )?to {NAME}", _slot(HOME, arrival=True)),
    form(rf"{SUBJECT} (?:doesn't live|does not live|no longer lives) in {NAME}", _slot(HOME, denied=True)),
    form(
        rf"{SUBJECT}{HAS} (?P<verb>switched|migrated|moved|changed|upgraded|relocated) from (?P<w>[^,]+?) to"
        r" (?P<v>[^,]+)$",
        _from_to,
    ),
    form(
        rf"{SUBJECT}{ADVERBS} (?:works?|is working|is employed|has worked"
        rf"|has been working)(?: as an? [^,]{{1,40}}?)?"
        rf" (?:at|for|by) {NAME}",
        _slot(EMPLOYER),
    ),
    form(
        rf"{SUBJECT}{HAS} (?:started (?:working|work|a (?:new )?(?:job|position|role))"
        rf"|got a (?:new )?job|was hired"
        rf"|took a job|joined(?= .* as an? )) ?(?:at|with|for|by)? {NAME}",
        _slot(EMPLOYER, arrival=True),
    ),
    form(
        rf"{SUBJECT} (?:doesn't work|does not work|no longer works) (?:at|for) {NAME}",
        _slot(EMPLOYER, denied=True),
    ),
    form(
        rf"{SUBJECT}{HAS} (?:quit|left|resigned from|retired from|was fired from|was laid off (?:from|by)"
        r"|stopped working)"
        rf"(?: (?:their|the|his|her) (?:job|position|role|post|work))?(?: (?:at|with|for|from))? {NAME}",
        _slot(EMPLOYER, denied=True, arrival=True),
    ),
    form(rf"{SUBJECT}{ADVERBS} (?:works|is working|is employed) as (?:an? |the )?(?P<v>[^,]+)$", _slot(JOB)),
    form(
        rf"{SUBJECT}{ADVERBS} (?:is|became|has become)(?: now)? an? (?P<v>{_NO_LONGER_ONE}(?:[\w-]+ ){{0,3}}?"
        rf"{_OCCUPATION})\b(?!'s)",
        _slot(JOB),
    ),
    form(
        rf"{SUBJECT}{HAS} (?P<verb>is|turned|just turned) (?P<v>[1-9]\d?|1[01]\d)(?: years? old"
        rf"| years of age)?"
        r"(?: (?:last|this|yesterday|today|on|in) .*)?$",
        _age,
    ),
    form(rf"{SUBJECT} was born (?:on|in) (?P<v>.+)$", dated_attribute("birthday")),
    form(rf"{SUBJECT} is{ADVERBS} (?:called|named) {NAME}", _called),
    form(
        rf"{SUBJECT}{ADVERBS} (?P<verb>is{ADVERBS} married to"
        rf"|(?:has )?{ADVERBS} ?(?:got )?married(?: to)?) {NAME}",
        _spouse,
    ),
    form(r"^(?P<s>.{1,60}?) is (?P<o>.+?)'s favou?rite (?P<n>[\w -]+)$", _favourite),
    form(
        rf"{SUBJECT}{ADVERBS} prefers? (?P<v>.+?) (?:over|to|rather than|instead of) (?P<w>.+)$", _preferred
    ),
    form(
        rf"{SUBJECT}{ADVERBS} prefers? (?P<v>(?:(?! over | to | rather than | instead of ).)+)$", _preferred
    ),
    form(rf"{SUBJECT}{ADVERBS} {_LIKING} (?P<v>.+)$", _liked),
)
"""Forms about people: a pattern matched from the first letter of a claim, and the function that yields its
assertions."""


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
_VAGUE = english_words.VAGUE | english_words.FEELINGS | english_words.NEGATIVE


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
    form(
        r"^(?P<s>[^:]{1,80}?)(?: is| was changed to| has changed to| changed to| is set to| =|:)(?: now| on)?"
        r" (?P<v>.+)$",
        _attribute,
    ),
    form(
        r"^(?P<s>[^,;:]{3,60}?) (?P<verb>(?:is|was|has been|will be)(?: now)?(?: (?:scheduled"
        r"|planned|set|due|moved"
        r"|rescheduled|pushed))?|(?:has |got )?(?:moved|rescheduled|postponed|pushed)(?: back)?"
        r"|starts|begins|takes place|happens|ends|closes|expires|finishes|leaves|departs|arrives|lands|opens)"
        r" (?:on |at |for |to |from |in |by )?(?P<v>.*)$",
        _scheduled,
    ),
    form(
        rf"{SUBJECT}{ADVERBS} (?P<verb>uses?|is using|runs on|requires|doesn't use|no longer uses"
        rf"|stopped using"
        r"|(?:deploys?|builds?|tests?|writes?|develops?) (?:with|in|using)) (?P<v>[^,]+)$",
        _used,
    ),
    form(
        rf"{SUBJECT}{HAS} (?:upgraded|updated|switched|moved|migrated) to (?P<n>[A-Z][\w.+#-]*) (?:version )?"
        r"v?(?P<v>\d[\w.]*)$",
        _upgraded,
    ),
    form(
        rf"{SUBJECT}{ADVERBS} (?:stores?|keeps?|saves?|hosts?) (?P<n>[^,]+?) (?:in|on|at) (?P<v>[^,]+)$",
        _stored,
    ),
    form(rf"{DEFINITE} (?:is|runs|is hosted|is deployed) on (?P<v>(?!port\b)[^,]+)$", _hosted),
    form(
        rf"{SUBJECT}{ADVERBS} (?:listens|runs|is exposed|is served|serves|is|uses)(?: on)? port (?P<v>\d+)",
        _port,
    ),
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
)
"""Forms about things: a pattern matched from the first letter of a claim, and the function that yields its
assertions."""


FORMS = (*PEOPLE, *THINGS)
_LEAD = re.compile(
    r"^(?:since|in|as of|from|currently|now|today|at the moment|these days)\b[^,]{0,40}, ", re.IGNORECASE
)


def english(claim: str) -> Found:
    """Yield the assertions of an English claim, each once."""
    yield from read(_LEAD.sub("", claim.replace("’", "'").strip().rstrip(".")), FORMS)
