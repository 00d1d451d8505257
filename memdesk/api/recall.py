"""Recall: search memory as an agent does. Memories returned to an agent are reinforced; a preview writes
nothing."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
from memdesk.model.recall import AskSalient, Bundle, Explain, Explanation, Query, SalientList

SEARCH = Endpoint(
    "recall.search",
    "POST",
    Query,
    Bundle,
    "Recall memories, each with its score parts and provenance",
    verb="engine.recall.pipeline:recall",
    reads=True,
)
PREVIEW = Endpoint(
    "recall.preview",
    "POST",
    Query,
    Bundle,
    "What a recall would return; nothing is written down",
    owner=True,
    verb="engine.recall.pipeline:preview",
    reads=True,
)
EXPLAIN = Endpoint(
    "recall.explain",
    "POST",
    Explain,
    Explanation,
    "Why a memory is or is not recalled, by stage",
    owner=True,
    verb="engine.recall.explain:explain",
    reads=True,
)
SALIENT = Endpoint(
    "recall.salient",
    "GET",
    AskSalient,
    SalientList,
    "The strongest memories, unasked",
    verb="engine.recall.salient:salient",
    face=Face(
        words="salient",
        about="Show the strongest memories of a channel and `_global`, which an agent gets before any question.\n"
        "Nothing is reinforced.",
        help={"limit": "of each kind", "by": "default: boost"},
        choices={"by": ("boost", "salience")},
        columns=(
            ("ID", "{id}"),
            ("SAL", "{salience:.2f}"),
            ("BOOST", "{boost:.2f}"),
            ("KIND", "{kind}"),
            ("CHANNEL", "{channel}"),
            ("WHAT", "{text}"),
        ),
        none="Nothing strong in {channel} yet.",
    ),
)
