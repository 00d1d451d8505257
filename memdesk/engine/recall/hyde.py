"""HyDE: search with an answer that the language model imagines (Gao et al. 2022). Skipped without a model."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.technique import Find, nearest
from memdesk.engine.wording import shortened
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
from memdesk.store.connection import Connection

TEMPERATURE = 0.7
TOKENS = 150
"""Most tokens of the imagined answer; it and the temperature are AgentX's values."""
_TASK = (
    "Write the passage that would answer the question, as somebody might have noted it down: two or three plain "
    "sentences in the language of the question, without preamble. Where you do not know, make up likely details."
)


def imagine(engine: Engine, db: Connection, asked: Asked) -> Find:
    """Find memories near to an imagined answer. Only its meaning is used: its details are invented."""
    if engine.language is None:
        return Find(aside=True, says="No language model is set that could imagine an answer.")
    try:
        told = engine.language.complete(
            system=_TASK, prompt=asked.text, max_tokens=TOKENS, temperature=TEMPERATURE
        ).text.strip()
        if not told:
            return Find(aside=True, says=f"The language model {engine.language.name} imagined nothing.")
        return Find(seqs=nearest(engine, db, asked, [told]), says=f"Imagined: “{shortened(told, 160)}”")
    except (ModelUnavailable, EmbedderUnavailable) as error:
        return Find(aside=True, says=error.says)
