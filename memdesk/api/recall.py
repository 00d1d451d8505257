"""Recall: search memory as an agent does. Memories returned to an agent are reinforced; a preview writes
nothing."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.recall import AskRecap, AskSalient, Bundle, Explain, Explanation, Query, Recap, SalientList
from memdesk.model.team import READER

SEARCH = Post(
    "recall.search",
    Query,
    Bundle,
    "Recall memories, each with its score parts and provenance",
    "recall.pipeline:recall",
    role=READER,
    reads=True,
)
PREVIEW = Post(
    "recall.preview",
    Query,
    Bundle,
    "What a recall would return; nothing is written down",
    "recall.pipeline:preview",
    role=READER,
    person=True,
    reads=True,
)
EXPLAIN = Post(
    "recall.explain",
    Explain,
    Explanation,
    "Why a memory is or is not recalled, by stage",
    "recall.explain:explain",
    role=READER,
    person=True,
    reads=True,
)
SALIENT = Get(
    "recall.salient",
    AskSalient,
    SalientList,
    "The strongest memories, unasked",
    "recall.salient:salient",
    role=READER,
    face=Face(
        "salient",
        about="Show the strongest memories of a channel and `_global`, which an agent gets before any"
        " question.\nNothing is reinforced.",
        help={"by": "default: boost"},
        choices={"by": ("boost", "salience")},
        columns="ID {id} | SAL {salience:.2f} | BOOST {boost:.2f} | KIND {kind} | CHANNEL {channel} | WHAT {text}",
        none="Nothing strong in {channel} yet.",
    ),
)
RECAP = Post(
    "recall.recap",
    AskRecap,
    Recap,
    "Sum up what a user said in earlier conversations",
    "context.recap:recap",
    role=READER,
    reads=True,
    example=AskRecap(topic="PgBouncer", channel="tidepool"),
)
