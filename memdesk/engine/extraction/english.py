"""Claims in English sentences: cut them into clauses, read each by its form, retell it in the third person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memdesk.engine.extraction import cues, lexicon, people, trimming, voice
from memdesk.engine.extraction.clause import Clause, Reading, clause_of, dangles, unfinished
from memdesk.engine.extraction.first_person import elided, first_person, mine
from memdesk.engine.extraction.forms import decision, directive, impersonal, named, outcome, third
from memdesk.engine.extraction.found import Draft
from memdesk.engine.extraction.language import WORD, Sentence
from memdesk.engine.extraction.scene import Scene

SHORTEST, LONGEST = 12, 240
"""Characters of a claim: less says nothing alone, more is no single claim."""

_FORMS: tuple[Callable[[Clause], Reading | None], ...] = (
    decision,
    directive,
    first_person,
    mine,
    third,
    named,
    elided,
)
_REMINDED = re.compile(
    r",? (?:so |and )?(?:please )?(?:remember(?: that| this| it)?|don't forget(?: that| it)?|note that"
    r"|keep that in mind)$",
    re.IGNORECASE,
)
_KIN_OF_SPEAKER = re.compile(
    rf"\b(?:my|our|My|Our) (?:[a-z]+ ){{0,2}}?({people.alternatives(people.SHE | people.HE)})\b"
    r"(?:,? ([A-Z][a-z]+)\b)?"
)


def claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claims of one sentence, in order. Questions, greetings and suppositions make none."""
    text = sentence.text
    behind = _REMINDED.search(text)
    if len(text) >= SHORTEST // 2 and (behind or not sentence.asked):
        start = trimming.opening(text, 0, scene.called)
        request = cues.REMEMBER.match(text, start)
        stop = behind.start() if behind else len(text)
        for begin, end in trimming.clauses(text, request.end() if request else start, stop):
            opens = begin == start
            yield from _claim(sentence, begin, end, scene, requested=bool(request or behind), opens=opens)
    _note_antecedent(text, scene)


def _claim(
    sentence: Sentence, begin: int, end: int, scene: Scene, *, requested: bool, opens: bool
) -> Iterator[Draft]:
    begin = trimming.opening(sentence.text, begin, scene.called)
    end = trimming.closing(sentence.text, begin, end, scene.called)
    body = sentence.text[begin:end]
    reading = (
        _read(body, scene, requested=requested, opens=opens)
        if SHORTEST // 2 <= len(body) <= LONGEST
        else None
    )
    if reading is None:
        return
    told = voice.retell(reading.text, speaker=scene.speaker, partner=scene.partner)
    claim = _as_written(told.text, reading.text) + '"' * (told.text.count('"') % 2)
    tense = reading.tense or told.tense
    if told.sound and SHORTEST <= len(claim) <= LONGEST:
        yield Draft(
            claim=claim,
            category=reading.category or cues.category(claim, tense=tense),
            certainty=_certainty(reading.certainty, body, scene, requested=requested),
            temporal=cues.temporal(claim, tense=tense),
            start=sentence.start + begin,
            end=sentence.start + end,
        )


def _read(body: str, scene: Scene, *, requested: bool, opens: bool) -> Reading | None:
    """Return the reading of the first form that matches the clause; None if it makes no claim."""
    clause = clause_of(body, scene, opens=opens)
    if clause is None:
        return None
    if scene.agent:
        return outcome(clause)
    if unfinished(clause):
        return None
    for form in _FORMS:
        reading = form(clause)
        if reading is not None:
            return None if dangles(clause) else reading
    return impersonal(clause, requested=requested and scene.at_work)


def _as_written(claim: str, source: str) -> str:
    """Return the claim, starting in lower case if its first word is a name written so: pnpm, restic."""
    head = WORD.match(claim)
    known = lexicon.KNOWN.get(head.group().lower()) if head else None
    written_small = known is not None and known.name[:1].islower() and source[:1].islower()
    return claim[:1].lower() + claim[1:] if written_small else claim


def _certainty(certainty: str, body: str, scene: Scene, *, requested: bool) -> str:
    """Return the certainty: uncertain if hedged, at most implied from an agent, explicit if asked to be
    remembered."""
    if cues.hedged(body):
        return "uncertain"
    if scene.agent:
        return "implied"
    return "explicit" if requested else certainty


def _note_antecedent(text: str, scene: Scene) -> None:
    """Store in the scene the person that "he" or "she" will mean in the next sentences."""
    small = text.lower()
    if "my " not in small and "our " not in small:
        return
    for match in _KIN_OF_SPEAKER.finditer(text):
        kin, name = match.group(1), match.group(2)
        known = name is not None and name.lower() in scene.names
        pronoun = "she" if kin in people.SHE else "he"
        scene.antecedent = (name if known else f"{scene.speaker}'s {kin}", pronoun)
