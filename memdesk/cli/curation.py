"""act, promote, merge, tag, undo, redo, revoke, erase: changes a person makes to memory that are more than one call. To
revoke takes all that descends from a source out of memory; to erase takes all of a user, which no undo restores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from memdesk.api import curation
from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import followed
from memdesk.cli.output import YES, counted, plain, tallied
from memdesk.model.browse import PromotionPreview
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import (
    ActReading,
    Curated,
    Descendant,
    EraseUser,
    ListTags,
    Merge,
    MergePreview,
    PreviewMerge,
    PreviewPromotion,
    Promote,
    ReadAct,
    Redo,
    Revocation,
    RevocationPreview,
    Tagging,
    Touch,
    Undo,
    UndoRun,
)
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.status import JobState

ROWS_SHOWN = 20


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", help="such as: facts about the old flat → past")
    parser.add_argument("--look", action="store_true", help="only show what would change")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")


def act(context: Context) -> int:
    """Change all memories that the words describe: “SET → ACT”, such as “everything from forge since Tuesday →
    quarantine”, or “retire facts tagged old”.

    A set: facts, entities, goals, strategies or everything; about WORDS, from AGENT, in CHANNEL, tagged TAG, since or
    before a time, older than 30 days, with confidence below .5. An act: past, retire, quarantine, restore, pin, unpin,
    promote, to CHANNEL, tag WORDS. `->` is an arrow too. The memories are shown before anything is changed; one undo
    takes all back."""
    args = context.args
    ask = ReadAct(
        text=" ".join(args.words),
        user_id=context.user,
        channels=(args.channel,) if args.channel else (),
        agents=(args.agent,) if args.agent else (),
    )
    found = context.call(curation.READ_ACT, ask)
    if not (args.yes and context.out.json):
        context.out.answer(found, _lines(found))
    if args.look and not found.unknown:
        return 0
    if found.act is None:
        raise BadAsk(found.why_not, next=found.next)
    if not _agreed(context):
        context.out.note("Nothing was changed.")
        return 0
    job = followed(context, context.call(curation.BULK, found.act))
    context.out.answer(
        job, [plain(job.says), f"`memdesk undo {job.result.get('change')} --run` brings it back."]
    )
    return 0


def _agreed(context: Context) -> bool:
    if context.args.yes:
        return True
    if not sys.stdin.isatty():
        return False
    return context.out.ask("Change them? [y/N] ") in YES


def _lines(found: ActReading) -> Iterator[str]:
    if found.understood:
        yield plain("Understood: " + ", ".join(found.understood))
    left = sorted(found.rows, key=lambda row: bool(row.why_not))
    for row in left[:ROWS_SHOWN]:
        yield f"  {_line(row)}"
    if len(left) > ROWS_SHOWN:
        yield f"  … and more; --json lists {len(left):,}"
    if found.act is not None:
        yield f"{found.will:,} of {found.total:,} would change."


def _line(row: Touch) -> str:
    if row.why_not:
        return f"= {plain(row.id)} {plain(row.title)} ({plain(row.why_not)})"
    return f"~ {plain(row.id)} {plain(row.title)} ({plain(row.before)} → {plain(row.after)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted(Curated):
    """Output of `promote --json`: the copy in `_global`, its change, and the preview made before it."""

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
    promoted = Promoted(**{each.name: getattr(done, each.name) for each in fields(done)}, preview=preview)
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


def _declare_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the entity or fact that leaves")
    parser.add_argument("into", metavar="INTO", help="the one that is kept")
    parser.add_argument("--reason", default="", help="why, for the audit log")
    parser.add_argument("--preview", action="store_true", help="only show what it would do")


def merge(context: Context) -> int:
    """Merge an entity or a fact into another, with its names, sources, relations and tags."""
    args = context.args
    if args.preview:
        preview = context.call(curation.PREVIEW_MERGE, PreviewMerge(id=args.id, into_id=args.into))
        context.out.answer(preview, [_merge_line(preview)])
        return 0
    done = context.call(curation.MERGE, Merge(id=args.id, into_id=args.into, reason=args.reason))
    context.out.answer(done, done_lines("Merged", done))
    return 0


def _merge_line(preview: MergePreview) -> str:
    counts = {
        "facts": preview.about,
        "relations": preview.relations,
        "names": preview.names,
        "tags": preview.tags,
        "recalls": preview.recalled,
    }
    kept = f"“{plain(preview.title)}” would go into “{plain(preview.into)}” with {tallied(counts)}"
    return kept + (f"; {preview.repeated} repeated would be dropped." if preview.repeated else ".")


def _declare_tag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="the memory; without it, all tags are listed")
    parser.add_argument("tags", nargs="*", metavar="TAG", help="tags to add")
    parser.add_argument("--remove", action="store_true", help="take these tags away instead")


def tag(context: Context) -> int:
    """Add tags to a memory or remove them; without a memory, list all tags."""
    args = context.args
    if args.id is None:
        found = context.call(curation.TAGS, ListTags(user_id=context.user))
        rows = [(row.tag, f"{row.memories:,}") for row in found.rows]
        context.out.listing(
            found, ("TAG", "MEMORIES"), rows, none="No tag yet; `memdesk tag ID TAG` adds one."
        )
        return 0
    ask = Tagging(id=args.id, tags=tuple(args.tags))
    done = context.call(curation.UNTAG if args.remove else curation.TAG, ask)
    context.out.answer(done, [f"{done.id}: {plain(', '.join(done.tags)) or 'no tags'}"])
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
    context.out.answer(done, [f"{plain(done.title)} (change {done.change} takes change {done.undid} back)"])
    return 0


def redo(context: Context) -> int:
    """Redo your own latest undone change, with its whole run if it belongs to one."""
    done = context.call(curation.REDO, Redo())
    if done.job is not None:
        return _run_taken_back(context, done.job, "Did {} again.")
    context.out.answer(done, [f"{plain(done.title)} (change {done.change} takes change {done.undid} back)"])
    return 0


def _undo_run(context: Context) -> int:
    if context.args.change is None:
        raise BadAsk(
            message("Which run? --run wants the number of one of its changes."),
            next=message("See `memdesk log`."),
        )
    started = context.call(curation.UNDO_RUN, UndoRun(change=context.args.change))
    return _run_taken_back(context, started, "Took {} back.")


def _run_taken_back(context: Context, started: JobState, says: str) -> int:
    job = followed(context, started)
    left: dict[str, str] = job.result["left"]
    undone = job.result["undone"]
    nothing = "Nothing of it could be taken back." if left else "Nothing to undo."
    lines = [says.format(counted(undone, "change")) if undone else nothing]
    lines += [f"  left: {plain(says)}" for says in left.values()]
    if stays := job.result["stays"]:
        lines.append(f"  {counted(stays, 'more record')} stayed with that.")
    context.out.answer(job, lines)
    return 0


def done_lines(did: str, done: Curated) -> list[str]:
    """Return the line that reports a finished change to a person."""
    return [f"{did} as change {done.change}: “{plain(done.title)}” {done.id}"]


def _declare_erase(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("erased", metavar="USER", help="whose memory")
    parser.add_argument(
        "--confirm", metavar="USER", default="", help="the same name again; else it is asked for"
    )
    parser.add_argument(
        "--backups", action="store_true", help="also delete every backup that holds anything of them"
    )


def erase(context: Context) -> int:
    """Erase everything kept about one user, permanently: memory, conversations, history and logs.

    A backup is made just before, so that a mistake can be corrected; older backups erase the user again when
    they are restored. With --backups no backup is made, and every backup that contains the user is deleted,
    including all other data in it. Of a desk in PostgreSQL none is made, and dumps of the database keep the user."""
    name = context.args.erased
    confirm = context.args.confirm or _repeated(name)
    if confirm != name:
        raise BadAsk(
            message("The name was not repeated, so nothing was erased."),
            next=message("memdesk erase {name} --confirm NAME", name=plain(name)),
        )
    ask = EraseUser(user_id=name, confirm=confirm, backups=context.args.backups)
    job = followed(context, context.call(curation.ERASE_USER, ask))
    context.out.answer(job, [plain(line) for line in (*job.says.splitlines(), *_about_backups(job))])
    return 0


def _about_backups(job: JobState) -> Iterator[str]:
    if kept := job.result.get("backup"):
        yield f"The backup {kept} was made just before: restoring it brings the user back; older ones do not."
    if removed := job.result.get("removed"):
        yield f"Deleted the backups that held it: {', '.join(removed)}."


def _repeated(name: str) -> str:
    """Ask on the terminal for the name again and return the answer; "" where there is no terminal."""
    if not sys.stdin.isatty():
        return ""
    print(
        f"This cannot be taken back. Type {plain(name)} again to erase it: ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip()


DESCENDANTS_SHOWN = 12
FLAGS = {
    "session": ("ID", "an agent's session"),
    "conversation": ("ID", "a conversation"),
    "from-agent": ("NAME", "all that an agent stored"),
    "run": ("ID", "an import or a job"),
    "file": ("PATH", "a file of a workspace; it is removed, and undo brings it back"),
    "tool": ("NAME", "the output of a tool"),
}


def _declare_revoke(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    for name, (metavar, says) in FLAGS.items():
        source.add_argument(f"--{name}", metavar=metavar, help=says)
    parser.add_argument("--look", action="store_true", help="only show what would go")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    parser.add_argument("--reason", default="", help="why, for the audit log")


def revoke(context: Context) -> int:
    """Take out everything that descends from a source: what was stored by it, read from it, merged, promoted and
    summarised. One undo brings it back; what went is not learned again."""
    args = context.args
    kind, source = next(
        (name, given) for name in FLAGS if (given := getattr(args, name.replace("-", "_"))) is not None
    )
    if kind == "file":
        source = str(Path(source).expanduser().absolute())
    ask = Revocation(
        source_kind=kind.removeprefix("from-"), source=source, user_id=context.user, reason=args.reason
    )
    found = context.call(curation.PREVIEW_REVOCATION, ask)
    if args.look or not context.out.json:
        context.out.answer(found, _revoked_lines(found))
    if args.look:
        return 0
    if (
        not (args.yes or context.out.json)
        and sys.stdin.isatty()
        and context.out.ask("Take this out? [y/N] ") not in YES
    ):
        context.out.note("Nothing was taken out.")
        return 0
    job = followed(context, context.call(curation.REVOKE, ask))
    context.out.answer(
        job, [plain(job.says), f"`memdesk undo {job.result.get('change')} --run` brings it back."]
    )
    return 0


def _revoked_lines(found: RevocationPreview) -> Iterator[str]:
    yield f"{plain(found.title)}: {tallied(found.counts)}"
    yield from _some("-", found.rows)
    yield from (f"  - {plain(path)}: the file is removed" for path in found.files)
    yield from _some("=", found.stays)
    yield from _some("+", found.returns)


def _some(mark: str, rows: tuple[Descendant, ...]) -> Iterator[str]:
    for row in rows[:DESCENDANTS_SHOWN]:
        yield f"  {mark} {row.kind} {plain(row.id)} {plain(row.title)} ({plain(row.why)})"
    if len(rows) > DESCENDANTS_SHOWN:
        yield f"  {mark} … and more; --json lists {len(rows):,}"


COMMANDS = (
    Command(name="merge", run=merge, declare=_declare_merge),
    Command(name="tag", run=tag, declare=_declare_tag, scope=("user",)),
    Command(name="promote", run=promote, declare=_declare_promote),
    Command(name="undo", run=undo, declare=_declare_undo),
    Command(name="redo", run=redo),
    Command(name="act", run=act, declare=_declare, scope=("channel", "user", "agent")),
    Command(name="revoke", run=revoke, declare=_declare_revoke, scope=("user",)),
    Command(name="erase", run=erase, declare=_declare_erase),
)
