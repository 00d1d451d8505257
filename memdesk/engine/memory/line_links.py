"""Links between a fact and the line of a file it is read from (a DERIVED_FROM relation), and the comparison
of lines by their words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.files.merge import lines_of, merge, opcodes
from memdesk.files.reading import plain
from memdesk.model.change import Applied, Edit
from memdesk.model.document import DOCUMENT
from memdesk.model.entity import DERIVED_FROM, RELATION, Relation
from memdesk.model.fact import FACT, Fact
from memdesk.store import document_versions, records
from memdesk.store.connection import Connection

_LINK = re.compile(r"!?\[([^\]]{1,200})\]\([^)\s]{0,400}\)")
_MARKS = re.compile(r"\*\*|__|~~|`|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")

ALIKE = 0.5
"""Share of equal characters above which a line in the place of another counts as the same one, edited."""
COMPARED_AT_MOST = 2_500
"""Limit of line pairs compared within one replaced stretch; above it no line counts as edited."""
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_PIECES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+\s*|\s+")
BEFORE_WORDS = re.compile(r"\s*(?:#{1,6}\s+|(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?")
"""Pattern of the indentation, bullet and box before the words of a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineDifferences:
    """Differences between two texts by their lines' words. gone, fresh: words with their first line numbers,
    from 1.

    became: the new words of each removed line that was edited."""

    gone: dict[str, int]
    fresh: dict[str, int]
    became: dict[str, str]


def strip_markdown(text: str) -> str:
    """Return the text without markdown marks: links by their words, emphasis and code by their contents."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())


def normalised_words(line: str) -> str:
    """Return the words of a line without indentation, bullet and emphasis; "" for a line without a letter or digit."""
    bullet = _BULLET.match(line)
    text = strip_markdown(line[bullet.end() :] if bullet else line)
    return text if any(letter.isalnum() for letter in text) else ""


def line_numbers_by_words(text: str) -> dict[str, tuple[int, ...]]:
    """Return the words of each line of a text, with the numbers of the lines that have them."""
    found: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(lines_of(plain(text)), 1):
        if words := normalised_words(line):
            found[words] = (*found.get(words, ()), number)
    return found


def compare_lines(before: str, after: str) -> LineDifferences:
    """Return the differences between two texts. A line that only moved is neither gone nor fresh."""
    was, now = line_numbers_by_words(before), line_numbers_by_words(after)
    gone = {words: numbers[0] for words, numbers in was.items() if words not in now}
    fresh = {words: numbers[0] for words, numbers in now.items() if words not in was}
    return LineDifferences(
        gone=gone,
        fresh=fresh,
        became=_successors(lines_of(plain(before)), lines_of(plain(after)), gone, fresh)
        if gone and fresh
        else {},
    )


def rewrite_line(line: str, was: str, now: str) -> str:
    """Return the line with `now` in place of `was`, in its own formatting.

    Where the line has marks between the words, or is a row of a table, only the words that differ are replaced;
    a line in other words gets `now` after its indentation and bullet."""
    if was in line or was == now:
        return line.replace(was, now, 1)
    old, new = _difference(was, now)
    marked = line.lstrip().startswith("|") or was.partition(" ")[2] in strip_markdown(line)
    if old and marked and line.count(old) == 1:
        return line.replace(old, new)
    return reset_line(line, now)


def reset_line(line: str, now: str) -> str:
    """Return the line with `now` after its indentation and bullet."""
    found = BEFORE_WORDS.match(line)
    return (found.group() if found else "") + now


def _difference(was: str, now: str) -> tuple[str, str]:
    """Return the words that differ between two texts, with the word before them where nothing is replaced."""
    old, new = _PIECES.findall(was), _PIECES.findall(now)
    start = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    end = next(
        (n for n, (a, b) in enumerate(zip(old[start:][::-1], new[start:][::-1], strict=False)) if a != b),
        min(len(old), len(new)) - start,
    )
    if end == len(old) - start and start:
        start -= 1
    return "".join(old[start : len(old) - end]).strip(), "".join(new[start : len(new) - end]).strip()


def change_lines(text: str, words: frozenset[str], change: Callable[[str], str | None]) -> str:
    """Return a plain text with each line that has one of these words changed, or left out where `change`
    returns None."""
    changed = ((change(line) if normalised_words(line) in words else line) for line in lines_of(plain(text)))
    return "\n".join(line for line in changed if line is not None)


def restore_line(text: str, version: str, number: int, line: str) -> str:
    """Return a plain text with a line at its place in an earlier version; at the end, where that place is not
    found.

    number: the line's number in that version, from 1, in any wording."""
    there = lines_of(plain(version))
    words = frozenset({normalised_words(there[number - 1])} if 0 < number <= len(there) else ())
    without, within = (
        change_lines(version, words, lambda _: None),
        change_lines(version, words, lambda _: line),
    )
    both = merge(without, within, plain(text))
    if not both.clashes and normalised_words(line) in line_numbers_by_words(both.text):
        return both.text
    current = plain(text)
    return current + ("" if not current or current.endswith("\n") else "\n") + line + "\n"


def _successors(
    before: list[str], after: list[str], gone: dict[str, int], fresh: dict[str, int]
) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for tag, a, b, x, y in opcodes(before, after):
        if tag != "replace":
            continue
        old = [words for words, number in gone.items() if a < number <= b]
        new = [words for words, number in fresh.items() if x < number <= y]
        if len(old) * len(new) <= COMPARED_AT_MOST:
            pairs |= _paired(old, new)
    return pairs


def _paired(old: list[str], new: list[str]) -> dict[str, str]:
    """Return each old line with the new one most like it; the most similar pairs are chosen first."""
    ratios = sorted(
        (
            (SequenceMatcher(None, one, other, autojunk=False).ratio(), one, other)
            for one in old
            for other in new
        ),
        key=lambda each: -each[0],
    )
    pairs: dict[str, str] = {}
    for ratio, one, other in ratios:
        if ratio >= ALIKE and one not in pairs and other not in pairs.values():
            pairs[one] = other
    return pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Line of one version of a file. version: the hash of its text; number: from 1. headings: the titles above
    it.

    gone: the line left the file, and its fact left recall with it; the fact returns when the line does. chosen: a
    person took the line in, whatever it seems to be."""

    version: str
    number: int
    line: str
    gone: bool = False
    headings: tuple[str, ...] = ()
    chosen: bool = False

    @property
    def said(self) -> str:
        """Normalised words of the line, by which it is found again."""
        return normalised_words(self.line)

    def properties(self) -> dict[str, object]:
        """Return the spot as the properties of a relation."""
        kept: dict[str, object] = {"version": self.version, "number": self.number, "line": self.line}
        kept |= {"headings": list(self.headings)} if self.headings else {}
        kept |= {"chosen": True} if self.chosen else {}
        return kept | ({"gone": True} if self.gone else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Fact, the file it is read from, and the line as last seen there."""

    relation: Relation
    fact: Fact
    spot: Spot

    @property
    def holds(self) -> bool:
        """True if the fact is current and was not forgotten, so that its line belongs in the file."""
        return is_current(self.fact) and not self.spot.gone

    @property
    def follows(self) -> bool:
        """True if fact and line follow each other; a promoted copy only names the source of its original."""
        return self.fact.promoted_from is None

    def at(self, spot: Spot) -> Edit:
        """Return the edit that ties the fact to another line of the file."""
        kept = json.dumps(spot.properties(), ensure_ascii=False)
        return records.update_edit(RELATION, self.relation, properties=kept)

    def cut(self, at: int) -> Edit:
        """Return the edit that ends the tie; the fact stays as it is."""
        return records.update_edit(RELATION, self.relation, retired_at=at)


def is_current(fact: Fact) -> bool:
    """Return True if a fact is current: neither retired nor superseded."""
    return fact.retired_at is None and fact.superseded_by is None


def ties_in_file(db: Connection, document_id: str) -> list[Tie]:
    """Return the ties of the facts that are read from a file and follow its lines."""
    found = records.find(db, RELATION, target_id=document_id, type=DERIVED_FROM, retired_at=None)
    return [each for each in _ties(db, found) if each.follows]


def ties_after(db: Connection, document_id: str, edits: Sequence[Edit]) -> list[Tie]:
    """Return the ties of a file after these edits; ties that end with them are left out."""
    after: dict[str, dict[str, Any] | None] = {}
    for edit in edits:
        so_far = after.get(edit.id, {})
        after[edit.id] = None if edit.after is None or so_far is None else so_far | edit.after
    known = {each.relation.id: each.relation for each in ties_in_file(db, document_id)}
    back = [
        edit.id
        for edit in edits
        if edit.kind == RELATION.name and (edit.after or {}).get("retired_at", 0) is None
    ]
    known |= {each.id: each for each in records.many(db, RELATION, "id", back)}
    found: list[Tie] = []
    for each in known.values():
        relation = after.get(each.id, {})
        tied = None if relation is None else replace(each, **relation)
        if tied is None or (tied.target_id, tied.type, tied.retired_at) != (document_id, DERIVED_FROM, None):
            continue
        current = records.get(db, FACT, tied.source_id)
        moved = after.get(tied.source_id, {})
        if current is not None and moved is not None:
            fact = replace(current, **moved)
            found.append(Tie(relation=tied, fact=fact, spot=_spot(tied, fact)))
    return [each for each in found if each.follows]


def ties_of_facts(db: Connection, fact_ids: Sequence[str]) -> list[Tie]:
    """Return the ties of these facts in all files, in the order of creation."""
    found: list[Relation] = [
        each
        for each in records.many(db, RELATION, "source_id", fact_ids)
        if each.type == DERIVED_FROM and each.retired_at is None
    ]
    files = {each.id for each in records.many(db, DOCUMENT, "id", sorted({each.target_id for each in found}))}
    return _ties(db, sorted((each for each in found if each.target_id in files), key=lambda each: each.seq))


def tie(draft: Draft, fact_id: str, document_id: str, spot: Spot, *, confidence: float) -> None:
    """Draft the tie of a fact to a line of a file; nothing where it is tied to that line already."""
    if any(
        each.relation.target_id == document_id and each.spot.said == spot.said
        for each in ties_of_facts(draft.db, [fact_id])
    ):
        return
    draft.create(
        RELATION,
        channel=draft.channel,
        source_id=fact_id,
        target_id=document_id,
        type=DERIVED_FROM,
        confidence=confidence,
        source_turn_id=None,
        created_at=draft.at,
        properties=json.dumps(spot.properties(), ensure_ascii=False),
    )


def tie_by_words(draft: Draft, fact_id: str, document_id: str, words: str, *, confidence: float) -> None:
    """Draft the tie of a fact to the line of a file that contains these words, or to the file where no line does."""
    document = records.need(draft.db, DOCUMENT, document_id)
    lines = lines_of(plain(document_versions.text_of(draft.db, document.content_hash)))
    number = next((n for n, line in enumerate(lines, 1) if words.strip() and words.strip() in line), 0)
    if number:
        line = lines[number - 1]
        spot = Spot(version=document.content_hash, number=number, line=line)
        tie(draft, fact_id, document_id, spot, confidence=confidence)
    else:
        draft.relation(fact_id, document_id, DERIVED_FROM, confidence=confidence, source_turn_id=None)


def _ties(db: Connection, relations: Iterable[Relation]) -> list[Tie]:
    kept = list(relations)
    facts: dict[str, Fact] = {
        each.id: each for each in records.many(db, FACT, "id", sorted({each.source_id for each in kept}))
    }
    return [
        Tie(relation=each, fact=facts[each.source_id], spot=_spot(each, facts[each.source_id]))
        for each in kept
        if each.source_id in facts
    ]


def new_tie_spot(edit: Edit) -> Spot | None:
    """Return the line that an edit ties a fact to; None unless the edit creates a tie to a line in use."""
    if edit.kind != RELATION.name or edit.before is not None or edit.after is None:
        return None
    kept = json.loads(edit.after.get("properties") or "{}")
    if edit.after["type"] != DERIVED_FROM or not kept.get("version") or kept.get("gone"):
        return None
    return None if edit.after["retired_at"] is not None else _kept_spot(kept, "")


def _spot(relation: Relation, fact: Fact) -> Spot:
    """Return the line a fact was read from; for one read before lines were stored, its quote or claim is used
    as the line."""
    return _kept_spot(json.loads(relation.properties), fact.quote or fact.claim)


def _kept_spot(kept: Mapping[str, Any], words: str) -> Spot:
    return Spot(
        version=kept.get("version", ""),
        number=kept.get("number", 0),
        line=kept.get("line", words),
        gone=kept.get("gone", False),
        chosen=kept.get("chosen", False),
        headings=tuple(kept.get("headings", ())),
    )


def paths(engine: Engine, applied: Applied) -> tuple[str, ...]:
    """Return the paths of the files that a change has changed."""
    ids = sorted({edit.id for edit in applied.edits if edit.kind == DOCUMENT.name})
    with engine.store.reading() as db:
        return tuple(each.path for each in records.many(db, DOCUMENT, "id", ids))
