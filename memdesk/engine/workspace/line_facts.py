"""Facts read from lines of a file: their drafting, and the differences between a file's new text and its last one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from memdesk.engine.engine import Engine
from memdesk.engine.extraction import extract_lines
from memdesk.engine.extraction.findings import Draft as ClaimDraft
from memdesk.engine.extraction.findings import Found, FoundEntity, FoundFact, FoundRelation, Utterance
from memdesk.engine.extraction.gazetteer import CALENDAR
from memdesk.engine.extraction.language import sentences
from memdesk.engine.memory import line_links
from memdesk.engine.memory.believe import Said, believe
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, NAME_CHARACTERS, TAG_CHARACTERS, Draft
from memdesk.engine.memory.line_links import (
    LineDifferences,
    Spot,
    compare_lines,
    line_numbers_by_words,
    normalised_words,
    tie,
)
from memdesk.engine.workspace.day_lines import is_state, lasts
from memdesk.engine.workspace.layouts import DAY as DAY_MANNER
from memdesk.engine.workspace.layouts import INSTRUCTIONS, LEARNINGS, NOTES, RULES, holds_facts
from memdesk.engine.workspace.line_words import is_entry_data, start_of
from memdesk.engine.workspace.page import BOOKKEEPING, CONTINUED, Page, PageLine, read_page
from memdesk.engine.workspace.statements import IN_RULES, NO_SUCH, Statement, Voice, statement_of, voice_of
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain
from memdesk.model.document import Document, Workspace
from memdesk.model.fact import claim_hash
from memdesk.model.instant import DAY
from memdesk.model.message import message
from memdesk.store import document_versions
from memdesk.store.connection import Connection

LINES_READ_AT_MOST = 2_000
"""Most lines of a file read as facts. Curated memory is far shorter; a longer file is a log."""
SENTENCES_FROM = 1_000
"""Length from which a line is split into its sentences, each a fact."""
READER = "3"
"""Name of the rules by which lines are read; a job reads files again on every desk when it changes."""
REPEATED = message("said in a line above")
DAY_ONLY = message("event of the day")
REPORT = "ERR-"
"""Mark in the heading of a learning that reports what happened."""
FEEDBACK = "feedback"
"""Type that Claude Code gives to notes of how its person wants it to work."""
RELATION_GIVEN = "relationType"
"""Property of a relation that keeps its type as written."""


@dataclass(frozen=True, slots=True)
class LineContent:
    """Facts and relations read from one line of a file.

    headings: the titles above the line. tags: those it names. start, end: the days it names. links: (page,
    type, other page) of a line that relates two pages."""

    facts: list[FoundFact] = field(default_factory=list)
    relations: list[FoundRelation] = field(default_factory=list)
    headings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    start: date | None = None
    end: date | None = None
    links: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFacts:
    """Facts and relations read from a file, by line number from 1, and the entities they name.

    reasons: why the other lines make no fact, by their numbers."""

    lines: Mapping[int, LineContent] = field(default_factory=dict)
    entities: Mapping[str, FoundEntity] = field(default_factory=dict)
    reasons: Mapping[int, str] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[FoundFact, ...]:
        """All facts, line by line."""
        return tuple(fact for line in self.lines.values() for fact in line.facts)


@dataclass(frozen=True, slots=True)
class LineChoice:
    """A person's choice of lines, by their numbers: `take` become facts, `leave` do not."""

    take: frozenset[int] = frozenset()
    leave: frozenset[int] = frozenset()


def read_lines(
    lines: Sequence[str], wanted: Iterable[int], voice: Voice, take: Collection[int] = ()
) -> LineFacts:
    """Return the facts read from the lines of these numbers, and the reasons why other lines make none.

    take: numbers of lines that are facts whatever they seem to be."""
    voice = voice.of_text(lines)
    page = _page(lines, voice, take)
    numbers = set(wanted)
    lines_read: dict[int, LineContent] = {}
    drafts: dict[str, list[ClaimDraft]] = {}
    for line in page.lines:
        if line.number not in numbers:
            continue
        if line.relation is not None:
            lines_read[line.number] = LineContent(links=((_subject(page), *line.relation),))
        elif line.words:
            stated = _statement(page, line, voice)
            lines_read[line.number] = _content(page, line, stated)
            drafts[str(line.number)] = list(_claims(lines[line.number - 1], stated))
    found = _found(lines, drafts, voice)
    by_number = {line.number: line for line in page.lines}
    for fact in found.facts:
        number = int(fact.utterance_id)
        by_place = (
            each for each in _about(page, by_number[number], voice) if each.casefold() not in CALENDAR
        )
        about = tuple(dict.fromkeys((*by_place, *fact.about)))
        lines_read[number].facts.append(replace(fact, about=about))
    for relation in found.relations:
        lines_read[int(relation.utterance_id)].relations.append(relation)
    reasons = {line.number: line.why for line in page.lines if line.why}
    repeated = [number for number, content in lines_read.items() if not (content.facts or content.links)]
    entities = {entity.name: entity for entity in found.entities}
    if voice.subjects.of_person and (name := voice.subjects.person):
        known = entities.get(name) or FoundEntity(name=name, type="Person", aliases=(), mentions=())
        entities[name] = replace(known, type="Person")
    return LineFacts(
        lines={number: content for number, content in lines_read.items() if number not in repeated},
        entities=entities,
        reasons=reasons | dict.fromkeys(repeated, REPEATED),
    )


def lines_by_claim(lines: Sequence[str], voice: Voice) -> dict[str, list[int]]:
    """Return the numbers of the lines that state each claim, by claim hash, with the lines it goes on in."""
    found: dict[str, list[int]] = {}
    voice = voice.of_text(lines)
    page = _page(lines, voice)
    further = lines_further(page)
    for line in page.lines:
        if line.words:
            for draft in _claims(lines[line.number - 1], _statement(page, line, voice)):
                numbers = found.setdefault(claim_hash(draft.claim), [])
                numbers += [line.number, *further.get(line.number, ())]
    return found


def tail_of(lines: Sequence[str], number: int, voice: Voice) -> tuple[int, ...]:
    """Return the numbers of the lines in which the statement of a line goes on."""
    return tuple(lines_further(_page(lines, voice)).get(number, ()))


def lines_further(page: Page) -> dict[int, list[int]]:
    """Return the numbers of the lines in which statements go on, by the number of the first one."""
    found: dict[int, list[int]] = {}
    first = 0
    for line in page.lines:
        if line.words:
            first = line.number
        elif line.why == CONTINUED:
            found.setdefault(first, []).append(line.number)
    return found


def _wrapped(text: str, voice: Voice) -> dict[str, tuple[int, str]]:
    """Return (number, statement) of each statement of several lines, by the normalised words of its first line."""
    lines = lines_of(plain(text))
    page = _page(lines, voice)
    further = lines_further(page)
    return {
        normalised_words(lines[each.number - 1]): (each.number, each.words)
        for each in page.lines
        if each.number in further
    }


def _reworded(before: str, text: str, voice: Voice, held: Collection[str]) -> dict[str, int]:
    """Return the first lines of the statements that changed in a later line only, with their numbers by words."""
    was, now = _wrapped(before, voice), _wrapped(text, voice)
    here = line_numbers_by_words(text)
    return {
        words: here[words][0]
        for words in was.keys() | now.keys()
        if words in held and words in here and was.get(words, (0, ""))[1] != now.get(words, (0, ""))[1]
    }


def _learned_by_choice(text: str, voice: Voice) -> set[int]:
    """Return the numbers of the lines that make no statement, so that a fact read from one was chosen."""
    return {line.number for line in _page(lines_of(plain(text)), voice).lines if not line.words}


def draft_line_facts(
    draft: Draft, facts: LineFacts, spot: Spot, *, document_id: str, source: str
) -> list[str]:
    """Draft the facts of the line at a spot, but none that is kept out of recall; return their ids, known or new."""
    line = facts.lines.get(spot.number, LineContent())
    items: list[FoundFact | FoundRelation] = [*line.facts, *line.relations]
    for name in dict.fromkeys(name for item in items for name in _names(item)):
        if (entity := facts.entities.get(name)) is not None:
            draft.entity(name, type=entity.type, aliases=entity.aliases)
    ids: list[str] = []
    for fact in (each for each in line.facts if not draft.is_held(each.claim)):
        belief = believe(
            draft,
            fact.claim,
            Said(author="", document_id=document_id, asking_only=True),
            category=fact.category,
            confidence=fact.confidence,
            temporal=fact.temporal,
            source=source,
            source_turn_id=None,
            quote=fact.quote,
            valid_from=None if line.start is None else start_of(line.start),
            valid_to=None if line.end is None else start_of(line.end) + DAY - 1,
            since=None if line.start is None else start_of(line.start),
        )
        draft.about(belief.id, fact.about, None)
        tie(draft, belief.id, document_id, spot, confidence=fact.confidence)
        for name in () if belief.known else line.tags:
            draft.tag(belief.id, name[:TAG_CHARACTERS])
        ids.append(belief.id)
    for relation in line.relations:
        start, end = (draft.entity(name)[0] for name in _names(relation))
        if start != end:
            draft.relation(start, end, relation.type, confidence=relation.confidence, source_turn_id=None)
    for page, given, other in line.links:
        _link(draft, page, given, other)
    return ids


def _link(draft: Draft, page: str, given: str, other: str) -> None:
    """Draft the relation that a line states between two pages, in its own words: `located_in` is LOCATED_IN."""
    ends = [draft.entity(name[:NAME_CHARACTERS])[0] for name in (page, other)]
    type = "_".join(given.upper().split())
    if ends[0] != ends[1]:
        draft.relation(
            ends[0], ends[1], type, confidence=1.0, source_turn_id=None, properties={RELATION_GIVEN: given}
        )


def _page(lines: Sequence[str], voice: Voice, take: Collection[int] = ()) -> Page:
    page = read_page(
        lines[:LINES_READ_AT_MOST],
        linked=voice.manner == NOTES,
        to_agent=voice.manner in (INSTRUCTIONS, RULES),
    )
    return replace(page, lines=tuple(_judged(line, lines, voice, take) for line in page.lines))


def _judged(line: PageLine, lines: Sequence[str], voice: Voice, take: Collection[int]) -> PageLine:
    """Return a line with what its file adds: the date of a day, the entries of learnings, a person's choice."""
    line = replace(line, day=line.day or voice.day)
    if line.number in take:
        text = lines[line.number - 1]
        words = line.words or normalised_words(text[_start(text) :])
        return replace(line, words=words, why="", relation=None)
    if not line.words:
        return line
    if voice.manner == DAY_MANNER and not lasts(line):
        return replace(line, words="", why=DAY_ONLY)
    if voice.manner == LEARNINGS and is_entry_data(line.words):
        return replace(line, words="", why=BOOKKEEPING)
    return line


def _statement(page: Page, line: PageLine, voice: Voice) -> Statement:
    reported = voice.manner == LEARNINGS and any(REPORT in each.upper() for each in line.headings)
    return statement_of(
        line, voice.subjects, voice.today, reported=reported, default=_default(page, line, voice)
    )


def _default(page: Page, line: PageLine, voice: Voice) -> str:
    """Return the category of a line that says nothing of its kind: a constraint where it is one of rules, unless it
    tells what something is or does."""
    if page.type == FEEDBACK or (voice.manner == RULES and not is_state(line.words)):
        return "constraint"
    ruled = voice.manner == INSTRUCTIONS and (
        NO_SUCH.match(line.words) or any(map(IN_RULES.search, line.headings[1:]))
    )
    return "constraint" if ruled else ""


def _content(page: Page, line: PageLine, stated: Statement) -> LineContent:
    above = (page.about,) if page.about and not page.title else ()
    return LineContent(headings=(*above, *line.headings), tags=line.tags, start=stated.start, end=stated.end)


def _claims(text: str, stated: Statement) -> Iterator[ClaimDraft]:
    """Yield the claim of a statement; a very long one is split into its sentences."""
    claims = [stated.claim]
    if len(stated.claim) > SENTENCES_FROM:
        claims = [each.text.strip() for each in sentences(stated.claim) if each.text.strip()]
    start = _start(text)
    for claim in claims:
        yield ClaimDraft(
            claim=claim[:CLAIM_CHARACTERS],
            category=stated.category,
            certainty=stated.certainty,
            temporal=stated.temporal,
            start=start,
            end=len(text.rstrip()),
        )


def _start(text: str) -> int:
    """Return the position of the first word of a line, after its indentation, bullet and box."""
    before = line_links.BEFORE_WORDS.match(text)
    return before.end() if before else 0


def _about(page: Page, line: PageLine, voice: Voice) -> Iterator[str]:
    """Yield the entities that a line is about by its place: the page of a note, the pages it links to, the
    person whose profile it is."""
    if voice.manner == NOTES and page.title:
        yield _subject(page)
    for name in line.links:
        yield name[:NAME_CHARACTERS]
    if voice.subjects.of_person and voice.subjects.person:
        yield voice.subjects.person


def _subject(page: Page) -> str:
    return page.title[:NAME_CHARACTERS] or "note"


def _found(lines: Sequence[str], drafts: Mapping[str, Sequence[ClaimDraft]], voice: Voice) -> Found:
    return extract_lines(
        [
            Utterance(
                id=number, speaker=voice.subjects.writer, role="user", text=lines[int(number) - 1], at=0
            )
            for number in drafts
        ],
        user_name=voice.subjects.person,
        claims=drafts,
    )


def _names(item: FoundFact | FoundRelation) -> tuple[str, ...]:
    return item.about if isinstance(item, FoundFact) else (item.source, item.target)


LINES_AT_ONCE = 20
"""Lines whose facts go into one change; with their entities they stay far below its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Change of one line. gone: its former words; fresh: its present number, 0 for none."""

    gone: str = ""
    fresh: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """Differences between a file's new text and its last one.

    before, after: the hashes of both. believes: True if each line is read as a fact. gone: the former numbers
    of removed lines by their words. line_facts: the facts read from the new lines. claims: line numbers by the hash
    of the claim they state, filled only where a line with a fact was removed. carried: ids of the facts that
    new lines were written from, by line number. chosen: numbers of lines that a person took in. steps: the
    steps to draft, one group for each change."""

    before: str
    after: str
    believes: bool = False
    gone: Mapping[str, int] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    line_facts: LineFacts = field(default_factory=LineFacts)
    claims: Mapping[str, list[int]] = field(default_factory=dict)
    carried: Mapping[int, str] = field(default_factory=dict)
    chosen: frozenset[int] = frozenset()
    steps: tuple[tuple[Step, ...], ...] = ()


def read_text_change(
    db: Connection,
    document: Document | None,
    text: str,
    *,
    believes: bool,
    voice: Voice,
    carried: Mapping[str, str] | None = None,
    choice: LineChoice | None = None,
) -> TextChange:
    """Return the differences between a file's new text and its last one; "" for a file that is removed.

    document: None for a file that is not on the desk yet. believes: True if each line is read as a fact; else
    only lines that a fact was learned from are followed. A file that comes back is read again, except for
    lines whose facts left recall before they did. carried: ids of facts by the lines that were written from
    them; such a line is tied to its fact and not read as another one, and one with the id "" is not read at all.
    choice: lines that a person takes in or leaves out."""
    choice = choice or LineChoice()
    away = document is None or document.retired_at is not None
    before = "" if document is None or away else document_versions.text_of(db, document.content_hash)
    found = TextChange(
        before=document_versions.hash_of(before), after=document_versions.hash_of(text), believes=believes
    )
    tied = line_links.ties_in_file(db, document.id) if document is not None else []
    if not (tied or believes or carried or choice.take) or (found.before == found.after and not away):
        return found
    held = {each.spot.said for each in tied}
    back = {each.spot.said for each in tied if each.spot.gone}
    moved = compare_lines(before, text)
    lines = lines_of(plain(text))
    edited = {words: moved.fresh[other] for words, other in moved.became.items() if words in held}
    fresh = {number for words, number in moved.fresh.items() if not (away and words in held)}
    here = line_numbers_by_words(text) if back else {}
    written = {
        moved.fresh[words]: id
        for line, id in (carried or {}).items()
        if (words := normalised_words(line)) in moved.fresh
    }
    fresh -= {number for number, id in written.items() if not id}
    from_facts = {number: id for number, id in written.items() if id}
    reworded = _reworded(before, text, voice, held) if believes and held else {}
    wanted = (fresh if believes else set(edited.values())) | choice.take | set(reworded.values())
    learned = _learned_by_choice(before, voice) if edited else set()
    take = choice.take | {number for words, number in edited.items() if moved.gone[words] in learned}
    read = read_lines(lines, wanted - choice.leave, voice, take)
    again = {here[each][0] for each in back & here.keys()}
    steps = [Step(gone=words, fresh=number) for words, number in reworded.items()]
    telling = (read.lines.keys() | again | from_facts.keys()) - set(reworded.values())
    steps += _steps(moved, edited, held, telling)
    return replace(
        found,
        gone=moved.gone | reworded,
        lines=tuple(lines),
        line_facts=read,
        claims=lines_by_claim(lines, voice) if believes and any(step.gone for step in steps) else {},
        carried=from_facts,
        chosen=choice.take,
        steps=tuple(tuple(steps[at : at + LINES_AT_ONCE]) for at in range(0, len(steps), LINES_AT_ONCE)),
    )


def text_change_of(
    engine: Engine,
    document: Document,
    workspace: Workspace,
    text: str,
    carried: Mapping[str, str] | None = None,
) -> TextChange:
    """Return the change of a known file's new text. carried: as in `read_news`."""
    with engine.store.reading() as db:
        return text_change_on_connection(engine, db, document, workspace, text, carried)


def text_change_on_connection(
    engine: Engine,
    db: Connection,
    document: Document,
    workspace: Workspace,
    text: str,
    carried: Mapping[str, str] | None = None,
) -> TextChange:
    """Return the same as `text_change_of`, on an open connection."""
    believes = holds_facts(document.path, workspace.layout)
    voice = voice_of(engine, document.path, document.agent_id, workspace.layout)
    return read_text_change(db, document, text, believes=believes, voice=voice, carried=carried)


def _steps(
    moved: LineDifferences, edited: Mapping[str, int], held: set[str], telling: set[int]
) -> list[Step]:
    """Return steps for removed lines first, each with the line in its place, then for lines that state facts
    or are back."""
    gone = [Step(gone=words, fresh=edited.get(words, 0)) for words in moved.gone if words in held]
    replacing = {step.fresh for step in gone}
    fresh = [Step(fresh=number) for number in sorted(telling - replacing)]
    return gone + fresh
