"""Commands of calls that declare one: their options from the request, their output from the answer."""

from __future__ import annotations

import argparse
import json
import string
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, fields
from datetime import date, datetime
from types import ModuleType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from memdesk.api.endpoint import Endpoint, Face, declared
from memdesk.api.fields import asked
from memdesk.cli.command import Command, Context
from memdesk.cli.output import counted, local, moment, plain, singular, tallied

Ask = TypeVar("Ask")
SCOPE = {
    "channel": "channel",
    "channels": "channel",
    "user_id": "user",
    "agent_id": "agent",
    "agents": "agent",
}
"""Common option that gives a field."""
GIVEN = "given_"
"""Prefix of the fields in the namespace of arguments, where `channel` is a common option."""
NOT_COUNTED = ("change", "changes", "run")
"""Entries of a job's result that are no counts."""


def commands_of(module: ModuleType) -> Iterator[Command]:
    """Yield the commands that the calls of a module declare."""
    return (command_of(call, call.face) for call in declared(module) if call.face is not None)


def command_of(call: Endpoint[Any, Any], face: Face) -> Command:
    """Return the command that a call declares."""

    def run(context: Context) -> int:
        ask = ask_of(context, call.ask, face)
        answer = context.call(call, ask)
        if call.is_long:
            from memdesk.cli.jobs import followed

            answer = followed(context, answer)
        _shown(context, face, ask, answer)
        return int(bool(face.failed) and any(getattr(row, face.failed) for row in answer.rows))

    return Command(
        name=face.words,
        about=face.about or f"{call.summary}.",
        run=run,
        declare=lambda parser: declare_ask(parser, call.ask, face),
        scope=tuple({SCOPE[each.name]: None for each in _given(call.ask, face) if _is_scope(each, face)}),
    )


def declare_ask(parser: argparse.ArgumentParser, kind: type[Any], face: Face) -> None:
    """Add an argument for each field of a request that no common option gives."""
    hints, says, given = get_type_hints(kind), asked(kind), _given(kind, face)
    for name in face.positional:
        _positional(parser, next(each for each in given if each.name == name), hints[name], face, says)
    for each in given:
        if each.name not in face.positional and not _is_scope(each, face):
            _option(parser, each, hints[each.name], face, says)


def ask_of(context: Context, kind: type[Ask], face: Face) -> Ask:
    """Return the request of these arguments, with the record's defaults for what was not given."""
    return kind(**dict(_values(context, face, _given(kind, face))))


def _given(kind: Any, face: Face) -> list[Field[Any]]:
    return [each for each in fields(kind) if each.name not in (*face.fixed, *face.left_out)]


def _is_scope(item: Field[Any], face: Face) -> bool:
    return item.name in SCOPE and item.name not in face.positional


def _values(context: Context, face: Face, given: Iterable[Field[Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the fields of the request that were given or are fixed."""
    yield from {**face.defaults, **face.fixed}.items()
    for each in given:
        scope = SCOPE[each.name] if _is_scope(each, face) else None
        value = getattr(context.args, scope or GIVEN + each.name, None)
        if value is None:
            continue
        if each.name == face.joined:
            yield each.name, " ".join(value)
        elif isinstance(value, list) or each.name in ("channels", "agents"):
            yield each.name, tuple(value) if isinstance(value, list) else (value,)
        else:
            yield each.name, value


def _positional(
    parser: argparse.ArgumentParser, item: Field[Any], hint: Any, face: Face, says: dict[str, str]
) -> None:
    needed = item.default is MISSING and item.default_factory is MISSING
    several = item.name == face.joined or _is_list(hint)
    many = {"nargs": "+" if needed else "*"} if several else {} if needed else {"nargs": "?"}
    parser.add_argument(
        GIVEN + item.name,
        metavar=face.options.get(item.name, item.name.removesuffix("_id")).upper(),
        default=argparse.SUPPRESS,
        help=_help(item, face, says),
        choices=face.choices.get(item.name),
        **many,  # type: ignore[arg-type]
        **_read(hint),
    )


def _option(
    parser: argparse.ArgumentParser, item: Field[Any], hint: Any, face: Face, says: dict[str, str]
) -> None:
    name = face.options.get(item.name) or option_name(item.name, hint)
    if hint is bool:
        how: dict[str, Any] = {"action": "store_const", "const": not item.default}
    else:
        how = {"choices": face.choices.get(item.name), **_read(hint)}
        how |= {"action": "append"} if _is_list(hint) else {}
        how |= {} if how["choices"] else {"metavar": _metavar(item.name, name, hint)}
        how |= {"required": True} if item.default is MISSING and item.default_factory is MISSING else {}
    parser.add_argument(
        f"--{name}", dest=GIVEN + item.name, default=argparse.SUPPRESS, help=_help(item, face, says), **how
    )


def _metavar(field: str, option: str, hint: Any) -> str:
    """Return the placeholder of a value in the help."""
    kinds = {hint, *get_args(hint)}
    known = {datetime: "TIME", date: "DAY", int: "N", float: "P"}
    word = next((word for kind, word in known.items() if kind in kinds), option.upper())
    return "ID" if field.endswith("_id") or field == "record" else word


def option_name(field: str, hint: Any) -> str:
    """Return the name of a field's option: a list's is the singular."""
    one = singular(field) if _is_list(hint) else field.removesuffix("_id")
    return one.replace("_", "-")


def _is_list(hint: Any) -> bool:
    return any(get_origin(each) is tuple for each in (hint, *get_args(hint)))


def _help(item: Field[Any], face: Face, says: dict[str, str]) -> str:
    """Return the help of a field: the declaration's, else its description, and its default if that is a number."""
    default = face.defaults.get(item.name, item.default)
    shown = (
        f" (default: {default})" if isinstance(default, int | float) and default not in (True, False) else ""
    )
    described = says.get(item.name, "").rstrip(".").removesuffix("; empty for all").replace("%", "%%")
    text = face.help.get(item.name) or described
    is_acronym = text[1:2].isupper()
    return f"{text[:1] if is_acronym else text[:1].lower()}{text[1:]}{shown}"


def _read(hint: Any) -> dict[str, Any]:
    """Return how argparse reads the text of a value."""
    if hint is Any:
        return {"type": _json_or_text}
    kinds = {hint, *get_args(hint)}
    if datetime in kinds:
        return {"type": moment}
    found = next((kind for kind in (date, int, float) if kind in kinds), None)
    return {} if found is None else {"type": date.fromisoformat if found is date else found}


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _shown(context: Context, face: Face, ask: Any, answer: Any) -> None:
    """Write an answer as its declaration says: a table, or a text."""
    out = context.out
    if not face.columns:
        out.answer(answer, filled(face.line, answer).splitlines())
        return
    columns = [(head.strip(), brace + cell) for head, brace, cell in _columns(face)]
    rows = [[filled(cell, row) for _, cell in columns] for row in answer.rows]
    out.answer(answer, out.table([head for head, _ in columns], rows) if rows else [])
    if out.json:
        return
    if face.noun:
        shown = answer.first + len(rows)
        if shown < answer.total or not rows:
            out.note(f"{shown:,} of {counted(answer.total, face.noun)} shown.")
    elif not rows:
        out.note(filled(face.none, ask))


def _columns(face: Face) -> list[tuple[str, str, str]]:
    return [column.partition("{") for column in face.columns.split(" | ")]


def filled(template: str, record: Any) -> str:
    """Return a text of a declaration with the fields of a record in it; a job also has `counts`."""
    values = {each.name: getattr(record, each.name) for each in fields(record)}
    if isinstance(result := values.get("result"), dict):
        counts = {key.replace("_", " "): n for key, n in result.items() if key not in NOT_COUNTED}
        values["counts"] = tallied(counts)
    return _Template().vformat(template, (), values)


class _Template(string.Formatter):
    """Formatter of values for a terminal: times are local, None is an empty text, lists are phrases."""

    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec[:1]:
            case "?":
                return format_spec[1:] if value else ""
            case "!":
                return "" if value else format_spec[1:]
            case "#":
                return counted(value, format_spec[1:].strip())
        if value is None:
            return ""
        if isinstance(value, datetime):
            return local(value)
        if isinstance(value, tuple | list):
            return plain(", ".join(map(str, value)))
        if isinstance(value, dict) and value and all(type(each) is int for each in value.values()):
            return tallied(value)
        if isinstance(value, dict):
            return plain(json.dumps(value, ensure_ascii=False))
        return plain(value) if isinstance(value, str) else format(value, format_spec)
