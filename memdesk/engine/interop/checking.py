"""Checkup of a folder or an export that is not imported: it is read into a desk in a temporary folder."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from html import escape
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from memdesk.engine.engine import Engine, now
from memdesk.engine.interop.intake import bring_in
from memdesk.engine.interop.sources import open_source
from memdesk.engine.jobs.checkup import AT_ONCE, ROWS_AT_MOST, check_facts
from memdesk.engine.jobs.upkeep import embed_pending
from memdesk.engine.memory.line_links import Tie, ties_of_facts
from memdesk.engine.memory.rows import origins
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import Progress, ignore_progress
from memdesk.engine.secrets.detector import MARK
from memdesk.files.merge import lines_of
from memdesk.files.places import Desk
from memdesk.files.reading import plain
from memdesk.model.checkup import FOUND, CheckedClaim, CheckedFinding, CheckReport, Finding
from memdesk.model.document import DOCUMENT
from memdesk.model.fact import FACT
from memdesk.model.instant import to_datetime
from memdesk.model.interop import INSTRUCTIONS, AskImport
from memdesk.model.message import message
from memdesk.model.recall import Provenance
from memdesk.store import checkups, document_versions, records

TITLES = {
    "poisoned": ("Instructions to the agent", "Sentences that try to steer whoever reads this memory."),
    "secret": ("Passwords and keys", "Values that do not belong in a memory. They are masked here."),
    "contradiction": ("Contradictions", "Two claims about one thing that cannot both be true."),
    "expired": ("No longer true", "Claims whose last day has passed."),
    "duplicate": ("Said twice", "The same claim in other words."),
    "misplaced": ("In the wrong project", "Claims whose words are those of another project."),
    "orphaned": ("Without a source", "Claims whose source is gone."),
    "junk": ("Says too little", "Lines that nobody could understand later."),
    "unused": ("Never used", "Guesses that nothing asked for in a long time."),
}
SIDES = ("Newer", "Older")
_STYLE = Path(__file__).with_name("report.css")
_SERIOUS = ("poisoned", "secret")


def page(report: CheckReport, at: datetime) -> str:
    """Return the report as an HTML document. at: the time of the check."""
    name = Path(report.path.rstrip("/")).name or report.path
    style = _STYLE.read_text("utf-8")
    found = len(report.rows)
    rows = (
        f"{_many(found, 'finding')} in {_many(report.facts, 'claim')}" if found else "Nothing to worry about"
    )
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Checkup of {escape(name)}</title><style>\n{style}</style></head><body><main>",
            f"<h1>{escape(rows)}</h1>",
            f'<p class="path">{escape(report.says)} · {escape(report.path)}</p>',
            f'<ul class="counts">{"".join(_counts(report))}</ul>',
            *_sections(report),
            f"<footer>Checked on {at:%d %B %Y} by MemDesk, on this computer, without importing anything. "
            "Findings are suggestions: read both sides before you change a file.</footer>",
            "</main></body></html>",
            "",
        )
    )


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _counts(report: CheckReport) -> Iterator[str]:
    yield f"<li><b>{report.facts:,}</b><span>claims read</span></li>"
    yield f"<li><b>{report.files:,}</b><span>{'file' if report.files == 1 else 'files'}</span></li>"
    if report.skipped:
        yield f"<li><b>{report.skipped:,}</b><span>not readable</span></li>"
    if not report.rows:
        yield '<li class="good"><b>0</b><span>findings</span></li>'
    for kind in FOUND:
        if number := report.counts.get(kind, 0):
            tone = "bad" if kind in _SERIOUS else "warn"
            yield f'<li class="{tone}"><b>{number:,}</b><span>{escape(TITLES[kind][0].lower())}</span></li>'


def _sections(report: CheckReport) -> Iterator[str]:
    for kind, rows in groupby(report.rows, key=lambda each: each.kind):
        title, about = TITLES[kind]
        yield f'<section><h2>{escape(title)}</h2><p class="soft">{escape(about)}</p>'
        yield from map(_article, rows)
        yield "</section>"


def _article(found: CheckedFinding) -> str:
    sides = [_quote(found.claim, SIDES[0] if found.other else "")]
    if found.other is not None:
        sides.append(_quote(found.other, SIDES[1]))
    why = f'<p class="why">{escape(found.reason)}</p><p class="todo">{escape(found.advice)}</p>'
    return f"<article>{''.join(sides)}{why}</article>"


def _quote(side: CheckedClaim, label: str) -> str:
    where = " · ".join(filter(None, (label, side.place)))
    small = f"<small>{escape(where)}</small>" if where else ""
    return f"<blockquote>{small}{escape(side.claim)}</blockquote>"


AUTHOR = "person:owner"
ADVICE = {
    "poisoned": "Do not let an agent read it. Delete the line unless you wrote it, and find out who did.",
    "secret": "Move it to a password manager, change it if others saw this file, and delete the line.",
    "contradiction": "Find out which of the two is true, and delete or date the other.",
    "expired": "Delete it, or write down what is true today.",
    "duplicate": "Keep one of the two.",
    "misplaced": "Move it to the project that it is about.",
    "orphaned": "Keep it only if you know that it is true.",
    "junk": "Say what it is about, or delete it.",
    "unused": "Delete it if nobody needs it.",
}


def check_path(
    ask: AskImport, *, progress: Progress = ignore_progress, clock: Callable[[], int] = now
) -> CheckReport:
    """Read a source into its own desk, check its facts and return the report; the source and every other desk
    stay as they are. Raises NotFound, BadAsk, or Refused if nothing of it can be read."""
    with TemporaryDirectory(prefix="memdesk-checkup-") as folder:
        trial = open_engine(Desk(Path(folder) / "desk"), clock=clock)
        try:
            trial.use(replace(trial.settings, backup_before=False, quarantine_from=1.0))
            # Copied: nothing that happens on the trial desk can reach the files. Nothing is held out of recall: what
            # steers an agent is a finding like others.
            copied = replace(ask, copy=True, accept=(INSTRUCTIONS,))
            says = open_source(trial, copied).says
            counts = bring_in(trial, copied, author=AUTHOR, progress=progress)
            while embed_pending(trial):
                pass
            checked = check_facts(trial, ask.user_id, (), progress, outside=True)
            found = _placed(trial, checked.found[:ROWS_AT_MOST])
            rows = _ranked(
                (*found, *islice(_lines_with_secrets(trial), ROWS_AT_MOST), *_said_twice(trial, ask.user_id))
            )
        finally:
            trial.close()
    report = CheckReport(
        path=ask.path,
        says=says,
        files=counts["files"],
        facts=checked.count,
        skipped=counts["skipped"],
        counts=dict(Counter(each.kind for each in rows)),
        rows=rows,
        page="",
    )
    return replace(report, page=page(report, to_datetime(clock())))


def _placed(engine: Engine, found: list[Finding]) -> tuple[CheckedFinding, ...]:
    """Return findings with the places of their claims."""
    ids = {id for each in found for id in (each.id, each.other_id) if id is not None}
    with engine.store.reading() as db:
        facts = records.many(db, FACT, "id", sorted(ids))
        places = origins(db, facts)
    claims = {fact.id: CheckedClaim(claim=fact.claim, place=_place(places.get(fact.id))) for fact in facts}
    return tuple(
        CheckedFinding(
            kind=each.kind,
            reason=each.reason,
            advice=ADVICE[each.kind],
            claim=claims[each.id],
            other=None if each.other_id is None else claims[each.other_id],
        )
        for each in found
    )


def _ranked(rows: Iterable[CheckedFinding]) -> tuple[CheckedFinding, ...]:
    """Return findings by kind, those that may do most harm first."""
    ranks = {kind: place for place, kind in enumerate(FOUND)}
    return tuple(sorted(rows, key=lambda each: ranks[each.kind]))


def _lines_with_secrets(engine: Engine) -> Iterator[CheckedFinding]:
    """Yield the lines of files with a password or a key, which become no facts."""
    with engine.store.reading() as db:
        for document in records.find(db, DOCUMENT):
            text = document_versions.text_of(db, document.content_hash)
            for number, line in enumerate(lines_of(plain(text)), 1):
                if MARK in line:
                    yield CheckedFinding(
                        kind="secret",
                        reason=message("It holds a password or a key."),
                        advice=ADVICE["secret"],
                        claim=CheckedClaim(
                            claim=line.strip().lstrip("-*• "), place=f"{document.path}:{number}"
                        ),
                        other=None,
                    )


def _said_twice(engine: Engine, user_id: str) -> Iterator[CheckedFinding]:
    """Yield the facts that two lines state: on a desk they are one memory, in files they are read twice."""
    last = 0
    with engine.store.reading() as db:
        while facts := checkups.facts_after(db, user_id, (), last, AT_ONCE):
            last = facts[-1].seq
            lines: dict[str, list[Tie]] = defaultdict(list)
            for tie in ties_of_facts(db, [fact.id for fact in facts]):
                lines[tie.fact.id].append(tie)
            paths = {
                each.id: each.path
                for each in records.many(
                    db,
                    DOCUMENT,
                    "id",
                    sorted({t.relation.target_id for ties in lines.values() for t in ties}),
                )
            }
            for ties in (ties for ties in lines.values() if len(ties) > 1):
                newer, older = (
                    CheckedClaim(
                        claim=engine.vault.masked(tie.spot.line.strip().lstrip("-*• ")),
                        place=f"{paths[tie.relation.target_id]}:{tie.spot.number}",
                    )
                    for tie in (ties[-1], ties[0])
                )
                yield CheckedFinding(
                    kind="duplicate",
                    reason=message("The same claim in two places."),
                    advice=ADVICE["duplicate"],
                    claim=newer,
                    other=older,
                )


def _place(source: Provenance | None) -> str:
    """Return a file with its line, or a conversation with its turn; "" for a record that names no source."""
    if source is None:
        return ""
    if source.path:
        return f"{source.path}:{source.first_line}" if source.first_line else source.path
    return message(
        "{conversation_title}, turn {count}",
        conversation_title=source.conversation_title or message("conversation"),
        count=(source.turn_index or 0) + 1,
    )
