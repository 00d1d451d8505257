"""Places and organisations known by name, and endings that identify others. Data only, easy to read and
correct."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.engine.beliefs.lexicon import regions
from memdesk.engine.extraction.lexicon import section, words

_CITIES = section("names", "cities")

_CHINESE_CITIES = section("chinese", "chinese_cities")

_ORGANIZATIONS = section("names", "organizations")

_CHINESE_ORGANIZATIONS = """
字节跳动 阿里巴巴 阿里云 腾讯 百度 华为 小米 美团 京东 网易 滴滴 蚂蚁集团 快手 比亚迪 联想 中兴 携程 大疆 商汤
科大讯飞 清华大学 北京大学 清华 北大 复旦大学 复旦 浙江大学 浙大 上海交通大学 上海交大 中科院 中国银行
工商银行 建设银行 招商银行 谷歌 微软 苹果公司 亚马逊 特斯拉
"""

PLACE_ENDINGS = words("names", "place_endings")
ORGANIZATION_ENDINGS = words("names", "organization_endings")
EVENT_ENDINGS = words("names", "event_endings")
EVENTS = words("names", "events")

_CALENDAR = words("calendar", "names")
CALENDAR = _CALENDAR | {f"{name}s" for name in _CALENDAR} | {f"mid-{name}" for name in _CALENDAR}
"""Names of days and months in many languages, also in the plural ("Tuesdays"), in lower case."""

CHINESE_PLACE_ENDINGS = "省市县区镇村路街巷湖山岛湾港"
CHINESE_ORGANIZATION_ENDINGS = tuple(
    sorted(
        words("chinese", "chinese_organization_endings"),
        key=lambda ending: (-len(ending), ending),
    )
)
"""Endings of organisation names, longest first, so that 有限公司 is found before 公司."""


def _names(block: str) -> dict[str, str]:
    return {
        name.strip().lower(): name.strip() for name in block.replace("\n", " ").split(";") if name.strip()
    }


PLACES = _names(f"{';'.join(each for each in regions() if each.isascii())};{_CITIES}")
"""Place names by their form in lower case."""
ORGANIZATIONS = _names(_ORGANIZATIONS)
"""Organisation names by their form in lower case."""
CHINESE_PLACES = frozenset(_CHINESE_CITIES.split()) | {each for each in regions() if not each.isascii()}
CHINESE_ORGANIZATIONS = frozenset(_CHINESE_ORGANIZATIONS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """Name in the lexicon. cased: it is also an ordinary word, so only its capital identifies it."""

    name: str
    type: str
    cased: bool


_TECHNOLOGY = section("names", "technology")

_PRODUCT = section("names", "product")

_CHINESE = """
微信; 支付宝; 淘宝; 抖音; 小红书; 微博; 知乎; 哔哩哔哩=B站; 飞书; 钉钉; 企业微信; 腾讯会议; 高德地图;
百度地图; 滴滴出行; 饿了么; 美团外卖; 豆包; 通义千问; 文心一言; 网易云音乐; QQ音乐; 鸿蒙; 拼多多; 京东商城
"""


def _parsed(block: str, type: str) -> dict[str, KnownName]:
    found: dict[str, KnownName] = {}
    for entry in block.replace("\n", " ").split(";"):
        name, _, others = entry.strip().partition("=")
        cased = name.startswith("~")
        known = KnownName(name=name.lstrip("~"), type=type, cased=cased)
        found[known.name.lower()] = known
        found.update(
            {
                other.strip().lower(): KnownName(name=known.name, type=type, cased=False)
                for other in others.split(",")
                if other
            }
        )
    found.pop("", None)
    return found


KNOWN: dict[str, KnownName] = {**_parsed(_TECHNOLOGY, "Technology"), **_parsed(_PRODUCT, "Product")}
"""Known names by spelling in lower case."""

CHINESE_KNOWN: dict[str, KnownName] = _parsed(_CHINESE, "Product")
"""Products with Chinese names, by spelling in lower case."""

LONGEST = max(name.count(" ") + 1 for name in KNOWN)
"""Words in the longest known spelling."""


_TOPICS = section("names", "topics")

_CHINESE_TOPICS = section("chinese", "chinese_topics")


def _topics() -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in _TOPICS.replace("\n", " ").split(";"):
        name, _, others = entry.strip().partition("=")
        found[name.lower()] = name
        found.update({other.lower(): name for other in others.split(",") if other})
    found.pop("", None)
    return found


TOPICS = _topics()
"""Name of a topic by its spelling in lower case."""
CHINESE_TOPICS = frozenset(_CHINESE_TOPICS.split())
