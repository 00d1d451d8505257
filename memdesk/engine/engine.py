"""Engine: the shared objects that every operation receives as its first argument."""

from __future__ import annotations

import getpass
import logging
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol, TypeVar

from memdesk.engine.beliefs.reading import READER, keys
from memdesk.engine.known_agents import FileRegister, KnownAgents, SharedRegister
from memdesk.engine.mark import MarkKeeper
from memdesk.engine.providers.embedder import Embedder
from memdesk.engine.providers.mem0_library import Mem0Stores
from memdesk.engine.providers.meter import Meter
from memdesk.engine.providers.models import LanguageModel, Models
from memdesk.engine.recall_cache import ANSWERS, Answered, BoundedCache, RecallMetrics, RememberingEmbedder
from memdesk.engine.secrets.vault import Vault
from memdesk.files.notices import DAMAGED, Notices
from memdesk.files.places import Desk
from memdesk.files.transcripts import Places
from memdesk.model.change import Applied, Change
from memdesk.model.settings import Settings
from memdesk.model.tool_call import ToolCall
from memdesk.model.turn import Turn
from memdesk.store import fading
from memdesk.store.audit_log import policy_of
from memdesk.store.connection import Connection, Damage
from memdesk.store.store import Store

log = logging.getLogger(__name__)


def now() -> int:
    """Return the present time in UTC microseconds."""
    return time.time_ns() // 1000


def log_failure(says: str, written: Future[Any]) -> None:
    """Log the failure of a write that nobody waits for. says: what was lost by it."""
    if error := written.exception():
        log.error(says, exc_info=error)


T = TypeVar("T")
Verb = Callable[[Connection], tuple[Change | None, T]]
"""Operation on the writer thread: reads, and returns its change with its result."""


class Deciding(Protocol):
    """Carries out an operation on facts, and updates the files that the facts are read from in the same change."""

    def __call__(
        self, engine: Engine, verb: Verb[T], about: Collection[str], *, forgotten: Collection[str] = ()
    ) -> tuple[Applied | None, T]: ...


def decide_without_files(
    engine: Engine, verb: Verb[T], about: Collection[str], *, forgotten: Collection[str] = ()
) -> tuple[Applied | None, T]:
    """Carry out an operation on facts, and leave files as they are."""
    return engine.store.decide(verb)


def note_nothing(_engine: Engine, _new: Sequence[T], _author: str) -> None:
    """Keep nothing of new turns or calls in files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noting:
    """Notes that agents' files get by themselves. turns, calls: called after new ones were stored, and never raise."""

    turns: Callable[[Engine, Sequence[Turn], str], None] = note_nothing
    calls: Callable[[Engine, Sequence[ToolCall], str], None] = note_nothing


@dataclass(slots=True)
class Engine:
    """Open desk with its store, models, caches and settings. Thread-safe; operations may run on any thread.

    Not frozen, because settings change while it runs: `use` replaces them all at once, and the models with
    them."""

    desk: Desk
    store: Store
    embedder: Embedder
    settings: Settings
    clock: Callable[[], int]
    language: LanguageModel | None = None
    mark: MarkKeeper | None = None
    deciding: Deciding = decide_without_files
    noting: Noting = Noting()
    notices: Notices = field(init=False)
    recall_metrics: RecallMetrics = field(default_factory=RecallMetrics)
    transcripts: Places = field(default_factory=Places)
    vault: Vault = field(init=False)
    answers: BoundedCache[Answered] = field(init=False)
    models: Models = field(init=False)
    mem0: Mem0Stores = field(init=False)
    agents: KnownAgents = field(init=False)

    facts_embedded: int = 0
    """Search number up to which every fact has a vector by the model for facts."""
    facts_compared: int | None = None
    """Number of the change up to which facts were compared by meaning as they came; None before the first time."""

    facts_model: RememberingEmbedder | None = field(init=False, default=None)
    """Model that compares facts, with the vectors of recent queries; None if there is none."""

    _queries: RememberingEmbedder = field(init=False)

    def __post_init__(self) -> None:
        self.vault = Vault(self.desk.folder, self.clock)
        self.store.guard_by(self.vault.guard)
        meter = Meter(self.store, self.clock, lambda: self.settings)
        self.models = Models(meter, self.settings, embedder=self.embedder, language=self.language)
        self._remember_queries()
        self.notices = Notices(self.desk.notices)
        self.store.watch_damage(self._note_damage)
        self.mem0 = Mem0Stores(self.desk.mem0)
        tokens = self.desk.agent_tokens
        shared = self.desk.address is not None
        self.agents = KnownAgents(
            self.store, SharedRegister(self.store, tokens) if shared else FileRegister(tokens)
        )
        self.answers = BoundedCache("bundles", ANSWERS, self.recall_metrics)

    @property
    def person(self) -> str:
        """Name of the desk's owner."""
        return self.settings.person or _account()

    def use(self, settings: Settings) -> None:
        """Apply other settings from now on. After a change of embedder, every memory waits for a new vector."""
        self.settings = settings
        before, facts = self.models.embedder, self.models.facts
        self.models.use(settings)
        if (self.models.facts is None) != (facts is None):
            self.compare_facts()
        self.language = self.models.language
        if self.models.embedder is not before:
            self._remember_queries()
        name = self.models.embedder.name
        self.store.maintain(lambda _db, index, _journal: index.use_model(name)).result()
        self.store.maintain(lambda _db, index, _journal: index.read_claims(keys, READER)).result()
        self.store.submit(lambda db: fading.use_decay(db, settings.decay_per_day)).result()
        self.store.audit_by(policy_of(settings))
        self.store.use_replica(settings.recall_replica, settings.recall_replica_lag_seconds)

    def _note_damage(self, damage: Damage) -> None:
        """Raise a notice about a damaged row, only one however often the row is read."""
        name = damage.id or f"{damage.kind} {damage.seq}"
        self.notices.note(DAMAGED, f"{damage.kind} {damage.seq}", name, self.clock())

    def language_for(self, stage: str) -> LanguageModel | None:
        """Return the language model of one of MODEL_STAGES: its own, else the desk's."""
        name = getattr(self.settings, f"{stage}_model_name")
        return self.models.language_named(name, self.settings) or self.language if name else self.language

    def decide(
        self, verb: Verb[T], about: Collection[str], *, forgotten: Collection[str] = ()
    ) -> tuple[Applied | None, T]:
        """Carry out an operation about facts, with the lines of files that they are read from in the same change.

        forgotten: facts that are kept while their lines are removed. Raises the operation's errors, and Conflict or
        StorageFailed if a file cannot be written; nothing is changed then."""
        return self.deciding(self, verb, about, forgotten=forgotten)

    def forget(self) -> None:
        """Drop the cached queries and answers, which are kept in memory to answer sooner."""
        self._queries.forget()
        if self.facts_model is not None:
            self.facts_model.forget()
        self.store.forget()
        self.answers.clear()

    def close(self) -> None:
        self.models.close()
        self.mem0.close()
        self.store.close()
        if self.mark is not None:
            self.mark.close()

    def _remember_queries(self) -> None:
        self.embedder = self._queries = RememberingEmbedder(
            self.models.embedder, self.recall_metrics, lambda: self.store.dimension
        )

    def compare_facts(self) -> None:
        """Compare facts by the model for facts from now on; those without a vector of it wait for one."""
        model, self.facts_embedded = self.models.facts, 0
        self.facts_model = (
            None
            if model is None
            else RememberingEmbedder(model, self.recall_metrics, lambda: model.dimension)
        )


@cache
def _account() -> str:
    try:
        return getpass.getuser().capitalize()
    except (KeyError, OSError):
        # A container may run under a number that no account has.
        return "Owner"
