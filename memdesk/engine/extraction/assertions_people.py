"""Assertions about people in English claims: their homes, employers, names, likes and preferences."""

from __future__ import annotations

import re

from memdesk.engine.extraction import people
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
from memdesk.engine.extraction.assertion_forms import Form, Found, Tell, attribute_of, dated_attribute, form
from memdesk.engine.extraction.english_phrases import (
    ADVERBS,
    DEFINITE,
    HAS,
    MANY_KIN,
    NAME,
    SINGLE_KIN,
    SPOUSE,
    SUBJECT,
    kin_subject,
    value_of,
)
from memdesk.engine.extraction.likeness import base
from memdesk.engine.extraction.words import word_set

_OCCUPATION = (
    r"(?:nurse|engineer|developer|programmer|teacher|doctor|physician|surgeon|lawyer|attorney|designer|manager"
    r"|architect|chef|cook|journalist|accountant|pilot|scientist|researcher|professor|electrician|plumber|carpenter"
    r"|mechanic|driver|baker|barista|pharmacist|dentist|therapist|psychologist|analyst|consultant|librarian|paramedic"
    r"|firefighter|policeman|policewoman|farmer|gardener|receptionist|secretary|cashier|waiter|waitress|translator)"
)
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


def _slot(name: str, *, denied: bool = False, arrival: bool = False) -> Tell:
    """Return a form function that puts the value into one slot of its subject."""

    def tell(match: re.Match[str]) -> Found:
        value = value_of(re.split(r" (?:in|as|near|at|on|for) ", match["v"])[0])
        yield Assertion(
            subject=subject_of(match["s"]), slot=name, value=value, denied=denied, arrival=arrival
        )

    return tell


def _placed(match: re.Match[str]) -> Found:
    """Yield the home asserted by "The office is in Basel". A person who is in Basel may live elsewhere, so
    people are skipped."""
    if not people.KIN & set(subject_of(match["s"])):
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
    r"(?P<verb>(?:really |no longer |doesn't (?:really )?|does not |don't |do not )?(?:likes?|loves?|enjoys?|adores?)"
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
        rf"{SUBJECT}{ADVERBS} (?:works?|is working|is employed|has worked|has been working)(?: as an? [^,]{{1,40}}?)?"
        rf" (?:at|for|by) {NAME}",
        _slot(EMPLOYER),
    ),
    form(
        rf"{SUBJECT}{HAS} (?:started (?:working|work|a (?:new )?(?:job|position|role))|got a (?:new )?job|was hired"
        rf"|took a job|joined(?= .* as an? )) ?(?:at|with|for|by)? {NAME}",
        _slot(EMPLOYER, arrival=True),
    ),
    form(rf"{SUBJECT} (?:doesn't work|does not work|no longer works) (?:at|for) {NAME}", _slot(EMPLOYER, denied=True)),
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
        rf"{SUBJECT}{HAS} (?P<verb>is|turned|just turned) (?P<v>[1-9]\d?|1[01]\d)(?: years? old| years of age)?"
        r"(?: (?:last|this|yesterday|today|on|in) .*)?$",
        _age,
    ),
    form(rf"{SUBJECT} was born (?:on|in) (?P<v>.+)$", dated_attribute("birthday")),
    form(rf"{SUBJECT} is{ADVERBS} (?:called|named) {NAME}", _called),
    form(
        rf"{SUBJECT}{ADVERBS} (?P<verb>is{ADVERBS} married to|(?:has )?{ADVERBS} ?(?:got )?married(?: to)?) {NAME}",
        _spouse,
    ),
    form(r"^(?P<s>.{1,60}?) is (?P<o>.+?)'s favou?rite (?P<n>[\w -]+)$", _favourite),
    form(rf"{SUBJECT}{ADVERBS} prefers? (?P<v>.+?) (?:over|to|rather than|instead of) (?P<w>.+)$", _preferred),
    form(rf"{SUBJECT}{ADVERBS} prefers? (?P<v>(?:(?! over | to | rather than | instead of ).)+)$", _preferred),
    form(rf"{SUBJECT}{ADVERBS} {_LIKING} (?P<v>.+)$", _liked),
)  # fmt: skip
"""Forms about people: a pattern matched from the first letter of a claim, and the function that yields its
assertions."""
