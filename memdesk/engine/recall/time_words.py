"""Words and phrases for times in six languages, as data for `time_mentions`.

A phrase is a pattern in which {MONTH}, {DAY}, {YEAR}, {COUNT}, {UNIT}, {WEEKDAY}, {SEASON}, {WHICH}, {PART} and {WORD}
each read one value. Words are lower case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

EARLY, MIDDLE, LATE = "early", "middle", "late"
SPRING, SUMMER, AUTUMN, WINTER = 3, 6, 9, 12
"""First month of each season (northern, by calendar months)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TimeWords:
    """Time vocabulary of one language.

    cues: function words that identify it. which: periods back from the current one. phrases: (reader, pattern), the
    longer ones first. before, after: what is written in front of a time that ends or begins an open range; behind:
    what is written after it.
    joined: what joins the two ends of a range, `and` being only that after a word like "between"."""

    cues: frozenset[str]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    units: Mapping[str, str]
    counts: Mapping[str, int]
    words: Mapping[str, int]
    which: Mapping[str, int]
    parts: Mapping[str, str]
    phrases: tuple[tuple[str, str], ...]
    before: str
    after: str
    joined: str
    has_spaces: bool = True
    latest: str = "(?!)"
    behind: Mapping[str, str] = field(default_factory=dict)


def _cues(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _numbered(text: str, first: int = 1) -> dict[str, int]:
    """Return each word with its number; words joined by a stroke share one."""
    return {
        name: number
        for number, names in enumerate(text.split(), start=first)
        for name in names.replace("_", " ").split("|")
    }


_NUMERIC = (
    ("calendar", r"(?<!\d){YEAR}[-/.]{NUMBER_MONTH}[-/.]{DAY}(?!\d)"),
    ("calendar", r"(?<!\d){YEAR}-{NUMBER_MONTH}(?![\d-])"),
)
_DAY_FIRST = ("calendar", r"(?<!\d){DAY}[./]\s?{NUMBER_MONTH}[./]\s?{YEAR}")

ENGLISH = TimeWords(
    cues=_cues("the what when where who did is was does do how which a to of and"),
    months=_numbered(
        "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct "
        "november|nov december|dec"
    ),
    weekdays=_numbered("monday tuesday wednesday thursday friday saturday sunday", 0),
    seasons={
        "spring": SPRING,
        "springtime": SPRING,
        "summer": SUMMER,
        "summertime": SUMMER,
        "autumn": AUTUMN,
        "fall": AUTUMN,
        "winter": WINTER,
        "wintertime": WINTER,
    },
    units={"day": "day", "week": "week", "month": "month", "year": "year", "weekend": "weekend"},
    counts=_numbered(
        "a|an|one two|couple_of|a_couple_of three|a_few|few four five|several six seven eight nine ten eleven twelve"
    ),
    words={"today": 0, "tonight": 0, "yesterday": 1, "last night": 1, "the day before yesterday": 2},
    which={"this": 0, "last": 1, "past": 1, "previous": 1},
    parts={
        "early": EARLY,
        "beginning of": EARLY,
        "the beginning of": EARLY,
        "start of": EARLY,
        "the start of": EARLY,
        "mid": MIDDLE,
        "middle of": MIDDLE,
        "the middle of": MIDDLE,
        "late": LATE,
        "end of": LATE,
        "the end of": LATE,
    },
    phrases=(
        *_NUMERIC,
        ("word", r"\b{WORD}\b"),
        ("ago", r"\b{COUNT}\s+{UNIT}s?\s+(?:ago|earlier|back)\b"),
        ("rolling", r"\b(?:the\s+)?(?:last|past|previous)\s+{COUNT}\s+{UNIT}s?\b"),
        (
            "calendar",
            r"\b(?:the\s+)?{DAY}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}\b\.?(?:,?\s+(?:of\s+)?{YEAR}\b)?",
        ),
        ("calendar", r"\b{MONTH}\b\.?\s+(?:the\s+)?{DAY}(?:st|nd|rd|th)?\b(?!:)(?:,?\s+{YEAR}\b)?"),
        ("calendar", r"\b(?:{PART}[\s-]+)?{MONTH}\b\.?,?\s+(?:of\s+|in\s+)?{YEAR}\b"),
        ("season", r"\b(?:{PART}\s+)?(?:the\s+)?{SEASON}\s+(?:of\s+|in\s+)?{YEAR}\b"),
        ("season", r"\b{WHICH}\s+{SEASON}\b"),
        (
            "season",
            r"\b(?:in|during|over|since|by|until)\s+(?:the\s+)?(?:{PART}\s+)?{SEASON}\b(?!\s+(?:of|in)\b)",
        ),
        # "may" and "march" are also verbs: alone they are months only after a word that leads to a time.
        ("calendar", r"\b{WHICH}\s+{MONTH}\b"),
        (
            "calendar",
            r"\b(?:in|of|on|during|since|until|by|before|after|between|from|to|and)\s+(?:{PART}[\s-]+)?{MONTH}\b\.?",
        ),
        ("calendar", r"\b{PART}[\s-]+{MONTH}\b"),
        ("calendar", r"\b{CLEAR_MONTH}\b"),
        ("period", r"\b(?:{PART}\s+)?(?:the\s+)?{WHICH}\s+{UNIT}\b"),
        ("weekday", r"\b(?:last\s+|this\s+|past\s+|on\s+)?{WEEKDAY}\b"),
        ("calendar", r"\b(?:{PART}[\s-]+)?{YEAR}\b"),
    ),
    before=r"\b(?:before|prior to|until|till|by|earlier than|up to)\s+(?:the\s+)?$",
    after=r"\b(?:after|since|later than|from)\s+(?:the\s+)?$",
    joined=r"\s*(?:(?P<and>and)|to|until|till|through|-|–)\s*(?:the\s+)?",
    latest=r"\b(?:(?:the\s+)?last time|most recent(?:ly)?|latest)\b",
)

GERMAN = TimeWords(
    cues=_cues(
        "der das und ich wir wann wo wer wie hat hatte haben ist war im am den dem des ein eine mit nicht "
        "über für von vor nach zu"
    ),
    months=_numbered(
        "januar|jan|janner februar|feb marz april|apr mai juni juli august|aug september|sept oktober|okt november|nov "
        "dezember|dez"
    )
    | {"märz": 3, "jänner": 1},
    weekdays=_numbered("montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag", 0),
    seasons={"frühling": SPRING, "frühjahr": SPRING, "sommer": SUMMER, "herbst": AUTUMN, "winter": WINTER},
    units={
        "tag": "day",
        "tage": "day",
        "tagen": "day",
        "woche": "week",
        "wochen": "week",
        "monat": "month",
        "monate": "month",
        "monaten": "month",
        "jahr": "year",
        "jahre": "year",
        "jahren": "year",
        "jahres": "year",
        "monats": "month",
        "wochenende": "weekend",
    },
    counts=_numbered(
        "ein|eine|einem|einer|einen zwei|paar|ein_paar drei|einigen vier fünf sechs sieben acht neun zehn elf zwölf"
    ),
    words={"heute": 0, "gestern": 1, "gestern abend": 1, "letzte nacht": 1, "vorgestern": 2},
    which={
        **dict.fromkeys(("dieser", "diese", "dieses", "diesen", "diesem"), 0),
        **dict.fromkeys(
            (
                "letzter",
                "letzte",
                "letztes",
                "letzten",
                "letztem",
                "vorige",
                "voriges",
                "vorigen",
                "vergangene",
                "vergangenen",
                "vergangenes",
            ),
            1,
        ),
        **dict.fromkeys(("vorletzte", "vorletztes", "vorletzten"), 2),
    },
    parts={
        "anfang": EARLY,
        "anfangs": EARLY,
        "zu beginn des": EARLY,
        "beginn": EARLY,
        "mitte": MIDDLE,
        "ende": LATE,
        "gegen ende des": LATE,
    },
    phrases=(
        *_NUMERIC,
        _DAY_FIRST,
        ("word", r"\b{WORD}\b"),
        ("ago", r"\bvor\s+{COUNT}\s+{UNIT}\b"),
        (
            "rolling",
            r"\b(?:in\s+)?(?:den\s+|der\s+|die\s+)?(?:letzten|letzte|vergangenen)\s+{COUNT}\s+{UNIT}\b",
        ),
        ("calendar", r"\b{DAY}\.?\s+{MONTH}\b(?:\s+{YEAR}\b)?"),
        ("calendar", r"\b(?:{PART}\s+)?(?:des\s+)?{MONTH}\s+{YEAR}\b"),
        ("season", r"\b(?:{PART}\s+)?(?:des\s+)?{SEASON}s?\s+{YEAR}\b"),
        ("season", r"\b(?:{WHICH}\s+|im\s+|den\s+){SEASON}\b"),
        ("calendar", r"\b{WHICH}\s+{MONTH}\b"),
        ("calendar", r"\b(?:{PART}\s+)?{MONTH}\b"),
        ("period", r"\b(?:{PART}\s+)?{WHICH}\s+{UNIT}\b"),
        ("period", r"\b{PART}\s+(?:des|der)\s+{UNIT}\b"),
        ("weekday", r"\b(?:letzten\s+|am\s+)?{WEEKDAY}\b"),
        ("calendar", r"\b(?:{PART}\s+)?{YEAR}\b"),
    ),
    before=r"\b(?:vor|bis|bis zum|spätestens)\s+(?:dem\s+|der\s+|den\s+)?$",
    after=r"\b(?:nach|seit|ab)\s+(?:dem\s+|der\s+|den\s+)?$",
    joined=r"\s*(?:(?P<and>und)|bis|-|–)\s*(?:zum\s+|dem\s+)?",
    latest=r"\b(?:das letzte mal|zum letzten mal|zuletzt|neueste[nrs]?)\b",
)

SPANISH = TimeWords(
    cues=_cues(
        "el los las que qué cuándo cuando dónde donde quién cómo del en un una es con por para y mi hace "
        "antes después"
    ),
    months=_numbered(
        "enero|ene febrero|feb marzo abril|abr mayo junio|jun julio|jul agosto septiembre|setiembre|sept octubre|oct "
        "noviembre|nov diciembre|dic"
    ),
    weekdays=_numbered("lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo", 0),
    seasons={"primavera": SPRING, "verano": SUMMER, "otoño": AUTUMN, "invierno": WINTER},
    units={
        "día": "day",
        "días": "day",
        "dia": "day",
        "dias": "day",
        "semana": "week",
        "semanas": "week",
        "mes": "month",
        "meses": "month",
        "año": "year",
        "años": "year",
        "fin de semana": "weekend",
    },
    counts=_numbered(
        "un|una|uno dos|un_par_de tres|unos|unas|pocos cuatro cinco seis siete ocho nueve diez once doce"
    ),
    words={"hoy": 0, "ayer": 1, "anoche": 1, "anteayer": 2, "antes de ayer": 2},
    which={
        **dict.fromkeys(("este", "esta"), 0),
        **dict.fromkeys(("pasado", "pasada", "último", "última", "ultimo", "ultima"), 1),
        **dict.fromkeys(("antepasado", "antepasada"), 2),
    },
    parts={
        **dict.fromkeys(
            (
                "a principios de",
                "principios de",
                "a comienzos de",
                "comienzos de",
                "al principio de",
                "al principio del",
                "inicio de",
                "a inicios de",
            ),
            EARLY,
        ),
        **dict.fromkeys(("a mediados de", "mediados de"), MIDDLE),
        **dict.fromkeys(
            ("a finales de", "finales de", "a fines de", "fines de", "al final de", "al final del"), LATE
        ),
    },
    phrases=(
        *_NUMERIC,
        _DAY_FIRST,
        ("word", r"\b{WORD}\b"),
        ("ago", r"\bhace\s+{COUNT}\s+{UNIT}\b"),
        ("rolling", r"\b(?:en\s+)?(?:los|las)\s+(?:últim[oa]s|ultim[oa]s|pasad[oa]s)\s+{COUNT}\s+{UNIT}\b"),
        ("calendar", r"\b(?:el\s+)?{DAY}\s+de\s+{MONTH}\b(?:\s+(?:de|del)\s+{YEAR}\b)?"),
        ("calendar", r"\b(?:{PART}\s+)?{MONTH}\s+(?:de\s+|del\s+)?{YEAR}\b"),
        ("season", r"\b(?:{PART}\s+)?(?:el\s+|la\s+)?{SEASON}\s+(?:de\s+|del\s+)?{YEAR}\b"),
        ("season", r"\b(?:el\s+|la\s+|en\s+){SEASON}\s+{WHICH}\b"),
        ("season", r"\b(?:{WHICH}|en|durante)\s+(?:el\s+|la\s+)?{SEASON}\b"),
        ("calendar", r"\b{MONTH}\s+{WHICH}\b"),
        # "mayo" is also English, and "marzo" a name: alone they are months only after a word that leads to a time.
        (
            "calendar",
            r"\b(?:en|de|desde|hasta|durante|antes de|después de|entre|y|a)\s+(?:{PART}\s+)?{MONTH}\b",
        ),
        ("calendar", r"\b{PART}\s+{MONTH}\b"),
        ("period", r"\b(?:{PART}\s+)?(?:el\s+|la\s+)?{UNIT}\s+{WHICH}\b"),
        ("period", r"\b(?:{PART}\s+)?(?:la\s+)?{WHICH}\s+{UNIT}\b"),
        ("weekday", r"\b(?:el\s+)?{WEEKDAY}(?:\s+pasado)?\b"),
        ("calendar", r"\b(?:{PART}\s+)?{YEAR}\b"),
    ),
    before=r"\b(?:antes de|antes del|hasta)\s+(?:el\s+|la\s+)?$",
    after=r"\b(?:después de|despues de|después del|desde|a partir de)\s+(?:el\s+|la\s+)?$",
    joined=r"\s*(?:(?P<and>y|a)|hasta|al|-|–)\s*(?:el\s+)?",
    latest=r"\b(?:la última vez|la ultima vez|más reciente|mas reciente|últimamente)\b",
)

FRENCH = TimeWords(
    cues=_cues(
        "le les que qui quand où est et en un une du des au nous je avec pour dans sur quel quelle qu j "
        "ai avant après"
    ),
    months=_numbered(
        "janvier|janv février|fevrier|févr mars avril|avr mai juin juillet|juil août|aout septembre|sept octobre|oct "
        "novembre|nov décembre|decembre|déc"
    ),
    weekdays=_numbered("lundi mardi mercredi jeudi vendredi samedi dimanche", 0),
    seasons={"printemps": SPRING, "été": SUMMER, "automne": AUTUMN, "hiver": WINTER},
    units={
        "jour": "day",
        "jours": "day",
        "semaine": "week",
        "semaines": "week",
        "mois": "month",
        "an": "year",
        "ans": "year",
        "année": "year",
        "années": "year",
        "week-end": "weekend",
        "weekend": "weekend",
    },
    counts=_numbered("un|une deux trois|quelques quatre cinq six sept huit neuf dix onze douze"),
    words={"aujourd'hui": 0, "hier": 1, "hier soir": 1, "avant-hier": 2},
    which={
        **dict.fromkeys(("ce", "cet", "cette"), 0),
        **dict.fromkeys(("dernier", "dernière", "derniere", "passé", "passée"), 1),
    },
    parts={
        **dict.fromkeys(("début", "au début de", "au début du", "au début de l'", "debut"), EARLY),
        **dict.fromkeys(("mi-", "mi", "au milieu de", "au milieu du", "au milieu de l'"), MIDDLE),
        **dict.fromkeys(("fin", "à la fin de", "à la fin du", "à la fin de l'"), LATE),
    },
    phrases=(
        *_NUMERIC,
        _DAY_FIRST,
        ("word", r"\b{WORD}\b"),
        ("ago", r"\bil y a\s+{COUNT}\s+{UNIT}\b"),
        ("rolling", r"\b(?:les|ces)\s+{COUNT}\s+derni(?:ers|ères|eres)\s+{UNIT}\b"),
        ("rolling", r"\b(?:les|ces)\s+derni(?:ers|ères|eres)\s+{COUNT}\s+{UNIT}\b"),
        ("calendar", r"\b(?:le\s+)?{DAY}(?:er)?\s+{MONTH}\b(?:\s+{YEAR}\b)?"),
        ("calendar", r"\b(?:{PART}\s*)?{MONTH}\s+(?:de\s+)?{YEAR}\b"),
        ("season", r"(?:\b{PART}\s*)?(?:\bl'|\ble\s+|\b){SEASON}\s+(?:de\s+)?{YEAR}\b"),
        ("season", r"(?:\bl'|\ble\s+|\bau\s+|\ben\s+){SEASON}\s+{WHICH}\b"),
        ("season", r"\b(?:{WHICH}|en|au|pendant l'|pendant le)\s*{SEASON}\b"),
        ("calendar", r"\b{MONTH}\s+{WHICH}\b"),
        # "mars" is also a planet.
        ("calendar", r"\b(?:en|de|du|depuis|jusqu'en|avant|après|entre|et|à)\s+(?:{PART}\s*)?{MONTH}\b"),
        ("calendar", r"\b{PART}\s*{MONTH}\b"),
        ("period", r"\b(?:{PART}\s*)?(?:la\s+|le\s+|l')?{UNIT}\s+{WHICH}\b"),
        ("period", r"\b(?:{PART}\s*)?{WHICH}\s+{UNIT}\b"),
        ("weekday", r"\b(?:le\s+)?{WEEKDAY}(?:\s+dernier)?\b"),
        ("calendar", r"\b(?:{PART}\s*)?{YEAR}\b"),
    ),
    before=r"\b(?:avant|jusqu'à|jusqu'en|jusqu'au)\s+(?:le\s+|la\s+|l')?$",
    after=r"\b(?:après|depuis|à partir de|à partir du)\s+(?:le\s+|la\s+|l')?$",
    joined=r"\s*(?:(?P<and>et|à|au)|jusqu'à|-|–)\s*(?:le\s+)?",
    latest=r"\b(?:la dernière fois|le plus récent|la plus récente|dernièrement)\b",
)

_CHINESE_COUNTS = _numbered("一 二|两|兩 三|几|幾 四 五 六 七 八 九 十 十一 十二")
_EAST_MONTHS = _numbered("一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月")

CHINESE = TimeWords(
    cues=frozenset("的了吗什么谁哪在我你们说是过"),
    months=_EAST_MONTHS,
    weekdays=_numbered("一 二 三 四 五 六 日|天", 0),
    seasons=dict.fromkeys(("春天", "春季"), SPRING)
    | dict.fromkeys(("夏天", "夏季"), SUMMER)
    | dict.fromkeys(("秋天", "秋季"), AUTUMN)
    | dict.fromkeys(("冬天", "冬季"), WINTER),
    units={
        "天": "day",
        "日": "day",
        "周": "week",
        "週": "week",
        "星期": "week",
        "礼拜": "week",
        "禮拜": "week",
        "月": "month",
        "年": "year",
        "周末": "weekend",
    },
    counts=_CHINESE_COUNTS,
    words={"今天": 0, "昨天": 1, "昨晚": 1, "前天": 2},
    which={"这": 0, "這": 0, "本": 0, "今": 0, "上": 1, "去": 1, "上上": 2, "前": 2},
    parts=dict.fromkeys(("初", "上旬", "年初", "月初"), EARLY)
    | dict.fromkeys(("中", "中旬", "年中"), MIDDLE)
    | dict.fromkeys(("底", "末", "下旬", "年底", "月底", "年末", "月末"), LATE),
    phrases=(
        *_NUMERIC,
        ("calendar", r"{YEAR}年(?:的)?(?:{NUMBER_MONTH}月|{MONTH})(?:{DAY}[日号號]|{PART})?"),
        ("season", r"{YEAR}年(?:的)?{SEASON}"),
        ("season", r"{WHICH}年(?:的)?{SEASON}"),
        ("calendar", r"{YEAR}年{PART}?"),
        ("rolling", r"(?:最近|过去|過去|近)(?:的)?{COUNT}个?個?{UNIT}"),
        ("ago", r"{COUNT}个?個?{UNIT}(?:之前|以前|前)"),
        ("word", r"{WORD}"),
        ("calendar", r"{WHICH}年(?:的)?(?:{NUMBER_MONTH}月|{MONTH})(?:{DAY}[日号號]|{PART})?"),
        (
            "calendar",
            r"(?<![\d个個])(?:{NUMBER_MONTH}月|(?<![一二三四五六七八九十]){MONTH})(?:{DAY}[日号號]|{PART})?",
        ),
        (
            "weekday",
            r"(?:(?P<week_before>上)[个個]?|(?P<this_week>[这這][个個]?|本))?"
            r"(?:周|週|星期|礼拜|禮拜){WEEKDAY}",
        ),
        ("period", r"{WHICH}个?個?{UNIT}{PART}?"),
        ("season", r"{SEASON}"),
    ),
    before=r"(?!)",
    after=r"(?:自从|从|自)$",
    joined=r"\s*(?:到|至|(?P<and>和|与)|-|–|~)\s*",
    has_spaces=False,
    latest=r"(?:上次|上一次|最近一次|最后一次|最新)",
    behind={"before": r"^(?:之前|以前|前)", "after": r"^(?:之后|以后|以来|后|後)"},
)

JAPANESE = TimeWords(
    cues=frozenset("はをがのにでしたますかいつどこ"),
    months=_EAST_MONTHS,
    weekdays=_numbered("月 火 水 木 金 土 日", 0),
    seasons={"春": SPRING, "夏": SUMMER, "秋": AUTUMN, "冬": WINTER},
    units={
        "日": "day",
        "日間": "day",
        "週": "week",
        "週間": "week",
        "月": "month",
        "か月": "month",
        "ヶ月": "month",
        "カ月": "month",
        "か月間": "month",
        "ヶ月間": "month",
        "年": "year",
        "年間": "year",
        "週末": "weekend",
    },
    counts=_CHINESE_COUNTS,
    words={"今日": 0, "昨日": 1, "昨夜": 1, "一昨日": 2, "おととい": 2, "きのう": 1},
    which={"今": 0, "先": 1, "昨": 1, "去": 1, "先々": 2},
    parts=dict.fromkeys(("初め", "上旬", "の初め", "の始め", "初旬"), EARLY)
    | dict.fromkeys(("中旬", "の半ば", "半ば"), MIDDLE)
    | dict.fromkeys(("末", "下旬", "の終わり", "の末"), LATE),
    phrases=(
        *_NUMERIC,
        ("calendar", r"{YEAR}年(?:の)?{NUMBER_MONTH}月(?:{DAY}日|{PART})?"),
        ("season", r"{YEAR}年(?:の)?{SEASON}"),
        ("season", r"(?P<which>去|昨|今)年(?:の)?{SEASON}"),
        ("calendar", r"{YEAR}年{PART}?"),
        ("rolling", r"(?:最近|過去|ここ)(?:の)?{COUNT}{UNIT}"),
        ("ago", r"{COUNT}{UNIT}前"),
        ("word", r"{WORD}"),
        ("calendar", r"(?P<which>去|昨|今)年(?:の)?{NUMBER_MONTH}月(?:{DAY}日|{PART})?"),
        ("calendar", r"(?<!\d)(?:{NUMBER_MONTH}月|(?<![一二三四五六七八九十]){MONTH})(?:{DAY}日|{PART})?"),
        ("weekday", r"(?:(?P<week_before>先週の?)|(?P<this_week>今週の?))?{WEEKDAY}曜日?"),
        ("period", r"{WHICH}{UNIT}{PART}?"),
        ("season", r"{SEASON}(?=に|の|は)"),
    ),
    before=r"(?!)",
    after=r"(?!)",
    joined=r"\s*(?:から|(?P<and>と)|-|–|~|〜)\s*",
    has_spaces=False,
    latest=r"(?:前回|最後に|最近|この前)",
    behind={"before": r"^(?:より前|以前|前|まで)", "after": r"^(?:以降|以来|から|より後|後)"},
)
