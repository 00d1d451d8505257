"""Lines of a day's log that are believed: decisions, wishes and rules, lessons, values of settings, dates to come, and
what someone or something lastingly is or does.

Each needs a sign of one of these. Other lines report the day: they stay in the log, where a search finds them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memdesk.engine.extraction import third_person
from memdesk.engine.extraction.language import WORD, language
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.workspace.blanks import PLANS
from memdesk.engine.workspace.dates import names_day_after
from memdesk.engine.workspace.page import PageLine
from memdesk.engine.workspace.statement_cues import (
    BOUNDARY,
    CHOSE,
    CONSTRAINT,
    DECISION,
    DETERMINERS,
    ELSEWHERE,
    ENDED,
    MYSELF,
    PAST_AUXILIARY,
    PREFERENCE,
    PREPOSITIONS,
)
from memdesk.engine.workspace.statements import is_past, kind_of_title

_I = re.IGNORECASE
_OF_WORK = re.compile(
    r"\b(?:status|progress|accomplish\w*|achievements?|completed|health|readiness|heartbeat|pending|blockers?|blocked"
    r"|in progress|next (?:steps?|session|phase|actions?)|to-?dos?|session (?:summary|info|focus|stats?)"
    r"|(?:files?|changes?|tools?) (?:created|changed|made|modified|updated)|quotes?|results?|errors?"
    r"|fortschritt|erledigt|nächste schritte|ergebnisse?|estado|progreso|próximos pas\w+|pendientes?|resultados?"
    r"|checklist|cambios|concluíd\w+|próximas)\b"
    r"|状态|进展|进度|下一步|待办|计划|完成|结果|ステータス|進捗|次のステップ|予定|完了|作業ログ",
    _I,
)
"""Headings over the course of the work, which is not true beyond the day."""
_OF_LESSONS = re.compile(
    r"\b(?:lessons?|learn(?:ed|t|ings)|insights?|takeaways?|gotchas?|root causes?|clarifications?|limitations?"
    r"|important|key (?:facts?|points?|info\w*)|how it works|preferences?"
    r"|about \w+|what \w+ (?:wants?|likes?)"
    r"|(?:technical|config\w*) (?:notes?|details?)|erkenntnis\w*|gelernt\w*|wichtig\w*|einschränkung\w*"
    r"|lecci[oó]n\w*|aprendizajes?|aprendi\w+|notas técnicas\w*|importantes?|lições|lição|limitaciones)\b"
    r"|教训|经验|学到|要点|重要|踩坑|坑点|关键发现|学(?:び|んだ)|教訓|気づき|注意点",
    _I,
)
"""Headings, and names of values, over what was learned."""
_OF_TROUBLE = re.compile(
    r"\b(?:incidents?|issues?|bugs?|problems?|outages?|root cause|vorfall|fehler|incidencias?|errores)\b"
    r"|故障|问题|障害",
    _I,
)
"""Headings over something that went wrong; a word such as "limit" in one names no kind."""
_OF_PEOPLE = re.compile(
    r"\b(?:people|contacts?|family|team|kontakte?|familie|contactos?|familia|contatos?)\b|联系人|家人|家族|連絡先",
    _I,
)
_OF_ONE = re.compile(r"[A-ZÄÖÜÉ+][^:=—–]{1,40}?\s?(?:[:=—–]|\s-\s|\()\s?\S")
"""Beginning of a line on one person: a name, or a number, and what is known of it."""
_PASSING_NAMES = re.compile(
    r"^(?:(?:start|end) ?time|time|duration|focus|status|task|session\w*|timestamp|next(?: steps?)?|impact|resolution"
    r"|progress|results?|goal|cost|状态|时间|进度|结果|任务|ステータス|時間"
    r"|結果|dauer|zeit|stand|ergebnis|estado|duración|hora"
    r"|resultado)[:：]",
    _I,
)
"""Names of values that a day's log gives of a session."""
_SETTINGS = re.compile(
    r"^(?:[\w'’/-]+ ){0,3}(?:address|e-?mail|phone|mobile|(?:phone|[A-Z]{2}) number|birthday|time ?zone|location"
    r"|(?:private |public )?ip|host(?:name)?|ports?|url|domain|(?:web)?site"
    r"|repo(?:sitory)?|path|folder|directory|script"
    r"|binary|database|bucket|model|voice|llm|provider|schedule"
    r"|interval|timeout|rate limit|defaults?|fallback|user ?name"
    r"|handle|role|owner|currency|budget|rent|salary|height|weight|stats|agent name|usage|convention|rule|policy"
    r"|adresse|telefon|handy|geburtstag|zeitzone|standort|pfad|ordner|skript|modell|stimme|zeitplan|archiv"
    r"|correo|teléfono|cumpleaños|zona horaria|ruta|carpeta|modelo|puerto|dirección|horario|telefone|endereço)$"
    r"|邮箱|电话|手机号?|生日|时区|地址|端口|路径|目录|仓库|模型|账号|用户名|域名|默认|规则|预算|身高|体重|职位|角色"
    r"|メール|電話|誕生日|住所|ポート|パス|モデル|デフォルト|ルール|役割",
    _I,
)
"""Names of values that are kept beyond the day."""
_UNSET = re.compile(
    r"\b(?:pending|tbd|todo|none|n/a|waiting|redacted|unknown|clear|working|done|ok)\b|[✅❌⏳🔄]|未定|待", _I
)
_CHOICE_NAMES = re.compile(
    r"(?:decisions?|decided|entscheidung(?:en)?|decisi[oó]n(?:es)?|decisões|rules?|决定|决策|決定|规则|ルール)$",
    _I,
)
_PAIR = re.compile(r"(?P<name>[^:：]{1,40}?)(?::\s|：)\s*(?P<value>\S.*)$")
_AT_TIME = re.compile(
    r"(?:(?-i:UTC|GMT|[A-Z]{2,3}T)[:：]|\[?\d{1,2}:\d\d(?::\d\d)?\]?(?: ?[ap]m)?|(?:凌晨"
    r"|清晨|早上|上午|中午|下午|晚上|晚间|深夜|午前|午後)\s?\d{1,2}[:：点時])",
    _I,
)
"""Beginning of an entry on what was done at an hour."""
_OF_THE_DAY = re.compile(
    r"\b(?:is|are|feels?|seems?) (?:\w+ )?(?:annoyed|tired|angry|happy|sad|busy|ill|sick|excited|worried|stressed|upset"
    r"|cross|hungry|late|asleep|bored|nervous|grumpy|frustrated|exhausted|in a \w+ mood|müde|krank|cansad[oa])\b"
    r"|(?:运行|状态)正常|无(?:重大|特殊|异常)|正常に?稼働|累|生气|难过|心情|疲れ|機嫌"
    r"|\b(?:(?:is|are|am|was|were|had|did) (?:\w+ )?\w+ing\b|was\b"
    r"|were\b|today|tonight|tomorrow|overnight|to-?do|so far"
    r"|for now|not yet|no longer|in progress|this (?:morning|afternoon|evening|week)|yesterday|right now|at the moment"
    r"|just now|currently|pending|heute|gestern|gerade|morgen|noch nicht|hoy|ayer|mañana|aún no|pendiente)\b"
    r"|今[天日晚早]|昨[天日晚]|明[天日早晚]|上午|下午|早上|晚上|中午|刚才|正在|目前|本次|待|今朝|午前|午後|さっき|現在",
    _I,
)
_SOON = re.compile(
    r"\b(?:tomorrow|tonight|overnight|(?:this|next) (?:week|weekend)|morgen|mañana)\b|明[天日]|今晚|下周|来週",
    _I,
)
_QUOTED = re.compile(r"[\"“„「『«][^\"“”„」』»]*[\"“”」』»]|`[^`]*`|\([^()]*\)|（[^（）]*）")
_TO_BE_DONE = re.compile(
    r"\b(?:needs? to|ha(?:s|ve) to|should (?:work|be (?:fine|ok|able|done|ready))|(?:to|will) ensure|make sure"
    r"|is required|muss noch|hay que|要确认|要检查)\b",
    _I,
)
_LISTED = re.compile(r"\s*(?:[,;/]|$)")
"""End of a noun in a list, which is no verb of a wish: "likes, retweets"."""
_ONLY = re.compile(r"(?:only|nur|solo|sólo|仅|只有)\s?\w", _I)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_PRONOUNS = word_set(
    "no but otherwise also then so and or it this that these those he she they you there what which who here"
    " everything nothing all both"
)
_PASSING_VERBS = word_set(
    """
    works work looks look seems seem feels feel shows show says say asks ask claims claim reports report passes pass
    fails fail continues continue remains remain waits wait suggests suggest thinks think plans plan starts start
    finishes finish begins begin gets get goes go comes come appears appear exists exist tests test hits hit wants
    means mean confirms confirm proposes propose returns sees see notes note marks mark
    """
)
"""Verbs of the present that tell how it goes, what is done, or what someone says."""
_PASSING_STATES = word_set(
    """
    ready working done complete completed live healthy running up down pending broken fixed stuck good ok okay great
    fine clear available blocked open closed active online offline waiting needed missing empty clean stable green red
    failing nearly almost fully already still all set now deployed merged tested verified pushed finished enabled better
    back gone in-progress operational functional successful possible perfect solid here there being been able going
    """
)
"""Words after a copula that are true of the day."""
_BE = word_set("is are isn't aren't")
_MODAL = word_set("can cannot can't must may doesn't don't")
_HABIT = re.compile(
    r"\b(?:every|each|always|daily|weekly|monthly|yearly|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|after|when|if"
    r"|only|once a)\b",
    _I,
)
_STATE_ELSEWHERE = re.compile(
    r"^(?:\S+ ){1,6}(?:"
    r"(?:ist|sind) (?:ein|eine|der|die|das|im|in|bei|auf|unter|mit|kein|nicht|allergisch|über)\b"
    r"|(?:hat|haben) (?:ein|eine|einen|kein|keine|keinen|zwei|drei|\d+)\b(?!.*\bge\w+t\b)"
    r"|(?:heißt|wohnt|arbeitet|nutzt|nutzen|benutzt|verwendet|braucht"
    r"|benötigt|kostet|gehört|unterstützt|liegt|enthält|mag"
    r"|dauert|kennt|studiert|spricht|darf|dürfen|kann|können|will|möchte|läuft (?:auf|unter|mit|über|jeden|täglich))\b"
    r"|(?:es|son) (?:un|una|el|la|los|las|de|del|alérgic\w+)\b"
    r"|(?:está|están) (?:en|alojad\w+)\b|(?:tiene|tienen|usa|usan|utiliza|requiere|vive|trabaja|cuesta|soporta|permite"
    r"|prefiere|quiere|siempre|nunca|devuelve|descuenta|estudia|habla|se llama|se (?:auto-)?\w{4,}a?n?) "
    r"|(?:é|são) (?:um|uma|o|a|de)\b|(?:tem|têm|precisa|mora|trabalha|custa|fica|gosta) "
    r"|(?:est|sont) (?:un|une|le|la|dans|à|en)\b|(?:utilise|habite|travaille|coûte|préfère|parle) "
    r"|(?:bor|arbejder|arbeider|bruger|bruker|koster|hedder|heter) )",
    _I,
)
"""Present of verbs for what lasts, after a subject, in German, Spanish, Portuguese, French, Danish and Norwegian."""
_HABIT_ELSEWHERE = re.compile(
    r"^(?:\S+ ){1,5}\w+(?:t|n|a|e|o) .*\b(?:jede[nrs]?|immer|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|cada"
    r"|tod[oa]s l[oa]s|siempre|tod[oa]s [oa]s|sempre|chaque|tous les|toujours"
    r"|(?:im|en|em) (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|enero|febrero"
    r"|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|março|maio|junho|julho))\b",
    _I,
)
_STATE_CYRILLIC = re.compile(
    r"^(?:\S+ ){1,5}(?:это|является|использует|живёт|живет|работает (?:в|на)|требует|находится|стоит|любит|не любит"
    r"|предпочитает|хочет|нельзя|всегда|никогда)\b|\s[—–]\s(?:это )",
    _I,
)
_STATE_CHINESE = re.compile(
    r"^[^，。；：:]{2,24}?(?:是(?!否)|叫(?!做)|住在|位于|存放在"
    r"|部署在|运行[在于]|使用的?是|采用|基于|支持|不支持|无法|只能|只支持"
    r"|负责|属于|喜欢|不喜欢|偏好|希望|想要|擅长|讨厌|每[天周月日晚]|监听|绑定|默认|不会|会自动|需要(?!进一步|继续))\S"
)
_STATE_JAPANESE = re.compile(
    r"^[^。：:]{2,30}?(?:は|が|では|には)[^。]*(?:です"
    r"|である|を使う|を使用|が必要|は不要|できない|しない|対応していない"
    r"|を担当|好き|嫌い|苦手|毎[日週月朝晩])"
)
_DONE_CJK = re.compile(
    r"[了过]|已|成功|失败|检查|尝试|确认|发现|修复|更新(?!频率)|添加|新增|创建|生成|提交|测试|优化|学习|提升|完善"
    r"|追記|整理|確認|実施|修正|追加|作成|設定した|まし[たて]|した(?:。|$)"
)
"""Signs of work in Chinese and Japanese."""
_TITLE_WORDS, _TITLE_SIGNS = 8, 16
"""Most words of a heading, or signs of one in Chinese or Japanese, that names a kind; a longer one is a sentence."""
_VALUE_WORDS = 12
"""Most words of the value of a setting; more are a report."""


def lasts(line: PageLine) -> bool:
    """Return True if a line of a day's log is worth believing beyond that day."""
    if line.done or _AT_TIME.match(line.words) or _PASSING_NAMES.match(line.words):
        return False
    words = _QUOTED.sub(" ", line.words).strip(" .。!！-–—")
    if not any(map(str.isalnum, words)) or line.words[0] in '"“„「«':
        return False
    if (DECISION.search(words) or _names_choice(words)) and not ENDED.search(words):
        return not _SOON.search(words)
    if _OF_THE_DAY.search(words):
        return False
    if _ONLY.match(words) or (_cued(words) and not _is_over(words, line)):
        return True
    kind = _kind_above(line.headings)
    if kind == "work":
        return False
    pair = _PAIR.match(line.words)
    if pair and (_SETTINGS.search(pair["name"]) or _OF_LESSONS.search(pair["name"])):
        return _is_value(pair["value"]) and not _is_over(pair["value"], line)
    if kind == "people" and _OF_ONE.match(line.words):
        return not _is_over(words, line)
    if kind and kind != "people":
        chose = kind == "decision" and CHOSE.search(words)
        return bool(chose) or (len(words) > _TITLE_WORDS and not _is_over(words, line))
    return not _is_over(words, line) and (_is_to_come(line) or _is_state(words))


def _names_choice(words: str) -> bool:
    pair = _PAIR.match(words)
    return pair is not None and _CHOICE_NAMES.search(pair["name"]) is not None


def _cued(words: str) -> bool:
    """Return True for a wish of someone who is named, or a rule."""
    wish = next((each for each in PREFERENCE.finditer(words) if not _LISTED.match(words, each.end())), None)
    return (wish is not None and (wish.start() > 1 or wish[0].isascii() is False)) or (
        CONSTRAINT.search(words) is not None and not _TO_BE_DONE.search(words)
    )


def _is_over(words: str, line: PageLine) -> bool:
    return is_past(words, line, reported=False)


def _kind_above(headings: Sequence[str]) -> str:
    """Return what the nearest heading that names a kind is over: "work", "lesson" or a category; "" for none."""
    for title in reversed(headings):
        if PLANS.search(title) or _OF_WORK.search(title):
            return "work"
        if len(title.split()) > _TITLE_WORDS or len(_CJK.findall(title)) > _TITLE_SIGNS:
            continue
        if _OF_TROUBLE.search(title):
            return ""
        if _OF_PEOPLE.search(title):
            return "people"
        if _OF_LESSONS.search(title):
            return "lesson"
        if (kind := kind_of_title(title)) in ("decision", "preference", "constraint"):
            return kind
    return ""


def _is_value(value: str) -> bool:
    return len(value.split()) <= _VALUE_WORDS and not _UNSET.search(value)


def _is_to_come(line: PageLine) -> bool:
    """Return True for a line with a date after its day."""
    return line.day is not None and names_day_after(line.words, line.day)


def _is_state(words: str) -> bool:
    """Return True for a sentence in the present on what its subject is, has, does as a habit, or can do."""
    tongue = language(words)
    if tongue in ("zh", "ja"):
        states = _STATE_CHINESE if tongue == "zh" else _STATE_JAPANESE
        return states.search(words) is not None and not _DONE_CJK.search(words)
    if tongue == "other":
        return _STATE_CYRILLIC.search(words) is not None
    pair = _PAIR.match(words)
    if pair and third_person.is_past(pair["name"].split()[0].lower()):
        return False
    body = pair["value"] if pair else words
    if _STATE_ELSEWHERE.match(body) or (ELSEWHERE.search(body) and _HABIT_ELSEWHERE.match(body)):
        return body.split()[0].lower() not in _PRONOUNS
    return _is_english_state(BOUNDARY.split(body, maxsplit=1)[0], habit=_HABIT.search(body) is not None)


def _is_english_state(clause: str, *, habit: bool) -> bool:
    """Return True if the verb of a clause tells a state. habit: the sentence says when it is so."""
    found = [each.group().lower() for each in WORD.finditer(clause)]
    if len(found) < 3 or found[0] in _PRONOUNS or third_person.is_finite(found[0]):
        return False
    for n, word in enumerate(found[1:], 1):
        before, after = found[n - 1], found[n + 1] if n + 1 < len(found) else ""
        if word in PAST_AUXILIARY or (third_person.is_past(word) and before not in _BE):
            return False
        if before in DETERMINERS | PREPOSITIONS or not third_person.is_finite(word):
            continue
        if word in _BE:
            return after not in _PASSING_STATES and not after.endswith("ing")
        if word in ("has", "have"):
            return not third_person.is_past(after) and after not in _PASSING_STATES
        if word in ("needs", "need"):
            return after in DETERMINERS or after.isdigit() or habit
        if word in _MODAL:
            return after not in _PASSING_VERBS
        own = before in MYSELF or word.endswith("s") or before.endswith("s")
        return own and not after.endswith("ing") and (word not in _PASSING_VERBS or habit)
    return False
