"""Gather the templates of the engine's messages: the literals in `message("…")`, which are their ids.

Qt's lupdate takes them as sources (translations.py), beside the words of the model that are parts of messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from memdesk.engine.interop.sources import IMPORTERS
from memdesk.engine.jobs.schedule import JOBS
from memdesk.gui.panels.lab import lab_hits
from memdesk.gui.panels.lab.lab_why import STAGES
from memdesk.model.goal import STATUSES
from memdesk.model.kinds import KINDS
from memdesk.model.proposal import PROPOSED, SOURCES
from memdesk.model.recall import TECHNIQUES
from memdesk.model.review import DECISIONS
from memdesk.service.serve import PERIODIC

ROOT = Path(__file__).resolve().parent.parent / "memdesk"
SPOKEN = ("model", "store", "files", "engine", "service", "client", "api")
"""Packages whose messages reach the window; the command line and agents read English."""
PART = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
RUN_BY_PEOPLE = {
    "bulk",
    "channels",
    "embedding",
    "erase",
    "export",
    "files",
    "import",
    "review",
    "undo",
    "verify",
}
"""Names of the jobs that no clock starts."""


@cache
def sentences() -> list[str]:
    """Return every template of the engine, and the words that are parts, in alphabetical order."""
    files = [file for package in SPOKEN for file in sorted((ROOT / package).rglob("*.py"))]
    # The journal of the sample desk has titles of its own.
    files.append(ROOT.parent / "packaging" / "sample_stage.py")
    templates = {
        str(call.args[0].value)
        for file in files
        for call in calls_in(file)
        if isinstance(call.args[0], ast.Constant)
    }
    return sorted({*templates, *_words()})


def calls_in(file: Path) -> Iterator[ast.Call]:
    """Yield the calls of `message` in a module, under the name by which it imports it."""
    text = file.read_text(encoding="utf-8")
    if "message" not in text:
        return
    tree = ast.parse(text)
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "memdesk.model.message"
        for alias in node.names
        if alias.name == "message"
    } or ({"message"} if file.name == "message.py" else set())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def _words() -> set[str]:
    """Return the words of the model that are parts of messages."""
    labels = [kind.label.lower() for kind in KINDS] + ["passage"]
    many = {kind.plural for kind in KINDS} | {"passages"}
    named = {*STAGES, *lab_hits.NAMES, *TECHNIQUES, "vectors", "categories", *STATUSES, *PROPOSED, *SOURCES}
    answers = {answer for answers in DECISIONS.values() for answer in answers}
    jobs = {job.name for job in JOBS} | RUN_BY_PEOPLE
    formats = {each.name for each in IMPORTERS}
    numbers = {f"1 {label}" for label in (*labels, "other name", "secret")}
    numbers |= {f"{{count}} {each}" for each in (*many, "other names", "secrets")}
    words = {*labels, *many, *(label.capitalize() for label in labels), *named, *answers, *jobs}
    return words | formats | numbers | set(PERIODIC)
