"""Claims in English sentences: cut them into clauses, read each by its form, retell it in the third person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memdesk.engine.extraction import cues, gazetteer, third_person
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.answers import answered
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
from memdesk.engine.extraction.lexicon import word_set, words
from memdesk.engine.extraction.normal_forms import times
from memdesk.engine.extraction.third_person import is_finite
from memdesk.engine.extraction.times import has_time
from memdesk.engine.extraction.worth import ENOUGH, ENOUGH_AT_WORK, is_passing, points_outside, worth

_STOP = re.compile(r"\s*[,.!:;~\-–—…]*\s*")
_OWN = w.SUBJECTS | w.POSSESSIVES
_GREETING = word_set("hey hi hello thanks thx congrats congratulations wow dear bye")
_PHRASE = re.compile(
    r"(?:by the way|you know(?: what)?|i mean|to be honest|to be fair|guess what|in fact|of course|for sure|for me"
    r"|no worries|long time no (?:see|talk|chat)|as for me|as you know|like i said|no way|oh my (?:god|gosh)"
    r"|on another note|in other news|just so you know|quick (?:note|update)|one more thing|good (?:morning"
    r"|afternoon|evening|news)|as (?:always|usual)|all in all|on top of that|at the end of the day|not gonna lie"
    r"|thank you(?: so much)?|thanks (?:a lot|so much|again)|for context|some context|for now|to clarify"
    r"|let me correct that|that's wrong|scratch that|no problem|besides that|before that|other than that"
    r"|apart from that|aside from that|after that|since then|because of that|with that said|that said"
    r"|that being said|since (?:we|our|the|i|you)\b[^,.]{0,24}?\b(?:talked|chatted|spoke|met|chat|time|conversation"
    r"|saw you|seen you)(?: last)?)\b[,:!.\s-]*",
    re.IGNORECASE,
)
_LAST = re.compile(r"([,\s])\s*([A-Za-z']+(?: [A-Za-z']+)?)[\s,.!~]*$")
_TAGS = word_set(
    """
    too lol haha though btw man buddy right thanks dude bro guys huh eh yeah please as-well you-know
    thank-you of-course for-sure so-far cheers i-think i-guess
    """
)
_SEAM = re.compile(
    r"\s*(?:--+|—)\s*|\s[-–]\s+|(?<=[A-Za-z])-\s+|\s*\.\.+\s*|(?:,\s*(?:and|but|so|plus)\s+|\s+(?:and|but"
    r"|so)\s+)(?=(?:I|[Ww]e|[Mm]y|[Oo]ur)(?:'\w+)?\s)|,\s+(?=(?:I|[Ww]e)(?:'\w+)?\s)"
    r"|,\s+(?=(?:my|our) (?:[\w'-]+ ){1,2}(?:is|was|are|were|has|have|had|just|also|broke|got|went|came|left|fell|lost|won|[a-z]+ed)\b)"
    r"|,?\s+(?:because|'cause|cause|cuz)\s+(?=(?:I|my|our|we)\b)|\s+when\s+(?=(?:my|our) )|,\s+since\s+(?=I\b)|\s+now that\s+(?=I)"
)
_COMMENT = re.compile(
    r"(?:\s*,\s*(?:(?:and|but|so|plus)\s+)?|\s+(?:and|but|so)\s+)(?:it|that|this|they)(?:'s|'re|'ll| was| were| is"
    r"| are| had| has| really| made| makes| felt| feels| helped| helps| gives| gave| means| meant| went| looks"
    r"| turned| reminds| keeps| brought| loved| all)\b|(?:\s*,\s*(?:(?:and|but|so)\s+)?|\s+(?:and|but|so)\s+)(?:he"
    r"|she)(?:'s| is| was)(?: so| really| very| doing| all| just| the)? (?:fine|ok|okay|great|good|happy|adorable"
    r"|sweet|cute|amazing|awesome|well|better|best)\b|\s*,\s*(?:and |but |so )?(?:there's|you(?:'d|'ll|'re| should"
    r"| would| can| know| will| might))\b|\s*,?\s+(?:if|in case|when(?:ever)?|whether) you\b|\s*,\s*(?:so|such|what|how|really|super|which (?:was|is|made|makes|felt"
    r"|has been|means)|hope|can't wait|take a look|check|thanks|y'know)\b",
    re.IGNORECASE,
)
_DASH = re.compile("[-–—.]")
_SHORTEST_HEAD = 12


def opening(text: str, start: int, called: frozenset[str]) -> int:
    """Return the offset at which the sentence proper begins: after interjections, connectives and names
    addressed.

    called: names in lower case that may be addressed."""
    at, greeted = start, False
    while True:
        phrase = _PHRASE.match(text, at)
        if phrase:
            at = phrase.end()
            continue
        word = WORD.match(text, at)
        if not word:
            return _skip_marks(text, at)
        stop = _STOP.match(text, word.end())
        assert stop is not None
        small, marked = word.group().lower(), bool(stop.group().strip())
        if not _droppable(small, marked, greeted, called, text, stop.end()):
            return at
        greeted = small in _GREETING
        at = stop.end()


def _skip_marks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " ,.!:;-–—*_~…)]\"'":
        at += 1
    return at


def _droppable(
    small: str, marked: bool, greeted: bool, called: frozenset[str], text: str, after: int
) -> bool:
    if small in called:
        return marked or greeted
    if small not in w.OPENERS:
        return False
    if small not in w.COMMA_OPENERS or marked:
        return True
    following = WORD.match(text, after)
    return following is not None and following.group().lower() in _OWN


def closing(text: str, start: int, end: int, called: frozenset[str]) -> int:
    """Return the offset at which the sentence proper ends: before tags, laughter and names addressed."""
    while end > start:
        end = start + len(text[start:end].rstrip(" ,;:-–—~*_…!."))
        last = _LAST.search(text, max(start, end - 40), end)
        if not last:
            return end
        words = last.group(2).lower().split()
        if "-".join(words) in _TAGS or (last.group(1) == "," and words[-1] in called and len(words) == 1):
            end = last.start()
        elif words[-1] in _TAGS and len(words) == 2:
            end = last.start(2) + len(words[0])
        else:
            return end
    return end


def clauses(text: str, start: int, end: int, *, comments: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the offsets of clauses: split at dashes and before a new "I"; comments: also leave out those that
    state something of a thing."""
    for seam in _SEAM.finditer(text, start, end):
        head = text[start : seam.start()]
        if _DASH.search(seam.group()) or _has_verb(head) or _SHORT_ANSWER.match(head):
            yield from _without_comment(text, start, seam.start(), comments=comments)
            start = seam.end()
    yield from _without_comment(text, start, end, comments=comments)


_SHORT_ANSWER = re.compile(
    r"(?:I|we) (?:can't|can|do|don't|did|didn't|know|will|won't|am|was|have|haven't|would|wouldn't|love to|wish)$",
    re.IGNORECASE,
)


def _has_verb(head: str) -> bool:
    """Return True if the words before "and I" contain a verb, unlike "My sister and I"."""
    return len(head) >= _SHORTEST_HEAD and any(is_finite(m.group().lower()) for m in WORD.finditer(head))


_FACTUAL = re.compile(
    r",? (?:and|but) (?:it|they) (?:has|have|runs?|uses?|needs?|listens?|lives?|costs?|must|is (?:on|in|at)|are (?:on|in|at))\b",
    re.IGNORECASE,
)


def _without_comment(text: str, start: int, end: int, *, comments: bool) -> Iterator[tuple[int, int]]:
    comment = _COMMENT.search(text, start + _SHORTEST_HEAD, end)
    if comment and not comments and _FACTUAL.match(text, comment.start(), end):
        comment = None
    if comment:
        end = comment.start()
    if end > start:
        yield start, end


_DIRECTIVE = re.compile(
    r"(?:(?:from now on|in (?:the )?future|going forward|by default),? )?(?:never|always|don't|do not|only|avoid"
    r"|make sure|ensure)\b",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(r"^(?:from now on|in (?:the )?future|going forward|by default),? ", re.IGNORECASE)
_STANDING = re.compile(
    r"(?:(?:from now on|in (?:the )?future|going forward|by default),? )?(?:use|keep|put|write|name|answer|reply|respond|call|format|store|prefer|stick to|ask|run|save|log|treat|sign|address|start|end|add|check|send|tag|commit|document|mark|sort|round|show|speak)\b",
    re.IGNORECASE,
)
"""Imperatives that may be standing orders."""
_LASTS = re.compile(
    r"\bin (?:this|the) (?:repo|project|codebase|team)|\bfor (?:this|the) (?:repo|project)|, not\b|\bfrom now on\b|\bgoing forward\b|\bin (?:the )?future\b|\bby default\b|\bwhenever\b|\bevery\b|\beach\b|\b(?:before|when|after|unless) you\b|\binstead of\b|\beverywhere\b|\balways\b|\bfor all\b",
    re.IGNORECASE,
)
"""Words that make an order lasting."""
_INDIRECT = (
    (re.compile(r"(^|(?:\band|,) )(?:don't|do not) ", re.IGNORECASE), r"\1not to "),
    (re.compile(r"(^|(?:\band|,) )never ", re.IGNORECASE), r"\1never to "),
    (re.compile(r"(^|(?:\band|,) )(always|only|avoid|make sure|ensure) ", re.IGNORECASE), r"\1to \2 "),
)
"""Patterns that turn an order into reported speech: "don't use tabs" becomes "not to use tabs"."""
_SOFT_ORDERS = word_set(
    """
    worry give forget hesitate stop quit let be lose miss sweat mention think know get feel try look keep
    care mind even remember wait see mean understand have go
    """
)
_DECISION = re.compile(
    r"(?:final |my |our )?decision:\s*|let's (?=(?:go|use|stick|switch|keep|call|settle|move|drop|adopt)\b)",
    re.IGNORECASE,
)
_GOING_WITH = re.compile(r"(?:going|sticking|settled) (?:with|on) ", re.IGNORECASE)
_NO_HEAD = w.CHATTER | w.SUBJECTS | w.POSSESSIVES | w.THIRD | w.VAGUE
_LOOSE = w.ADVERBS | word_set("many some so several most these those for with from by to of")
_LINKING = w.BE | w.MODALS
_OPINIONS = w.VAGUE | w.FEELINGS
_SEEMING = word_set("looks look looked seems sounds feels")
_BEFORE_OPINION = word_set("a an the be such")
_NOT_YET = word_set("can could would should will i'll we'll might may if let once need")


def decision(clause: Clause) -> Reading | None:
    """Read a decision: "Let's use WireGuard", "Decision: keep Postgres", "Going with Stripe"."""
    match = _DECISION.match(clause.text)
    if match and clause.content(clause.words[1:]) >= 1 and (clause.scene.at_work or clause.named()):
        rest = clause.text[match.end() :]
        head = WORD.match(rest)
        verbal = head is not None and head.group().lower() in w.VERBS
        text = f"I decided to {lower_first(rest)}" if verbal else f"I decided on {rest}"
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
    if not _DIRECTIVE.match(clause.text):
        return None
    if verb_and_rest(clause.words)[0] in _SOFT_ORDERS or clause.content(clause.words) < (
        1 if len(clause.words) >= 4 else 2
    ):
        return None
    order = lower_first(clause.text)
    for pattern, indirect in _INDIRECT:
        order = pattern.sub(indirect, order)
    return Reading(text=f"I asked {order}", category="constraint", tense="present")


def named(clause: Clause) -> Reading | None:
    """Read a clause about a named person or thing: "Ana works at Siemens", "PgBouncer runs in transaction
    mode"."""
    if clause.subject.removesuffix("'s") not in clause.scene.names:
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
    if "," in clause.text[: clause.text.find(" ")]:
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


def _may_open(word: str, clause: Clause) -> bool:
    """Return True for a first word that can begin a statement about a thing."""
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
    if not cues.OUTCOME.search(clause.text) or _NOT_YET & set(words):
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

_FORMS: tuple[Callable[[Clause], Reading | None], ...] = (
    decision,
    directive,
    first_person,
    possession,
    named,
    subject_omitted,
)
_REMINDED = re.compile(
    r",? (?:so |and )?(?:please )?(?:remember(?: that| this| it)?|don't forget(?: that| it)?|note that"
    r"|keep that in mind)$",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"(?:(?:I'm|I am|I was|we're|we are) (?:\w+ )?(?:\w+ )?to (?:tell you|say|share|announce|report)|I (?:wanted|want|need|have|had|gotta|wanna|just wanted) to (?:tell you|say|share|let you know)"
    r"|(?:I )?(?:can't|can not) believe|I (?:also )?(?:realized|found out|learned|noticed|remember|forgot to (?:tell you|mention))|(?:did I|have I) (?:tell|told|mention(?:ed)?)(?: you)?|turns out|it turns out|it's true|(?:the )?(?:good|bad|great|big) news(?: is)?|you know|I (?:think|guess) I (?:told|mentioned)(?: you)?) (?:that )?(?=(?:I|my|our|we)\b)",
    re.IGNORECASE,
)
"""Words before what is announced: "I'm excited to tell you that I …"."""
_STORY = re.compile(
    r"\b(?P<verb>adopted|met|found|saw|know|have|had|got|joined|discovered|tried|hit|visited) (?:this|these) (?=(?:[a-z][\w-]+ ){1,3})",
    re.IGNORECASE,
)
_MADE_THIS = re.compile(
    r"\b(?P<verb>made|baked|painted|built|bought|wrote|took|cooked|drew|finished|went to) (?:this|that) (?=[a-z])"
)
_DISLOCATED = re.compile(r"^(?P<who>[A-Z][a-z]+(?: [A-Z][a-z]+)?), (?:she|he|it)(?:'s| is) ")
_FOUND = re.compile(
    r"^you(?:'ll| can| will)? find (?P<what>(?:the|our|my|all) [^,]{3,40}?) (?=(?:in|at|on|under)\b)",
    re.IGNORECASE,
)
_BY_THIS = re.compile(
    r"\b(?P<word>by|with|from|into|met|called) this (?=(?:amazing|great|cool|really|awesome|nice|super|incredible|old|new|young|local|little|big|wonderful|lovely|sweet|famous) )",
    re.IGNORECASE,
)
_PHOTO = re.compile(r"\bthis (?=(?:pic|picture|photo|snap|shot)\b)", re.IGNORECASE)
_TAG = re.compile(
    r",? (?:(?:did|do|have|haven't|didn't|don't) (?:I|you) (?:tell you|mention|know|remember|say)(?: that| it)?|remember|right|you know|isn't it|don't you think|ok(?:ay)?)$",
    re.IGNORECASE,
)
"""Question at the end of a statement: "I started in January, did I tell you?"."""
_PASSED_ON = re.compile(
    r"(?:please )?(?:tell|ask|remind) (?:him|her|them|[A-Z][a-z]+) (?:that )?(?=(?:I|my|we|our)\b)",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    r"\b(?:allergic|afraid|used|addicted|scared|keen|fond|aware|capable|similar|able|married|born|supposed|trying|planning|"
    r"going|ever since|the same|like|called|named)$",
    re.IGNORECASE,
)
"""Words that need a complement: "allergic" to what?"""
_ASKING = re.compile(
    r"(?:do|does|did|are|is|was|were|have|has|can|could|would|will|should|what|how|where|when|who|why|which|any)\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?P<label>.{3,40}?) is (?:called|named) (?P<name>[A-Z][\w-]+)")
_NAME_IS = re.compile(r"(?P<label>.{3,40}?)'s name(?:'s| is) (?P<name>[A-Z][\w-]+)")
_BARE_KIN = re.compile(
    r"(?<!my )(?<!your )(?<!our )(?<!'s )(?<!her )(?<!his )\b(?:Dad|Mum|Mom|Mama|Grandma|Grandpa|Granny|Nana|Daddy|Mommy)(?='s|\b)(?! [A-Z])"
)
_NAMED_IS = re.compile(
    r"^(?P<who>[A-Z][a-z]+)'s (?=(?:\w{3,}ing|an?|in|at|from|not|also|still|now|always|on)\b)"
)
_AND_I = re.compile(r"^(?P<who>[A-Z][a-z]+(?:,? [A-Z][a-z]+)*) and I\b")
_RELATIVE = re.compile(
    r"\b(?P<article>(?i:this|these|that|those|an?|the|some)) (?P<thing>(?:[a-z][\w'-]+ ){0,2}?[a-z][\w'-]+) (?:that |which )?(?P<who>I|we) (?:just |recently |also )?(?P<verb>[a-z]+)(?P<to> (?:to|at|in|on|with|for|up|from|into))?"
    r"(?= (?:yesterday|last|a few|two|three|\d+|on|in|when|for|as|with|from|at)\b|$|[,.!])(?P<rest>[^,.!;]{0,60}?)(?= (?:was|is|were|are|reminds?|really|made|makes|has|helped|brings?|gave|and)\b|$|[,.!;])"
)
"""Thing with a clause about it: "this book I read last year"."""
_ANY_THING = word_set(
    "book movie film song show trip pic photo picture game class place one video event story post dish"
)
_BARE = re.compile(r"[A-Z]\w+ (?:is|are) [A-Z]\w+")
_PENDING = re.compile(
    r"\b(?:allergic|afraid|scared|keen|fond|addicted|a (?:big |huge )?fan|interested|good|bad)$"
)
_COMPLEMENT = re.compile(r"(?:to|of|on|in|at) [^,;]+", re.IGNORECASE)
_MEASURED = re.compile(r"\b(?:takes?|took) (?:[\w.]+ ){1,3}(?:seconds|minutes|ms|milliseconds)\b")
_TROUBLE = words("english", "trouble")


def claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claims of one sentence, in order. Questions, greetings and suppositions make none."""
    text = sentence.text
    tag = _TAG.search(text) if sentence.asked else None
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
    said = answered(
        asked, sentence.text[start:] or sentence.text, scene.discourse, scene.speaker
    ) or answered(asked, sentence.text, scene.discourse, scene.speaker)
    if said is None:
        return
    yield from _draft(said, sentence, 0, len(sentence.text), scene, certainty="implied")


def _claim(
    sentence: Sentence, begin: int, end: int, scene: Scene, *, requested: bool, opens: bool
) -> Iterator[Draft]:
    begin = opening(sentence.text, begin, scene.called)
    lead = _PASSED_ON.match(sentence.text, begin, end) or _ANNOUNCED.match(sentence.text, begin, end)
    begin = lead.end() if lead else begin
    end = closing(sentence.text, begin, end, scene.called)
    body = sentence.text[begin:end]
    if SHORTEST // 2 <= len(body) <= LONGEST:
        yield from _draft(body, sentence, begin, end, scene, requested=requested, opens=opens)


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
) -> Iterator[Draft]:
    """Yield the claim of a clause whose quote is between those offsets, if it is complete and worth keeping."""
    body = _NAMED_IS.sub(r"\g<who> is ", _BARE_KIN.sub(lambda m: f"my {m.group().lower()}", body))
    if has_time(body):
        body = _MADE_THIS.sub(r"\g<verb> a ", body)
    if scene.at_work:
        body = _FOUND.sub(r"\g<what> is ", body)
    body = _DISLOCATED.sub(r"\g<who> is ", body)
    body = _AND_I.sub(rf"\g<who> and {scene.speaker}", body)
    body = re.sub(r",? and (?:just |really )?[^,]*\beach other\b.*$", "", body)
    body = _PHOTO.sub(
        "a ",
        re.sub(r"\ba (?=[aeiou])", "an ", _STORY.sub(r"\g<verb> a ", _BY_THIS.sub(r"\g<word> a ", body))),
    )
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
    told = third_person.retell(reading.text, speaker=scene.speaker, partner=scene.partner)
    claim = _as_written(told.text, reading.text) + '"' * (told.text.count('"') % 2)
    tense = reading.tense or told.tense
    certain = certainty or ("inferred" if resolved[1] else reading.certainty)
    if told.sound and SHORTEST <= len(claim) <= LONGEST and (requested or _is_worthwhile(claim, scene)):
        yield Draft(
            claim=claim,
            category=reading.category or cues.category(claim, tense=tense),
            certainty=_certainty(certain, body, scene, requested=requested),
            temporal=cues.temporal(claim, tense=tense),
            start=sentence.start + begin,
            end=sentence.start + end,
        )


def _is_worthwhile(claim: str, scene: Scene) -> bool:
    """Return True unless the claim points outside itself, breaks off, or would be of no use to anybody."""
    if points_outside(claim) or is_passing(claim) or _UNFIT.search(claim) or _BARE.fullmatch(claim):
        return False
    if not scene.at_work:
        return worth(claim, scene) >= ENOUGH
    small = {m.group().lower() for m in WORD.finditer(claim)}
    return not small & _TROUBLE and not _MEASURED.search(claim) and worth(claim, scene) >= ENOUGH_AT_WORK


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
