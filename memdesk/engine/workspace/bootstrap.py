"""What a session begins with: a system's standing files in its order, each and all cut where the system cuts them."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import claude_chain, directives, files
from memdesk.engine.workspace.homes import home, layout_of
from memdesk.engine.workspace.layouts.layout import Bootstrap
from memdesk.model.diary import AskPrompt, PromptPart, PromptText
from memdesk.model.errors import Refused


def bootstrap(engine: Engine, ask: AskPrompt, *, author: str, usage: str = "") -> PromptText:
    """The text a session of this agent begins with. Raises NotFound, NotAllowed, Refused where none is known.

    usage: the text of its memory tools, for a system that puts it among its directives.
    """
    workspace = home(engine, ask.workspace_id, ask.agent_id, author=author)
    if workspace.layout == claude_chain.LAYOUT:
        return claude_chain.told(engine, workspace)
    if workspace.layout in directives.LAYOUTS:
        return directives.told(engine, workspace, usage)
    facts = layout_of(workspace).bootstrap
    if facts is None:
        raise Refused(f"Nothing is known of what a session of {workspace.layout} begins with.")
    found = [(part, files.text_of(engine, workspace, part.path) or "") for part in facts.parts]
    told = [(part.path, text, cut(text, part.characters, facts.cut)) for part, text in found if text.strip()]
    whole = cut(facts.joint.join(text for _, _, text in told), facts.characters, facts.cut)
    return PromptText(text=whole, parts=_parts(told, facts))


def cut(text: str, characters: int | None, tail: str) -> str:
    """The text, or as much of it as fits with what then stands behind it."""
    return text if characters is None or len(text) <= characters else text[:characters] + tail


def _parts(told: list[tuple[str, str, str]], facts: Bootstrap) -> tuple[PromptPart, ...]:
    """How much of each file is told, where the whole is cut too."""
    parts, place = [], 0
    for path, text, shown in told:
        fits = len(shown) if facts.characters is None else max(0, min(len(shown), facts.characters - place))
        parts.append(PromptPart(path=path, size=len(text), told=min(fits, len(text))))
        place += len(shown) + len(facts.joint)
    return tuple(parts)
