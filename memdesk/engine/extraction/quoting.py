"""Notable sentences, kept in the words of their speaker with what was said before them.

"Fatoumata" is no claim; `“Who's running the dialysis unit?” – “Fatoumata.”` can be understood alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from memdesk.engine.extraction import cues, japanese, notable, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import WORD, Sentence, has_han
from memdesk.engine.extraction.lexicon import pattern, words
from memdesk.engine.extraction.notable import Spoken
from memdesk.engine.extraction.self_contained import is_self_contained
from memdesk.engine.extraction.third_person import is_finite, is_past_verb
from memdesk.engine.extraction.worth import ENOUGH, worth
from memdesk.model.fact import quoting

LEAST = 0.5
"""Least chance of a sentence that is quoted."""
CONFIDENCE = 0.75
"""Confidence of a quotation: of some 150 that strangers judged three in four were good, at any chance."""
LEAST_RETOLD, LEAST_INFERRED = 0.7, 0.8
"""Least worth of a claim that a rule made of a sentence between people which is not quoted; if it names what a pronoun
means."""
LONGEST, LONGEST_BEFORE = 120, 100
"""Letters of the sentences quoted from a turn, and of those from each of the two turns before it."""
SHORT_SENTENCE = 10
"""Letters of a sentence in Chinese or Japanese to an agent that means what was said before."""
SHORT_REACTION = 25
"""Letters of a sentence with a word of a reaction that tells nothing else."""
_LEANS = {tongue: pattern("quoting", f"leans_{tongue}") for tongue in notable.TONGUES}
"""Words that the sentence before gives their meaning."""
_OWN, _ADDRESSED = pattern("notable", "own"), pattern("notable", "addressed")
_REACTION = pattern("notable", "mood")
_GREETING = pattern("quoting", "greeting")
"""Question that does not tell what its answer is about."""
_STATEMENTS = ("fact", "event")
"""Categories of claims that need not be meant to last, as rules, decisions and preferences are."""
_SUBJECT_VERB = re.compile(
    r"\b(?:I|[Ww]e|[Yy]ou|[Tt]hey) ([a-z]+)|\b(?:[Hh]e|[Ss]he|[Ii]t|[A-Z][a-z]+) ([a-z]+s)\b(?<!was)"
)
"""Verb behind its subject, also one that no list has: "Ana picks", "we lease"."""
_LEADS = words("quoting", "leads")
"""Words before a noun, with which no whole sentence begins."""
_PRONOUNS, _NAMED = (
    {
        tongue: (
            pattern("quoting", f"{person}_{tongue}", flags=flags),
            pattern("quoting", f"{thing}_{tongue}", flags=flags),
        )
        for tongue in notable.TONGUES
    }
    for person, thing, flags in (("who", "what", re.IGNORECASE), ("persons", "things", 0))
)
"""Pronouns of a person and of a thing; words that name a person and a thing."""
_ENDS = ".!?。！？…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Turn: its id, its text, and its sentences with their languages."""

    id: str
    text: str
    sentences: Sequence[tuple[str, Sentence]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Turn of a person. earlier: the two turns before it, the last one first. replies: that one is of another person.
    after: the text of the turn after it."""

    said: Said
    earlier: Sequence[Said]
    replies: bool
    after: str


def claims_of(turn: Turn, worded: Sequence[Draft], scene: Scene) -> list[Draft]:
    """Return the claims of a turn in order: those of the rules that can be trusted, and quotations of the notable
    sentences that none of these was made of.

    worded: the claims that rules made of the turn."""
    spoken = _spoken(turn, scene)
    chances = [notable.chance(each) for each in spoken]
    kept, guessed = list[Draft](), list[Draft]()
    for draft in worded:
        (kept if _is_trusted(draft, turn, spoken, chances) else guessed).append(draft)
    wanted = [
        not any(_overlap(draft, each.sentence) for draft in kept)
        and (_is_notable(each, chance) or _is_answer(each, guessed))
        for each, chance in zip(spoken, chances, strict=True)
    ]
    kept += (
        replace(each, worded=tuple(one for one in guessed if _share(one, each)))
        for each in _quotations(turn, wanted, scene)
    )
    return sorted([*kept, *_retold_claims(guessed, kept, scene)], key=lambda draft: draft.start)


def _is_notable(one: Spoken, chance: float) -> bool:
    return chance >= LEAST and (one.tongue != "en" or one.scene.at_work or notable.is_concrete(one))


def _is_answer(one: Spoken, guessed: Sequence[Draft]) -> bool:
    """Return True for a sentence that a rule understood together with the question before it."""
    return bool(one.question) and any(
        draft.certainty == "implied" and _overlap(draft, one.sentence) for draft in guessed
    )


def _retold_claims(guessed: Sequence[Draft], kept: Sequence[Draft], scene: Scene) -> Iterator[Draft]:
    """Yield the claims that rules made of people's sentences which are not quoted, if they are worth keeping."""
    for one in guessed:
        least = LEAST_INFERRED if one.certainty == "inferred" else LEAST_RETOLD
        quoted = any(_share(one, each) for each in kept)
        if not (quoted or scene.at_work) and (one.confidence or 0) >= least:
            yield one


def _spoken(turn: Turn, scene: Scene) -> list[Spoken]:
    sentences = turn.said.sentences
    following = [*(sentence.text for _, sentence in sentences), turn.after][1:]
    return [
        Spoken(
            tongue=tongue,
            sentence=sentence,
            question=_question(turn) if at == 0 else "",
            after=after,
            first=at == 0,
            scene=scene,
        )
        for at, ((tongue, sentence), after) in enumerate(zip(sentences, following, strict=True))
    ]


def _question(turn: Turn) -> str:
    """Return the question that a turn answers, "" if none."""
    if not turn.replies or not turn.earlier[0].sentences:
        return ""
    _, last = turn.earlier[0].sentences[-1]
    if not last.asked or _GREETING.search(last.text):
        return ""
    return f"{last.text}{'？' if has_han(last.text) else '?'}"


def _overlap(draft: Draft, sentence: Sentence) -> bool:
    return draft.start < sentence.start + len(sentence.text) and sentence.start < draft.end


def _share(one: Draft, other: Draft) -> bool:
    """Return True for claims of the same words."""
    return one.start < other.end and other.start < one.end


def _is_trusted(draft: Draft, turn: Turn, spoken: Sequence[Spoken], chances: Sequence[float]) -> bool:
    """Return True for a claim of a rule that stays: one that corrects another, a wish to an agent, what is all that was
    said, and a notable sentence that names what it is about. The others are quoted if notable.

    On talks that no rule was written for, quotations are right more often: tests/bench/README.md."""
    at = next((at for at, each in enumerate(spoken) if _overlap(draft, each.sentence)), None)
    if at is None or draft.replaces is not None or draft.phrase or spoken[at].tongue not in notable.TONGUES:
        return True
    one, lone, explicit = spoken[at], len(spoken) == 1, draft.certainty == "explicit"
    meant = one.scene.at_work and draft.category not in _STATEMENTS
    if meant and explicit:
        return True
    if draft.certainty == "inferred" or one.question:
        return False
    if (one.scene.at_work and lone) or (not turn.replies and (explicit or meant)):
        return True
    likely = chances[at] >= LEAST or (
        one.tongue == "en" and worth(draft.claim, one.scene, draft.certainty) >= ENOUGH
    )
    plain = explicit and not _leans(one.tongue, one.sentence.text, one.scene)
    return likely and plain and (lone or one.scene.at_work)


def _quotations(turn: Turn, wanted: Sequence[bool], scene: Scene) -> Iterator[Draft]:
    """Yield a quotation for each run of sentences that are wanted."""
    for quoted, run in groupby(range(len(wanted)), key=wanted.__getitem__):
        if quoted:
            places = list(run)
            yield from _quotation(turn, places[0], places[-1] + 1, scene)


def _quotation(turn: Turn, at: int, end: int, scene: Scene) -> Iterator[Draft]:
    """Yield the quotation of these sentences of a turn, after those before them as far as they fit, and the ends of the
    two turns before it; none if they mean what none of these tells."""
    sentences = turn.said.sentences
    last = sentences[end - 1][1]
    stop = last.start + len(last.text)
    opening = next((n for n in range(at) if stop - sentences[n][1].start < LONGEST), at)
    tongue, first = sentences[opening]
    if any(each == "ja" for each, _ in sentences):
        tongue = "ja"  # A sentence without kana looks Chinese.
    said = turn.said.text[first.start : stop + (turn.said.text[stop : stop + 1] in tuple(_ENDS))]
    ends = [(each.id, _end(each)) for each in turn.earlier] if opening == 0 else []
    before, context = (*(end for _, end in ends), "", "")[:2]
    words = f"{before} {said}"
    if (
        len(said) > LONGEST
        or (_leans(tongue, first.text, scene) and not (before or context))
        or (_lacks_antecedent(tongue, words) and _lacks_antecedent(tongue, f"{context} {words}"))
    ):
        return
    told = last.text if tongue == "ja" else turn.said.text[sentences[at][1].start : stop]
    category, temporal = _reading(tongue, told)
    alone = tongue == "en" and said.rstrip(_ENDS) == first.text and not (before or context)
    speaker = _speaker(tongue, said, before, scene)
    yield Draft(
        claim=(_retold(first.text, scene) if alone else "")
        or quoting(tongue, said, speaker=speaker, before=[each for each in (context, before) if each]),
        category=category,
        certainty="implied",
        confidence=CONFIDENCE,
        temporal=temporal,
        start=first.start,
        end=stop,
        quoted=tuple(id for id, end in ends if end),
    )


def _end(said: Said) -> str:
    """Return the last sentences of a turn that fit, from the first that tells something on; "" if none does."""
    text = said.text.rstrip()
    for _, each in said.sentences:
        idle = _GREETING if each.asked else _REACTION
        tells = not idle.search(each.text) or (not each.asked and len(each.text) >= SHORT_REACTION)
        if tells and len(text) - each.start <= LONGEST_BEFORE:
            return text[each.start :]
    return ""


def _lacks_antecedent(tongue: str, text: str) -> bool:
    """Return True for words of which a pronoun means a person or thing that they do not name before it."""
    for pronoun, named in zip(_PRONOUNS[tongue], _NAMED[tongue], strict=True):
        first = pronoun.search(text)
        if first and not named.search(text, 0, first.start()):
            return True
    return False


def _retold(text: str, scene: Scene) -> str:
    """Return an English sentence in the third person, "" if that went wrong."""
    told = third_person.in_third_person(text, speaker=scene.speaker, partner=scene.partner)
    return told.text if told.sound and _is_whole(told.text) else ""


def _leans(tongue: str, text: str, scene: Scene) -> bool:
    """Return True for a sentence that cannot be understood without the one before it."""
    if _LEANS[tongue].search(text):
        return True
    if tongue != "en":
        return scene.at_work and len(text) <= SHORT_SENTENCE
    said = [word.lower() for word in WORD.findall(text)]
    opens = not said or said[0] in w.CHATTER | w.OPENERS or is_finite(said[0])
    stated = any(is_finite(word) for word in said[1:])
    told = third_person.in_third_person(text, speaker=scene.speaker, partner=scene.partner).text
    return opens or not stated or not is_self_contained(told)


def _is_whole(claim: str) -> bool:
    """Return True if an English sentence begins with its subject and its verb."""
    said = [word.lower() for word in WORD.findall(re.split("[,;–—]", claim, maxsplit=1)[0])]
    return any(is_finite(word) for word in said[1:6]) and said[0] not in _LEADS


def _speaker(tongue: str, said: str, before: str, scene: Scene) -> str:
    """Return the name of the speaker, "" if the words are not about them: "Who runs the unit?" "Fatoumata"."""
    if not before or _OWN.search(said) or _ADDRESSED.search(before):
        return scene.speaker
    (person, _), (named, _) = _PRONOUNS[tongue], _NAMED[tongue]
    words = f"{before} {said}"
    return "" if scene.at_work or person.search(words) or named.search(words) else scene.speaker


def _reading(tongue: str, text: str) -> tuple[str, str | None]:
    """Return the category and the time of what is said."""
    if tongue == "zh":
        return cues.chinese_category(text), cues.chinese_temporal(text)
    if tongue == "ja":
        return japanese.form(text) or ("fact", "current")
    small = [word.lower() for word in WORD.findall(text)]
    verbs = [
        word
        for before, word in pairwise(small)
        if is_finite(word)
        and "-" not in word
        and (is_past_verb(before, word) or not third_person.is_past(word))
    ]
    tenses = [third_person.tense_of(verb, "") for verb in verbs]
    present = any(
        not third_person.is_past(verb) for found in _SUBJECT_VERB.findall(text) for verb in found if verb
    )
    tense = next((each for each in tenses if each != "past"), "past" if tenses and not present else "none")
    return cues.category(text, tense=tense), cues.temporal(text, tense=tense)
