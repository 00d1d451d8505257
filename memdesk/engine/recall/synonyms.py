"""Synonyms for paraphrases: a small table of our own, English and Chinese."""

from __future__ import annotations

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
