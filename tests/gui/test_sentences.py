"""Messages of the engine in a Chinese window: id and parts are worded, and nobody else's words are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, history, memory, upkeep
from memdesk.client.client import Client
from memdesk.client.wire import decode_answer
from memdesk.gui import language
from memdesk.gui.done_action import done_action
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.terms import in_language, subject_of, worded
from memdesk.model.curation import Curated, Pin, Undone
from memdesk.model.errors import Conflict
from memdesk.model.history import AskHistory
from memdesk.model.message import joined, message, packed, verbatim
from memdesk.model.remember import NewFact
from memdesk.model.status import JobState, Nothing
from tests.gui.driving import drive

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(autouse=True)
def in_chinese(qapp: QApplication) -> Iterator[None]:
    language.use("zh")
    yield
    language.use("en")


@given(claim=st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=40))
def test_what_somebody_wrote_stays_as_it_is_within_a_sentence(claim: str) -> None:
    language.use("zh")
    assert worded(message("Proposed for _global: “{claim}”", claim=claim)) == f"提议提升到 _global：“{claim}”"
    assert worded(verbatim(claim)) == claim


@pytest.mark.parametrize("text", ["Made 11 changes.", "It is empty.", "“{claim}” {", "Undo: Tea is at five"])
def test_text_that_reads_like_the_engine_is_not_taken_for_it(text: str) -> None:
    assert worded(verbatim(text)) == text
    assert "“" + text + "”" in worded(message("Proposed for _global: “{claim}”", claim=text))


def test_messages_within_and_after_each_other_are_worded_one_by_one() -> None:
    undone = message(
        "Undo: {subject}", subject=message("Proposed for _global: “{claim}”", claim="Tea is at five")
    )
    assert worded(undone) == "撤销：提议提升到 _global：“Tea is at five”"
    two = joined(message("It is retired."), message("It is empty."))
    assert CHINESE.search(worded(two)) and "It is" not in worded(two)
    listed = message("Takes away {list}.", list=[message("file"), "1.5"])
    assert worded(listed).startswith(worded(message("Takes away {list}.", list=""))[:2])


def test_a_record_comes_over_the_wire_as_id_and_parts_and_is_worded() -> None:
    state = JobState(
        id="j",
        name="undo",
        state="done",
        says=message("Made {count} changes.", count="7"),
        result={"left": {"f_1": message("It is retired.")}, "undone": 3},
    )
    said = msgspec.json.encode(state, enc_hook=packed)
    assert b'"says":{"id":"Made {count} changes.","parts":{"count":"7"}}' in said
    told = in_language(decode_answer(JobState, said))
    assert told.says == tr("Made {count} changes.", count="7") and told.says.id == "Made {count} changes."
    assert CHINESE.search(told.result["left"]["f_1"]) and told.result["undone"] == 3
    plain = msgspec.json.encode(state, enc_hook=str)
    assert in_language(decode_answer(JobState, plain)).says == "Made 7 changes."


def test_the_window_is_told_in_its_language_and_everybody_else_in_english(
    qapp: QApplication, running_service: Any
) -> None:
    async def told() -> None:
        language.use("zh")
        client = Client(running_service.desk, parts=True)
        session = Session(client)
        session.start()
        learned = await session.call(memory.LEARN_FACT, NewFact(claim="Made 11 changes to the menu"))
        await session.call(curation.PIN, Pin(id=learned.id, pinned=True))
        rows = (await session.call(history.PAGE, AskHistory())).rows
        assert [row.title for row in rows[:2]] == [
            "Made 11 changes to the menu，已固定",
            "Made 11 changes to the menu",
        ]
        async with Client(running_service.desk) as other:
            assert (await other.call(history.PAGE, AskHistory())).rows[0].title.endswith(", pinned")
        with pytest.raises(Conflict, match="pinned already") as refused:
            await session.call(curation.PIN, Pin(id=learned.id, pinned=True))
        assert refused.value.says == "“Made 11 changes to the menu”已经固定。"
        assert refused.value.next == "查看两个版本，然后重新决定。"
        status = await session.call(upkeep.STATUS, Nothing())
        assert status.last_change is not None and status.last_change.title.endswith("，已固定")
        await session.close()

    drive(qapp, told)


def test_what_takes_a_change_back_is_told_by_what_it_takes_back() -> None:
    pinned = message("Undo: {subject}", subject=message("{what}, pinned", what="Tea is at five"))
    assert subject_of(worded(pinned)) == "Tea is at five，已固定"
    assert subject_of(verbatim("Undo: Tea")) == "Tea"
    done = done_action(curation.UNDO.name, Undone(change=3, undid=2, title=worded(pinned)))
    assert done.sentence == "已撤销：“Tea is at five，已固定”"


def test_a_claim_that_reads_like_the_engine_stays_in_the_deed_of_a_person() -> None:
    retired = done_action(curation.RETIRE.name, Curated(id="f_1", change=1, title="Made 11 changes."))
    assert "Made 11 changes." in retired.sentence
