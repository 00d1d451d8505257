"""The ablation runs on a file shaped as LoCoMo's, here one small conversation of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from tests.bench.ablation import VARIANTS, table
from tests.bench.locomo import Question, load, scored, store

TALK = {
    "sample_id": "talk-1",
    "conversation": {
        "speaker_a": "Mara",
        "speaker_b": "Jonas",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Mara", "dia_id": "D1:1", "text": "I moved here from Sweden in 2019."},
            {"speaker": "Jonas", "dia_id": "D1:2", "text": "Nice!", "blip_caption": "a red boat"},
        ],
        "session_2_date_time": "9:00 am on 1 June, 2023",
        "session_2": [{"speaker": "Jonas", "dia_id": "D2:1", "text": "My cat is called Oolong."}],
    },
    "qa": [
        {"question": "When did Mara move?", "category": 2, "evidence": ["D:1:01"]},
        {"question": "What is the cat of Jonas called?", "category": 4, "evidence": ["D2:1; D9:9"]},
        {"question": "What did nobody say?", "category": 4, "evidence": ["D7:7"]},
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([TALK]), encoding="utf-8")
    return path


def test_careless_evidence_is_read_and_evidence_that_names_no_turn_is_dropped(file: Path) -> None:
    [talk] = load(file)
    assert [each.evidence for each in talk.questions] == [{"talk-1:D1:1"}, {"talk-1:D2:1"}]
    assert talk.turns[1].content == "Nice! [shares a red boat]"
    assert talk.turns[2].conversation_id == "talk-1:session-2"


def test_a_ranking_is_scored_by_the_places_of_its_evidence() -> None:
    question = Question(text="?", category=1, evidence=frozenset({"a", "b"}))
    score = scored(question, ["x", "a", *"cdefghij", "b"])
    assert (score.recall, score.hit, score.first) == (0.5, 1.0, 0.5)
    assert scored(question, []).first == 0.0


def test_the_table_has_a_row_for_the_recall_and_for_every_signal_off(file: Path, tmp_path: Path) -> None:
    talks = load(file)
    engine = open_engine(Desk(tmp_path / "desk"))
    try:
        store(engine, talks)
        lines = list(table(engine, talks))
    finally:
        engine.close()
    assert len(lines) == 3 + len(VARIANTS)
    assert lines[2].startswith("| recall | 100.0 | 100.0 | 1.000 |")
