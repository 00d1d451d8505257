"""Acts on a set of memories in words, read by rule: “all facts about the old flat → past”, “retire facts tagged old”.
Chinese words are read by their English.

The set and the act become a declared request. A word that no rule reads is returned as not understood; nothing is
guessed from the others then."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memdesk.engine.browsing.act_words_chinese import in_english
from memdesk.engine.recall.time_mentions import mentions
from memdesk.model.fact import CATEGORIES, FACT
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import TABLED
from memdesk.model.message import Message, message
from memdesk.model.timeline import AskTable

ARROW = re.compile(r"\s*(?:→|⇒|⟶|[-=]+>)\s*")
ACT_WORDS: tuple[tuple[str, str], ...] = (
    ("past", r"(?:as |to (?:the )?)?past|(?:as |is |are )?no longer (?:true|so)|(?:as )?outdated"),
    ("retire", r"retired?|hide|hidden"),
    ("quarantine", r"(?:to |into |in )?quarantined?|hold (?:them )?out"),
    ("restore", r"restored?|bring (?:them )?back"),
    ("unpin", r"unpin(?:ned)?"),
    ("pin", r"pin(?:ned)?"),
    ("promote", r"promoted?|(?:to )?_global"),
)
"""Acts without an object, with the pattern of their words after an arrow or before the set."""
MOVE = re.compile(r"(?:move(?:d)?(?: them)? )?(?:to|into) (?:the )?(?:channel )?#?(.+)|#(\S+)", re.IGNORECASE)
TAG = re.compile(r"(?:tag(?:ged)?(?: them)?(?: as| with)? |\+)#?(.+)", re.IGNORECASE)
MARKS = ("mark", "make", "set")
IMPERATIVES = (
    re.compile(r"(?P<act>mark|make|set) (?P<set>.+?) (?P<rest>as no longer true|(?:as )?\S+)", re.IGNORECASE),
    re.compile(r"(?P<act>move) (?P<set>.+) (?P<rest>(?:in)?to .+)", re.IGNORECASE),
    re.compile(r"(?P<act>tag) (?P<set>.+) (?P<rest>(?:as|with) .+)", re.IGNORECASE),
    re.compile(
        r"(?P<act>retire|hide|quarantine|restore|bring back|unpin|pin|promote)(?P<rest>) (?P<set>.+)",
        re.IGNORECASE,
    ),
)
"""Sentences that begin with their act."""
FILLERS = frozenset(
    (
        *(
            "all",
            "every",
            "each",
            "any",
            "the",
            "a",
            "an",
            "my",
            "our",
            "of",
            "them",
            "thing",
            "things",
            "and",
        ),
        *("that", "which", "were", "was", "are", "is", "have", "has", "been"),
        *("learned", "learnt", "written", "stored"),
    )
)
EVERYTHING = frozenset(("everything", "anything", "memory", "memories"))
KIND_WORDS = {word: kind.name for kind in TABLED for word in (kind.label.lower(), kind.plural)}
CATEGORY_WORDS = {word: each for each in CATEGORIES if each != FACT.name for word in (each, f"{each}s")}
STATE_WORDS = {"retired": "retired", "quarantined": "quarantined", "pinned": "pinned", "past": "past"}
SOURCE_WORDS = {
    "import": "import",
    "imports": "import",
    "an import": "import",
    "me": "person",
    "myself": "person",
    "hand": "person",
    "extraction": "extraction",
}
"""Names after “from” and “by” that are no agents: the origin of a claim."""
LEADS = (
    *(
        "that mention",
        "that contain",
        "that say",
        "that are about",
        "with the tag",
        "with the tags",
        "with tag",
    ),
    *(
        "with confidence below",
        "with confidence under",
        "older than",
        "newer than",
        "written by",
        "learned by",
    ),
    *(
        "learned from",
        "learned in",
        "about",
        "concerning",
        "regarding",
        "mentioning",
        "containing",
        "named",
        "called",
    ),
    *(
        "from",
        "by",
        "of",
        "in",
        "on",
        "within",
        "tagged",
        "since",
        "after",
        "before",
        "until",
        "during",
        "between",
    ),
)
TIME_LEADS = frozenset(
    ("since", "after", "before", "until", "during", "between", "within", "from", "in", "on", "the")
)
"""Words that may surround a time."""
_LEAD = re.compile(r"\b(" + "|".join(sorted(LEADS, key=len, reverse=True)) + r")\s+", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”„«](.+?)[\"“”»]")
_GLUE = re.compile(r"\s*(?:,|\band\b|&|、)\s*", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:the|a|an|my|our)\s+", re.IGNORECASE)
_KEPT = "\0"
"""Mark in place of a quotation, so that no word in it is read as a rule's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Names that words can mean: those of the desk, and those that the caller looks at. now: aware."""

    now: datetime
    channels: Sequence[str]
    agents: Sequence[str]
    tags: Sequence[str] = ()
    looked_at_channels: tuple[str, ...] = ()
    looked_at_agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """The act as read. verb: of a bulk operation; empty if none was understood."""

    verb: str = ""
    channel: str = ""
    tags: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Reading:
    """Words as read so far. set: the filters, of no kind yet; kinds: empty for every kind the act fits."""

    deed: Deed = field(default_factory=Deed)
    kinds: tuple[str, ...] = ()
    set: AskTable = field(default_factory=AskTable)
    parts: list[Message] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def narrow(self, part: Message, **filters: object) -> None:
        """Add filters and the words that name them."""
        self.set = replace(self.set, **filters)  # type: ignore[arg-type]  # names of AskTable's fields
        self.parts.append(part)


def read_act(text: str, around: Surroundings) -> Reading:
    """Read an act on a set of memories."""
    found = Reading()
    kept: list[str] = []
    plain = _quotations_kept(" ".join(text.split()), kept).rstrip(" .!。")
    set_words, act_words = _split(_quotations_kept(in_english(plain), kept))
    found.deed = _deed(act_words, around, found, kept)
    _read_set(set_words, around, found, kept)
    return found


def _quotations_kept(text: str, kept: list[str]) -> str:
    """Return a text with a mark in place of each quotation, which is added to those kept."""

    def keep(quoted: re.Match[str]) -> str:
        kept.append(_shown(quoted[1], kept))
        return f"{_KEPT}{len(kept) - 1}{_KEPT}"

    return _QUOTED.sub(keep, text)


def _shown(words: str, kept: Sequence[str]) -> str:
    """Return words with their quotations put back."""
    return re.sub(f"{_KEPT}(\\d+){_KEPT}", lambda mark: kept[int(mark[1])], words).strip(" ,;:")


def _split(text: str) -> tuple[str, str]:
    """Return the words of the set and those of the act, which is after an arrow or begins the sentence."""
    if arrow := ARROW.search(text):
        return text[: arrow.start()], text[arrow.end() :]
    for pattern in IMPERATIVES:
        if match := pattern.fullmatch(text):
            parts = match.groupdict("")
            is_marked = parts["act"].lower() in MARKS
            return parts["set"], parts["rest"] if is_marked else f"{parts['act']} {parts['rest']}".strip()
    return text, ""


def _deed(words: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> Deed:
    """Return the act of these words; words that name none are not understood."""
    words = words.strip()
    for verb, pattern in ACT_WORDS:
        if re.fullmatch(pattern, words, re.IGNORECASE):
            return Deed(verb=verb)
    if match := TAG.fullmatch(words):
        tags = tuple(each for each in _names(_shown(match[1], kept)) if each)
        return Deed(verb="tag", tags=tuple(each.lstrip("#") for each in tags))
    if match := MOVE.fullmatch(words):
        named = _shown(match[1] or match[2], kept)
        channel = _known(named.removeprefix("channel "), around.channels)
        if channel:
            return Deed(verb="move", channel=channel)
    if words:
        found.unknown.append(_shown(words, kept))
    return Deed()


def _names(text: str) -> list[str]:
    return [each.strip() for each in _GLUE.split(text) if each.strip()]


def _known(name: str, names: Sequence[str]) -> str:
    """Return the name of the desk that a name means, ignoring case; empty for none."""
    return next((each for each in names if each.casefold() == name.strip().casefold()), "")


def _all_known(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the desk that these names mean; none if one of them is unknown."""
    found = tuple(_known(name, known) for name in names)
    return found if all(found) else ()


# The set.


def _read_set(words: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> None:
    pieces = _LEAD.split(f"{words} ")
    _read_head(pieces[0], around, found, kept)
    about: list[str] = []
    for lead, value in zip(pieces[1::2], pieces[2::2], strict=True):
        value = value.strip(" ,")
        if _READERS[lead.lower()](value, around, found, kept):
            continue
        if about and lead.lower() in ("from", "by", "of", "in", "on", "within", "after", "before", "between"):
            # “the flat in Coimbra”: no channel, no time, so it belongs to the words before it.
            about.extend((lead, value))
        elif lead.lower() in _ABOUT:
            about.append(value)
        else:
            found.unknown.append(_shown(f"{lead} {value}", kept))
    if about:
        sought = _ARTICLE.sub("", _shown(" ".join(about), kept), count=1)
        found.narrow(message("about “{words}”", words=sought), about=sought)


def _read_head(words: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> None:
    """Read the words before the first lead: kinds, categories, states, times and channels."""
    words = words.replace("’s ", " ").replace("'s ", " ")
    times = mentions(words, around.now)
    for time in reversed(times):
        if _in_time(words[time.start : time.end], around, found):
            words = f"{words[: time.start]} {words[time.end :]}"
    rest: list[str] = []
    for word in words.replace(",", " ").split():
        plain = word.lower()
        channel = _known(word.lstrip("#"), around.channels) if word.startswith("#") else ""
        if plain in KIND_WORDS:
            found.kinds = (*found.kinds, KIND_WORDS[plain])
        elif plain in CATEGORY_WORDS:
            found.kinds = (*found.kinds, FACT.name)
            category = CATEGORY_WORDS[plain]
            found.narrow(
                message("of category {category}", category=category),
                categories=(*found.set.categories, category),
            )
        elif plain in STATE_WORDS:
            found.narrow(message("that are {state}", state=plain), state=STATE_WORDS[plain])
        elif channel:
            _in_channels(channel, around, found, kept)
        elif plain not in FILLERS and plain not in EVERYTHING:
            rest.append(_shown(word, kept))
    if rest:
        found.unknown.append(" ".join(rest))
    found.kinds = tuple(dict.fromkeys(found.kinds))


Reader = Callable[[str, Surroundings, Reading, Sequence[str]], bool]
"""Reader(value, around, found, kept) adds a filter; False if it does not know the value."""


def _in_about(value: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> bool:
    return False


def _by_agents(value: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> bool:
    shown = _shown(value, kept)
    if shown.lower() in SOURCE_WORDS:
        source = SOURCE_WORDS[shown.lower()]
        found.kinds = (FACT.name,)
        found.narrow(message("from {source}", source=shown), sources=(source,))
        return True
    agents: tuple[str, ...]
    if shown.lower() in ("this agent", "the agent", "it"):
        agents = around.looked_at_agents if len(around.looked_at_agents) == 1 else ()
    else:
        bare = re.sub(r"^(?:the )?agents?\s+", "", shown, flags=re.IGNORECASE)
        agents = _all_known(_names(bare), around.agents)
    if agents:
        found.narrow(message("from {agents}", agents=list(agents)), agents=agents)
    return bool(agents)


def _in_channels(value: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> bool:
    shown = _shown(value, kept)
    if shown.lower() in ("this channel", "the channel", "here"):
        channels = around.looked_at_channels
    else:
        bare = re.sub(r"^(?:the )?channels?\s+|\s+channels?$", "", shown, flags=re.IGNORECASE)
        channels = _all_known([each.lstrip("#") for each in _names(bare)], around.channels)
    if channels:
        found.narrow(message("in {channels}", channels=list(channels)), channels=channels)
    return bool(channels)


def _in_time(words: str, around: Surroundings, found: Reading, *, lead: str = "") -> bool:
    """Narrow by a time that is all of these words."""
    times = mentions(f"{lead} {words}".strip(), around.now)
    if len(times) != 1:
        return False
    text, time = f"{lead} {words}".strip(), times[0]
    if not TIME_LEADS.issuperset(f"{text[: time.start]} {text[time.end :]}".lower().split()):
        return False
    start, end = (to_datetime(at) if at > 0 else None for at in time.spans[0])
    if lead in ("since", "after"):
        end = None
    elif lead in ("before", "until") and start is not None:
        start, end = None, start
    _bound(found, start, end, around)
    return True


def _bound(found: Reading, since: datetime | None, until: datetime | None, around: Surroundings) -> None:
    now = around.now
    if since is not None and until is not None and until >= now:
        until = None
    day = "%-d %B %Y" if (since or until or now).year != now.year else "%-d %B"
    first, last = (f"{each.astimezone(now.tzinfo):{day}}" if each else "" for each in (since, until))
    if since and until:
        said = message("learned from {first} to before {last}", first=first, last=last)
    elif since:
        said = message("learned since {first}", first=first)
    else:
        said = message("learned before {last}", last=last)
    found.narrow(said, since=since, until=until)


def _timed(lead: str) -> Reader:
    def read(value: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> bool:
        return _in_time(value, around, found, lead=lead)

    return read


def _ago(value: str, around: Surroundings, found: Reading, kept: Sequence[str], *, older: bool) -> bool:
    times = mentions(f"{value} ago", around.now)
    if len(times) != 1:
        return False
    start, _ = times[0].spans[0]
    since, until = (None, to_datetime(start)) if older else (to_datetime(start), None)
    _bound(found, since, until, around)
    return True


def _tagged(value: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> bool:
    tags = _all_known([each.lstrip("#") for each in _names(_shown(value, kept))], around.tags)
    if tags:
        found.narrow(message("tagged {tags}", tags=[f"#{tag}" for tag in tags]), tags=tags)
    return bool(tags)


def _unsure(value: str, around: Surroundings, found: Reading, kept: Sequence[str]) -> bool:
    if not re.fullmatch(r"0?\.\d+|1(?:\.0+)?", value):
        return False
    found.kinds = (FACT.name,)
    found.narrow(message("with confidence below {limit}", limit=value), confidence_below=float(value))
    return True


def _first(*readers: Reader) -> Reader:
    return lambda value, around, found, kept: any(read(value, around, found, kept) for read in readers)


_ABOUT = frozenset(
    (
        *("that mention", "that contain", "that say", "that are about", "about", "concerning", "regarding"),
        *("mentioning", "containing", "named", "called", "on"),
    )
)
_READERS: dict[str, Reader] = {
    **dict.fromkeys(_ABOUT, _in_about),
    **dict.fromkeys(("with the tag", "with the tags", "with tag", "tagged"), _tagged),
    **dict.fromkeys(("with confidence below", "with confidence under"), _unsure),
    **dict.fromkeys(("written by", "learned by", "by", "of"), _by_agents),
    **dict.fromkeys(("from", "learned from"), _first(_by_agents, _timed("from"))),
    **{
        lead: _timed(lead)
        for lead in ("since", "after", "before", "until", "during", "between", "within", "on")
    },
    **dict.fromkeys(("in", "learned in"), _first(_in_channels, _timed("in"))),
    "older than": lambda *given: _ago(*given, older=True),
    "newer than": lambda *given: _ago(*given, older=False),
}
