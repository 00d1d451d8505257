"""Names in an English text. Capitals decide, but only if a capital is significant.

The first word of a sentence counts if the same conversation shows its capital elsewhere, or if it is
known; a word mostly written in lower case never counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from memdesk.engine.extraction import english_words, gazetteer
from memdesk.engine.extraction import english_words as w
from memdesk.engine.extraction.language import WORD
from memdesk.engine.extraction.lexicon import word_set, words

_ADDRESS = re.compile(r"\b(?:https?|ftp|file)://\S+|\bwww\.\S+")
_OPENING = "\"'([{*-–—:/|>#•"
_MONTHS_AND_NAMES = word_set("april june jan jun")
_BEFORE_MONTHS = words("english", "before_months")


class Token:
    """Word with the features of its spelling.

    joined: only a space separates it from the word before. opens: its capital is the one at the start of a
    sentence."""

    __slots__ = ("bare", "capital", "joined", "opens", "possessive", "small", "start")

    def __init__(self, text: str, start: int, *, joined: bool) -> None:
        self.start = start
        self.joined = joined
        self.possessive = text.endswith(("'s", "'S"))
        self.bare = text[:-2] if self.possessive else text
        self.small = self.bare.lower()
        self.opens = False
        self.capital = self.bare != self.small and "@" not in text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def tokenise(text: str) -> list[Token]:
    """Return the words of a sentence in order, without web addresses."""
    text = _ADDRESS.sub(_blank, text) if "://" in text or "www." in text else text
    found: list[Token] = []
    end = -1
    for match in WORD.finditer(text):
        joined = end >= 0 and text[end : match.start()] in (" ", " & ")
        token = Token(match.group(), match.start(), joined=joined)
        token.opens = token.capital and _opens(text, token.start)
        found.append(token)
        end = match.end()
    for at, token in enumerate(found):
        if token.small in _MONTHS_AND_NAMES and _is_month(found, at):
            token.capital = False
    return found


def _is_month(tokens: list[Token], at: int) -> bool:
    """Return True for June in "in June" and "12 June", False for a person called June."""
    before = tokens[at - 1].small if at else ""
    after = tokens[at + 1].small if at + 1 < len(tokens) else ""
    return before in _BEFORE_MONTHS or before.isdigit() or after[:1].isdigit()


def _opens(text: str, start: int) -> bool:
    """Return True at the start of a sentence, a quotation or a line, where any word has a capital."""
    before = text[start - 3 if start > 3 else 0 : start].rstrip(" ")[-1:]
    return not before or before in _OPENING


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Single spelling in the vocabulary: its words in lower case, the entity it names, and True if its
    capital is required."""

    words: tuple[str, ...]
    name: str
    type: str
    cased: bool


def _vocabulary() -> dict[str, tuple[Entry, ...]]:
    """Return the entries by their first word, longest first."""
    entries = [
        *(
            Entry(words=_parts(s), name=k.name, type=k.type, cased=k.cased)
            for s, k in gazetteer.KNOWN.items()
        ),
        *(Entry(words=_parts(s), name=n, type="Location", cased=True) for s, n in gazetteer.PLACES.items()),
        *(
            Entry(words=_parts(s), name=n, type="Organization", cased=True)
            for s, n in gazetteer.ORGANIZATIONS.items()
        ),
        *(Entry(words=(s,), name=s.capitalize(), type="Event", cased=True) for s in gazetteer.EVENTS),
    ]
    by_first: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda e: -len(e.words)):
        if entry.words:
            by_first.setdefault(entry.words[0], []).append(entry)
    return {first: tuple(group) for first, group in by_first.items()}


def _parts(spelling: str) -> tuple[str, ...]:
    return tuple(m.group().lower() for m in WORD.finditer(spelling))


VOCABULARY = _vocabulary()


def known_at(tokens: list[Token], at: int) -> Entry | None:
    for entry in VOCABULARY.get(tokens[at].small, ()):
        size = len(entry.words)
        spelt = size == 1 or _spells(tokens[at : at + size], entry)
        if spelt and (not entry.cased or _cased(tokens[at : at + size], entry)):
            return entry
    return None


def _spells(tokens: list[Token], entry: Entry) -> bool:
    return tuple(t.small for t in tokens) == entry.words and all(t.joined for t in tokens[1:])


def _cased(tokens: list[Token], entry: Entry) -> bool:
    """Return True if the capitals are present and significant: not the one that opens the sentence."""
    if entry.name.isupper():
        return tokens[0].bare == entry.name
    special = len(tokens) > 1 or entry.type in ("Location", "Event")
    return tokens[0].capital and (special or not tokens[0].opens)


_MOTION = words("english", "motion")
_COMING = word_set("back come came")
_WALKERS = word_set("i we you he she they who")
_WORK = words("english", "work")
_SPEAKS = words("english", "speaks")
_BELONGS = words("english", "belongs")
_NOUNS = {
    **dict.fromkeys(("project", "repo", "repository", "app", "service"), "Product"),
    **dict.fromkeys(("package", "library", "framework", "module"), "Technology"),
    **dict.fromkeys(("city", "town", "village"), "Location"),
    **dict.fromkeys(("company", "startup"), "Organization"),
}
"""Nouns next to a name that show its type: "the project Tidepool", "Tidepool service"."""


def votes_for(tokens: list[Token], at: int, length: int) -> dict[str, float]:
    """Return the votes by type for the run of `length` tokens from `at`: small numbers, by strength of the
    evidence."""
    votes: Counter[str] = Counter()
    words = [token.bare for token in tokens[at : at + length]]
    _vote_words(votes, words)
    before = tokens[at - 1].small if at else ""
    earlier = {token.small for token in tokens[max(0, at - 5) : at]}
    if before in english_words.KIN or before in english_words.TITLES:
        votes["Person"] += 4
    if before == "the":
        votes["Person"] -= 3
    if (
        not _coded(words[-1])
        and before in ("in", "near", "around")
        or (before in ("to", "from", "visit", "visited", "visiting") and _moves(before, earlier))
    ):
        votes["Location"] += 2
    if before in ("at", "for", "joined") and (earlier & _WORK or before == "joined"):
        votes["Organization"] += 3
    _vote_after(votes, tokens, at + length)
    votes.update({_NOUNS[word]: 3 for word in (before,) if word in _NOUNS})
    return dict(votes)


def _moves(before: str, earlier: set[str]) -> bool:
    """Return True if the words before a name say that a person moves, so that the name is a place.

    before: the word right before the name. Things come from people too: "instructions come from Mara"."""
    motion = earlier & _MOTION
    return bool(motion - _COMING) or (bool(motion) and (before != "from" or bool(earlier & _WALKERS)))


def _vote_words(votes: Counter[str], words: list[str]) -> None:
    last, first = words[-1], words[0]
    if len(words) > 1:
        votes["Location"] += 4 * (
            last in gazetteer.PLACE_ENDINGS or first in ("Lake", "Mount", "Mt", "Port", "San", "Saint")
        )
        votes["Organization"] += 4 * (
            last in gazetteer.ORGANIZATION_ENDINGS or first in ("University", "Bank", "Museum")
        )
        votes["Event"] += 4 * (last in gazetteer.EVENT_ENDINGS)
    if first.lower() in english_words.GIVEN and len(words) <= 3:
        votes["Person"] += 3
    if _coded(last):
        votes["Technology"] += 2
    if len(words) == 1 and last.isupper():
        votes["Concept"] += 1


def _coded(word: str) -> bool:
    """Return True for technical spellings: PgBouncer, RAIDZ1, harbor-web."""
    return (any(c.isupper() for c in word[1:]) and not word.isupper()) or (
        word[-1].isdigit() and not word[0].isdigit()
    )


def _vote_after(votes: Counter[str], tokens: list[Token], end: int) -> None:
    after = tokens[end].small if end < len(tokens) else ""
    if tokens[end - 1].possessive:
        votes["Person"] += 3 if after in _BELONGS else 1
    elif after in _SPEAKS:
        votes["Person"] += 1
    if after in _NOUNS:
        votes[_NOUNS[after]] += 3


_CALENDAR = gazetteer.CALENDAR | words("english", "calendar")
_ORDINARY = words("english", "ordinary")
NOT_NAMES = (
    _CALENDAR | _ORDINARY | w.FUNCTION | w.CHATTER | w.OPENERS | (w.VAGUE - {"grace", "joy", "hope", "faith"})
)
_DOING = words("english", "doing")
_SMALL_IN_TITLES = word_set("of the a an and in on to for with")
_LONGEST_RUN = 12
_LINKS = word_set("of de da do dos das van von der den la le del di du")
_TITLES = re.compile(r"\"([A-Z][^\"\n]{2,60})(?:\"|$)|(?<!\w)'([A-Z][^'\n]{2,60})'(?!\w)|《([^》\n]{1,40})》")
_WORKS = re.compile(
    r"\b(?:book|novel|movie|film|song|read|reading|watch\w*|show|series|album|game|podcast|play(?:ed|ing)?"
    r"|listen\w*|author|called|titled)\b",
    re.IGNORECASE,
)
_GROUPS = re.compile(
    r"\b(?:group|club|team|band|company|organi[sz]ation|charity)\b[^\"'《]{0,12}$", re.IGNORECASE
)


@dataclass(slots=True, kw_only=True)
class Sighting:
    """Possible name at one place.

    first: the run opens a sentence, so that its first capital is not significant. trusted: a person wrote it,
    or an agent reported a completed action; names in an agent's explanations count only if they also occur
    elsewhere."""

    words: tuple[str, ...]
    first: bool
    utterance_id: str
    votes: dict[str, float]
    known: Entry | None = None
    quoted: bool = False
    trusted: bool = True


@dataclass(slots=True)
class Sightings:
    """All possible names of a conversation, with counts of each word in lower case and with a capital.

    heads: how often a capitalised word opens a sentence as the subject of an action ("Tidepool runs ...")."""

    seen: list[Sighting] = field(default_factory=list)
    small: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)
    heads: Counter[str] = field(default_factory=Counter)

    def read(self, utterance_id: str, text: str, *, trusted: bool = True) -> None:
        """Record the possible names of one sentence. trusted: see Sighting.trusted."""
        tokens = tokenise(text)
        self._count(tokens)
        if _shouted(tokens):
            return
        first = len(self.seen)
        self._names(utterance_id, text, tokens)
        for sighting in self.seen[first:]:
            sighting.trusted = trusted or sighting.known is not None

    def _names(self, utterance_id: str, text: str, tokens: list[Token]) -> None:
        titles = list(_titles(utterance_id, text))
        self.seen.extend(title for title, _ in titles)
        if titles:
            tokens = [t for t in tokens if not any(start <= t.start < end for _, (start, end) in titles)]
        at = 0
        while at < len(tokens):
            worth = tokens[at].capital or tokens[at].small in VOCABULARY
            at += self._take(utterance_id, tokens, at) if worth else 1

    def _count(self, tokens: list[Token]) -> None:
        for token, following in zip(tokens, [*tokens[1:], None], strict=False):
            if not token.capital:
                self.small[token.small] += 1
            elif not token.opens:
                self.capital[token.small] += 1
            elif following and following.small in _DOING and not token.small.endswith(("ing", "s")):
                self.heads[token.small] += 1

    def _take(self, utterance_id: str, tokens: list[Token], at: int) -> int:
        """Record the name that begins here, if any. Returns how many tokens to move on."""
        entry = known_at(tokens, at)
        token = tokens[at]
        run = _run(tokens, at) if token.capital and not (token.opens and token.small in NOT_NAMES) else 0
        if entry and len(entry.words) >= run:
            self._add(utterance_id, tokens, at, len(entry.words), entry)
            return len(entry.words)
        if run:
            self._add(utterance_id, tokens, at, run, None)
        return max(run, 1)

    def _add(self, utterance_id: str, tokens: list[Token], at: int, length: int, entry: Entry | None) -> None:
        votes = {entry.type: 5.0} if entry else votes_for(tokens, at, length)
        words = tuple(token.bare for token in tokens[at : at + length])
        self.seen.append(
            Sighting(words=words, first=tokens[at].opens, utterance_id=utterance_id, votes=votes, known=entry)
        )

    def is_name(self, word: str) -> bool:
        """Return True if the conversation itself shows that the word is a name."""
        if self.small[word] == 0 and self.heads[word] > 1:
            return True
        return self.capital[word] > 0 and self.small[word] <= self.capital[word] // 2


def _shouted(tokens: list[Token]) -> bool:
    """Return True for headings and text in capitals, where capitals are not significant."""
    if len(tokens) < 4:
        return False
    return sum(token.capital for token in tokens) > 0.75 * len(tokens)


def _run(tokens: list[Token], at: int) -> int:
    """Return the length of the run of capitalised words that begins here, including linking words (Bank of
    America)."""
    end = at + 1
    limit = min(len(tokens), at + _LONGEST_RUN)
    while end < limit and not tokens[end - 1].possessive:
        if _continues(tokens[end]) and tokens[end].small not in w.FUNCTION:
            end += 1
        elif (
            tokens[end].small in _LINKS
            and tokens[end].joined
            and end + 1 < len(tokens)
            and _continues(tokens[end + 1])
        ):
            end += 2
        else:
            break
    return end - at


def _continues(token: Token) -> bool:
    return token.capital and token.joined and not token.opens


def _titles(utterance_id: str, text: str) -> Iterator[tuple[Sighting, tuple[int, int]]]:
    """Yield quoted titles of books, films and songs, or names of groups, each with its offsets (start, end)."""
    for match in _TITLES.finditer(text):
        words = tuple((match.group(1) or match.group(2) or match.group(3)).strip(" ,.!").split())
        if match.group(3) or _is_title(words, text):
            type = "Organization" if _GROUPS.search(text[: match.start()][-40:]) else "Product"
            votes = {type: 6.0}
            yield (
                Sighting(words=words, first=False, utterance_id=utterance_id, votes=votes, quoted=True),
                match.span(),
            )


def _is_title(words: tuple[str, ...], text: str) -> bool:
    """Return True for quoted words in title case, or mostly in title case if the text mentions a book, film
    or song."""
    capitals = sum(word[0].isupper() or word in _SMALL_IN_TITLES for word in words)
    if not 1 <= len(words) <= 8 or capitals * 2 <= len(words):
        return False
    return _WORKS.search(text) is not None or (len(words) > 1 and capitals == len(words))
