"""Report of a checkup as one HTML page: no script, no other file, light and dark, and fit to be printed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from html import escape
from itertools import groupby
from pathlib import Path

from memdesk.model.checkup import FOUND, CheckedClaim, CheckedFinding, CheckReport

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
_STYLE = """
:root { color-scheme: light dark; --ground: #f7f6f3; --card: #fff; --line: #e3e0d9; --ink: #22201c; --soft: #6d685f;
  --good: #2f7d4f; --bad: #b3402f; --warn: #a06a10; --tint: #f1efe9; }
@media (prefers-color-scheme: dark) { :root { --ground: #17181b; --card: #1f2125; --line: #33363c; --ink: #e9e7e2;
  --soft: #a09c94; --good: #6fc08d; --bad: #e98371; --warn: #dcaa57; --tint: #26282d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .35rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 2.75rem 0 .1rem; }
p { margin: 0; }
.soft { color: var(--soft); }
.path { color: var(--soft); overflow-wrap: anywhere; }
.counts { list-style: none; margin: 1.75rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .6rem; }
.counts li { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .55rem .9rem;
  min-width: 7.5rem; }
.counts b { display: block; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counts span { color: var(--soft); font-size: .875rem; }
.counts .bad b { color: var(--bad); } .counts .warn b { color: var(--warn); } .counts .good b { color: var(--good); }
article { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; margin: .9rem 0 0;
  padding: 1rem 1.15rem; break-inside: avoid; }
blockquote { margin: 0 0 .6rem; padding: .5rem .8rem; background: var(--tint); border-radius: .45rem;
  overflow-wrap: anywhere; }
blockquote small { display: block; color: var(--soft); font-size: .8125rem; }
.why { font-weight: 600; } .todo { color: var(--soft); }
footer { margin-top: 3rem; color: var(--soft); font-size: .875rem; }
@media print { body { background: #fff; } main { max-width: none; padding: 0; }
  article, .counts li { border-color: #bbb; } h2 { break-after: avoid; } }
"""
_GRAVE = ("poisoned", "secret")


def page(report: CheckReport, at: datetime) -> str:
    """Return the report as an HTML document. at: the time of the check."""
    name = Path(report.path.rstrip("/")).name or report.path
    found = len(report.rows)
    rows = (
        f"{_many(found, 'finding')} in {_many(report.facts, 'claim')}" if found else "Nothing to worry about"
    )
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Checkup of {escape(name)}</title><style>{_STYLE}</style></head><body><main>",
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
            tone = "bad" if kind in _GRAVE else "warn"
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
