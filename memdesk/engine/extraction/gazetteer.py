"""Places and organisations known by name, and endings that identify others. Data only, easy to read and
correct."""

from __future__ import annotations

from memdesk.engine.extraction.words import word_set

_REGIONS = """
Afghanistan; Albania; Algeria; Andorra; Angola; Argentina; Armenia; Australia; Austria; Azerbaijan; Bahamas;
Bahrain; Bangladesh; Barbados; Belarus; Belgium; Belize; Bhutan; Bolivia; Bosnia; Botswana; Brazil; Brunei;
Bulgaria; Cambodia; Cameroon; Canada; Chile; China; Colombia; Congo; Costa Rica; Croatia; Cuba; Cyprus;
Czech Republic; Czechia; Denmark; Dominican Republic; Ecuador; Egypt; El Salvador; Estonia; Ethiopia; Fiji;
Finland; France; Gabon; Gambia; Germany; Ghana; Greece; Greenland; Guatemala; Guinea; Haiti; Honduras;
Hungary; Iceland; India; Indonesia; Iran; Iraq; Ireland; Israel; Italy; Jamaica; Japan; Kazakhstan; Kenya;
Kosovo; Kuwait; Laos; Latvia; Lebanon; Libya; Liechtenstein; Lithuania; Luxembourg; Madagascar; Malaysia;
Maldives; Mali; Malta; Mauritius; Mexico; Moldova; Monaco; Mongolia; Montenegro; Morocco; Mozambique; Myanmar;
Namibia; Nepal; Netherlands; New Zealand; Nicaragua; Nigeria; North Macedonia; Norway; Oman; Pakistan;
Palestine; Panama; Paraguay; Peru; Philippines; Poland; Portugal; Puerto Rico; Qatar; Romania; Russia; Rwanda;
Saudi Arabia; Scotland; Senegal; Serbia; Singapore; Slovakia; Slovenia; Somalia; South Africa; South Korea;
Korea; North Korea; Spain; Sri Lanka; Sudan; Sweden; Switzerland; Syria; Taiwan; Tanzania; Thailand; Tibet;
Tunisia; Ukraine; UAE; UK; England; Wales; Northern Ireland; United Kingdom; United States; USA; US; Uganda;
Uruguay; Uzbekistan; Venezuela; Vietnam; Yemen; Zambia; Zimbabwe; Europe; Asia; Africa; North America;
South America; Latin America; Antarctica; Scandinavia; Middle East; Caribbean; Balkans; Southeast Asia;
East Coast; West Coast; Midwest; Bay Area; Silicon Valley; New England; Alps; Himalayas; Pyrenees;
Mediterranean; Baltic; Sahara; Patagonia; Tuscany; Bavaria; Andalusia; Catalonia; Provence; Brittany;
Normandy; Algarve; Azores; Madeira; Sicily; Sardinia; Crete; Bali; Hawaii; Alaska; Okinawa; Hokkaido; Alabama;
Arizona; Arkansas; California; Colorado; Connecticut; Delaware; Florida; Idaho; Illinois; Indiana; Iowa;
Kansas; Kentucky; Louisiana; Maine; Maryland; Massachusetts; Michigan; Minnesota; Mississippi; Missouri;
Montana; Nebraska; Nevada; New Hampshire; New Jersey; New Mexico; New York; North Carolina; North Dakota;
Ohio; Oklahoma; Oregon; Pennsylvania; Rhode Island; South Carolina; South Dakota; Tennessee; Texas; Utah;
Vermont; West Virginia; Wisconsin; Wyoming; Ontario; Quebec; British Columbia; Alberta; Queensland;
New South Wales; Victoria BC; Tasmania
"""
_CITIES = """
Amsterdam; Athens; Atlanta; Auckland; Austin; Baltimore; Bangalore;
Bangkok; Barcelona; Basel; Beijing; Beirut; Belfast; Belgrade; Bergen; Berlin; Bern; Bilbao; Birmingham;
Bogotá; Bologna; Bordeaux; Boston; Bratislava; Brisbane; Bristol; Brooklyn; Brussels; Bucharest; Budapest;
Buenos Aires; Busan; Cairo; Calgary; Cambridge; Canberra; Cape Town; Cardiff; Casablanca; Chengdu; Chicago;
Cologne; Copenhagen; Cork; Dakar; Dallas; Damascus; Delhi; New Delhi; Denver; Detroit; Dhaka; Doha; Dresden;
Dubai; Dublin; Düsseldorf; Edinburgh; Florence; Frankfurt; Gdansk; Geneva; Genoa; Ghent; Glasgow; Gothenburg;
Göteborg; Graz; Guangzhou; Hamburg; Hanoi; Hangzhou; Havana; Helsinki; Ho Chi Minh City; Hong Kong; Honolulu;
Houston; Hyderabad; Istanbul; Jakarta; Jerusalem; Johannesburg; Karachi; Kathmandu; Kraków; Krakow;
Kuala Lumpur; Kyiv; Kyoto; Lagos; Las Vegas; Lausanne; Leeds; Leipzig; Lima; Lisbon; Liverpool; Ljubljana;
London; Los Angeles; Luanda; Lund; Lyon; Macau; Madrid; Malmö; Manchester; Manhattan; Manila; Marrakech;
Marseille; Melbourne; Mexico City; Miami; Milan; Milwaukee; Minneapolis; Montevideo; Montreal; Moscow; Mumbai;
Munich; Nairobi; Nanjing; Naples; Nashville; New Orleans; New York City; NYC; Nice France; Oakland; Osaka;
Oslo; Ottawa; Oxford; Palermo; Paris; Philadelphia; Phnom Penh; Phoenix Arizona; Pittsburgh; Portland; Porto;
Prague; Quito; Reykjavik; Riga; Rio de Janeiro; Rome; Rotterdam; Salzburg; San Diego; San Francisco; San Jose;
Santiago; São Paulo; Sarajevo; Seattle; Seoul; Seville; Shanghai; Shenzhen; Sofia; Stockholm; Stuttgart;
Sydney; Taipei; Tallinn; Tampa; Tbilisi; Tehran; Tel Aviv; The Hague; Tokyo; Toronto; Toulouse; Tunis; Turin;
Uppsala; Utrecht; Valencia; Vancouver; Venice; Verona; Vienna; Vilnius; Warsaw; Washington; Washington DC;
Wuhan; Xi'an; Yokohama; Zagreb; Zurich; Zürich; Graça; Alfama; Soho; Central Park; Times Square; Eiffel Tower;
Grand Canyon; Yosemite; Yellowstone; Niagara Falls; Mount Everest; Machu Picchu; Great Wall; Louvre;
Colosseum; Big Ben; Golden Gate Bridge; Disneyland; Disney World; Universal Studios
"""

_CHINESE_REGIONS = """
中国 美国 英国 法国 德国 日本 韩国 意大利 西班牙 葡萄牙 加拿大 澳大利亚 新西兰 马来西亚 泰国 越南 印度
俄罗斯 巴西 墨西哥 瑞典 瑞士 荷兰 挪威 丹麦 芬兰 奥地利 希腊 土耳其 埃及 南非 阿根廷 菲律宾 印度尼西亚 欧洲
亚洲 非洲 北美 南美 东南亚 台湾 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东
广西 海南 四川 贵州 云南 西藏 陕西 甘肃 青海 宁夏 新疆 内蒙古
"""
_CHINESE_CITIES = """
新加坡 北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 成都 武汉 西安 长沙 郑州 青岛 济南 大连 沈阳 哈尔滨 长春
厦门 福州 宁波 温州 合肥 南昌 昆明 贵阳 南宁 海口 三亚 桂林 丽江 大理 拉萨 兰州 西宁 银川 乌鲁木齐 呼和浩特
石家庄 太原 无锡 常州 东莞 佛山 珠海 香港 澳门 台北 高雄 浦东 徐汇 静安 海淀 朝阳区 中关村 陆家嘴 西湖 黄山
泰山 长城 故宫 外滩 东京 東京 横浜 名古屋 札幌 福岡 神戸 沖縄 北海道
大阪 京都 首尔 伦敦 巴黎 柏林 慕尼黑 法兰克福 罗马 米兰 马德里 巴塞罗那 里斯本
波尔图 阿姆斯特丹 布鲁塞尔 维也纳 布拉格 苏黎世 日内瓦 斯德哥尔摩 哥德堡 哥本哈根 奥斯陆 赫尔辛基 莫斯科
纽约 旧金山 洛杉矶 西雅图 波士顿 芝加哥 多伦多 温哥华 悉尼 墨尔本 曼谷 吉隆坡 河内 迪拜 伊斯坦布尔
"""

_ORGANIZATIONS = """
Google; Apple; Microsoft; Amazon; Meta; IBM; Intel; Nvidia; AMD; Oracle; Cisco; Siemens; Bosch; Volvo; IKEA;
Spotify AB; Ericsson; Nokia; Samsung; Sony; Toyota; Honda; BMW; Mercedes; Volkswagen; Ford Motor; Boeing;
Airbus; NASA; ESA; CERN; WHO; NATO; UNICEF; UNESCO; European Union; EU; United Nations; OpenAI; Anthropic;
DeepMind; Mozilla; Red Hat; Canonical; Starbucks; McDonald's; Walmart; Costco; Whole Foods; Trader Joe's;
Nike; Adidas; Under Armour; Zara; Uniqlo; Lidl; Aldi; Tesco; DHL; FedEx; UPS courier; McKinsey; Deloitte;
KPMG; PwC; Accenture; Goldman Sachs; Morgan Stanley; JPMorgan; HSBC; MIT; Stanford; Harvard; Yale; Princeton;
UCLA; Caltech; Berkeley; ETH Zurich; KTH; BBC; CNN; New York Times; Red Cross; Greenpeace;
Amnesty International; YMCA; PTA; NGO; FBI; CIA; IRS; NHS; DMV
"""

_CHINESE_ORGANIZATIONS = """
字节跳动 阿里巴巴 阿里云 腾讯 百度 华为 小米 美团 京东 网易 滴滴 蚂蚁集团 快手 比亚迪 联想 中兴 携程 大疆 商汤
科大讯飞 清华大学 北京大学 清华 北大 复旦大学 复旦 浙江大学 浙大 上海交通大学 上海交大 中科院 中国银行
工商银行 建设银行 招商银行 谷歌 微软 苹果公司 亚马逊 特斯拉
"""

PLACE_ENDINGS = word_set(
    """
    Park Beach Lake River Mountain Mountains Mount Hill Hills Island Islands Street Road Avenue Boulevard
    Square Plaza Bay Valley Canyon Forest Falls Coast County City Town Village District Bridge Harbor
    Harbour Airport Station Castle Palace Cathedral Garden Gardens Ocean Sea Desert Trail Peak Springs
    Heights
    """
)
ORGANIZATION_ENDINGS = word_set(
    """
    Inc Corp Corporation Ltd LLC GmbH AG AB SA Co Company University College School Academy Institute
    Hospital Clinic Bank Museum Foundation Association Society Church Club Group Labs Lab Studio Studios
    Team Agency Council Committee Department Ministry Library Theatre Theater Orchestra Union League Center
    Centre Shelter Systems Technologies Solutions Partners Consulting Ventures Capital Press Media Records
    Airlines Cafe Café Restaurant Bakery Hotel
    """
)
EVENT_ENDINGS = word_set(
    """
    Festival Conference Parade Marathon Summit Fair Expo Cup Championship Championships Olympics Games
    Tournament Concert Gala Convention Workshop Meetup Hackathon Retreat Ceremony Fest Con Open Day Eve Week
    Month Party Run Race Sprint
    """
)
EVENTS = word_set(
    """
    christmas easter thanksgiving halloween hanukkah ramadan diwali eid passover oktoberfest carnival
    midsummer pride olympics euros
    """
)

CHINESE_PLACE_ENDINGS = "省市县区镇村路街巷湖山岛湾港"
CHINESE_ORGANIZATION_ENDINGS = tuple(
    sorted(
        word_set(
            """
            有限公司 公司 大学 学院 医院 银行 集团 研究所 研究院 实验室 中学 小学 幼儿园 科技 事务所 出版社
            博物馆 图书馆 俱乐部 协会 基金会 诊所 餐厅 咖啡馆 健身房
            """
        ),
        key=lambda ending: (-len(ending), ending),
    )
)
"""Endings of organisation names, longest first, so that 有限公司 is found before 公司."""


def _names(block: str) -> dict[str, str]:
    return {
        name.strip().lower(): name.strip() for name in block.replace("\n", " ").split(";") if name.strip()
    }


PLACES = _names(f"{_REGIONS};{_CITIES}")
"""Place names by their form in lower case."""
ORGANIZATIONS = _names(_ORGANIZATIONS)
"""Organisation names by their form in lower case."""
CHINESE_PLACES = frozenset((_CHINESE_REGIONS + _CHINESE_CITIES).split())
CHINESE_ORGANIZATIONS = frozenset(_CHINESE_ORGANIZATIONS.split())
REGIONS = (_names(_REGIONS).keys() - {"singapore", "monaco", "luxembourg", "new york"}) | set(
    _CHINESE_REGIONS.split()
)
"""Places that contain cities: living in one does not contradict living in a city. City states are left out."""
