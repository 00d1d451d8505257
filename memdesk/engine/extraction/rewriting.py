"""Clauses of an English sentence: split off without comments and names addressed, and worded more plainly.

"Ben's moving" is "Ben is moving", "met this man" is "met a man"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import pattern, word_set, words
from memdesk.engine.extraction.third_person import is_finite, is_past
from memdesk.engine.extraction.times import has_time

_STOP = re.compile(r"\s*[,.!:;~\-–—…]*\s*")
_OWN = w.SUBJECTS | w.POSSESSIVES
_GREETING = word_set("hey hi hello thanks thx congrats congratulations wow dear bye")
_PHRASE = pattern("splitting", "phrase")
_LAST = re.compile(r"([,\s])\s*([A-Za-z']+(?: [A-Za-z']+)?)[\s,.!~]*$")
_TAGS = words("splitting", "tags")
_SEAM = pattern("splitting", "seam", flags=0)
_COMMENT = pattern("splitting", "comment")
_STRETCHED = re.compile(r"(.)\1{2,}")
"""Letters written three times or more: "ohhhhh"."""
_LAUGHTER = re.compile(r"x+d+|a?(?:h+a+){2,}h*|a*h+a+h+|l+o+l+|e+w+|o+m+g+")
_DASH = re.compile("[-–—.]")
_LIST = pattern("splitting", "list")
"""Items that a dash announces: "some time for myself - running, reading or the violin"."""
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
        small, marked = _STRETCHED.sub(r"\1\1", word.group().lower()), bool(stop.group().strip())
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
    if _LAUGHTER.fullmatch(small):
        return True
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
        if _DASH.search(seam.group()) and _announces(text[seam.end() : _tail(text, seam.end(), end)]):
            continue
        head = text[start : seam.start()]
        if _DASH.search(seam.group()) or _has_verb(head) or _SHORT_ANSWER.match(head):
            yield from _without_comment(text, start, seam.start(), comments=comments)
            start = seam.end()
    yield from _without_comment(text, start, end, comments=comments)


_SHORT_ANSWER = pattern("splitting", "short_answer")


def _tail(text: str, start: int, end: int) -> int:
    """Return the offset of the dash that closes a list, or the end."""
    dash = _CLOSING_DASH.search(text, start, end)
    return dash.start() if dash else end


_CLOSING_DASH = re.compile(r"\s*(?:--+|—)\s*|\s[-–]\s+")


def _announces(tail: str) -> bool:
    return _LIST.match(tail) is not None and not any(
        is_finite(m.group().lower()) for m in WORD.finditer(tail)
    )


def _has_verb(head: str) -> bool:
    """Return True if the words before "and I" contain a verb, unlike "My sister and I"."""
    return len(head) >= _SHORTEST_HEAD and any(is_finite(m.group().lower()) for m in WORD.finditer(head))


_FACTUAL = pattern("splitting", "factual")


def _without_comment(text: str, start: int, end: int, *, comments: bool) -> Iterator[tuple[int, int]]:
    comment = _COMMENT.search(text, start + _SHORTEST_HEAD, end)
    if comment and not comments and _FACTUAL.match(text, comment.start(), end):
        comment = None
    if comment:
        end = comment.start()
    if end > start:
        yield start, end


_STORY = pattern("rewriting", "story")
_MADE_THIS = pattern("rewriting", "made_this", flags=0)
_DISLOCATED = re.compile(r"^(?P<who>[A-Z][a-z]+(?: [A-Z][a-z]+)?), (?:she|he|it)(?:'s| is) ")
_FOUND = pattern("rewriting", "found")
_BY_THIS = pattern("rewriting", "by_this")
_THIS_THING = pattern("rewriting", "this_thing", flags=0)
_INTRODUCED = pattern("rewriting", "introduced", flags=0)
_NOT_INTRODUCED = words("rewriting", "not_introduced")
"""Nouns after "this" that mean a time or a thing spoken of before."""
_FAVOURITE_IS = pattern("rewriting", "favourite_is")
_TAKEN_HERE = pattern("rewriting", "taken_here", flags=0)
_FELT = word_set("loving enjoying liking loved liked enjoyed missing knowing seeing during regarding")
_SHOWN = pattern("rewriting", "shown")
"""Picture that is shown: "Here's a photo of my horse painting I did recently"."""
_SPEAKING_OF = re.compile(
    r"^(?:speaking of|talking about|when it comes to|as for|first of all|to start with) [^,]{2,40}, ",
    re.IGNORECASE,
)
_ORDER_WORD = pattern("rewriting", "order_word")
_EMOTICON = pattern("rewriting", "emoticon", flags=0)
_BEFORE_VERB = r"(?: \w+ly| just| also| never| always)?"
_UNMARKED_I = re.compile(
    rf"\b[Ii](?:(?:m|ve)\b(?= \w)|(?<=I)ll\b(?={_BEFORE_VERB} (?:{w.alternatives(w.VERBS)}|be)\b)"
    rf"|d\b(?={_BEFORE_VERB} (?:love|like|want|prefer|rather|be|have|go|say|get|need)\b))"
)
"""Contraction of "I" without its apostrophe: "Ill call", "id love". "Ill" alone is an adjective."""
_NOT_FILLER = "[Ii] [Ww]e they you also really would n't do to not oks els ems nds"
"""Ends of words after which "like" is a verb or compares: "I like", "looks like"."""
_LIKE = re.compile(
    "".join(rf"(?<!{before} )" for before in _NOT_FILLER.split())
    + r"(?<= )like (?=(?:(?:maybe|about|around|over|almost|only|another|the past|the last) )?(?:\d+"
    r"|an? (?:million|hundred|few|couple|dozen|week|month|year|hour|half)"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|half"
    r"|twice|every|once)\b)"
)
"""Filler before a number: "for like two years"."""
_AFTER_PREPOSITION = pattern("rewriting", "after_preposition", flags=0)
_THOUGHT = pattern("rewriting", "thought")
_THOUGHT_OF = pattern("rewriting", "thought_of")
"""Intention in doubt: "I think I'm going to study law" is a plan."""
_IN_FAMILY = pattern("rewriting", "in_family")
_HAS_TO_BE = re.compile(
    r"\b(?P<what>favou?rite (?:[\w-]+ ){1,3})(?:(?:has|would have) to be|would be) ", re.IGNORECASE
)
_JUST = re.compile(r"^just (?=(?:yesterday|last|today|this|two|three|a few|recently)\b)", re.IGNORECASE)
_LUCKY = pattern("rewriting", "lucky", flags=0)
"""Thanks for what one has: "I'm lucky to have two sisters"."""
_MUST = pattern("rewriting", "must", flags=0)
"""Duty, unlike a chance that came: "I got to go finish my essay", "I got to go to Rome"."""
_HOPEFULLY = pattern("rewriting", "hopefully")
_EMPHASIS = pattern("rewriting", "emphasis")
_UNMARKED = pattern("rewriting", "unmarked")
"""Contraction written without its apostrophe: "dont", "thats"."""
_HEDGED_VERB = pattern("rewriting", "hedged_verb", flags=0)
_EMPHATIC = pattern("rewriting", "emphatic", flags=0)
_OR_SO = re.compile(r" or so(?=$|[,.])")
_OPEN_BRACKET = re.compile(r"\s*\([^)]*$")
_PHOTO = re.compile(r"\bthis (?=(?:pic|picture|photo|snap|shot)\b)", re.IGNORECASE)
_BARE_KIN = pattern("rewriting", "bare_kin", flags=0)
_NAMED_IS = pattern("rewriting", "named_is", flags=0)
_CONTRACTED_IS = re.compile(r"^(?P<what>(?:My |Our )?[A-Z]?[\w-]+)'s (?=(?:an?|my|our|one of my) [a-z])")
_BEEN_THERE = re.compile(r"\b(?:I've|I have) been to (?=.*\b(?:yesterday|last|ago)\b)")
_LEADING_SPAN = pattern("rewriting", "leading_span")
_FILLER = pattern("rewriting", "filler", flags=0)
"""Adverb after a subject or auxiliary that adds nothing to a claim."""
_KEPT_BEFORE = frozenset(("as", "like", "a", "an", "the", "one", "two", "to", "not"))
_HAS_GOT = pattern("rewriting", "has_got", flags=0)
_GROUP_AND_I = pattern("rewriting", "group_and_i")
_STRANDED = pattern("rewriting", "stranded", flags=0)
_MEANWHILE = re.compile(
    r"^(?:in the meantime|meanwhile|in other news|as it happens|long story short),? ", re.IGNORECASE
)
_ABLE = re.compile(r"\b(?P<was>was|were) (?:finally |even )?able to ")
_AND_I = re.compile(r"^(?P<who>[A-Z][a-z]+(?:,? [A-Z][a-z]+)*) and I\b")


_WAS_MY = pattern("rewriting", "was_my")
_IT_IS_MY = pattern("rewriting", "it_is_my")
_TOOK_ADVICE = re.compile(
    r"\btook your (?:advice|suggestion|rec\w+|tip)s?(?: on [\w ]+?)? and ", re.IGNORECASE
)
_HAS_BEEN = pattern("rewriting", "has_been", flags=0)


_WE_WERE = re.compile(r"\bwe were (?P<what>kid|child|teenager|student|toddler|teen)(?:s|ren)\b")


def with_apostrophes(text: str) -> str:
    """Return a text with the apostrophes that its contractions lack: "dont", "thats"."""
    text = _UNMARKED_I.sub(lambda m: f"I'{m.group()[1:]}", text)
    return _UNMARKED.sub(_marked, text)


def _marked(match: re.Match[str]) -> str:
    return f"{match['verb']}n't" if match["verb"] else f"{match['short']}'{match['end']}"


def _introduced(match: re.Match[str]) -> str:
    """Return "made a cake" for "made this cake": a thing that its sentence itself introduces."""
    verb, words = match["verb"].lower(), match["phrase"].split()
    done = is_past(verb) or verb in w.SAME_PAST or verb in w.PARTICIPLES or verb.endswith("ing")
    plural = match["this"].lower() == "these"
    described = len(words) > 1 or match["more"][:1] == " "
    if not done or verb in _FELT or not described or {x.lower() for x in words} & _NOT_INTRODUCED:
        return match.group()
    return f"{match['verb']} {'' if plural else 'a '}{match['phrase']}{match['more']}"


def _shown(match: re.Match[str]) -> str:
    """Return "I did a painting recently" or "I have a photo of my painting" for a picture that is shown."""
    owner, _, thing = match["what"].partition(" ")
    if match["who"] and is_past(match["verb"].lower()):
        return f"{match['who']} {match['verb']} a {thing}{match['when'] or ''}"
    return match.group() if match["who"] else f"I have a photo of {owner.lower()} {thing}"


def _hoped(match: re.Match[str]) -> str:
    return "I hope to go to " if match["going"] else "I hope to "


def _i_and(match: re.Match[str]) -> str:
    who = match["who"]
    return f"I and {who[:1].lower()}{who[1:]}"


def plainer(body: str, scene: Scene) -> str:
    """Return the clause in words that the forms of English claims can read."""
    body = with_apostrophes(body)
    if " like " in body:
        body = _AFTER_PREPOSITION.sub("", _LIKE.sub("", body))
    body = _MUST.sub(r"\g<who> have to ", _HOPEFULLY.sub(_hoped, body))
    body = _THOUGHT_OF.sub(lambda m: "I plan to " if m["will"] else "I", body)
    body = _IN_FAMILY.sub(lambda m: f"my family {'has' if m['be'] == 'are' else 'had'} {m['what']}", body)
    body = _EMPHATIC.sub(r"\g<who> ", _HEDGED_VERB.sub(r"\g<who>\g<be> ", body))
    body = _OPEN_BRACKET.sub("", _OR_SO.sub("", _EMPHASIS.sub(r"\g<who> ", body)))
    body = _LUCKY.sub(r"\g<who> have ", _JUST.sub("", body))
    body = _EMOTICON.sub("", _ORDER_WORD.sub("", _SPEAKING_OF.sub("", body)))
    body = _HAS_TO_BE.sub(r"\g<what>is ", _THOUGHT.sub("", _SHOWN.sub(_shown, body)))
    body = _HAS_BEEN.sub(r"\g<who> has \g<adverb>been", body)
    body = _WE_WERE.sub(r"I was a \g<what>", body)
    body = _WAS_MY.sub(r"\g<what> \g<was> \g<when>", _TOOK_ADVICE.sub("", body))
    body = _IT_IS_MY.sub(lambda m: f"{m['what']}{'was' if 'was' in m['was'] else 'is'} ", body)
    body = _NAMED_IS.sub(r"\g<who> is ", _BARE_KIN.sub(lambda m: f"my {m.group().lower()}", body))
    if has_time(body):
        body = _MADE_THIS.sub(r"\g<verb> a ", body)
    if not scene.at_work:
        body = _TAKEN_HERE.sub(r"\g<verb> a photo ", body)
        body = _FAVOURITE_IS.sub(lambda m: f"{m['what']} {'' if m['this'] == 'these' else 'a '}", body)
        body = _INTRODUCED.sub(_introduced, _THIS_THING.sub(r"\g<verb> a \g<what>", body))
    if scene.at_work:
        body = _FOUND.sub(r"\g<what> is ", body)
    body = _LEADING_SPAN.sub("", _BEEN_THERE.sub("I went to ", _CONTRACTED_IS.sub(r"\g<what> is ", body)))
    body = _DISLOCATED.sub(r"\g<who> is ", body)
    body = _STRANDED.sub(r"\g<the> \g<thing> where \g<who> \g<verb>", _MEANWHILE.sub("", body))
    body = _GROUP_AND_I.sub(_i_and, _ABLE.sub("managed to ", body))
    body = _AND_I.sub(rf"\g<who> and {scene.speaker}", body)
    body = re.sub(r",? and (?:just |really )?[^,]*\beach other\b.*$", "", body)
    return _PHOTO.sub(
        "a ",
        re.sub(r"\ba (?=[aeiou])", "an ", _STORY.sub(r"\g<verb> a ", _BY_THIS.sub(r"\g<word> a ", body))),
    )


def without_fillers(claim: str) -> str:
    """Return a claim in the third person without the adverbs that add nothing: "even went", "has also got a cat"."""

    def kept(match: re.Match[str]) -> str:
        return match.group() if match["next"] in _KEPT_BEFORE else f"{match['before']} "

    return _HAS_GOT.sub(r"\g<has> ", _FILLER.sub(kept, _FILLER.sub(kept, claim)))
