"""Gather the sentences that the engine makes, from the code that makes them, so that the window knows them again.

The engine says English and knows no other language. The window finds the sentence that it was told among these, and
says it in its own language (memdesk/gui/sentences.py). They are kept in resources/sentences.json."""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from templates import PART, Reader

from memdesk.engine.jobs.schedule import JOBS
from memdesk.engine.steering.reading import RULES
from memdesk.gui.panels.lab import lab_hits
from memdesk.gui.panels.lab.lab_why import STAGES
from memdesk.model.errors import ALL_ERRORS
from memdesk.model.goal import STATUSES
from memdesk.model.kinds import KINDS
from memdesk.model.proposal import PROPOSED, SOURCES
from memdesk.model.recall import TECHNIQUES
from memdesk.model.review import DECISIONS

ROOT = Path(__file__).resolve().parent.parent / "memdesk"
ERRORS = {error.__name__ for error in ALL_ERRORS} | {"BudgetSpent"}
TITLES = {"title", "says", "reason", "why", "default_next"}
ROOMS: dict[str, Collection[str] | None] = {
    "model/errors.py": None,
    "files": None,
    "client": None,
    "engine": None,
    "store": TITLES | ERRORS,
    "service": TITLES | ERRORS,
    "service/long_acts.py": None,
    "service/sockets.py": None,
    "service/background.py": None,
    "service/serve.py": None,
    "engine/extraction": (),
    "engine/extraction/gate.py": None,
    "engine/extraction/model_extraction.py": None,
    "engine/toolsets": TITLES,
}
"""Where the engine speaks to people, and by which calls, arguments and names: None for every text there is.

What stands elsewhere is SQL, the words of a language, or what a tool tells an agent. The longest place counts."""
SPARING = (
    "client/__init__.py",
    "client/agent_memory.py",
    "engine/beliefs/expiry.py",
    "engine/beliefs/lexicon.py",
    "engine/beliefs/mood.py",
    "engine/beliefs/reading.py",
    "engine/beliefs/values.py",
    "engine/workspace/dates.py",
    "engine/workspace/statement_cues.py",
    "engine/workspace/statements.py",
    "engine/context/keeping.py",
    "engine/context/prompt.py",
    "engine/context/sentences.py",
    "engine/context/summarisers.py",
    "engine/jobs/attempts.py",
    "engine/recall/expansion.py",
    "engine/recall/fusion.py",
    "engine/recall/query_reading.py",
    "engine/recall/query_words.py",
    "engine/recall/time_words.py",
    "engine/workspace/session_notes.py",
)
"""Files of these rooms that write to a model or hold the words of a language: errors and titles alone are said."""
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
IT = "It"
"""A file in a sentence that stands beside its name."""
NOISE = re.compile(
    r"[\n\\]|\(\?|%[sd(]|^[#\[<(>-]|\{\"|[A-Z]{3,} [A-Z]{2,}| = |^Bearer |^[a-z ]{80}|0123456789"
    r"|^[a-z_]+ (lies|should|is one|is not neg|counts|names|must|is required)|^`|`format`|should be one of|\.\.\. \("
)
"""Patterns, code, lists of words, and what only a program can ask wrongly."""
WORD = re.compile(r"[A-Za-z]{2,}")
LOOSE = {
    *("of", "to", "for", "in", "is", "on", "md", "begins", "ends", "word", "name"),
    *("it", "holds", "ended", "since", "ms"),
}
"""Words that alone tell no sentence of the engine from another's."""


def sentences() -> list[str]:
    """Every sentence that the engine makes, and the words that stand in them, in order of the alphabet."""
    found = sorted({text for text in _gathered() if _is_sentence(text)}, reverse=True)
    shapes = {PART.sub(lambda part: _shape(part[1]), text): text for text in found}
    return sorted({*shapes.values(), *_words(), *_suspicions()})


def _gathered() -> Iterator[str]:
    for file in sorted(ROOT.rglob("*.py")):
        place = file.relative_to(ROOT)
        room = max((each for each in ROOMS if place.is_relative_to(each)), key=len, default=None)
        if room is not None:
            told = TITLES | ERRORS if place.as_posix() in SPARING else ROOMS[room]
            module = ".".join(("memdesk", *place.with_suffix("").parts)).removesuffix(".__init__")
            yield from Reader(file, importlib.import_module(module), told).templates()


def _is_sentence(text: str) -> bool:
    """Whether this is told to a person, and not to be taken for what somebody else said."""
    words = WORD.findall(PART.sub(" ", text))
    return (" " in text or text.endswith(".")) and not NOISE.search(text) and not LOOSE.issuperset(words)


def _shape(part: str) -> str:
    """Parts of one shape are alike, however they are called."""
    return next((f"{{{kind}}}" for kind in ("count", "path") if part.startswith(kind)), "{}")


def _suspicions() -> Iterator[str]:
    """Yield the checkup's reasons for a fact that a rule of the quarantine finds, with the words it found."""
    for rule in RULES:
        for says in (rule.says, f"{rule.says}, in disguise"):
            yield f"{says}: “{{words}}”."


def _words() -> set[str]:
    """The words of the model that stand as parts in sentences, alone or with a number."""
    labels = [kind.label.lower() for kind in KINDS] + ["passage"]
    many = {kind.plural for kind in KINDS} | {"passages"}
    counted = {f"1 {label}" for label in labels} | {f"{{count}} {each}" for each in many}
    shares = {f"{part} {{count}}" for part in lab_hits.NAMES}
    named = {*STAGES, *lab_hits.NAMES, *TECHNIQUES, "vectors", "categories", *STATUSES, *PROPOSED, *SOURCES}
    answers = {answer for answers in DECISIONS.values() for answer in answers}
    jobs = {job.name for job in JOBS} | RUN_BY_PEOPLE | {IT}
    return (
        {*labels, *many, *(label.capitalize() for label in labels)}
        | counted
        | shares
        | named
        | answers
        | jobs
    )
