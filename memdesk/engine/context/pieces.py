"""Pieces of a prompt: how they share its budget of tokens, and the lines of what was recalled, without repetitions,
with neighbouring turns where the budget allows.

A text repeats another if nearly all its content words are in it, and every number, name and negation: a fact and the
turn it was read from, or an answer that only says back what was said."""

from __future__ import annotations

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from memdesk.engine.context.messages import tokens_in
from memdesk.engine.engine import Engine
from memdesk.engine.recall.query import ROLES, content_words
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.bootstrap import HEADING, snippets
from memdesk.model.instant import to_datetime
from memdesk.model.prompt import ContextPiece
from memdesk.model.recall import Hit, Provenance
from memdesk.model.trust import UNTRUSTED, Reader, is_trusted, quoted
from memdesk.store import contexts

SHARES = {
    "identity": 0.40,
    "learnings": 0.10,
    "recall": 0.20,
    "facts": 0.10,
    "goals": 0.08,
    "scratchpad": 0.07,
    "subagents": 0.05,
    "quoted": 0.10,
}
"""Share of the budget that each piece is guaranteed while other pieces need theirs."""
CUT = "… (more than fits)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Smallest part of a piece, included completely or not at all: a line, an entry, a memory."""

    text: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRequest:
    """Piece as it would be with room for all of it. source: its origin. running: it is one continuous text in
    lines.

    A running text ends at the first unit that does not fit; otherwise such a unit is skipped and the next one
    tried."""

    name: str
    source: str
    heading: str
    units: tuple[Unit, ...]
    running: bool = False

    @property
    def tokens(self) -> int:
        return tokens_in(self.heading) + sum(tokens_in(unit.text) + 1 for unit in self.units)


def fit_pieces(
    wanted: Sequence[PieceRequest], budget: int, joints: int = 0
) -> tuple[tuple[ContextPiece, ...], tuple[str, ...]]:
    """Return (the pieces as they fit, in the order given; the names of the pieces for which there was no
    room). joints: tokens of the texts between the pieces."""
    rooms = allot_tokens({each.name: each.tokens for each in wanted}, max(0, budget - joints))
    pieces = [(each.name, _piece(each, rooms[each.name])) for each in wanted]
    return (
        tuple(piece for _, piece in pieces if piece is not None),
        tuple(name for name, piece in pieces if piece is None),
    )


def allot_tokens(needs: Mapping[str, int], budget: int) -> dict[str, int]:
    """Return the tokens for each piece: its need up to its share, then from the rest in the order of PIECES.

    The sum is at most the budget."""
    shares = sum(SHARES[name] for name in needs) or 1.0
    rooms = {name: min(need, int(budget * SHARES[name] / shares)) for name, need in needs.items()}
    left = budget - sum(rooms.values())
    for name in (each for each in SHARES if each in needs):
        more = min(left, needs[name] - rooms[name])
        rooms[name] += more
        left -= more
    return rooms


def _piece(wanted: PieceRequest, room: int) -> ContextPiece | None:
    """Return a piece cut to its room in tokens; None if not even one unit fits."""
    left = room - tokens_in(wanted.heading)
    units: list[Unit] = []
    cut = False
    spare = tokens_in(CUT) + 1 if wanted.running and wanted.tokens > room else 0
    for unit in wanted.units:
        cost = tokens_in(unit.text) + 1
        if cost > left - spare:
            cut = True
            if wanted.running:
                break
            continue
        units.append(unit)
        left -= cost
    if not units:
        return None
    texts = [unit.text for unit in units] + ([CUT] if cut and wanted.running else [])
    text = wanted.heading + "\n".join(texts)
    return ContextPiece(
        name=wanted.name,
        source=wanted.source,
        text=text,
        tokens=tokens_in(text),
        cut=cut,
        ids=tuple(dict.fromkeys(id for unit in units for id in unit.ids)),
    )


LINE_CHARACTERS, LONGEST_CHARACTERS = 300, 2_000
"""Characters of one recalled memory in forms other than AgenticX's, which has its own limit (OpenLegion); in a budget
of which that is a small part, as many as LINE_SHARE of it holds, up to the second number."""
LINE_SHARE, TOKEN_CHARACTERS = 0.05, 4
HEADED_CHARACTERS = 60
"""Most characters of a fact from a file that is sent with its nearest heading; a longer one is clear without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Wording of a prompt context. headings: by piece, empty for a piece without a heading. joint: text
    between pieces.

    snippets: recalled memories are cut as AgenticX cuts them. sourced: each recalled memory begins with its
    source."""

    headings: dict[str, str]
    joint: str = "\n\n"
    snippets: bool = False
    sourced: bool = False


_NEUTRAL = {
    "identity": "",
    "learnings": "## Learnings\n\n",
    "recall": "## Recalled\n\n",
    "quoted": f"## {UNTRUSTED}\n\n",
    "facts": "## Known facts\n\n",
    "goals": "## Goals\n\n",
    "scratchpad": "## Scratchpad\n\n",
    "subagents": "## Results of sub-agents\n\n",
}
FORMS: dict[str, Form] = {
    "neutral": Form(headings=_NEUTRAL),
    "agenticx": Form(headings={**_NEUTRAL, "recall": f"{HEADING}\n"}, snippets=True),
    "openlegion": Form(
        headings={
            **_NEUTRAL,
            "learnings": "## Learnings from Past Sessions\n\n",
            "recall": "[Relevant memory auto-loaded]\n",
            "facts": "## Your Memory (most relevant)\n\n",
        },
        joint="\n\n---\n\n",
        sourced=True,
    ),
}


def line_characters(budget: int) -> int:
    """Return the characters of one recalled memory in a budget of tokens."""
    return max(LINE_CHARACTERS, min(LONGEST_CHARACTERS, int(budget * LINE_SHARE * TOKEN_CHARACTERS)))


def recalled(hits: Sequence[Hit], form: Form, budget: int) -> tuple[Unit, ...]:
    """Return recalled memories as lines, best first."""
    texts = [hit.text for hit in hits]
    each = line_characters(budget)
    shown = snippets(texts) if form.snippets else snippets(texts, each=each, together=sys.maxsize)
    return tuple(
        Unit(text=f"- {_named(hits[place], text, form)}", ids=(hits[place].id,)) for place, text in shown
    )


def quotations(hits: Sequence[Hit]) -> tuple[Unit, ...]:
    """Return recalled memories that are not trusted, each as one line that says where it comes from."""
    return tuple(
        Unit(text=f"- {quoted(shortened(hit.text, LINE_CHARACTERS), hit.source)}", ids=(hit.id,))
        for hit in hits
    )


def _named(hit: Hit, text: str, form: Form) -> str:
    above = hit.provenance.headings[-1:]
    if hit.kind == "fact" and above and len(text) <= HEADED_CHARACTERS:
        text = f"{above[0]}: {text}"  # "Post photos" under "Never" is the opposite of what it says alone.
    if form.sourced:
        return f"[{hit.provenance.path or hit.provenance.conversation_title or hit.kind}] {text}"
    if form.snippets:
        return f"[历史对话] {text}" if hit.kind == "turn" else text
    speaker = f"{hit.provenance.speaker}: " if hit.kind == "turn" and hit.provenance.speaker else ""
    when = f" ({hit.at:%Y-%m-%d})" if hit.at else ""
    return f"{speaker}{text}{when}"


REPEATED = 0.75
"""Share of a text's content words that are in another text if it says nothing more."""
RICHER_AT_MOST = 4
"""Factor by which the richer of two texts may be longer and still take the place of the shorter one."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot)\b|n['’]t\b|[不没沒无無]|\b(?:nicht|kein\w*|nie)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+")
_INNER_WORD = re.compile(r"(?:^\W*|[.!?:;]\s+[\"“'(]*)[^\W_]+|([^\W_]+)")
"""Word as its group; "" for the first word of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """Words of a text by which it is compared. firm: those of which none may be missing in a repetition.

    negated: it denies something."""

    words: frozenset[str]
    firm: frozenset[str]
    negated: bool

    def is_in(self, other: Gist) -> bool:
        """Return True if a text says nothing that the other does not."""
        if self.negated != other.negated or not self.firm <= other.words | other.firm:
            return False
        return len(self.words & other.words) >= math.ceil(REPEATED * len(self.words))


@lru_cache(2048)
def gist(text: str, *, answers: bool = False) -> Gist:
    """Return the words of a text by which it is compared. answers: it is an agent's answer, of whose sentences the
    first words are no names."""
    words = content_words(text) - ROLES
    found: list[str] = _WORD.findall(text)
    numbers = frozenset(word.lower() for word in found if word[0].isdigit())
    if answers:
        found = list(filter(None, _INNER_WORD.findall(text)))
    names = frozenset(word.lower() for word in found if word[0].isupper())
    return Gist(words=words, firm=numbers | (words & names), negated=_NEGATION.search(text) is not None)


def once(gists: Sequence[Gist], sizes: Sequence[int], earlier: Iterable[Gist] = ()) -> tuple[int, ...]:
    """Return the positions of the texts to tell, best first, each thing once; a text without content words is left out.

    Of two that say the same the richer one is told, in the place of the better one, unless it is much longer. sizes:
    of the texts. earlier: what the prompt holds already."""
    before, chosen = _Known(enumerate(earlier)), _Known()
    order: list[int] = []
    for place, each in enumerate(gists):
        if not each.words or any(each.is_in(other) for _, other in before.near(each)):
            continue
        near = chosen.near(each)
        if any(each.is_in(other) for _, other in near):
            continue
        poorer = {other for other, known in near if known.is_in(each)}
        first = next((other for other in order if other in poorer), None) if poorer else None
        if first is None or sizes[place] > RICHER_AT_MOST * sizes[first]:
            order.append(place)
        else:
            order[order.index(first)] = place
            order = [other for other in order if other not in poorer]
            chosen.remove(poorer)
        chosen.add(place, each)
    return tuple(order)


class _Known:
    """Gists by their words, so that each text is compared with those alone that share most of the shorter one's."""

    def __init__(self, gists: Iterable[tuple[int, Gist]] = ()) -> None:
        self._gists: dict[int, Gist] = {}
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, each in gists:
            self.add(place, each)

    def add(self, place: int, each: Gist) -> None:
        self._gists[place] = each
        for word in each.words:
            self._places[word].append(place)

    def remove(self, places: Iterable[int]) -> None:
        for place in places:
            del self._gists[place]

    def near(self, each: Gist) -> list[tuple[int, Gist]]:
        """Return the gists that may say the same, with their places."""
        shared = Counter(
            chain.from_iterable(self._places[word] for word in each.words if word in self._places)
        )
        return [
            (place, other)
            for place, count in shared.items()
            if (other := self._gists.get(place)) is not None
            and count >= REPEATED * min(len(each.words), len(other.words))
        ]


REACH, REACH_TURNS = 2, 200
"""Turns before and after each recalled one, and one more for each so many turns that there is room for."""
TURNS_AT_MOST = 2_000


def turns_around(engine: Engine, hits: Sequence[Hit], reader: Reader, most: int) -> list[Hit]:
    """Return trusted turns next to recalled ones, nearest to the best first, at most so many; without the recalled
    ones. Nothing of them is reinforced: they were not recalled."""
    known = {hit.id for hit in hits} | {hit.provenance.turn_id for hit in hits if hit.provenance.turn_id}
    found: dict[str, Hit] = {}
    for hit in _neighbours(engine, hits, reader, REACH + most // REACH_TURNS):
        if len(found) >= min(most, TURNS_AT_MOST):
            break
        if hit.id not in known:
            found.setdefault(hit.id, hit)
    return list(found.values())


def _neighbours(engine: Engine, hits: Sequence[Hit], reader: Reader, reach: int) -> Iterator[Hit]:
    for hit in hits:
        place = hit.provenance
        if place.conversation_id is None or place.turn_index is None:
            continue
        first, last = max(0, place.turn_index - reach), place.turn_index + reach
        with engine.store.reading() as db:
            turns = contexts.turns_between(db, place.conversation_id, first, last)
        for turn in sorted(
            turns, key=lambda turn: (abs(turn.turn_index - (place.turn_index or 0)), turn.turn_index)
        ):
            trust = reader.trust_in((turn.origin, turn.trust), agent_id=turn.agent_id)
            if turn.retired_at is None and turn.agent_id == place.agent_id and is_trusted(trust):
                yield Hit(
                    id=turn.id,
                    kind="turn",
                    text=turn.content,
                    channel=turn.channel,
                    score=0.0,
                    parts=(),
                    provenance=Provenance(
                        turn_id=turn.id,
                        conversation_id=turn.conversation_id,
                        turn_index=turn.turn_index,
                        speaker=turn.speaker,
                        agent_id=turn.agent_id,
                    ),
                    at=to_datetime(turn.created_at),
                    trust=trust,
                    source=turn.origin,
                )
