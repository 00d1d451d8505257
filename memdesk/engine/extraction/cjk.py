"""Claims in simple Japanese sentences: 私は東京に住んでいます gives 田中は東京に住んでいます.

Only unambiguous forms are read; the text around them is ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.engine.extraction import cues, english_words, gazetteer
from memdesk.engine.extraction.findings import Draft, Scene
from memdesk.engine.extraction.language import HAN, Sentence
from memdesk.engine.extraction.lexicon import word_set

_KIN = english_words.alternatives(english_words.CHINESE_KIN)
_NAME_START = re.compile(
    f"(?:(?:{_KIN})(?:的名字)?(?:名叫|叫做|叫|是|，叫)?|我叫|名叫|叫做|名字是|和|跟|与|给|找|问|约|见到?了?|由|请"
    f"|认识了?|嫁给|娶了)(?=[{english_words.SURNAMES}])"
)
_DOES = re.compile(f"(?:^|(?<=[，,。、；：\\s]))(?=[{english_words.SURNAMES}])")
_PERSONAL = tuple(
    word_set("说 负责 觉得 告诉 建议 认为 喜欢 问 介绍 推荐 帮 请 住 加入 离职 入职 也 和 跟 今年 昨天 上周")
)
_FOLLOWS = frozenset(
    '的是在说和与跟去来给也都会要想有把被让做住用很，。！？；、,.!?;：: \n（）()"”昨今负喜爱从刚已对为就还这那'
)
_NOT_PEOPLE = word_set(
    """
    高兴 方便 安全 时间 周末 马上 白天 黄色 金额 任务 万一 许多 何时 严重 程序 文件 于是 任何 余额 毛病 钱包
    方案 方法 方面 方向 石头 金融 金钱 段落 白色 雷达 顾客 高级 高考 高铁 马路 安装 温度 常见 周围 周一 周二
    周三 周四 周五 周六 周日 程度 何况 高中 高度 夏天 汪汪 严格 万能 万元 贺卡 唐朝 宋朝 石油 田野 钟头 方式
    江西 江苏 龙虾 龙井 黄山 黄瓜 金毛 马拉 谢谢
    """
)
_BODY = re.compile(f"([{HAN}A-Za-z]{{1,10}}?(?:{'|'.join(gazetteer.CHINESE_ORGANIZATION_ENDINGS)}))")
_BREAKS = re.compile(
    "[我你他她它们这那哪个家所间的了在去到是叫和与跟有从于给被把为对向往来过着里上下做当开进回见用会]"
)
_GENERIC = frozenset("一两几某大小新老本同各每外前后总分子母家该贵敝")
_PLACE = re.compile(
    f"(?:住在|搬到|搬去|来自|位于|去了?|到了?|飞往?"
    f"|在)([{HAN}]{{2,4}}?[{gazetteer.CHINESE_PLACE_ENDINGS}])(?![{HAN}]?[长民场委府面])"
)
_CALLED = re.compile(
    f"叫([{HAN}]{{1,4}}?)的(?:[{HAN}]{{0,3}})(?:猫|狗|兔|鸟|鱼|宠物|孩子|朋友|地方|餐厅|项目)"
)
_TITLE = re.compile("《([^》\n]{1,40})》")


def _index() -> dict[str, tuple[tuple[str, str, str], ...]]:
    """Return the known names by first character, as (spelling, name, type), longest first."""
    known = [
        *((place, place, "Location") for place in gazetteer.CHINESE_PLACES),
        *((body, body, "Organization") for body in gazetteer.CHINESE_ORGANIZATIONS),
        *((spelling, entry.name, entry.type) for spelling, entry in gazetteer.CHINESE_KNOWN.items()),
    ]
    first: dict[str, list[tuple[str, str, str]]] = {}
    for item in sorted(known, key=lambda k: (-len(k[0]), k[0])):
        first.setdefault(item[0][0], []).append(item)
    return {char: tuple(items) for char, items in first.items()}


_KNOWN = _index()


def names(text: str) -> Iterator[tuple[str, str, float]]:
    """Yield (name, type, weight of the evidence) for each name in a Chinese sentence."""
    yield from _known(text)
    yield from _people(text)
    for match in _BODY.finditer(text):
        body = _cut(match.group(1))
        if body:
            yield body, "Organization", 4.0
    for match in _PLACE.finditer(text):
        if not _BREAKS.search(match.group(1)[:-1]) and match.group(1) not in _NOT_PLACES:
            yield match.group(1), "Location", 2.0
    for match in _TITLE.finditer(text):
        yield match.group(1), "Product", 6.0


_NOT_PLACES = word_set(
    """
    超市 城市 门市 夜市 股市 上市 市区 小区 社区 地区 园区 马路 网路 道路 一路 登山 爬山 公路 铁路 半路 县城
    """
)


def _known(text: str) -> Iterator[tuple[str, str, float]]:
    at = 0
    while at < len(text):
        hit = next((k for k in _KNOWN.get(text[at], ()) if text.startswith(k[0], at)), None)
        if hit:
            yield hit[1], hit[2], 5.0
        at += len(hit[0]) if hit else 1


def _people(text: str) -> Iterator[tuple[str, str, float]]:
    for match in english_words.ADDRESSED.finditer(text):
        yield match.group(), "Person", 4.0
    for match in _NAME_START.finditer(text):
        name = full_name(text, match.end())
        if name:
            yield name, "Person", 4.0
    for match in _DOES.finditer(text):
        name = full_name(text, match.end())
        if name and text[match.end() + len(name) :].startswith(_PERSONAL):
            yield name, "Person", 3.0
    for match in _CALLED.finditer(text):
        yield match.group(1), "Entity", 1.0


def full_name(text: str, at: int) -> str | None:
    """Return the surname at this place with its given name of one or two characters; None if it is not a
    name."""
    for length in (2, 3):
        name = text[at : at + length]
        following = text[at + length : at + length + 1]
        if len(name) == length and name.isalpha() and (not following or following in _FOLLOWS):
            return None if name in _NOT_PEOPLE or name[:2] in _NOT_PEOPLE else name
    return None


def _cut(body: str) -> str | None:
    """Return an organisation's name without the words before it; None if only its kind is left ("a company")."""
    ending = next(e for e in gazetteer.CHINESE_ORGANIZATION_ENDINGS if body.endswith(e))
    stem = _BREAKS.split(body[: len(body) - len(ending)])[-1]
    if len(stem) < 2 or stem[0] in _GENERIC:
        return None
    return stem + ending


def topics_in(text: str) -> Iterator[str]:
    """Return the everyday topics that the Chinese text names."""
    return (topic for topic in gazetteer.CHINESE_TOPICS if topic in text)


SHORTEST, LONGEST = 4, 240

_OPENING = re.compile(
    r"(?:(?:嗯+|啊|哦|噢|唉|哎呀?|哈+|嘿|喂|好|行|对|是|好的|好吧|好啊|行吧|对了|对啊|是的|没错|谢谢(?:你|您)?"
    r"|不客气|你好|您好|早上好|晚上好|大家好|不对|还有|另外|那个)[，,、：:！!。\s]+|(?:其实|话说|顺便(?:说一下"
    r"|说一句|提一下)?|而且|不过|但是|但|所以|因此|总之|说实话|老实说|更正一下|纠正一下|然后)[，,：:\s]*)+"
)
_REMEMBER = re.compile(
    r"(?:请|麻烦|帮我|帮忙|你|要|一定)*(?:记住|记一下|记下来|记下|记得|别忘了|备忘|备注|存下来|保存一下"
    r"|牢记)(?:一下|哦|了|吧)*[：:，,\s]*"
)
_QUESTION = re.compile(
    r"(?:吗|呢|么)[了啊呀]*$|^(?:怎么|如何|为什么|为啥|什么|哪|谁|多少|几点|是不是|能不能|可不可以|有没有|要不要"
    r"|请问)|什么[时样]|怎么样|哪[里个些]|多少"
)
_REQUEST = re.compile(
    r"^(?:请|帮|麻烦|给我|能否|可以帮|替我|我(?:需要|想要?|要|希望)你|再?写[一个段]|生成|翻译|解释|总结|列出|看看"
    r"|看一下|检查|告诉我|推荐)"
)
_SUPPOSED = re.compile("如果|要是|假如|假设|万一|倘若|的话|本来可以|早知道|要不是")
_ORDER = re.compile(
    "(?:[^，我他她]{1,6}?)?(?:以后|今后|从现在(?:开始|起)|默认)?(?:都|也|就)?(?:不要|必须|始终|务必|禁止|一律|总是"
    "|每次|别|不准|不许|只能|只用|只要|不能|统一)|以后都|今后都|请?(?:始终|务必|不要|一律|总是)"
)
_SEAM = re.compile("[，,；;]")
_SELF = re.compile("我们?|咱们?")
_OWN_SUBJECT = re.compile("(?:但是?|不过|而且|所以|然后)?(?:我|咱|他|她)")
_JOINING = re.compile(
    "因为|所以|但|不过|而且|并且|然后|结果|于是|虽然|以及|还|也|就|又|并|和|由于|以便|方便|避免|从而|其中|包括|比如"
    "|例如|特别是|尤其"
)
_STRONG = re.compile(
    "(?:现在|目前|平时|最近|每天|一直|已经|正在)?(?:住|在|用|喜欢|讨厌|偏好|养|有|打算|计划|决定|买|学|来自|毕业"
    "|会说|负责|不吃|不喝|对[^，]{1,8}过敏)"
)
_PREDICATE = re.compile(
    "[是有在叫住用买学做去来要养教读写选搬飞吃喝开修换到了过]|喜欢|讨厌|偏好|最爱|热爱|决定|工作|打算|计划|准备|过敏"
    "|毕业|结婚|出生|完成|使用|采用|需要|必须|不能|不要|负责|部署|运行|支持|禁止|始终|过期|截止|习惯|认识|希望|会说"
    "|改成|改为|岁|感兴趣|戒|退休|辞职|离婚|怀孕|生病|住院|考上|通过|上线"
)
_OF_SELF = re.compile(
    "(?:昨天|前天|今天|明天|后天|上周|下周|上个月|下个月|去年|明年|今年|最近|目前|现在|平时|每天|一直|刚刚?|已经"
    "|周[一二三四五六日末]|从小|小时候|曾经|以前)*(?:很|特别|非常|最|更|也|都|还|不太|比较)*(?:喜欢|讨厌|偏好|不吃"
    "|不喝|习惯|打算|计划|准备|决定|住在?|来自|毕业于|养了?|买了|去了|去过|搬到|想学|在学|在读|想去|认识了|报名了?"
    "|参加了|戒了|辞职|入职|对[^，]{1,8}过敏|对[^，]{1,8}感兴趣|有[一两二三四五六七八九十几个0-9]"
    "|在[^，]{1,12}(?:工作|上班|上学|读书|读研|实习|生活|长大))"
)
_MOOD = re.compile(
    "(?:也|都|真的?|很|太|好|非常|特别|有点|超级?|挺|最近|今天|还是|就|不|没|会)*(?:开心|高兴|累|困|饿|忙|难过|喜欢"
    "|知道|明白|同意|觉得|希望|感动|激动|紧张|放心|理解|懂|好奇|不错|可以|没问题|爱|懂你|在|来|来了|去|走|说|试试"
    "|看看|想|想想|期待|羡慕|支持|加油|谢谢|抱歉|确定)(?:了|啊|呢|吧|哦|的|呀|你)*$"
)
_OUTCOME = re.compile(
    "已完成|完成了|已创建|已配置|已部署|已修复|已解决|已更新|已添加|已删除|已迁移|已合并|已发布|已安装|已设置"
    "|已保存|修复了|部署了|创建了|更新了|迁移了|通过了|上线了|结论|全部通过|覆盖率|配置好了|设置好了|改好了|写好了"
)
_DONE_HEADS = ("已", "完成了", "修复了", "部署了", "创建了", "更新了")
_OFFERED = re.compile("你可以|您可以|可以帮|需要我|如果|建议|将会|是否|要不要|接下来")
_HEADLESS = re.compile(
    "[这那它谁太真好很哈应可大在是有也都还就不没要想去来能估似]|会(?![议员计场所])|感觉|觉得|看起来|听说"
)
_PRONOUNS = {"他": "他", "她": "她"}
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


def chinese_claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claims of one Chinese sentence, in order."""
    text = sentence.text
    opened = _OPENING.match(text)
    start = opened.end() if opened else 0
    request = _REMEMBER.match(text, start)
    start = request.end() if request else start
    body = text[start:]
    _note_antecedent(text, scene)
    if not sentence.asked and not _SUPPOSED.search(body) and not _QUESTION.search(body):
        for group in _groups(text, start):
            yield from _claim(sentence, group, scene, requested=request is not None)


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


def _claim(sentence: Sentence, group: _Group, scene: Scene, *, requested: bool) -> Iterator[Draft]:
    opened = _OPENING.match(sentence.text, group.start, group.end)
    start = opened.end() if opened else group.start
    body = sentence.text[start : group.end].rstrip(_PARTICLES)
    lead = len(body) - len(body.lstrip(_PARTICLES))
    told = _claim_of_clause(body[lead:], scene, of_self=group.of_self, requested=requested)
    if told is None:
        return
    claim, certainty = told
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
    if body[0] in _PRONOUNS:
        return _third(body, scene)
    if _ORDER.match(body) and scene.at_work:
        return retell(f"{scene.speaker}要求{body}", scene.speaker), "explicit"
    if _REQUEST.match(body) and not requested:
        return None
    if _OF_SELF.match(body):
        return _first_person("我" + body, scene)
    return _impersonal(body, scene, requested=requested)


def _first_person(body: str, scene: Scene) -> tuple[str, str] | None:
    body = body if _SELF.match(body) else "我" + body
    said = _I.sub("", body, count=1)
    if _MOOD.match(said) or _REQUEST.match(body) or len(said) < 2:
        return None
    return retell(body, scene.speaker), "implied" if body.startswith(("我们", "咱")) else "explicit"


def _third(body: str, scene: Scene) -> tuple[str, str] | None:
    antecedent = scene.antecedent
    if antecedent is None or antecedent[1] != body[0] or body[1:2] == "们":
        return None
    return retell(antecedent[0] + body[1:], scene.speaker), "inferred"


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
    return retell(body, scene.speaker), "implied"


def _outcome(body: str, scene: Scene) -> tuple[str, str] | None:
    if not _OUTCOME.search(body) or _OFFERED.search(body) or len(body) < 6:
        return None
    headless = body.startswith(_DONE_HEADS)
    return retell("我" + body if headless else body, scene.speaker), "implied"


def retell(body: str, speaker: str) -> str:
    """Return the clause with the speaker's name for 我 and 我们, separated from Chinese text by spaces if it is
    Latin."""
    text = _I.sub(speaker, _OURS.sub(f"{speaker}的", body))
    return _join(text, speaker)


def _join(text: str, speaker: str) -> str:
    if not speaker[-1:].isascii():
        return text
    spaced = re.sub(f"(?<=[{HAN}0-9A-Za-z]){re.escape(speaker)}(?![a-z])", f" {speaker}", text)
    return re.sub(f"{re.escape(speaker)}(?=[{HAN}0-9A-Z])", f"{speaker} ", spaced).strip()


def _note_antecedent(text: str, scene: Scene) -> None:
    for match in _KIN_OF_SELF.finditer(text):
        kin = match.group(1)
        name = full_name(text, match.end()) if kin not in english_words.CHINESE_GROUP else None
        scene.antecedent = (
            name or _join(f"{scene.speaker}的{kin}", scene.speaker),
            "她" if kin in english_words.CHINESE_SHE else "他",
        )


JAPANESE_LONGEST = 120
_JA_SELF = re.compile("^(?:私たち|私|僕|俺|わたし|ぼく|自分)(?P<mark>は|の|も)")
_JA_OPENING = re.compile(
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
    (
        re.compile("(?:名前|誕生日|職業|好きな[^、。は]{1,10})は[^、。は]{1,20}(?:です|だ)$"),
        "fact",
        "current",
    ),
    (re.compile("を(?:使って|飼って|勉強して)(?:います|いる|る)$"), "fact", "current"),
)
"""Forms of a claim: the pattern of its ending, its category and its time."""
_UNSURE = re.compile("たぶん|多分|おそらく")
_TRAILING = "。.！!〜～ね、 　"


def japanese_claims(sentence: Sentence, scene: Scene) -> Iterator[Draft]:
    """Yield the claim of one Japanese sentence, if its form is unambiguous. Agents make none."""
    opened = _JA_OPENING.match(sentence.text)
    start = opened.end() if opened else 0
    body = sentence.text[start:].rstrip(_TRAILING)
    form = next((form for form in _FORMS if form[0].search(body)), None)
    if form is None or sentence.asked or scene.agent or len(body) > JAPANESE_LONGEST:
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
    if match := _JA_SELF.match(body):
        return f"{speaker}{match['mark']}{body[match.end() :]}"
    return body if _OTHER.match(body) else f"{speaker}は{body}"
