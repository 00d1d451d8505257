"""Engine: the shared objects that every operation receives as its first argument."""

from __future__ import annotations

import getpass
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from memdesk.engine.health.mark import MarkKeeper
from memdesk.engine.providers.embedder import Embedder
from memdesk.engine.providers.language_models import LanguageModel
from memdesk.engine.providers.mem0_library import Mem0Stores
from memdesk.engine.providers.meter import Meter
from memdesk.engine.providers.models import Models
from memdesk.engine.providers.static import StaticTable
from memdesk.engine.recall_cache import ANSWERS, Answered, BoundedCache, RememberingEmbedder
from memdesk.engine.recall_metrics import RecallMetrics
from memdesk.files.notices import DAMAGED, Notices
from memdesk.files.places import Desk
from memdesk.files.settings import load_settings
from memdesk.model.settings import DEFAULTS, Settings
from memdesk.store import chain
from memdesk.store.audit_log import policy_of
from memdesk.store.backups import finish_replacement
from memdesk.store.connection import Damage
from memdesk.store.store import Store

log = logging.getLogger(__name__)


def now() -> int:
    """Return the present time in UTC microseconds."""
    return time.time_ns() // 1000


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
    notices: Notices = field(init=False)
    recall_metrics: RecallMetrics = field(default_factory=RecallMetrics)
    answers: BoundedCache[Answered] = field(init=False)
    models: Models = field(init=False)
    mem0: Mem0Stores = field(init=False)

    _queries: RememberingEmbedder = field(init=False)

    def __post_init__(self) -> None:
        meter = Meter(self.store, self.clock, lambda: self.settings)
        self.models = Models(meter, self.settings, embedder=self.embedder, language=self.language)
        self._remember_queries()
        self.notices = Notices(self.desk.notices)
        self.store.watch_damage(self._note_damage)
        self.mem0 = Mem0Stores(self.desk.mem0)
        self.answers = BoundedCache("bundles", ANSWERS, self.recall_metrics)

    @property
    def person(self) -> str:
        """Name of the desk's owner."""
        return self.settings.person or _account()

    def use(self, settings: Settings) -> None:
        """Apply other settings from now on. After a change of embedder, every memory waits for a new vector."""
        self.settings = settings
        before = self.models.embedder
        self.models.use(settings)
        self.language = self.models.language
        if self.models.embedder is not before:
            self._remember_queries()
        name = self.models.embedder.name
        self.store.maintain(lambda _db, index, _journal: index.use_model(name)).result()
        self.store.audit_by(policy_of(settings))

    def _note_damage(self, damage: Damage) -> None:
        """Raise a notice about a damaged row, only one however often the row is read."""
        name = damage.id or f"{damage.kind} {damage.seq}"
        self.notices.note(DAMAGED, f"{damage.kind} {damage.seq}", name, self.clock())

    def forget(self) -> None:
        """Drop the cached queries and answers, which are kept in memory to answer sooner."""
        self._queries.forget()
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


def _account() -> str:
    try:
        return getpass.getuser().capitalize()
    except (KeyError, OSError):
        # A container may run under a number that no account has.
        return "Owner"


def _hash_at(store: Store, event: int) -> bytes | None:
    with store.reading() as db:
        return chain.last_hash(db, event)


def open_engine(desk: Desk, *, clock: Callable[[], int] = now) -> Engine:
    """Open a desk, creating it if there is none. Raises NewerDesk, StorageFailed or BadAsk (settings)."""
    settings = load_settings(desk.settings)
    desk.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if finish_replacement(desk.database, desk.mark):
        log.info("finished putting a database in place that a kill had cut short")
    store = Store(desk.database, backups=desk.backups, clock=clock)
    mark = MarkKeeper(desk.mark, lambda: store.mark, lambda event: _hash_at(store, event))
    store.subscribe(mark.committed)
    engine = Engine(desk, store, StaticTable(), DEFAULTS, clock, mark=mark)
    mark.hand_over(engine.notices, clock())
    engine.use(settings)
    return engine
