"""Curation: what a person does to memory. Every call can be taken back."""

from __future__ import annotations

from typing import Any

from memdesk.contract.endpoint import Endpoint
from memdesk.model.browse import PromotionPreview
from memdesk.model.curation import (
    Curated,
    EditFact,
    EraseUser,
    Pin,
    PreviewPromotion,
    Promote,
    Redo,
    Rescue,
    Retire,
    Undo,
    Undone,
    UndoRun,
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
EDIT_FACT = Endpoint("curation.edit_fact", "POST", EditFact, Curated, "Correct a fact", owner=True)
RETIRE = Endpoint("curation.retire", "POST", Retire, Curated, "Retire a memory", owner=True)
PIN = Endpoint("curation.pin", "POST", Pin, Curated, "Pin or unpin a memory", owner=True)
RESCUE = Endpoint("curation.rescue", "POST", Rescue, Curated, "Rescue a fading memory", owner=True)
UNDO = Endpoint("curation.undo", "POST", Undo, Undone, "Take a change back", owner=True)
UNDO_RUN = Endpoint(
    "curation.undo_run", "POST", UndoRun, JobState, "Start taking a whole run of changes back", owner=True
)
REDO = Endpoint("curation.redo", "POST", Redo, Undone, "Take the latest undo back", owner=True)
ERASE_USER = Endpoint(
    "curation.erase_user", "POST", EraseUser, JobState, "Erase everything of one user, for good", owner=True
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    PREVIEW_PROMOTION,
    PROMOTE,
    EDIT_FACT,
    RETIRE,
    PIN,
    RESCUE,
    UNDO,
    UNDO_RUN,
    REDO,
    ERASE_USER,
)
