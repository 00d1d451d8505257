"""Templates for the standing files that a system's agents use and a workspace lacks.

Explanations are in comments, from which no facts are read: a file that was only begun adds no memory."""

from __future__ import annotations

from pathlib import PurePosixPath

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.layouts import Layout, budget_of, layer_of, layout_named, slug
from memdesk.files.places import resource
from memdesk.model.document import DOCUMENT, WORKSPACE, Workspace
from memdesk.model.workspace import Template, TemplateList
from memdesk.store import records

FOLDER = "templates"


def templates(engine: Engine) -> TemplateList:
    """Return every standing file that a workspace lacks, with its initial text."""
    with engine.store.reading() as db:
        homes: list[Workspace] = records.find(db, WORKSPACE, retired_at=None)
        there = {
            home.id: {
                each.path.casefold()
                for each in records.find(db, DOCUMENT, workspace_id=home.id, retired_at=None)
            }
            for home in homes
        }
    return TemplateList(
        rows=tuple(
            _row(home, path)
            for home in homes
            for path in offered(layout_named(home.layout))
            if path.casefold() not in there[home.id]
        )
    )


def offered(layout: Layout) -> tuple[str, ...]:
    """Return the paths of a system's standing files that have a template, in its own order."""
    parts = layout.bootstrap.parts if layout.bootstrap is not None else ()
    paths = dict.fromkeys((*(part.path for part in parts), *layout.writable, *layout.begins))
    return tuple(path for path in paths if _file(layout, path) is not None)


def begun(layout: Layout, path: str, agent: str) -> str:
    """Return the initial text of a file. Raises FileNotFoundError for one that is not offered."""
    found = _file(layout, path)
    if found is None:
        raise FileNotFoundError(path)
    return found.replace("{agent}", agent)


def _file(layout: Layout, path: str) -> str | None:
    """Return a system's own template, else the general one; None for none."""
    name = PurePosixPath(path).name
    for place in (resource(FOLDER, slug(layout.name), name), resource(FOLDER, name)):
        if place.is_file():
            return place.read_text("utf-8")
    return None


def _row(home: Workspace, path: str) -> Template:
    layout, agent = layout_named(home.layout), home.agent_id or home.name
    return Template(
        workspace_id=home.id, workspace=home.name, agent_id=home.agent_id, path=path,
        layer=layer_of(path, home.layout), budget=budget_of(path, home.layout), text=begun(layout, path, agent),
    )  # fmt: skip
