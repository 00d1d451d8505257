"""Questions about fifteen people who write in one Chinese channel: share of their answers among the first ten turns.
Three groups: other people, lines and questions.

python -m tests.bench.chinese_group

Each person says twelve lines of their own amid small talk, in an order drawn once. Lines are made up; things and
places are dealt out, so that several people speak of the same. A question names one person, and only that person's
turn answers it."""

from __future__ import annotations

import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean

from memdesk.engine.opening import open_engine
from memdesk.engine.recall.pipeline import preview
from memdesk.files.places import Desk
from memdesk.model.recall import Query
from memdesk.model.remember import NewTurn
from tests.bench.locomo import DEPTH, Talk, store

CHANNEL, SEED = "群聊", 15
PEOPLE = (
    *("小林", "老陈", "阿芳", "王磊", "赵敏", "刘洋", "孙婷", "周杰"),
    *("吴倩", "郑浩", "冯雪", "何军", "吕梅", "田野", "欧阳娜"),
)
ASPECTS = (
    ("我下周要去{}出差，谁有好吃的推荐？", "{}要去哪里出差？", "成都 西安 厦门 大连 昆明"),
    ("我家孩子今年{}，接送真累。", "{}的孩子上什么学校？", "上幼儿园 上小学 读初中 读高中 刚出生"),
    ("医生说我对{}过敏，以后不能碰了。", "{}对什么东西过敏？", "花生 海鲜 芒果 猫毛 花粉"),
    ("最近晚上都在学{}，学费不便宜。", "{}最近在学什么？", "西班牙语 吉他 书法 游泳 摄影"),
    ("终于买车了，是一辆{}的电车。", "{}买的车是什么颜色？", "白色 黑色 红色 银色 蓝色"),
    ("这个季度我负责{}这一块，有事找我。", "{}负责哪一块工作？", "服务器 报表 招聘 客服 采购"),
    ("我每天骑{}分钟自行车上班，省地铁钱。", "{}上班要骑多久？", "二十 三十 四十 五十 十五"),
    ("周末和朋友去打{}，出了一身汗。", "{}周末做什么运动？", "羽毛球 乒乓球 篮球 网球 排球"),
    ("我养的{}昨晚又把杯子打翻了。", "{}养了什么宠物？", "橘猫 柯基 鹦鹉 仓鼠 乌龟"),
    ("房租又涨了，现在每月{}块。", "{}的房租是多少钱？", "三千 三千五 四千二 五千 六千八"),
    ("晚饭一般都吃{}，简单又健康。", "{}晚饭吃什么？", "面条 沙拉 饺子 米粉 豆腐"),
    ("明年想搬到{}去住，离父母近一些。", "{}打算搬到哪里去住？", "苏州 杭州 青岛 长沙 珠海"),
)
OTHER_PEOPLE = (
    *("小红", "老徐", "阿强", "李娜", "张伟", "马超", "许晴", "高峰"),
    *("谢敏", "宋佳", "唐宁", "韩梅", "曹颖", "邓凯", "司马光"),
)
OTHER_ASPECTS = (
    ("我女儿上个月开始弹{}，家里天天有声音。", "{}的女儿弹什么乐器？", "钢琴 古筝 琵琶 小提琴 吉他"),
    ("我妈做的{}最好吃，过年一定要做。", "{}的妈妈拿手菜是什么？", "红烧肉 酸菜鱼 糖醋排骨 粉蒸肉 烤鸭"),
    ("我阳台上种的{}开花了。", "{}种了什么花？", "茉莉 月季 绣球 兰花 茶花"),
    ("上周体检，医生让我少碰{}。", "医生不让{}碰什么？", "咖啡 白酒 辣椒 甜食 腌菜"),
    ("我睡前看{}，一看就到一点。", "{}睡前看什么书？", "武侠小说 推理小说 历史书 漫画 诗集"),
    ("手机换成{}的了，拍照清楚多了。", "{}换了什么手机？", "华为 小米 苹果 三星 荣耀"),
    ("我在{}念的大学，冬天冷得要命。", "{}大学在哪儿念的？", "哈尔滨 长春 沈阳 兰州 呼和浩特"),
    ("婚礼定在{}，到时候都来啊。", "{}几月办婚礼？", "五月 六月 九月 十月 十一月"),
    ("我跑完全马用了{}小时，腿都软了。", "{}跑马拉松要跑多久？", "四个 五个 四个半 五个半 六个"),
    ("我弟弟在{}当兵，两年没见了。", "{}的弟弟在哪里当兵？", "西藏 新疆 海南 云南 内蒙古"),
    ("咱们项目我来写{}，别的我不熟。", "{}写哪部分代码？", "前端 后端 数据库 测试 脚本"),
    ("我把钥匙落在{}了，今晚回不了家。", "{}的钥匙丢在哪里了？", "出租车 健身房 会议室 饭馆 理发店"),
)
THIRD_PEOPLE = (
    *("小周", "老杨", "阿明", "陆瑶", "蒋涛", "沈洁", "魏东", "姚远"),
    *("汪琳", "江山", "白露", "石磊", "秦岚", "方正", "诸葛明"),
)
THIRD_ASPECTS = (
    ("我上个月刚入职{}，还在试用期。", "{}在哪家公司上班？", "腾讯 字节 美团 京东 网易"),
    ("我老公是{}，经常半夜才回来。", "{}的丈夫做什么工作？", "医生 警察 厨师 司机 记者"),
    ("昨天摔了一跤，{}骨折了，得养三个月。", "{}哪里受伤了？", "左手 右脚 肋骨 手腕 脚踝"),
    ("我一般坐{}来公司，人少还有座。", "{}怎么去公司？", "地铁二号线 班车 公交 轮渡 高铁"),
    ("生日那天我收到一个{}，特别喜欢。", "{}生日收到了什么礼物？", "相机 手表 耳机 背包 键盘"),
    ("我住{}楼，没有电梯，搬东西很累。", "{}家住几楼？", "三 四 五 六 七"),
    ("咖啡我只喝{}的，别的都不习惯。", "{}喜欢喝哪种咖啡？", "美式 拿铁 冰滴 摩卡 浓缩"),
    ("这次考试我{}没过，下半年再考。", "{}哪门考试没通过？", "英语 会计 驾照 法律 统计"),
    ("我们全家打算暑假去{}玩一个星期。", "{}一家暑假准备去哪儿旅游？", "三亚 桂林 张家界 敦煌 丽江"),
    ("最近迷上了做{}，厨房天天一团糟。", "{}最近爱上了做什么吃的？", "蛋糕 面包 寿司 月饼 饼干"),
    ("我爸以前是{}，去年刚退休。", "{}的父亲退休前是干什么的？", "老师 工程师 船员 会计 军人"),
    ("电脑的{}坏了，修要花不少钱。", "{}的电脑出了什么问题？", "屏幕 硬盘 电池 风扇 主板"),
)
GROUPS = {
    "first": (PEOPLE, ASPECTS),
    "second": (OTHER_PEOPLE, OTHER_ASPECTS),
    "third": (THIRD_PEOPLE, THIRD_ASPECTS),
}
SMALL_TALK = (
    *("早上好", "收到", "哈哈哈", "好的，谢谢", "下午开会别忘了", "今天好热"),
    *("谁去吃饭", "辛苦了", "同意", "我也是", "太好了", "周末愉快"),
)
FORMS = ("{}", "请问{}", "你知道{}")


def main() -> None:
    """Print the share found in each group, by aspect and in all."""
    for name, (people, aspects) in GROUPS.items():
        print(f"{name} group\n")
        measure(*made(random.Random(SEED), people, aspects))


def measure(turns: tuple[NewTurn, ...], questions: list[tuple[str, str, str]]) -> None:
    """Print the share found of one group."""
    found: dict[str, list[float]] = defaultdict(list)
    first: list[float] = []
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as folder:
        engine = open_engine(Desk(Path(folder)))
        try:
            store(engine, [Talk(name=CHANNEL, turns=turns, questions=())])
            for aspect, text, answer in questions:
                query = Query(text=text, channel=CHANNEL, kinds=("turn",), limit=DEPTH)
                ids = [hit.id for hit in preview(engine, query).hits]
                found[aspect].append(float(answer in ids))
                first.append(1 / (ids.index(answer) + 1) if answer in ids else 0.0)
        finally:
            engine.close()
    for aspect, shares in found.items():
        print(f"| {aspect} | {100 * mean(shares):.1f} |")
    every = [share for shares in found.values() for share in shares]
    print(f"| all {len(every)} | {100 * mean(every):.1f} |\n\nMRR {mean(first):.3f}\n")


def made(
    chance: random.Random, people: Sequence[str], aspects: Sequence[tuple[str, str, str]]
) -> tuple[tuple[NewTurn, ...], list[tuple[str, str, str]]]:
    """Return the turns of the channel, and (aspect, question, id of the turn that answers it)."""
    said: list[tuple[str, str, str]] = []
    questions = []
    for number, (line, question, things) in enumerate(aspects):
        for person in people:
            id = f"{number}-{person}"
            said.append((id, person, line.format(chance.choice(things.split()))))
            questions.append((question, chance.choice(FORMS).format(question.format(person)), id))
    for number in range(4 * len(people) * len(aspects) // 3):
        other = chance.choice(people)
        text = chance.choice(SMALL_TALK)
        said.append(
            (f"talk-{number}", chance.choice(people), f"@{other} {text}" if number % 3 == 0 else text)
        )
    chance.shuffle(said)
    start = datetime(2026, 3, 2, 9, tzinfo=UTC)
    turns = tuple(
        NewTurn(
            content=text,
            speaker=person,
            channel=CHANNEL,
            conversation_id=f"day-{place // 60}",
            turn_id=id,
            created_at=start + timedelta(days=place // 60, minutes=3 * (place % 60)),
        )
        for place, (id, person, text) in enumerate(said)
    )
    return turns, questions


if __name__ == "__main__":
    main()
