"""Claims in Japanese sentences: 二月に京都へ引っ越したんだ gives 蓮は二月に京都へ引っ越した.

A clause is read if its ending is one of the forms of lasting states, events, preferences and, to an agent, rules;
its subject is its own topic, a relative, the topic of the question before it, or the speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction.discourse import Discourse, Mention, Question
from memdesk.engine.extraction.english_words import alternatives
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import Sentence
from memdesk.engine.extraction.lexicon import pattern, words

LONGEST = 120
_OPENING = pattern("japanese", "opening", flags=0)
_SELF = re.compile("^(?:私たち|私|僕|俺|わたし|ぼく|自分|うち)(?P<mark>は|の|も|が)")
_KIN = alternatives(words("japanese", "kin"))
_RESPECTED = alternatives(words("japanese", "respected_kin"))
_RELATIVE = re.compile(
    f"^(?P<kin>(?:一番上の|上の|下の)?(?:{_KIN}))(?P<name>の[^、。はがもにを]{{1,6}})?(?P<mark>は|が|も|を)"
)
_TOPIC = re.compile("^(?P<topic>[^、。を]{1,18}?)(?P<mark>は|が|も(?![りうっ]))")
_IS_SOMEBODY = re.compile(
    f"^(?:(?:一番上の|上の|下の)?(?:{_KIN})|私|僕"
    f"|俺)(?:の[^、。は]{{1,6}})?は[^、。はが]{{2,14}}[々一-龥ァ-ヶーa-zA-Z](?:です|だ)$"
)
_ONGOING = re.compile("[をにで][^、。]{1,14}[てで](?:いる|る|います)$")
_NOW = re.compile("今(?!は|年|月|週)|さっき|まさに")
_OWN_HEAD = pattern("japanese", "own_head", flags=0)
_NO_TOPIC = pattern("japanese", "no_topic", flags=0)
_SEAM = re.compile("(?<=[てでどらがし])、|(?<=から)、|(?<=ので)、")
_PASSING = re.compile(alternatives(words("japanese", "passing")))
_UNSURE = re.compile("たぶん|多分|おそらく|かも|と思う|らしい|みたい")
_NOT_SAID = pattern("japanese", "not_said", flags=0)
_DONE = pattern("japanese", "done", flags=0)
_STATE = pattern("japanese", "state", flags=0)
_PREFERENCE = pattern("japanese", "preference", flags=0)
_TRAIT = re.compile(
    f"(?:{alternatives(words('japanese', 'roles'))})(?:が(?:あります|ある)|です|だ|なん)?$"
    f"|(?:船酔い|車酔い|乗り物酔い|早起き|夜更かし|自炊|弾き語り)(?:する|します)$"
    "|の[^、。]{0,8}(?:会社|大学|高校|病院|学校|職場|部署|支店|工場|研究室)(?:です|だ"
    "|のまま)?$|(?:歳|才)(?:です|だ|になった|になりました|になる|になります)?$"
)
_ABOUT = pattern("japanese", "about", flags=0)
_PLAN = pattern("japanese", "plan", flags=0)
_MUST = pattern("japanese", "must", flags=0)
_DEFINED = pattern("japanese", "defined", flags=0)
_JOINED = re.compile(f"(?P<kin>{_KIN})の(?P<name>[^、。はがもにをの]{{1,6}})(?=[はがもを])")
_PAST_STATE = re.compile("^(?:前|以前)(?:は|に)[^、。]{1,20}(?:だった|でした|だっ)")
_EDGES = "。.！!〜～、 　…"


def claims(sentence: Sentence, scene: Scene, topic: str = "") -> Iterator[Draft]:
    """Yield the claims of one Japanese sentence. topic: subject of the question before it. Agents make none."""
    text = sentence.text
    if sentence.asked or scene.agent or len(text) > LONGEST:
        return
    opened = _OPENING.match(text)
    start = opened.end() if opened else 0
    subject = topic
    for begin, end in _pieces(text, start):
        body = text[begin:end].rstrip(_EDGES)
        statement = _statement(body, scene, subject)
        if statement is None:
            subject = subject or _subject(body, scene)
            continue
        claim, category, temporal, subject = statement
        yield Draft(
            claim=claim,
            category=category,
            certainty="uncertain" if _UNSURE.search(body) else "explicit",
            temporal=temporal,
            start=sentence.start + begin,
            end=sentence.start + begin + len(body),
        )


def _pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    for seam in _SEAM.finditer(text, start):
        if seam.start() - start >= 4:
            yield start, seam.start()
            start = seam.end()
    if start < len(text):
        yield start, len(text)


def _plain(body: str) -> str:
    """Return a clause without particles of the end (よ, んだ, けど) and with て turned into た."""
    text = body.rstrip(_EDGES)
    explained = re.search("(?<![さゃく])(?:んです|のです|んだ|のだ)(?:よね|よ|ね|けど|から|が)*$", text)
    if explained and explained.start() > 2:
        return re.sub("(?<=[手きい])な$", "", text[: explained.start()])
    text = re.sub("(?:よね|よ|ね|なあ|さ|わ|ぞ|けど|けれど|けれども|から|ので|し)+$", "", text)
    text = re.sub("(?<=[だす])が$", "", text)
    text = re.sub("(?<=[手きい])な$", "", text)
    text = re.sub("(?<=[てで])いて$", "いる", re.sub("(?<=[々一-龥])で$", "だ", text))
    if re.search("(?:結婚|離婚|卒業|就職|転職|退職|入社|引っ越|手術)して$|(?:辞め|始め)て$", text):
        return text[:-1] + "た"
    return text


def _statement(body: str, scene: Scene, topic: str) -> tuple[str, str, str, str] | None:
    """Return (claim, category, time, its subject); None for a clause that is no lasting statement."""
    plain = _plain(body)
    if len(plain) < 4 or _PASSING.search(plain):
        return None
    order = scene.at_work and _MUST.search(plain)
    if _NOT_SAID.search(plain) and not order:
        return None
    if order:
        return f"{scene.speaker}の指示：{plain}", "constraint", "current", ""
    form = _form(plain)
    if form is None and scene.at_work and _DEFINED.match(plain) and not _SELF.match(plain):
        form = ("fact", "current")
    if form is None:
        return None
    if _OWN_HEAD.match(plain):
        return (
            None
            if plain.startswith("名前") and topic != scene.speaker
            else (f"{scene.speaker}の{plain}", *form, scene.speaker)
        )
    named = _subject(plain, scene)
    if form[0] == "preference" and named not in ("", scene.speaker) and not _is_person(named, scene):
        subject = topic or scene.speaker
        return f"{subject}は{plain}", *form, subject
    subject = named or topic or scene.speaker
    return _third_person(plain, subject, scene.speaker), *form, subject


def _is_person(label: str, scene: Scene) -> bool:
    """Return True for a relative, a name and a speaker: other topics of "to like" are its object."""
    known = {*scene.discourse.people, *scene.called}
    return (
        label.startswith(f"{scene.speaker}の")
        or label.endswith(("さん", "くん", "君", "ちゃん", "先生"))
        or label in known
    )


def form(text: str) -> tuple[str, str] | None:
    """Return the category and the time of a clause by its ending; None if it is of none that lasts."""
    return _form(_plain(text))


def _form(plain: str) -> tuple[str, str] | None:
    """Return the category and time of a clause by its ending."""
    if _PAST_STATE.search(plain):
        return "fact", "past"
    if (
        _STATE.search(plain)
        or _IS_SOMEBODY.match(plain)
        or (_ONGOING.search(plain) and not _NOW.search(plain))
    ):
        return "fact", "current"
    if _PREFERENCE.search(plain):
        return "preference", "current"
    if _TRAIT.search(plain) or _ABOUT.search(plain):
        return ("constraint" if "アレルギー" in plain else "fact"), "current"
    if _DONE.search(plain):
        return "event", "past"
    return ("event", "future") if _PLAN.search(plain) else None


def _subject(body: str, scene: Scene) -> str:
    """Return the subject that a clause names itself; "" if it names none."""
    if _SELF.match(body):
        return scene.speaker
    relative = _RELATIVE.match(body)
    if relative:
        name = (relative["name"] or "").removeprefix("の")
        return f"{scene.speaker}の{relative['kin']}{'の' + name if name else ''}"
    match = _TOPIC.match(body)
    if match and not _NO_TOPIC.match(match["topic"]):
        return match["topic"]
    return ""


def _third_person(plain: str, subject: str, speaker: str) -> str:
    """Return the clause with its subject's name: 私は becomes the speaker's は, 兄の樹は becomes 葵の兄の樹は."""
    own = _SELF.match(plain)
    if own:
        return f"{speaker}{own['mark'].replace('も', 'は')}{plain[own.end() :]}"
    relative = _RELATIVE.match(plain)
    if relative:
        if relative["mark"] == "を":
            return f"{speaker}は{plain}"
        return f"{speaker}の{plain}"
    match = _TOPIC.match(plain)
    if match and match["topic"] == subject:
        return plain
    return f"{subject}は{plain}"


def topic_of(asked: Question | None, scene: Scene) -> str:
    """Return the subject of a Japanese question, which its answer leaves out; "" if it is not clear."""
    if asked is None:
        return ""
    respected = re.search(f"(?P<who>{_RESPECTED})", asked.text)
    if respected:
        kin = respected["who"].removeprefix("お").removeprefix("ご").removesuffix("さん")
        return f"{scene.speaker}の{kin}"
    return scene.speaker


def introductions(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield claims that name a relative or an animal of the speaker: 犬のモモ gives 慎吾の犬はモモ."""
    for match in _JOINED.finditer(sentence.text):
        if not scene.agent and not sentence.asked and not match["name"].endswith(tuple("いうたるぶ")):
            pet = match["kin"] in ("犬", "猫", "うさぎ")
            yield Draft(
                claim=f"{scene.speaker}は{match.group()}を飼っている"
                if pet
                else f"{scene.speaker}の{match['kin']}は{match['name']}",
                category="fact",
                certainty="implied",
                temporal="current",
                start=sentence.start + match.start(),
                end=sentence.start + match.end(),
            )


def note(text: str, speaker: str, discourse: Discourse) -> None:
    """Add the named relatives in a Japanese sentence to the discourse."""
    for match in _JOINED.finditer(text):
        discourse.add(
            Mention(f"{speaker}の{match['kin']}の{match['name']}", frozenset(("he", "she")), discourse.turn)
        )
