"""Split text into sentences and detect their language. Every step keeps the length, so offsets fit the
original text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.engine.extraction.lexicon import pattern, word_set, words

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
LATIN = "A-Za-z\u00c0-\u024f"
LONGEST_QUESTION = 120
"""Letters of a question that is known by its words."""

WORD = re.compile(rf"[{LATIN}0-9]+(?:['.&\-/_@][{LATIN}0-9]+)*(?:\+\+|#(?![{LATIN}0-9]))?")
"""A word with its apostrophes, dots and hyphens: I've, Node.js, hip-hop, C++."""

_STRAIGHT = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "\u00a0": " ", "\t": " ", "\r": "\n"}
)
_QUOTED_LINE = re.compile(r"^[ ]*>[^\n]*", re.MULTILINE)
_FENCED = re.compile(r"```.*?(?:```|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_PICTOGRAM = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\ufe0f\u200d]")
_BOUNDARY = re.compile(
    rf"[.!?…]+[\"')\]*_]*(?=\s|$|[{HAN}])|[。！？；｡]+[」』\"')）]*|\n+|;(?=\s)"
    r"|(?<=\s)[:;]-?[)(DPp](?=\s|$)|(?<=\w)[:;]-?[)(](?=\s|$)|\s<3(?=\s|$)"
    r"|(?<![\s,])[\s,]{1,4}(?i:a?(?:ha){2,}h?|haha\w*|lol|lmao)[\s,]{1,4}(?=\w)"
    r"|(?<![\s,])[\s,]{1,4}(?i:(?=(?:and |so )?(?:(?:what|how) about (?:you|u|yourself)\b|[wh]bu\b)))"
    r"|,\s(?i:(?=(?:and )?(?:you|u|yourself)\s*\?))"
)
"""End of a sentence: a stop, a line end, a smiley or laughter within it, or a question handed back: "…, and you?"."""
_ABBREVIATIONS = words("english", "abbreviations")
_NEXT_SENTENCE = re.compile(r"\s*(?:(?:I|We|You|He|She|It|They|My|Our|The|This|That|And|But|So)\b|$)")
"""Words after "the U.S." or "5 p.m." that begin another sentence."""
_ORDINAL = re.compile(r"\b\d{1,2}\.$")
_GERMAN_MONTH = re.compile(r" (?:Jan|Feb|März|April|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)")
_HAN_CHAR = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(f"[{LATIN}]+")
_KANA = re.compile("[\u3041-\u30fa]")
_ASKS, _STATES = (
    {tongue: pattern("questions", tongue + part) for tongue in ("en", "zh", "ja")}
    for part in ("", "_statement")
)
"""Words of questions, and of statements with such words."""
_OTHER_SCRIPT = re.compile("[\uac00-\ud7af\u0400-\u04ff\u0600-\u06ff\u0590-\u05ff\u0e00-\u0e7f]")


@dataclass(slots=True, kw_only=True)
class Sentence:
    """Part of an utterance: its text from offset start, and a flag for a question."""

    start: int
    text: str
    asked: bool


def _lines(match: re.Match[str]) -> str:
    return "\n" * len(match.group())


def plain(text: str) -> str:
    """Return the text with straight quotes, and with code, comments, quoted lines and pictograms replaced by
    line ends.

    The result has the length of the text, so that a span of one is a span of the other."""
    text = _FENCED.sub(_lines, text.translate(_STRAIGHT))
    return _PICTOGRAM.sub("\n", _QUOTED_LINE.sub(_lines, text))


def _abbreviated(text: str, start: int, stop: re.Match[str]) -> bool:
    """Return True if a full stop belongs to the word before it (Dr. Chen, J. Smith), not to the sentence."""
    if stop.group() != ".":
        return False
    if _ORDINAL.search(text, start, stop.end()) and _GERMAN_MONTH.match(text, stop.end()):
        return True
    last = text[max(start, stop.start() - 12) : stop.start()].rpartition(" ")[2].lstrip("(\"'").lower()
    if "." in last and len(last) <= 5 and last[-2] == "." and not _NEXT_SENTENCE.match(text, stop.end()):
        return True
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and last != "i")


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a plain text in order, without the white space around them."""
    start = 0
    for stop in _BOUNDARY.finditer(text):
        if _abbreviated(text, start, stop):
            continue
        yield from _trimmed(text, start, stop.start(), stop.group())
        start = stop.end()
    yield from _trimmed(text, start, len(text), "")


def _trimmed(text: str, start: int, end: int, stop: str) -> Iterator[Sentence]:
    piece = text[start:end]
    body = piece.strip()
    if body:
        yield Sentence(start=start + piece.index(body[0]), text=body, asked=_is_asked(body, stop))


def _is_asked(body: str, stop: str) -> bool:
    """Return True for a question: by its mark, and of a chat or in Japanese by its words."""
    if "?" in stop or "？" in stop:
        return True
    tongue = language(body) if len(body) <= LONGEST_QUESTION else "other"
    plain_stop = tongue == "ja" and stop.startswith("。")
    if tongue not in _ASKS or (stop.strip() and not plain_stop):
        return False
    return _ASKS[tongue].search(body) is not None and _STATES[tongue].search(body) is None


def has_han(text: str) -> bool:
    """Return True if the text contains a Chinese character."""
    return _HAN_CHAR.search(text) is not None


def language(text: str) -> str:
    """Return zh, ja, en or other, by the letters used: a Chinese sentence may contain English names.

    Korean, Cyrillic and other scripts are other: no claims are read from them."""
    if _OTHER_SCRIPT.search(text):
        return "other"
    if _KANA.search(text):
        return "ja"
    han = len(_HAN_CHAR.findall(text))
    return "zh" if han and han * 2 >= len(_LATIN_WORD.findall(text)) else "en"


def spoken_language(text: str) -> str:
    """Return the language of a sentence: de or es if it has more small words of that language than of English."""
    tongue = language(text)
    if tongue != "en":
        return tongue
    small = [word.lower() for word in _LATIN_WORD.findall(text)]
    german = (
        _surely(small, _GERMAN) + (_UMLAUT.search(text) is not None) + (_NOUN_PHRASE.search(text) is not None)
    )
    spanish = _surely(small, _SPANISH) + (_ACUTE.search(text) is not None)
    best, other = max((german, _GERMAN), (spanish, _SPANISH), key=lambda pair: pair[0])
    if best <= sum(word in _ENGLISH and word not in other for word in small) or (
        best < 2 and len(small) > SHORT
    ):
        return "en"
    return "de" if german > spanish else "es" if spanish > german else "en"


def _surely(small: list[str], function: frozenset[str]) -> int:
    """Return the number of words that are small words of a language and no English ones."""
    return sum(word in function and word not in _ENGLISH and word not in _ALSO_ENGLISH for word in small)


_COMMA = re.compile(r"[，,；]")


def parts(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    """Yield (language, sentence) pairs: English clauses between the commas of a Chinese sentence are
    separated."""
    tongue = spoken_language(sentence.text)
    if tongue != "zh" or not _COMMA.search(sentence.text):
        yield tongue, sentence
        return
    start = 0
    for end, foreign in _runs(sentence.text):
        piece = sentence.text[start:end]
        body = piece.strip("，,； ")
        if body:
            at = sentence.start + start + piece.index(body[0])
            yield "en" if foreign else "zh", Sentence(start=at, text=body, asked=sentence.asked)
        start = end


def _runs(text: str) -> Iterator[tuple[int, bool]]:
    """Yield the ends of the stretches between commas that are in one language, each with True if it is
    English."""
    ends = [m.end() for m in _COMMA.finditer(text)] + [len(text)]
    start, previous = 0, None
    for end in ends:
        foreign = _is_english(text[start:end])
        if previous is not None and foreign != previous:
            yield start, previous
        start, previous = end, foreign
    yield len(text), bool(previous)


def _is_english(piece: str) -> bool:
    return not _HAN_CHAR.search(piece) and len(_LATIN_WORD.findall(piece)) >= 3


SHORTEST = 10
"""Characters under which an English turn is skipped (AgentX)."""
SHORTEST_HAN = 4
"""Characters under which a turn in a script of dense characters is skipped: 我住杭州 is read."""
_AGENTX = """
ok, okay, thanks, thank you, got it, sure, yes, no, yep, nope, alright, sounds good, perfect, great, cool, understood,
i see, ah, oh, hmm, hm, um, uh
""".replace("\n", " ").strip()
_CHINESE = """
好 好的 好吧 好啊 嗯 嗯嗯 哦 噢 谢谢 谢谢你 多谢 感谢 明白 明白了 知道了 了解 收到 可以 行 对 对的 是的 没错 没问题 不用
不用了 不客气 没事 哈哈 哈哈哈 再见
"""
_JAPANESE = """
はい いいえ うん ありがとう ありがとうございます 了解です わかりました なるほど そうですね
"""
SKIPPED = frozenset(_AGENTX.split(", ")) | word_set(_CHINESE) | word_set(_JAPANESE)
"""Phrases that are skipped: AgentX's, and their equivalents in Chinese and Japanese."""
_GERMAN, _SPANISH = words("german", "function"), words("spanish", "function")
_ENGLISH = words("english", "english")
SHORT = 8
"""Words of a sentence that one word of another language decides, if none is English."""
_ALSO_ENGLISH = word_set(
    "die am war man bin hat also gut he son sea era sin con fin mal dies den des mit me come use"
)
_NOUN_PHRASE = re.compile("\\b(?:der|die|das|den|dem|im|am|hat|ein|eine) [A-ZÄÖÜ][a-zäöüß]{3,}")
_UMLAUT, _ACUTE = re.compile("[äöüßÄÖÜ]"), re.compile("[áíóúñ¡¿ÁÉÍÓÚÑ]")
_DENSE = re.compile(f"[{HAN}\u3041-\u30ff]")


def trivial(text: str) -> bool:
    """Return True for a turn that extraction skips: a skipped phrase, or a text that is too short."""
    said = text.strip().strip(".!?。！？~～,， ").lower()
    if said in SKIPPED:
        return True
    return len(text.strip()) < (SHORTEST_HAN if _DENSE.search(text) else SHORTEST)
