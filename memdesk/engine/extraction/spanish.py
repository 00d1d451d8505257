"""Claims in Spanish sentences: "Trabajo en un hospital" gives "Andrés trabaja en un hospital".

A clause is read if its verb is in the first person of a lasting state, an act of the past, a liking or a plan, or if
its subject is a relative or thing of the speaker; wishes, suppositions and moods make no claim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import Sentence
from memdesk.engine.extraction.lexicon import pairs, pattern, words

SHORTEST, LONGEST = 12, 200
_PRESENT = pairs("spanish", "present")
_PAST = pairs("spanish", "past")
_FIRST = "|".join(sorted([*_PRESENT, *_PAST], key=len, reverse=True))
_OPENING = pattern("spanish", "opening")
_VERB = rf"(?P<verb>{_FIRST}|(?!qué|café|aquí|allí|así|ahí|porqué|casi)[a-záéíóúñ]{{3,}}(?:é|í))"
_LEAD = (
    r"(?:(?P<lead>(?:el|en|desde|hace|la|este|esta|mañana|ayer|hoy|cada|los|todos|actualmente|ahora|últimamente"
    r"|antes)\b"
    r"[^,]{0,40}?),? )?"
)
_SELF = re.compile(
    rf"{_LEAD}(?:yo )?(?P<adverb>(?:(?:también|siempre|nunca|ya|casi|todavía"
    rf"|aún) )*)(?P<no>no )?(?:yo )?(?P<me>me )?{_VERB}\b"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_PLEASES = pattern("spanish", "pleases")
_OWN = re.compile(
    rf"(?P<whose>mis?|nuestr[oa]s?) (?P<thing>(?:{'|'.join(sorted(words('spanish', 'kin'), key=len, reverse=True))}))"
    r"(?P<kind> (?:mayor|menor|favorit[oa]"
    r"|pequeñ[oa]))?(?:,? (?P<name>(?-i:[A-ZÁÉÍÓÚ])[a-záéíóúñ]+),?)? (?P<rest>[a-záéíóúñ].+)$",
    re.IGNORECASE,
)
_SEAM = re.compile(
    rf"(?:, (?:(?:y|pero|así que|porque|aunque) )?| (?:y|pero) | - | – )(?=(?:yo |no |también |me )*(?:{_FIRST}"
    rf"|me gusta\w*|mis?)\b)",
    re.IGNORECASE,
)
_TAIL = re.compile(r", (?:así que|por eso|lo que|y eso|aunque|porque|pero)\b.*$")
_NOT_SAID = pattern("spanish", "not_said")
_PASSING = words("spanish", "passing")
_POINTING = re.compile(r"\b(?:lo|eso|esto|aquello|allí|allá|él|ellas?|ellos)\b", re.IGNORECASE)
_ONGOING = re.compile(r" \w+(?:ando|iendo|yendo)\b")
_STILL_FIRST = re.compile(r"\b(?:soy|tengo|vivo|estoy|voy|hago|quiero|puedo|me)\b", re.IGNORECASE)
_NOUN_AFTER = re.compile(r"\b[a-záéíóúñ]{4,}|\d|\b[A-Z]")
_LIKED = re.compile(r"\b(?:gusta\w*|encanta\w*|prefiere|odia|ama|detesta|favorit[oa])\b")
_RULE = re.compile(r"\b(?:alérgic[oa]|intolerante|vegetarian[oa]|vegan[oa]|nunca|no (?:come|bebe|fuma))\b")
_TO_COME = pattern("spanish", "to_come", flags=0)
_FEMININE = ("madre", "mujer", "mamá", "pareja")


def claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claims of one Spanish sentence. Questions and what an agent says make none."""
    text = sentence.text
    if sentence.asked or scene.agent or _NOT_SAID.search(text):
        return
    opened = _OPENING.match(text)
    start = opened.end() if opened else 0
    start += len(text[start:]) - len(text[start:].lstrip("¡¿ "))
    for begin, end in _pieces(text, start):
        body = text[begin:end].rstrip(" .,!…")
        found_claim = _claim(_TAIL.sub("", body), scene.speaker)
        if found_claim is not None and SHORTEST <= len(found_claim[0]) <= LONGEST:
            claim, past = found_claim
            yield Draft(
                claim=claim,
                category=_category(claim, past=past),
                certainty="explicit",
                temporal="past" if past else "future" if _TO_COME.search(claim) else "current",
                start=sentence.start + begin,
                end=sentence.start + begin + len(body),
            )


def _pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    for seam in _SEAM.finditer(text, start):
        if seam.start() - start >= SHORTEST // 2:
            yield start, seam.start()
            start = seam.end()
    yield start, len(text)


def _claim(body: str, speaker: str) -> tuple[str, bool] | None:
    """Return (clause in the third person, True if past); None if it is of the moment or states too little."""
    if {word.lower() for word in re.findall(r"\w+", body)} & _PASSING or _POINTING.search(body):
        return None
    pleases, own = _PLEASES.match(body), _OWN.match(body)
    if pleases:
        return (
            f"A {speaker} {(pleases['no'] or '').lower()}le {pleases['verb'].lower()} {_theirs(pleases['rest'])}",
            False,
        )
    if own:
        past = re.match(r"(?:se )?\w+(?:ó|ió)\b|fue\b|era\b", own["rest"]) is not None
        return _of_theirs(own, speaker), past
    match = _SELF.match(body)
    return _of_self(match, speaker) if match else None


def _of_self(match: re.Match[str], speaker: str) -> tuple[str, bool] | None:
    verb, rest = match["verb"].lower(), match["rest"]
    third = _PRESENT.get(verb) or _PAST.get(verb) or _preterite(verb)
    if (
        not _NOUN_AFTER.search(rest)
        or _STILL_FIRST.search(rest)
        or (verb == "estoy" and not (_ONGOING.match(rest) or " casad" in rest))
    ):
        return None
    if verb == "voy" and not re.match(r" al? ", rest):
        return None
    reflexive = "se " if match["me"] else ""
    lead = f" {match['lead'][:1].lower()}{match['lead'][1:]}" if match["lead"] else ""
    said = f"{speaker} {match['adverb'].lower()}{(match['no'] or '').lower()}{reflexive}{third}{_theirs(rest)}{lead}"
    return said, verb not in _PRESENT


def _preterite(verb: str) -> str:
    """Return the third person of a past in -é or -í: "compré" gives "compró", "nací" gives "nació"."""
    if verb.endswith("í"):
        return verb[:-1] + "ió"
    for first, third in (("gué", "gó"), ("qué", "có"), ("cé", "zó")):
        if verb.endswith(first):
            return verb.removesuffix(first) + third
    return verb[:-1] + "ó"


def _of_theirs(match: re.Match[str], speaker: str) -> str:
    thing, kind = match["thing"].lower(), match["kind"] or ""
    woman = thing.rstrip("s").endswith("a") or thing.rstrip("s") in _FEMININE
    article = ("las" if woman else "los") if match["whose"].endswith("s") else "la" if woman else "el"
    whose = f"{article} {thing}{kind} de {speaker}"
    rest = _theirs(match["rest"])
    return f"{match['name']}, {whose}, {rest}" if match["name"] else f"{whose[:1].upper()}{whose[1:]} {rest}"


def _theirs(text: str) -> str:
    return re.sub(r"\bconmigo\b", "consigo", re.sub(r"\b[Mm]i(s?)\b", r"su\1", text))


def _category(claim: str, *, past: bool) -> str:
    if _RULE.search(claim):
        return "constraint"
    if _LIKED.search(claim):
        return "preference"
    return "event" if past or _TO_COME.search(claim) else "fact"
