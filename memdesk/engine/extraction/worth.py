"""Worth of an English claim: a number that grows with what it names, counts and dates, and with what lasts.

A claim under ENOUGH is true and of no use: nobody would ask for it."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import section, word_set, words
from memdesk.engine.extraction.third_person import is_adverb, is_finite, is_past
from memdesk.engine.extraction.times import has_time

SURE = 3.0
"""Worth under which a claim made between people is one step less certain than its words."""
ENOUGH, ENOUGH_AT_WORK = 2.0, 1.0
"""Least worth of a claim that is kept: between people, and in work with an agent."""
_ABSTRACT = words("english", "abstract")
_GENERIC_NOUNS = words("english", "generic")
_DURABLE = words("english", "durable")
_DEFINING = words("english", "defining")
_HOLLOW = words("english", "hollow")
_EMPTY = w.VAGUE | w.FEELINGS | _ABSTRACT | _HOLLOW
_COUNTED = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|first time)\b", re.IGNORECASE
)
_DATE = re.compile(r" \([^()]*\b(?:19|20)\d\d\)")
_POINTED = re.compile(
    r"^(?:This|That|These|Those|Here|There) (?:is|are|was|were|'s)\b|\b(?:loves?|likes?"
    r"|enjoys?|adores?) (?:all )?the (?!(?:[\w-]+ ){0,3}[A-Z])"
)
_MUSING = re.compile(
    r"\b(?:loves?|loved|likes?|liked|enjoys?|adores?) (?:all |all of )?(?:the|how|when|that"
    r"|your|what|every)\b"
    r"|\b(?:is|are|was|were|been) (?:\w+ly |always |still |just |also )*(?:thinking"
    r"|remembering|wondering|looking forward|feeling|dreaming|loving|struggling|missing"
    r"|getting into|glad|happy|aiming|reflecting|realizing|imagining)\b"
    r"|\b(?:feels?|felt|realizes?|realized|reminds?|reminded|misses|thinks?|guess(?:es)?"
    r"|believes?|knew|wonders?|noticed|imagines?|appreciates?|treasures?|values|cherish(?:es)?"
    r"|recalls?|remembers?|hopes?|makes? [\w' -]{1,30} (?:feel|happy|smile|proud|realize|think"
    r"|want|appreciate))\b",
    re.IGNORECASE,
)
_CLICHE = re.compile(
    r"\b(?:" + "|".join(map(re.escape, section("english", "cliches").strip("; ").split("; "))) + r")\b",
    re.IGNORECASE,
)
_WISH = re.compile(r"\b(?:hoping|trying|tries|aims?|aiming|planning) to\b|\bhopes to\b", re.IGNORECASE)
_DEGREE = re.compile(
    r"\b(?:so|such an?|really|super|pretty|very|too) (?:many|much|\w+)|\b(?:lots?|tons?|bunch"
    r"|all kinds|kind|sort|bit|plenty) of\b|\bsome (?:really |pretty |very )?(?:great|good"
    r"|nice|cool|amazing|fun|awesome|interesting)\b",
    re.IGNORECASE,
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
    r"|\b(?:next|last|old|new|other|first|second|same|big|small|red|blue|best|only) ones?\b"
    r"|\bone (?:of|that|which|from|for|is|was|in|on|at)\b(?! (?:my|their|his|her|our|the"
    r"|[A-Z]))",
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
_AT_WORK = re.compile(
    r"\bthis (?:repo(?:sitory)?|project|codebase|team|desk|app|package|service|conversation)\b", re.IGNORECASE
)
_AGED = re.compile(
    r"\b(?:is|are|turns|turned|turning) (?:almost |already |now |nearly )?(?:\d{1,2}|two|three"
    r"|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)(?:-\w+)?)(?: years? old)?(?=$|[,.]| (?:and|in|on|this|next|last|years)\b)"
)
_MOMENTARY = re.compile(
    r"\b(?:right now|at the moment|just for today|for a moment|hang on|be right back|(?:is|are"
    r"|'m) (?:off to|on (?:my|their) way)|for now|in a (?:minute|second|moment)|(?:is|are"
    r"|'m) (?:hungry|thirsty|sleepy|tired|full|cold|late|early))\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:(?:says?|said|saying)(?! (?:goodbye|hello|hi|yes|no|thanks|sorry)\b)|claims?"
    r"|claimed|joked?|jokes|rumou?rs?|heard (?:that|it|he|she|they|you|from)|wishes|wished"
    r"|pretends?)\b",
    re.IGNORECASE,
)
_DEFINITE = re.compile(
    r"\bthe ([a-z][\w-]*)(?= (?:in|on|at|for|with|and|to|of|from|but|or|that|which|last|next"
    r"|yesterday|today|tomorrow|this)\b|[,.(]|$)"
)
_MOVED = re.compile(
    r"\b(?:is|are|was|were|been|feels?|felt) (?:\w+ly |so |very |super |all |always "
    r"|quite )*(?:excited|happy|proud|glad|thrilled|sad|stoked|pumped|amazed|grateful|thankful"
    r"|nervous|freaked|worried|upset|curious|inspired|mesmerized|moved by)\b"
    r"|\bwill (?:always |never )?(?:remember|forget|cherish|treasure)\b|\b(?:is"
    r"|was) (?:all )?about\b|\b(?:allow(?:s|ed)?|lets?|enabl(?:es|ed)|help(?:s|ed)?|got"
    r"|push(?:es|ed)|inspir(?:es|ed)|motivat(?:es|ed)) [A-Z]\w+(?:'s \w+)? (?:to )?(?:\w+ing"
    r"|explore|express|understand|feel|see|keep|grow|stay|find|be|think|appreciate|de-stress"
    r"|show)\b"
    r"|\b(?:had|have|has) an? (?:[\w-]+ )?(?:experience|time|day|week|weekend|feeling|moment"
    r"|chat|laugh)\b|\bwas an? [\w-]+ for\b|\bgoal is to (?:get|make|help|be|keep|give|share"
    r"|bring)\b|\bopened [\w']+ up\b|\bstarted (?:caring|feeling|thinking|realizing"
    r"|appreciating)\b|\bsticking to\b",
    re.IGNORECASE,
)
_POSSESSED = re.compile(r"\b(?:has|have|has got|owns) (?:an?|the|no|their|two|three|four|five|several|\d+) ")
_REFUSED = re.compile(r"\b(?:can't|cannot|doesn't|never) [a-z]+")
_ELLIPTIC = re.compile(
    r"\b(?:playing|practicing|practising|doing|using|learning|studying|reading|writing"
    r"|training|working|going|coming)"
    r" (?:ever since|since then|a lot|as usual|again|lately|hard|more|(?:for|in) (?:about "
    r"|almost |over |just under )?(?:an?|the|two|three|four|five|six|\d+) )"
    r"|\b(?:sounds?|looks?|seems?) like\b|^The (?:best|worst|hardest|funniest|coolest"
    r"|toughest) (?:part|thing|bit)\b"
    r"|\bthat (?:effect|feeling|kind|sort|other|same)\b|\bstay(?:s|ed)? away$|\bfavou?rite was when\b"
    r"|^The .*, and [A-Z]\w+$|\bmore into\b",
    re.IGNORECASE,
)
"""Activity whose object another turn names, and comparison with it."""
_PRONOUNS = ("it", "that", "they", "them", "there")
_GENERIC = re.compile(
    r"\b(?:is|are|has been|have been) (?:\w+ly |always |still |just |also |really |super "
    r"|pretty )*(?:working|putting|getting|living|livin'|turning|making|growing|focus(?:ed"
    r"|ing)|pushing|having|staying|keeping|going to (?:keep|stay|make|take|try|continue|be)"
    r"|busy(?! (?:\w+ing|at|with)\b)|on the hunt|over the moon|ready|down|game|part|into)\b"
    r"|\b(?:keeps|stays|remains|tries|strives|continues|wants? to (?:be|make|keep|help|inspire"
    r"|share|create|show|live|work|use))\b"
    r"|\b(?:had|have|has|having) (?:a |an |some |so |such |really |pretty )*(?:great|good|nice"
    r"|amazing|awesome|wonderful|tough|hard|rough|blast|ball|trouble|fun|quiet|wild|crazy"
    r"|busy)\b",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(r"\b(?:named|called)\b|[,\"']\s*[A-Z]")
_LAST = re.compile(
    r"\b(?:some|one|ones|another|other|others|more|most|same|this|that|these|those|it|them"
    r"|too much|with|of|to|for|in|on|at|a|an|the|and|or|but|so|as|than|is|are|was|my|their"
    r"|like|about|such|lot|because|if|when|while)$",
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
_MEASURED = re.compile(r"\b(?:takes?|took) (?:[\w.]+ ){1,3}(?:seconds|minutes|ms|milliseconds)\b")
_TROUBLE = words("english", "trouble")


def worth(claim: str, scene: Scene) -> float:
    """Return the worth of a claim already in the third person."""
    text = _DATE.sub("", claim)
    tokens = [m.group() for m in WORD.finditer(text)]
    small = [token.lower().removesuffix("'s") for token in tokens]
    verb = next((at for at, word in enumerate(small[1:8], start=1) if is_finite(word)), 0)
    named: set[str] = set()
    capital: set[str] = set()
    concrete: dict[str, int] = {}
    score, named_later = 0.0, False
    for at, (token, word) in enumerate(zip(tokens, small, strict=True)):
        if word in scene.called or word in w.FUNCTION:
            continue
        if token[0].isupper() and word in scene.names:
            named.add(word)
            named_later = named_later or at > verb
        elif token[0].isdigit() or (
            word not in _EMPTY and word not in _DURABLE and len(word) > 2 and not is_adverb(word)
        ):
            concrete.setdefault(word, at)
            if token[0].isupper() and at:
                capital.add(word)
    weights = {
        word: (1.0 if at > verb else 0.5) * (0.5 if word in _GENERIC_NOUNS else 1.0)
        for word, at in concrete.items()
    }
    score += min(sum(weights.values()), 4.0)
    score += 1.5 * min(len(named), 2) + 0.5 * min(len(capital), 2)
    score += 1.0 * (any(word in _DURABLE for word in small) or _POSSESSED.search(text) is not None)
    score += 0.5 * (_REFUSED.search(text) is not None)
    score += 0.5 * (text != claim or has_time(text)) + 0.5 * (_COUNTED.search(text) is not None)
    score += 1.0 * (any(word in _DEFINING for word in small) or _AGED.search(text) is not None)
    score += 0.5 * any(word in w.KIN | w.PETS for word in small)
    score += 0.75 * (
        verb > 0 and (is_past(small[verb]) or small[verb] in w.SAME_PAST) and small[verb] not in w.BE
    )
    score -= 0.75 * (_WISH.search(text) is not None)
    score -= 1.25 * (_CLICHE.search(text) is not None)
    score -= 1.5 * ("thinking that" in text)
    score -= 1.5 * (_MUSING.search(text) is not None or _MOVED.search(text) is not None) + 1.0 * (
        _GENERIC.search(text) is not None
    )
    score -= 0.5 * len(_DEGREE.findall(text))
    score -= 0.75 * len([word for word in small if word in _HOLLOW and word not in _PRONOUNS])
    score -= 0.5 * sum(word.lower() in concrete for word in _DEFINITE.findall(text))
    if (
        not named_later
        and not any(at > verb for at in concrete.values())
        and verb
        and (small[verb] in w.BE or small[verb + 1 : verb + 2] == ["been"])
    ):
        score -= 1.5
    return score - 0.5 * max(0, sum(word in _ABSTRACT or word in w.FEELINGS for word in small) - 1)


def points_outside(claim: str) -> bool:
    """Return True for "this bowl" and for a claim that breaks off: what is meant was seen or said elsewhere."""
    text = claim
    if _LAST.search(_DATE.sub("", claim)):
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
    """Return True for what holds for a moment only, and for what somebody is said to have said."""
    return _MOMENTARY.search(claim) is not None or _HEARSAY.search(claim) is not None


def is_worthwhile(claim: str, scene: Scene) -> bool:
    """Return True unless the claim points outside itself, breaks off, or would be of no use to anybody."""
    here = _AT_WORK.sub("", claim) if scene.at_work else claim
    if (
        points_outside(here)
        or _ELLIPTIC.search(_DATE.sub("", claim))
        or is_passing(claim)
        or _UNFIT.search(claim)
        or _BARE.fullmatch(claim)
    ):
        return False
    if not scene.at_work:
        return worth(claim, scene) >= ENOUGH
    small = {m.group().lower() for m in WORD.finditer(claim)}
    return not small & _TROUBLE and not _MEASURED.search(claim) and worth(claim, scene) >= ENOUGH_AT_WORK
