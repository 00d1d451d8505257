"""Claims in Chinese sentences: clauses are grouped, their subject is found, and they are retold in the third person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.engine.extraction import cues, english_words
from memdesk.engine.extraction.cjk import full_name
from memdesk.engine.extraction.discourse import Discourse, Mention, Question
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import HAN, Sentence
from memdesk.engine.extraction.lexicon import pattern, words

_KIN = english_words.alternatives(english_words.CHINESE_KIN)
SHORTEST, LONGEST = 4, 240

_OPENING = pattern("chinese", "opening", flags=0)
_REMEMBER = pattern("chinese", "remember", flags=0)
_QUESTION = pattern("chinese", "question", flags=0)
_REQUEST = pattern("chinese", "request", flags=0)
_SUPPOSED = pattern("chinese", "supposed", flags=0)
_ORDER = pattern("chinese", "order", flags=0)
_SEAM = re.compile("[，,；;]")
_SELF = re.compile("我们?|咱们?")
_OWN_SUBJECT = re.compile("(?:但是?|不过|而且|所以|然后)?(?:我|咱|他|她)")
_JOINING = pattern("chinese", "joining", flags=0)
_STRONG = pattern("chinese", "strong", flags=0)
_PREDICATE = pattern("chinese", "predicate", flags=0)
_WHEN = (
    "(?:昨天|前天|今天|明天|后天|上周[一二三四五六日天末]?|下周[一二三四五六日天末]?|上个?月"
    "|下个?月|去年|前年|明年|今年|最近|目前|现在|平时|刚刚?|刚才|已经"
    "|周[一二三四五六日末]|星期[一二三四五六日天]|从小|小时候|曾经|以前|之前|早就|早|后来"
    "|当时|大学|高中|春节|端午|中秋|国庆|五一|元旦|暑假|寒假"
    "|[0-9一二三四五六七八九十]+(?:年|月|[日号])|以后|晚上|早上|上午|下午|周末|每天|每周|一直)*"
)
_DEGREE = (
    "(?:很|特别|非常|最|更|也|都|还|不太|比较|只|就|才|又|再|正|正在|要|想|得|已经|没|不|可能"
    "|大概|应该|好像|估计)*"
)
_OWN = english_words.alternatives(words("chinese", "own_predicates"))
_OF_SELF = re.compile(f"{_WHEN}{_DEGREE}(?:{_OWN})")
_OF_SELF_AT_WORK = re.compile(
    f"{_WHEN}{_DEGREE}(?:喜欢|讨厌|偏好|不吃|不喝|习惯|打算|计划|准备|决定|住在?|来自|毕业于"
    f"|养了?|买了|去了|去过|搬到|想学|在学|在读|想去|认识了|报名了?"
    "|参加了|戒了|辞职|入职|对[^，]{1,8}过敏|对[^，]{1,8}感兴趣|有[一两二三四五六七八九十几个0-9]"
    "|在[^，]{1,12}(?:工作|上班|上学|读书|读研|实习|生活|长大))"
)
_LATER_SELF = re.compile(f"{_WHEN}[^，我你]{{0,4}}我们?(?=要|在|得|会|去|有|不|没|打算|准备|想)")
_ANSWERED = re.compile("(?:在|对|是|是的|嗯|有|会|没有|(?:早|已经|现在)?不[一-鿿]?了)[，,]\\s*")
_UNSAID = re.compile(f"{_WHEN}{_DEGREE}(?:开始|认识|来|去|到|买|走|搬|学|做)的$")
_FELT = re.compile("喜欢|讨厌|怕|爱|习惯|过敏")
_PASSING = re.compile(english_words.alternatives(words("chinese", "passing")))
_HERE = re.compile("[这本]个?(?:项目|仓库|代码库|团队|服务)")
_OUTSIDE = pattern("chinese", "outside", flags=0)
_MOOD = pattern("chinese", "mood", flags=0)
_OUTCOME = pattern("chinese", "outcome", flags=0)
_DONE_HEADS = ("已", "完成了", "修复了", "部署了", "创建了", "更新了")
_OFFERED = re.compile("你可以|您可以|可以帮|需要我|如果|建议|将会|是否|要不要|接下来")
_HEADLESS = pattern("chinese", "headless", flags=0)
_PRONOUNS = {"他": "he", "她": "she", "它": "it"}
_KIN_OF_SELF = re.compile(f"我(?:们)?的?(?:大|小|二)?({_KIN})(?:叫|是|名叫)?")
_BELONGINGS = (
    f"{_KIN}|家|公司|司|团队|老家|办公室|项目|电脑|手机|生日|名字|职业|邮箱|电话|小组|部门|学校|房子|车|狗|猫"
)
_OURS = re.compile(f"(?<!自)(?:我|咱)们?(?:的|(?=(?:大|小|二)?(?:{_BELONGINGS})))")
_I = re.compile("(?<![自忘唯])(?:我|咱)们?(?!国|行我素)(?:自己)?(?:都|俩|两)?")
_PARTICLES = "吧啊呢哦呀嘛啦~～，,、；;：: 。！!"


@dataclass(slots=True)
class _Group:
    """Clauses that make one claim: offsets in the sentence, and a flag that they are about the speaker."""

    start: int
    end: int
    of_self: bool


def claims(sentence: Sentence, scene: Scene, topic: str = "") -> Iterator[Draft]:
    """Yield the claims of one Chinese sentence, in order. topic: subject of the question before it."""
    text = sentence.text
    opened = _OPENING.match(text)
    start = opened.end() if opened else 0
    if topic:
        agreed = _ANSWERED.match(text, start)
        start = agreed.end() if agreed else start
    request = _REMEMBER.match(text, start)
    start = request.end() if request else start
    body = text[start:]
    if not sentence.asked and not _SUPPOSED.search(body) and not _QUESTION.search(body):
        for group in _groups(text, start):
            yield from _claim(sentence, group, scene, requested=request is not None, topic=topic)


def _groups(text: str, start: int) -> Iterator[_Group]:
    """Yield clauses grouped into claims: a new subject, or a strong verb after a clause about 我, begins a new
    group."""
    group: _Group | None = None
    for begin, end in _pieces(text, start):
        piece = text[begin:end]
        if group and _OWN_SUBJECT.match(piece) and not _PREDICATE.search(text[group.start : group.end]):
            group = None
        if group is None or _starts_new_claim(text[group.start : group.end], piece, of_self=group.of_self):
            if group:
                yield group
            inherited = group.of_self if group and not _OWN_SUBJECT.match(piece) else False
            group = _Group(begin, end, inherited or _SELF.match(piece) is not None)
        else:
            group.end = end
    if group:
        yield group


def _pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    for seam in _SEAM.finditer(text, start):
        if seam.start() > start:
            yield start, seam.start()
        start = seam.end()
    if start < len(text):
        yield start, len(text)


def _starts_new_claim(before: str, piece: str, *, of_self: bool) -> bool:
    if not _PREDICATE.search(before):
        return False
    if _OWN_SUBJECT.match(piece):
        return True
    kin = _KIN_OF_SELF.match(before)
    return of_self and not kin and not _JOINING.match(piece) and _STRONG.match(piece) is not None


def _claim(
    sentence: Sentence, group: _Group, scene: Scene, *, requested: bool, topic: str
) -> Iterator[Draft]:
    opened = _OPENING.match(sentence.text, group.start, group.end)
    start = opened.end() if opened else group.start
    body = sentence.text[start : group.end].rstrip(_PARTICLES)
    lead = len(body) - len(body.lstrip(_PARTICLES))
    said = body[lead:]
    if topic and topic != scene.speaker and _OF_SELF.match(said) and not _SELF.match(said):
        found_claim: tuple[str, str] | None = (_join(topic + said, topic), "implied")
    else:
        of_self = group.of_self or topic == scene.speaker
        found_claim = _claim_of_clause(said, scene, of_self=of_self, requested=requested)
    if found_claim is None:
        return
    claim, certainty = found_claim
    if not requested and (
        _passes(claim) or _UNSAID.search(said) or (_OUTSIDE.search(_HERE.sub("", claim)) and not scene.agent)
    ):
        return
    if not SHORTEST <= len(claim) <= LONGEST or not _PREDICATE.search(claim):
        return
    yield Draft(
        claim=claim,
        category=cues.chinese_category(claim),
        certainty=_certainty(certainty, body, scene, requested=requested),
        temporal=cues.chinese_temporal(claim),
        start=sentence.start + start + lead,
        end=sentence.start + start + len(body),
    )


def _passes(claim: str) -> bool:
    """Return True for a state of the moment, unless a liking or a habit is stated with its words."""
    return _PASSING.search(claim) is not None and not _FELT.search(claim)


def _certainty(certainty: str, body: str, scene: Scene, *, requested: bool) -> str:
    if cues.chinese_hedged(body):
        return "uncertain"
    return "implied" if scene.agent else "explicit" if requested else certainty


def _claim_of_clause(body: str, scene: Scene, *, of_self: bool, requested: bool) -> tuple[str, str] | None:
    """Return the claim that a clause makes and its certainty; None if it makes none."""
    if "你" in body or "您" in body or len(body) < SHORTEST - 1:
        return None
    if scene.agent:
        return _outcome(body, scene)
    if _SELF.match(body) or (of_self and not _OWN_SUBJECT.match(body)):
        return _first_person(body, scene)
    if body[0] in "他她":
        return _third(body, scene)
    if _ORDER.match(body) and scene.at_work:
        return in_third_person(f"{scene.speaker}要求{body}", scene.speaker), "explicit"
    if _REQUEST.match(body) and not requested:
        return None
    if (_OF_SELF_AT_WORK if scene.at_work else _OF_SELF).match(body):
        return _first_person("我" + body, scene)
    if _LATER_SELF.match(body) and not _MOOD.match(body):
        return in_third_person(body, scene.speaker), "explicit"
    return _impersonal(body, scene, requested=requested)


def _first_person(body: str, scene: Scene) -> tuple[str, str] | None:
    body = body if _SELF.match(body) else "我" + body
    said = _I.sub("", body, count=1)
    if _MOOD.match(said) or _REQUEST.match(body) or len(said) < 2:
        return None
    return in_third_person(body, scene.speaker), "implied" if body.startswith(("我们", "咱")) else "explicit"


def _third(body: str, scene: Scene) -> tuple[str, str] | None:
    if body[1:2] == "们":
        return None
    antecedent = scene.discourse.meant(_PRONOUNS[body[0]])
    return (in_third_person(antecedent + body[1:], scene.speaker), "inferred") if antecedent else None


def _impersonal(body: str, scene: Scene, *, requested: bool) -> tuple[str, str] | None:
    """Return the claim about a thing, such as "数据库用PostgreSQL"; None if it is not worth keeping.

    Kept if the user asked to remember it, if the conversation is about work, or if it contains a name or a
    number."""
    telling = re.search("[A-Z0-9]", body) or any(
        name in body.lower() for name in scene.names if len(name) > 1
    )
    if not (requested or telling or scene.at_work) or _MOOD.match(body) or _HEADLESS.match(body):
        return None
    if not _PREDICATE.search(body, 1) or len(body) < 5:
        return None
    return in_third_person(body, scene.speaker), "implied"


def _outcome(body: str, scene: Scene) -> tuple[str, str] | None:
    if not _OUTCOME.search(body) or _OFFERED.search(body) or len(body) < 6:
        return None
    headless = body.startswith(_DONE_HEADS)
    return in_third_person("我" + body if headless else body, scene.speaker), "implied"


def in_third_person(body: str, speaker: str) -> str:
    """Return the clause with the speaker's name for 我 and 我们, separated from Chinese text by spaces if it is
    Latin."""
    text = _I.sub(speaker, _OURS.sub(f"{speaker}的", body))
    return _join(text, speaker)


def _join(text: str, speaker: str) -> str:
    if not speaker[-1:].isascii():
        return text
    spaced = re.sub(f"(?<=[{HAN}0-9A-Za-z]){re.escape(speaker)}(?![a-z])", f" {speaker}", text)
    return re.sub(f"{re.escape(speaker)}(?=[{HAN}0-9A-Z])", f"{speaker} ", spaced).strip()


_RELATED = re.compile(
    f"(?P<whose>我|你|您)(?:们)?(?:家|的)?(?:大|小|二)?(?P<kin>{_KIN})(?:的名字)?(?:名?叫"
    f"|是)?(?P<name>[小阿][{HAN}])?"
)
_HOUSE = re.compile(f"[你我]家(?P<name>[小阿][{HAN}])")


def note(text: str, speaker: str, partner: str | None, discourse: Discourse) -> None:
    """Add the people in a Chinese sentence to the discourse."""
    found: list[tuple[int, str, frozenset[str]]] = []
    named: set[str] = set()
    for match in _RELATED.finditer(text):
        kin = match["kin"]
        name = _named(match, text, discourse)
        owner = speaker if match["whose"] == "我" else partner
        sex = "she" if kin in english_words.CHINESE_SHE else "he" if kin in _CHINESE_HE else ""
        if owner and (name or kin not in english_words.CHINESE_GROUP):
            named.add(name or "")
            found.append(
                (
                    match.start(),
                    name or _join(f"{owner}的{kin}", owner),
                    frozenset((sex,)) if sex else _EITHER,
                )
            )
    for name in discourse.people:
        at = text.find(name) if name and not name.isascii() else -1
        if at >= 0 and name not in named:
            found.append((at, name, _EITHER))
    for _, label, pronouns in sorted(found, key=lambda one: one[0]):
        discourse.add(Mention(label, pronouns, discourse.turn))


_EITHER = frozenset(("he", "she"))
_CHINESE_HE = words("chinese", "chinese_he")
_YES = re.compile("(?:对|是|是的|是啊|对啊|没错|嗯|嗯嗯|在|有|会|有啊|当然)(?=[，,。！!]|$)[，,。！! ]*")
_ASKED = re.compile("(?:了)?(?:吗|么|吧|嘛)$")
_NEGATED = re.compile("不是|是不是|难道")
_AGE = re.compile("(?:今年|现在)?(?:几岁|多大)")
_ANSWER_AGE = re.compile("(?:快|刚|已经)?(?:[0-9]+|[一二三四五六七八九十]+)岁?(?:半|了)?$")


def introductions(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield claims that name a relative of the speaker: 我表姐苏敏 gives 苏苏的表姐是苏敏."""
    for match in _RELATED.finditer(sentence.text):
        name = _named(match, sentence.text, scene.discourse)
        if match["whose"] == "我" and name and "叫" not in sentence.text[match.end("kin") :][:4]:
            yield Draft(
                claim=f"{_join(f'{scene.speaker}的' + match['kin'], scene.speaker)}是{name}",
                category="fact",
                certainty="explicit",
                temporal="current",
                start=sentence.start + match.start(),
                end=sentence.start + sentence.text.index(name, match.start()) + len(name),
            )


def _named(match: re.Match[str], text: str, discourse: Discourse) -> str | None:
    """Return the name that follows a word of kinship."""
    if match["name"] in discourse.people:
        return match["name"]
    rest = text[match.end("kin") :]
    name = full_name(text, match.end("kin") + len(rest) - len(rest.lstrip("的名叫是字，")))
    return name if name in discourse.people else None


def topic_of(asked: Question | None, scene: Scene) -> str:
    """Return the subject of a question, which its answer leaves out: the speaker for 你, or a relative; "" if
    unclear."""
    if asked is None:
        return ""
    text = asked.text
    house = _HOUSE.search(text)
    if house:
        return house["name"]
    if re.search(f"[你您](?:们)?(?:家|的)?(?:大|小|二)?(?:{_KIN})", text) or text[:1] in "他她":
        return scene.discourse.latest_being() or ""
    if re.search("[你您]", text):
        return scene.speaker
    return next((name for name in scene.discourse.people if not name.isascii() and text.startswith(name)), "")


def reply(asked: Question, sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield what "yes" or an age says as the answer to a Chinese question: 几岁 and 六岁, 对海鲜过敏吗 and 对."""
    agreed = _YES.match(sentence.text)
    claim, end = None, 0
    if agreed and _ASKED.search(asked.text) and not _SUPPOSED.search(asked.text):
        more = sentence.text[agreed.end() :]
        claim, end = (None if _OF_SELF.match(more) else _confirmed(asked, scene)), agreed.end()
    first = re.split("[，,。]", sentence.text)[0]
    if claim is None and _AGE.search(asked.text) and _ANSWER_AGE.fullmatch(first):
        topic = topic_of(asked, scene)
        claim, end = (_join(f"{topic}{first}", topic), len(first)) if topic else (None, 0)
        claim = claim if claim is None or "岁" in claim else f"{claim}岁"
    if claim and SHORTEST <= len(claim) <= LONGEST and not _passes(claim):
        yield Draft(
            claim=claim,
            category=cues.chinese_category(claim),
            certainty="implied",
            temporal=cues.chinese_temporal(claim),
            start=sentence.start,
            end=sentence.start + max(end, 1),
        )


def _confirmed(asked: Question, scene: Scene) -> str | None:
    """Return the statement in a question that was answered with yes."""
    body = _OPENING.sub("", _ASKED.sub("", asked.text), count=1)
    if _NEGATED.search(body):
        body = _NEGATED.sub("", body, count=1)
    elif "不" in body or "没" in body:
        return None
    if re.search("什么|哪|谁|几|多少|怎么|要不要|能不能|咱|我们|一起", body) or not _PREDICATE.search(body):
        return None
    body = re.sub("[你您]们?", "我", body)
    if body[:1] in "他她":
        antecedent = scene.discourse.meant(_PRONOUNS[body[0]])
        return antecedent + body[1:] if antecedent else None
    return (
        in_third_person(body, scene.speaker)
        if "我" in body or body.startswith(tuple(scene.discourse.people))
        else None
    )
