"""Places and organisations known by name, and endings that identify others. Data only, easy to read and
correct."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.engine.extraction.english_words import word_set

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


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """Name in the lexicon. cased: it is also an ordinary word, so only its capital identifies it."""

    name: str
    type: str
    cased: bool


_TECHNOLOGY = """
Python=python3,cpython; JavaScript=js,ecmascript; TypeScript; ~Rust=rustlang; ~Go=golang; Java; Kotlin;
~Swift; Scala; Clojure; Elixir; Erlang; Haskell; OCaml; ~Ruby; PHP; Perl; C++=cpp; C#=csharp; F#=fsharp;
Objective-C; Fortran; COBOL; Lua; R language; MATLAB; ~Dart; Zig; Nim; ~Crystal; Groovy; PowerShell; ~Bash;
zsh; SQL; GraphQL; gRPC; Protobuf=protocol buffers; REST API; OpenAPI=swagger; JSON; YAML; TOML; XML; CSV;
Markdown; HTML=html5; CSS=css3; Sass=scss; WebAssembly=wasm; WebSocket=websockets; WebRTC; MQTT; OAuth=oauth2;
OIDC; SAML; JWT; TLS; SSH; VPN; DNS; DHCP; HTTP; IPv6; VLAN; PostgreSQL=postgres,postgresql,psql; MySQL;
MariaDB; SQLite=sqlite3; DuckDB; MongoDB=mongo; Redis; Valkey; Memcached; ~Cassandra; ScyllaDB; DynamoDB;
CockroachDB; ClickHouse; TimescaleDB; InfluxDB; Prometheus; Grafana; Elasticsearch=elastic search; OpenSearch;
Solr; Neo4j; Kuzu; BigQuery; ~Snowflake; ~Redshift; Databricks; Spark SQL; Apache Spark; Hadoop; Kafka;
RabbitMQ; ~NATS; ~Pulsar; ~Celery; Airflow; Dagster; ~Prefect; dbt; Flink; Trino; ~Presto; pgvector;
PgBouncer; pg_dump; pgBackRest; Alembic; Liquibase; Flyway; Prisma; SQLAlchemy; Django; ~Flask; FastAPI;
Pydantic; Starlette; uvicorn; gunicorn; aiohttp; httpx; asyncio; NumPy; pandas; ~Polars; SciPy; Matplotlib;
Jupyter=jupyter notebook,jupyterlab; PyTorch; TensorFlow; Keras; JAX; scikit-learn=sklearn; XGBoost;
Hugging Face=huggingface; LangChain; LlamaIndex; Ollama; llama.cpp; vLLM; ONNX; CUDA; OpenCV; spaCy; NLTK;
ChromaDB; Pinecone; Weaviate; Qdrant; Milvus; FAISS; ~React=reactjs,react.js; Next.js=nextjs;
Vue=vuejs,vue.js; Nuxt; Svelte; SvelteKit; ~Angular; Solid.js=solidjs; jQuery; Redux;
Tailwind CSS=tailwind,tailwindcss; ~Storybook; Vite; webpack; esbuild; ~Babel; ESLint; Prettier;
Node.js=node.js,nodejs; Deno; ~Bun; npm; pnpm; Express.js=expressjs; NestJS; Fastify; ~Electron; Tauri;
~Flutter; React Native; ~Expo; Qt; PySide6=pyside; PyQt; GTK; Spring Boot; Hibernate; Maven; Gradle;
~Rails=ruby on rails; Laravel; Symfony; .NET=dotnet; ASP.NET; Blazor; Unreal Engine; Godot; OpenGL; Vulkan;
Three.js; WebGL; D3.js; Docker; Docker Compose=docker-compose; Podman; Kubernetes=k8s; ~Helm; k3s; minikube;
Terraform; OpenTofu; Pulumi; Ansible; ~Puppet; ~Chef; ~Vagrant; ~Packer; ~Nomad; ~Consul; HashiCorp Vault;
Istio; ~Envoy; Traefik; nginx; ~Caddy; ~Apache; HAProxy; Linux; Ubuntu; Debian; Fedora; Arch Linux; CentOS;
RHEL; Alpine Linux; NixOS; FreeBSD; OpenBSD; macOS; iOS; Android; ~Windows; Windows Server; WSL; systemd;
launchd; ~Git; Mercurial; SVN; Homebrew; pip; Conda=anaconda; CMake; Bazel; ~Nix; pytest; unittest; mypy;
ruff; flake8; Black formatter; pylint; ~Jest; Vitest; ~Mocha; ~Cypress; Playwright; Selenium; JUnit; ~Postman;
k6; ~Locust; tox; pre-commit; Jenkins; GitHub Actions; GitLab CI; CircleCI; Travis CI; Argo CD=argocd; Tekton;
Buildkite; ~Sentry; Datadog; New Relic; Splunk; Jaeger; OpenTelemetry=otel; ~Loki; Kibana; Logstash; Fluentd;
Zabbix; Nagios; RAID; ZFS; Btrfs; ext4; NFS; Samba; S3; MinIO; Ceph; rsync; restic; BorgBackup=borg backup;
rclone; Syncthing; WireGuard; Tailscale; OpenVPN; Pi-hole=pihole; Home Assistant; Proxmox; TrueNAS; OpenWrt;
Zigbee; Z-Wave; ESP32; ESPHome; Arduino; Raspberry Pi=rpi; LoRa; Vim; Neovim=nvim; Emacs;
VS Code=vscode,visual studio code; Visual Studio; IntelliJ=intellij idea; PyCharm; WebStorm; Xcode;
Android Studio; Sublime Text; tmux; LaTeX; ~RAG; LLM=llms; OCR; NLP; BM25; FTS5; HNSW; IVFFlat; BRIN; B-tree;
CI/CD; MCP; CRDT; ETL; ~NAS; CDN; ORM; SDK; Blockchain; Bitcoin; Ethereum; Solidity; ~ROS; MIDI; Bluetooth;
Wi-Fi=wifi; USB-C; HDMI; SSD; GPU; CPU; AWS Lambda; EC2; ECS; EKS; RDS; CloudFront; CloudWatch; ~IAM; Vercel;
Netlify; Heroku; Fly.io; Cloudflare; DigitalOcean; Hetzner; Linode; OVH; Supabase; Firebase; Firestore;
~Stripe; Twilio; SendGrid; Mailgun; Auth0; Okta; Keycloak; AWS=amazon web services; ~Azure; GCP=google cloud
"""

_PRODUCT = """
ChatGPT; GPT-4=gpt4; GPT-4o; GPT-5; ~Claude; Claude Code; ~Gemini; Copilot=github copilot; ~Cursor; DeepSeek;
Qwen; ~Llama; ~Mistral; Kimi; Midjourney; Stable Diffusion; ~Perplexity; Gmail; Google Docs; Google Sheets;
Google Drive; Google Calendar; Google Maps; YouTube; ~Chrome; Firefox; ~Outlook; Microsoft Word; ~Excel;
PowerPoint; OneDrive; OneNote; SharePoint; Microsoft Teams=ms teams; ~Slack; ~Zoom; ~Discord; ~Telegram;
WhatsApp; WeChat; ~Signal; FaceTime; Skype; iMessage; ~Notion; ~Obsidian; Evernote; Todoist; Trello; Asana;
Jira; ~Confluence; ~Basecamp; Airtable; Figma; ~Sketch; Canva; Photoshop=adobe photoshop; ~Illustrator;
Lightroom; Premiere Pro; Final Cut; ~Blender; AutoCAD; SketchUp; Ableton=ableton live; Logic Pro; GarageBand;
FL Studio; ~Audacity; ~OBS; Zotero; Anki; Duolingo; ~Calibre; 1Password; Bitwarden; LastPass; KeePass;
Dropbox; iCloud; Nextcloud; Spotify; Netflix; Hulu; Disney+; HBO; Apple Music; ~Audible; Kindle; Kobo;
Goodreads; Instagram; TikTok; Facebook; Twitter; LinkedIn; Reddit; Pinterest; Snapchat; ~Mastodon; Bluesky;
Substack; WordPress; Shopify; Etsy; eBay; Airbnb; Booking.com; ~Uber; Lyft; DoorDash=door dash; PayPal; Venmo;
Revolut; ~Wise; Strava; Fitbit; Garmin; Apple Watch; iPhone; iPad; MacBook; MacBook Pro; MacBook Air; iMac;
AirPods; Apple TV; HomePod; ThinkPad; Surface Pro; PlayStation=ps5,ps4,playstation 5; Xbox; Nintendo Switch;
Nintendo; Steam Deck; Minecraft; Fortnite; Zelda; Mario Kart; Dungeons & Dragons=d&d,dnd; Stardew Valley;
Animal Crossing; Valorant; League of Legends; Overwatch; Pokémon=pokemon; Lego; Kallax; Peloton; Vitamix;
Instant Pot; Roomba; Sonos; Kodak; Leica; Fujifilm; GoPro; Tesla; Model 3; Model Y; Prius; ~Golf; Vespa;
Brompton; Synology; QNAP; Philips Hue; Ecobee; GitHub; GitLab; Bitbucket; Stack Overflow; Hacker News;
Wikipedia; arXiv; PagerDuty; Opsgenie; Zendesk; Salesforce; HubSpot; Mailchimp; QuickBooks; Xero; ~SAP;
~Tableau; Power BI; ~Looker; Metabase; ~Superset; Mixpanel; PostHog; Google Analytics
"""

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
