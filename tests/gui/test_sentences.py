"""What the engine says, in a Chinese window: its own sentences are known again, and nobody else's are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, history, memory, upkeep
from memdesk.api.endpoints import ENDPOINTS
from memdesk.client.client import Client
from memdesk.client.wire import decode_answer
from memdesk.files.places import resource
from memdesk.gui import language, sentences
from memdesk.gui.done_action import done_action
from memdesk.gui.inspectors import fields
from memdesk.gui.language import tr
from memdesk.gui.sentences import translate
from memdesk.gui.session import Session
from memdesk.model.curation import Curated, Pin, Undone
from memdesk.model.errors import Conflict
from memdesk.model.history import AskHistory
from memdesk.model.remember import NewFact
from memdesk.model.status import Nothing
from tests.gui.driving import drive

SENTENCES = json.loads(Path(resource("sentences.json")).read_text(encoding="utf-8"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")
ALIKE = {
    "Agent Zero",
    "Basic Memory",
    "Claude Code",
    "HyDE",
    "hyde",
    "hyde {count}",
    "PDF",
    "a PDF",
    "{file}, manifest.json",
    "openclaw session",
    "chmod go-rwx {path}",
    "chmod u+rwx {folder}",
}
"""Names, which are the same in every language."""


@pytest.fixture(autouse=True)
def in_chinese(qapp: QApplication) -> Iterator[None]:
    language.use("zh")
    yield
    language.use("en")


def filled(template: str) -> str:
    """A sentence as the engine would say it."""
    values = {"count": "7", "path": "notes/tea.md"}

    def one(part: re.Match[str]) -> str:
        return next((value for name, value in values.items() if part[1].startswith(name)), "Jun")

    return re.sub(r"\{(\w+)\}", one, template)


def test_every_translated_sentence_of_the_engine_is_recognised_and_said_in_chinese() -> None:
    english = [
        each
        for each in SENTENCES
        if each not in ALIKE and tr(each) != each and not CHINESE.search(translate(filled(each)))
    ]
    assert len(SENTENCES) > 1000
    assert english == []


@given(claim=st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=40))
def test_what_somebody_wrote_stays_as_it_is_within_a_sentence(claim: str) -> None:
    language.use("zh")
    assert translate(f"Proposed for _global: “{claim}”") == f"提议提升到 _global：“{claim}”"
    assert translate(f"“{claim}” is retired already.") == f"“{claim}”已停用。"


@pytest.mark.parametrize(
    "text",
    [
        "Mara moves to Lisbon on 1 January with Jun and with Sill, the cat.",
        "Retired sailors wait for the harbour to thaw.",
        "It is empty, and so was the fridge.",
        "The flat costs 160 EUR a month less than the one in Graça.",
        "Forge: Booked for the week after next, which leaves two weeks of slack.",
        "Made soup for 12. Changed nothing in the recipe, except the salt.",
        "The rowing season ended",
        "It holds 40 litres.",
        "Ruth has rowed there ever since.",
        "Session length: 14 or 30 days? After the holidays.",
        "陈阿姨有高血压，每天早上七点半吃降压药",
    ],
)
def test_what_somebody_else_wrote_is_not_taken_for_the_engine(text: str) -> None:
    assert translate(text) == text


def test_sentences_within_and_after_each_other_are_said_one_by_one() -> None:
    assert translate("It is not recalled. It falls at floor: Its relevance 0.02 is under 0.05.") == (
        "它没有被召回。它落选于 足够相关：它的相关度 0.02 低于 0.05。"
    )
    assert translate("Takes away 1 fact, 2 relations. What was recalled meanwhile stays in the log.") == (
        "移除 1 条事实，2 条关系。这期间的召回仍留在日志里。"
    )
    assert translate("One denies the other.") == "一个否定另一个。"
    assert translate("“Jun visit Graça” → 8 hits") == "“Jun visit Graça” → 8 条命中"
    assert translate("“Pay the rent” waits for “Sign the lease”") == "“Pay the rent”等待“Sign the lease”"


def test_the_window_is_told_in_its_language_and_everybody_else_in_english(
    qapp: QApplication, running_service: Any
) -> None:
    async def told() -> None:
        language.use("zh")
        client = Client(running_service.desk)
        session = Session(client)
        session.start()
        learned = await session.call(memory.LEARN_FACT, NewFact(claim="Made 11 changes to the menu"))
        await session.call(curation.PIN, Pin(id=learned.id, pinned=True))
        rows = (await session.call(history.PAGE, AskHistory())).rows
        assert [row.title for row in rows[:2]] == [
            "Made 11 changes to the menu，已固定",
            "Made 11 changes to the menu",
        ]
        assert (await client.call(history.PAGE, AskHistory())).rows[0].title.endswith(", pinned")
        with pytest.raises(Conflict, match="pinned already") as refused:
            await session.call(curation.PIN, Pin(id=learned.id, pinned=True))
        assert refused.value.says == "“Made 11 changes to the menu”已经固定。"
        assert refused.value.next == "查看两个版本，然后重新决定。"
        status = await session.call(upkeep.STATUS, Nothing())
        assert status.last_change is not None and status.last_change.title.endswith(", pinned")
        await session.close()

    drive(qapp, told)


def spoken_in(value: Any) -> Iterator[tuple[str, str]]:
    """(field, text) of each sentence of the engine in an answer."""
    if isinstance(value, tuple):
        for each in value:
            yield from spoken_in(each)
    elif hasattr(value, "__dataclass_fields__"):
        for name in sentences.SENTENCE_FIELDS.get(type(value), ()):
            told = getattr(value, name)
            yield from ((name, each) for each in (told if isinstance(told, tuple) else (told,)))
        for name in value.__dataclass_fields__:
            yield from spoken_in(getattr(value, name))


def test_every_sentence_in_the_examples_of_the_service_is_known() -> None:
    """Titles and reasons may be somebody's own words; all else is the engine's alone."""
    own = {"says", "because", "note", "notices", "why_not", "if_undone"}
    examples = json.loads(Path(resource("examples.json")).read_text(encoding="utf-8"))
    found = [
        text
        for endpoint in ENDPOINTS
        if endpoint.name in examples and "answer" in examples[endpoint.name]
        for name, text in spoken_in(
            decode_answer(endpoint.answer, json.dumps(examples[endpoint.name]["answer"]).encode())
        )
        if name in own and text
    ]
    assert len(found) > 20
    assert [text for text in found if not CHINESE.search(translate(text))] == []


def test_what_takes_a_change_back_is_told_by_what_it_takes_back() -> None:
    title = translate("Undo: Proposed for _global: “Tea is at five”")
    assert title == "撤销：提议提升到 _global：“Tea is at five”"
    assert fields.subject("undo", title) == "提议提升到 _global：“Tea is at five”"
    done = done_action(curation.UNDO.name, Undone(change=3, undid=2, title="Undo: Tea is at five, pinned"))
    assert done.sentence == "已撤销：“Tea is at five，已固定”"


def test_a_claim_that_reads_like_the_engine_stays_in_the_deed_of_a_person() -> None:
    retired = done_action(curation.RETIRE.name, Curated(id="f_1", change=1, title="Made 11 changes."))
    assert "Made 11 changes." in retired.sentence
