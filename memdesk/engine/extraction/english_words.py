"""Words for people: kinship and roles, common given names, titles, Chinese surnames and forms of address."""

from __future__ import annotations

import re


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text separated by white space."""
    return frozenset(words.split())


SUBJECTS = word_set("i we i'm i've i'd i'll we're we've we'd we'll im ive")
POSSESSIVES = word_set("my our")
THIRD = word_set(
    """
    he she it they him her them his hers its their theirs himself herself itself themselves em
    """
)

BE = word_set("am is are was were be been being 'm 's 're isn't aren't wasn't weren't ain't")
MODALS = word_set(
    """
    can could will would shall should may might must can't cannot couldn't won't wouldn't shan't shouldn't
    mightn't mustn't 'll 'd ought
    """
)
NEGATIVE = word_set(
    """
    not never no don't doesn't didn't can't cannot won't isn't aren't wasn't hasn't haven't nothing
    """
)

ADVERBS = word_set(
    """
    also just really always never usually often still actually recently currently finally even definitely
    totally only already now sometimes kinda sorta truly absolutely mostly typically probably basically once
    ever almost hardly rarely seldom generally normally originally eventually initially simply certainly
    clearly personally literally honestly obviously frequently occasionally primarily mainly lately soon
    twice then both all each not last first super so very quite pretty rather too maybe perhaps possibly since
    """
)
LY_VERBS = word_set("apply supply reply rely fly multiply comply imply ally tally rally bully")

PASTS = word_set(
    """
    was were had did went got made said took came saw thought gave found told became left felt brought began
    kept held wrote stood heard meant met ran paid sat spoke led grew lost fell sent built understood drew
    broke spent rose drove bought wore chose ate slept won taught caught sold sang swam flew rode hid fought
    threw forgot forgave froze drank shook stole woke bent lent shot struck stuck swore swept tore dug dealt
    fed fled hung sank shone slid sped spun sprang stung strove swung withdrew overcame rebuilt rewrote
    reran bit blew bled bred burnt learnt dreamt spelt knelt leapt leant knew used didn't wasn't weren't
    hadn't couldn't switched
    """
)
SAME_PAST = word_set("put set cut read let hit hurt quit cost shut split spread bet cast upset beat")
PARTICIPLES = word_set(
    """
    been gone done seen taken given written known grown become begun broken chosen driven eaten fallen flown
    forgotten gotten hidden ridden risen shaken shown sung spoken stolen sworn swum thrown torn woken worn
    had made met read run come got won lost built bought brought taught thought found felt kept left led
    sent spent told heard held
    """
)
ED_BASES = word_set(
    """
    need feed breed bleed speed embed seed heed exceed proceed succeed weed shed wed
    """
)

VERBS = word_set(
    """
    accept add adopt agree aim allow apply arrive ask attend avoid bake be become begin believe belong block
    bring build buy call camp care carry celebrate change choose clean climb code collect come commute
    compose connect contain cook cost cover create cycle dance depend deploy design dislike do draw dream
    drink drive earn eat enable enjoy exercise exist expect explore express fear feel find finish fix flow
    fly focus follow forget garden get give go graduate grow handle happen hate have hear help hike hire
    hold hope host include inspire install invite join jog keep know lead learn leave like listen live look
    lose love lower make manage matter mean meet mentor migrate miss motivate mount move need offer open
    operate order organise organize own paint pay perform plan play point practice practise prefer prepare
    provide publish push put raise reach read receive recommend refer release rely remember remind remove
    rent replace require research rest return review ride run say see sell send serve set share ship show
    sing sit skate ski sleep smoke speak spend stand start stay stop store struggle study support surf swim
    switch take talk teach tell tend test thank think track train translate travel treat trust try turn
    understand expire rotate crash fail sync poll log index parse render load save compile scale retry
    encrypt close process trigger monitor validate exceed total generate coach marry retire end update use
    value visit volunteer wait wake walk want warn watch wear weigh win wish work worry write
    """
)
COORDINATED = word_set(
    """
    have am want need love prefer hate enjoy know live don't can't think feel go do usually speak own study
    teach keep mostly volunteer dislike
    """
)

STARTERS_PAST = PASTS - word_set(
    """
    used thought said left felt meant led told knew was were did found understood forgot
    """
)
"""Past forms that open a sentence without its "I": "Got back from Rome"."""
STARTERS_ING = word_set(
    """
    planning hoping working trying thinking looking studying reading training moving heading considering
    preparing
    """
)

FUNCTION = (
    word_set(
        """
        a an the and or but nor so yet if then than as at by for from in into of off on onto out over to up
        with without within about after before during since until while when where which who whom whose what
        why how that this these those there here i me my mine myself we us our ours ourselves you your yours
        yourself one some any each every all both few many much more most other another such no not only own
        same very just too also again once because through between under above down back around along across
        against toward towards like per via let's i'm i've i'd i'll we're we've we'd we'll you're you've
        it's that's there's who's what's
        """
    )
    | THIRD
    | BE
    | MODALS
    | ADVERBS
    | NEGATIVE
    | word_set("do does did have has had 've having doing been being im ive dont cant")
)

VAGUE = word_set(
    """
    good great awesome amazing nice cool fun funny lovely sweet wonderful fantastic incredible super special
    important exciting excited happy glad sad bad better best worse worst hard tough easy big huge small
    little long short new old different same thing things stuff way ways lot lots bit kind sort something
    anything everything nothing someone anyone everyone anybody everybody somebody people guys folks time
    times moment moments day days world life lives feel feels felt feeling feelings think thinks thought
    know knows knew get gets got getting gotten go goes going gonna went gone make makes made making take
    takes took taking come comes came coming give gives gave giving given keep keeps kept keeping say says
    said see sees saw seeing look looks looked looking want wants wanted need needs needed hope hopes hoping
    hoped wish try tries tried trying love loves loved loving like likes liked enjoy mean means meant put
    find found help helps helped helping work works start started starting stay strong positive support
    supports supported supportive supporting encouragement encouraging inspired inspires inspire inspiring
    inspiration proud grateful thankful thanks thank appreciate dream dreams goal goals passion passionate
    journey success successful difference impact motivated motivation motivating motivates determined
    determination dedicated dedication amazed impressed impressive memories memory experience experiences
    forward ahead challenge challenges struggle struggles true real really right wrong sure okay fine crazy
    wild blast joy happiness peace energy boost courage strength faith belief beautiful gorgeous stunning
    cute pic pics picture pictures photo photos check share sharing shared reminder reminds remind reminded
    words word idea ideas point part rest step steps whole bunch couple place fact stoked thrilled pumped
    hyped scared nervous kinda wanna gotta bummer bummed lucky blessed worth rewarding fulfilling
    therapeutic enlightening eye-opening game possible able ready interesting busy swamped tired heart
    hearts soul vibe vibes cheer cheering corner rock friend friends friendship kindness reach achieve
    achieving overcome overcoming push pushing chasing chase quit stop let letting pass happen happened
    happens believe understand understood agree guess suppose wonder talk talking talked chat chatting hear
    heard hearing tell told telling ask asked doing done did luck hang catch tons ton fam y'all totally
    definitely absolutely truly always never ever forever together especially literally personally
    positivity optimistic upbeat hopeful happier stronger touching powerful beyond meaningful priceless
    value progress matter matters effort efforts adventure potential attitude community spirits spirit
    hurdle hurdles obstacle obstacles skills talents purpose renewed learn learning learned grow growing
    growth focus focused process future present meaning sense brave courageous struggling upset hectic
    drives ones rocks toughest path paths track setback setbacks smile smiles moving opportunity
    opportunities cause greatest laughs laugh hugs care caring week weeks month months year years today
    yesterday tomorrow tonight weekend weekends night morning evening afternoon ago last next hour hours
    minutes recently currently early late end beginning while similar solution positively affect savor
    reflect balance options trouble wellbeing others whatever plans details leads facing reality wishes
    advice mind appreciation outlet eye towards pursue pursuing universe connections connect wide direction
    directions perspective perspectives insight insights creative far unknown stepping news team well
    realize realise realizing knowing having being imagining juggling finding confidence enthusiasm surge
    calm mix young stories story join show lend hand harder strategies relationship relationships colors
    motivator hmm yeah yep yes ok wow haha lol please sorry forget remember worry question questions
    """
)
"""Words that fill a sentence without distinguishing one person's life from another's."""

FEELINGS = word_set(
    """
    glad happy sad excited thrilled stoked pumped proud grateful thankful sorry sure afraid scared nervous
    tired okay ok fine good great well better curious impressed inspired amazed lucky blessed honored
    honoured touched determined ready swamped busy here there hopeful optimistic exhausted overwhelmed
    surprised shocked jealous bummed relieved confident worried anxious super interested kidding joking
    serious right wrong back rooting cheering wondering upset frustrated heartbroken devastated bored
    stressed embarrassed shy brave strong free open set lost stuck freaked able close far delighted hurt
    sick cool awesome humbled moved shook shaken psyched eager looking doing feeling all always still just
    kinda really totally definitely so blown loving digging dying off
    """
)
"""Words that follow "I'm" in a sentence about a mood of the moment, not a fact."""

CHATTER = word_set(
    """
    thanks thank thx congrats congratulations glad happy sorry sounds looks seems hope wish welcome good
    great awesome cool nice love loving can't cant keep what how why who whose where appreciate same true
    agree exactly absolutely imagine suppose if unless whether wonder guess check look see tell please here
    there that this these those it that's it's here's there's what's who's how's where's you you're you've
    you'll you'd your yours he's she's they're they've they'll talk catch bye goodbye cheers excited stoked
    proud such best way go let whatever don't nevermind be enjoy come stay wait hang have do does did is are
    was were can let's could would should will shall may might isn't aren't didn't won't wouldn't couldn't
    haven't wishing sending remember any anything anyone nothing something everything everyone someone being
    which whenever however because cause 'cause until till than as feel feeling feels
    """
)
"""First words of sentences that greet, cheer, ask or comment."""

OPENERS = word_set(
    """
    hey hi hello wow woah whoa oh ah aww aw hmm hm um uh well yeah yep yup yes no nope nah ok okay sure
    right alright so and but also plus anyway anyways actually btw fyi honestly basically totally definitely
    absolutely exactly thanks though haha lol hah ha ooh yay woohoo woo woops whoops oops gosh man dude bro
    cool awesome great nice perfect sweet amazing gotcha understood congrats congratulations certainly
    correction please indeed yikes damn sadly unfortunately luckily fortunately thankfully surprisingly
    agreed true speaking obviously clearly or ugh phew yess yesss hmmm ohh mmm gee jeez
    """
)
COMMA_OPENERS = word_set(
    """
    well yes no nope nah right sure plus great nice perfect sweet cool awesome amazing understood certainly
    please true clearly exactly thanks speaking definitely absolutely totally man correction
    """
)
"""Openers that are ordinary words unless a comma or a full stop follows."""

IDLE_VERBS = word_set(
    """
    agree know understand understood guess appreciate hope wish mean bet see hear heard wonder suppose think
    thought believe imagine remember forget feel felt look sound seem doubt care admire apologize apologise
    thank promise swear recommend suggest say said tell told asked ask noticed totally couldn't didn't
    shouldn't forgot underestimate respond responded keep keeps kept saw meant knew figured wondered
    recall hoped wished don't
    """
)
"""Verbs of the moment: "I agree", "I wonder". The words after them may still make a claim if they contain a
name."""
EVENTFUL = word_set(
    """
    graduated married divorced retired moved proposed adopted relocated resigned enrolled emigrated eloped
    volunteer volunteers freelance commute smoke vape snore meditate journal garden homeschool skate surf
    ski jog
    """
)
"""Verbs that are informative without an object."""
DETERMINERS = word_set(
    """
    a an the my our your their his her its this these those that few some any every each no and or but so to
    of with for from in at on by into about as than just really very more most if when while because i we is
    are was were be am
    """
)
"""Words with which a finished clause does not end."""
ABLE = word_set(
    """
    speak play drive ride swim cook bake eat drink work use only code read write walk sing dance handle
    afford stand program fly ski surf skate tolerate sleep
    """
)
IDLE_FUTURE = word_set(
    """
    let keep never try do be check see definitely always have get take make give tell send think remember
    show miss look go stay need wait rock bring just not love still work continue say share
    """
)
PARTNER_ACTS = word_set(
    """
    recommended told gave made sent mentioned suggested showed lent bought introduced helped taught invited
    """
)
"""Verbs for an act of the partner: only with one of these is "you" part of a claim."""

OFTEN_PRESENT = word_set("read let cost beat")
HABIT = re.compile(
    r"\b(?:always|usually|often|every|each|never|sometimes|normally|regularly|on \w+days)\b", re.IGNORECASE
)
SAID_OF_THE_PAST = re.compile(
    r"\b(?:ago|yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|\w+day|fri|sat|sun"
    r"|mon)|back (?:then|in)|previously|used to|earlier (?:today|this)|recently|(?:in|since) (?:19|20)\d\d|once"
    r"|just)\b",
    re.IGNORECASE,
)


SHE = word_set(
    """
    mom mum mother mommy mama grandma grandmother granny nana sister aunt auntie niece wife girlfriend
    fiancée daughter stepmom stepmother stepsister stepdaughter godmother goddaughter mother-in-law
    sister-in-law daughter-in-law fiancee
    """
)
HE = word_set(
    """
    dad father daddy papa grandpa grandfather granddad brother uncle nephew husband boyfriend fiancé fiance
    son stepdad stepfather stepbrother stepson godfather godson father-in-law brother-in-law son-in-law
    """
)
THEY = word_set(
    """
    partner spouse cousin child kid baby boss manager mentor coach therapist doctor dentist landlord
    landlady roommate flatmate colleague coworker co-worker teammate neighbor neighbour teacher professor
    supervisor advisor adviser assistant accountant lawyer trainer instructor student grandchild grandson
    granddaughter buddy bestie friend toddler twin godchild
    """
)
KIN = SHE | HE | THEY
"""Individuals that a speaker calls "my ...": each is an entity."""
PETS = word_set(
    """
    dog puppy pup cat kitten guinea rabbit bunny hamster parrot horse pony turtle tortoise fish goldfish
    bird lizard snake pet doggo
    """
)
GROUP = word_set(
    """
    friend buddy colleague coworker co-worker teammate student child kid neighbor neighbour cousin teacher
    """
)
"""Kinds of people of whom a speaker has several: they count only with a name."""
TITLES = word_set(
    """
    mr mrs ms miss dr prof professor sir madam aunt auntie uncle grandma grandpa coach pastor father sister
    """
)

GIVEN = word_set(
    """
    aaron abby abigail adam adrian ahmed aisha alan albert alejandro alex alexander alexandra alfred ali
    alice alicia alison amanda amber amelia amy ana anders andre andrea andreas andrew andy angela anita
    anna anne annie anthony antonio arjun arthur ashley astrid audrey barbara beatriz becky ben benjamin
    bernard beth bianca bill bob brandon brenda brian bruno caitlin cameron camila carl carla carlos carmen
    carol caroline carolina catherine cecilia charles charlie charlotte chen chloe chris christian christina
    christine christopher claire clara claudia colin connor craig cynthia dan daniel daniela danny dave
    david deborah dennis derek diana diego dmitri dominic donald donna dorothy doug douglas dylan ed eddie
    edgar eduardo edward elena eli elias elizabeth ella ellen elsa emil emily emma eric erica erik erin
    ethan eva evan evelyn fatima felix fernando fiona florian francesca francis francisco frank fred freja
    gabriel gabriela gary george gina giulia giovanni gloria grace graham greg gustav hannah hans harry
    hassan heather heidi helen helena henrik henry hiroshi hugo ian ibrahim ingrid irene iris isaac isabel
    isabella ivan jack jacob jade jake james jamie jan jane janet jasmine jason jean jeff jennifer jenny
    jeremy jerry jess jesse jessica jill jim jimmy joan joana joanna joe joel johan johanna john johnny jon
    jonas jonathan jorge jose joseph josh joshua joyce juan judy julia julian julie jun justin kaori karen
    karl karin kate katherine kathy katie keith kelly ken kenji kevin kim kimberly klaus kristen kumar kurt
    kyle lars laura lauren lea leah lee lena leo leon leonardo leslie lily linda lisa liu logan lorenzo
    lotte louis louise lucas lucia lucy luigi luis luisa luke luna lydia madison magnus malik marc marco
    marcos marcus margaret maria mariana marie marina mario mark marta martha martin martina mary mateo matt
    matteo matthew maya megan mei mel melanie melissa mia michael michelle miguel mike mila miles miriam
    mohamed mohammed molly monica morgan nadia nancy natalia natalie natasha nathan neil nicholas nick nico
    nicole nigel nikolai nina noah nora oliver olivia olga omar oscar otto owen pablo pamela patricia
    patrick paul paula pedro penny peter petra phil philip pierre priya rachel rafael raj rajesh ralph
    raquel rebecca renata richard rita rob robert roberto robin rodrigo roger ron rosa rose rosie ruth ryan
    sally sam samantha samuel sandra sanjay sara sarah scott sean sebastian sergio shannon sharon shaun
    simon sofia sofie sonia sophia sophie stefan stella stephanie stephen steve steven stuart sue susan
    susanna suzanne sven sylvia takeshi tamara tanya tara ted teresa terry theo theresa thomas tiago tim
    timothy tina tobias todd tom tomas tommy tony tracy tyler ursula valentina vanessa vera veronica victor
    victoria viktor vincent virginia vivian vladimir wei wendy wilhelm will william xavier yan yuki yusuf
    yvonne zach zara zoe
    """
)

CHINESE_KIN = word_set(
    """
    妈妈 爸爸 母亲 父亲 老妈 老爸 爷爷 奶奶 外公 外婆 姥姥 姥爷 哥哥 弟弟 姐姐 妹妹 老公 老婆 丈夫 妻子 儿子
    女儿 男朋友 女朋友 女友 男友 未婚妻 未婚夫 舅舅 阿姨 姑姑 叔叔 伯伯 婆婆 公公 岳父 岳母 爸妈 父母 家人
    孩子 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 侄子 侄女 孙子 孙女 老板 领导 导师 同事 室友 房东 邻居 朋友
    同学 闺蜜 搭档 经理 老师 医生 妈 爸 哥 姐 弟 妹
    """
)
CHINESE_SHE = word_set(
    """
    妈妈 妈 母亲 老妈 奶奶 外婆 姥姥 姐姐 姐 妹妹 妹 老婆 妻子 女儿 女朋友 女友 未婚妻 阿姨 姑姑 婆婆 岳母
    表姐 表妹 堂姐 堂妹 侄女 孙女 闺蜜
    """
)
CHINESE_PETS = word_set("小狗 小猫 狗 猫 兔子 仓鼠 鹦鹉 金毛 柯基 橘猫")
CHINESE_GROUP = word_set("同事 朋友 同学 邻居 老师 医生 室友 闺蜜 爸妈 父母 家人 孩子")


def alternatives(words: frozenset[str]) -> str:
    """Return the words as alternatives of a pattern, longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜"
    "崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严"
)
_SHORT_SURNAMES = "王李张刘陈杨赵吴周徐马胡郭林罗郑谢宋唐许冯邓曹彭田董袁潘蔡杜沈姚卢姜谭陆汪"
ADDRESSED = re.compile(
    f"[{SURNAMES}](?:阿姨|叔叔|老师|医生|经理|教授|律师|师傅|先生|女士|小姐|奶奶|爷爷|总(?![是共结体部算会])"
    f"|工(?![作人具程资业地厂]))|[老小][{_SHORT_SURNAMES}]"
)
"""Surname with a form of address: 陈阿姨, 王老师, 小李."""
