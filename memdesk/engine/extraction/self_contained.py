"""Signs that an English claim cannot be understood alone: it points outside itself, breaks off, or passes."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.third_person import is_finite, is_past

RESOLVED = re.compile(r" \([^()]*\b(?:19|20)\d\d\)")
"""Date that represents a relative time: "yesterday (7 May 2023)"."""
_POINTED = re.compile(
    r"^(?:This|That|These|Those|Here|There) (?:is|are|was|were|'s)\b|\b(?:loves?|likes?"
    r"|enjoys?|adores?) (?:all )?the (?!(?:[\w-]+ ){0,3}[A-Z])"
)
_TIMES = (
    r"(?:week|weekend|month|year|summer|winter|spring|autumn|fall|morning|evening|afternoon"
    r"|season|time|day|\w+day)\b"
)
_OUTSIDE = re.compile(
    rf"\b(?:this|(?<!all )these|(?<!all )those|(?:at|in|on|to|for|from|with|of|about|off|by"
    rf"|into|made|painted|bought|got|love|loves|like|likes|took|went) that)"
    rf" (?!{_TIMES}|(?:is|was|are|were)\b)[\w'-]+",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\bsome (?=(?:to|for|of|in|that|from)\b)|"
    r"\b(?:this|that) (?=(?:from|for|to|with|at|on|by|all|too|again|before)\b)"
    r"|\b(?:next|last|old|new|other|first|second|same|big|small|red|blue|best|only|favou?rite) ones?\b"
    r"|\b(?:in|on|at|with|of|for|from) one (?:last|and|once|yesterday|when)\b"
    r"|\bone (?:of|that|which|from|for|is|was|in|on|at)\b(?! (?:my|their|his|her|our|the"
    r"|[A-Z]|\w+ (?:kids|children|siblings|brothers|sisters|boys|girls)\b))",
)
_THAT = re.compile(
    r"\b(?P<before>[a-z]+) that (?P<after>[a-z][\w-]+)\b(?! (?:[A-Z]|they\b|he\b|she\b|you\b))"
)
_COMPLEMENTISERS = word_set(
    """
    agreed decided said know think mean told realized believe feel found show showed mentioned learned heard hope wish
    noticed confirmed
    """
)
_LAST_CHAT = re.compile(
    r"\b(?:since|in|during|from|after) (?:our|their|[A-Z]\w+'s) last (?:chat|talk|conversation|call)\b"
)
_MOMENTARY = re.compile(
    r"\b(?:right now|at the moment|just for today"
    r"|(?:is|has been) (?:on (?:my|their) phone|(?:at )?home(?: all day|,|$)"
    r"|at (?:work|church)\b)|for a moment|hang on|be right back|(?:is|are"
    r"|'m) (?:off to|on (?:my|their) way)|for now|in a (?:minute|second|moment)|(?:is|are"
    r"|'m)(?: (?:so|very|really|just|super|too|pretty|kinda|quite|still|a (?:bit|little)|\w+ly))*"
    r" (?:hungry|thirsty|sleepy|tired|exhausted|bored|full|cold|late|early))\b(?! of\b)",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:(?:says?|said|saying)(?! (?:goodbye|hello|hi|yes|no|thanks|sorry)\b)|claims?"
    r"|claimed|joked?|jokes|rumou?rs?|heard (?:that|it|he|she|they|you|from)|wishes|wished"
    r"|pretends?)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    r"\b(?:playing|practicing|practising|doing|using|learning|studying|reading|writing"
    r"|training|working|going|coming)"
    r" (?:ever since|since then|a lot|as usual|again|lately|hard|more|(?:for|in) (?:about "
    r"|almost |over |just under )?(?:an?|the|two|three|four|five|six|\d+)"
    r" (?:\w+ )?(?:while|years?|months?|weeks?|days?|hours?|minutes?|evenings?|mornings?|summer|winter|past)\b)"
    r"|\b(?:sounds?|looks?|seems?) like\b|^The (?:best|worst|hardest|funniest|coolest"
    r"|toughest) (?:part|thing|bit)\b"
    r"|^[A-Z]\w+ (?:went|came|left|won|lost|played|started|finished|served|tried)"
    r" (?:already|again|on \w+day|yesterday|last (?:night|week|weekend|month|year))$"
    r"|\bteaching themself (?!\w+ing|[a-z]+ to\b)"
    r"(?:this|last|now|for|since)\b"
    r"|\bthat (?:effect|feeling|kind|sort|other|same)\b|\bstay(?:s|ed)? away$|\bfavou?rite was when\b"
    r"|^The .*, and [A-Z]\w+$|\bmore into\b",
    re.IGNORECASE,
)
"""Activity whose object another turn names, and comparison with it."""
_INTRODUCED = re.compile(r"\b(?:named|called)\b|[,\"']\s*[A-Z]")
_LAST = re.compile(
    r"\b(?:some|one|ones|another|other|others|more|most|same|this|that|these|those|it|them"
    r"|too much|with|of|to|for|in|on|at|a|an|the|and|or|but|so|as|than|is|are|was|my|their"
    r"|like|about|such|lot|because|if|when|while|which|who|pretty|very|been|has|just"
    r"|diagnosed|kinds?|sorts?|types?|how|why|where"
    r"|something|someone|somebody|stuff"
    r"|(?:is|be) \w+ (?:years?|months?|inches) (?:older|younger|taller|shorter)|(?:started|stopped) (?:playing"
    r"|doing|working)"
    r" on \w+day)$",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    r"\b(?:allergic|afraid|used|addicted|scared|keen|fond|aware|capable|similar|able|married"
    r"|born|supposed|trying|planning|"
    r"going|ever since|the same|like|called|named)$",
    re.IGNORECASE,
)
"""Words that need a complement: "allergic" to what?"""
_BARE = re.compile(r"[A-Z]\w+ (?:is|are) [A-Z]\w+")


def points_outside(claim: str) -> bool:
    """Return True for "this bowl" and for a claim that breaks off: what is meant was seen or said elsewhere."""
    text = claim
    if _LAST.search(RESOLVED.sub("", claim)):
        return True
    if _POINTED.search(text) or _POINTING.search(text) or _LAST_CHAT.search(text):
        return True
    for pointed in _THAT.finditer(text):
        before, after = pointed["before"].lower(), pointed["after"]
        shown = is_past(before) or before.endswith("ing") or before in w.VERBS or before in w.SAME_PAST
        if (
            shown
            and before not in _COMPLEMENTISERS
            and not is_finite(after)
            and after not in w.FUNCTION
            and after not in w.VAGUE
        ):
            return True
    match = _OUTSIDE.search(text)
    return match is not None and not _INTRODUCED.search(text, match.end())


def is_passing(claim: str) -> bool:
    """Return True for a momentary statement, and for reported speech."""
    return _MOMENTARY.search(claim) is not None or _HEARSAY.search(claim) is not None


ASIDE = re.compile(
    r"^(?:At|In|On|During|After|Before|With|For) (?:the|that|this|those|these) (?![^,]*[A-Z])[^,]{2,40}, "
)
"""Place or time named by another sentence: "At the event, …"."""
_HERE = re.compile(
    r"\b(?:here|over there|afterwards|back then|that (?:day|time|night|week|weekend|month|year|summer|winter|season"
    r"|semester|point))\b(?! in [A-Z])",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^(?:At least|No|Not|Naw|Nah|Probably|Maybe|Usually|Or|Like|Even|Especially|Well|Whereas|Kinda|Just)"
    r" (?!one\b|\w+, [A-Z])"
    r"(?![A-Z])"
)
"""Fragment, or a reply that goes on: "Probably running club and …"."""
_QUOTING = re.compile(
    r"\b(?:was|were|is|are) (?:all |just )?like,? (?!(?:an?|the|my|their|his|her|\d+|two|three|four|ten|being)\b)"
)
"""Words that report speech of a scene, as in "was like no way"."""
_OF_WHAT = re.compile(r"^[A-Z][\w-]+'s (?:favou?rites?|faves?|top pick) (?:is|are|was|were)\b")
_DROPPED = re.compile(
    r"\b(?:was|were|had been) (?:\w+ly )?(?:going|planning|supposed|about|meant|hoping|intending"
    r"|thinking of) (?:to|\w+ing)\b|(?<!is )(?<!was )\balmost (?:chose|went|got|bought|died|did|made|[a-z]+ed)\b(?! up)"
)
"""Plan that did not come to be: "was going to fly"."""
_BROKEN = re.compile(
    r"\b(?:is|are|was|were)(?: \w+ly)? (?:remembering|wondering|picturing|did|had|went|made|took|came|saw|sunk|brought"
    r"|gave|got)\b|\bwill (?:still |also )?(?:managed|went|did|had|made|took|came|saw|got|gave)\b"
    r"|\b(\w+) \1\b(?<!had had)(?<!that that)",
    re.IGNORECASE,
)
"""Two verbs without a joint, a word twice: the sentence was mistyped, or retelling it went wrong."""


_SUPPOSED = re.compile(
    r"\b(?:would|could)\b(?! (?:\w+ly )?(?:like|love|prefer) (?:to|an?|the|some|their|more|it|if|[A-Z])| rather\b)"
)
"""Act that did not take place: "would buy an island"."""
_NOUN_LEFT_OUT = re.compile(
    r"\b(?:ha[sd]|have|met|saw|got|took|bought|made|watch\w*|read|tried|wants?|needs?|likes?|loves?)"
    r" (?:only |just |about |like |so )*(?:one|two|three|four|five|six|several|many|both|none|some|others?)"
    r"(?=,| (?:and|but|or|about|for|when|that|because|which|where|with|so far|thus far|today|yesterday)\b|$)"
    r"|\b(?!(?:no|any|some|every|each|number|day|chapter|year|phase|part|season|grade|round|only|big"
    r"|least)\b)[a-z]+ one"
    r" (?:after|before|with|next|this|last|soon|called|right now|today|tomorrow)\b"
    r"|\bthe ones?\b|\b(?:couple|few|some|all|most|both|many|none|one|two|three|\d+) of (?:them"
    r"|those|these|it)\b"
    r"|\b(?:do|does|did|done|doing|tried|try|feels?|felt|went|means?|liked?|likes|loves?|learned"
    r"|heard|said|knew|found) (?:that|this|so|the same)"
    r"(?= (?:last|yesterday|in|at|on|for|with|too|as|when|because|a|all|every|once|\w+ly)\b|,|$)"
    r"|^[A-Z]\w+ (?:is|was|has|does|did) both\b(?!.* and )",
    re.IGNORECASE,
)
"""Object that another turn names: "has three", "liked the one about trains", "had to do that"."""
_OF_THE_MOMENT = re.compile(
    r"\b(?:is|was)(?: (?:currently|just|now|still|also))* (?:watching|eating|sitting|waiting|walking"
    r"|driving|chatting|talking|listening|drawing a blank"
    r"|falling asleep|doing (?:some |their |my )?homework|laying|lying|standing|typing|smiling"
    r"|laughing|crying|procrastinating|hanging|scrolling|chilling|relaxing|heading"
    r"|setting (?:an?|the)|taking notes|going to (?:hurry|sit|grab|eat|sleep|nap|shower|get ready|head)"
    r"|cooking|making (?:dinner|lunch|breakfast|food)|enjoying (?:their|the|this))\b"
    r"(?!.*\b(?:yesterday|last|ago|every|since|years|months|\d{4}|a lot|these days|lately|[Tt]wice|once)\b)"
)
"""Act that is over in an hour, without its day."""
_SIMILE = re.compile(
    r"\b(?:is|was|are|feels?|felt) (?:just |kind of |basically |almost )?like (?:an?|the|their|my|[A-Z])"
)
_DANGLING = re.compile(
    r"^(?:Now that|Plus|At the same time|That is|That's|It's|It is|Its|Which|Who|Such|Thats|Instead of"
    r"|Even if|As if)\b|^[^\w\"'$]"
)
"""Opening that leans on the sentence before it."""


_HOLLOW_OBJECT = re.compile(
    r"\b(?:went to|visited|found|saw|took|attended|tried|did|had|has|got|made|started|joined|is|was)"
    r" (?:an?|some|the|another) (?:(?:new|cool|great|nice|good|amazing|awesome|special|huge|big|real|tough|few) )*"
    r"(?:place|spot|event|thing|pic|picture|photo|idea|project|stuff|plan|issue|moment|opportunity|challenge"
    r"|chance|experience|problem|milestone|fan|option|mistake|difference|decision|comment|joke|point"
    r"|question|change|choice|faster \w+)s?"
    r"(?= (?:(?:last|this) \w+ ?(?!\w+ing\b)|yesterday|recently|today|this (?:week|month|year)"
    r"|an?y? (?:few|couple)|two|three|four|five|ago"
    r"|at the moment)\b| \(|$|[,.])"
)
"""Act with an object that could be any: "went to a place", "is a huge fan"."""


_LEFT_OVER = re.compile(
    r"(?<!of )\b(?:theirs|hers|yours)\b(?! is| was| are)"
    r"|\b[a-z]+ (?:only |just |about |like |so )*(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
    r"(?: (?:(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|left|total|each|so far|thus far|to go|today"
    r"|or something)\b)"
    r"|\b(?:did|had|made|took|got|bought|wrote|saw) (?:one|two|three|four|\d+) (?:last|this"
    r"|next) (?:year|month|week|fall|spring|summer|winter|semester)\b"
    r"|\b(?:hasn't|haven't|isn't|doesn't|didn't|don't|wasn't|can't|couldn't|won't|is|has|did|does) (?:either|neither)\b"
    r"|\bthe (?:day|night|week|month|year) (?:before|after)(?=$|,| and\b| \()"
    r"|\b(?:will|won't|can|can't|did|didn't|does|doesn't|do|don't|would) (?:in|on|next|last|soon|then|yesterday"
    r"|tomorrow)\b"
    r"|\b(?:wrote|has|had|got|made|did|saw|read) another(?: one)?(?=$|,| and\b)|\b(?:as much"
    r"|in between|behind)$|^Then\b|\bseen [^,]*\bbefore$|"
    r"\b(?:has|have|got|did|took|likes?) (?:like |about |only )*(?:\d+$|\d+ (?:more )?\w+ left$)"
    r"|\bis going (?:next|this|tomorrow|tonight|soon|again)\b(?! to [A-Z])"
    r"|\b(?:likes?|loves?|enjoys?|hates?) (?:playing|working|doing|trying|going|getting|making|being|watching|having)$"
    r"|\bgot back (?:(?:in|on) \w+|yesterday|last \w+|today|recently)$|\bwhich \w+ly$"
    r"|\b(?:has|had) (?:an? (?:job|theory|bug|life|test|class|meeting|final|exam|thing|favou?rite [a-z]+)"
    r"|\w+ (?:younger|older))$"
)
"""Number, "theirs" or auxiliary whose noun or verb another turn has: "has 2 left", "hasn't either"."""
_UNSURE = re.compile(
    r"\b(?:has|have|had|with) no (?:idea|clue|opinion|comment)\b|\b(?:has|have) a (?:quick |few |free |spare )*"
    r"(?:sec|second|seconds|minute|minutes|moment|question)\b"
    r"|\b(?:is|was) (?:\w+ly )?(?:running (?:low|out|late)|kidding|joking|thinking(?! (?:about|of) )"
    r"|guessing|assuming|talking to|doing a quick)\b"
    r"|^[A-Z]\w+ (?:did not |didn't |never |just |finally )?(?:realized?|noticed?) (?!an?\b|the\b)|\bwas thinking\b"
    r"|\b(?:enjoy(?:s|ed)|likes?|loved?) (?:their|the|this|[A-Z]\w+'s) (?:convos?|chats?|conversations?|talks?)\b"
    r"|\bblank chats?\b|\bprevious comments?\b"
    r"|\b(?:has|have|had)(?: never| also| only)? heard\b|^[A-Z]\w+ (?:kids|means|meant|meaned"
    r"|forgot|apologi[sz]es?)\b"
    r"|\bthinks? (?:that )?(?:they|it)\b|\b(?:has|have|had) to (?:go|run|head|leave|get going|get back)(?=$|,| now\b"
    r"| (?!(?:to|on|with)\b)[a-z]+$)"
)
"""Doubt, notice or courtesy of the conversation itself."""


def is_self_contained(claim: str) -> bool:
    """Return False for a claim that points outside itself, lacks a complement, or is true for a moment only."""
    return not (
        "[" in claim  # a template's placeholder: "I'm [name]"
        or _LEFT_OVER.search(claim)
        or _UNSURE.search(claim)
        or points_outside(claim)
        or _ELLIPTIC.search(RESOLVED.sub("", claim))
        or is_passing(claim)
        or _UNFIT.search(claim)
        or _BARE.fullmatch(claim)
        or ASIDE.match(claim)
        or _HERE.search(claim)
        or _OF_WHAT.match(claim)
        or _NO_SUBJECT.match(claim)
        or _QUOTING.search(claim)
        or _BROKEN.search(claim)
        or _DROPPED.search(claim)
        or _HOLLOW_OBJECT.search(claim)
        or _SUPPOSED.search(claim)
        or _NOUN_LEFT_OUT.search(claim)
        or _OF_THE_MOMENT.search(claim)
        or _SIMILE.search(claim)
        or _DANGLING.match(claim)
    )
