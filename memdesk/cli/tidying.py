"""tag, merge, move, forget, restore, demote: put memory in order. Each can be undone."""

from __future__ import annotations

import argparse

from memdesk.api import curation
from memdesk.cli.command import Command, Context
from memdesk.cli.curation import done_lines
from memdesk.cli.output import plain, tallied
from memdesk.model.curation import (
    Demote,
    Forget,
    ListTags,
    Merge,
    MergePreview,
    Move,
    PreviewMerge,
    Restore,
    Tagging,
)


def _declare_demote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the copy in _global")
    parser.add_argument("--reason", default="", help="why, for the audit log")


def demote(context: Context) -> int:
    """Remove a promoted copy from `_global`; the project's fact stays."""
    done = context.call(curation.DEMOTE, Demote(fact_id=context.args.id, reason=context.args.reason))
    context.out.answer(done, done_lines("Demoted", done))
    return 0


def _declare_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a retired or superseded memory")
    parser.add_argument("--reason", default="", help="why, for the audit log")


def restore(context: Context) -> int:
    """Bring a retired or superseded memory back into recall."""
    done = context.call(curation.RESTORE, Restore(id=context.args.id, reason=context.args.reason))
    context.out.answer(done, done_lines("Restored", done))
    return 0


def _declare_forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the fact")
    parser.add_argument("--reason", default="", help="why, for the audit log")


def forget(context: Context) -> int:
    """Mark a fact as past and lower its salience and confidence; it is kept as the source of other memories."""
    done = context.call(curation.FORGET, Forget(fact_id=context.args.id, reason=context.args.reason))
    context.out.answer(done, done_lines("Forgot", done))
    return 0


def _declare_move(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a fact, an entity, a goal, a strategy or a conversation")
    parser.add_argument("to", metavar="CHANNEL", help="the channel it belongs to")
    parser.add_argument("--reason", default="", help="why, for the audit log")


def move(context: Context) -> int:
    """Move a memory to another channel, with what belongs to it."""
    args = context.args
    done = context.call(curation.MOVE, Move(id=args.id, channel=args.to, reason=args.reason))
    context.out.answer(done, done_lines("Moved", done))
    return 0


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


COMMANDS = (
    Command(name="demote", says="take a promotion back out of _global", run=demote, declare=_declare_demote),
    Command(name="restore", says="bring a retired memory back", run=restore, declare=_declare_restore),
    Command(name="forget", says="make a fact past and faint", run=forget, declare=_declare_forget),
    Command(name="move", says="move a memory to another channel", run=move, declare=_declare_move),
    Command(name="merge", says="merge a memory into another", run=merge, declare=_declare_merge),
    Command(
        name="tag",
        says="tag a memory, or list the tags there are",
        run=tag,
        declare=_declare_tag,
        scope=("user",),
    ),
)
