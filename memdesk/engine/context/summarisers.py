"""Ways to make a summary: facts and sentences of the turns, or a language model, asked a second time with the
faults listed."""

from __future__ import annotations

import heapq
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memdesk.engine.context.messages import TOOLS, Sentence, TurnText, constraints, normalised
from memdesk.engine.context.policies import Policy
from memdesk.engine.extraction.language import HAN, plain, sentences
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.providers.embedder import Embedder, Vectors, unit
from memdesk.engine.providers.models import LanguageModel
from memdesk.engine.recall.query import content_words
from memdesk.model.context import SummarySentence
from memdesk.model.errors import EmbedderUnavailable

LABEL = "Extracts, made without a language model:"
CANDIDATES_AT_MOST = 1_500
"""Most sentences compared with each other; beyond it, those with the lowest lift are left out."""
WORD_DIMENSIONS = 1_024
SAME = 0.8
"""Least likeness at which a sentence also covers a sentence of another turn."""
LIFTS = {
    "constraint": 0.6,
    "claim": 0.5,
    "decision": 0.35,
    "carried": 0.3,
    "figure": 0.15,
    "named": 0.1,
    "chatter": -0.4,
    "asks": -0.45,
    "tool": -0.3,
}
"""Amounts by which a sentence is kept among the candidates, for its properties."""
SHORT_CHARACTERS, SHORT_LOSS = 24, 0.25
_TERM = re.compile(rf"[{HAN}]|[^\W_]+")
_COMMON = word_set(
    """
    the a an and or but if of to in on at for with from by as is are was were be been am do does did have has had i you
    he she it we they me my your his her our their this that these those so just not no yes very really can could would
    will should there here what when where who how why which about into out up down over than then too also
    """
)


Likeness = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Extractive summary. text: the summary, its label first. sentences: in the order of the text, each with
    the turns it covers."""

    text: str
    sentences: tuple[SummarySentence, ...]


def extract(
    found: Sequence[Sentence],
    names: Sequence[str],
    embedder: Embedder,
    *,
    characters: int,
    facts: Sequence[Sentence] = (),
) -> Extract:
    """Summarise sentences in about this many characters, or more if constraints and missing names need it.

    facts: read from the same turns. They come first, with what an earlier summary said; sentences add what these do
    not cover."""
    held = constraints(found)
    kept = {normalised(each.text) for each in held}
    rest = _promising([each for each in found if normalised(each.text) not in kept], names)
    said = [*(each for each in rest if each.carried), *facts]
    pool = (*held, *said, *(each for each in rest if not each.carried))
    room = max(characters - sum(len(_line(each)) for each in held), characters // 3)
    chosen = choose_covering(pool, len(held), len(held) + len(said), room)
    order = [*range(len(held)), *sorted(chosen, key=lambda n: (pool[n].turns[0], n))]
    alike = likeness([each.text for each in pool], embedder)
    lines = [_line(pool[n]) for n in order]
    missing = [name for name in names if not any(name.casefold() in line.casefold() for line in lines)]
    sentences = tuple(
        SummarySentence(text=_line(pool[n]), turns=_covered(n, pool, alike), constraint=n < len(held))
        for n in order
    )
    return Extract(text=_text(lines, len(held), missing), sentences=sentences)


def likeness(texts: Sequence[str], embedder: Embedder) -> Likeness:
    """Return the likeness of every two texts, 0 to 1, float32 of shape (n, n): half by words, half by
    meaning.

    By words alone if the embedder is unavailable."""
    if not texts:
        return np.zeros((0, 0), np.float32)
    words = _word_vectors(texts)
    alike = words @ words.T
    try:
        meaning: Vectors = embedder.embed(texts)
        alike = (alike + np.clip(meaning @ meaning.T, 0, 1)) / 2
    except EmbedderUnavailable:
        pass
    bounded: Likeness = np.clip(alike, 0, 1).astype(np.float32)
    return bounded


def _promising(found: Sequence[Sentence], names: Sequence[str]) -> list[Sentence]:
    """Return each sentence once, and at most CANDIDATES_AT_MOST of them."""
    once = list({normalised(each.text): each for each in reversed(found)}.values())[::-1]
    if len(once) <= CANDIDATES_AT_MOST:
        return once
    worth = [_lift(each, names) + min(len(each.text), 200) / 2_000 for each in once]
    best = sorted(range(len(once)), key=lambda n: -worth[n])[:CANDIDATES_AT_MOST]
    return [once[n] for n in sorted(best)]


def _lift(each: Sentence, names: Sequence[str]) -> float:
    """Return the amount that a sentence's own properties add to its worth."""
    marks = {
        "constraint": each.constraint,
        "claim": each.claim,
        "decision": each.decision,
        "carried": each.carried,
        "figure": each.figure,
        "named": any(name in each.text for name in names),
        "chatter": each.chatter,
        "asks": each.asks,
        "tool": each.role in TOOLS,
    }
    short = SHORT_LOSS if len(each.text) < SHORT_CHARACTERS and not re.search(f"[{HAN}]", each.text) else 0.0
    return sum(LIFTS[name] for name, there in marks.items() if there) - short


def _word_vectors(texts: Sequence[str]) -> Vectors:
    """Return word vectors of unit length: words weighted by how few texts contain them, hashed to WORD_DIMENSIONS."""
    terms = [Counter(_terms(text)) for text in texts]
    spread = Counter(term for each in terms for term in each)
    out = np.zeros((len(texts), WORD_DIMENSIONS), np.float32)
    for row, each in zip(out, terms, strict=True):
        for term, times in each.items():
            row[zlib.crc32(term.encode()) % WORD_DIMENSIONS] += times * np.log1p(len(texts) / spread[term])
    return unit(out)


def _terms(text: str) -> list[str]:
    """Return the words in lower case without the most common ones; for Chinese, pairs of characters."""
    found = [term for term in _TERM.findall(text.casefold()) if term not in _COMMON]
    pairs = [
        a + b for a, b in zip(found, found[1:], strict=False) if len(a) == len(b) == 1 and not a.isascii()
    ]
    return [*(term for term in found if len(term) > 1), *pairs]


def _covered(place: int, pool: Sequence[Sentence], alike: Likeness) -> tuple[int, ...]:
    """Return the turns of a sentence, and of the sentences with the same meaning."""
    near = [place, *np.flatnonzero(alike[place] >= SAME).tolist()]
    return tuple(sorted({turn for n in near for turn in pool[n].turns}))


def _line(each: Sentence) -> str:
    return each.text if each.carried or not each.speaker else f"{each.speaker}: {each.text}"


def _text(lines: Sequence[str], held: int, missing: Sequence[str]) -> str:
    parts = [LABEL]
    if held:
        parts.append("Constraints:\n" + "\n".join(f"- {line}" for line in lines[:held]))
    if lines[held:]:
        parts.append("\n".join(f"- {line}" for line in lines[held:]))
    if missing:
        parts.append("Also named: " + ", ".join(missing))
    return "\n".join(parts)


CHATTER, ASKS, TOOL, CLAIM, DECISION = 0.6, 0.5, 0.6, 1.2, 1.2
"""Factors on what a sentence adds, by its kind."""
Weight = Callable[[str], float]


def choose_covering(pool: Sequence[Sentence], held: int, facts: int, room: int) -> list[int]:
    """Return the positions of the sentences that fit into so many characters, best first.

    held: the first so many are told already. facts: the end of those that come before all others."""
    words = [content_words(each.text) for each in pool]
    spread = Counter(word for each in words[facts:] or words for word in each)
    count = max(1, len(pool) - facts)
    covered = frozenset[str]().union(*words[:held])

    def rare(word: str) -> float:
        return math.log1p(count / max(1, spread[word]))

    def common(word: str) -> float:
        return math.log1p(spread[word])

    chosen: list[int] = []
    for places, weight in ((range(held, facts), rare), (range(facts, len(pool)), common)):
        for place in _greedy(pool, words, places, weight, covered, room):
            chosen.append(place)
            covered |= words[place]
            room -= line_length(pool[place])
    return chosen


def line_length(each: Sentence) -> int:
    """Return the characters of a sentence as a line of the summary, with its speaker."""
    return len(each.text) + (len(each.speaker) + 2 if each.speaker and not each.carried else 0) + 3


def _greedy(
    pool: Sequence[Sentence],
    words: Sequence[frozenset[str]],
    places: range,
    weight: Weight,
    covered: frozenset[str],
    room: int,
) -> list[int]:
    """Return the positions by what each adds for its length, until nothing fits or adds anything.

    What a sentence adds only shrinks, so one is weighed again only when it comes to the top."""
    chosen: list[int] = []
    top = [(-_gain(pool[n], words[n] - covered, weight), n) for n in places if line_length(pool[n]) <= room]
    heapq.heapify(top)
    while top:
        _, best = heapq.heappop(top)
        gain = _gain(pool[best], words[best] - covered, weight)
        if gain <= 0 or line_length(pool[best]) > room:
            continue
        if top and -top[0][0] > gain:
            heapq.heappush(top, (-gain, best))
            continue
        chosen.append(best)
        covered |= words[best]
        room -= line_length(pool[best])
    return chosen


def _gain(each: Sentence, new: frozenset[str], weight: Weight) -> float:
    factors = (
        (CHATTER, each.chatter),
        (ASKS, each.asks),
        (TOOL, each.role in TOOLS),
        (CLAIM, each.claim),
        (DECISION, each.decision),
    )
    kind = math.prod(factor for factor, there in factors if there)
    return kind * sum(map(weight, new)) / line_length(each)


CHUNK_CHARACTERS = 20_000
"""Characters of conversation in one question; a longer stretch is summarised piece by piece, each piece with
the summary so far (OpenLegion)."""
TURN_CHARACTERS = 2_000
"""Characters of one turn that the model is shown."""
MORE_TOKENS = 1.25
"""Factor by which the second answer may be longer than the first (AgenticX: 500 over 400)."""
COVERS_FROM, COVERS_AT_MOST = 0.3, 6
"""Least likeness at which a summary sentence covers a turn's sentence, and the most sentences it covers,
nearest first."""
_WRAPPED = re.compile(
    r"^\s*(?:```[a-z]*\n)?\s*(?:\[(\w[\w -]*)\](.*)\[/\1\]|<(\w+)>(.*)</\3>)\s*(?:\n```)?\s*$", re.DOTALL
)
Check = Callable[[str], list[str]]


class UnfitSummary(Exception):
    """The model answered, but its summary cannot replace the conversation. The exception text gives the reason."""


def ask(
    model: LanguageModel,
    policy: Policy,
    turns: Sequence[TurnText],
    *,
    before: str,
    must: Sequence[str],
    names: Sequence[str],
    check: Check,
) -> str:
    """Return the model's summary. before: the summary so far. must: texts it has to copy. names: names it has
    to mention.

    Raises ModelUnavailable, or Unfit when an answer is empty or the second answer still fails the check."""
    *chunks, last = list(_chunks(turns)) or [""]
    for chunk in chunks:
        before = _answer(model, policy, _prompt(before, chunk, must, names, ()))
        if not before:
            raise UnfitSummary(f"{model.name} said nothing.")
    said = _answer(model, policy, _prompt(before, last, must, names, ()))
    if not (wrong := check(said)):
        return said
    said = _answer(model, policy, _prompt(before, last, must, names, wrong), share=MORE_TOKENS)
    if wrong := check(said):
        raise UnfitSummary(f"{model.name} gave no summary that holds: {wrong[0]}")
    return said


def sentence_coverage(
    summary: str, found: Sequence[Sentence], embedder: Embedder
) -> tuple[SummarySentence, ...]:
    """Return each sentence of a summary with the turns whose sentences are most like it."""
    texts = [sentence.text for sentence in sentences(plain(summary))]
    alike = likeness([*texts, *(each.text for each in found)], embedder)[: len(texts), len(texts) :]
    rows = []
    for text, row in zip(texts, alike, strict=True):
        near = [n for n in np.argsort(-row, kind="stable")[:COVERS_AT_MOST].tolist() if row[n] >= COVERS_FROM]
        turns = tuple(sorted({turn for n in near for turn in found[n].turns}))
        held = any(found[n].constraint and row[n] > 0.9 for n in near)
        rows.append(SummarySentence(text=text, turns=turns, constraint=held))
    return tuple(rows)


def _answer(model: LanguageModel, policy: Policy, prompt: str, share: float = 1.0) -> str:
    tokens = round(policy.summary_tokens * share)
    said = model.complete(
        system=policy.instruction, prompt=prompt, max_tokens=tokens, temperature=policy.temperature
    ).text.strip()
    if (wrapped := _WRAPPED.match(said)) is not None:
        said = (wrapped[2] or wrapped[4] or "").strip()
    return said


def _prompt(before: str, talk: str, must: Sequence[str], names: Sequence[str], wrong: Sequence[str]) -> str:
    parts = [
        f"Summary so far:\n{before}" if before else "",
        f"Conversation:\n{talk}",
        "Copy these word for word:\n" + "\n".join(f"- {each}" for each in must) if must else "",
        f"Name {', '.join(names)}." if names else "",
        "Your last answer would not do:\n" + "\n".join(f"- {each}" for each in wrong) if wrong else "",
    ]
    return "\n\n".join(filter(None, parts))


def _chunks(turns: Sequence[TurnText]) -> Iterator[str]:
    lines: list[str] = []
    held = 0
    for turn in turns:
        line = f"[{turn.speaker or turn.role}] {turn.text[:TURN_CHARACTERS]}"
        if lines and held + len(line) > CHUNK_CHARACTERS:
            yield "\n".join(lines)
            lines, held = [], 0
        lines.append(line)
        held += len(line) + 1
    if lines:
        yield "\n".join(lines)
