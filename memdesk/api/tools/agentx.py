"""agentx: AgentX's memory tools, on the desk's memory of a user, a channel and the current conversation."""

from __future__ import annotations

from memdesk.api.tools.tool import Schema, Tool, Toolset, array, obj, text, whole

DIRECTIVE = """\
Past conversations are not in view by themselves: call recall_user_history when they may matter, and read_thread for
the words around something that was said.
Mark what matters in the long run with remember_fact; take back what turned out wrong with forget_fact.
Set a goal when the user wants something reached, and complete it when it is.
Record a checkpoint after a decision or a finished step: your reasoning is not kept, and older messages are
summarised."""


def _flag(says: str) -> Schema:
    return {"type": "boolean", "description": says, "default": False}


TOOLSET = Toolset(
    name="agentx",
    says="AgentX's tools: the user's history, facts, goals, and the working state of a conversation.",
    tools=(
        Tool(
            name="recall_user_history",
            title="Recall user history",
            description="What this user said in earlier conversations, about a topic or in general, with the facts "
            "that bear on it. The current conversation is left out.",
            schema=obj(
                {
                    "topic": text("What it should be about; left out for a general view"),
                    "limit": whole("Turns at most (default 10, at most 30)"),
                },
                optional=("topic", "limit"),
            ),
            reads=True,
        ),
        Tool(
            name="read_thread",
            title="Read thread",
            description="The turns of a conversation in order: the latest, or those around one of them.",
            schema=obj(
                {
                    "conversation_id": text("Which conversation, as recall_user_history names it"),
                    "around": whole("The index of the turn to read around", low=0),
                    "radius": whole("Turns before and after it (default 6)", low=0),
                    "limit": whole("Turns at most (default 15)", low=1),
                },
                optional=("around", "radius", "limit"),
            ),
            reads=True,
            repeats=True,
        ),
        Tool(
            name="remember_fact",
            title="Remember fact",
            description="Keep a fact from fading and rank it higher: name a fact you have seen, or tell a new one.",
            schema=obj(
                {
                    "fact_id": text("A fact that is known"),
                    "claim": text("A new fact, in a sentence that stands alone"),
                },
                optional=("fact_id", "claim"),
            ),
            repeats=True,
        ),
        Tool(
            name="forget_fact",
            title="Forget fact",
            description="Make a fact past and faint, so that it is no longer recalled; with `hard`, retire it.",
            schema=obj(
                {"fact_id": text("Which fact"), "hard": _flag("Retire it rather than let it fade")},
                optional=("hard",),
            ),
            destroys=True,
        ),
        Tool(
            name="add_goal",
            title="Add goal",
            description="Set a goal that the user wants reached.",
            schema=obj(
                {
                    "description": text("What is to be reached"),
                    "priority": whole("1 (least) to 5; default 3", low=1, high=5),
                    "deadline": text("By when, such as 2026-01-31T09:30:00Z"),
                    "parent_goal_id": text("The goal that this is a part of"),
                    "goal_id": text("An id of your own, which makes a second call harmless"),
                },
                optional=("priority", "deadline", "parent_goal_id", "goal_id"),
            ),
        ),
        Tool(
            name="complete_goal",
            title="Complete goal",
            description="Say what became of a goal.",
            schema=obj(
                {
                    "goal_id": text("Which goal"),
                    "status": {
                        "type": "string",
                        "enum": ["completed", "abandoned", "blocked"],
                        "default": "completed",
                    },
                    "result": text("What came of it, or what blocks it"),
                },
                optional=("status", "result"),
            ),
            repeats=True,
        ),
        Tool(
            name="checkpoint",
            title="Checkpoint",
            description="Record where the current task stands, so that it outlasts a summary of the conversation.",
            schema=obj(
                {
                    "summary": text("Where things stand, in a sentence"),
                    "decisions": array(text(), "What was decided"),
                    "next_step": text("What comes next"),
                    "replace": _flag("This takes the place of the checkpoints there are"),
                },
                optional=("decisions", "next_step", "replace"),
            ),
        ),
        Tool(
            name="scratchpad_note",
            title="Scratchpad note",
            description="Note something for the rest of this conversation; without a note, read the notes, the "
            "checkpoints and the goals under way.",
            schema=obj(
                {
                    "note": text("What to note"),
                    "replace": _flag("This takes the place of the notes there are"),
                    "read": _flag("Only read"),
                },
                optional=("note", "replace", "read"),
            ),
        ),
    ),
    directive=DIRECTIVE,
)
