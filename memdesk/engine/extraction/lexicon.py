"""Technologies and products that people mention, with their other spellings.

Entries are separated by semicolons: the name, then an equals sign and other spellings. A leading ~ marks a
name that is also an ordinary word (Go, Notion): it counts only when written with its capital inside a
sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
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


def _parsed(block: str, type: str) -> dict[str, Known]:
    found: dict[str, Known] = {}
    for entry in block.replace("\n", " ").split(";"):
        name, _, others = entry.strip().partition("=")
        cased = name.startswith("~")
        known = Known(name=name.lstrip("~"), type=type, cased=cased)
        found[known.name.lower()] = known
        found.update(
            {
                other.strip().lower(): Known(name=known.name, type=type, cased=False)
                for other in others.split(",")
                if other
            }
        )
    found.pop("", None)
    return found


KNOWN: dict[str, Known] = {**_parsed(_TECHNOLOGY, "Technology"), **_parsed(_PRODUCT, "Product")}
"""Known names by spelling in lower case."""

CHINESE_KNOWN: dict[str, Known] = _parsed(_CHINESE, "Product")
"""Products with Chinese names, by spelling in lower case."""

LONGEST = max(name.count(" ") + 1 for name in KNOWN)
"""Words in the longest known spelling."""
