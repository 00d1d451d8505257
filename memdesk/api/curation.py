"""Curation: changes a person makes to memory. Each except an erasure can be undone."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
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

PREVIEW_PROMOTION = Endpoint(
    "curation.preview_promotion",
    "GET",
    PreviewPromotion,
    PromotionPreview,
    "What promoting would do",
    owner=True,
)
PROMOTE = Endpoint("curation.promote", "POST", Promote, Curated, "Promote a fact to _global", owner=True)
DEMOTE = Endpoint("curation.demote", "POST", Demote, Curated, "Take a promotion out of _global", owner=True)
EDIT_FACT = Endpoint("curation.edit_fact", "POST", EditFact, Curated, "Correct a fact", owner=True)
RETIRE = Endpoint("curation.retire", "POST", Retire, Curated, "Retire a memory", owner=True)
RESTORE = Endpoint("curation.restore", "POST", Restore, Curated, "Bring a retired memory back", owner=True)
FORGET = Endpoint("curation.forget", "POST", Forget, Curated, "Make a fact past and faint", owner=True)
MOVE = Endpoint("curation.move", "POST", Move, Curated, "Move a memory to another channel", owner=True)
LINK = Endpoint("curation.link", "POST", Link, Curated, "Say that a fact is about an entity", owner=True)
UNLINK = Endpoint("curation.unlink", "POST", Unlink, Curated, "Say that it is not", owner=True)
PREVIEW_MERGE = Endpoint(
    "curation.preview_merge", "GET", PreviewMerge, MergePreview, "What merging would do", owner=True
)
MERGE = Endpoint("curation.merge", "POST", Merge, Curated, "Merge a memory into another", owner=True)
TAG = Endpoint("curation.tag", "POST", Tagging, Tagged, "Add tags to a memory")
UNTAG = Endpoint("curation.untag", "POST", Tagging, Tagged, "Take tags away from a memory", owner=True)
RENAME_TAG = Endpoint(
    "curation.rename_tag", "POST", RenameTag, Curated, "Rename a tag everywhere", owner=True
)
TAGS = Endpoint("curation.tags", "GET", ListTags, TagList, "Tags and how many memories carry them")
PIN = Endpoint("curation.pin", "POST", Pin, Curated, "Pin or unpin a memory", owner=True)
RESCUE = Endpoint("curation.rescue", "POST", Rescue, Curated, "Rescue a fading memory", owner=True)
UNDO = Endpoint("curation.undo", "POST", Undo, Undone, "Take a change back", owner=True)
UNDO_RUN = Endpoint(
    "curation.undo_run", "POST", UndoRun, JobState, "Start taking a whole run of changes back", owner=True
)
REDO = Endpoint("curation.redo", "POST", Redo, Undone, "Take the latest undo back", owner=True)
PREVIEW_BULK = Endpoint(
    "curation.preview_bulk", "POST", Bulk, BulkPreview, "What one act on many memories would do", owner=True
)
BULK = Endpoint("curation.bulk", "POST", Bulk, JobState, "Start one act on many memories, a run", owner=True)
ERASE_USER = Endpoint(
    "curation.erase_user", "POST", EraseUser, JobState, "Erase everything of one user, for good", owner=True
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    PREVIEW_PROMOTION,
    PROMOTE,
    DEMOTE,
    EDIT_FACT,
    RETIRE,
    RESTORE,
    FORGET,
    MOVE,
    LINK,
    UNLINK,
    PREVIEW_MERGE,
    MERGE,
    TAG,
    UNTAG,
    RENAME_TAG,
    TAGS,
    PIN,
    RESCUE,
    UNDO,
    UNDO_RUN,
    REDO,
    PREVIEW_BULK,
    BULK,
    ERASE_USER,
)
