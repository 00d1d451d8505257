"""Lines of agents' files that state nothing: templates that wait to be filled in, bookkeeping about the file,
pointers to other files, and words addressed to the agent."""

from __future__ import annotations

import re

_PLACEHOLDERS = frozenset(
    """
    tbd|tba|todo|tbc|n/a|na|none|unknown|unset|not set|not yet|not known|unspecified|undefined|null|nil|empty
    |placeholder|fill in|fill me in|to be determined|to be decided|to be filled in|to be added|to be defined
    |coming soon|nothing yet|none yet|not yet known|not specified|not provided|optional|pending input|lorem ipsum
    |your name|your name here|name here|…|...|?|??|???|-|--|–|—|_|__|___|x|xx|xxx
    |unbekannt|offen|noch offen|keine|keine angabe|nicht bekannt|nicht gesetzt|ausfüllen|bitte ausfüllen
    |desconocido|desconocida|pendiente|por definir|por completar|sin definir|ninguno|ninguna|no definido
    |inconnu|inconnue|à définir|à compléter|aucun|aucune|sconosciuto|da definire|desconhecido|a definir|ukjent|ukendt
    |未知|未设置|未填写|待填写|待定|待补充|暂无|无|空|可选|待更新|未设定|没有|尚未设置|请填写
    |不明|未定|未設定|未記入|なし|記入|記入してください|任意|後で記入|要記入|未入力
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
_BRACKETED = re.compile(r"^(?:\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|<[^<>]*>|\{+[^{}]*\}+|【[^【】]*】|_+)$")
_PAIR = re.compile(r"^(?P<key>[^:：=]{1,60}?)\s*[:：=]\s*(?P<value>.*)$")
_DATE_ONLY = re.compile(
    r"^\W*(?:(?:19|20)\d\d[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    r"|\d{1,2}\.? [^\W\d]{3,10},? \d{4}|[^\W\d]{3,10} \d{1,2},? \d{4})(?:[ T,]*\d{1,2}:\d\d(?::\d\d)?)?"
    r"(?: ?(?:UTC|Z|[+-]\d\d:?\d\d))?\W*$",
    re.IGNORECASE,
)
_FILED = re.compile(
    r"^(?:(?:last|zuletzt|última|dernière|sist) )?(?:date|day|datum|fecha|updated?(?: (?:at|on))?|modified|reviewed"
    r"|edited|checked|synced|update|review|edit|created(?: (?:at|on))?|(?:generated|written|created"
    r"|updated)(?: (?:at|on|by))?|saved|logged"
    r"|recorded|stand|aktualisiert|geändert|erstellt|actualización|actualizado|actualizada"
    r"|modificación|creado|revisión|mise à jour|opdateret|oppdatert|timestamp|first[- ]seen|last[- ]seen"
    r"|日期|最后更新|最近更新|更新|更新时间|更新于|上次更新|创建时间|创建于|记录时间|最終更新"
    r"|最終更新日|更新日|作成日|日付)"
    r"(?: am| le| el)?$",
    re.IGNORECASE,
)
_LATEST = re.compile(
    r"last|latest|generated|created by|updated by|zuletzt|última|dernière|sist|最|上次", re.IGNORECASE
)
_FILED_KEY = re.compile(
    r"^(?:status|state|priority|area|severity|tags?|see also|related(?: files?)?|reproducible|pattern-key"
    r"|recurrence-count|first-seen|last-seen|source|id|category|confidence|promoted(?: to)?"
    r"|状态|优先级|标签|来源|状態|優先度|タグ"
    r"|priorität|estado|prioridad)$",
    re.IGNORECASE,
)
_STATE_WORD = re.compile(
    r"^(?:tests?|testing|pending|open|closed|done|resolved|in[ _-]progress|wip|todo|draft|active|promoted"
    r"|wont[_ ]?fix|won't fix"
    r"|new|low|medium|high|critical|p[0-4]|yes|no|\d+|offen|erledigt|pendiente|hecho|resuelto"
    r"|待处理|进行中|已完成|已解决|完成|高|中|低|未対応|対応済み|対応中)$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^\W*(?:to be continued|work in progress|more to come|wip|持续更新中?|未完待续|待续|更新中|続く|随時更新"
    r"|wird fortgesetzt|wird laufend ergänzt|continuará)\W*$",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"^[*_]*(?:(?i:see|read|related|siehe|se også|véase|ver|voir|参见|参照|関連|相关)"
    r"(?: also| auch)?[*_]*[ :：]+[*_]*)?"
    r"(?:[*_]*!?\[[^\[\]]*\]\((?!https?:)[^()\s]*\.(?:md|markdown|txt)(?:#[^()]*)?\)[*_]*"
    r"|`?[\w./-]+\.(?:md|markdown)`?|\[\[[^\[\]]+\]\](?:(?:,| and| und| og| y|、)\s*\[\[[^\[\]]+\]\])*|@[\w~./-]+)"
    r"\.?(?:\s*[-–—:：(→].*)?$|^(?:→|->)[^:：]*`[\w./-]+\.(?:md|markdown)`\.?$|^!\[[^\[\]]*\]\([^()]*\)$|^!\[\[[^\[\]]+\]\]$"
)
_TO_AGENT = re.compile(
    r"^(?:(?:you(?:'re|'ll|'ve)?|your|the more you|treat (?:this|it)|fill (?:this|it) in|update this"
    r"|add (?:notes|facts|what)|keep this file|write here|du|dein\w*|tú)\b|あなた|你(?!们)|您|在此)",
    re.IGNORECASE,
)


_OF_FILE = re.compile(
    r"^(?:this|the present|diese[srn]?|est[ea]|ce|この|本|此)\s?(?:file|document|directory|page"
    r"|folder|note|datei|ordner|archivo"
    r"|documento|fichier|ファイル|文書|文件|文档|目录)",
    re.IGNORECASE,
)
PLANS = re.compile(
    r"\b(?:next (?:steps?|phases?|session|actions?|up)|to-?dos?|roadmap|upcoming|planned"
    r"|future (?:work|plans?|steps?)|action items|nächste (?:schritte|aufgaben)|geplant|offene punkte"
    r"|próximos pas(?:os|sos)|prochaines étapes|pendientes)\b"
    r"|下一步|待办|后续(?:计划|步骤)?$|次のステップ|次のフェーズ|今後の|予定$|ロードマップ",
    re.IGNORECASE,
)
"""Headings over what is still to be done."""
_FILE_TELLS = re.compile(
    r"\bthis (?:file|section|document|page) (?:will|tracks?|captures?|contains?|lists?|records?|describes?)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"^(?:用户请求|user request|request|todo|to-do|待办|依頼)\s*[:：]", re.IGNORECASE)
_FINISHED = re.compile(
    r"^(?:完成事项|已完成|completed|done|finished|erledigt|hecho|完了)\s*[:：]\s*", re.IGNORECASE
)


def is_placeholder(words: str) -> bool:
    """Return True for a line, or a pair's value, that waits to be filled in."""
    pair = _PAIR.match(words)
    value = pair["value"] if pair else words
    return _is_blank(value) or _is_blank(words)


def _is_blank(value: str) -> bool:
    bare = value.strip(" *_`\"'“”.。")
    return not bare or bare.casefold() in _PLACEHOLDERS or _BRACKETED.match(bare) is not None


def is_bookkeeping(words: str) -> bool:
    """Return True for a line about the file or the entry only: a bare date, its update, its status."""
    if (
        _DATE_ONLY.match(words)
        or _GOES_ON.match(words)
        or _OF_FILE.match(words)
        or _FILE_TELLS.search(words)
        or _STATE_WORD.match(words)
    ):
        return True
    pair = _PAIR.match(words)
    if pair is None:
        return False
    key, value = pair["key"].strip(" *_"), pair["value"].strip(" *_")
    if _FILED.match(key):
        return _DATE_ONLY.match(value) is not None or (
            len(value.split()) <= 3 and _LATEST.match(key) is not None
        )
    return _FILED_KEY.match(key) is not None and _STATE_WORD.match(value) is not None


def is_entry_data(words: str) -> bool:
    """Return True for a pair of the kind that heads an entry of learnings: status, area, source."""
    pair = _PAIR.match(words)
    return pair is not None and _FILED_KEY.match(pair["key"].strip(" *_")) is not None


def points_elsewhere(body: str) -> bool:
    """Return True for a line that only names another file or page, with or without its description."""
    return _POINTER.match(body) is not None


def speaks_to_agent(words: str) -> bool:
    """Return True for a line that addresses the agent, as templates do, rather than stating a fact."""
    return _TO_AGENT.match(words) is not None


def is_request(words: str) -> bool:
    """Return True for a line that only records what was asked for."""
    return _REQUEST.match(words) is not None


def finished(words: str) -> str | None:
    """Return what a line records as done, None for a line that records no such thing."""
    found = _FINISHED.match(words)
    return words[found.end() :] or None if found else None
