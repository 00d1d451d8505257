"""Claims in English sentences: cut them into clauses, read each by its form, retell it in the third person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memdesk.engine.extraction import cues, gazetteer, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.answers import agreement, answered
from memdesk.engine.extraction.clause import (
    Clause,
    Reading,
    clause_of,
    finite_at,
    first_person,
    has_outside_pronoun,
    is_unfinished,
    lower_first,
    possession,
    subject_omitted,
    verb_and_rest,
)
from memdesk.engine.extraction.discourse import Question
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import WORD, Sentence
from memdesk.engine.extraction.lexicon import pattern, word_set, words
from memdesk.engine.extraction.normal_forms import times
from memdesk.engine.extraction.rewriting import (
    clauses,
    closing,
    opening,
    plainer,
    with_apostrophes,
    without_fillers,
)
from memdesk.engine.extraction.self_contained import ASIDE
from memdesk.engine.extraction.third_person import is_finite
from memdesk.engine.extraction.times import has_time
from memdesk.engine.extraction.worth import confidence

_NO_HEAD = w.CHATTER | w.SUBJECTS | w.POSSESSIVES | w.THIRD | w.VAGUE
_LOOSE = w.ADVERBS | word_set("many some so several most these those for with from by to of")
_LINKING = w.BE | w.MODALS
_OPINIONS = w.VAGUE | w.FEELINGS
_SEEMING = word_set("looks look looked seems sounds feels")
_BEFORE_OPINION = word_set("a an the be such")
_OBJECT_OPENS = word_set("a an the my our this that it some out up your their him her them all")
_NOT_YET = word_set("can could would should will i'll we'll might may if let once need")


def named(clause: Clause) -> Reading | None:
    """Read a clause about a named person or thing: "Ana works at Siemens", "PgBouncer runs in transaction
    mode". Between people, somebody whom neither of them is linked to is one of a film or a story."""
    subject = clause.subject.removesuffix("'s")
    if subject not in clause.scene.names or _ADDRESSED.match(clause.text):
        return None
    scene = clause.scene
    known = scene.at_work or subject in scene.called | scene.discourse.acquaintances
    if not known and not _FIRST & set(clause.words):
        return None
    verb_at = finite_at(clause.words, clause.lead + 1)
    predicate = clause.words[verb_at:]
    bare = clause.content(predicate[1:]) < 1 and not has_time(clause.text)
    if not verb_at or bare or _judges(predicate):
        return None
    return Reading(text=clause.text, certainty="implied", tense=third_person.tense_of(predicate[0], ""))


def impersonal(clause: Clause, *, requested: bool) -> Reading | None:
    """Read a clause without a person as subject: "The staging database listens on 5433", "Painting helps me
    relax".

    It must be related to the speaker, asked to be remembered, written to an agent, or contain a name or
    number."""
    words = clause.words
    if clause.lead or (not requested and not _may_open(words[0], clause)):
        return None
    if _ADDRESSED.match(clause.text) or not (requested or clause.scene.at_work or _FIRST & set(words)):
        return None
    if (
        "," in clause.text[: clause.text.find(" ")]
        or (words[0] in w.VERBS and not clause.scene.at_work and len(words) > 1 and words[1] in _OBJECT_OPENS)
        or _REDUCED.match(clause.text)
        or _GERUND_ALONE.match(clause.text)
        or _ORDER.match(clause.text)
    ):
        return None
    verb_at = finite_at(words, 1)
    bound = bool({"me", "my", "our"} & set(words[1:]))
    if not (
        bound
        or requested
        or clause.scene.at_work
        or clause.named()
        or times(clause.text)
        or has_time(clause.text)
    ):
        return None
    if not verb_at or words[verb_at - 1] == "to" or _judges(words[verb_at:]):
        return None
    if not _informative_enough(clause, bound=bound or requested) or has_outside_pronoun(clause):
        return None
    return Reading(text=clause.text, certainty="implied", tense=third_person.tense_of(words[verb_at], ""))


_FIRST = w.SUBJECTS | w.POSSESSIVES | word_set("me us mine ours")
_ADDRESSED = re.compile(r"[^,]{1,40}, (?:I|[Ww]e)(?:'\w+)? ")
"""Somebody addressed, or a fragment, before the clause proper: "Alex, I am late"."""
_ORDER = pattern("english", "order")
"""Order of the moment: "Move the review to tomorrow"."""
_GERUND_ALONE = pattern("english", "gerund_alone")
"""Activity without its verb: "waking up because my dad was singing"."""
_REDUCED = pattern("english", "reduced")
"""Noun with its attribute and no verb: "a thriller set in Rome"."""


def _may_open(word: str, clause: Clause) -> bool:
    """Return True for a first word that can begin a statement about a thing."""
    if word in ("someone", "somebody") and has_time(clause.text):
        return True
    return word not in _NO_HEAD and (clause.scene.at_work or word not in _LOOSE)


def _informative_enough(clause: Clause, *, bound: bool) -> bool:
    """Return True if enough words are informative: fewer are needed in a request to an agent or about the
    speaker."""
    telling = clause.content(clause.words) + has_time(clause.text)
    if clause.scene.at_work:
        said = sum(word not in w.FUNCTION for word in clause.words)
        return telling >= 1 and (said >= 3 or (said == 2 and (clause.named() or bool(times(clause.text)))))
    return telling >= (2 if bound and clause.words[0] != "the" else 3)


def _judges(predicate: list[str]) -> bool:
    """Return True for "is so cool" and "can be tough": an opinion of the moment."""
    if predicate[0] in _SEEMING:
        return True
    said = [
        word for word in predicate[1:] if not third_person.is_adverb(word) and word not in _BEFORE_OPINION
    ]
    return predicate[0] in _LINKING and bool(said) and said[0] in _OPINIONS and said[0] != "moving"


def outcome(clause: Clause) -> Reading | None:
    """Read the outcome that an agent reports of its work. Offers, plans and explanations are not outcomes."""
    words = clause.words
    if not cues.OUTCOME.search(clause.text) or _NOT_YET & set(words) or words[0].isdigit():
        return None
    if clause.content(words) < 3 or has_outside_pronoun(clause):
        return None
    if clause.subject in w.SUBJECTS:
        return Reading(text=clause.text, tense="past")
    if third_person.is_past(words[0]) or words[0] in w.SAME_PAST:
        return Reading(text=f"I {lower_first(clause.text)}", tense="past")
    states = finite_at(words, 1) and words[0] not in w.CHATTER
    return Reading(text=clause.text, tense="past") if states else None


SHORTEST, LONGEST = 12, 240
"""Characters of a claim: less says nothing alone, more is no single claim."""


_DIRECTIVE = pattern("english", "directive")
_FROM_NOW = re.compile(r"^(?:from now on|in (?:the )?future|going forward|by default),? ", re.IGNORECASE)
_PLEASE = re.compile(r"^please ", re.IGNORECASE)
_STANDING = pattern("english", "standing")
"""Imperatives that may be standing orders."""
_LASTS = pattern("english", "lasts")
"""Words that make an order lasting."""
_INDIRECT = (
    (re.compile(r"(^|(?:\band|,) )(?:don't|do not) ", re.IGNORECASE), r"\1not to "),
    (re.compile(r"(^|(?:\band|,) )never ", re.IGNORECASE), r"\1never to "),
    (re.compile(r"(^|(?:\band|,) )(always|only|avoid|make sure|ensure) ", re.IGNORECASE), r"\1to \2 "),
)
"""Patterns that turn an order into reported speech: "don't use tabs" becomes "not to use tabs"."""
_SOFT_ORDERS = words("english", "soft_orders")
_ACTS = re.compile(rf" (?:ever )?(?:{w.alternatives(w.VERBS)})\b")
"""Verb of an order with "only": "only the release manager does" is none."""
_DECISION = pattern("english", "decision")
_GOING_WITH = re.compile(r"(?:going|sticking|settled) (?:with|on) ", re.IGNORECASE)


def decision(clause: Clause) -> Reading | None:
    """Read a decision: "Let's use WireGuard", "Decision: keep Postgres", "Going with Stripe"."""
    match = _DECISION.match(clause.text)
    if match and clause.content(clause.words[1:]) >= 1 and (clause.scene.at_work or clause.named()):
        rest = clause.text[match.end() :]
        head = WORD.match(rest)
        first = head.group().lower() if head else ""
        if first in ("i", "we"):
            text = rest
        else:
            text = f"I decided to {lower_first(rest)}" if first in w.VERBS else f"I decided on {rest}"
        return Reading(text=text, category="decision", tense="past")
    if _GOING_WITH.match(clause.text) and clause.content(clause.words) >= 1:
        return Reading(text=f"I am {lower_first(clause.text)}", category="decision", tense="present")
    return None


def directive(clause: Clause) -> Reading | None:
    """Read a standing order of a person to an agent: "Never push to main", "Use tabs in this repo"."""
    if not clause.scene.at_work:
        return None
    if _STANDING.match(clause.text) and _LASTS.search(clause.text) and clause.content(clause.words) >= 1:
        order = lower_first(_FROM_NOW.sub("", clause.text))
        return Reading(text=f"I asked to {order}", category="constraint", tense="present")
    match = _DIRECTIVE.match(clause.text)
    if not match or (match.group().lower().endswith("only") and not _ACTS.match(clause.text, match.end())):
        return None
    if verb_and_rest(clause.words)[0] in _SOFT_ORDERS or clause.content(clause.words) < (
        1 if len(clause.words) >= 4 else 2
    ):
        return None
    order = lower_first(_PLEASE.sub("", clause.text))
    for form, indirect in _INDIRECT:
        order = form.sub(indirect, order)
    return Reading(text=f"I asked {order}", category="constraint", tense="present")


_FORMS: tuple[Callable[[Clause], Reading | None], ...] = (
    decision,
    directive,
    first_person,
    possession,
    named,
    subject_omitted,
)
_REMINDED = pattern("english", "reminded")
_ANNOUNCED = pattern("english", "announced")
"""Words before what is announced: "I'm excited to tell you that I …"."""
_ASIDE = pattern("english", "aside")
"""Question after a statement: "I finished the vase - want to see it?"."""
_TAG = pattern("english", "tag")
"""Question at the end of a statement: "I started in January, did I tell you?"."""
_PASSED_ON = pattern("english", "passed_on")
_ASKING = pattern("english", "asking")
_CALLED = re.compile(r"(?P<label>.{3,40}?) is (?:called|named) (?P<name>[A-Z][\w-]+)")
_NAME_IS = re.compile(r"(?P<label>.{3,40}?)'s name(?:'s| is) (?P<name>[A-Z][\w-]+)")
_RELATIVE = pattern("english", "relative", flags=0)
"""Thing with a clause about it: "this book I read last year"."""
_ANY_THING = words("english", "any_thing")
_PENDING = pattern("english", "pending", flags=0)
_COMPLEMENT = re.compile(r"(?:to|of|on|in|at) [^,;]+", re.IGNORECASE)


_RECALLED = pattern("english", "recalled")


def claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claims of one sentence, in order. Questions, greetings and suppositions make none."""
    text = sentence.text
    recalled = _RECALLED.match(text)
    if recalled:
        rest = text[recalled.end() :]
        sentence = Sentence(start=sentence.start + recalled.end(), text=rest, asked=False)
        text = rest
    tag = _TAG.search(text) or _ASIDE.search(text) if sentence.asked else None
    if tag and len(WORD.findall(text[: tag.start()])) > 3 and not _ASKING.match(text):
        sentence = Sentence(start=sentence.start, text=text[: tag.start()], asked=False)
        text = sentence.text
    behind = _REMINDED.search(text)
    if len(text) >= SHORTEST // 2 and (behind or not sentence.asked):
        start = opening(text, 0, scene.called)
        request = cues.REMEMBER.match(text, start)
        stop = behind.start() if behind else len(text)
        for begin, end in clauses(
            text, request.end() if request else start, stop, comments=not scene.at_work
        ):
            opens = begin == start
            if not opens:
                scene.discourse.note(text[start:begin], scene.speaker, scene.partner, things=False)
            yield from _claim(sentence, begin, end, scene, requested=bool(request or behind), opens=opens)


def relatives(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claim in a relative clause of the speaker: "this book I read last year" gives "I read a book"."""
    for match in () if sentence.asked or scene.agent else _RELATIVE.finditer(sentence.text):
        if not third_person.is_past(match["verb"]) and match["verb"] not in w.SAME_PAST:
            continue
        plural = match["thing"].endswith("s") and not match["thing"].endswith("ss")
        article = "" if plural else "an " if match["thing"][0] in "aeiou" else "a "
        rest = match["rest"].rstrip()
        said = f"{match['who']} {match['verb']}{match['to'] or ''} {article}{match['thing']}{rest}"
        if (
            match["thing"] not in _ANY_THING
            and match["thing"].split()[-1] not in w.VAGUE | w.FUNCTION
            and has_time(said)
        ):
            yield from _draft(said, sentence, match.start(), match.end(), scene, certainty="implied")


_SUBORDINATE = pattern("english", "subordinate")


_LAST_TIME = pattern("english", "last_time", flags=0)
"""Time of a main clause, which its subordinate clause shares: "was nervous last week when I shared my book"."""
_RECENTLY = re.compile(r"\b(?:recently|for the first time|as a (?:kid|child|teenager))\b", re.IGNORECASE)


def subordinate(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claim of a dated or named subordinate clause whose main clause makes none: "since I left Door Dash"."""
    if sentence.asked or scene.agent or scene.at_work:
        return
    for match in _SUBORDINATE.finditer(sentence.text):
        end = sentence.text.find(",", match.end())
        end = closing(sentence.text, match.end(), end if end > 0 else len(sentence.text), scene.called)
        end = match.end() + _first_clause(sentence.text[match.end() : end])
        said = sentence.text[match.end() : end]
        clause = clause_of(said, scene, opens=False) if SHORTEST <= len(said) <= LONGEST else None
        when = _LAST_TIME.search(sentence.text[: match.start()])
        if clause is not None and when and not has_time(said):
            said = f"{said} {when.group('when')}"
        if clause is not None and (has_time(said) or clause.named() or _RECENTLY.search(said)):
            yield from _draft(said, sentence, match.end(), end, scene, certainty="implied")


_NEXT_SUBJECT = re.compile(r"(?P<word>[\w'-]+) (?=(?:I|[Ww]e|my|our|they|she|he|it|you)(?:'\w+)? )")


def _first_clause(text: str) -> int:
    """Return the length of the clause at the start of a text: "I was little my parents took me" has one"
    " of 12 letters."""
    for match in _NEXT_SUBJECT.finditer(text, 4):
        word = match["word"].lower()
        if word not in w.FUNCTION and not is_finite(word) and not word.endswith(("ing", "ed")):
            return match.end("word")
    return len(text)


def completed(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claim that a fragment completes: "I'm allergic" and, a turn later, "To anything with fur"."""
    if scene.pending is None or scene.discourse.turn - scene.pending[1] > 3:
        return
    fragment = _COMPLEMENT.match(sentence.text)
    if fragment and len(WORD.findall(sentence.text)) <= 8:
        said = f"{scene.pending[0]} {lower_first(fragment.group())}"
        scene.pending = None
        yield from _draft(said, sentence, 0, fragment.end(), scene, certainty="implied")


def reply(asked: Question, sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claim that a question and the sentence after it make together: "How old is she?" "Nine"."""
    start = opening(sentence.text, 0, scene.called)
    text = with_apostrophes(sentence.text)
    said = answered(asked, text[start:] or text, scene.discourse, scene.speaker) or answered(
        asked, text, scene.discourse, scene.speaker
    )
    if said is None:
        return
    end = agreement(sentence.text) or len(sentence.text)
    yield from _draft(said, sentence, 0, end, scene, certainty="implied", answer=True)


def _claim(
    sentence: Sentence, begin: int, end: int, scene: Scene, *, requested: bool, opens: bool
) -> Iterator[Draft]:
    begin = opening(sentence.text, begin, scene.called)
    lead = _PASSED_ON.match(sentence.text, begin, end) or _ANNOUNCED.match(sentence.text, begin, end)
    begin = lead.end() if lead else begin
    end = closing(sentence.text, begin, end, scene.called)
    drafts: list[Draft] = []
    if SHORTEST // 2 <= end - begin <= LONGEST:
        drafts = list(
            _draft(sentence.text[begin:end], sentence, begin, end, scene, requested=requested, opens=opens)
        )
    whole = scene.at_work or scene.agent or requested or drafts
    yield from drafts or (() if whole else _head(sentence, begin, end, scene, opens=opens))


_JOINT = re.compile(
    r",? (?:and|but|so|because|while|when|where|which|who|as|since|though|although|until|after|before) |[,;] "
)
_BINDING = re.compile(r"\b(?:if|unless|whether|or|than|wish|hope)\b|\bnot only\b", re.IGNORECASE)
"""Words that tie a part of a clause to the rest of it."""


def _head(sentence: Sentence, begin: int, end: int, scene: Scene, *, opens: bool) -> Iterator[Draft]:
    """Yield the claim of the longest first part of a clause that can be understood without the rest: "I'm a nurse" of
    "I'm a nurse, been doing it for years"."""
    if _BINDING.search(sentence.text, begin, end):
        return
    for joint in reversed(list(_JOINT.finditer(sentence.text, begin + SHORTEST // 2, end))):
        stop = joint.start()
        if stop - begin <= LONGEST:
            body = sentence.text[begin:stop]
            drafts = list(_draft(body, sentence, begin, stop, scene, opens=opens, certainty="implied"))
            if drafts:
                yield from drafts
                return


def _draft(
    body: str,
    sentence: Sentence,
    begin: int,
    end: int,
    scene: Scene,
    *,
    requested: bool = False,
    opens: bool = True,
    certainty: str | None = None,
    answer: bool = False,
) -> Iterator[Draft]:
    """Yield the claim of a clause whose quote is between those offsets, if it is complete and worth keeping."""
    body = plainer(body, scene)
    if " of " in body and _SOME_OF_US.search(body):
        return
    resolved = scene.discourse.resolve(body, scene.speaker, at_work=scene.at_work)
    if resolved and (own := _NAME_IS.match(resolved[0])):
        resolved = (f"{own['label']} is called {own['name']}", resolved[1])
    reading = _read(resolved[0], scene, requested=requested, opens=opens) if resolved else None
    if reading is None or resolved is None:
        return
    named = _CALLED.match(resolved[0]) or _NAME_IS.match(resolved[0])
    if named:
        scene.discourse.rename(named["label"], named["name"])
    if _PENDING.search(reading.text) and scene.speaker not in reading.text:
        scene.pending = (reading.text, scene.discourse.turn)
    retold = third_person.in_third_person(reading.text, speaker=scene.speaker, partner=scene.partner)
    claim = _without_aside(without_fillers(_as_written(retold.text, reading.text)), scene)
    claim = _TRAILING.sub("", claim.replace('"', "") if claim.count('"') % 2 else claim)
    tense = reading.tense or retold.tense
    certain = certainty or ("inferred" if resolved[1] else reading.certainty)
    sound = retold.sound and SHORTEST <= len(claim) <= LONGEST
    chance = confidence(claim, scene, certain, answer=answer) if sound and not requested else 1.0
    if sound and chance:
        certain = _certainty(certain, body, scene, requested=requested)
        by_words = requested or scene.at_work or scene.agent or certain == "uncertain"
        yield Draft(
            claim=claim,
            category=reading.category or cues.category(claim, tense=tense),
            certainty=certain,
            confidence=None if by_words else chance,
            temporal=cues.temporal(claim, tense=tense),
            start=sentence.start + begin,
            end=sentence.start + end,
        )


_SOME_OF_US = pattern("english", "some_of_us")
"""Part of a group that no speaker represents alone."""
_TRAILING = pattern("english", "trailing", flags=0)
"""End of a claim that begins another clause and does not finish it."""


def _read(body: str, scene: Scene, *, requested: bool, opens: bool) -> Reading | None:
    """Return the reading of the first form that matches the clause; None if it makes no claim."""
    clause = clause_of(body, scene, opens=opens)
    if clause is None:
        return None
    if scene.agent:
        return outcome(clause)
    if is_unfinished(clause):
        return None
    for form in _FORMS:
        reading = form(clause)
        if reading is not None:
            return None if has_outside_pronoun(clause) else reading
    return impersonal(clause, requested=requested and scene.at_work)


def _without_aside(claim: str, scene: Scene) -> str:
    """Return the claim of a speaker without a place or time that another sentence names: "At the event, Ann met …"."""
    aside = ASIDE.match(claim)
    return claim[aside.end() :] if aside and claim.startswith(scene.speaker, aside.end()) else claim


def _as_written(claim: str, source: str) -> str:
    """Return the claim, starting in lower case if its first word is a name written so: pnpm, restic."""
    head = WORD.match(claim)
    known = gazetteer.KNOWN.get(head.group().lower()) if head else None
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
