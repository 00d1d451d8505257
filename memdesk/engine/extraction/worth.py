"""Worth of an English claim: the chance that a stranger, reading it months later, would find it true and useful.

The chance is a logistic sum over a few signs of the claim's wording, and the confidence of the fact. Its weights are
data (lexicon/worth.txt), fitted by tests/bench/worth.py to claims that a person judged."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.cues import hedged
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.gazetteer import TOPICS
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import entries, numbers, pattern, word_set, words
from memdesk.engine.extraction.self_contained import RESOLVED, is_self_contained
from memdesk.engine.extraction.third_person import is_adverb, is_finite, is_past
from memdesk.engine.extraction.times import has_time
from memdesk.model.fact import CERTAINTY

ENOUGH = 0.5
"""Least chance of a claim that is kept between people."""
ENOUGH_AT_WORK = 1.0
"""Least substance of a claim that is kept in work with an agent."""

_ABSTRACT = words("english", "abstract")
_FAMILY = w.KIN | w.PETS | words("english", "plural_kin") | frozenset(("dogs", "cats"))
_GENERIC_NOUNS = words("english", "generic")
_DURABLE = words("english", "durable")
_DEFINING = words("english", "defining")
_HOLLOW = words("english", "hollow")
_EMPTY = w.VAGUE | w.FEELINGS | _ABSTRACT | _HOLLOW
_COUNTED = pattern("worth_signs", "counted")
_MUSING = pattern("worth_signs", "musing")
_CLICHE = re.compile(
    r"\b(?:" + "|".join(map(re.escape, entries("english", "cliches"))) + r")\b",
    re.IGNORECASE,
)
_WISH = re.compile(r"\b(?:hoping|trying|tries|aims?|aiming|planning) to\b|\bhopes to\b", re.IGNORECASE)
_DEGREE = pattern("worth_signs", "degree")
_AGED = pattern("worth_signs", "aged", flags=0)
_DEFINITE = pattern("worth_signs", "definite", flags=0)
_MOVED = pattern("worth_signs", "moved")
_POSSESSED = re.compile(r"\b(?:has|have|has got|owns) (?:an?|the|no|their|two|three|four|five|several|\d+) ")
_REFUSED = re.compile(r"\b(?:can't|cannot|doesn't|never) [a-z]+")
_PRONOUNS = ("it", "that", "they", "them", "there")
_GENERIC = pattern("worth_signs", "generic")

_AT_WORK = pattern("worth_signs", "at_work")
_MEASURED = re.compile(r"\b(?:takes?|took) (?:[\w.]+ ){1,3}(?:seconds|minutes|ms|milliseconds)\b")
_TROUBLE = words("english", "trouble")
_LIKES = re.compile(r"\b(?:loves?|loved|likes?|liked|enjoys?|enjoyed|adores?|into|fan of|passionate about)\b")
_UNTOLD = pattern("worth_signs", "untold", flags=0)
_OPENING_ARTICLE = re.compile(r"^(?:The|Some|One|A|An|Another|Those|These|All)\b")


_ROLE = pattern("worth_signs", "role", flags=0)
_HABIT = pattern("worth_signs", "habit", flags=0)
_GIVEN_UP = re.compile(r"\b(?:stopped|quit|gave up|no longer)\b")
_NEXT = re.compile(r"\b(?:new|next|newest|latest|other|another|own|same|more|different|certain|again)\b")
_RECENT = re.compile(r"\b(?:recently|lately|currently|these days|nowadays)\b", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|at|to|from|near|around|for) (?:the )?[A-Z][a-z]+")
_GOING_ON = re.compile(r"\b(?:still|keeps?|continues?|has been|have been)\b")


_MILESTONE = pattern("worth_signs", "milestone", flags=0)
_HEALTH = pattern("worth_signs", "health", flags=0)
_DURATION = pattern("worth_signs", "duration", flags=0)
_FAVOURITE = re.compile(r"\b(?:favou?rites?|faves?|prefers?|obsessed with|addicted to)\b")
_ORIGIN = pattern("worth_signs", "origin", flags=0)
_WANT = re.compile(r"\b(?:wants?|wanted|hopes?|dreams? (?:of|is)|would (?:like|love))\b")
_WAS_DOING = re.compile(r"\b(?:was|were) (?:\w+ly )?\w+ing\b")
_DESCRIBED = pattern("worth_signs", "described", flags=0)
"""Adjective alone: "is picky"."""
_NAMING = re.compile(r"\b(?:called|named|nickname\w*) (?:(?:the|a|an) )?[A-Z\"]")
_DUTY = re.compile(r"\b(?:needs?|has|had|have|ought|supposed) to\b|\b(?:should|must)\b")
_OF_TODAY = pattern("worth_signs", "of_today", flags=0)
_DENIED = re.compile(r"\b(?:doesn't|don't|didn't|hasn't|haven't|isn't|wasn't|aren't|never|not|no)\b")
_OPINION = re.compile(r"\b(?:thinks?|thought|finds|seems?|supposed|told|said|asked|tells|says)\b")
_OCCUPIED = pattern("worth_signs", "occupied", flags=0)
_SECOND = pattern("worth_signs", "second", flags=0)
"""Start of a second statement: "…, but the weather was bad"."""
_OUTSIDER = pattern("worth_signs", "outsider", flags=0)
_DAYS_OLD = pattern("worth_signs", "days_old")
_DATE = pattern("worth_signs", "date", flags=0)
_OF_THE_WEEK = pattern("worth_signs", "of_the_week")
"""Duty of a week, over soon: "has two exams on Friday"."""
_CASUAL = pattern("worth_signs", "casual")
_NUMBER_ALONE = pattern("worth_signs", "number_alone", flags=0)
_STATE = pattern("worth_signs", "state", flags=0)
_LIKES_A_KIND = pattern("worth_signs", "likes_a_kind", flags=0)
_BUILT = pattern("worth_signs", "built", flags=0)
"""Trade, trained body or measure of a person: "is a swimmer", "weighs 200 pounds"."""
_REFUSES = pattern("worth_signs", "refuses", flags=0)
_ALWAYS = re.compile(r"\b(?:has|have) always\b|\balways (?:been|wanted|loved)\b")
_FAN = pattern("worth_signs", "fan", flags=0)
_HERITAGE = pattern("worth_signs", "heritage", flags=0)
_ASPIRES = pattern("worth_signs", "aspires", flags=0)
_LOVES = re.compile(r"\blove[sd]?\b")
_LOOSE = re.compile(r"\b(?:things?|what|who|guys?|only|very|an? (?:\w+ )?friend|gets|still)\b")
_SEASON = pattern("worth_signs", "season", flags=0)
_SOON = pattern("worth_signs", "soon")
_TOPIC = re.compile(rf"\b(?:{w.alternatives(frozenset(TOPICS))})\b", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class _Words:
    """Words of a claim, and those of them that tell which thing is meant.

    small: in lower case. verb: index of the first finite verb, 0 if none. named: names of others. capital: other words
    with a capital. concrete: other informative words with their index. named_later: a name follows the verb."""

    text: str
    small: list[str]
    verb: int
    dated: bool
    named: set[str] = field(default_factory=set)
    capital: set[str] = field(default_factory=set)
    concrete: dict[str, int] = field(default_factory=dict)
    named_later: bool = False

    @property
    def predicate(self) -> str:
        """Return the first finite verb, "" if there is none."""
        return self.small[self.verb] if self.verb else ""

    @property
    def weight(self) -> float:
        """Return the number of informative words, those before the verb and those of a general kind counted half."""
        return sum(
            (1.0 if at > self.verb else 0.5) * (0.5 if word in _GENERIC_NOUNS else 1.0)
            for word, at in self.concrete.items()
        )

    @property
    def happened(self) -> bool:
        """Return True if the claim states an act of the past."""
        verb = self.predicate
        return verb not in w.BE and (is_past(verb) or verb in w.SAME_PAST)


def _words(claim: str, scene: Scene) -> _Words:
    text = RESOLVED.sub("", claim)
    tokens = [m.group() for m in WORD.finditer(text)]
    small = [token.lower().removesuffix("'s") for token in tokens]
    verb = next((at for at, word in enumerate(small[1:8], start=1) if is_finite(word)), 0)
    found = _Words(
        text=text,
        small=small,
        verb=verb,
        dated=text != claim or has_time(text) or _DATE.search(text) is not None,
    )
    for at, (token, word) in enumerate(zip(tokens, small, strict=True)):
        if word in scene.called or word in w.FUNCTION:
            continue
        if token[0].isupper() and word in scene.names:
            found.named.add(word)
            found.named_later = found.named_later or at > verb
        elif token[0].isdigit() or (
            word not in _EMPTY and word not in _DURABLE and len(word) > 2 and not is_adverb(word)
        ):
            found.concrete.setdefault(word, at)
            if token[0].isupper() and at:
                found.capital.add(word)
    return found


def substance(claim: str, scene: Scene) -> float:
    """Return a rough measure of what a claim states: names, numbers, dates, lasting states, less what is empty."""
    return _substance(claim, _words(claim, scene))


def _substance(claim: str, said: _Words) -> float:
    text, small = said.text, said.small
    score = min(said.weight, 4.0)
    score += 1.5 * min(len(said.named), 2) + 0.5 * min(len(said.capital), 2)
    score += 1.0 * (any(word in _DURABLE for word in small) or _POSSESSED.search(text) is not None)
    score += 0.5 * (_REFUSED.search(text) is not None)
    score += 0.5 * said.dated + 0.5 * (_COUNTED.search(text) is not None)
    score += 1.0 * (any(word in _DEFINING for word in small) or _AGED.search(text) is not None)
    score += 0.5 * any(word in w.KIN | w.PETS for word in small)
    score += 0.75 * said.happened
    score -= 0.75 * (_WISH.search(text) is not None)
    score -= 1.25 * (_CLICHE.search(text) is not None)
    score -= 1.5 * ("thinking that" in text)
    score -= 1.5 * (_MUSING.search(text) is not None or _MOVED.search(text) is not None)
    score -= 1.0 * (_GENERIC.search(text) is not None)
    score -= 0.5 * len(_DEGREE.findall(text))
    score -= 0.75 * len([word for word in small if word in _HOLLOW and word not in _PRONOUNS])
    score -= 0.5 * sum(word.lower() in said.concrete for word in _DEFINITE.findall(text))
    if _says_nothing_of_it(said):
        score -= 1.5
    return score - 0.5 * max(0, sum(word in _ABSTRACT or word in w.FEELINGS for word in small) - 1)


def _says_nothing_of_it(said: _Words) -> bool:
    """Return True if "is" and "has been" have no informative word after them."""
    being = said.predicate in w.BE or said.small[said.verb + 1 : said.verb + 2] == ["been"]
    specific = said.named_later or any(at > said.verb for at in said.concrete.values())
    return said.verb > 0 and being and not specific


def signs(claim: str, scene: Scene, certainty: str, *, answer: bool = False) -> dict[str, float]:
    """Return the signs of a claim's worth by name, each about 0 to 3, 0 if absent. answer: it answers a question."""
    said = _words(claim, scene)
    text, small = said.text, said.small
    count = len(small)
    own = small[0] in scene.called if small else False
    people = {name.lower() for name in scene.discourse.people}
    aged = _AGED.search(text) is not None
    return {
        "answer": float(answer),
        "milestone": float(_MILESTONE.search(text) is not None),
        "health": float(_HEALTH.search(text) is not None),
        "naming": float(_NAMING.search(text) is not None),
        "duty": float(_DUTY.search(text) is not None),
        "of_today": float(_OF_TODAY.search(text) is not None),
        "denied": float(_DENIED.search(text) is not None),
        "opinion": float(_OPINION.search(text) is not None),
        "occupied": float(_OCCUPIED.search(text) is not None),
        "topic": float(_TOPIC.search(text) is not None),
        "world": float(not (scene.called | people) & set(small)),
        "explicit": float(certainty == "explicit"),
        "hedged": float(hedged(claim)),
        "substance": _substance(claim, said),
        "telling": min(said.weight, 5.0),
        "named": float(min(len(said.named), 2)),
        "dated": float(said.dated),
        "happened_dated": float(said.happened and said.dated),
        "happened_undated": float(
            said.happened and not said.dated and not said.named and not _GIVEN_UP.search(text)
        ),
        "defining": float(
            any(x in _DEFINING for x in small)
            or aged
            or _ROLE.search(text) is not None
            or _HABIT.search(text) is not None
            or _GIVEN_UP.search(text) is not None
        ),
        "kin": float(any(x in _FAMILY for x in small)),
        "likes": float(_LIKES.search(text) is not None),
        "generic": float(_GENERIC.search(text) is not None),
        "pronoun": float(min(sum(x in ("it", "they", "them", "he", "she", "there") for x in small), 2)),
        "untold": float(min(len(_UNTOLD.findall(text)), 2)),
        "definite": float(min(sum(x.lower() in said.concrete for x in _DEFINITE.findall(text)), 2)),
        "not_speaker": float(not own),
        "article_first": float(_OPENING_ARTICLE.match(text) is not None),
        "long": max(0.0, (count - 14) / 6),
        "likes_a_kind": float(own and _LIKES_A_KIND.match(text) is not None),
        "built": float(own and _BUILT.match(text) is not None),
        "proper": float(bool(said.named or said.capital)),
        "next": float(_NEXT.search(text) is not None),
        "recent": float(_RECENT.search(text) is not None),
        "place": float(_PLACE.search(text) is not None),
        "quoted": float('"' in text),
        "going_on": float(_GOING_ON.search(text) is not None),
        "duration": float(_DURATION.search(text) is not None),
        "favourite": float(_FAVOURITE.search(text) is not None),
        "origin": float(_ORIGIN.search(text) is not None),
        "want": float(_WANT.search(text) is not None),
        "used_to": float("used to" in text),
        "was_doing": float(_WAS_DOING.search(text) is not None),
        "short": max(0.0, (7 - count) / 2),
        "described": float(_DESCRIBED.search(text) is not None and not aged),
        "second": float(not aged and any(is_finite(m["verb"].lower()) for m in _SECOND.finditer(text, 8))),
        "outsider": float(_OUTSIDER.search(text) is not None),
        "days_old": float(_DAYS_OLD.search(text) is not None),
        "of_the_week": float(_OF_THE_WEEK.search(text) is not None),
        "refuses": float(_REFUSES.search(text) is not None),
        "always": float(_ALWAYS.search(text) is not None),
        "fan": float(_FAN.search(text) is not None),
        "heritage": float(_HERITAGE.search(text) is not None),
        "aspires": float(_ASPIRES.search(text) is not None),
        "loves": float(_LOVES.search(text) is not None),
        "loose": float(min(len(_LOOSE.findall(text)), 2)),
        "season": float(_SEASON.search(text) is not None),
        "soon": float(_SOON.search(text) is not None),
        "casual": float(_CASUAL.search(text) is not None),
        "number_alone": float(_NUMBER_ALONE.search(text) is not None),
        "plain_state": float(count <= 9 and _STATE.search(text) is not None),
        "trait": float(_is_trait(claim, scene)),
    }


_WEIGHTS = numbers("worth", "english")
_OCCUPATION = (
    r"an? (?!(?:great|good|bad|real|true|bit|total|natural|born)\b)(?:[\w-]+ ){0,2}?"
    rf"(?:{w.alternatives(words('english', 'occupations') | words('english', 'callings'))})\b"
)
"""Occupation or year of study of a person, without praise."""
_TRAIT = re.compile(
    r"(?:(?:is|was)(?: originally| actually)? (?:from|born in|raised in) (?!here\b|there\b|a\b|an\b"
    r"|like\b|the [a-z])\w+"
    r"|grew up (?:in|on|near) |(?:lives|works) (?:in|near|at|for|as) (?!it\b|here\b|there\b)\w+"
    rf"|(?:is|was|became|has been|used to be|(?:wants|hopes|is going) to (?:be|become))(?: now| still)? {_OCCUPATION}"
    r"|(?:wants|hopes) to (?:work|live) (?:in|near|at|for|as) (?!it\b|here\b|there\b)\w+"
    r"|(?:plays|speaks|teaches|studies|coaches|majors in|is (?:studying|majoring in|learning)) (?:the )?"
    r"(?!with\b|at\b|around\b|in\b|on\b|for\b|an?\b|some\b|all\b|more\b)\w{3,}"
    r"|has (?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|no) (?:\w+ )?"
    rf"(?:{w.alternatives(_FAMILY | frozenset(('siblings', 'sibling')))})\b"
    r"|(?:doesn't|does not|never|can't|cannot) (?:eats?|drinks?|smokes?|drives?|swims?|speaks?)\b"
    r"|is (?:allergic|vegan|vegetarian|married|engaged|divorced|widowed|left-handed|colou?r ?blind|bilingual|adopted"
    r"|diabetic|lactose|terrified of|afraid of|scared of|terrible at|bad at|good at|(?:called|named) [A-Z]\w+)\b)"
    r"(?:[\w' -]|, (?=and\b)){0,40}$"
)
_POINTING_WORDS = word_set("it that this them these those there here one ones they both too either now lol")


def worth(claim: str, scene: Scene, certainty: str, *, answer: bool = False) -> float:
    """Return the chance, 0 to 1, that a claim in the third person is worth keeping."""
    total = _WEIGHTS["constant"] + sum(
        _WEIGHTS.get(name, 0.0) * value
        for name, value in signs(claim, scene, certainty, answer=answer).items()
    )
    return 1 / (1 + math.exp(-total))


def _is_trait(claim: str, scene: Scene) -> bool:
    """Return True if a claim is a lasting trait, with its object, of a speaker, their family or a person they know."""
    tokens = [match.group().lower() for match in WORD.finditer(claim)]
    own = bool(tokens) and tokens[0].removesuffix("'s") in scene.called | scene.discourse.acquaintances
    kin = own and tokens[0].endswith("'s") and len(tokens) > 2 and tokens[1] in _FAMILY
    subject = 1 + kin + (kin and tokens[2] in scene.names)
    said = tokens[subject:]
    if not own or (tokens[0].endswith("'s") and not kin) or not 2 <= len(said) <= 9:
        return False
    empty = _EMPTY | w.FUNCTION - {"no"}
    rest = claim.split(" ", subject)[-1]
    return (
        (_TRAIT.match(rest) or _AGED.match(rest)) is not None
        and said[-1] not in empty
        and not (
            _OF_TODAY.search(claim)
            or _DEGREE.search(claim)
            or _POINTING_WORDS & set(said)
            or _CLICHE.search(claim)
        )
    )


def confidence(claim: str, scene: Scene, certainty: str, *, answer: bool = False) -> float:
    """Return the confidence of a claim: its worth between people, that of its words in work with an agent.

    0 for a claim that is not to be believed: it points outside itself, breaks off, or is of no use to anybody."""
    if not is_self_contained(_AT_WORK.sub("", claim) if scene.at_work else claim):
        return 0.0
    if not (scene.at_work or scene.agent):
        chance = worth(claim, scene, certainty, answer=answer)
        return round(chance, 2) if chance >= ENOUGH else 0.0
    small = {m.group().lower() for m in WORD.finditer(claim)}
    useful = (
        not small & _TROUBLE and not _MEASURED.search(claim) and substance(claim, scene) >= ENOUGH_AT_WORK
    )
    return CERTAINTY[certainty] if useful else 0.0
