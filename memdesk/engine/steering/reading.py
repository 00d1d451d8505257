"""Reader of text that steers an agent: by who is commanded, what gives way, who gains rights, and what is hidden.

Disguises are undone first: invisible characters, look-alike letters, spaced and torn words, and encodings.
The words are in `lexicon/`, one table a language; a rule combines what they do, in any mixture of languages."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from urllib.parse import unquote

from memdesk.model.message import Message, message

_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁԛԝһквмнтАЕОРСУХІЈЅКВМНТαεορυνικτΑΕΟΡΥΝΙΚΤΒΗΜΖ",
    "aeopcyxijsdqwhkbmhtAEOPCYXIJSKBMHTaeopuviktAEOPYNIKTBHMZ",
)
"""Cyrillic and Greek letters that look like Latin ones."""
_LEET = str.maketrans("01345789@$!", "oleastb9as" + "i")
_LEET_I = str.maketrans("01345789@$!", "oieastb9as" + "i")
_TAGS = re.compile("[\U000e0020-\U000e007e]{3,}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"\b(?:[0-9a-fA-F]{2}[ :]?){12,}\b")
_SINGLES = re.compile(r"(?:(?<=\s)|^)(?:\w(?:[ .·_*-]\w){2,}|\w(?:[.·_*]\w)+)(?!\w)")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CJK_GAP = re.compile(rf"(?<=[{_CJK}，。、])[ \t・·.\u3000]+(?=[{_CJK}，。、])")
_TORN = re.compile(r"(?<=[a-z])-(?=[a-z])", re.IGNORECASE)
_LETTERS_AND_DIGITS = re.compile(r"\b(?=\w*[a-z])(?=\w*[013457@$])[\w@$!]+", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_DECODED_AT_LEAST = 8
TORN_AT_LEAST, MISTYPED_AT_LEAST, LEET_AT_LEAST = 3, 3, 3
"""Words that must be disguised before their disguise is undone: fewer occur in honest text."""


def folded(text: str) -> str:
    """Return a text for comparison: one case, no accents, one space between words, nothing invisible."""
    if text.isascii():
        # It has none of what the rest undoes, which takes a hundred times as long.
        return " ".join(text.lower().split())
    seen = "".join(
        " " if each.isspace() else each
        for each in unicodedata.normalize("NFKC", text)
        if each.isspace() or unicodedata.category(each) != "Cf"
    )
    bare = "".join(e for e in unicodedata.normalize("NFKD", seen.casefold()) if not unicodedata.combining(e))
    return " ".join(unicodedata.normalize("NFC", bare).replace("’", "'").split())


def hidden(text: str) -> Iterator[str]:
    """Yield what a text says under each disguise that it may wear; nothing for a text that wears none."""
    yield from _tags(text)
    plain = folded(text)
    yield plain[::-1]
    yield codecs.encode(plain, "rot13")
    for undone in (_latin(text), _gathered(text), _CJK_GAP.sub("", plain), unquote(html.unescape(text))):
        if undone != text and (seen := folded(undone)) != plain:
            yield seen
    if len(_TORN.findall(plain)) >= TORN_AT_LEAST:
        yield _TORN.sub("", plain)
    if len(_LETTERS_AND_DIGITS.findall(plain)) >= LEET_AT_LEAST:
        for table in (_LEET, _LEET_I):
            yield _LETTERS_AND_DIGITS.sub(lambda match, to=table: match[0].translate(to), plain)  # type: ignore[misc]


def decoded(text: str) -> Iterator[str]:
    """Yield the texts that are encoded in a text as base64 or hexadecimal."""
    for match in _BASE64.finditer(text):
        body = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        with_padding = body + "=" * (-len(body) % 4)
        try:
            yield from _readable(base64.b64decode(with_padding, validate=True))
        except (binascii.Error, ValueError):
            continue
    for match in _HEX.finditer(text):
        digits = re.sub(r"[ :]", "", match[0])
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def mistyped(text: str, words: frozenset[str]) -> str | None:
    """Return a text with the letters of mistyped words in order; None if fewer than three are mistyped.

    words: those that a mistyped one is compared with, folded."""
    right = _by_letters(words)
    count = 0

    def corrected(match: re.Match[str]) -> str:
        nonlocal count
        word = match[0]
        if word in words or len(word) < 4 or (known := right.get(_letters(word))) is None or known == word:
            return word
        count += 1
        return known

    undone = _LETTERS.sub(corrected, folded(text))
    return undone if count >= MISTYPED_AT_LEAST else None


@cache
def _by_letters(words: frozenset[str]) -> dict[str, str]:
    return {_letters(word): word for word in words if len(word) > 3}


def _letters(word: str) -> str:
    return "".join(sorted(set(word)))


def _tags(text: str) -> Iterator[str]:
    for match in _TAGS.finditer(text):
        yield folded("".join(chr(ord(each) - 0xE0000) for each in match[0]))


def _latin(text: str) -> str:
    """Return a text that is mostly Latin with its look-alike letters as Latin ones."""
    if text.isascii():
        return text
    letters = [each for each in text if each.isalpha()]
    latin = sum(each.isascii() for each in letters)
    return text.translate(_LOOKALIKES) if latin * 2 >= len(letters) else text


def _gathered(text: str) -> str:
    """Return a text with the letters of its spaced words put together: several spaces part two words."""
    parted = re.sub(r"[ \t]{2,}|(?<=[.·_*]\w) (?=\w[.·_*])", "\n", text)
    joined = _SINGLES.sub(lambda match: re.sub(r"[ .·_*-]", "", match[0]), parted)
    return joined if joined != parted else text


def _readable(data: bytes) -> Iterator[str]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    plain = sum(each.isalnum() or each in " ./:-@,'~_|&;\n" for each in text)
    if len(text) >= _DECODED_AT_LEAST and plain >= 0.9 * len(text) and re.search(r"[a-z]{3}.*[ /]", text):
        yield folded(text)


LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "pl", "ru", "tr", "ar", "hi", "zh", "ja", "ko")
TEXT_CHARACTERS = 20_000
REMEMBERED = 64
"""Texts whose effect is remembered: it is read before a claim is entered on the writer, which others wait for."""
DISGUISED = 0.2
"""Certainty added to a rule whose words were disguised."""
SUREST = 0.99


@dataclass(frozen=True, slots=True)
class Steering:
    """Effect of a text on an agent: in a sentence, the certainty (0 to 1, set by hand), and the words."""

    says: Message
    certainty: float
    words: str


@dataclass(frozen=True, slots=True)
class _Rule:
    says: Message
    certainty: float
    holds: Callable[[_Passage], bool]


class _Passage:
    """Folded text of a sentence or two. does: what its words do, the names of the lexicon's tables."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.does = reads(text, rule_index())

    def __getattr__(self, name: str) -> bool:
        return name in self.does


BEGINNING = 3
"""Letters of a phrase by which it is looked up."""
_WORD = re.compile(r"\w+")
_STARTS = re.compile(r"(?<!\w)\w|[~./]")
_SPACELESS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0900-\u097f\u0600-\u06ff]")
_OWN_LOGIN = re.compile(
    r"\W*(?:\w+ ){0,2}log-?in(?: \w+)?\W{0,3}:\W{0,3}[\w.+-]+@[\w.-]+(?!.*[:/]/)", re.IGNORECASE
)
"""Line that names the address of a login, and no other place: `Login email: …`."""
_AWAY = re.compile(
    r"https?://|www\.|[\w.+-]+@[\w-]+\.\w+|\b\w[\w-]*\.(?:example|com|net|org|io|ru|cn|xyz|top)\b"
)
_SHELL = re.compile(
    r"\b(?:curl|wget)\b[^\n]{0,80}(?:\||-d @|--data|&&|;)|\|\s*(?:ba|z)?sh\b|\brm -rf\b|\bchmod -r? ?\d{3}|; ?wget\b"
)
_INSECURE = re.compile(r"http://|\b\d{1,3}(?:\.\d{1,3}){3}\b|--trusted-host")
_FORMAT = re.compile(
    r"<\|\w+\|>|</?(?:im_start|im_end|system)>|</(?:tool_)?(?:result|output|response|call)>"
    r"|\[/?(?:inst|sys|system)\]|<</?sys>>|\"role\"\s*:\s*\"system\"|system override"
    r"|^\s*(?:#+ ?)?(?:new )?system (?:prompt|message|policy)\s*:|^\s*#+ ?(?:new )?system (?:prompt|message)\b"
    r"|<!--[^>]{0,40}\b(?:assistant|agent|ai|llm|bot)\b|\]\(https?://[^)]*[?&][^)]*="
)
_MACHINES = (
    r"(?:ais?|llms?|language models?|models?(?=\s*:)|assistants?|agents?|bots?|crawlers?|machines"
    r"|automated (?:\w+ )?(?:visitors?|readers?|systems?|tools?|agents?))"
)
_TO_AGENTS = re.compile(
    r"\b(?:note|message|hint|attention|dear|notice|instructions?|important|reminder|memo|warning|request"
    r"|to all)\b[^.]{0,30}"
    rf"\b{_MACHINES}\b"
    r"|\b(?:ai|agents?|assistants?|bots?)[ -](?:note|notice|instruction|hint)s?\b"
    r"|(?:^|[.!?>\]] *)(?:ais|llms|language models|assistants|ai (?:agents|assistants|systems)|asistentes?)\s*:"
)
_IF_READ = re.compile(
    r"\bdear (?:ai|assistant|agent|bot|model)\b"
    r"|\bif you(?: are|'re) an? (?:ai|llm|bot|machine|language model|(?:ai )?(?:assistant|agent))\b"
    r"|\bif you (?:can )?(?:read|parse|process) this (?:as an?|and are an?)\b"
    rf"|\b(?:any|all|every|to the) (?:ai )?{_MACHINES} (?:indexing|reading|parsing|processing|(?:that|who) reads?)\b"
    r"|\b(?:have|let|get|tell|ask) your (?:ai|assistant|bot|agent|model)\b.{0,20}"
    r"\b(?:record|remember|memory|store|save|believe|trust)"
)
"""Words to whichever agent comes to read a text."""
_IN_OWNERS_PLACE = re.compile(
    r"\btreat\b.{0,60}\bas (?:if|though|coming)\b.{0,60}\b(?:owner|user|operator|admin)"
    r"|\bin (?:charge|command)\b.{0,40}\bobey"
)
_NEVER = re.compile(r"\b(?:not|never|no|nobody|don't|nicht|nie|no|jamais|pas)\b|不|勿|禁|ない")
"""Words of a rule that forbids."""
_COLON = re.compile("[:：]")
_FILLED_LINK = re.compile(r"https?://\S+\?\S*=")
_REPORT = re.compile(
    r"\b(?:the|an?|this|our|her|his|my|last)\b(?: \w+){0,2}? "
    r"(?:article|paper|talk|lecture|chapter|blog|book|novel|film|movie|course|training|workshop|thesis|audit"
    r"|incident report|report (?:says|mentions|describes)"
    r"|newsletter|study|story|demo|test suite|game|lawyer|thief|scanner|filter|red team|mail asked|scam mail)\b"
    r"|\bchapter \w+ (?:describes|covers)|\battackers\b|\bdata ?set\b|\bphishing\b|\bsecurity found\b"
    r"|^[\w' ]{3,30} (?:explains|describes|argues|mentions|gave a talk|wrote)\b"
)
"""Beginning of a sentence that reports what others say or do."""


@dataclass(frozen=True, slots=True)
class Index:
    """Phrases and their tables by how their first word begins; those of scripts without spaces in a list."""

    spaced: dict[str, tuple[tuple[str, re.Pattern[str]], ...]]
    spaceless: tuple[tuple[str, str], ...]


@cache
def rule_index() -> Index:
    return index_of([_lexicon(language) for language in LANGUAGES])


def index_of(lexicons: Iterable[dict[str, tuple[str, ...]]]) -> Index:
    """Return the index of the phrases of all languages."""
    spaced: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    spaceless: list[tuple[str, str]] = []
    for name, phrase in ((name, each) for tables in lexicons for name, all in tables.items() for each in all):
        if _SPACELESS.search(phrase):
            spaceless.append((name, phrase))
        else:
            spaced[_beginning(phrase)].append((name, re.compile(_regex(phrase))))
    return Index({start: tuple(entries) for start, entries in spaced.items()}, tuple(spaceless))


def _beginning(text: str) -> str:
    """Return the letters by which phrases are looked up; one that begins otherwise is looked up by its first sign."""
    word = _WORD.match(text)
    return text[:1] if word is None else word[0][:BEGINNING]


def reads(text: str, index: Index) -> frozenset[str]:
    """Return the names of the tables that have a phrase of a folded text."""
    found = set[str]()
    for start in _STARTS.finditer(text):
        for name, pattern in index.spaced.get(_beginning(text[start.start() : start.start() + 3]), ()):
            if name not in found and pattern.match(text, start.start()):
                found.add(name)
    if _SPACELESS.search(text):
        found.update(name for name, phrase in index.spaceless if phrase in text)
    return frozenset(found)


def _regex(phrase: str) -> str:
    parts = [
        re.escape(part.strip()).replace(r"\*", r"\w*").replace(r"\ ", " ") for part in phrase.split("..")
    ]
    return r"(?:\W+\w+){0,4}?\W+".join(parts) + r"(?!\w)"


@cache
def _lexicon(language: str) -> dict[str, tuple[str, ...]]:
    return phrases(f"{language}.toml")


def phrases(*path: str) -> dict[str, tuple[str, ...]]:
    """Return the tables of a file of the lexicon: folded phrases by name."""
    text = resources.files(__package__).joinpath("lexicon", *path).read_text("utf-8")
    return {
        name: tuple(bare for entry in words.split("|") if (bare := folded(entry)))
        for name, words in tomllib.loads(text).items()
    }


_OFTEN_MISTYPED = """ignore previous instructions disregard forget rules obey follow only note this file page entry
user tell never ever about dont exists prior"""


@cache
def _words() -> frozenset[str]:
    """Return the English words that a mistyped one is compared with."""
    entries = (phrase for entries in _lexicon("en").values() for phrase in entries)
    return frozenset(
        [*(word.strip("*.") for phrase in entries for word in phrase.split()), *_OFTEN_MISTYPED.split()]
    )


def _leads_away(at: _Passage) -> bool:
    return _AWAY.search(at.text) is not None


def _overrides(at: _Passage) -> bool:
    gives_way = at.void and at.orders and (at.prior or at.obey or at.here or at.only)
    ends = at.gone and at.orders and (at.prior or at.agent or at.obey or at.here or at.only)
    follows = at.obey and at.here and (at.only or at.orders or at.void)
    return gives_way or ends or follows


def _conceals(at: _Passage) -> bool:
    return (at.hide and (at.person or at.here)) or (at.silent and at.agent)


def _promotes(at: _Passage) -> bool:
    return at.promote and (at.rank or at.unasked or at.hide)


def _sends(at: _Passage) -> bool:
    if (at.secret or at.person) and (at.turn or at.send) and _FILLED_LINK.search(at.text):
        return True
    if not (at.send and at.secret):
        return at.send and at.own
    away = _leads_away(at) or (at.open and not _NEVER.search(at.text))
    return at.own or away or at.turn or at.word or at.hide or at.unasked


def _acts(at: _Passage) -> bool:
    dangerous = _SHELL.search(at.text) is not None
    instructs = at.turn and (dangerous or at.destroy or (at.run and (_leads_away(at) or at.unasked)))
    return (
        instructs
        or (dangerous and (at.unasked or _leads_away(at)))
        or (at.destroy and at.unasked and _leads_away(at))
    )


def _pays(at: _Passage) -> bool:
    return (at.money and at.account and (at.toward or at.unasked or at.hide)) or (
        at.login and _leads_away(at) and not _OWN_LOGIN.match(at.text)
    )


def _permits(at: _Passage) -> bool:
    return at.lasting or (at.may and at.unasked and (at.power or at.person))


def _installs(at: _Passage) -> bool:
    return at.package and (at.weak or (_INSECURE.search(at.text) is not None and at.run))


def _signals(at: _Passage) -> bool:
    does = at.secret and at.send
    return at.word and (does or (at.void and at.orders) or (at.destroy and at.money) or at.hide or at.unasked)


RULES = (
    _Rule(message("It tells to set instructions aside"), 0.9, _overrides),
    _Rule(
        message("It puts its own words above the person's"),
        0.85,
        lambda at: (
            (at.above and at.here and (at.person or at.agent))
            or (at.order and (at.unasked or at.destroy or at.void or at.person))
            or at.inplace
            or bool(_IN_OWNERS_PLACE.search(at.text))
        ),
    ),
    _Rule(
        message("It poses as the system or another voice of the prompt"),
        0.8,
        lambda at: bool(_FORMAT.search(at.text)),
    ),
    _Rule(message("It gives the agent another role"), 0.7, lambda at: at.pose and at.role),
    _Rule(message("It asks to keep something from the person"), 0.75, _conceals),
    _Rule(message("It tells what memory shall trust"), 0.75, _promotes),
    _Rule(message("It asks for a false report"), 0.7, lambda at: at.claim and at.falsely),
    _Rule(message("It sends secrets away"), 0.85, _sends),
    _Rule(message("It orders a lasting act"), 0.7, _acts),
    _Rule(message("It gives a signal a hidden meaning"), 0.7, _signals),
    _Rule(
        message("It speaks to the agents that read it"),
        0.7,
        lambda at: (
            bool(_IF_READ.search(at.text))
            or (
                (at.readers or bool(_TO_AGENTS.search(at.text)))
                and (at.destroy or at.unasked or _COLON.search(at.text) is not None)
            )
        ),
    ),
    _Rule(
        message("It orders a lasting act toward an address"),
        0.55,
        lambda at: at.lasts and _leads_away(at) and (at.send or at.run or at.money),
    ),
    _Rule(message("It changes who is paid, or who gets a password"), 0.55, _pays),
    _Rule(message("It permits something without asking"), 0.55, _permits),
    _Rule(message("It changes where programs come from"), 0.55, _installs),
)
"""Ways to steer an agent. The last four may be plain statements, of which only the source tells."""


@lru_cache(REMEMBERED)
def steering(text: str) -> Steering | None:
    """Return what a text does to an agent, the most certain of the rules; None if no rule holds."""
    text = text[:TEXT_CHARACTERS]
    found = _strongest(folded(text), text)
    if found is not None and found.certainty >= max(rule.certainty for rule in RULES):
        return found
    views = [*hidden(text), *((undone,) if (undone := mistyped(text, _words())) else ())]
    masked = [seen for view in views if (seen := _strongest(view, view)) is not None]
    masked += [_encoded(payload) for payload in decoded(text) if _orders_decoding(folded(text), payload)]
    sure = [
        Steering(
            message("{says}, in disguise", says=each.says),
            min(SUREST, each.certainty + DISGUISED),
            each.words,
        )
        for each in masked
    ]
    return max((*sure, *((found,) if found else ())), key=lambda each: each.certainty, default=None)


def _orders_decoding(around: str, payload: str) -> bool:
    seen = _strongest(payload, payload) is not None or _SHELL.search(payload) is not None
    return seen or re.search(r"\b(?:obey|run this|execute|decode and)\b", around) is not None


def _encoded(payload: str) -> Steering:
    return _strongest(payload, payload) or Steering(message("It orders an act"), 0.7, payload)


def _strongest(folded_text: str, text: str) -> Steering | None:
    found = []
    for passage in _passages(folded_text if folded_text == text else folded(text)):
        held = [rule for rule in RULES if rule.holds(passage)]
        # Asked last: it is the longest of the patterns, and hardly any text holds a rule.
        if held and (passage.retold or not (passage.reported or _REPORT.search(passage.text))):
            words = " ".join(passage.text.split())[:120]
            found += [Steering(rule.says, rule.certainty, words) for rule in held]
    return max(found, key=lambda each: each.certainty, default=None)


_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")


def _passages(text: str) -> Iterator[_Passage]:
    """Yield the sentences of a folded text, and each with the one after it."""
    sentences = [each for each in _END.split(text) if each.strip()]
    for place, sentence in enumerate(sentences):
        yield _Passage(sentence)
        if place + 1 < len(sentences):
            yield _Passage(f"{sentence} {sentences[place + 1]}")
