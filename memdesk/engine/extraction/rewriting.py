"""Plainer wordings of an English clause: "Ben's moving" is "Ben is moving", "met this man" is "met a man"."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.third_person import is_past
from memdesk.engine.extraction.times import has_time

_STORY = re.compile(
    r"\b(?P<verb>adopted|met|found|saw|know|have|had|got|joined|discovered|tried|hit"
    r"|visited) (?:this|these) (?=(?:[a-z][\w-]+ ){1,3})",
    re.IGNORECASE,
)
_MADE_THIS = re.compile(
    r"\b(?P<verb>made|baked|painted|built|bought|wrote|took|cooked|drew|finished"
    r"|went to) (?:this|that) (?=[a-z])(?!(?:after|before|when|while|as|for|in|on|at|with|because|last|year|by)\b)"
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
_THIS_THING = re.compile(
    r"\b(?P<verb>to|at|did|had|joined|found|saw|made|got|have) this (?P<what>[a-z][\w-]+ (?:thing|place"
    r"|event|game|app|class))\b"
)
_INTRODUCED = re.compile(
    r"\b(?P<verb>[a-z]+) (?P<this>this|these) (?P<phrase>(?:[\w'-]+ ){0,3}?[\w'-]+)(?P<more>$|[,.;!]"
    r"| (?:for|in|at|with|from|on|of|to|about|by|that|which|called|named|last|yesterday|recently|today|when|and|I"
    r"|we)\b)"
)
_NOT_INTRODUCED = word_set(
    "week weekend month year summer winter spring autumn fall morning evening afternoon night season time day way kind"
    " sort type place one ones stuff thing things is was are were journey world community experience opportunity idea"
)
"""Nouns after "this" that mean a time or a thing spoken of before."""
_FAVOURITE_IS = re.compile(
    r"^(?P<what>my (?:[\w'-]+ ){0,3}?(?:favou?rite|fave|fav|go-to|best|worst|least favou?rite) (?:[\w'-]+ ){0,3}?"
    r"(?:is|was|has to be|would be)) (?P<this>this|these|that) (?=[\w'-]+ [\w'-]+)",
    re.IGNORECASE,
)
_TAKEN_HERE = re.compile(
    r"\b(?P<verb>took|snapped|captured|shot) (?:this|that) (?:pic|picture|photo|snap|shot|one)"
    r" (?=(?:on|at|in|during|from|of)\b)"
)
_FELT = word_set("loving enjoying liking loved liked enjoyed missing knowing seeing during regarding")
_SHOWN = re.compile(
    r"^(?:here(?:'s| is)|check out|take a look at|have a look at|look at) (?:an?|the|this|some|one of the) (?:\w+ )?"
    r"(?:pics?|photos?|pictures?|snaps?|shots?) of (?P<what>(?:my|our) [\w' -]{3,60}?)(?: (?:that )?(?P<who>I|we)"
    r" (?P<verb>[a-z]+)(?P<when> [^,.!?]*)?)?$",
    re.IGNORECASE,
)
"""Picture that is shown: "Here's a photo of my horse painting I did recently"."""
_SPEAKING_OF = re.compile(
    r"^(?:speaking of|talking about|when it comes to|as for|first of all|to start with) [^,]{2,40}, ",
    re.IGNORECASE,
)
_ORDER_WORD = re.compile(
    r"^(?:first|then|next|second|after that|at first|so then|and then),? (?=(?:I|we)\b)", re.IGNORECASE
)
_EMOTICON = re.compile(
    r"(?:\s*(?:<3|[:;=]['-]?[)(DPpO/|]+)|\s+(?:[xX]D+|\^_*\^|a?(?:h+a+){2,}h*|ah+ha+|(?:he){2,}|lol|lmao|tbh"
    r"|idk|imo|rn))+"
    r"(?=$|[\s,.!?])"
)
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
_AFTER_PREPOSITION = re.compile(
    r"(?:(?<=\bin )|(?<=\bat )|(?<=\bon )|(?<=\bof )|(?<=\bby )|(?<=\bfor )|(?<=\bfrom )|(?<=\bwent to ))like (?=\w)"
)
_THOUGHT = re.compile(
    r"^I(?:'d| would)? (?:think|guess|believe|say)(?: that)? (?=my (?:[\w-]+ ){0,2}favou?rite\b)",
    re.IGNORECASE,
)
_THOUGHT_OF = re.compile(
    r"^I think (?:that )?I(?:(?P<will>(?:'m| am) (?:going to|gonna) |'ll | will )|(?= (?:want|would like)\b))",
    re.IGNORECASE,
)
"""Intention in doubt: "I think I'm going to study law" is a plan."""
_IN_FAMILY = re.compile(
    r"^there (?P<be>are|were) (?P<what>(?:\w+ )?(?:\w+) (?:kids|children|siblings|boys|girls)) in my family\b",
    re.IGNORECASE,
)
_HAS_TO_BE = re.compile(
    r"\b(?P<what>favou?rite (?:[\w-]+ ){1,3})(?:(?:has|would have) to be|would be) ", re.IGNORECASE
)
_JUST = re.compile(r"^just (?=(?:yesterday|last|today|this|two|three|a few|recently)\b)", re.IGNORECASE)
_LUCKY = re.compile(
    r"\b(?P<who>I|[Ww]e)(?:'m| am|'re| are) (?:\w+ly |so |also )*"
    r"(?:lucky|blessed|fortunate|glad|happy|grateful|thankful) (?:enough )?(?:to have|(?:I|we) have"
    r"|to own|that (?:I|we) have) (?!(?:been|it|this|that|you|such|so)\b)"
)
"""Thanks for what one has: "I'm lucky to have two sisters"."""
_MUST = re.compile(
    r"\b(?P<who>I|[Ww]e)(?:'ve)? got to (?=(?:get (?:up|going|back|to|ready)|go (?!to\b|on\b|with\b"
    r"|see\b|back\b|there\b|and\b)|run"
    r"|leave|head|finish|do"
    r"|study|work|wake|sleep|catch|start|stop|write|pay|clean)\b)"
)
"""Duty, unlike a chance that came: "I got to go finish my essay", "I got to go to Rome"."""
_HOPEFULLY = re.compile(
    r"^hopefully,? (?:(?:I|[Ww]e)(?:'ll| will| can|'m going to| am going to) |(?P<going>going to ))",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"\b(?P<who>I|we) (?:sure|surely|sure as heck|totally|definitely) (?:do )?(?=[a-z]+)", re.IGNORECASE
)
_UNMARKED = re.compile(
    r"\b(?:(?P<verb>do|does|did|would|could|should|has|have|had|is|was|were|are|wo(?!nt (?:to|of))|ca)nt"
    r"|(?P<short>(?:they|you)(?=re|ve)|(?:that|there|he|she|what|where)(?=s)"
    r"|it(?=s (?:an?|the|my|been|not|so|really|like|pretty|just|called|going|also|why|\w+ing)\b))(?P<end>s|re|ve))\b",
    re.IGNORECASE,
)
"""Contraction written without its apostrophe: "dont", "thats"."""
_HEDGED_VERB = re.compile(
    r"\b(?P<who>I|[Ww]e)(?P<be>'m|'re)? (?:also )?(?:kind of|sort of|kinda|sorta|literally|basically"
    r"|actually) (?=[a-z])"
)
_EMPHATIC = re.compile(
    r"\b(?P<who>I|[Ww]e) do (?:really |actually |also )?(?=(?:love|like|enjoy|want|have|need|play|work"
    r"|live|hate|think|prefer)\b)"
)
_OR_SO = re.compile(r" or so(?=$|[,.])")
_OPEN_BRACKET = re.compile(r"\s*\([^)]*$")
_PHOTO = re.compile(r"\bthis (?=(?:pic|picture|photo|snap|shot)\b)", re.IGNORECASE)
_BARE_KIN = re.compile(
    r"(?<!my )(?<!your )(?<!our )(?<!'s )(?<!her )(?<!his )\b(?:Dad|Mum|Mom|Mama|Grandma"
    r"|Grandpa|Granny|Nana|Daddy|Mommy)(?='s|\b)(?! [A-Z])"
)
_NAMED_IS = re.compile(
    r"^(?P<who>[A-Z][a-z]+)'s (?=(?:\w{3,}ing|an?|in|at|from|not|also|still|now|always|on)\b)"
)
_CONTRACTED_IS = re.compile(r"^(?P<what>(?:My |Our )?[A-Z]?[\w-]+)'s (?=(?:an?|my|our|one of my) [a-z])")
_BEEN_THERE = re.compile(r"\b(?:I've|I have) been to (?=.*\b(?:yesterday|last|ago)\b)")
_LEADING_SPAN = re.compile(
    r"^(?!(?:last|this|next|every)\b)(?:[a-z]+|\d+) (?:years?|months?|weeks?|days?)(?: now)?, (?:and )?(?=(?:I|we)\b)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?P<before>^[A-Z][\w'-]*|\b(?:is|are|was|were|has|have|had|been|and|will|can)) (?:also|even|just|actually"
    r"|definitely|literally|basically|totally|honestly|finally|really|truly|absolutely|simply|kind of|pretty much)"
    r" (?=(?P<next>[a-z]+))"
)
"""Adverb after a subject or auxiliary that adds nothing to a claim."""
_KEPT_BEFORE = frozenset(("as", "like", "a", "an", "the", "one", "two", "to", "not"))
_HAS_GOT = re.compile(
    r"\b(?P<has>has|have) got (?=(?:an?|the|some|two|three|four|five|\d+|no|lots|plenty|their)\b)"
)
_GROUP_AND_I = re.compile(
    r"^(?P<who>(?:the|some|a few|a couple of|two|three|several|a|one of my|my) (?:[\w'-]+ ){0,4}?[\w'-]+) and I\b",
    re.IGNORECASE,
)
_STRANDED = re.compile(
    r"\b(?P<the>the|an?|this) (?P<thing>(?:[\w'-]+ ){0,2}[\w'-]+) (?:that |which )?(?P<who>I|we)"
    r" (?P<verb>(?:\w+ly |also )?[a-z]+) (?:at|in|for)$"
)
_MEANWHILE = re.compile(
    r"^(?:in the meantime|meanwhile|in other news|as it happens|long story short),? ", re.IGNORECASE
)
_ABLE = re.compile(r"\b(?P<was>was|were) (?:finally |even )?able to ")
_AND_I = re.compile(r"^(?P<who>[A-Z][a-z]+(?:,? [A-Z][a-z]+)*) and I\b")


_WAS_MY = re.compile(
    r"^(?P<when>yesterday|today|tomorrow|(?:last|next|this) \w+) (?P<was>was|is|will be) (?P<what>my .+)$",
    re.IGNORECASE,
)
_IT_IS_MY = re.compile(
    r"^it(?P<was>'s| is| was) (?P<what>my (?:[\w'-]+ ){1,5}?)(?=(?:on|in|next|last|this|tomorrow|yesterday|today)\b)",
    re.IGNORECASE,
)
_TOOK_ADVICE = re.compile(
    r"\btook your (?:advice|suggestion|rec\w+|tip)s?(?: on [\w ]+?)? and ", re.IGNORECASE
)
_HAS_BEEN = re.compile(
    r"^(?P<who>(?:My |Our )?[A-Z]?[\w-]+)'s (?P<adverb>(?:always |never |also |only )?)been\b"
)


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
