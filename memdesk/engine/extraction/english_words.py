"""Words for people: kinship and roles, common given names, titles, Chinese surnames and forms of address."""

from __future__ import annotations

import re

from memdesk.engine.extraction.lexicon import pattern, word_set, words

SUBJECTS = word_set("i we i'm i've i'd i'll we're we've we'd we'll im ive")
POSSESSIVES = word_set("my our")
THIRD = words("english", "third")

BE = words("english", "be")
MODALS = words("english", "modals")
NEGATIVE = words("english", "negative")

ADVERBS = words("english", "adverbs")
LY_VERBS = words("english", "ly_verbs")

PASTS = words("english", "pasts")
SAME_PAST = words("english", "same_past")
PARTICIPLES = words("english", "participles")
ED_BASES = words("english", "ed_bases")

VERBS = words("english", "verbs")
COORDINATED = words("english", "coordinated")

STARTERS_PAST = PASTS - words("english", "starters_past")
"""Past forms that open a sentence without its "I": "Got back from Rome"."""
STARTERS_ING = words("english", "starters_ing")

FUNCTION = (
    words("english", "function_2") | THIRD | BE | MODALS | ADVERBS | NEGATIVE | words("english", "function")
)

VAGUE = words("english", "vague")
"""Words that fill a sentence without distinguishing one person's life from another's."""

FEELINGS = words("english", "feelings")
"""Words that follow "I'm" in a sentence about a mood of the moment, not a fact."""

CHATTER = words("english", "chatter")
"""First words of sentences that greet, cheer, ask or comment."""

OPENERS = words("english", "openers")
COMMA_OPENERS = words("english", "comma_openers")
"""Openers that are ordinary words unless a comma or a full stop follows."""

IDLE_VERBS = words("english", "idle_verbs")
"""Verbs of the moment: "I agree", "I wonder". The words after them may still make a claim if they contain a
name."""
EVENTFUL = words("english", "eventful")
"""Verbs that are informative without an object."""
DETERMINERS = words("english", "determiners")
"""Words with which a finished clause does not end."""
ABLE = words("english", "able")
IDLE_FUTURE = words("english", "idle_future")
PARTNER_ACTS = words("english", "partner_acts")
"""Verbs for an act of the partner: only with one of these is "you" part of a claim."""

OFTEN_PRESENT = word_set("read let cost beat")
HABIT = re.compile(
    r"\b(?:always|usually|often|every|each|never|sometimes|normally|regularly|on \w+days)\b", re.IGNORECASE
)
SAID_OF_THE_PAST = pattern("english", "said_of_the_past")


SHE = words("english", "she")
HE = words("english", "he")
THEY = words("english", "they")
KIN = SHE | HE | THEY
"""Individuals that a speaker calls "my ...": each is an entity."""
PETS = words("english", "pets")
GROUP = words("english", "group")
"""Kinds of people of whom a speaker has several: they count only with a name."""
TITLES = words("english", "titles")

GIVEN = words("english", "given")

CHINESE_KIN = words("chinese", "chinese_kin")
CHINESE_SHE = words("chinese", "chinese_she")
CHINESE_PETS = word_set("小狗 小猫 狗 猫 兔子 仓鼠 鹦鹉 金毛 柯基 橘猫")
CHINESE_GROUP = word_set("同事 朋友 同学 邻居 老师 医生 室友 闺蜜 爸妈 父母 家人 孩子")


def alternatives(words: frozenset[str]) -> str:
    """Return the words as alternatives of a pattern, longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜"
    "崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严"
)
_SHORT_SURNAMES = "王李张刘陈杨赵吴周徐马胡郭林罗郑谢宋唐许冯邓曹彭田董袁潘蔡杜沈姚卢姜谭陆汪"
ADDRESSED = re.compile(
    f"[{SURNAMES}](?:阿姨|叔叔|老师|医生|经理|教授|律师|师傅|先生|女士|小姐|奶奶|爷爷|总(?![是共结体部算会])"
    f"|工(?![作人具程资业地厂]))|[老小][{_SHORT_SURNAMES}]"
)
"""Surname with a form of address: 陈阿姨, 王老师, 小李."""
