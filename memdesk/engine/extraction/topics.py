"""Everyday topics that connect facts in the graph: pursuits, causes, fields and professions, in English and
Chinese.

A topic becomes an entity only if a fact mentions it, so that passing words do not fill the graph."""

from __future__ import annotations

_TOPICS = """
adoption; camping; travel=traveling,travelling; dancing=dance,dances; painting=paintings; hiking=hike,hikes;
volunteering; baking; climbing=rock climbing; marathon; music; theatre=theater; drums; teaching; running club;
aerial yoga; anxiety; archery; architecture; astronomy; autism; badminton; ballet; baseball; basketball;
beekeeping; birdwatching=birding; boxing; bouldering; brewing; calligraphy; candle making; cardio; ceramics;
chess; choir; clarinet; cello; comedy; cooking; counseling=counselling; crochet; cross-country skiing;
cycling=biking; contemporary dance; depression; diabetes; diving=scuba diving; drawing; e-commerce; ecology;
economics; education; electronics; engineering; entrepreneurship; fashion; feminism; fencing; fishing;
fitness; football; fostering; gaming=video games; gardening; genealogy; golf; guitar; gymnastics; hockey;
homelab; homelessness; homeschooling; horse riding=horseback riding; human rights; ice skating; immigration;
infrastructure; interior design; jazz; jewelry making; jogging; journaling; journalism; judo;
karate; kayaking; kickboxing; knitting; LGBTQ rights; literature; machine learning; marketing; martial arts;
mathematics=maths,math; medicine; meditation; mental health; military; mindfulness; motorcycling;
mountain biking; nursing; nutrition; pasta making; parenting; philosophy; photography; physics; piano;
pilates; poetry; podcasting; politics; pottery; psychology; public speaking; quilting; real estate; robotics;
rowing; rugby; sailing; salsa; science fiction; sculpture; self-care; sewing; singing; skateboarding; skiing;
snowboarding; soccer; social work; sourdough; sports; stand-up comedy; stock market; surfing; sustainability;
swimming; taekwondo; tango; tattoos; tea; tennis; therapy; transgender rights; triathlon; veganism=vegan;
vegetarianism=vegetarian; veterans; violin; volleyball; weightlifting; wildlife; wine; woodworking; yoga;
youth mentoring; Zumba=zumba; gluten; penicillin; peanuts; lactose; asthma; migraine=migraines; insomnia;
pregnancy; divorce; retirement; mortgage; visa; scholarship; internship; dance studio; online store;
clothing store; homeless shelter; fire department; fire-fighting; community work; local politics; blogging;
fundraising=fundraiser; church; pets; climate change; renewable energy; electric vehicles; remote work;
English; French; German; Spanish; Portuguese; Italian; Japanese; Mandarin; Cantonese; Korean; Arabic; Swedish;
Dutch; Russian
"""

_CHINESE_TOPICS = """
跑步 马拉松 游泳 健身 瑜伽 篮球 足球 羽毛球 乒乓球 网球 滑雪 骑行 爬山 登山 徒步 露营 钓鱼 摄影 绘画 画画 书法
钢琴 吉他 小提琴 唱歌 舞蹈 跳舞 围棋 象棋 阅读 写作 烹饪 做饭 烘焙 园艺 旅行 旅游 电影 音乐 咖啡 红酒 火锅
川菜 粤菜 考研 留学 创业 理财 炒股 买房 装修 机器学习 深度学习 人工智能 大模型 英语 日语 法语 德语 葡萄牙语
西班牙语 青霉素 花生 海鲜 高血压 糖尿病 失眠 面试 签证 房贷 护照
"""


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
