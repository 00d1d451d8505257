"""Projects that runtimes work on, with their channels, and the events of the runtimes' sessions."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.project import (
    BindProject,
    EnterProject,
    ForgetProject,
    HookAnswer,
    HookEvent,
    ListProjects,
    ProjectBound,
    ProjectChannel,
    ProjectList,
    SplitProject,
)
from memdesk.model.team import AGENT, OWNER

EVENT = Post(
    "hooks.event",
    HookEvent,
    HookAnswer,
    "Report an event of a session, and get the memory for the turn that begins",
    "runtimes.hooks:react",
    role=AGENT,
    here=True,
    example=HookEvent(
        moment="prompt",
        said='{"session_id": "1f0c7a52", "cwd": "/home/mara/tidepool", "prompt": "What is the pump called?"}',
    ),
)
ENTER = Post(
    "projects.enter",
    EnterProject,
    ProjectChannel,
    "Get the channel of the project that a folder belongs to",
    "runtimes.projects:enter",
    role=AGENT,
    here=True,
    example=EnterProject(folder="/home/mara/tidepool"),
    face=Face(
        "projects enter",
        about="Print the channel of the project in a folder, as a hook gets it; a new project is made.",
        positional=("folder",),
        help={"folder": "a folder of the project"},
        line="{channel}",
    ),
)
LIST = Get(
    "projects.list",
    ListProjects,
    ProjectList,
    "A user's projects with their channels",
    "runtimes.projects:projects",
    role=OWNER,
    example=ListProjects(),
    face=Face(
        "projects list",
        about="List the projects, or say to which one a folder belongs.",
        help={"folder": "only the project of this folder"},
        columns="CHANNEL {channel} | PROJECT {name} | FOLDER {root} | KNOWN BY {identity}",
        none="No project yet; the first session of a runtime in a folder makes one.",
    ),
)
BIND = Post(
    "projects.bind",
    BindProject,
    ProjectBound,
    "Give the project in a folder another channel",
    "runtimes.projects:bind",
    role=OWNER,
    example=BindProject(folder="/home/mara/tidepool", channel="harbour"),
    face=Face(
        "projects bind",
        about="Give the project in a folder another channel; two projects with one channel share their memory.",
        positional=("folder", "channel"),
        help={"folder": "a folder of the project", "channel": "the channel it is to have"},
        line="Project {name} has channel {channel}.{change:? (change {change})}",
    ),
)
SPLIT = Post(
    "projects.split",
    SplitProject,
    ProjectBound,
    "Give the project in a folder a channel of its own",
    "runtimes.projects:split",
    role=OWNER,
    example=SplitProject(folder="/home/mara/tidepool", channel="tidepool"),
    face=Face(
        "projects split",
        about="Give the project in a folder a channel that no other project has. What it remembers stays where it is.",
        positional=("folder",),
        help={
            "folder": "a folder of the project",
            "channel": "the name of the channel (default: one that is free)",
        },
        line="Project {name} has channel {channel}.{change:? (change {change})}",
    ),
)
FORGET = Post(
    "projects.forget",
    ForgetProject,
    ProjectBound,
    "Take a project off the list; its channel keeps what it remembers",
    "runtimes.projects:forget",
    role=OWNER,
    example=ForgetProject(folder="/home/mara/tidepool"),
    face=Face(
        "projects forget",
        about="Take a project off the list, such as one whose folder is gone. Its channel keeps what it remembers.",
        positional=("folder",),
        help={"folder": "the project's folder, as listed"},
        line="Project {name} is off the list; channel {channel} keeps its memory.{change:? (change {change})}",
    ),
)
