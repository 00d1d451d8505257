"""Curation: changes a person makes to memory. Each except an erasure can be undone."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
from memdesk.model.browse import PromotionPreview
from memdesk.model.curation import (
    Bulk,
    BulkPreview,
    Curated,
    Demote,
    EditFact,
    EraseUser,
    Forget,
    Link,
    ListTags,
    Merge,
    MergePreview,
    Move,
    Pin,
    PreviewMerge,
    PreviewPromotion,
    Promote,
    Redo,
    RenameTag,
    Rescue,
    Restore,
    Retire,
    Tagged,
    Tagging,
    TagList,
    Undo,
    Undone,
    UndoRun,
    Unlink,
)
from memdesk.model.status import JobState

CHANGED = "change {change}: “{title}” {id}"
"""How a finished change is shown."""
PREVIEW_PROMOTION = Endpoint(
    "curation.preview_promotion",
    "GET",
    PreviewPromotion,
    PromotionPreview,
    "What promoting would do",
    owner=True,
    verb="engine.memory.promotion:preview_promotion",
)
PROMOTE = Endpoint(
    "curation.promote",
    "POST",
    Promote,
    Curated,
    "Promote a fact to _global",
    owner=True,
    verb="engine.memory.promotion:promote",
)
DEMOTE = Endpoint(
    "curation.demote",
    "POST",
    Demote,
    Curated,
    "Take a promotion out of _global",
    owner=True,
    verb="engine.memory.curate:demote",
    face=Face(
        words="demote",
        about="Remove a promoted copy from `_global`; the project's fact stays.",
        positional=("fact_id",),
        help={"fact_id": "the copy in _global"},
        line="Demoted as " + CHANGED,
    ),
)
EDIT_FACT = Endpoint(
    "curation.edit_fact",
    "POST",
    EditFact,
    Curated,
    "Correct a fact",
    owner=True,
    verb="engine.memory.curate:edit_fact",
)
RETIRE = Endpoint(
    "curation.retire",
    "POST",
    Retire,
    Curated,
    "Retire a memory",
    owner=True,
    verb="engine.memory.curate:retire",
    face=Face(
        words="retire",
        about="Hide a memory from recall; nothing is deleted.",
        positional=("id",),
        help={"id": "a fact, an entity, a turn or a relation"},
        line="Retired as " + CHANGED,
    ),
)
RESTORE = Endpoint(
    "curation.restore",
    "POST",
    Restore,
    Curated,
    "Bring a retired memory back",
    owner=True,
    verb="engine.memory.curate:restore",
    face=Face(
        words="restore",
        about="Bring a retired or superseded memory back into recall.",
        positional=("id",),
        help={"id": "a retired or superseded memory"},
        line="Restored as " + CHANGED,
    ),
)
FORGET = Endpoint(
    "curation.forget",
    "POST",
    Forget,
    Curated,
    "Make a fact past and faint",
    owner=True,
    verb="engine.memory.curate:forget",
    face=Face(
        words="forget",
        about="Mark a fact as past and lower its salience and confidence; it is kept as the source of other memories.",
        positional=("fact_id",),
        line="Forgot as " + CHANGED,
    ),
)
MOVE = Endpoint(
    "curation.move",
    "POST",
    Move,
    Curated,
    "Move a memory to another channel",
    owner=True,
    verb="engine.memory.scope:move",
    face=Face(
        words="move",
        about="Move a memory to another channel, with what belongs to it.",
        positional=("id", "channel"),
        help={
            "id": "a fact, an entity, a goal, a strategy or a conversation",
            "channel": "the channel it belongs to",
        },
        line="Moved as " + CHANGED,
    ),
)
LINK = Endpoint(
    "curation.link",
    "POST",
    Link,
    Curated,
    "Say that a fact is about an entity",
    owner=True,
    verb="engine.memory.scope:link",
    face=Face(
        words="link",
        about="Link a fact to an entity that it is about.",
        positional=("fact_id", "entity_id"),
        line="Linked as " + CHANGED,
    ),
)
UNLINK = Endpoint(
    "curation.unlink",
    "POST",
    Unlink,
    Curated,
    "Say that it is not",
    owner=True,
    verb="engine.memory.scope:unlink",
    face=Face(
        words="unlink",
        about="Remove the link between a fact and an entity.",
        positional=("fact_id", "entity_id"),
        line="Unlinked as " + CHANGED,
    ),
)
PREVIEW_MERGE = Endpoint(
    "curation.preview_merge",
    "GET",
    PreviewMerge,
    MergePreview,
    "What merging would do",
    owner=True,
    verb="engine.memory.merge:preview_merge",
)
MERGE = Endpoint(
    "curation.merge",
    "POST",
    Merge,
    Curated,
    "Merge a memory into another",
    owner=True,
    verb="engine.memory.merge:merge",
)
TAG = Endpoint("curation.tag", "POST", Tagging, Tagged, "Add tags to a memory", verb="engine.memory.tags:tag")
UNTAG = Endpoint(
    "curation.untag",
    "POST",
    Tagging,
    Tagged,
    "Take tags away from a memory",
    owner=True,
    verb="engine.memory.tags:untag",
)
RENAME_TAG = Endpoint(
    "curation.rename_tag",
    "POST",
    RenameTag,
    Curated,
    "Rename a tag everywhere",
    owner=True,
    verb="engine.memory.tags:rename_tag",
    face=Face(
        words="rename-tag",
        about="Rename a tag on all memories; two tags of one name become one.",
        positional=("tag", "name"),
        options={"name": "new name"},
        line="{title} (change {change})",
    ),
)
TAGS = Endpoint(
    "curation.tags",
    "GET",
    ListTags,
    TagList,
    "Tags and how many memories carry them",
    verb="engine.memory.tags:list_tags",
)
PIN = Endpoint(
    "curation.pin",
    "POST",
    Pin,
    Curated,
    "Pin or unpin a memory",
    owner=True,
    verb="engine.memory.curate:pin",
    face=Face(
        words="pin",
        about="Pin a memory, so that it does not fade, or unpin it.",
        positional=("id",),
        options={"pinned": "off"},
        help={"pinned": "unpin it"},
        line="{title} (change {change})",
    ),
)
RESCUE = Endpoint(
    "curation.rescue",
    "POST",
    Rescue,
    Curated,
    "Rescue a fading memory",
    owner=True,
    verb="engine.memory.curate:rescue",
    face=Face(
        words="rescue",
        about="Set the salience of a fading memory to the rescue value.",
        positional=("id",),
        line="Rescued as " + CHANGED,
    ),
)
UNDO = Endpoint(
    "curation.undo", "POST", Undo, Undone, "Take a change back", owner=True, verb="engine.undo:undo"
)
UNDO_RUN = Endpoint(
    "curation.undo_run",
    "POST",
    UndoRun,
    JobState,
    "Start taking a whole run of changes back",
    owner=True,
    verb="engine.undo:undo_run",
    act="undo",
)
REDO = Endpoint(
    "curation.redo",
    "POST",
    Redo,
    Undone,
    "Take the latest undo back",
    owner=True,
    verb="service.job_calls:redo",
    face=Face(
        words="redo",
        about="Redo your own latest undone change.",
        line="{title} (change {change} takes change {undid} back)",
    ),
)
PREVIEW_BULK = Endpoint(
    "curation.preview_bulk",
    "POST",
    Bulk,
    BulkPreview,
    "What one act on many memories would do",
    owner=True,
    verb="engine.memory.bulk:preview_bulk",
    reads=True,
)
BULK = Endpoint(
    "curation.bulk",
    "POST",
    Bulk,
    JobState,
    "Start one act on many memories, a run",
    owner=True,
    verb="engine.memory.bulk:bulk",
    act="bulk",
    check="engine.memory.bulk:check",
)
ERASE_USER = Endpoint(
    "curation.erase_user",
    "POST",
    EraseUser,
    JobState,
    "Erase everything of one user, for good",
    owner=True,
    verb="engine.memory.erase:erase_user",
    act="erase",
    check="engine.memory.erase:check",
)
