"""Transcripts of any chat come in as conversations and turns, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop.imported_records import instant_of
from memdesk.model.errors import Refused
from memdesk.model.instant import SECOND
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.store import archiving, records
from tests.fixtures.intake.worlds import HERE, changes, copy_of, events, look, take


def turns(engine: Engine) -> list[Turn]:
    with engine.store.reading() as db:
        found: list[Turn] = records.find(db, TURN)
        return found


def conversations(engine: Engine) -> list[Conversation]:
    with engine.store.reading() as db:
        found: list[Conversation] = records.find(db, CONVERSATION)
        return found


def lines(*messages: dict[str, object]) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


def test_roles_blocks_and_every_manner_of_time_are_read(engine: Engine) -> None:
    counts = take(engine, HERE / "chats" / "pontoon.jsonl")
    assert (counts["conversations"], counts["turns"]) == (1, 3)
    found = turns(engine)
    assert [turn.role for turn in found] == ["user", "assistant", "user"]
    assert [turn.content for turn in found] == ["We pay the pontoon in May.", "Noted: May.", "四月也可以。"]
    first = instant_of("2026-03-01T09:00:00Z")
    assert first is not None
    assert [turn.created_at - first for turn in found] == [0, 60 * SECOND, 120 * SECOND]
    assert json.loads(found[1].metadata)["tools"][0] == {
        "kind": "tool_use",
        "name": "remember",
        "id": "toolu_9",
    }


def test_blocks_that_agentix_wrote_as_text_are_read_as_blocks(engine: Engine, tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "t", "name": "Read", "input": {}}
    told = [{"type": "tool_result", "tool_use_id": "t", "content": "The boat is red."}]
    said = (
        ("user", "Read the note."),
        ("assistant", json.dumps([{"type": "text", "text": "I read it."}, call])),
        ("user", json.dumps(told)),
        ("user", '[{"a": 1}] is no block'),
    )
    file = tmp_path / "2c0a430c.jsonl"
    file.write_text(lines(*({"role": role, "content": content} for role, content in said)))
    take(engine, file)
    assert [turn.content for turn in turns(engine)] == ["Read the note.", "I read it.", said[3][1]]


def test_a_transcript_goes_into_a_channel_of_its_own_name(engine: Engine) -> None:
    take(engine, HERE / "chats" / "pontoon.jsonl")
    assert conversations(engine)[0].channel == "pontoon"


def test_a_second_import_changes_nothing_and_says_known(engine: Engine) -> None:
    take(engine, HERE / "chats" / "pontoon.jsonl")
    before = changes(engine)
    assert look(engine, HERE / "chats" / "pontoon.jsonl").known == 1
    counts = take(engine, HERE / "chats" / "pontoon.jsonl")
    assert (counts["known"], counts["turns"]) == (1, 0)
    assert changes(engine) == before


def test_a_preview_writes_nothing(engine: Engine) -> None:
    before = changes(engine)
    told = look(engine, HERE / "chats" / "pontoon.jsonl")
    assert (told.format, told.channel, told.counts["turns"]) == ("transcript", "pontoon", 3)
    assert changes(engine) == before


def test_a_torn_last_line_and_a_bad_one_are_said_by_name(engine: Engine) -> None:
    told = look(engine, HERE / "chats" / "torn.jsonl")
    assert [(left.name, left.why) for left in told.skipped] == [
        ("torn.jsonl, line 2", "The line is not JSON."),
        ("torn.jsonl, line 3", "The last line is torn; it comes in once it is whole."),
    ]
    assert take(engine, HERE / "chats" / "torn.jsonl")["turns"] == 1


def test_bad_lines_are_counted_however_many_they_are(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "noisy.jsonl"
    path.write_text(lines({"role": "user", "content": "One."}) + "noise\n" * 50)
    assert look(engine, path).counts["skipped"] == take(engine, path)["skipped"] == 50


def test_a_transcript_that_grew_continues_where_it_was(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "growing.jsonl"
    path.write_text(lines({"role": "user", "content": "One."}, {"role": "assistant", "content": "Two."}))
    take(engine, path)
    path.write_text(path.read_text() + lines({"role": "user", "content": "Three."}))
    assert take(engine, path)["turns"] == 1
    assert [turn.turn_index for turn in turns(engine)] == [0, 1, 2]
    assert len(conversations(engine)) == 1


def test_a_transcript_that_was_rewritten_is_left_as_it_is(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "rewritten.jsonl"
    path.write_text(lines({"role": "user", "content": "One."}, {"role": "assistant", "content": "Two."}))
    take(engine, path)
    path.write_text(lines({"role": "user", "content": "One."}, {"role": "assistant", "content": "Other."}))
    with pytest.raises(Refused, match="with other words in turn 2"):
        take(engine, path)
    assert [turn.content for turn in turns(engine)] == ["One.", "Two."]


def test_a_claude_code_session_keeps_its_ids_and_leaves_its_side_chains(engine: Engine) -> None:
    take(engine, HERE / "chats" / "session.jsonl")
    (talk,) = conversations(engine)
    assert (talk.id, talk.title, talk.channel) == (
        "5d0f1f8a-aaaa-4000-8000-000000000000",
        "Crane timetable",
        "crane",
    )
    assert talk.agent_id == "claude-code"
    found = turns(engine)
    assert [turn.content for turn in found] == ["When does the crane run?", "From eight to four."]
    assert found[1].id == "0d0f1f8a-0000-4000-8000-000000000002"
    assert found[1].model == "some-model"
    assert [tool["kind"] for tool in json.loads(found[1].metadata)["tools"]] == ["tool_use", "tool_result"]


def test_a_chatgpt_export_is_read_along_the_branch_that_was_read_last(engine: Engine) -> None:
    take(engine, HERE / "chats" / "branches.json")
    assert [turn.content for turn in turns(engine)] == ["How many berths?", "Sixty-two."]
    assert conversations(engine)[0].title == "Berths"


def test_a_file_of_many_conversations_brings_each(engine: Engine) -> None:
    counts = take(engine, HERE / "chats" / "many.json")
    assert (counts["conversations"], counts["turns"]) == (2, 3)
    assert [talk.title for talk in conversations(engine)] == ["One", "Two"]


def test_short_conversation_ids_of_two_files_do_not_clash(engine: Engine, tmp_path: Path) -> None:
    for name, words in (("a.json", "Hello from a."), ("b.json", "Hello from b.")):
        talk = {"id": "1", "messages": [{"role": "user", "content": words}]}
        (tmp_path / name).write_text(json.dumps([talk]))
        assert take(engine, tmp_path / name)["turns"] == 1
        assert take(engine, tmp_path / name)["known"] == 1


def test_turns_without_times_follow_each_other_and_end_when_the_file_did(
    engine: Engine, tmp_path: Path
) -> None:
    path = tmp_path / "timeless.json"
    path.write_text(json.dumps([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]))
    take(engine, path)
    first, second = (turn.created_at for turn in turns(engine))
    assert second - first == SECOND
    assert second < path.stat().st_mtime_ns // 1000


def test_short_ids_do_not_clash_between_conversations(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text(
        lines(
            {"role": "user", "content": "a", "id": "1", "session_id": "x"},
            {"role": "user", "content": "b", "id": "1", "session_id": "y"},
        )
    )
    assert take(engine, path)["turns"] == 2


def test_a_resumed_session_that_repeats_ids_of_another_comes_in(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "resumed.jsonl"
    id = "0d0f1f8a-0000-4000-8000-00000000000a"
    path.write_text(
        lines(
            {"role": "user", "content": "a", "uuid": id, "sessionId": "x"},
            {"role": "user", "content": "a", "uuid": id, "sessionId": "y"},
            {"role": "user", "content": "b", "uuid": id, "sessionId": "y"},
        )
    )
    assert take(engine, path)["turns"] == 3
    assert take(engine, path)["known"] == 2


def test_a_long_conversation_comes_in_by_parts_that_are_all_undoable(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(lines(*({"role": "user", "content": f"Turn {n}."} for n in range(1_200))))
    assert take(engine, path)["turns"] == 1_200
    assert [event.title for event in events(engine) if event.op == "import"] == [
        "Imported “long”, turns 1 to 498",
        "Imported “long”, turns 499 to 996",
        "Imported “long”, turns 997 to 1200",
    ]


def test_half_characters_and_nul_in_json_are_mended(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text('{"role": "user", "content": "half \\ud83d and nul \\u0000."}\n')
    take(engine, path)
    assert turns(engine)[0].content == "half \ufffd and nul \ufffd."


def test_tool_calls_beside_an_empty_content_are_noted_with_the_turn_before(
    engine: Engine, tmp_path: Path
) -> None:
    path = tmp_path / "calls.jsonl"
    call = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    path.write_text(
        lines(
            {"role": "user", "content": "When does the crane run?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": "8 to 16"},
            {"role": "assistant", "content": "From eight to four."},
        )
    )
    assert take(engine, path)["turns"] == 2
    assert json.loads(turns(engine)[0].metadata) == {"tools": [{"kind": "tool_use", "name": "look_up"}]}


def test_an_endless_message_and_an_empty_one_stay_out_by_name(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "endless.jsonl"
    path.write_text(
        lines(
            {"role": "user", "content": "Short."},
            {"role": "assistant", "content": "x" * 1_000_001},
            {"role": "assistant", "content": "  "},
        )
    )
    assert [(left.name, left.why) for left in look(engine, path).skipped] == [
        ("endless.jsonl, line 2", "The message has 1,000,001 characters; 1,000,000 at most."),
        ("endless.jsonl, line 3", "The message is empty."),
    ]
    assert take(engine, path)["turns"] == 1


def test_the_same_export_of_another_user_is_another_conversation(engine: Engine) -> None:
    take(engine, HERE / "chats" / "session.jsonl")
    assert take(engine, HERE / "chats" / "session.jsonl", user_id="sam")["turns"] == 2
    assert take(engine, HERE / "chats" / "session.jsonl", user_id="sam")["known"] == 1


def test_the_caller_may_name_channel_and_agent(engine: Engine) -> None:
    take(engine, HERE / "chats" / "session.jsonl", channel="quay", agent_id="Runa")
    (talk,) = conversations(engine)
    assert (talk.channel, talk.agent_id) == ("quay", "Runa")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        (
            "memory.jsonl",
            '{"type": "entity", "name": "A", "entityType": "person", "observations": "tall"}\n',
            "Line 1 has no list of texts in `observations`",
        ),
        ("agent.af", '{"agents": [], "blo', "is no Letta agent file, or is torn"),
        ("manifest.json", '{"source_bank_id": "b", "schema_version": 1}', "part of a Hindsight archive"),
        ("numbers.json", "[1, 2, 3]", "is JSON without turns"),
        ("plain.txt", "some words", "neither markdown nor a transcript"),
        ("nothing.jsonl", "", "is empty"),
        ("blank.md", " \n", "It is empty"),
        ("data.db", "SQLite format 3\0more", "is a damaged SQLite database"),
        ("archive.zip", "PK\x03\x04more", "is damaged: it cannot be read as a ZIP archive"),
    ],
)
def test_what_is_not_read_is_refused_by_name(
    engine: Engine, tmp_path: Path, name: str, text: str, says: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    for call in (look, take):
        with pytest.raises(Refused, match=says) as refused:
            call(engine, path)
        assert name in refused.value.says


def test_a_conversation_the_agent_stored_itself_is_not_overwritten(engine: Engine, tmp_path: Path) -> None:
    copy = copy_of("chats/many.json", tmp_path)
    take(engine, copy)
    copy.write_text(copy.read_text().replace("Hello there.", "Something else."))
    told = look(engine, copy)
    assert told.known == 1 and "with other words in turn 1" in told.skipped[0].why


def test_what_no_column_holds_is_kept_beside(engine: Engine, tmp_path: Path) -> None:
    lines = [
        {"sessionId": "s" * 20, "role": "user", "content": "Hello", "gitBranch": "main", "n": 1e999},
        {"sessionId": "s" * 20, "role": "assistant", "content": "\ud800 Hi", "long": "x" * 30_000},
    ]
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    take(engine, path)
    with engine.store.reading() as db:
        first, second = records.find(db, TURN)
        assert json.loads(first.metadata)["beside"] == {"gitBranch": "main"}
        assert archiving.extra_data(db, [second.id]) == {second.id: {"long": "x" * 30_000}}


def test_what_chatgpt_says_of_a_message_and_of_its_tree_is_kept_beside(
    engine: Engine, tmp_path: Path
) -> None:
    message = {"author": {"role": "user"}, "content": {"parts": ["Hello"]}, "status": "finished"}
    export = [
        {
            "id": "c" * 20,
            "title": "T",
            "gizmo_id": "g-1",
            "current_node": "n",
            "mapping": {"n": {"message": message, "parent": None, "children": []}},
        }
    ]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(export))
    take(engine, path)
    with engine.store.reading() as db:
        (turn,) = records.find(db, TURN)
        assert json.loads(turn.metadata)["beside"] == {"status": "finished"}
        assert archiving.extra_data(db, ["c" * 20]) == {"c" * 20: {"gizmo_id": "g-1"}}


def test_what_sub_agents_said_is_told_and_left(engine: Engine) -> None:
    (left,) = look(engine, HERE / "chats" / "session.jsonl").skipped
    assert left.why == "Messages that sub-agents sent each other; in all: 1."
