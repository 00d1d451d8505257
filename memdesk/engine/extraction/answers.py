"""Short answers: "How old is she?" and "Nine" make "Nell is nine"; a question that is not understood makes nothing."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.discourse import Discourse, Question
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import pairs, pattern, word_set
from memdesk.engine.extraction.third_person import is_finite, is_past, singular

_LONGEST = 12
"""Words of an answer that is read with its question; a longer one makes its own claims."""
_OPENING = pattern("answers", "opening")
_AUX = r"(?P<aux>do|does|did|is|are|was|were|'s|'re|has|have|will|can)"
_TAIL = r"(?: (?:now|these days|again|then|anyway|by the way|exactly|this time|though|actually))*\??$"
_ABOUT = re.compile(
    rf"(?P<wh>how old|how often|how long|how many (?P<counted>\w+)|how much|where|when|who|what time"
    rf"|which (?P<which>\w+(?: \w+)?)|what (?P<what>(?!(?:do|does|did|is|are|was|were|has|have"
    rf"|will|can|time|about|else|makes?|made)\b)(?:(?:other|new|kinds? of|sorts? of|types? of) )*\w+(?: of \w+)?)"
    rf"|what) ?{_AUX} (?P<rest>.+?){_TAIL}",
    re.IGNORECASE,
)
_DOER = pattern("answers", "doer")
_STATED = pattern("answers", "stated")
_STATE = pattern("answers", "state")
_KIND = re.compile(r"what (?:kind|breed|sort|type|species)\??$", re.IGNORECASE)
_OTHER = pattern("answers", "other")
_DOUBT = re.compile(r", (?:does|did|is|was|has|do|are|have|were)(?:n't)? \w+$", re.IGNORECASE)
_GOES_ON = pattern("answers", "goes_on")
"""Words that go on after an answer: "English, so quite the other side"."""
_LEADING = pattern("answers", "leading")
_OBJECT_ASKED = pattern("answers", "object_asked")
"""Rest of a question after "what do" or "what are" that asks for the object of an act of the person asked."""
_PASTIME = pattern("answers", "pastime")
_OWNED = pattern("answers", "owned")
"""Question for what a person has: "Do you have any pets?"."""
_COUNTED = pattern("answers", "counted")
_RELATED = re.compile(r"(?:brothers|siblings|sisters|kids|children|pets)(?: or \w+)?", re.IGNORECASE)
_NONE = pattern("answers", "none")
_STAYS = pattern("answers", "stays")
_WORKS = pattern("answers", "works")
_SINCE = pattern("answers", "since")
"""Time that an answer names by an event: "Since I was 17"."""
_DOING = pattern("answers", "doing")
_STATEMENT = re.compile(r"(?P<subject>[A-Z]\w+|(?:your|the) \w+) (?P<rest>\w+ .+|\w+s)$")
_YES = pattern("answers", "yes")
_NOT_YES = re.compile(r"\b(?:but|no|not|n't|except|almost|kind of|sort of|maybe|actually)\b", re.IGNORECASE)
_POLAR = pattern("answers", "polar")
_PLACED = re.compile(r"(?:in|at|on|near|from|to|with|by|over|around|outside)\b", re.IGNORECASE)
_TIMED = pattern("answers", "timed")
_COUNT = pattern("answers", "count")
_OFTEN = pattern("answers", "often")
_LIKED = word_set("like love enjoy")
_ARTICLES = word_set("a an the my")
_EDGES = " ,.!;:-–—~…"
_UNNAMED = word_set("everything anything something nothing stuff things sure idk know depends same")
_MOODS = w.VAGUE | w.FEELINGS


def question_of(sentence: str, asker: str) -> Question | None:
    """Return the question in a sentence that ends in a question mark; None if it is too long for a short answer."""
    text = _OPENING.sub("", sentence.strip(" ,")).strip()
    text = re.split(r"(?<=[a-z])[,;-] (?=(?:how|where|when|who|what|which|do|does|did|are|is)\b)", text)[-1]
    words = WORD.findall(text)
    return Question(asker, text) if 1 < len(words) <= 16 else None


_RETURNED = pattern("answers", "returned")


def returned(sentence: str, asked: Question | None, asker: str) -> Question | None:
    """Return the question just answered if the one who answers asks it back: "And you?"."""
    own = asked is not None and asked.asker != asker
    return (
        Question(asker, asked.text) if asked and own and _RETURNED.fullmatch(sentence.strip(" ,")) else None
    )


def answered(question: Question, answer: str, discourse: Discourse, speaker: str) -> str | None:
    """Return the clause that question and answer make together, with the speaker as "I"; None if they make none."""
    text = _small_start(answer.strip(_EDGES))
    text = re.split(r"\s*(?:—|--|\s-\s)\s*", text)[0]
    text = _cut(text)
    if not text or len(WORD.findall(text)) > _LONGEST:
        return None
    plain = (
        question.text.replace("What's", "What is")
        .replace("Where's", "Where is")
        .replace("Who's", "Who is")
        .replace("When's", "When is")
        .replace("what's", "what is")
    )
    plain = _SHORT_FAVOURITE.sub(lambda m: f"What is your {m['what'].lower()}?", plain)
    if _HOBBIES.fullmatch(plain) and not is_clause(text):
        named = _LEADING.sub("", text)
        return f"I like {named}" if _names(named) and _first(named) not in w.FUNCTION - _ARTICLES else None
    other = _OTHER.match(text)
    stated = _STATEMENT.match(_DOUBT.sub("", plain.rstrip("?")))
    if other and stated and _DOUBT.search(plain.rstrip("?")):
        return f"{other['who']} {stated['rest']}"
    chosen = _chosen(plain, text)
    if chosen:
        return chosen
    owned = _owned(plain, text)
    if owned:
        return _resolved(owned, discourse, speaker)
    yes = _YES.match(text)
    if yes:
        return _confirmed(plain, text[yes.end() :].strip(_EDGES), discourse, speaker)
    doing = None if _PASTIME.search(plain.rstrip("?")) else _DOING.match(text)
    if (
        doing
        and not re.search(
            r"\b(?:is|are|was|were|gives|makes|brings|helps|keeps|lets|takes|means|feels|'s|hobby|hobbies"
            r"|favou?rites?)\b",
            text,
        )
        and re.search(r"\byou\b", plain, re.IGNORECASE)
        and len(text.split()) > 1
    ):
        return _resolved(f"I am {text[:1].lower()}{text[1:]}", discourse, speaker)
    if is_clause(text) and not _SINCE.match(text):
        return None
    return _filled(plain, text, discourse, speaker)


_SHORT_FAVOURITE = re.compile(r"^(?:and |your |any )*(?P<what>favou?rite [\w ]{3,30})\?*$", re.IGNORECASE)
_HOBBIES = pattern("answers", "hobbies")
_DOUBTED = re.compile(r"\b(?:probably|maybe|perhaps|possibly|not sure|i guess|i think)\b", re.IGNORECASE)
_ASKED_FAVOURITE = pattern("answers", "asked_favourite")
_CHOSEN = pattern("answers", "chosen")
_NO_CHOICE = pattern("answers", "no_choice")


def _chosen(question: str, answer: str) -> str | None:
    """Return "My favorite movie is Inception" for a question about a favourite and the answer that names one."""
    asked = _ASKED_FAVOURITE.search(question)
    match = _CHOSEN.match(answer) if asked else None
    if asked is None or match is None:
        return None
    said = match["what"] or match["named"] or match["first"]
    what = re.split(r"(?:,| -|\s+because|\s+since|\s+but|\s+and (?:it|I|the)) ?\b", said)[0].strip(_EDGES)
    kind = asked["kind"].lower()
    several = (
        kind.endswith("s") and not kind.endswith(("ss", "series", "species", "us")) and " and " not in what
    )
    plain = kind[:-1] if several else kind
    if _NO_CHOICE.search(what) or all(word.lower() in _MOODS | w.FUNCTION for word in what.split()):
        return None
    return f"my favorite {plain} is {what}"


_YEARS = word_set("freshman sophomore junior senior first-year second-year third-year fourth-year")


def _cut(text: str) -> str:
    """Return a fragment without the clause that goes on after it; a clause is returned as it is."""
    head = _GOES_ON.sub("", text).strip(_EDGES)
    return head if head and not is_clause(head) else text


def _owned(question: str, answer: str) -> str | None:
    """Return "I have two sisters" for a question what the speaker has and an answer that counts it."""
    asked = _OWNED.match(question)
    if asked is None:
        return None
    yes = _YES.match(answer)
    counted = _LEADING.sub("", answer[yes.end() :] if yes else answer, count=1).strip(_EDGES)
    thing = asked["thing"] or asked["kin"]
    alone = _COUNT.match(counted)
    if _RELATED.fullmatch(thing):
        if _NONE.fullmatch(answer):
            return f"I have no {thing}"
        if alone and counted[alone.end() : alone.end() + 1] in ("", ",", ":", ";"):
            return f"I have {alone.group()} {thing}"
    verb = re.search(r"\byou (?:guys )?(own|play|speak)\b", question, re.IGNORECASE)
    if verb and verb[1].lower() in ("play", "speak") and not is_clause(counted) and _names(counted):
        return None if answer.lower().startswith("no") else f"I {verb[1].lower()} {counted}"
    if is_clause(counted) or not _COUNTED.match(counted):
        return None
    nouns = [
        word
        for word in WORD.findall(counted)
        if word.lower() not in w.FUNCTION and not _COUNT.fullmatch(word)
    ]
    return (
        f"I {verb[1].lower() if verb else 'have'} {counted}"
        if nouns and nouns[-1].lower() not in _MOODS
        else None
    )


def _small_start(text: str) -> str:
    """Return a fragment without the capital that only its place in the sentence gives it."""
    small = _first(text)
    return text[:1].lower() + text[1:] if small in w.FUNCTION or _COUNT.fullmatch(small) else text


def _first(text: str) -> str:
    """Return the first word in lower case, "" if there is none or it is the month of a day: "May 5th"."""
    first = WORD.match(text)
    return first.group().lower() if first and not re.match(r"May \d", text) else ""


def is_clause(text: str) -> bool:
    """Return True if an answer has its own subject and verb."""
    small = [m.group().lower() for m in WORD.finditer(text)]
    return (
        any(word.endswith("'s") and len(small) > 2 for word in small[:2])
        or any(word in w.SUBJECTS | w.THIRD for word in small[:3])
        or any(is_finite(word) and word not in w.SAME_PAST and word != "may" for word in small[1:6])
    )


def _filled(question: str, answer: str, discourse: Discourse, speaker: str) -> str | None:
    """Return the statement with the answer in the place of "where", "how old", "which region"."""
    state = _STATE.match(question)
    if state and _PLACED.match(answer):
        return _resolved(f"{spoken(state['subject'])} is {answer}", discourse, speaker)
    kind = _KIND.match(question)
    if kind and answer.lower().startswith(("a ", "an ")):
        being = discourse.latest_being()
        return f"{being} is {answer}" if being else None
    doer = _DOER.match(question)
    if doer and answer[:1].isupper() and len(answer.split()) <= 2 and answer.split()[0].lower() not in _MOODS:
        return _resolved(f"{answer} {doer['verb']} {spoken(doer['rest'])}", discourse, speaker)
    match = _ABOUT.match(question)
    if match is None:
        return None
    aux = match["aux"].lower()
    subject, verb = parted(match["rest"], aux)
    if subject is None:
        return None
    wh = _kind_of(match["wh"].lower())
    answer = _LEADING.sub("", answer, count=1)
    answer = re.sub(r"[, ]+(?:now|definitely|mostly|mainly|of course|for sure)$", "", answer)
    if _DOUBTED.match(answer):
        return None
    if wh == "what" and _PASTIME.match(match["rest"]) and _names(answer):
        opens = WORD.match(answer)
        act = opens is not None and opens.group().lower() in w.VERBS
        return f"I like {'to ' if act else ''}{answer}"
    if wh == "where" and not _PLACED.match(answer):
        answer = _placed(verb, answer)
    if not _fits(wh, answer, match):
        return None
    if (match["which"] or match["what"]) and is_past(subject.split()[0]):
        return None
    verb_said = agreed(subject, aux, verb)
    if match["what"] in ("year", "grade") and subject == "I" and answer.split()[0].lower() in _YEARS:
        return f"I am a {answer.lower()}"
    if wh == "how long" and aux in ("has", "have") and _COUNT.fullmatch(answer):
        answer = f"for {answer}"
    if wh == "how many" and _COUNT.fullmatch(answer):
        answer = f"{answer} {match['counted']}"
    if wh == "how old":
        return _resolved(f"{subject} {be(subject, aux)} {answer}", discourse, speaker)
    if match["which"] or match["what"]:
        return _resolved(f"{verb_said} {answer}", discourse, speaker) if verb else None
    if wh == "what" and verb and verb.split()[0] == "do":
        return (
            _resolved(f"{subject} {be(subject, 'is')} {answer}", discourse, speaker)
            if answer.lower().startswith(("a ", "an "))
            else None
        )
    return _resolved(f"{verb_said} {answer}", discourse, speaker)


def _placed(verb: str, name: str) -> str:
    """Return the name of a place with the preposition that the verb of the question needs, "" if it is no place."""
    if not name[:1].isupper() or len(name.split()) > 5:
        return ""
    if verb.split()[-1:] in (["from"], ["in"], ["at"], ["to"]):
        return name
    return f"in {name}" if _STAYS.match(verb) else f"at {name}" if _WORKS.match(verb) else ""


def _names(answer: str) -> bool:
    """Return True for a fragment that names things or activities, not a mood, a doubt or a comment."""
    small = [word.lower() for word in WORD.findall(answer)]
    telling = [word for word in small if word not in w.FUNCTION | _MOODS | w.CHATTER and len(word) > 2]
    return bool(telling) and not _UNNAMED & set(small) and small[0] not in w.OPENERS - {"well"}


def _kind_of(words: str) -> str:
    """Return "how old", "what time" or a single question word."""
    first, _, rest = words.partition(" ")
    second = rest.split(" ")[0]
    return f"{first} {second}" if first == "how" or second == "time" else first


def _fits(wh: str, answer: str, match: re.Match[str]) -> bool:
    """Return True if the answer is of the kind asked for: a number, a place, a time, a name."""
    first = _first(answer)
    if _SINCE.match(answer):
        return wh in ("when", "how long")
    if (
        not answer
        or first in ("during", "when", "while", "after", "before", "because", "well")
        or re.search(r",.*\b(?:I|we|they|he|she|it)\b", answer)
    ):
        return False
    if first in _MOODS | w.CHATTER | w.OPENERS or first in (
        "no",
        "not",
        "nothing",
        "none",
        "why",
        "what",
        "depends",
    ):
        return False
    if wh in ("how old", "how many", "how much"):
        return _COUNT.match(answer) is not None
    if wh == "how often":
        return _OFTEN.search(answer) is not None
    if wh == "where":
        return _PLACED.match(answer) is not None or answer[:1].isupper()
    if wh == "how long" and _COUNT.fullmatch(answer) and re.search(r"years|months|weeks", answer):
        return True
    if wh in ("when", "what time", "how long"):
        return _TIMED.search(answer) is not None
    if wh == "what" and not match["what"]:
        naming = re.search(
            r"\b(?:name|called|favou?rite|job|number|address|deadline|budget|size|title|surname"
            r"|nickname|password|email|major|minor|hobby|hobbies|hometown|profession|occupation|sign|dream)\b",
            match["rest"],
        )
        if _OBJECT_ASKED.match(match["rest"]):
            return _names(answer)
        return naming is not None or (
            match["rest"].split()[-1:] == ["do"] and answer.lower().startswith(("a ", "an "))
        )
    if wh == "who" and first == "me":
        return False
    if wh == "who":
        return answer[:1].isupper() or first == "my"
    return True


def _confirmed(question: str, more: str, discourse: Discourse, speaker: str) -> str | None:
    """Return the statement that "yes" confirms: "So you left the clinic?" and "Yes, in December"."""
    question = re.sub(
        r"^have you (?:guys )?ever (?=.*(?: [A-Z]|(?: \w+){3}))", "have you ", question, flags=re.IGNORECASE
    )
    if (
        _NOT_YES.search(more)
        or _NOT_YES.search(question)
        or re.search(r"\b(?:or|any\w*|ever|it|that|this|one|there|(?<!you )like)\b", question)
    ):
        return None
    tail = (
        f" {more}"
        if more
        and not is_clause(more)
        and (
            _PLACED.match(more)
            or re.match(r"(?:since|for|last|next|every|two|three|yesterday|until)\b", more, re.IGNORECASE)
        )
        else ""
    )
    if more and not tail and not is_clause(more):
        return None
    question = re.sub(r",? yet(?=\??$)", "", question)
    stated = _STATED.match(question)
    if stated and not re.match(
        r"(?:you|your) (?:know|think|want|mean|see|should|can|could|must|feel|look|sound)\b",
        stated["said"],
        re.IGNORECASE,
    ):
        return _resolved(spoken(stated["said"]) + tail, discourse, speaker)
    polar = _POLAR.match(question)
    if polar is None or polar["rest"].split()[0].lower() in _MOODS - _LIKED | {"doing", "okay"}:
        return None
    subject = spoken(polar["subject"])
    return _resolved(agreed(subject, polar["aux"].lower(), spoken(polar["rest"])) + tail, discourse, speaker)


def agreement(answer: str) -> int:
    """Return the length of a "yes" that a clause of its own follows: "Yes, I went to Italy in May"; 0 for another."""
    yes = _YES.match(answer)
    more = answer[yes.end() :] if yes else ""
    return yes.end() if yes and len(WORD.findall(more)) > 3 and is_clause(more) else 0


def _resolved(clause: str, discourse: Discourse, speaker: str) -> str | None:
    found = discourse.resolve(clause, speaker)
    return found[0] if found else None


def parted(rest: str, aux: str) -> tuple[str | None, str]:
    """Return (subject, verb and its complement) of the words after "where do" or "how old is"."""
    words = rest.split()
    if not words:
        return None, ""
    first = words[0].lower()
    if first in ("it", "this", "that", "there", "there's", "they", "these", "those"):
        return None, ""
    size = 1
    if first in ("your", "the", "my", "our", "his", "her"):
        size = next(
            (
                at
                for at in range(2, len(words))
                if is_finite(words[at].lower()) or words[at].lower() in w.FUNCTION
            ),
            len(words),
        )
        size = min(size, 4) if len(words) > 4 else size
        if any(word.lower().startswith("favo") for word in words[:4]):
            words = re.split(r" (?:growing up|as a|when you|ever|of all|you)\b", " ".join(words))[0].split()
            size = len(words)
    elif words[0][0].isupper():
        size = next(
            (at for at in range(1, len(words)) if not (words[at][0].isupper() or words[at] == "and")),
            len(words),
        )
    return spoken(" ".join(words[:size])), spoken(" ".join(words[size:]))


_SWAP = {
    "you": "I",
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "you're": "I'm",
    "you've": "I've",
    "you'll": "I'll",
}


def spoken(text: str) -> str:
    """Return words of the asker as the one who answers would use them: "your sister" becomes "my sister"."""
    return WORD.sub(lambda m: _SWAP.get(m.group().lower(), m.group()), text)


def be(subject: str, aux: str) -> str:
    if subject == "I":
        return "was" if aux in ("was", "were") else "am"
    return {"'s": "is", "'re": "are", "do": "is", "does": "is"}.get(aux, aux)


def agreed(subject: str, aux: str, verb: str) -> str:
    """Return subject and verb in the order of a statement: "did you meet" becomes "I met"."""
    if aux in ("do", "does", "did"):
        head, _, tail = verb.partition(" ")
        form = head if subject == "I" and aux != "did" else _past(head) if aux == "did" else singular(head)
        return f"{subject} {form} {tail}".strip()
    if aux in ("will", "can", "has", "have"):
        return f"{subject} {'have' if subject == 'I' and aux == 'has' else aux} {verb}".strip()
    return f"{subject} {be(subject, aux)} {verb}".strip()


_PAST = pairs("english", "irregular_pasts")


def _past(verb: str) -> str:
    small = verb.lower()
    if small in _PAST or small in w.SAME_PAST:
        return _PAST.get(small, small)
    if small.endswith("e"):
        return small + "d"
    return small[:-1] + "ied" if small.endswith("y") and small[-2:-1] not in "aeiou" else small + "ed"
