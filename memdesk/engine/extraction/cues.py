"""Cues of category, certainty and time: complete words in English, characters in Chinese."""

from __future__ import annotations

import re

_ENGLISH_CATEGORY = (
    (
        "decision",
        re.compile(
            r"\b(?:decided|decision|chose|chosen|opted (?:for|to)|settled on|agreed (?:to|on)"
            r"|going with|go with"
            r"|stick with|switch(?:ed|ing)? (?:to|from)|(?:we|i)'ll (?:use|go|stick)|(?:we|i) will use"
            r"|made up my mind)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "constraint",
        re.compile(
            r"\b(?:must(?:n't)?|never (?!been|seen|had|thought|felt|forg|knew|heard|tried|done|gone|met)"
            r"|not allowed|do not|asks? (?:not|never|always|to always|to only|only)|(?:is"
            r"|are) required|at most"
            r"|no more than|under no circumstances|allergic|cannot|(?:can't|can not) (?:eat|drink|use"
            r"|have|take"
            r"|afford)|(?:every|each|all)\b.{1,40}\bneeds?|(?:has|have) to be)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "preference",
        re.compile(
            r"\b(?:prefers?|preferred|favou?rites?|faves?|(?:big )?fan of|passionate about|keen on|fond of"
            r"|obsessed with|interested in|(?:can't|cannot) stand|would (?:love|like|rather|prefer)|(?:don't"
            r"|doesn't|really|also|always|still) (?:like|love|enjoy|want)|loves?|enjoys?|hates?"
            r"|dislikes?|adores?"
            r"|likes|(?:i|we) like)\b",
            re.IGNORECASE,
        ),
    ),
)
_DATED = re.compile(
    r"\b(?:\d{1,2}:\d\d|\d{1,2} ?(?:am|pm)|\d{4}-\d\d-\d\d|tomorrow|tonight|next (?:week"
    r"|weekend|month|year|\w+day)"
    r"|(?:on|by|until) (?:the )?(?:\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)\w*|jan|feb|mar"
    r"|apr|may|june|july|aug"
    r"|sep|oct|nov|dec)|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)[a-z]*"
    r"|(?:january|february|march|april|june|july|august|september|october|november|december) \d{1,2})\b"
    r"|\b(?:birthday|wedding|anniversary|appointment|meeting|deadline|born|graduat)",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|i (?:think|guess|believe|suppose|reckon)"
    r"|thinking (?:of|about)"
    r"|considering|not (?:sure|certain)|unsure|apparently|seems?|(?:as far as i|afaik|iirc)"
    r"|if i remember|could be"
    r"|supposedly|roughly)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|won't|(?:am|is|are|'m|'s|'re) (?:\w+ )?going to|gonna|plan(?:s|ning)? (?:to|a"
    r"|an|on|for)\b|tomorrow"
    r"|next (?:week|weekend|month|year|summer|spring|\w+day)|upcoming|soon|(?:is"
    r"|are) (?:moving|leaving|flying|visiting|travell?ing|opening"
    r"|getting married|starting|meeting|seeing|having)\b.{1,40}\b(?:on|in|at|this"
    r"|by) (?:the )?(?:\d|jan|feb|mar"
    r"|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|spring|summer|autumn|winter|weekend"
    r"|evening))",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:ago|yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|fall"
    r"|\w+day|fri|sat|sun|mon)"
    r"|used to|back in|formerly|previously|was|were|had|did)\b",
    re.IGNORECASE,
)
_LASTS = re.compile(
    r"\b(?:started|began) (?:at|as|working|a (?:new )?(?:job|position|role))\b|\b(?:agreed"
    r"|decided)\b.{0,40}\b(?:that|to)\b.{0,60}\b(?:is|are|must|should|always|never)\b",
    re.IGNORECASE,
)
"""Act of the past whose result lasts: a job begun, a rule agreed."""
HYPOTHETICAL = re.compile(
    r"\b(?:(?:would|could|should|might)(?:'ve| have)|wish|if i were|what if|in case|imagine"
    r"|suppose|as if|unless"
    r"|whether)\b",
    re.IGNORECASE,
)
REMEMBER = re.compile(
    r"(?:(?:please|can you|could you|also|just)[, ]+)*(?:remember(?: that|:| this:)|note that|note:"
    r"|keep in mind(?: that)?|bear in mind(?: that)?|make a note(?: that|:)|for the record|for (?:your"
    r"|future) reference|don't forget that|save (?:this|to memory)|fyi|memo:?|one thing to remember:?"
    r"|remember(?= (?:i|my|we|our|the)\b))[,:]?\s+",
    re.IGNORECASE,
)
OUTCOME = re.compile(
    r"\b(?:done|fixed|creat(?:ed|ing)|deployed|configured|added|updated|migrated|merged"
    r"|released|installed|resolved"
    r"|completed|finished|implemented|renamed|removed|deleted|moved|wrote|written|set up|refactored|upgraded"
    r"|published|scheduled|booked|switched|enabled|disabled|restored|rotated|decided|decision"
    r"|passed|passing|pass"
    r"|rolled back|shipped|root cause|archived|backed up|reverted|pushed)\b",
    re.IGNORECASE,
)

_CHINESE_CATEGORY = (
    (
        "decision",
        re.compile("决定|选用|选定|选择了|敲定|定下来|定了|采用|改用|换成|就用|统一用|确定用|拍板|约定"),
    ),
    (
        "constraint",
        re.compile(
            "不要|必须|始终|务必|禁止|不准|不许|不能|不得|不可以|一律|只能|只用|总是|每次都|最多|至少"
            "|过敏|忌口"
            "|截止|以后都|从不"
        ),
    ),
    (
        "preference",
        re.compile(
            "喜欢|偏好|讨厌|最爱|热爱|爱吃|爱喝|爱看|爱听|更愿意|倾向|习惯用|不爱|受不了|感兴趣|反感"
            "|钟爱|偏爱|宁愿"
        ),
    ),
    (
        "event",
        re.compile(
            "昨天|前天|上周|上个月|去年|今天|明天|后天|下周|下个月|明年|刚刚|刚才|出生|生日|结婚|毕业|会议"
            "|(?<![\u4e00-\u9fff])已[\u4e00-\u9fff]|旅行|搬到|搬家|入职|离职|已完成|上线|了$|了[，,]"
            "|[0-9一二三四五六七八九十]+[月号日点]|[买去见参完发修换搬丢摔考拿办签订送收][^，。]{0,6}了"
            "|过[^，。]{0,8}$"
        ),
    ),
)
_CHINESE_HEDGE = re.compile("可能|大概|也许|或许|应该是|好像|似乎|估计|不确定|我觉得|我想|我猜|说不定|差不多")
_CHINESE_FUTURE = re.compile(
    "明天|后天|下周|下个月|明年|打算|计划|准备|将要|即将|会去|想去|想学|想要|希望|要去|要搬|将在|将于|马上要"
)
_CHINESE_DUE = re.compile(
    "[月日号周前午一]?(?:之?前|[日号])?要(?:交|去|带|参加|考|加班|出差|上线|发布|搬|上学|开学"
    "|做手术)|[0-9一二三四五六七八九十]+[月号日](?:份)?(?:上|开|去|搬|结婚|入职|毕业|发布"
    "|上线)"
)
_CHINESE_STATE = re.compile(
    "(?:[0-9一二三四五六七八九十]岁?|不[一-鿿]{1,4}|没有?[一-鿿]{1,3})了(?:$|[，,。])"
)
_CHINESE_PAST = re.compile(
    r"昨天|前天|上周|上个月|去年|前年|(?:^|[，,\s们])之前|以前(?!的)|曾经|当时|小时候|年前"
    r"|已[完修部创配更添删迁合发安设解][\u4e00-\u9fff]|刚刚|刚才|过了"
    r"|(?<![养有住戒])了(?![0-9一二三四五六七八九十两几]+年)"
)


def category(claim: str, *, tense: str) -> str:
    """Return fact, decision, preference, constraint or event, for an English claim whose first verb has that
    tense."""
    for name, pattern in _ENGLISH_CATEGORY:
        if pattern.search(claim):
            return name
    if tense == "past" or (tense in ("future", "perfect", "present", "none") and _DATED.search(claim)):
        return "event"
    return "fact"


def temporal(claim: str, *, tense: str) -> str | None:
    """Return the time of an English claim: current, past or future; None if the words do not decide."""
    if tense == "future" or (tense != "past" and _FUTURE.search(claim)):
        return "future"
    if _LASTS.search(claim):
        return "current"
    if tense == "past" or (tense == "none" and _PAST.search(claim)):
        return "past"
    return "current" if tense in ("present", "perfect", "none") else None


def hedged(sentence: str) -> bool:
    """Return True if an English speaker is not sure of the sentence."""
    return _HEDGE.search(sentence) is not None


def chinese_category(claim: str) -> str:
    """Return the category of a Chinese claim."""
    for name, pattern in _CHINESE_CATEGORY:
        if pattern.search(claim):
            return name
    return "fact"


def chinese_temporal(claim: str) -> str | None:
    """Return the time of a Chinese claim: current, past or future."""
    if re.search("去年|前年|昨天|前天|上个?[月周]", claim) and not re.search("明|下个?[月周]", claim):
        return "current" if re.search("现在|目前|如今", claim) or _CHINESE_STATE.search(claim) else "past"
    if re.search("(?:[月号日周末年]|明天|后天)要[^，。]{1,12}了?$", claim):
        return "future"
    if _CHINESE_FUTURE.search(claim) or _CHINESE_DUE.search(claim):
        return "future"
    if _CHINESE_STATE.search(claim):
        return "current"
    return "past" if _CHINESE_PAST.search(claim) else "current"


def chinese_hedged(sentence: str) -> bool:
    """Return True if a Chinese speaker is not sure of the sentence."""
    return _CHINESE_HEDGE.search(sentence) is not None
