"""Plainer wordings of an English clause: "Ben's moving" is "Ben is moving", "met this man" is "met a man"."""

from __future__ import annotations

import re

from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.times import has_time

_STORY = re.compile(
    r"\b(?P<verb>adopted|met|found|saw|know|have|had|got|joined|discovered|tried|hit"
    r"|visited) (?:this|these) (?=(?:[a-z][\w-]+ ){1,3})",
    re.IGNORECASE,
)
_MADE_THIS = re.compile(
    r"\b(?P<verb>made|baked|painted|built|bought|wrote|took|cooked|drew|finished"
    r"|went to) (?:this|that) (?=[a-z])"
)
_DISLOCATED = re.compile(r"^(?P<who>[A-Z][a-z]+(?: [A-Z][a-z]+)?), (?:she|he|it)(?:'s| is) ")
_FOUND = re.compile(
    r"^you(?:'ll| can| will)? find (?P<what>(?:the|our|my|all) [^,]{3,40}?) (?=(?:in|at|on|under)\b)",
    re.IGNORECASE,
)
_BY_THIS = re.compile(
    r"\b(?P<word>by|with|from|into|met|called) this (?=(?:amazing|great|cool|really|awesome"
    r"|nice|super|incredible|old|new|young|local|little|big|wonderful|lovely|sweet|famous) )",
    re.IGNORECASE,
)
_PHOTO = re.compile(r"\bthis (?=(?:pic|picture|photo|snap|shot)\b)", re.IGNORECASE)
_BARE_KIN = re.compile(
    r"(?<!my )(?<!your )(?<!our )(?<!'s )(?<!her )(?<!his )\b(?:Dad|Mum|Mom|Mama|Grandma"
    r"|Grandpa|Granny|Nana|Daddy|Mommy)(?='s|\b)(?! [A-Z])"
)
_NAMED_IS = re.compile(
    r"^(?P<who>[A-Z][a-z]+)'s (?=(?:\w{3,}ing|an?|in|at|from|not|also|still|now|always|on)\b)"
)
_AND_I = re.compile(r"^(?P<who>[A-Z][a-z]+(?:,? [A-Z][a-z]+)*) and I\b")


def plainer(body: str, scene: Scene) -> str:
    """Return the clause in words that the forms of English claims can read."""
    body = _NAMED_IS.sub(r"\g<who> is ", _BARE_KIN.sub(lambda m: f"my {m.group().lower()}", body))
    if has_time(body):
        body = _MADE_THIS.sub(r"\g<verb> a ", body)
    if scene.at_work:
        body = _FOUND.sub(r"\g<what> is ", body)
    body = _DISLOCATED.sub(r"\g<who> is ", body)
    body = _AND_I.sub(rf"\g<who> and {scene.speaker}", body)
    body = re.sub(r",? and (?:just |really )?[^,]*\beach other\b.*$", "", body)
    return _PHOTO.sub(
        "a ",
        re.sub(r"\ba (?=[aeiou])", "an ", _STORY.sub(r"\g<verb> a ", _BY_THIS.sub(r"\g<word> a ", body))),
    )
