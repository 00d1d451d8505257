"""promote, edit, retire, undo, redo: changes a person makes to memory. Each can be undone."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.api import curation
from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import follow
from memdesk.cli.output import Output, counted, plain
from memdesk.client.client import Client
from memdesk.model.browse import PromotionPreview
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import (
    Curated,
    EditFact,
    PreviewPromotion,
    Promote,
    Redo,
    Retire,
    Undo,
    Undone,
    UndoRun,
)
from memdesk.model.errors import BadAsk
from memdesk.model.fact import CATEGORIES, TEMPORAL
from memdesk.model.status import JobState


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """Output of `promote --json`: the copy in `_global`, its change, and the preview made before it."""

    id: str
    change: int
    title: str
    preview: PromotionPreview


def _declare_promote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the fact")
    parser.add_argument("--reason", default="", help="why, for the audit log")
    parser.add_argument("--preview", action="store_true", help="only show what it would do")


def promote(context: Context) -> int:
    """Copy a project fact to `_global`, and show how it compares with the promotion thresholds."""
    fact_id = context.args.id
    preview = context.call(curation.PREVIEW_PROMOTION, PreviewPromotion(fact_id=fact_id))
    if context.args.preview:
        context.out.answer(preview, _preview_lines(preview))
        return 0
    done = context.call(curation.PROMOTE, Promote(fact_id=fact_id, reason=context.args.reason))
    promoted = Promoted(id=done.id, change=done.change, title=done.title, preview=preview)
    context.out.answer(promoted, [*_preview_lines(preview), *done_lines(f"Promoted to {GLOBAL}", done)])
    return 0


def _preview_lines(preview: PromotionPreview) -> Iterator[str]:
    yield f"“{plain(preview.fact.claim)}” in {plain(preview.fact.channel)}"
    for threshold in preview.thresholds:
        verdict = "met" if threshold.met else "not met"
        yield f"  {threshold.name}: {threshold.found:g} of {threshold.needed:g}, {verdict}"
    if preview.held is not None:
        yield f"  {GLOBAL} holds this claim already: {preview.held.id}"
    for conflict in preview.conflicts:
        yield f"  {GLOBAL} says otherwise ({plain(conflict.reason)}): “{plain(conflict.title)}” {conflict.id}"
    for similar in preview.similar:
        yield f"  similar ({similar.similarity:.2f}): “{plain(similar.title)}” {similar.id} in {plain(similar.channel)}"
    if preview.readers:
        yield f"  agents that will see it: {', '.join(plain(name) for name in preview.readers)}"


def _declare_edit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the fact")
    parser.add_argument("claim", nargs="?", metavar="CLAIM", help="the corrected claim")
    parser.add_argument("--was", help="the claim as you saw it; another one now is a conflict")
    parser.add_argument("--category", help=", ".join(CATEGORIES))
    parser.add_argument("--confidence", type=float, help="how sure, 0 to 1")
    parser.add_argument("--temporal", choices=TEMPORAL, help="when it holds")


def edit(context: Context) -> int:
    """Correct a fact."""
    args = context.args
    if (args.claim, args.category, args.confidence, args.temporal) == (None,) * 4:
        raise BadAsk("Nothing to change.", next="Give a new claim, --category, --confidence or --temporal.")
    done = context.call(
        curation.EDIT_FACT,
        EditFact(
            fact_id=args.id,
            was=args.was,
            claim=args.claim,
            category=args.category,
            confidence=args.confidence,
            temporal=args.temporal,
        ),
    )
    context.out.answer(done, done_lines("Corrected", done))
    return 0


def _declare_retire(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a fact, an entity, a turn or a relation")
    parser.add_argument("--reason", default="", help="why, for the audit log")


def retire(context: Context) -> int:
    """Hide a memory from recall; nothing is deleted."""
    done = context.call(curation.RETIRE, Retire(id=context.args.id, reason=context.args.reason))
    context.out.answer(done, done_lines("Retired", done))
    return 0


def _declare_undo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "change",
        nargs="?",
        type=int,
        metavar="CHANGE",
        help="its number in the log; your own latest without one",
    )
    parser.add_argument(
        "--run", action="store_true", help="with the whole run it belongs to, such as one import"
    )


def undo(context: Context) -> int:
    """Undo a change, or with --run every change of the run it belongs to."""
    if context.args.run:
        return _undo_run(context)
    done = context.call(curation.UNDO, Undo(change=context.args.change))
    context.out.answer(done, _undone(done))
    return 0


def _undo_run(context: Context) -> int:
    if context.args.change is None:
        raise BadAsk("Which run? --run wants the number of one of its changes.", next="See `memdesk log`.")
    ask = UndoRun(change=context.args.change)
    job = context.talk(lambda client: _carry_out(client, ask, context.out))
    left: dict[str, str] = job.result["left"]
    lines = [f"Took {counted(job.result['undone'], 'change')} back."]
    lines += [f"  left: {plain(says)}" for says in left.values()]
    if stays := job.result["stays"]:
        lines.append(f"  {counted(stays, 'more record')} stayed with that.")
    context.out.answer(job, lines)
    return 0


async def _carry_out(client: Client, ask: UndoRun, out: Output) -> JobState:
    return await follow(client, await client.call(curation.UNDO_RUN, ask), out)


def redo(context: Context) -> int:
    """Redo your own latest undone change."""
    done = context.call(curation.REDO, Redo())
    context.out.answer(done, _undone(done))
    return 0


def done_lines(did: str, done: Curated) -> list[str]:
    """Return the line that reports a finished change to a person."""
    return [f"{did} as change {done.change}: “{plain(done.title)}” {done.id}"]


def _undone(done: Undone) -> list[str]:
    return [f"{plain(done.title)} (change {done.change} takes change {done.undid} back)"]


COMMANDS = (
    Command(name="promote", says="copy a project fact to _global", run=promote, declare=_declare_promote),
    Command(name="edit", says="correct a fact", run=edit, declare=_declare_edit),
    Command(name="retire", says="hide a memory from recall", run=retire, declare=_declare_retire),
    Command(name="undo", says="take a change back", run=undo, declare=_declare_undo),
    Command(name="redo", says="take the latest undo back", run=redo),
)
