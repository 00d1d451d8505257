"""Words for people: kinship and roles, common given names, titles, Chinese surnames and forms of address."""

from __future__ import annotations

import re

from memdesk.engine.extraction.words import word_set

SHE = word_set(
    """
    mom mum mother mommy mama grandma grandmother granny nana sister aunt auntie niece wife girlfriend
    fiancée daughter stepmom stepmother stepsister stepdaughter stepdad godmother goddaughter mother-in-law
    sister-in-law daughter-in-law fiancee
    """
)
HE = word_set(
    """
    dad father daddy papa grandpa grandfather granddad brother uncle nephew husband boyfriend fiancé fiance
    son stepdad stepfather stepbrother stepson godfather godson father-in-law brother-in-law son-in-law
    """
)
THEY = word_set(
    """
    partner spouse cousin child kid baby boss manager mentor coach therapist doctor dentist landlord
    landlady roommate flatmate colleague coworker co-worker teammate neighbor neighbour teacher professor
    supervisor advisor adviser assistant accountant lawyer trainer instructor student grandchild grandson
    granddaughter buddy bestie friend toddler twin godchild
    """
)
KIN = SHE | HE | THEY
"""Individuals that a speaker calls "my ...": each is an entity."""
PETS = word_set(
    """
    dog puppy pup cat kitten guinea rabbit bunny hamster parrot horse pony turtle tortoise fish goldfish
    bird lizard snake pet doggo
    """
)
GROUP = word_set(
    """
    friend buddy colleague coworker co-worker teammate student child kid neighbor neighbour cousin teacher
    """
)
"""Kinds of people of whom a speaker has several: they count only with a name."""
TITLES = word_set(
    """
    mr mrs ms miss dr prof professor sir madam aunt auntie uncle grandma grandpa coach pastor father sister
    """
)

GIVEN = word_set(
    """
    aaron abby abigail adam adrian ahmed aisha alan albert alejandro alex alexander alexandra alfred ali
    alice alicia alison amanda amber amelia amy ana anders andre andrea andreas andrew andy angela anita
    anna anne annie anthony antonio arjun arthur ashley astrid audrey barbara beatriz becky ben benjamin
    bernard beth bianca bill bob brandon brenda brian bruno caitlin cameron camila carl carla carlos carmen
    carol caroline carolina catherine cecilia charles charlie charlotte chen chloe chris christian christina
    christine christopher claire clara claudia colin connor craig cynthia dan daniel daniela danny dave
    david deborah dennis derek diana diego dmitri dominic donald donna dorothy doug douglas dylan ed eddie
    edgar eduardo edward elena eli elias elizabeth ella ellen elsa emil emily emma eric erica erik erin
    ethan eva evan evelyn fatima felix fernando fiona florian francesca francis francisco frank fred freja
    gabriel gabriela gary george gina giulia giovanni gloria grace graham greg gustav hannah hans harry
    hassan heather heidi helen helena henrik henry hiroshi hugo ian ibrahim ingrid irene iris isaac isabel
    isabella ivan jack jacob jade jake james jamie jan jane janet jasmine jason jean jeff jennifer jenny
    jeremy jerry jess jesse jessica jill jim jimmy joan joana joanna joe joel johan johanna john johnny jon
    jonas jonathan jorge jose joseph josh joshua joyce juan judy julia julian julie jun justin kaori karen
    karl karin kate katherine kathy katie keith kelly ken kenji kevin kim kimberly klaus kristen kumar kurt
    kyle lars laura lauren lea leah lee lena leo leon leonardo leslie lily linda lisa liu logan lorenzo
    lotte louis louise lucas lucia lucy luigi luis luisa luke luna lydia madison magnus malik marc marco
    marcos marcus margaret maria mariana marie marina mario mark marta martha martin martina mary mateo matt
    matteo matthew maya megan mei mel melanie melissa mia michael michelle miguel mike mila miles miriam
    mohamed mohammed molly monica morgan nadia nancy natalia natalie natasha nathan neil nicholas nick nico
    nicole nigel nikolai nina noah nora oliver olivia olga omar oscar otto owen pablo pamela patricia
    patrick paul paula pedro penny peter petra phil philip pierre priya rachel rafael raj rajesh ralph
    raquel rebecca renata richard rita rob robert roberto robin rodrigo roger ron rosa rose rosie ruth ryan
    sally sam samantha samuel sandra sanjay sara sarah scott sean sebastian sergio shannon sharon shaun
    simon sofia sofie sonia sophia sophie stefan stella stephanie stephen steve steven stuart sue susan
    susanna suzanne sven sylvia takeshi tamara tanya tara ted teresa terry theo theresa thomas tiago tim
    timothy tina tobias todd tom tomas tommy tony tracy tyler ursula valentina vanessa vera veronica victor
    victoria viktor vincent virginia vivian vladimir wei wendy wilhelm will william xavier yan yuki yusuf
    yvonne zach zara zoe
    """
)

CHINESE_KIN = word_set(
    """
    妈妈 爸爸 母亲 父亲 老妈 老爸 爷爷 奶奶 外公 外婆 姥姥 姥爷 哥哥 弟弟 姐姐 妹妹 老公 老婆 丈夫 妻子 儿子
    女儿 男朋友 女朋友 女友 男友 未婚妻 未婚夫 舅舅 阿姨 姑姑 叔叔 伯伯 婆婆 公公 岳父 岳母 爸妈 父母 家人
    孩子 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 侄子 侄女 孙子 孙女 老板 领导 导师 同事 室友 房东 邻居 朋友
    同学 闺蜜 搭档 经理 老师 医生 妈 爸 哥 姐 弟 妹
    """
)
CHINESE_SHE = word_set(
    """
    妈妈 妈 母亲 老妈 奶奶 外婆 姥姥 姐姐 姐 妹妹 妹 老婆 妻子 女儿 女朋友 女友 未婚妻 阿姨 姑姑 婆婆 岳母
    表姐 表妹 堂姐 堂妹 侄女 孙女 闺蜜
    """
)
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
