"""Commands that calls declare: every field of a request has its option, and answers are shown as declared."""

from __future__ import annotations

import io
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast, get_args, get_type_hints

import pytest

from memdesk.api.endpoint import Endpoint
from memdesk.api.endpoints import ENDPOINTS
from memdesk.cli.command import Context
from memdesk.cli.declared import SCOPE, command_of, filled, option_name
from memdesk.cli.output import Output
from memdesk.cli.program import parsed
from memdesk.files.places import Desk
from memdesk.model.status import JobState

DECLARED = [call for call in ENDPOINTS if call.face is not None]
SAMPLES: dict[Any, tuple[str, Any]] = {
    date: ("2026-01-31", date(2026, 1, 31)),
    int: ("3", 3),
    float: ("0.5", 0.5),
    str: ("tea", "tea"),
    Any: ('{"a": 1}', {"a": 1}),
}
NOON = "2026-01-31T12:00:00+00:00"


class Asked(Exception):
    """Carries what a command asked."""


@dataclass(frozen=True)
class Asking(Context):
    """Context that keeps the request instead of sending it."""

    def call(self, endpoint: Any, ask: Any) -> Any:
        raise Asked(ask)


def sample(hint: Any, choices: tuple[str, ...] | None) -> tuple[str, Any]:
    """A word of the command line, and the value that it stands for."""
    kinds = {hint, *get_args(hint)}
    if datetime in kinds:
        return NOON, datetime(2026, 1, 31, 12, tzinfo=UTC)
    if choices:
        return choices[-1], choices[-1]
    return next(found for kind, found in SAMPLES.items() if kind in kinds)


@pytest.mark.parametrize("call", DECLARED, ids=lambda call: call.name)
def test_every_field_of_a_request_can_be_given(call: Endpoint[Any, Any]) -> None:
    face = call.face
    assert face is not None
    hints = get_type_hints(call.ask)
    words, expected = face.words.split(), {**face.defaults, **face.fixed}
    options: list[str] = []
    for item in fields(call.ask):
        if item.name in face.left_out or item.name in face.fixed:
            continue
        if item.name in SCOPE and item.name not in face.positional:
            options += [f"--{SCOPE[item.name]}", "tea"]
            expected[item.name] = ("tea",) if item.name in ("channels", "agents") else "tea"
        elif hints[item.name] is bool:
            options += [f"--{face.options.get(item.name, item.name).replace('_', '-')}"]
            expected[item.name] = not item.default
        elif item.name not in face.positional:
            word, value = sample(hints[item.name], face.choices.get(item.name))
            name = face.options.get(item.name) or option_name(item.name, hints[item.name])
            options += [f"--{name}", word]
            expected[item.name] = (value,) if str(hints[item.name]).startswith("tuple") else value
    for name in face.positional:
        word, value = sample(hints[name], face.choices.get(name))
        is_list = name != face.joined and str(hints[name]).startswith("tuple")
        expected[name] = (value,) if is_list else value
        words.append(word)
    args, command = parsed([*words, *options])
    out = Output(out=io.StringIO(), err=io.StringIO())
    context = Asking(desk=Desk(Path("/nowhere")), args=args, out=out, rooms=cast(Any, None))
    with pytest.raises(Asked) as asked:
        command.run(context)
    (ask,) = asked.value.args
    assert {name: getattr(ask, name) for name in expected} == expected


@pytest.mark.parametrize("call", DECLARED, ids=lambda call: call.name)
def test_a_declaration_shows_fields_that_its_answer_has(call: Endpoint[Any, Any]) -> None:
    face = call.face
    assert face is not None and bool(face.line) != bool(face.columns)
    if face.columns:
        (row, *_) = get_args(get_type_hints(call.answer)["rows"])
        face.columns.format_map(shape_of(row))
        face.none.format_map({item.name: Lenient() for item in fields(call.ask)})
    else:
        known = {each.name: Lenient() for each in fields(call.answer)}
        face.line.format_map(known | ({"counts": Lenient()} if call.answer is JobState else {}))


def shape_of(record: type[Any]) -> dict[str, Any]:
    """A value for each field of a record; for a field that is a record, one with its fields."""
    hints = get_type_hints(record)
    return {
        each.name: SimpleNamespace(**shape_of(hints[each.name]))
        if is_dataclass(hints[each.name])
        else Lenient()
        for each in fields(record)
    }


class Lenient:
    """Value that any format accepts."""

    def __format__(self, spec: str) -> str:
        return ""

    def __getitem__(self, key: str) -> Lenient:
        return self


def test_a_text_shows_times_lists_nouns_and_what_is_so() -> None:
    @dataclass
    class Row:
        at: datetime | None
        names: tuple[str, ...]
        turns: int
        pinned: bool
        text: str

    row = Row(None, ("a", "b"), 1, True, "red \x1b[31malert")
    template = "{at}{names}: {turns:# turn}{pinned:? pinned}{pinned:! loose} {text}"
    assert filled(template, row) == "a, b: 1 turn pinned red ‹U+001B›[31malert"
    assert filled(template, replace(row, turns=2400, pinned=False)).startswith("a, b: 2,400 turns loose")


def test_the_first_line_of_a_command_that_declares_no_help_is_its_sentence() -> None:
    call = next(each for each in DECLARED if each.name == "channels.create")
    assert command_of(call, call.face).help == "Make a channel."  # type: ignore[arg-type]
