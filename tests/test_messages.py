"""Every message has a literal template, which its parts fit."""

from __future__ import annotations

import ast
import copy
import gzip
import sqlite3
import string
import sys
from contextlib import closing
from pathlib import Path

from memdesk.model.message import (
    Message,
    as_message,
    joined,
    kept_message,
    message,
    packed,
    verbatim,
    with_stored_parts,
)
from memdesk.store.guarding import guarded_message

sys.path.append(str(Path(__file__).parent.parent / "packaging"))
from translations import ROOT, message_calls, sentences

FILES = sorted(path for path in (ROOT / "memdesk").rglob("*.py") if path.name != "message.py")


def test_every_message_of_the_code_has_a_literal_template_whose_parts_are_given() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}:{call.lineno}"
        for file in FILES
        for call in message_calls(file)
        if not _fits(call)
    ]
    assert wrong == []
    assert len(sentences()) > 1000


def test_titles_in_the_journal_of_the_sample_desk_are_gathered_for_translation(tmp_path: Path) -> None:
    desk = tmp_path / "desk.db"
    desk.write_bytes(gzip.decompress((ROOT / "resources/sample/desk.db.gz").read_bytes()))
    with closing(sqlite3.connect(desk)) as db:
        found = db.execute("SELECT DISTINCT json_extract(details, '$.message.id') FROM changes")
        kept = {id for (id,) in found if id}
    assert kept and kept <= set(sentences())


def _fits(call: ast.Call) -> bool:
    match call.args:
        case [ast.Constant(value=str(template))]:
            named = {name for _, name, spec, _ in string.Formatter().parse(template) if name is not None}
            given = {each.arg for each in call.keywords}
            return named == given or (given == {None} and template != "")
    return False


def test_a_message_is_its_text_and_keeps_its_parts_through_copies_and_json() -> None:
    told = message("{count} of {names} at {when}", count=3, names=["Jun", message("a fact")], when=Path("x"))
    assert told == "3 of Jun, a fact at x" and isinstance(told, str)
    for each in (copy.deepcopy(told), as_message(packed(told)), with_stored_parts(str(told), packed(told))):
        assert (each, each.id, each.parts) == (told, told.id, told.parts)
    assert packed(verbatim("{count}")) == "{count}" and packed({"a": (told, 1)})["a"][1] == 1


def test_sentences_are_joined_and_an_empty_one_is_left_out() -> None:
    first, second = message("It is retired."), message("It is empty.")
    assert joined(first, second) == "It is retired. It is empty." and joined(Message(), second) is second
    assert joined() == ""


def test_a_stored_text_whose_parts_do_not_make_it_is_verbatim() -> None:
    told = message("Forgot: {claim}", claim="Tea")
    assert with_stored_parts("Forgot: Coffee", kept_message(told)["message"]).id == ""
    assert with_stored_parts("Forgot: Tea", None).id == "" and kept_message(verbatim("Tea")) == {}


def test_secrets_are_masked_in_the_parts_of_a_message_and_in_its_text() -> None:
    def guard(text: str, record: str, author: str) -> str:
        return text.replace("hunter2", "•••")

    told = guarded_message(guard, message("Forgot: {claim}", claim="the password is hunter2"))
    assert told == "Forgot: the password is •••" and told.parts == {"claim": "the password is •••"}
    split = guarded_message(guard, message("hunter{count}", count=2))
    assert (split, split.id) == ("•••", "")
