"""Notable sentences that no rule can reword: kept in the words of their speaker, with the question that they answer
and, where that says too little, with the sentence before it.

"Fatoumata" is no claim; `“Who's running the dialysis unit?” – “Fatoumata.”` can be understood alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from memdesk.engine.extraction import cues, japanese, notable, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import WORD, Sentence
from memdesk.engine.extraction.lexicon import pattern, words
from memdesk.engine.extraction.notable import Spoken
from memdesk.engine.extraction.self_contained import is_self_contained
from memdesk.engine.extraction.third_person import is_finite, is_past_verb
from memdesk.model.quotation import quoting

LEAST, LEAST_AT_WORK, LEAST_WORDED = 0.5, 0.4, 0.25
"""Least chance of a sentence that is quoted: between people, to an agent, and where a rule's claim was not trusted."""
LEAST_ALONE = 0.7
"""Least chance of what people say in English to no question, where it cannot be retold: much of it is warmth."""
LEAST_UNCLEAR = 0.6
"""Least chance of the answer to a question that means what was said before it, if that is not known."""
LEAST_CONTEXT = 0.2
"""Least chance of a sentence before an exchange that tells what it is about, and of one with words of a reaction."""
LEAST_TRUSTED = 0.6
"""Least chance of a sentence for a rule's claim to be trusted: in Chinese, and of several sentences to an agent."""
LONGEST, LONGEST_QUESTION, LONGEST_CONTEXT = 120, 100, 80
SHORT_QUESTION, SHORT_SENTENCE = 6, 10
"""Letters of a question in Chinese or Japanese too short to tell what it is about; of a sentence to an agent."""
LEAST_COVERED = 0.7
"""Share of a Chinese sentence between people that claims are made of: a part alone lacks what the rest says."""
PLAIN_WORDS = 6
"""Words of a sentence in English to an agent that a rule can hardly misread."""
_LEANS = {tongue: pattern("quoting", f"leans_{tongue}") for tongue in notable.TONGUES}
"""Words that the sentence before gives their meaning."""
_OWN, _ADDRESSED = pattern("notable", "own"), pattern("notable", "addressed")
_REACTION = pattern("notable", "mood")
_POINTS = pattern("quoting", "points")
"""Words of a rule's claim in English that mean what was said before."""
_REPLIES = pattern("quoting", "replies")
"""Beginning of a sentence that its question alone makes clear."""
_ASKING, _ASIDE = words("quoting", "asking"), pattern("quoting", "aside")
_STATEMENTS = ("fact", "event")
"""Categories of claims that need not be meant to last, as rules, decisions and preferences are."""
_HEADLESS = pattern("quoting", "headless")
"""Beginning of a question in Chinese that does not name whom it is about."""
_SUBJECT_VERB = re.compile(
    r"\b(?:I|[Ww]e|[Yy]ou|[Tt]hey) ([a-z]+)|\b(?:[Hh]e|[Ss]he|[Ii]t|[A-Z][a-z]+) ([a-z]+s)\b(?<!was)"
)
"""Verb behind its subject, also one that no list has: "Ana picks", "we lease"."""
_LEADS = words("quoting", "leads")
"""Words before a noun, with which no whole sentence begins."""
_TOPIC, _POLITE = re.compile("[^、は]{1,12}[はを]"), re.compile("(?:です|ます|ました|でした|ません)[よね]?$")
"""Beginning of a Japanese sentence that says what it is about; end of one that is complete."""
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
_WHEN = re.compile(f"{pattern('notable', 'date').pattern}|{pattern('notable', 'when').pattern}")
_ENDS = ".!?。！？…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Turn of a person: its text and its sentences with their languages. question: the last sentence of the turn before
    it by another person, if that is a question, "" if not. earlier: what was said before the question, or before the
    turn if it answers none, up to two turns back, the nearest sentence first. after: the turn after it."""

    text: str
    sentences: Sequence[tuple[str, Sentence]]
    question: str
    earlier: Sequence[tuple[str, Sentence]]
    after: str


def claims_of(turn: Turn, worded: Sequence[Draft], scene: Scene) -> list[Draft]:
    """Return the claims of a turn in order: those of the rules that can be trusted, and quotations of the notable
    sentences that none of these was made of.

    worded: the claims that rules made of the turn."""
    spoken = _spoken(turn, scene)
    chances = [notable.chance(each) for each in spoken]
    kept, guessed = list[Draft](), list[Draft]()
    for draft in worded:
        (kept if _is_trusted(draft, worded, spoken, chances) else guessed).append(draft)
    least = LEAST_AT_WORK if scene.at_work else LEAST
    wanted = [
        not any(_overlap(draft, each.sentence) for draft in kept)
        and (each.tongue != "en" or scene.at_work or notable.is_concrete(each))
        and chance >= (LEAST_WORDED if any(_overlap(draft, each.sentence) for draft in guessed) else least)
        for each, chance in zip(spoken, chances, strict=True)
    ]
    return sorted([*kept, *_quotations(turn, wanted, chances, scene)], key=lambda draft: draft.start)


def _spoken(turn: Turn, scene: Scene) -> list[Spoken]:
    following = [*(sentence.text for _, sentence in turn.sentences), turn.after][1:]
    return [
        Spoken(
            tongue=tongue,
            sentence=sentence,
            question=turn.question if at == 0 else "",
            after=after,
            first=at == 0,
            scene=scene,
        )
        for at, ((tongue, sentence), after) in enumerate(zip(turn.sentences, following, strict=True))
    ]


def _overlap(draft: Draft, sentence: Sentence) -> bool:
    return draft.start < sentence.start + len(sentence.text) and sentence.start < draft.end


def _covered(worded: Sequence[Draft], sentence: Sentence) -> float:
    """Return the share of a sentence that claims are made of."""
    own = [draft for draft in worded if _overlap(draft, sentence)]
    places = range(sentence.start, sentence.start + len(sentence.text))
    return sum(any(draft.start <= place < draft.end for draft in own) for place in places) / len(places)


def _is_trusted(
    draft: Draft, worded: Sequence[Draft], spoken: Sequence[Spoken], chances: Sequence[float]
) -> bool:
    """Return True for a claim of a rule that stays: one that corrects another, and one of a likely sentence that needs
    no other. Others are quoted if they are notable.

    On talks that no rule was written for, quotations are right more often: tests/bench/README.md."""
    at = next((at for at, each in enumerate(spoken) if _overlap(draft, each.sentence)), None)
    if at is None or draft.replaces is not None or draft.phrase:
        return True
    one, chance, lone = spoken[at], chances[at], len(spoken) == 1
    if one.tongue in ("zh", "ja"):
        return _is_trusted_han(draft, worded, one, chance, lone=lone)
    if one.tongue != "en" or not one.scene.at_work:
        return True
    leans = one.question and draft.claim.rstrip(_ENDS) == one.sentence.text.rstrip(_ENDS)
    if draft.certainty == "inferred":
        guessed = _PRONOUNS["en"][1].search(one.sentence.text) is not None
    else:
        plain = notable.is_concrete(one) and len(WORD.findall(one.sentence.text)) <= PLAIN_WORDS
        guessed = draft.category in _STATEMENTS and chance < LEAST_TRUSTED and not plain
    return not (leans or _POINTS.search(draft.claim)) and (lone or not guessed)


def _is_trusted_han(draft: Draft, worded: Sequence[Draft], one: Spoken, chance: float, *, lone: bool) -> bool:
    """Return True for a claim of a rule in Chinese or Japanese that stays. lone: it is all that the turn says."""
    text, asked, work = one.sentence.text, bool(one.question), one.scene.at_work
    own, bare = _OWN.search(text) is not None, draft.claim[:2] == text[:2]
    if one.tongue == "ja":
        return not asked and bool(own or _POLITE.search(text) or (lone and _TOPIC.match(text)))
    if work and draft.category in _STATEMENTS and chance < LEAST_TRUSTED and not lone:
        return False
    if not (work or asked) and _covered(worded, one.sentence) < LEAST_COVERED:
        return False
    if draft.certainty == "implied":
        return True
    if asked and (work or _REPLIES.match(text)):
        return False
    if work:
        return own or not (bare and len(text) <= SHORT_SENTENCE)
    return (own or (bare and not asked)) and (chance >= LEAST_TRUSTED or _WHEN.search(text) is not None)


def _quotations(
    turn: Turn, wanted: Sequence[bool], chances: Sequence[float], scene: Scene
) -> Iterator[Draft]:
    """Yield a quotation for each run of sentences that are wanted."""
    for quoted, run in groupby(range(len(wanted)), key=wanted.__getitem__):
        if quoted:
            places = list(run)
            yield from _quotation(turn, places[0], places[-1] + 1, chances, scene)


def _quotation(turn: Turn, at: int, end: int, chances: Sequence[float], scene: Scene) -> Iterator[Draft]:
    """Yield the quotation of these sentences, with the one before them if it fits or they lean on it; none if they lean
    on nothing that is known."""
    tongue, first = turn.sentences[at]
    retold = _retold(first.text, scene) if tongue == "en" else ""
    chance, leans = max(chances[at:end]), _leans(tongue, first.text, scene)
    last = turn.sentences[end - 1][1]
    stop = last.start + len(last.text)
    before = turn.sentences[at - 1][1] if at > 0 else first
    fits = not retold and stop - before.start < LONGEST and not _lacks_antecedent(tongue, before.text)
    if at > 0 and (leans or fits) and _gives_context(before, chances[at - 1]):
        at -= 1
        leans = _leans(tongue, before.text, scene)
    question = turn.question if at == 0 else ""
    start = turn.sentences[at][1].start
    said = turn.text[start : stop + (turn.text[stop : stop + 1] in tuple(_ENDS))]
    elliptic = _is_elliptic(tongue, question) if question else leans
    words = f"{question} {said}"
    context = (
        _context(turn, scene, words) if at == 0 and (elliptic or _lacks_antecedent(tongue, words)) else ""
    )
    bare = not context and turn.sentences[at][1] is first
    unclear = bare and question and elliptic and chance < LEAST_UNCLEAR
    alone = bare and leans and not question
    if (
        unclear
        or alone
        or _lacks_antecedent(tongue, f"{context} {words}")
        or len(said) > LONGEST
        or len(question) > LONGEST_QUESTION
    ):
        return
    category, temporal = _reading(tongue, last.text if tongue == "ja" else said)
    plain = retold if said.rstrip(_ENDS) == first.text and not (question or context) else ""
    if tongue == "en" and not (plain or question or scene.at_work or context) and chance < LEAST_ALONE:
        return
    yield Draft(
        claim=plain
        or quoting(
            tongue, said, speaker=_speaker(tongue, said, question, scene), question=question, context=context
        ),
        category=category,
        certainty="implied",
        confidence=round(max(chance, LEAST), 2),
        temporal=temporal,
        start=start,
        end=stop,
    )


def _is_elliptic(tongue: str, question: str) -> bool:
    """Return True for a question that means what was said before it: "Since when?" """
    asked = _ASIDE.sub("", question)
    if _LEANS[tongue].search(asked):
        return True
    if tongue == "en":
        return sum(word.lower() not in _ASKING for word in WORD.findall(asked)) < 2
    return len(asked) <= SHORT_QUESTION or _HEADLESS.match(asked) is not None


def _lacks_antecedent(tongue: str, text: str) -> bool:
    """Return True for words of which a pronoun means a person or thing that they do not name before it."""
    for pronoun, named in zip(_PRONOUNS[tongue], _NAMED[tongue], strict=True):
        first = pronoun.search(text)
        if first and not named.search(text, 0, first.start()):
            return True
    return False


def _context(turn: Turn, scene: Scene, words: str) -> str:
    """Return the nearest sentence before an exchange that tells what its words are about, "" if there is none."""
    for tongue, before in turn.earlier:
        spoken = Spoken(tongue=tongue, sentence=before, scene=scene)
        told = len(before.text) <= LONGEST_CONTEXT and not _lacks_antecedent(tongue, f"{before.text} {words}")
        if told and notable.chance(spoken) >= LEAST_CONTEXT:
            return before.text
    return ""


def _gives_context(before: Sentence, chance: float) -> bool:
    """Return False for a reaction or a question, which does not tell what the sentence after it is about."""
    return not before.asked and (chance >= LEAST_CONTEXT or not _REACTION.search(before.text))


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


def _speaker(tongue: str, said: str, question: str, scene: Scene) -> str:
    """Return the name of the speaker, "" if the sentence does not speak of them: "Who runs the unit?" "Fatoumata"."""
    unsaid = not question or (tongue != "en" and not scene.at_work)
    return scene.speaker if unsaid or _OWN.search(said) or _ADDRESSED.search(question) else ""


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
