"""Backups: list them, make one now, or restore one."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.backup import BackupList, RestoreBackup, Restoring
from memdesk.model.status import JobState, Nothing
from memdesk.model.team import OWNER

LIST = Get(
    "backups.list",
    Nothing,
    BackupList,
    "Every backup, newest first",
    "service.desk_calls:list_backups",
    role=OWNER,
)
MAKE = Post(
    "backups.make",
    Nothing,
    JobState,
    "Back up the desk now, and test the copy",
    "service.desk_calls:make_backup",
    role=OWNER,
)
RESTORE = Post(
    "backups.restore",
    RestoreBackup,
    Restoring,
    "Put a backup in the desk's place; the service begins again with it",
    "service.desk_calls:restore_backup",
    role=OWNER,
    confirmed=True,
)
