"""Claims in German sentences: "Ich wohne seit Mai in Leipzig" gives "Jonas wohnt seit Mai in Leipzig".

A clause is read if its subject is the speaker or a relative or thing of theirs, and its verb states a lasting state, an
act of the past, a liking or a plan; wishes, suppositions and moods make no claim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction import gazetteer
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import Sentence
from memdesk.engine.extraction.lexicon import pairs, pattern, words

SHORTEST, LONGEST = 12, 200
_STRONG = pairs("german", "strong")
_IRREGULAR = {"bin": "ist", "habe": "hat", "werde": "wird", "sind": "ist", "haben": "hat", "werden": "wird"}
_SAME = words("german", "same")
"""Forms that are alike in the first and the third person."""


def _third(infinitive: str) -> str:
    if infinitive in _STRONG:
        return _STRONG[infinitive]
    stem = infinitive.removesuffix("en") if infinitive.endswith("en") else infinitive.removesuffix("n")
    return stem + ("et" if stem.endswith(("t", "d")) else "t")


def _first(infinitive: str) -> str:
    return infinitive.removesuffix("n")


_VERBS = (
    {_first(each): _third(each) for each in words("german", "lasting")}
    | {each: _third(each) for each in words("german", "lasting")}
    | _IRREGULAR
    | {each: each for each in _SAME}
)
"""Third person by the form after "ich" and "wir"."""
_VERB = "|".join(sorted(_VERBS, key=len, reverse=True))
_KIN = "|".join(sorted(words("german", "kin"), key=len, reverse=True))
_OPENING = pattern("german", "opening")
_SEAM = pattern("german", "seam")
_TAIL = pattern("german", "tail", flags=0)
_NOT_SAID = pattern("german", "not_said")
_UNSURE = re.compile(r"\b(?:vielleicht|wahrscheinlich|vermutlich|eventuell|wohl|ungefähr)\b", re.IGNORECASE)
_PASSING = words("german", "passing")
_NOW = pattern("german", "now")
_POINTING = pattern("german", "pointing", flags=0)
_STRAIGHT = re.compile(
    rf"(?P<who>ich|wir) (?P<adverb>(?:selbst )?)(?P<verb>{_VERB})\b(?P<rest>.*)$", re.IGNORECASE
)
_INVERTED = re.compile(rf"(?P<lead>[A-ZÄÖÜ][^,]{{1,40}}?) (?P<verb>{_VERB}) (?P<who>ich|wir)\b(?P<rest>.*)$")
_OWN = re.compile(
    rf"(?P<whose>mein|unser)(?P<ending>e?[nmrs]?) (?P<thing>(?:[a-zäöüß]+ ){{0,2}}(?i:{_KIN}))\b"
    r"(?P<rest> .+)$",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r" (?:[A-ZÄÖÜ]\w+ )?(?:ist|sind|war|waren|hat|haben|hatte|hatten|heißt|heißen|wird|kann|mag|\w+(?:t|en))\b"
)
_MINE = re.compile(r"\b(?:mein|unser)(?:e[nmrs]?)?\b")
_PARTICIPLE = pattern("german", "participle", flags=0)
_TELLING = pattern("german", "telling", flags=0)
_LIKED = pattern("german", "liked")
_RULE = pattern("german", "rule")
_MONTH = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
_TO_COME = re.compile(
    rf"\b(?:morgen|übermorgen|nächste[nrs]?|wird|plant|(?i:am) \d{{1,2}}\.|(?i:im) (?:{_MONTH})|demnächst|bald)\b"
)


def claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claims of one German sentence. Questions and what an agent says make none."""
    text = sentence.text
    if sentence.asked or scene.agent or _NOT_SAID.search(text):
        return
    opened = _OPENING.match(text)
    for begin, end in _pieces(text, opened.end() if opened else 0):
        body = text[begin:end].rstrip(" .,!…")
        claim = _claim(_TAIL.sub("", body), scene.speaker)
        if claim is not None and SHORTEST <= len(claim) <= LONGEST:
            yield Draft(
                claim=claim,
                category=_category(claim, body),
                certainty="uncertain" if _UNSURE.search(body) else "explicit",
                temporal=_temporal(claim),
                start=sentence.start + begin,
                end=sentence.start + begin + len(body),
            )


def _pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    for seam in _SEAM.finditer(text, start):
        yield start, seam.start()
        start = seam.end()
    yield start, len(text)


def _claim(body: str, speaker: str) -> str | None:
    """Return the clause in the third person; None if it is of the moment, points elsewhere, or states too little."""
    small = {word.lower() for word in re.findall(r"\w+", body)}
    if small & _PASSING or _NOW.search(body):
        return None
    straight, inverted, own = _STRAIGHT.match(body), _INVERTED.match(body), _OWN.match(body)
    if straight:
        rest = straight["rest"]
        claim = f"{speaker} {_VERBS[straight['verb'].lower()]}{_theirs(rest, speaker)}"
    elif inverted:
        rest = inverted["rest"] + " " + inverted["lead"]
        lead = _theirs(inverted["lead"], speaker)
        claim = f"{lead} {_VERBS[inverted['verb'].lower()]} {speaker}{_theirs(inverted['rest'], speaker)}"
    elif own and _FINITE.match(own["rest"]):
        rest = own["rest"]
        claim = f"{possessive(speaker)} {own['thing']}{_theirs(rest, speaker)}"
    else:
        return None
    return None if _POINTING.search(rest) or not _TELLING.search(rest) else claim


_EIGEN = {
    "mein": "das eigene",
    "meine": "die eigene",
    "meinen": "den eigenen",
    "meinem": "dem eigenen",
    "meiner": "der eigenen",
}


def _theirs(text: str, speaker: str) -> str:
    text = re.sub(r"^ (meine?[nmr]?)\b", lambda m: f" {_EIGEN[m.group(1)]}", text)
    text = re.sub(r"\b(?:mir|mich|uns)\b", "sich", text)
    return _MINE.sub(possessive(speaker), text)


_NOUN = re.compile(r"\b[A-ZÄÖÜ][a-zäöüß]+\b")
_BEFORE_NAME = re.compile(
    rf"(?:\b(?:in|nach|aus|bei|mit|von|heißt|heiße|namens|ist)"
    rf"|(?i:\b(?:{_KIN}))) $"
)


def with_names_alone(text: str) -> str:
    """Return a sentence with its nouns in lower case, except known names and those after "in", "heißt", "Bruder"."""

    def kept(match: re.Match[str]) -> str:
        small = match.group().lower()
        known = small in w.GIVEN or small in gazetteer.PLACES or small in gazetteer.ORGANIZATIONS
        called = _BEFORE_NAME.search(text, 0, match.start()) is not None and small not in words(
            "german", "kin"
        )
        return match.group() if known or called else small

    return _NOUN.sub(kept, text)


def possessive(name: str) -> str:
    """Return the genitive of a name: Maras, Jonas'."""
    return f"{name}'" if name.endswith(("s", "ß", "x", "z")) else f"{name}s"


def _category(claim: str, body: str) -> str:
    if _RULE.search(claim):
        return "constraint"
    if _LIKED.search(claim):
        return "preference"
    return "event" if _TO_COME.search(body) or _temporal(claim) == "past" else "fact"


def _temporal(claim: str) -> str:
    if re.search(r"\b(?:ist|hat|wurde|war|hatte)\b", claim) and _PARTICIPLE.search(claim):
        return "past"
    if re.search(r"\b(?:war|hatte|wurde|früher|damals)\b", claim):
        return "past"
    return "future" if _TO_COME.search(claim) and not re.search(r"\bseit\b", claim) else "current"
