"""Words and phrases by which statements in curated files are classified: by category, by time, by form."""

from __future__ import annotations

import re

from memdesk.engine.extraction.lexicon import word_set

_I = re.IGNORECASE
TITLES = (
    (
        "fact",
        re.compile(
            r"\blearn(?:ings?|ed|t)\b|\blessons?\b|\bsettings?\b|\bconfig(?:uration)?\b|\barchitecture\b"
            r"|under consideration|open questions?|pending decision|erkenntnis|offene fragen"
            r"|einstellungen|architektur|leccion|aprendizaje|configuraci|lição|lições|aprendizado"
            r"|学び|教訓|設定|構成|教训|经验|配置|架构",
            _I,
        ),
    ),
    (
        "decision",
        re.compile(
            r"(?<!open )decisi[oó]n|decided|entscheidung|beschl|acuerdo|决定|决策|決策|決定|決まった", _I
        ),
    ),
    (
        "preference",
        re.compile(
            r"preference|prefers|likes|dislikes|favou?rite|tastes?\b|vorliebe|präferenz|gewohnheit"
            r"|preferencia|gustos"
            r"|偏好|喜好|爱好|习惯|喜欢|讨厌|好み|嗜好|好きな|嫌いな",
            _I,
        ),
    ),
    (
        "constraint",
        re.compile(
            r"constraint|\brules?\b|\bmust|\bnever\b|\balways\b|boundar|red lines?|limits?\b|conventions?"
            r"|guidelines?|policy|\bprinciples?\b|prinzip|grundsätze|princip|convenci|convenções"
            r"|policies|^do(?:n'?ts?|s| not)?\b|^avoid"
            r"|requirements?|\bregeln?\b|vorgaben|grenzen|reglas?|normas|restriccion|約束"
            r"|规则|约束|约定|守则|规矩|禁止|红线|要求|规范|原则|ルール|規則|制約|決まり|注意",
            _I,
        ),
    ),
    (
        "event",
        re.compile(
            r"\bevents?\b|milestones?|history|timeline|changelog|\bdone\b|completed|log\b|ereignisse|verlauf"
            r"|historie|key dates|关键日期|重要日期"
            r"|erledigt|historial|eventos|hecho\b|hitos|事件|大事|里程碑|历史|已完成|完了|履歴|経緯|出来事",
            _I,
        ),
    ),
)
"""Words in a heading that give the lines under it their category."""
KINDS = {"rule": "constraint", "requirement": "constraint", "milestone": "event", "like": "preference"}
DECISION = re.compile(
    r"\b(?:decided|decide[sd]? (?:to|on|against)|decision(?=:|s? (?:is|are|was|were) )|chose|chosen"
    r"|opted (?:for|to)|settled on"
    r"|agreed (?:with [\w ]{1,30}? )?(?:to|on|that)"
    r"|we(?:'ll| will) (?:use|go|stick)|going with|entschieden|beschlossen|vereinbart|haben uns für|einigten"
    r"|decidió|decidimos|decidido|acord[óa]\w*|eleg(?:imos|ido)|optamos|a décidé|avons décidé)\b"
    r"|决定|选定|敲定|拍板|改用|定为|约定|決定|決めた|決まった|することにした|採用した",
    _I,
)
PREFERENCE = re.compile(
    r"\b(?:prefers?|preferred|favou?rites?|fan of|keen on|fond of"
    r"|(?<!feels )(?<!looks )(?<!sounds )(?:dis)?likes?\b(?! (?:a|an|the)\b)|loves?|enjoys?|hates?"
    r"|adores?|wants?|would rather|would like|appreciates?|cares? about|can(?:'t|not) stand|happy with|annoyed by"
    r"|bevorzugt|mag\b|mögen|möchte|lieber|am liebsten|gern(?:e)?|hasst|liebt|wünscht|prefiere|prefieren|le gustan?"
    r"|les gustan?|no soporta|odia|quiere que|préfère|aime|preferisce|prefere|foretrekker|foretrækker)\b"
    r"|喜欢|偏好|偏爱|讨厌|最爱|爱吃|爱喝|爱看|爱听|更愿意|倾向|希望|不爱|反感|钟爱|宁愿|想要|只喝|只吃"
    r"|好き|好む|好み|希望|嫌い|苦手|嫌が|ほうがいい|方がいい|気に入",
    _I,
)
CHOICE = re.compile(
    r"\b(?:rather than|instead of|statt|anstatt|en lugar de|en vez de)\b|而不是|ではなく|よりも", _I
)
CONSTRAINT = re.compile(
    r"\b(?:must(?:n't| not)?|never|always|(?<!\ws )(?:do not|don't)|does not want|cannot be|may not|not allowed"
    r"|only (?:if|when|after|with"
    r"|via|through)|required|no more than|no later than"
    r"|under no circumstances|allergic|allergy"
    r"|forbidden|prohibited|avoid|mandatory|has to|have to|needs? to|should(?:n't)?|shall|by default"
    r"|make sure|ensure"
    r"|muss|müssen|darf|dürfen|niemals|nie\b|immer|nicht erlaubt|verboten|bitte|soll(?:en)?"
    r"|allergisch|stengt for|debe|deben|nunca|siempre|hay que|no se (?:puede|debe)|prohibido"
    r"|obligatorio|alérgic[oa]"
    r"|evitar|il faut|jamais|toujours|doit)\b"
    r"|不要|必须|必須|始终|务必|禁止|不准|不许|不能|不得|不可|一律|只能|只用|总是|每次都|最多|至少|过敏"
    r"|忌口|(?<![申邀聘宴])请(?![假客教求])|需要先|之前先|暂停|不用|(?<![特性区级类分个识判告鉴辨])别"
    r"|必要|禁止|てはいけない|ではいけない|てはならない|必ず|しないこと|すること|しない(?:で|$)|べき"
    r"|まで(?:に|は)|以内|アレルギー|ください",
    _I,
)
PERMITTED = re.compile(
    r"^(?:i |we )?(?:may|can|feel free|allowed|darf|kann|puede)\b"
    r"|^(?:我)?(?:可以|可|不必|允许)|てよい|ても(?:いい|よい)",
    _I,
)
SO_DO = re.compile(r"[,;] (?:[Ss]o |[Pp]lease |[Tt]hen )?(?P<verb>[A-Za-z][a-z]+) \w")
ORDERS = word_set(
    """
    add ask avoid be build call check choose commit confirm copy create delete deploy do edit ensure
    escape export fetch follow format give group handle ignore import include install keep leave let
    limit link load log look make mark match merge move name never open pass pick pin place post prefer
    print pull push put quote read refer reject remove rename reply report reset respect restart return
    review round run save say search send set show skip sort split start stay stick stop store switch
    take tell test think treat try turn update upload use validate verify wait warn wrap write
    """
)
NOUNS_TOO = word_set(
    """
    build call check commit copy deploy export format group import limit link load log look mark match
    merge move name pass pin place post print pull push quote report reset review round run search set
    show sort split start stop store switch test turn update upload wait
    """
)
"""Verbs that often are nouns at the beginning of a line: they are orders only before an article or a name."""
OBJECTS = word_set(
    """
    a an the all any each every no this that these those only it them its your our
    """
)

STATIVE = re.compile(
    r"^(?:based|built|hosted|written|located|married|named|called|known|used|made|kept|stored|backed"
    r"|powered|owned|run"
    r"|managed|licen[sc]ed|composed|interested|trained|employed|deployed|connected|installed|configured|run|engaged"
    r"|divorced|retired|raised|aged|dressed|situated|led|published|paid|set|split|mounted|served"
    r"|mirrored|shared|encrypted"
    r"|fixed|closed|reserved|required|allowed|forbidden|sorted|ordered|grouped|tied|bound|cached"
    r"|exposed|protected|signed"
    r"|tested|maintained|generated|versioned|translated|focused|limited|supported|planned|scheduled|dedicated"
    r"|enabled|disabled|activated|capped|locked|pinned|blocked|secured|hardened|isolated|restricted|optimi[sz]ed|indexed"
    r"|firewalled|(?:allow|white)listed|integrated|documented|verified|automated|simplified|combined|detailed)\b",
    _I,
)
AUTOMATED = word_set(
    "automated unattended detailed combined shared encrypted limited dedicated managed hosted verified simplified"
)
"""Participles that describe the noun after them rather than report what was done to it."""
STATES = word_set(
    """
    enabled disabled activated installed configured connected deployed capped locked pinned blocked secured hardened
    isolated restricted optimized optimised indexed firewalled allowlisted whitelisted integrated documented verified
    automated hosted mounted protected encrypted needed required allowed supported expected
    """
)
"""Participles after a noun that tell its state: `Node connected`."""
NOW = re.compile(
    r"\b(?:now|nowadays|since then|still|these days|currently|ever since|seither|inzwischen|jetzt"
    r"|ahora|desde entonces)\b|现在|如今|目前|从此|以后|今は|現在",
    _I,
)
PAST_CJK = re.compile(
    r"(?:曾经?|刚刚?|早就)[\u4e00-\u9fff]|昨[天晚日]|前天|上周|上个?月|去年|前年|以前(?!的)"
    r"|曾经|当时|小时候|年前|当初"
    r"|[\u4e00-\u9fff](?<![为除解受罢算])了(?![解不])(?![0-9一二三四五六七八九十两几]+[年个])|过了"
    r"|成功$|失败$|(?:后|才)(?:成功|解决|恢复)"
    r"|(?:まし|でし|だっ|[いきしちにみりっんえけせてねべめれげぜ])た(?:。|$|[、（(]|が|ため|ので)"
    r"|昨日|先週|先月|去年|一昨年|以前"
)
ONGOING_CJK = re.compile(
    r"(?:戴|穿|养|有|住|结|开|关|停)了(?!.*(?:昨|去年|上))|ていた|ている|ています"
    r"|了[0-9一二三四五六七八九十两几]+年"
)
FUTURE_CJK = re.compile(
    r"明天|后天|下周|下个?月|明年|打算|计划(?=[在去于将要把做买学搬开用从明下今本])|将(?:要|于|在|会)|即将|准备|会去|要去|明日|来週|来月|来年|予定|つもり"
)
GERMAN_PAST = re.compile(
    r"\b(?:wurden?|war(?:en)?|hatten?|gab es|kam|ging|fand|zog|bekam|verließ|begann|endete|sprach"
    r"|schrieb|gab|nahm|blieb|fuhr|flog|rief|traf|sah|hielt|half"
    r"|verlor|gewann|brach|starb|wuchs|lief|schloss|brachte|entstand|\w*(?:kaufte|machte|sagte"
    r"|setzte|legte|stellte|zeigte"
    r"|holte|baute|lernte|wechselte|lebte|wohnte|arbeitete|leitete|gründete|heiratete|kündigte|ierte)n?)\b"
    r"|\bha(?:t|ben)\b.*\b(?:ge\w+(?:t|en)"
    r"|\w+iert|(?:ver|be|er|ent|zer|ab|an|auf|aus|um|ein)\w+(?:t|en))\b\s*[.!]?$|\b(?:ist"
    r"|sind)\b.*\b(?:um|aus|ein|weg)?"
    r"(?:gezogen|gegangen|gekommen|gefahren|gestorben|gereist|abgereist|ausgefallen|abgestürzt|gewechselt)\b",
    _I,
)
ROMANCE_PAST = re.compile(
    r"\b(?:fue|fueron|era|eran|estaba|estuvo|tuvo|hubo|hizo|había|se (?:mudó|fue|canceló)"
    r"|\w{3,}(?:aron|ieron)|\w{2,}[cdlmnprstvzj]ó"
    r"|estavam?|tinham?|tentavam?|\w{3,}[^aeiou\W]ou|a été|ont été"
    r"|était|avait|è stat[oa]|foi|foram|blev|ble|hadde|havde)\b"
)
ENDED = re.compile(
    r"\b(?:cancel\w*|abgesagt|dropped|called off|cancelad[oa]|cancelaron)\b|取消|作废|中止", _I
)
FUTURE = re.compile(
    r"\b(?:will(?! not| never)|going to|plans? to|planned for|tomorrow|next (?:week|month|year"
    r"|spring|summer|autumn|winter|\w+day)"
    r"|upcoming|due (?:on|by)|(?:wird|werden)\b[^.;]*\b(?:sein|haben|kommen|gehen|machen|bleiben|ziehen|\w{3,}(?:ieren"
    r"|eln|ern))\s*[.!]?$|geplant|übermorgen|nächste[nrsm]?|va a|van a|próxim[oa])\b",
    _I,
)
BOUNDARY = re.compile(
    r"[;；。，！？]|\.\s|\s[-–—]\s|,\s(?:and|but|so|because|which|who|where|when|after|before|while)\b"
    r"|\b(?:what|how|why|because|after|before|until|when"
    r"|while|if|unless|where|although)\b"
)
RELATIVE = word_set(
    """
    that which who whose whom
    """
)
DETERMINERS = word_set(
    """
    a an the his her its their our my your this that these those no some every each any
    """
)
PRESENT = word_set(
    """
    is are am isn't aren't has have hasn't haven't does do doesn't don't can can't cannot must may might
    should shall need needs
    gets wants expects prefers feels seems becomes thinks knows believes enjoys hopes tries tends dislikes
    """
)
BEFORE_ING = word_set(
    """
    stopped started began kept finished quit tried enjoyed avoided considered loved hated went continued resumed
    suggested postponed regretted remembered spent was were got
    """
)
"""Past verbs that another verb in -ing follows: "stopped smoking"; before it, other past forms are names or nouns."""
PAST_AUXILIARY = word_set(
    """
    was were wasn't weren't had hadn't did didn't used
    """
)
UNTIL = re.compile(
    r"\b(?:until|till|through|ends? on|expires? on|valid to|bis|hasta|jusqu'au)\s*(?:the |zum "
    r"|el )?$|(?:截止|到|至)\s*$",
    _I,
)
TO = re.compile(r"^\s*(?:to|until|till|through|bis|a|hasta|–|-|—|至|到|から|~|～)\s*(?:the |zum |el )?$", _I)
FROM_THEN = re.compile(
    r"\b(?:since|from|starting|as of|effective|ab|seit|desde|depuis)\s*(?:the |dem |el )?$", _I
)
FROM_THEN_CJK = re.compile(r"^\s*(?:起|开始|以来|から|より)")
INFERRED = re.compile(
    r"\((?:inferred|assumed|guess(?:ed)?|probably|unconfirmed|vermutet|inferido)\)|（(?:推测|推断|猜测|推定)）",
    _I,
)
ELLIPTIC = word_set(
    """
    prefers likes loves wants needs uses works lives has is was enjoys hates dislikes speaks owns plays
    studies runs drinks eats reads writes drives travels codes sleeps keeps avoids follows manages leads
    goes comes thinks finds values expects appreciates cares asks knows learns teaches takes gets does
    """
)
KEEP = re.compile(
    r"^(?:remember|note|nb|fyi|用户要求记住|记住|关键信息|注意|重要|important|wichtig|importante"
    r"|メモ)(?: that)?\s*[:：]\s*",
    _I,
)

CHOSE = re.compile(
    r"\b(?:switched|adopted|replaced|moved|dropped|picked|renamed|introduced|migrated|gewechselt"
    r"|umgestellt|cambi\w+)\b"
    r"|改成|换成|切换|変更|切り替え|やめ|にした",
    _I,
)
PREPOSITIONS = word_set(
    "in on at by with to under from for as via into onto over within through against during per about around between"
    " alongside"
)
GOING = word_set(
    """
    moved went came arrived left fell waited returned travelled traveled flew drove sailed walked ran lived worked died
    retired started began ended stopped crashed failed broke switched talked spoke agreed met joined graduated applied
    happened appeared rose grew stayed slept sat stood played studied complained listened looked asked called paid
    voted escaped emigrated changed turned migrated
    """
)
"""Past forms that need no object, so that a preposition after one does not make it a participle."""
AFTER_A_VERB = word_set(
    """
    a an the all any no some every it them him her us me this that these those his its their our my out off up down
    again away back outside twice once late early
    """
)
"""Words that follow a verb in the past rather than a participle that describes a noun."""
MYSELF = word_set("i i'm i've i'll i'd my mine")
SENTENCE_END = re.compile(r"[;；。！？]|[.!?]\s")
NO_SUCH = re.compile(r"^(?:no|kein\w*|sin|ningun\w*|pas de)\s", _I)
IN_RULES = re.compile(
    r"\b(?:style|stil|estilo|testing|workflow|commits?|naming|formatting|reviews?)\b|风格|スタイル", _I
)
"""Headings of instructions under which lines are rules, though they are written as statements."""
ELSEWHERE = re.compile(
    r"\b(?:el|la|los|las|un|una|en|es|y|con|del|al|se|der|die|das|dem|den|ein|eine|ist|und|mit|im|wurden?|hat|haben"
    r"|von|für|nach|em|não|uma|dos|das|são|le|les|est|et|det|og|til|på|af|er)\b",
    _I,
)
"""Little words of German, Spanish, French and Danish; two of them make a sentence of one of these languages."""
