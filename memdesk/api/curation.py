"""Curation: changes a person makes to memory. Each except an erasure can be undone."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.browse import PromotionPreview
from memdesk.model.curation import (
    ActReading,
    Bulk,
    BulkPreview,
    Curated,
    Demote,
    EditEntity,
    EditFact,
    EditRelation,
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
    ReadAct,
    Redo,
    RenameTag,
    Rescue,
    Restore,
    Retire,
    Revocation,
    RevocationPreview,
    Tagged,
    Tagging,
    TagList,
    Trust,
    Undo,
    Undone,
    UndoRun,
    Unlink,
)
from memdesk.model.fact import CATEGORIES, TEMPORAL
from memdesk.model.job import Redone
from memdesk.model.status import JobState
from memdesk.model.team import AGENT, CURATOR, OWNER, READER

CHANGED = "change {change}: “{title}” {id}"
"""Line of a finished change on the command line."""
PREVIEW_PROMOTION = Get(
    "curation.preview_promotion",
    PreviewPromotion,
    PromotionPreview,
    "What promoting would do",
    "memory.promotion:preview_promotion",
    role=CURATOR,
)
PROMOTE = Post(
    "curation.promote",
    Promote,
    Curated,
    "Promote a fact to _global",
    "memory.promotion:promote",
    role=CURATOR,
)
DEMOTE = Post(
    "curation.demote",
    Demote,
    Curated,
    "Take a promotion out of _global",
    "memory.curate:demote",
    role=CURATOR,
    face=Face(
        "demote",
        about="Remove a promoted copy from `_global`; the project's fact stays.",
        positional=("fact_id",),
        help={"fact_id": "the copy in _global"},
        line="Demoted as " + CHANGED,
    ),
)
EDIT_FACT = Post(
    "curation.edit_fact",
    EditFact,
    Curated,
    "Correct a fact",
    "memory.curate:edit_fact",
    role=CURATOR,
    face=Face(
        "edit",
        positional=("fact_id", "claim"),
        help={
            "claim": "the corrected claim",
            "was": "the claim as you saw it; another one now is a conflict",
            "category": ", ".join(CATEGORIES),
            "temporal": "when it holds",
        },
        choices={"temporal": TEMPORAL},
        line="Corrected as " + CHANGED,
    ),
)
EDIT_ENTITY = Post(
    "curation.edit_entity",
    EditEntity,
    Curated,
    "Rename, retype or describe an entity",
    "memory.graph_edits:edit_entity",
    role=CURATOR,
    face=Face(
        "edit-entity",
        about="Rename, retype or describe an entity; its old name stays as another name.",
        positional=("entity_id",),
        help={
            "was": "its name as you saw it; another one now is a conflict",
            "name": "its new name",
            "aliases": "another name to add",
            "drop_aliases": "another name to remove",
        },
        line="Corrected as " + CHANGED,
    ),
)
EDIT_RELATION = Post(
    "curation.edit_relation",
    EditRelation,
    Curated,
    "Change the type of a relation",
    "memory.graph_edits:edit_relation",
    role=CURATOR,
    face=Face(
        "edit-relation",
        about="Change the type or the confidence of a relation; `memdesk retire` removes one.",
        positional=("relation_id", "type"),
        help={"type": "the relation, such as WORKS_FOR"},
        line="Corrected as " + CHANGED,
    ),
)
RETIRE = Post(
    "curation.retire",
    Retire,
    Curated,
    "Retire a memory",
    "memory.curate:retire",
    role=CURATOR,
    face=Face(
        "retire",
        about="Hide a memory from recall; nothing is deleted.",
        positional=("id",),
        help={"id": "a fact, an entity, a turn or a relation"},
        line="Retired as " + CHANGED,
    ),
)
RESTORE = Post(
    "curation.restore",
    Restore,
    Curated,
    "Bring a retired memory back",
    "memory.curate:restore",
    role=CURATOR,
    face=Face(
        "restore",
        about="Bring a retired or superseded memory back into recall.",
        positional=("id",),
        help={"id": "a retired or superseded memory"},
        line="Restored as " + CHANGED,
    ),
)
FORGET = Post(
    "curation.forget",
    Forget,
    Curated,
    "Make a fact past and faint",
    "memory.curate:forget",
    role=CURATOR,
    face=Face(
        "forget",
        about="Mark a fact as past and lower its salience and confidence; it is kept as the source of other"
        " memories.",
        positional=("fact_id",),
        line="Forgot as " + CHANGED,
    ),
)
MOVE = Post(
    "curation.move",
    Move,
    Curated,
    "Move a memory to another channel",
    "memory.scope:move",
    role=CURATOR,
    face=Face(
        "move",
        about="Move a memory to another channel, with what belongs to it.",
        positional=("id", "channel"),
        help={
            "id": "a fact, an entity, a goal, a strategy or a conversation",
            "channel": "the channel it goes to",
        },
        line="Moved as " + CHANGED,
    ),
)
LINK = Post(
    "curation.link",
    Link,
    Curated,
    "Say that a fact is about an entity",
    "memory.scope:link",
    role=CURATOR,
    face=Face(
        "link",
        about="Link a fact to an entity that it is about.",
        positional=("fact_id", "entity_id"),
        line="Linked as " + CHANGED,
    ),
)
UNLINK = Post(
    "curation.unlink",
    Unlink,
    Curated,
    "Say that it is not",
    "memory.scope:unlink",
    role=CURATOR,
    face=Face(
        "unlink",
        about="Remove the link between a fact and an entity.",
        positional=("fact_id", "entity_id"),
        line="Unlinked as " + CHANGED,
    ),
)
PREVIEW_MERGE = Get(
    "curation.preview_merge",
    PreviewMerge,
    MergePreview,
    "What merging would do",
    "memory.merge:preview_merge",
    role=CURATOR,
)
MERGE = Post(
    "curation.merge", Merge, Curated, "Merge a memory into another", "memory.merge:merge", role=CURATOR
)
TAG = Post("curation.tag", Tagging, Tagged, "Add tags to a memory", "memory.tags:tag", role=AGENT)
UNTAG = Post(
    "curation.untag", Tagging, Tagged, "Take tags away from a memory", "memory.tags:untag", role=CURATOR
)
RENAME_TAG = Post(
    "curation.rename_tag",
    RenameTag,
    Curated,
    "Rename a tag everywhere",
    "memory.tags:rename_tag",
    role=CURATOR,
    face=Face(
        "rename-tag",
        about="Rename a tag on all memories; two tags of one name become one.",
        positional=("tag", "name"),
        options={"name": "new-name"},
        help={"name": "its new name"},
        line="{title} (change {change})",
    ),
)
TAGS = Get(
    "curation.tags",
    ListTags,
    TagList,
    "Tags and how many memories carry them",
    "memory.tags:list_tags",
    role=READER,
)
PIN = Post(
    "curation.pin",
    Pin,
    Curated,
    "Pin or unpin a memory",
    "memory.curate:pin",
    role=CURATOR,
    face=Face(
        "pin",
        about="Pin a memory, so that it does not fade, or unpin it.",
        positional=("id",),
        options={"pinned": "off"},
        help={"id": "a memory", "pinned": "unpin it"},
        line="{title} (change {change})",
    ),
)
RESCUE = Post(
    "curation.rescue",
    Rescue,
    Curated,
    "Rescue a fading memory",
    "memory.curate:rescue",
    role=CURATOR,
    face=Face(
        "rescue",
        about="Set the salience of a fading memory to the setting rescue_salience.",
        positional=("id",),
        help={"id": "a fading memory"},
        line="Rescued as " + CHANGED,
    ),
)
TRUST = Post(
    "curation.trust",
    Trust,
    Curated,
    "Trust a memory from elsewhere",
    "memory.curate:trust",
    role=CURATOR,
    face=Face(
        "trust",
        about="Trust a memory that came from a tool, a page, a file or an import as if you had said it.",
        positional=("id",),
        help={"id": "a memory that agents are told as quoted"},
        line="Trusted as " + CHANGED,
    ),
)
UNDO = Post("curation.undo", Undo, Undone, "Take a change back", "undo:undo", role=CURATOR)
UNDO_RUN = Post(
    "curation.undo_run",
    UndoRun,
    JobState,
    "Start taking a whole run of changes back",
    "undo:undo_run",
    role=CURATOR,
    act="undo",
)
REDO = Post(
    "curation.redo",
    Redo,
    Redone,
    "Take the latest undo back",
    "service.desk_calls:redo",
    role=CURATOR,
)
PREVIEW_BULK = Post(
    "curation.preview_bulk",
    Bulk,
    BulkPreview,
    "What one act on many memories would do",
    "memory.bulk:preview_bulk",
    role=CURATOR,
    reads=True,
)
BULK = Post(
    "curation.bulk",
    Bulk,
    JobState,
    "Start one act on many memories, a run",
    "memory.bulk:bulk",
    role=CURATOR,
    act="bulk",
    check="memory.bulk:check",
)
READ_ACT = Post(
    "curation.read_act",
    ReadAct,
    ActReading,
    "Read an act on a set of memories in words, and preview it",
    "browsing.set_acts:read",
    role=CURATOR,
    reads=True,
)
PREVIEW_REVOCATION = Post(
    "curation.preview_revocation",
    Revocation,
    RevocationPreview,
    "What descends from a source",
    "revoking:preview",
    role=OWNER,
    reads=True,
)
REVOKE = Post(
    "curation.revoke",
    Revocation,
    JobState,
    "Start taking out all that descends from a source",
    "revoking:revoke",
    role=OWNER,
    act="revoke",
    check="revoking:check",
)
ERASE_USER = Post(
    "curation.erase_user",
    EraseUser,
    JobState,
    "Erase everything of one user, for good",
    "memory.erase:erase_user",
    role=OWNER,
    confirmed=True,
    act="erase",
    check="memory.erase:check",
)
