"""Assertions in Chinese claims: 住在, 在…工作, 最喜欢的…是, 从…换成…, 不再喜欢."""

from __future__ import annotations

import re

from memdesk.engine.extraction import english_words
from memdesk.engine.extraction.assertion import (
    EMPLOYER,
    HOME,
    IS,
    JOB,
    LIKES,
    PREFERS,
    USES,
    Assertion,
    Found,
    attribute,
    attribute_of,
    dated_attribute,
    form,
    from_to,
    read,
    slot,
    subject_of,
)
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.extraction.normal_forms import times

_NOW = "(?:现在|目前|今年|如今|一直|已经|最近|平时|仍然|还|上个?月|上周|去年|昨天|(?:（[^）]*）))*"
_S = f"^(?P<s>[^，。：,从在不更没]{{1,20}}?)\\s?{_NOW}"
_V = "(?P<v>[^，。,]{1,30}?)"
_END = "(?:[，。,].*|了)?$"
_DEGREE = "(?:很|特别|非常|也|都)*"
_ENJOYS = "(?:喜欢|热爱|钟爱|爱[吃喝看听玩])"
_MANY = (
    english_words.CHINESE_PETS
    | english_words.CHINESE_GROUP
    | word_set("哥 弟 姐 妹 哥哥 弟弟 姐姐 妹妹 儿子 女儿 宠物")
)
_SPOUSES = word_set("丈夫 妻子 老公 老婆 爱人 配偶")
_JOB = (
    "(?P<v>[\u4e00-\u9fffA-Za-z ]{0,8}(?:工程师|医生|护士|老师|教师|律师|设计师|经理|会计"
    "|记者|厨师|司机|教授|程序员"
    "|研究员|分析师|顾问))"
)
_TIMED = ("生日", "截止日期", "截止时间", "日期", "时间")
_NUMBERED = ("端口", "版本", "电话", "手机号", "年龄", "身高", "体重", "价格", "预算", "工资")
_NAMED = ("名字", "姓名", "邮箱", "地址", "老家", "国籍", "职业", "默认分支", "时区", "老板")
_TOOL = "(?:数据库|缓存|前端|后端|框架|消息队列|编辑器|操作系统|包管理器|部署|测试|构建|语言)"


def chinese(claim: str) -> Found:
    """Yield the assertions of a Chinese claim, each once."""
    yield from read(claim.strip().rstrip("。."), CHINESE_FORMS)


def _called(match: re.Match[str]) -> Found:
    kin = match["s"].rstrip().rpartition("的")[2]
    if kin in _SPOUSES:
        yield _spouse(match["s"], match["v"])
    elif not kin.endswith(tuple(_MANY)):
        yield Assertion(subject=attribute_of(match["s"], "名字"), slot=IS, value=match["v"])


def _spouse(phrase: str, name: str) -> Assertion:
    """Return the assertion of a spouse's name: 王伟 for the phrase "Mara 的丈夫"."""
    return Assertion(subject=attribute_of(phrase.rpartition("的")[0], "spouse"), slot=IS, value=name)


def _attribute(match: re.Match[str]) -> Found:
    """Yield the assertion of an attribute: 生日是5月4日, 数据库的端口是5433, 最喜欢的颜色是蓝色."""
    phrase, value = match["s"].strip(), match["v"].strip()
    if phrase.rpartition("的")[2] in _SPOUSES:
        yield _spouse(phrase, value)
    elif _suits(phrase, value):
        yield Assertion(subject=subject_of(phrase), slot=IS, value=value)


def _suits(phrase: str, value: str) -> bool:
    """Return True if the value has the type that the attribute requires: a date for 生日, digits for 端口."""
    if phrase.endswith(_TIMED):
        return bool(times(value))
    if phrase.endswith(_NUMBERED):
        return any(char.isdigit() for char in value)
    return phrase.endswith(_NAMED) or re.search("最喜欢的|最爱的", phrase) is not None


def _scheduled(match: re.Match[str]) -> Found:
    if times(match["v"]):
        arrival = "改" in match["verb"] or "推迟" in match["verb"]
        yield Assertion(subject=subject_of(match["s"]), slot=IS, value=match["v"], arrival=arrival)


def _preferred(match: re.Match[str]) -> Found:
    yield Assertion(
        subject=subject_of(match["s"]), slot=PREFERS, value=match["v"], over=match["w"], single=False
    )


CHINESE_FORMS = (
    form(f"{_S}(?:居住在|定居在?|住在?){_V}{_END}", slot(HOME)),
    form(f"{_S}(?:不住在|不再住在){_V}了?{_END}", slot(HOME, denied=True)),
    form(f"{_S}(?:搬到|搬去|搬家到)了?{_V}{_END}", slot(HOME, arrival=True)),
    form(f"{_S}从(?P<w>[^，。]{{1,10}}?)搬[到去]了?{_V}{_END}", from_to(HOME, single=True)),
    form(f"{_S}在{_V}(?:工作|上班|任职|就职|[做当]{_JOB.replace('<v>', '<job>')}){_END}", slot(EMPLOYER)),
    form(f"{_S}(?:就职于|任职于){_V}{_END}", slot(EMPLOYER)),
    form(f"{_S}(?:入职|跳槽到|跳槽去)了?{_V}{_END}", slot(EMPLOYER, arrival=True)),
    form(f"{_S}(?:不在|不再在){_V}(?:工作|上班)了?{_END}", slot(EMPLOYER, denied=True)),
    form(f"{_S}从{_V}(?:离职|辞职){_END}", slot(EMPLOYER, denied=True, arrival=True)),
    form(f"{_S}(?:在[^，。]{{1,12}})?(?:是|做|当|担任)(?:一[名个位])?{_JOB}{_END}", slot(JOB)),
    form(f"{_S}(?P<v>\\d{{1,3}}|[一二三四五六七八九十]{{1,3}})岁{_END}", attribute("age")),
    form(f"{_S}(?:出生于|生于){_V}{_END}", dated_attribute("生日")),
    form(f"{_S}(?:名?叫做?){_V}{_END}", _called),
    form(f"{_S}(?:和|跟|与){_V}结婚了?$", attribute("spouse")),
    form(f"{_S}(?:嫁给了?|娶了){_V}$", attribute("spouse")),
    form(f"^(?P<s>[^，。,：:]{{1,30}}?)(?:是|为|改为|改成|：|:)\\s?{_V}{_END}", _attribute),
    form(
        "^(?P<s>[^，。,]{1,20}?)(?P<verb>定在|安排在|改到了?|改成了?|改在|推迟到了?|在|是)"
        f"{_V}(?:开始?|举行|召开|进行)?{_END}",
        _scheduled,
    ),
    form(
        f"{_S}从(?P<w>[^，。]{{1,15}}?)(?:换成|换到|迁移到|切换到|改用|改成)了?{_V}{_END}",
        from_to(USES, single=False),
    ),
    form(
        f"{_S}(?:更喜欢|偏好|更愿意用|喜欢){_V}(?:而不是|胜过|多过|超过"
        f"|，不喜欢)(?P<w>[^，。]{{1,20}}){_END}",
        _preferred,
    ),
    form(f"{_S}比起(?P<w>[^，。]{{1,15}})[，,]?(?:更喜欢|更爱){_V}{_END}", _preferred),
    form(f"{_S}{_DEGREE}最?{_ENJOYS}(?!的){_V}{_END}", slot(LIKES, single=False)),
    form(
        f"{_S}{_DEGREE}(?:不再?(?:太|怎么)?{_ENJOYS}|讨厌|反感){_V}{_END}",
        slot(LIKES, single=False, denied=True),
    ),
    form(
        f"^(?P<s>[^，。,]{{0,12}}?{_TOOL})(?:统一)?(?:使?用|采用|部署在|改用|换成)了?{_V}{_END}", slot(USES)
    ),
)
"""Forms of a Chinese claim: a pattern matched from its first character, and the function that yields its
assertions."""


_JA_S = "^(?P<s>[^、。は]{1,20}?)は(?:今|現在|、)*"
_JA_V = "(?P<v>[^。は]{1,20}?)"
_IS = "(?:います|いる|る)?$"
_COPULA = "(?:です|だ)?$"
_JA_NAMED = ("名前", "住所", "職業", "電話番号", "ポート", "バージョン")


def japanese(claim: str) -> Found:
    """Yield the assertions of a Japanese claim, each once."""
    yield from read(claim.strip().rstrip("。."), JAPANESE_FORMS)


def _ja_attribute(match: re.Match[str]) -> Found:
    phrase, value = match["s"].replace("の", "的"), match["v"]
    favourite = "一番好きな" in phrase
    if favourite or phrase.endswith(_JA_NAMED) or (phrase.endswith(("誕生日", "締め切り")) and times(value)):
        yield Assertion(subject=subject_of(phrase), slot=IS, value=value)


JAPANESE_FORMS = (
    form(f"{_JA_S}{_JA_V}に住んで{_IS}", slot(HOME)),
    form(f"{_JA_S}{_JA_V}に引っ越し(?:ました|た)$", slot(HOME, arrival=True)),
    form(f"{_JA_S}{_JA_V}(?:で働いて|で勤務して|に勤めて){_IS}", slot(EMPLOYER)),
    form(f"{_JA_S}{_JA_V}が(?:大)?好き{_COPULA}", slot(LIKES, single=False)),
    form(
        f"{_JA_S}{_JA_V}が(?:(?:大)?嫌い{_COPULA}|好きで?(?:は|じゃ)(?:ない|ありません)(?:です)?$)",
        slot(LIKES, single=False, denied=True),
    ),
    form(f"{_JA_S}(?P<v>\\d{{1,3}})歳{_COPULA}", attribute("age")),
    form("^(?P<s>[^。は]{1,30}?)は(?P<v>[^。は]{1,30}?)(?:です|だ)$", _ja_attribute),
)
"""Forms of a Japanese claim: a pattern matched from its first character, and the function that yields its
assertions."""
