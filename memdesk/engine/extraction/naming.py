"""Names in an English text. Capitals decide, but only if a capital is significant.

The first word of a sentence counts if the same conversation shows its capital elsewhere, or if it is known; a
word mostly written in lower case never counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from memdesk.engine.extraction import words as w
from memdesk.engine.extraction.tokens import Token, tokenised
from memdesk.engine.extraction.vocabulary import VOCABULARY, Entry, known_at
from memdesk.engine.extraction.votes import votes_for
from memdesk.engine.extraction.words import word_set

_CALENDAR = word_set(
    """
    january february march may july august september october november december feb mar apr jul aug sep
    mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends sept oct nov dec monday tuesday
    wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun today
    tomorrow yesterday spring summer autumn winter
    """
)
_ORDINARY = word_set(
    """
    mom mum dad mommy daddy mama papa grandma grandpa god lord jesus sir internet tv pc omg lol btw fyi asap
    imo imho tbh idk am pm id faq todo diy rip vip ceo cto cfo hr qa ui ux url ip pr prs pdf api apis usb
    phd bye hugs xoxo xx mr mrs ms dr american british english canadian australian european african asian
    mexican indian thai irish scottish greek turkish polish danish norwegian finnish swiss austrian belgian
    brazilian christian catholic jewish muslim hindu buddhist western eastern northern southern north south
    east west number note notes decision yesterday's let's gosh users user assistant bro dude y'all ps eta
    wip tldr readme ok okay nb re cc q1 q2 q3 q4 v1 v2 mvp kpi roi saas b2b tb gb mb kb mhz ghz kwh km kg cm
    mm usd eur gbp sek rmb utc gmt cet est pst rn smh ngl jk brb ty np iirc afaik wtf wth hooray bravo voila
    happy merry dear best regards cheers love new
    """
)
NOT_NAMES = (
    _CALENDAR | _ORDINARY | w.FUNCTION | w.CHATTER | w.OPENERS | (w.VAGUE - {"grace", "joy", "hope", "faith"})
)
_DOING = word_set(
    """
    is was has had will does can runs uses stays lives works goes wants needs likes loves says takes
    """
)
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
        tokens = tokenised(text)
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
