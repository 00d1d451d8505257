"""Claims in simple Japanese sentences: 私は東京に住んでいます gives 田中は東京に住んでいます.

Only unambiguous forms are read; the text around them is ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction.found import Draft
from memdesk.engine.extraction.language import Sentence
from memdesk.engine.extraction.scene import Scene

LONGEST = 120
_SELF = re.compile("^(?:私たち|私|僕|俺|わたし|ぼく|自分)(?P<mark>は|の|も)")
_OPENING = re.compile(
    "^(?:(?:はい|ええ|うん|実は|ちなみに|あと|それと|覚えておいて(?:ください)?|えっと)[、,：:\\s]*)+"
)
_OTHER = re.compile("^[^、。はがを]{1,12}は")
_FORMS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile("(?:に住んで|で暮らして)(?:います|いる|る)$"), "fact", "current"),
    (re.compile("(?:で働いて|で勤務して|に勤めて)(?:います|いる|る)$"), "fact", "current"),
    (re.compile("が(?:大好き|好き|大嫌い|嫌い|苦手)(?:です|だ)?$"), "preference", "current"),
    (re.compile("(?:が|は)好き(?:では|じゃ)(?:ない|ありません)(?:です)?$"), "preference", "current"),
    (re.compile("(?:アレルギー|ベジタリアン)(?:が(?:あります|ある)|です|だ)$"), "constraint", "current"),
    (re.compile("に引っ越し(?:ました|た)$"), "event", "past"),
    (re.compile("(?:に|へ)行き(?:ました)$|を(?:買い|始め|卒業し)(?:ました)$"), "event", "past"),
    (re.compile("\\d{1,3}歳(?:です|だ)$"), "fact", "current"),
    (re.compile("(?:名前|誕生日|職業|好きな[^、。は]{1,10})は[^、。は]{1,20}(?:です|だ)$"), "fact", "current"),
    (re.compile("を(?:使って|飼って|勉強して)(?:います|いる|る)$"), "fact", "current"),
)  # fmt: skip
"""Forms of a claim: the pattern of its ending, its category and its time."""
_UNSURE = re.compile("たぶん|多分|おそらく")
_TRAILING = "。.！!〜～ね、 　"


def claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claim of one Japanese sentence, if its form is unambiguous. Agents make none."""
    opened = _OPENING.match(sentence.text)
    start = opened.end() if opened else 0
    body = sentence.text[start:].rstrip(_TRAILING)
    form = next((form for form in _FORMS if form[0].search(body)), None)
    if form is None or sentence.asked or scene.agent or len(body) > LONGEST:
        return
    yield Draft(
        claim=_retold(body, scene.speaker),
        category=form[1],
        certainty="uncertain" if _UNSURE.search(body) else "explicit",
        temporal=form[2],
        start=sentence.start + start,
        end=sentence.start + start + len(body),
    )


def _retold(body: str, speaker: str) -> str:
    """Return the claim with the speaker's name for 私; a sentence without a topic is about its speaker."""
    if match := _SELF.match(body):
        return f"{speaker}{match['mark']}{body[match.end() :]}"
    return body if _OTHER.match(body) else f"{speaker}は{body}"
