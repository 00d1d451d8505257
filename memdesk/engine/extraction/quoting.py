"""Notable sentences, kept in the words of their speaker with what was said before them.

"Fatoumata" is no claim; `“Who's running the dialysis unit?” – “Fatoumata.”` can be understood alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from memdesk.engine.extraction import cues, japanese, notable, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Draft, Exchange, Scene, Words
from memdesk.engine.extraction.language import WORD, Sentence, has_han
from memdesk.engine.extraction.lexicon import pattern, words
from memdesk.engine.extraction.notable import Spoken
from memdesk.engine.extraction.revisions import Revision
from memdesk.engine.extraction.self_contained import is_self_contained
from memdesk.engine.extraction.third_person import is_finite, is_past_verb
from memdesk.engine.extraction.transcript import SENTENCE_CHARACTERS, SENTENCES_WEIGHED, ReadTurn
from memdesk.engine.extraction.worth import ENOUGH, worth

LEAST, LEAST_OPENING = 0.5, 0.7
"""Least chance of a sentence that is quoted, and of one in the first replies of which no rule reads an explicit claim:
of 41 of these that strangers read 14 were good, the others told of the moment; of the 19 below this chance 4."""
OPENING_TURNS = 3
"""Turns with which a conversation begins."""
CONFIDENCE = 0.8
"""Confidence of a quotation: of 329 claims of two unseen sets of talks strangers found 81 in 100 good."""
LEAST_RETOLD, LEAST_INFERRED = 0.7, 0.8
"""Least worth of a claim that a rule made of a sentence between people which is not quoted; if it names what a pronoun
means."""
LONGEST, LONGEST_BEFORE, LONGEST_SENTENCE = 160, 140, 240
"""Letters of the sentences quoted from a turn, of those from each turn before it, and of a sentence alone."""
TURNS_BEFORE, ENOUGH_BEFORE, MOST_BEFORE = 2, 220, 6
"""Turns just before it that are quoted, more of them while these have fewer letters, and the turns looked at."""
CJK_WEIGHT = 2
"""Letters of an alphabet for one character of Chinese or Japanese."""
SHORT_SENTENCE = 10
"""Letters of a sentence in Chinese or Japanese to an agent that means what was said before."""
SHORT_REACTION = 25
"""Letters of a sentence with a word of a reaction that tells nothing else."""
CONTEXT_SENTENCES = 5
"""Sentences of a turn, the last ones, that may tell what the next turns are about."""
_LEANS = {tongue: pattern("quoting", f"leans_{tongue}") for tongue in notable.TONGUES}
"""Words that the sentence before gives their meaning."""
_REACTION = pattern("notable", "mood")
_IDLE = pattern("quoting", "idle")
_WANTED = pattern("quoting", "wanted")
"""Sentence that only greets or agrees."""
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
_CLAUSES = re.compile("[,，、;；]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Turn: its id, its speaker, its text, and its sentences with their languages."""

    id: str
    speaker: str
    text: str
    sentences: Sequence[tuple[str, Sentence]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Turn of a person or an agent. earlier: the turns before it, the last one first. replies: that one is of another.
    after: the text of the turn after it. revising: its sentence that revises what an earlier turn said, if one does.
    requests: it begins the conversation and is answered by a question: it was a request or a greeting, and of 22 claims
    of such turns that strangers read 1 was good."""

    said: Said
    earlier: Sequence[Said]
    replies: bool
    after: str
    requests: bool = False
    revising: Sentence | None = None


def turn_of(one: ReadTurn, revision: Revision | None) -> Turn:
    """Return a turn with what gives it its meaning."""
    weighed = [pair for pair in one.sentences[:SENTENCES_WEIGHED] if len(pair[1].text) <= SENTENCE_CHARACTERS]
    earlier = [_said(each, each.sentences[-CONTEXT_SENTENCES:]) for each in one.earlier()]
    return Turn(
        said=_said(one, weighed),
        earlier=earlier,
        replies=bool(earlier) and earlier[0].speaker != one.speaker,
        after=one.after.text if one.after else "",
        requests=not earlier and _is_asked_back(one),
        revising=revision.now if revision else None,
    )


def _is_asked_back(one: ReadTurn) -> bool:
    """Return True for a turn that another speaker answers with a question."""
    answer = one.after.sentences if one.after and one.after.speaker != one.speaker else []
    return bool(answer) and answer[-1][1].asked


def _said(one: ReadTurn, sentences: Sequence[tuple[str, Sentence]]) -> Said:
    return Said(id=one.utterance.id, speaker=one.speaker, text=one.utterance.text, sentences=sentences)


def claims_of(turn: Turn, worded: Sequence[Draft], scene: Scene) -> list[Draft]:
    """Return the claims of a turn in order: those of the rules that can be trusted, and quotations of the notable
    sentences that none of these was made of.

    worded: the claims that rules made of the turn. A fact of the words of a quotation is left out."""
    spoken = _spoken(turn, scene)
    if turn.requests:
        worded = [draft for draft in worded if _is_statement(draft, spoken)]
    are_notable = [_is_notable(each, turn, worded) for each in spoken]
    trusted, guessed = list[Draft](), list[Draft]()
    for draft in worded:
        (trusted if _is_trusted(draft, turn, spoken, are_notable) else guessed).append(draft)
    wanted = list[bool]()
    for each, notably in zip(spoken, are_notable, strict=True):
        known = [draft for draft in trusted if _overlap(draft, each.sentence)]
        if each.tongue not in notable.TONGUES:
            wanted.append(False)
        elif known:
            wanted.append(not any(_speaks_alone(draft, turn, spoken) for draft in known))
        else:
            wanted.append(each.sentence is turn.revising or _is_wanted(each, turn, notably, guessed))
    quotations = list(_quotations(turn, wanted, scene))
    kept = list[Draft]()
    for draft in trusted:
        quoted = not _corrects(draft) and any(_share(draft, each) for each in quotations)
        (guessed if quoted else kept).append(draft)
    kept += (replace(each, worded=tuple(one for one in guessed if _share(one, each))) for each in quotations)
    return sorted([*kept, *_retold_claims(guessed, kept, scene)], key=lambda draft: draft.start)


def _is_statement(draft: Draft, spoken: Sequence[Spoken]) -> bool:
    """Return True for a claim of a request that is kept: a correction, an explicit one about how things are, one
    that a rule takes for worth keeping, and a likely one that is all that was said."""
    own = [each for each in spoken if _overlap(draft, each.sentence) and each.tongue in notable.TONGUES]
    if not own or _corrects(draft):
        return True
    explicit = draft.certainty == "explicit"
    if explicit and (
        own[0].tongue != "en" or (draft.temporal == "current" and not _WANTED.search(draft.claim))
    ):
        return True
    least = LEAST if explicit else LEAST_RETOLD
    if own[0].tongue == "en" and worth(draft.claim, own[0].scene, draft.certainty) >= least:
        return True
    return len(spoken) == 1 and draft.certainty != "uncertain" and notable.chance(spoken[0]) >= LEAST


def _is_notable(one: Spoken, turn: Turn, worded: Sequence[Draft]) -> bool:
    """Return True for a sentence that is likely to be looked for later. In the first replies it must be more likely, or
    a rule reads an explicit claim in it."""
    if one.scene.agent:
        return False
    chance = notable.chance(one)
    opening = 0 < len(turn.earlier) < OPENING_TURNS
    explicit = any(draft.certainty == "explicit" and _overlap(draft, one.sentence) for draft in worded)
    return chance >= (LEAST_OPENING if opening and not explicit else LEAST)


def _corrects(draft: Draft) -> bool:
    return draft.phrase or bool(draft.replaces)


def _speaks_alone(draft: Draft, turn: Turn, spoken: Sequence[Spoken]) -> bool:
    """Return True for a trusted claim that needs no quotation: a correction, one of an agent, one that answers nothing,
    and to an agent a plain sentence that is its turn, so that other claims can be held against it."""
    one = spoken[0]
    if _corrects(draft) or one.scene.agent or not turn.replies or _opens(turn):
        return True
    simple = one.tongue == "en" or (draft.certainty == "explicit" and not _CLAUSES.search(one.sentence.text))
    lone = len(spoken) == 1 and one.scene.at_work
    return lone and simple and not _leans(one.tongue, one.sentence.text, one.scene)


def _is_wanted(one: Spoken, turn: Turn, notably: bool, guessed: Sequence[Draft]) -> bool:
    """Return True for a sentence to quote: of a person a notable one, an answer that a rule understood together with
    its question, or a reply with a claim that is worth keeping; of an agent what a rule knows that it did."""
    understood = [draft for draft in guessed if _overlap(draft, one.sentence)]
    if one.scene.agent:
        return bool(understood)
    if notably and (one.tongue != "en" or one.scene.at_work or notable.is_concrete(one)):
        return True
    if one.question and any(draft.certainty == "implied" for draft in understood):
        return True
    return turn.replies and not one.scene.at_work and any(map(_is_worth_keeping, understood))


def _retold_claims(guessed: Sequence[Draft], kept: Sequence[Draft], scene: Scene) -> Iterator[Draft]:
    """Yield the claims that rules made of people's sentences which are not quoted, if they are worth keeping."""
    for one in guessed:
        quoted = any(_share(one, each) for each in kept)
        if not (quoted or scene.at_work) and _is_worth_keeping(one):
            yield one


def _is_worth_keeping(draft: Draft) -> bool:
    """Return True for a claim that a rule made between people, if it is likely to be good."""
    return (draft.confidence or 0) >= (LEAST_INFERRED if draft.certainty == "inferred" else LEAST_RETOLD)


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
    return draft.start < _stop(sentence) and sentence.start < draft.end


def _share(one: Draft, other: Draft) -> bool:
    """Return True for claims of the same words."""
    return one.start < other.end and other.start < one.end


def _is_trusted(draft: Draft, turn: Turn, spoken: Sequence[Spoken], are_notable: Sequence[bool]) -> bool:
    """Return True for a claim of a rule that stays: a correction, a wish to an agent, a statement that answers nothing,
    what an agent did to a technical thing, and a plain sentence that is its turn. The others are quoted if notable.

    On talks that no rule was written for, quotations are right more often: tests/bench/README.md."""
    at = next((at for at, each in enumerate(spoken) if _overlap(draft, each.sentence)), None)
    if at is None or _corrects(draft) or spoken[at].tongue not in notable.TONGUES:
        return True
    if turn.revising is not None and draft.end > turn.revising.start:
        return False
    one, lone, notably = spoken[at], len(spoken) == 1, are_notable[at]
    if one.scene.agent:
        return _is_done(draft, one)
    meant = one.scene.at_work and draft.category not in _STATEMENTS
    if meant and draft.certainty == "explicit":
        return notably or lone or _opens(turn)
    if draft.certainty == "inferred" or one.question:
        return False
    likely = notably or (one.tongue == "en" and worth(draft.claim, one.scene, draft.certainty) >= ENOUGH)
    if turn.replies and not (one.scene.at_work and _opens(turn)):
        likely = likely or (one.scene.at_work and notable.is_concrete(one))
        return lone and likely and _is_plain(draft, one, lone=True)
    if lone:
        return one.scene.at_work or draft.certainty == "explicit"
    return (likely or notable.is_concrete(one)) and (meant or _is_plain(draft, one, lone=False))


def _is_done(draft: Draft, one: Spoken) -> bool:
    """Return True for a claim that an agent did a technical thing: "Iris has deployed 2.4.1 to staging"."""
    whole = one.tongue == "en" and _is_whole(draft.claim) and is_self_contained(draft.claim)
    return whole and notable.signs(one)["technical"] > 0


def _is_plain(draft: Draft, one: Spoken, *, lone: bool) -> bool:
    """Return True for a claim of a sentence that says it outright and needs no other. lone: it is the whole turn."""
    implied = one.scene.at_work and lone and one.tongue == "en" and draft.certainty == "implied"
    if draft.certainty != "explicit" and not implied:
        return False
    named = lone and one.tongue != "en" and not _lacks_antecedent(one.tongue, one.sentence.text)
    return named or not _leans(one.tongue, one.sentence.text, one.scene)


def _opens(turn: Turn) -> bool:
    """Return True for a turn that answers nothing: the one before it only greets or agrees."""
    return not turn.earlier or not _end(turn.earlier[0])


def _quotations(turn: Turn, wanted: Sequence[bool], scene: Scene) -> Iterator[Draft]:
    """Yield quotations of the sentences that are wanted, each with those behind it that fit, up to a last question,
    whose answer is not there."""
    ends = [_stop(each) for _, each in turn.said.sentences]
    quoted = 0
    for at, (_, each) in enumerate(turn.said.sentences):
        if wanted[at] and at >= quoted:
            quoted = max(at + 1, sum(end - each.start < LONGEST for end in ends))
            while quoted > at + 1 and turn.said.sentences[quoted - 1][1].asked:
                quoted -= 1
            yield from _quotation(turn, at, quoted, wanted, scene)


def _quotation(turn: Turn, at: int, end: int, wanted: Sequence[bool], scene: Scene) -> Iterator[Draft]:
    """Yield the quotation of these sentences of a turn, after those before them as far as they fit, and the turns
    before it; none if these do not give them a meaning."""
    sentences = turn.said.sentences
    stop = _stop(sentences[end - 1][1])
    telling = next((n for n in range(at) if not _IDLE.search(sentences[n][1].text)), at)
    opening = next((n for n in range(telling, at) if stop - sentences[n][1].start < LONGEST), at)
    first = sentences[opening][1]
    tongue = sentences[at][0]
    if any(each == "ja" for each, _ in sentences):
        tongue = "ja"  # A sentence without kana looks Chinese.
    said = turn.said.text[first.start : stop + (turn.said.text[stop : stop + 1] in tuple(_ENDS))]
    leans = _leans(tongue, first.text, scene)
    before = [] if opening > telling or (scene.at_work and not leans and _opens(turn)) else _context(turn)
    heard = [each.text for each in before]
    revises = turn.revising is not None and first.start <= turn.revising.start < stop
    introduced = list[Words]()
    if _lacks_antecedent(tongue, said, heard):
        introduced = _introduction(tongue, turn, {each.turn_id for each in before}) if before else []
        if not introduced and not revises:
            return
    if len(said) > LONGEST_SENTENCE or (leans and not before and not revises):
        return
    notables = [each for (_, each), one in zip(sentences[at:end], wanted[at:end], strict=True) if one]
    category, temporal = _reading(
        tongue,
        notables[-1].text if tongue == "ja" else turn.said.text[notables[0].start : _stop(notables[-1])],
    )
    alone = tongue == "en" and said.rstrip(_ENDS) == first.text and not before
    words = Words(turn_id=turn.said.id, speaker=scene.speaker, text=said)
    exchange = Exchange(tongue=tongue, words=(*introduced, *before, words), gap=len(introduced))
    yield Draft(
        claim=(_retold(first.text, scene) if alone else "") or exchange.claim,
        category=category,
        certainty="implied",
        confidence=CONFIDENCE,
        temporal=temporal,
        start=first.start,
        end=stop,
        exchange=exchange,
    )


def _stop(sentence: Sentence) -> int:
    return sentence.start + len(sentence.text)


def _context(turn: Turn) -> list[Words]:
    """Return the words of the turns before one, in order."""
    words = list[Words]()
    for each in turn.earlier[:MOST_BEFORE]:
        letters = sum(len(one.text) * (CJK_WEIGHT if has_han(one.text) else 1) for one in words)
        if len(words) >= TURNS_BEFORE and letters >= ENOUGH_BEFORE:
            break
        if end := _end(each):
            words.append(Words(turn_id=each.id, speaker=each.speaker, text=end))
    return words[::-1]


def _introduction(tongue: str, turn: Turn, quoted: Collection[str]) -> list[Words]:
    """Return the last sentence before the turns quoted that names a person, whom their pronouns may mean."""
    person, _ = _NAMED[tongue]
    for each in turn.earlier:
        for _, sentence in reversed(each.sentences) if each.id not in quoted else ():
            if person.search(sentence.text) and len(sentence.text) <= LONGEST_BEFORE:
                end = _stop(sentence)
                text = each.text[sentence.start : end + (each.text[end : end + 1] in tuple(_ENDS))]
                return [Words(turn_id=each.id, speaker=each.speaker, text=text)]
    return []


def _end(said: Said) -> str:
    """Return the last sentences of a turn that fit, from the first that tells something on; "" if none does."""
    text = said.text.rstrip()
    for _, each in said.sentences:
        idle = _GREETING if each.asked else _REACTION
        tells = not idle.search(each.text) or (not each.asked and len(each.text) >= SHORT_REACTION)
        if tells and not _IDLE.search(each.text) and len(text) - each.start <= LONGEST_BEFORE:
            return text[each.start :]
    return ""


def _lacks_antecedent(tongue: str, said: str, heard: Sequence[str] = ()) -> bool:
    """Return True for words with a pronoun for a person or thing that neither they nor those heard before name."""
    text = " ".join([*heard, said])
    for pronoun, named in zip(_PRONOUNS[tongue], _NAMED[tongue], strict=True):
        first = pronoun.search(text, len(text) - len(said))
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
