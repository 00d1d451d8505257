"""Files of an agent as they were read: lines that say who it is, and how many lines became facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memdesk.engine.extraction.lexicon import pattern
from memdesk.engine.memory import line_links
from memdesk.engine.memory.line_links import normalised_words
from memdesk.engine.workspace.layouts import INSTRUCTIONS, NOTES, RULES, manner_of, name_in, unread_reason
from memdesk.engine.workspace.line_facts import DAY_ONLY
from memdesk.engine.workspace.page import INSTRUCTION, read_page
from memdesk.files.merge import lines_of
from memdesk.files.reading import plain
from memdesk.model.agent import FILES, FolderRead, PortraitLine, PortraitPart
from memdesk.model.document import DOCUMENT, Document, Workspace
from memdesk.model.fact import FACT
from memdesk.model.instant import to_datetime
from memdesk.model.message import message
from memdesk.model.recall import Provenance
from memdesk.store import agents, document_versions
from memdesk.store.connection import Connection

LINES_OF_EACH = 2
"""Lines of each identity file: its first statements, besides the agent's name."""
PERSONS_OWN = frozenset(("USER.MD", "HUMAN.MD", "MEMORY.MD"))
"""Standing files that are about the person, not the agent."""
_DIRECTIVE, _CHINESE_ORDER = pattern("english", "directive"), pattern("chinese", "order", flags=0)
ELSEWHERE = message("said elsewhere or left out")
VERSIONS_KEPT = 2_000
_accounts: dict[tuple[str, str, str], tuple[Counter[str], int]] = {}
"""Account of a file's lines by version, path and layout, none of which ever changes."""


def identity_lines(db: Connection, files: Sequence[Document]) -> Iterator[PortraitLine]:
    """Yield the first statements of the files that say who an agent is; where it has none, of its instructions."""
    core = [each for each in files if each.layer == "core"]
    standing = [each for each in files if each.layer == "workspace" and each.path.upper() not in PERSONS_OWN]
    for chosen in (core, standing):
        found = [
            line for each in sorted(chosen, key=lambda each: each.path) for line in _statements(db, each)
        ]
        if found:
            yield from found
            return


def _is_said(words: str) -> bool:
    """Return True if a line has words besides its label, unlike `Emoji: 🦉`."""
    return any(character.isalpha() for character in words.rpartition(": ")[2])


def _statements(db: Connection, document: Document) -> Iterator[PortraitLine]:
    text = document_versions.text_of(db, document.content_hash)
    lines = lines_of(plain(text))
    counted = {
        each.number: each.words or normalised_words(lines[each.number - 1])
        for each in read_page(lines, to_agent=True).lines
        if (each.words or each.why == INSTRUCTION) and name_in(lines[each.number - 1]) is None
    }
    counted = {number: words for number, words in counted.items() if _is_said(words)}
    facts = {each.spot.said: each.fact for each in line_links.ties_in_file(db, document.id)}
    for number in list(counted)[:LINES_OF_EACH]:
        fact = facts.get(normalised_words(lines[number - 1]))
        line = _line(document, number, lines[number - 1], counted[number])
        yield line if fact is None else replace(line, kind=FACT.name, id=fact.id)


def rule_lines(
    db: Connection, folders: Sequence[Workspace], files: Sequence[Document]
) -> Iterator[PortraitLine]:
    """Yield the lines of an agent's instructions that forbid or demand something, of which no facts are made."""
    layouts = {each.id: each.layout for each in folders}
    for document in sorted(files, key=lambda each: each.path):
        if document.layer != "workspace" or document.path.upper() in PERSONS_OWN:
            continue
        instructs = not manner_of(document.path, layouts.get(document.workspace_id or "", ""))
        lines = lines_of(plain(document_versions.text_of(db, document.content_hash)))
        for each in read_page(lines, to_agent=True).lines:
            words = each.words or normalised_words(lines[each.number - 1])
            ordered = each.why == INSTRUCTION or (instructs and each.words)
            if ordered and (_DIRECTIVE.match(words) or _CHINESE_ORDER.match(words)):
                yield _line(document, each.number, lines[each.number - 1], words)


def _line(document: Document, number: int, text: str, words: str) -> PortraitLine:
    return PortraitLine(
        kind=DOCUMENT.name,
        id=document.id,
        text=words,
        channel=document.channel,
        source=Provenance(
            document_id=document.id,
            path=document.path,
            agent_id=document.agent_id,
            first_line=number,
            last_line=number,
            version=document.content_hash,
            line=text.strip(),
            at=to_datetime(document.updated_at),
        ),
    )


def folder_read(db: Connection, folders: Sequence[Workspace], files: Sequence[Document]) -> FolderRead | None:
    """Return the account of an agent's files under the folder that was added last, None without one."""
    if not folders:
        return None
    folder = folders[0]
    own = [each for each in files if each.workspace_id == folder.id]
    counts = agents.facts_by_document(db, [each.id for each in own])
    total, facts, others = 0, 0, Counter[str]()
    for document in own:
        reasons, statements = _account(db, document, folder.layout)
        read = min(counts.get(document.id, (0, 0))[1], statements)
        others.update(reasons)
        others[str(DAY_ONLY if document.day else ELSEWHERE)] += statements - read
        total += statements + sum(reasons.values())
        facts += read
    return FolderRead(
        workspace_id=folder.id,
        path=folder.path,
        layout=folder.layout,
        added_at=to_datetime(folder.created_at),
        change=agents.import_of(db, folder.id),
        files=len(own),
        lines=total,
        facts=facts,
        others=dict((+others).most_common()),
    )


def _account(db: Connection, document: Document, layout: str) -> tuple[Counter[str], int]:
    """Return (number of lines by the reason why they are no statements, number of statements) of a file."""
    key = document.content_hash, document.path, layout
    if key not in _accounts:
        if len(_accounts) >= VERSIONS_KEPT:
            _accounts.clear()
        lines = lines_of(plain(document_versions.text_of(db, document.content_hash)))
        _accounts[key] = _counted(lines, document.path, layout)
    return _accounts[key]


def _counted(lines: Sequence[str], path: str, layout: str) -> tuple[Counter[str], int]:
    manner = manner_of(path, layout)
    if not manner:
        return Counter({str(unread_reason(path, layout)): sum(bool(line.strip()) for line in lines)}), 0
    page = read_page(lines, linked=manner == NOTES, to_agent=manner in (INSTRUCTIONS, RULES))
    reasons = Counter(str(each.why) for each in page.lines if not each.words)
    return reasons, sum(bool(each.words) for each in page.lines)


def files_part(db: Connection, files: Sequence[Document], most: int) -> Iterator[PortraitPart]:
    """Yield the part about its files: each of the standing ones by its facts, and its day files as one line."""
    if not files:
        return
    counts = agents.facts_by_document(db, [each.id for each in files])
    standing = sorted(
        (each for each in files if not each.day), key=lambda each: (-_facts(counts, each), each.path)
    )
    daily = [each for each in files if each.day]
    lines = [
        PortraitLine(
            kind=DOCUMENT.name,
            id=each.id,
            text=each.path,
            count=_facts(counts, each),
            at=to_datetime(each.updated_at),
        )
        for each in standing
    ]
    if daily:
        newest = max(daily, key=lambda each: each.day or "")
        folders = Counter(each.path.rpartition("/")[0] for each in daily).most_common(1)
        lines.insert(
            1 if lines else 0,
            PortraitLine(
                kind=DOCUMENT.name,
                id=newest.id,
                text=f"{folders[0][0]}/*.md".lstrip("/"),
                note=message("{count} day files", count=len(daily)),
                count=sum(_facts(counts, each) for each in daily),
                at=to_datetime(newest.updated_at),
            ),
        )
    says = message("Files that were read: {count}.", count=len(files))
    yield PortraitPart(name=FILES, says=says, total=len(lines), lines=tuple(lines[:most]))


def _facts(counts: dict[str, tuple[int, int]], document: Document) -> int:
    return counts.get(document.id, (0, 0))[0]
