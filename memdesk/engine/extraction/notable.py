"""Notable sentences: the chance that a sentence of a conversation tells something that one would look for a year later.

A logistic regression over signs of the sentence, of the question it answers and of what follows it, over English,
Chinese and Japanese. Fitted by `python -m tests.bench.notable --write` to dialogues whose facts their writers marked;
how well it does on further ones is in tests/bench/README.md."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction import third_person, worth
from memdesk.engine.extraction.findings import Scene
from memdesk.engine.extraction.language import HAN, WORD, Sentence
from memdesk.engine.extraction.lexicon import numbers, pattern, words

TONGUES = ("en", "zh", "ja")
COUNTED = (
    "number",
    "date",
    "when",
    "family",
    "health",
    "work",
    "home",
    "likes",
    "rule",
    "change",
    "responsible",
    "technical",
    "mood",
    "passing",
    "supposed",
    "offer",
    "hearsay",
    "addressed",
    "own",
    "pointing",
    "order",
)
"""Signs that are counted in the sentence, up to MOST."""
ANCHORS = ("number", "date", "family", "health", "home", "likes", "technical")
"""Signs of which a sentence has one, or a name, if it does not speak in general."""
MOST = 3
_SIGNS = {name: pattern("notable", name) for name in COUNTED}
_TELLING = ("number", "date", "when", "family", "health", "work", "home", "likes", "technical")
"""Signs of a subject, which a question passes on to its answer."""
_RETRACTED = pattern("notable", "retracted")
_ASKS_VALUE = pattern("notable", "asks_value")
_PLEASANTRY = pattern("notable", "asks_pleasantry")
_NAME = re.compile(
    rf"(?<=[\w,;:'’\"] )[A-Z][\w'-]+|^[A-Z][a-z]+(?= [A-Z][a-z])|[ァ-ヴー]{{3,}}|[小阿老][{HAN}](?![{HAN}]?[的是])"
    rf"|[{HAN}]{{1,3}}(?:さん|くん|ちゃん|先生|师傅|老师|工)|(?<![A-Za-z])[A-Z][A-Za-z0-9-]+(?=[{HAN}ぁ-ん])"
)
_DENSE, _LONG, _SHORT = 2.5, 60, 22
"""Letters that one of a dense script counts for; of a sentence of middle length; of a short one."""
_ODDS = 4.0
_EMPTY = (
    w.FEELINGS
    | words("english", "abstract")
    | words("english", "hollow") - {"it", "that", "they", "them", "there"}
)
_WEIGHTS = numbers("notable_weights", "weights")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Sentence where it was said. question: the one that it answers, "" if none. after: what was said next.

    first: it is the first sentence of its turn."""

    tongue: str
    sentence: Sentence
    scene: Scene
    question: str = ""
    after: str = ""
    first: bool = False


def signs(spoken: Spoken) -> dict[str, float]:
    """Return the signs of a sentence by name, each from 0 to some 3."""
    text, question = spoken.sentence.text, spoken.question
    found = {name: float(min(len(sign.findall(text)), MOST)) for name, sign in _SIGNS.items()}
    dense = spoken.tongue in ("zh", "ja")
    length = len(text) * (_DENSE if dense else 1.0)
    work, value = float(spoken.scene.at_work), float(_ASKS_VALUE.search(question) is not None)
    return found | {
        "named": float(min(_named(text, spoken.scene), MOST)),
        "length": min(length / _LONG, 2.5),
        "short": float(length < _SHORT),
        "first": float(spoken.first),
        "answers": float(bool(question)),
        "asks_value": value,
        "asks_pleasantry": float(_PLEASANTRY.search(question) is not None),
        "asks_about": float(
            min(
                sum(_SIGNS[name].search(question) is not None for name in _TELLING)
                + len(_NAME.findall(question)),
                MOST,
            )
        ),
        "value": value * min(found["number"] + found["date"] + found["when"], 2.0),
        "retracted": float(_RETRACTED.search(spoken.after) is not None),
        "retracts": float(_RETRACTED.search(text) is not None),
        "clauses": float(min(len(re.findall("[,，、;；]", text)), MOST)),
        "rule_at_work": work * found["rule"],
        "order_at_work": work * found["order"],
        "at_work": work,
        "worth": _worth(spoken) if spoken.tongue == "en" and not work else 0.0,
        "abstract": float(min(sum(m.group().lower() in _EMPTY for m in WORD.finditer(text)), MOST))
        if spoken.tongue == "en"
        else 0.0,
        "chinese": float(spoken.tongue == "zh"),
        "japanese": float(spoken.tongue == "ja"),
    }


def _named(text: str, scene: Scene) -> int:
    """Return the number of names in a text that are not those of the speakers."""
    return sum(match.group().lower() not in scene.called for match in _NAME.finditer(text))


def _worth(spoken: Spoken) -> float:
    """Return the odds, about -1 to 1, that the sentence in the third person is worth keeping."""
    scene = spoken.scene
    claim = third_person.in_third_person(
        spoken.sentence.text, speaker=scene.speaker, partner=scene.partner
    ).text
    likely = worth.worth(claim, scene, "implied", answer=bool(spoken.question))
    return math.log(likely / (1 - likely)) / _ODDS


def chance(spoken: Spoken) -> float:
    """Return the chance, 0 to 1, that a sentence tells something worth remembering; 0 in a language not known."""
    if spoken.tongue not in TONGUES or spoken.sentence.asked:
        return 0.0
    found = signs(spoken)
    total = _WEIGHTS["constant"] + sum(_WEIGHTS[name] * value for name, value in found.items())
    return 1 / (1 + math.exp(-total))


def is_concrete(spoken: Spoken) -> bool:
    """Return False for a sentence that speaks in general."""
    text = spoken.sentence.text
    return _named(text, spoken.scene) > 0 or any(_SIGNS[name].search(text) for name in ANCHORS)
