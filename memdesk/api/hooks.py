"""Hooks: the events of a runtime's sessions."""

from __future__ import annotations

from memdesk.api.endpoint import Post
from memdesk.model.hook import HookAnswer, HookEvent

EVENT = Post(
    "hooks.event",
    HookEvent,
    HookAnswer,
    "Report an event of a session, and get the memory for the turn that begins",
    "runtimes.hooks:react",
    example=HookEvent(
        moment="prompt",
        said='{"session_id": "1f0c7a52", "cwd": "/home/mara/tidepool", "prompt": "What is the pump called?"}',
    ),
)
