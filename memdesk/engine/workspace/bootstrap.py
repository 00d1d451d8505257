"""Prompt at the start of a session: a system's standing files in its order, cut where the system cuts them."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.workspace import claude_chain, directives, files
from memdesk.engine.workspace.homes import home, layout_of
from memdesk.engine.workspace.layouts.layout import Bootstrap
from memdesk.model.diary import AskPrompt, PromptPart, PromptText
from memdesk.model.errors import Refused


def bootstrap(engine: Engine, ask: AskPrompt, *, author: str, usage: str = "") -> PromptText:
    """Return the text with which a session of this agent begins. Raises NotFound, NotAllowed, and Refused
    where the layout has none.

    usage: the usage text of its memory tools, for a system that puts it among its directives."""
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
    """Return the text, or its first `characters` characters followed by `tail` if it is longer."""
    return text if characters is None or len(text) <= characters else text[:characters] + tail


def _parts(told: list[tuple[str, str, str]], facts: Bootstrap) -> tuple[PromptPart, ...]:
    """Return how many characters of each file are in the prompt, where the joined text is cut too."""
    parts, place = [], 0
    for path, text, shown in told:
        fits = len(shown) if facts.characters is None else max(0, min(len(shown), facts.characters - place))
        parts.append(PromptPart(path=path, size=len(text), told=min(fits, len(text))))
        place += len(shown) + len(facts.joint)
    return tuple(parts)
