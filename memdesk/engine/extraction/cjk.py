"""Names of people, places, organisations and titles in Chinese sentences, which have no capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.engine.extraction import english_words, gazetteer
from memdesk.engine.extraction.language import HAN
from memdesk.engine.extraction.lexicon import word_set, words

_KIN = english_words.alternatives(english_words.CHINESE_KIN)
_NAME_START = re.compile(
    f"(?:(?:{_KIN})(?:的名字)?(?:名叫|叫做|叫|是|，叫)?|我叫|名叫|叫做|名字是|和|跟|与|给|找"
    f"|问|约|见到?了?|由|请"
    f"|认识了?|嫁给|娶了)(?=[{english_words.SURNAMES}])"
)
_DOES = re.compile(f"(?:^|(?<=[，,。、；：\\s]))(?=[{english_words.SURNAMES}])")
_NICKNAME = re.compile(
    f"(?:(?:{_KIN})|[你我他她]家|名?叫|和|跟|与|给|找|等|请|让|问|(?:^"
    f"|(?<=[，,。、；：\\s])))(?P<name>[小阿][{HAN}])"
)
_NOT_NICKNAMES = words("chinese", "not_nicknames")
_PERSONAL = tuple(
    word_set("说 负责 觉得 告诉 建议 认为 喜欢 问 介绍 推荐 帮 请 住 加入 离职 入职 也 和 跟 今年 昨天 上周")
)
_FOLLOWS = frozenset(
    '的是在说和与跟去来给也都会要想有把被让做住用很，。！？；、,.!?;：: \n（）()"”昨今负喜爱从刚已对为就还这那'
)
_NOT_PEOPLE = gazetteer.CALENDAR | words("chinese", "not_people")
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


_NOT_PLACES = words("chinese", "not_places")


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
    for match in _NICKNAME.finditer(text):
        if match["name"] not in _NOT_NICKNAMES:
            yield match["name"], "Person", 3.0
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
