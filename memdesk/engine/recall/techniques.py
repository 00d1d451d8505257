"""Techniques of the recall layer: their result, search by meaning, HyDE (Gao et al. 2022), and query expansion, which
searches with the paraphrases of a query in addition to the query itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memdesk.engine.engine import Engine
from memdesk.engine.providers.embedder import meaning
from memdesk.engine.recall.query import ResolvedQuery, terms
from memdesk.engine.wording import shortened
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.store import search
from memdesk.store.connection import Connection
from memdesk.store.search import Sought
from memdesk.store.words import is_run

LISTED = 40
"""Most memories that a technique lists: after this place its share is small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueResult:
    """Result of one technique. seqs: search numbers, best first. ties: certainty, 0 to 1, of those it vouches
    for.

    asked: the query narrowed by the technique, None if unchanged. aside: the technique could not run."""

    seqs: Sequence[int] = ()
    ties: Mapping[int, float] = field(default_factory=dict)
    asked: ResolvedQuery | None = None
    aside: bool = False
    says: Message = NO_MESSAGE


def nearest(engine: Engine, db: Connection, asked: ResolvedQuery, texts: Sequence[str]) -> list[int]:
    """Return the memories nearest to the joint meaning of these texts, best first. Raises EmbedderUnavailable."""
    vector = meaning(engine.embedder, texts)
    if vector is None:
        return []
    return [seq for seq, _ in search.by_vector(db, vector, asked.scope, engine.embedder.name)[:LISTED]]


def without_vectors(error: EmbedderUnavailable) -> TechniqueResult:
    """Return the result of a technique of meaning if there are no vectors."""
    return TechniqueResult(aside=True, says=error.says)


TEMPERATURE = 0.7
TOKENS = 150
"""Most tokens of the imagined answer; it and the temperature are AgentX's values."""
_TASK = (
    "Write the passage that would answer the question, as somebody might have noted it down: two or three plain "
    "sentences in the language of the question, without preamble. Where you do not know, make up likely details."
)


def search_imagined(engine: Engine, db: Connection, asked: ResolvedQuery) -> TechniqueResult:
    """Find memories near to an imagined answer. Only its meaning is used: its details are invented."""
    if engine.language is None:
        return TechniqueResult(
            aside=True, says=message("No language model is set that could imagine an answer.")
        )
    try:
        imagined = engine.language.complete(
            system=_TASK, prompt=asked.text, max_tokens=TOKENS, temperature=TEMPERATURE
        ).text.strip()
        if not imagined:
            return TechniqueResult(
                aside=True,
                says=message(
                    "The language model {language} imagined nothing.", language=engine.language.name
                ),
            )
        return TechniqueResult(
            seqs=nearest(engine, db, asked, [imagined]),
            says=message("Imagined: “{text}”", text=shortened(imagined, 160)),
        )
    except (ModelUnavailable, EmbedderUnavailable) as error:
        return TechniqueResult(aside=True, says=error.says)


_GROUPS = """
    birthday born
    job work occupation profession
    company employer
    home house residence
    live reside
    favourite favorite preferred
    prefer like
    like enjoy
    hate dislike
    buy purchase
    car vehicle
    phone mobile telephone
    email mail
    doctor physician
    child kid
    children kids
    parents mother father
    husband spouse
    wife spouse
    partner spouse
    married wedding
    trip travel journey
    vacation holiday
    movie film
    picture photo
    meeting appointment
    start begin
    finish complete
    fix repair
    bug error defect
    error failure
    deploy release
    password credential
    database db
    config configuration settings
    server host
    folder directory
    delete remove
    allergic allergy
    ill sick
    medicine medication
    food meal
    money cost price
    cheap inexpensive
    deadline due
    decide decision
    choose pick
    choice decision
    school education
    study learn
    hobby pastime
    sport exercise
    friend companion
    pet animal
    moved relocated
    address location
    name called
    age old
    plan intend
    goal aim
    生日 出生
    工作 职业
    公司 单位
    住 居住
    家 住处
    喜欢 爱
    讨厌 不喜欢
    买 购买
    汽车 车
    电话 手机
    邮箱 邮件
    医生 大夫
    孩子 小孩
    妻子 太太 老婆
    丈夫 老公 先生
    爸爸 父亲
    妈妈 母亲
    结婚 婚礼
    旅行 旅游
    假期 度假
    电影 影片
    照片 图片
    会议 开会
    开始 启动
    完成 结束
    修复 修理
    错误 故障
    部署 发布
    密码 口令
    配置 设置
    服务器 主机
    删除 移除
    过敏 忌口
    生病 不舒服
    药 药物
    价格 费用
    截止 期限
    决定 选择
    学校 大学
    学习 念书
    爱好 兴趣
    朋友 好友
    宠物 动物
    搬家 搬到
    地址 位置
    计划 打算
    目标 目的
"""


def _table() -> dict[str, str]:
    """Return the first synonym of each word; a word in several groups keeps the synonym of the first."""
    known: dict[str, str] = {}
    for line in _GROUPS.strip().splitlines():
        first, *others = line.split()
        known.setdefault(first, others[0])
        for other in others:
            known.setdefault(other, first)
    return known


SYNONYMS: dict[str, str] = _table()
"""Synonym of a word, both in lower case."""


AT_MOST = 3
"""Most paraphrases of one query (AgentX)."""

_BE = r"(?:is|are|was|were|'s|’s)"
_DO = r"(?:do|does|did|has|have|had|will|would|can|could|should)"
_REST = r"(?P<rest>.+?)"
_FORMS: tuple[tuple[str, str], ...] = (
    (
        rf"what (?:kind|sort|type) of (?P<what>[\w-]+) {_DO} (?P<who>\S+) {_REST}",
        r"\g<who> \g<rest> \g<what>",
    ),
    (rf"what {_BE} (?P<whose>.+?(?:'s|’s)|my|your|our|his|her|their|the) {_REST}", r"\g<whose> \g<rest> is"),
    (rf"what {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest>"),
    (rf"which {_REST} {_DO} (?P<who>\S+) (?P<verb>.+?)", r"\g<who> \g<verb> \g<rest>"),
    (rf"where {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> in"),
    (rf"where {_BE} {_REST}", r"\g<rest> is in"),
    (rf"when {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> on"),
    (rf"when {_BE} {_REST}", r"\g<rest> is on"),
    (rf"who {_BE} {_REST}", r"\g<rest> is"),
    (rf"who {_REST}", r"\g<rest>"),
    (rf"why {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> because"),
    (rf"how (?:many|much) {_REST}", r"\g<rest>"),
    (rf"how (?:long|often|old) {_DO} {_REST}", r"\g<rest>"),
    (rf"how {_DO} (?P<who>\S+) {_REST}", r"\g<who> \g<rest> by"),
    (rf"(?:{_DO}|{_BE}) (?P<who>\S+) {_REST}", r"\g<who> \g<rest>"),
    (rf"(?:tell me|what do you know|do you remember) (?:about )?{_REST}", r"\g<rest>"),
    (r"(?P<rest>.+?)是(?:什么|什麼|谁|誰|哪个|多少)(?:时候|時候)?", r"\g<rest>是"),
    (r"谁是(?P<rest>.+?)", r"\g<rest>是"),
    (r"(?P<rest>.+?)在(?:哪里|哪裡|哪儿|什么地方)(?P<more>.*?)", r"\g<rest>在\g<more>"),
    (r"(?P<who>.*?)(?:什么时候|什麼時候|何时|为什么|為什麼|怎么|怎麼|如何)(?P<rest>.+?)", r"\g<who>\g<rest>"),
    (r"(?P<who>.*?)有没有(?P<rest>.+?)", r"\g<who>有\g<rest>"),
    (r"(?P<rest>.+?)(?:吗|嗎|呢)", r"\g<rest>"),
)
_STATEMENTS = tuple((re.compile(form, re.IGNORECASE), statement) for form, statement in _FORMS)
_CLOSING = " \t\r\n?？!！.。"


def paraphrases(query: str) -> tuple[str, ...]:
    """Return at most AT_MOST other wordings of a query: statement, core phrase, synonym; never the query itself."""
    asked = " ".join(query.split()).strip(_CLOSING)
    ways = [way for way in (_statement(asked), _core(asked), _with_synonym(asked)) if way]
    return tuple(dict.fromkeys(way for way in ways if way.lower() != asked.lower()))[:AT_MOST]


def _statement(asked: str) -> str:
    """Return the question as the beginning of the sentence that would answer it; "" if no form fits."""
    for form, statement in _STATEMENTS:
        if found := form.fullmatch(asked):
            return " ".join(found.expand(statement).split())
    return ""


def _core(asked: str) -> str:
    """Return the content words of the query alone; "" if it contains Chinese or Japanese."""
    return "" if any(map(is_run, asked.split())) else " ".join(terms(asked))


def _with_synonym(asked: str) -> str:
    """Return the query with its first word that has a synonym replaced by it; "" if none has."""
    for word in _words(asked):
        if (other := SYNONYMS.get(word.lower())) is not None:
            whole = word if is_run(word) else rf"\b{word}\b"
            return re.sub(whole, other, asked, count=1)
    return ""


def _words(asked: str) -> Iterator[str]:
    """Yield Latin words, then every piece of three, two and one characters within CJK runs."""
    yield from re.findall(r"[A-Za-z]+", asked)
    for size in (3, 2, 1):
        for start in range(len(asked) - size + 1):
            piece = asked[start : start + size]
            if is_run(piece):
                yield piece


HITS_PER_WORD = 20
"""Newest memories taken for a word that only a paraphrase contains."""


def expand(engine: Engine, db: Connection, asked: ResolvedQuery) -> TechniqueResult:
    """Return memories that contain a word found only in a paraphrase, then those near the paraphrases in meaning."""
    ways = (*asked.variants, *paraphrases(asked.text))[: AT_MOST + len(asked.variants)]
    if not ways:
        return TechniqueResult(says=message("There is no other way to say this."))
    try:
        meant = nearest(engine, db, asked, ways)
    except EmbedderUnavailable as error:
        return without_vectors(error)
    known = set(terms(asked.text))
    new = dict.fromkeys(term for way in ways for term in terms(way) if term not in known)
    sought = [Sought(terms=(term,), most=HITS_PER_WORD) for term in new]
    spoken = [seq for found in search.postings_of(db, sought, asked.scope) for seq in found]
    both = dict.fromkeys((*spoken[:LISTED], *meant))
    return TechniqueResult(
        seqs=list(both)[:LISTED],
        says=message("Also searched: {ways}.", ways="; ".join(f"“{way}”" for way in ways)),
    )
