"""Gather the texts of the window into Qt's translation files, and make what the window loads of them.

.venv/bin/python packaging/translations.py            gather and compile; print what is not translated yet
.venv/bin/python packaging/translations.py --check    compare with the files as they are: exit code 1 if one is stale

A text without a translation is shown in English. It is printed, and never an error: translations may lag behind."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from memdesk.engine.interop.archive_export import ARCHIVE_OUT
from memdesk.engine.interop.sources import IMPORTERS
from memdesk.engine.jobs.schedule import JOBS
from memdesk.engine.workspace.page import CODE, COMMENT, HEADING, INSTRUCTION, SEPARATOR, TEMPLATE
from memdesk.gui import appearance
from memdesk.gui.language import marked_words
from memdesk.gui.panels.lab import lab_hits
from memdesk.gui.panels.lab.lab_why import STAGES
from memdesk.gui.panels.settings_panel import LOGIN
from memdesk.model.goal import STATUSES
from memdesk.model.kind import SEARCHED
from memdesk.model.kinds import BY_NAME, KINDS, PASSAGE, TABLED
from memdesk.model.recall import TECHNIQUES
from memdesk.model.review import DECISIONS, PROPOSAL
from memdesk.model.settings import Settings
from memdesk.model.standing_decision import SOURCES
from memdesk.service.serve import PERIODIC

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "resources" / "translations"
GUI = ROOT / "memdesk" / "gui"
HELP = ROOT / "resources" / "help"
ALIASES = "tr+=marked"
COUNTED = re.compile(r'\bmarked\(\s*"(%Ln[^"]*)"')
"""Texts with a number that are marked in one place and translated in another."""
GATHER = ("-locations", "none", "-no-obsolete", "-sort-messages", "-tr-function-alias", ALIASES, "-silent")
SPOKEN = ("model", "store", "files", "engine", "service", "client", "api")
"""Packages whose messages reach the window; the command line and agents read English."""
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


def main(arguments: Sequence[str]) -> int:
    """Gather, or with --check only compare; then print what is not translated. Returns the exit code."""
    wrong = list(stale()) if arguments == ["--check"] else []
    if arguments != ["--check"]:
        for file in sorted(PLACE.glob("*.ts")):
            made(file, file)
    for line in wrong:
        print(line)
    for file in sorted(PLACE.glob("*.ts")):
        for text in untranslated(file):
            print(f"{file.name}: not translated: {text}")
    for line in lagging_help():
        print(line)
    return int(bool(wrong))


def stale() -> Iterator[str]:
    """What is wrong with the files as they are, a sentence each."""
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(PLACE.glob("*.ts")):
            copy = Path(folder) / file.name
            shutil.copy(file, copy)
            made(copy, copy)
            for one, other in ((file, copy), (file.with_suffix(".qm"), copy.with_suffix(".qm"))):
                if not one.is_file() or one.read_bytes() != other.read_bytes():
                    yield f"{one.name} is stale. Run packaging/translations.py."
            known = {message.findtext("source") for message in ElementTree.parse(copy).iter("message")}
            for place, text in spoken():
                if text not in known:
                    yield f"{place} says “{text}” where it is not gathered. Take it out of the f-string."


def spoken() -> Iterator[tuple[str, str]]:
    """(place, text) of every text that the window's code says. Qt's own gathering passes over those in f-strings."""
    for file, call in _calls():
        match call:
            case ast.Call(func=ast.Name(id="tr" | "marked"), args=[ast.Constant(value=str(text)), *_]):
                yield f"{file.relative_to(ROOT)}:{call.lineno}", text
    for file, call in _calls():
        yield from ((f"{file.relative_to(ROOT)}:{call.lineno}", text) for text in _listed(call))


def _calls() -> Iterator[tuple[Path, ast.Call]]:
    for file in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield file, node


def _listed(call: ast.Call) -> tuple[str, ...]:
    """Return the texts that a call of marked_words lists."""
    match call:
        case ast.Call(func=ast.Name(id="marked_words"), args=[ast.Constant(value=str(texts))]):
            return marked_words(texts)
    return ()


def made(file: Path, into: Path) -> None:
    """Gather the texts into a translation file, and compile it beside."""
    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder) / "described.py"
        listed = (text for _, call in _calls() for text in _listed(call))
        texts = [f"tr({text!r})" for text in (*descriptions(), *listed)]
        # lupdate takes a text with a number for one without, where it meets it in `marked` first.
        sources = sorted(GUI.rglob("*.py"))
        counted = [kind.counted for kind in KINDS if "channel" in kind.columns and kind is not PROPOSAL]
        numbered = [text for path in sources for text in COUNTED.findall(path.read_text("utf-8"))]
        texts += [f"tr({text!r}, '', 2)" for text in (*numbered, *counted)]
        described.write_text("\n".join(texts), encoding="utf-8")
        sources = [described, *sources]
        tool("lupdate", *GATHER, *map(str, sources), "-ts", str(file))
    tool("lrelease", "-silent", str(file), "-qm", str(into.with_suffix(".qm")))


def descriptions() -> Iterator[str]:
    """What settings, jobs and the engine say; the window shows it, but the code that says it knows no Qt."""
    yield from sentences()
    for field in fields(Settings):
        described = field.metadata
        yield from (named(field.name), described["why"])
        yield from (each.replace("_", " ") for each in (described["unit"], *described["choices"]) if each)
    yield from map(named, (*appearance.NAMES, LOGIN))
    yield from (kind.label.lower() for kind in KINDS)
    for name in {*ARCHIVE_OUT.about.kinds, *SEARCHED} - {PASSAGE}:
        yield BY_NAME[name].plural.capitalize()
    for kind in TABLED:
        yield from (kind.label, kind.heading, f"Filter {kind.plural}", *kind.none_yet)
    for job in JOBS:
        yield from (named(job.name), job.says)
    yield from (HEADING, TEMPLATE, CODE, COMMENT, INSTRUCTION, SEPARATOR)


@cache
def sentences() -> list[str]:
    """Return every template of the engine's messages, the literals in `message("…")`, and the words of the model that
    are parts of messages, in alphabetical order."""
    files = [file for package in SPOKEN for file in sorted((ROOT / "memdesk" / package).rglob("*.py"))]
    # The journal of the sample desk has titles of its own.
    files.append(ROOT / "packaging" / "sample_stage.py")
    templates = {
        str(call.args[0].value)
        for file in files
        for call in message_calls(file)
        if isinstance(call.args[0], ast.Constant)
    }
    return sorted({*templates, *_words_of_messages()})


def message_calls(file: Path) -> Iterator[ast.Call]:
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


def _words_of_messages() -> set[str]:
    """Return the words of the model that are parts of messages."""
    labels = [kind.label.lower() for kind in KINDS] + ["passage"]
    many = {kind.plural for kind in KINDS} | {"passages"}
    named = {*STAGES, *lab_hits.NAMES, *TECHNIQUES, "vectors", "categories", *STATUSES, *DECISIONS, *SOURCES}
    answers = {answer for answers in DECISIONS.values() for answer in answers}
    jobs = {job.name for job in JOBS} | RUN_BY_PEOPLE
    formats = {each.name for each in IMPORTERS}
    numbers = {f"1 {label}" for label in (*labels, "other name", "secret")}
    numbers |= {f"{{count}} {each}" for each in (*many, "other names", "secrets")}
    words = {*labels, *many, *(label.capitalize() for label in labels), *named, *answers, *jobs}
    return words | formats | numbers | set(PERIODIC)


def named(name: str) -> str:
    """“Audit partitions” of audit_partitions, as the window says names."""
    return name.replace("_", " ").capitalize()


def untranslated(file: Path) -> Iterator[str]:
    """Texts of a translation file that have no translation."""
    for message in ElementTree.parse(file).iter("message"):
        translation = message.find("translation")
        forms = list(translation) if translation is not None else []
        said = "".join(form.text or "" for form in forms) or (
            (translation.text or "") if translation is not None else ""
        )
        if not said or (translation is not None and translation.get("type") == "unfinished"):
            yield message.findtext("source", "")


def lagging_help() -> Iterator[str]:
    """Yield the pages of the help that are not in another language, or name other keys and links there."""
    for folder in sorted(HELP.iterdir()):
        for page in sorted((HELP / "en").glob("*.md")) if folder.is_dir() and folder.name != "en" else ():
            other = folder / page.name
            if not other.is_file():
                yield f"{folder.name}/{page.name}: not translated"
            elif _keys_and_links(page) != _keys_and_links(other):
                yield f"{folder.name}/{page.name}: other keys or links than in English"


def _keys_and_links(page: Path) -> list[str]:
    return sorted(re.findall(r"`[^`]+`|\]\([^)]+\)", page.read_text(encoding="utf-8")))


def tool(name: str, *arguments: str) -> None:
    """Run one of Qt's tools as PySide6 installs them. Raises CalledProcessError."""
    subprocess.run(
        [Path(sysconfig.get_path("scripts")) / f"pyside6-{name}", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
