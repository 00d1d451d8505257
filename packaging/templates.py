"""The texts of one module of Python, as templates: what an f-string puts in becomes a part with a name.

`f"Promoted “{fact.claim}” to {GLOBAL}"` is “Promoted “{claim}” to _global”. A text that chooses between words has a
template for each choice. A part called `count` is a number and one called `path` the path of a file."""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

PART = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
GIVEN = {"did", "suffix", "verb"}
"""Arguments by which code hands on a word of a sentence."""
UNSAID = ("INSTRUCTION", "BRIDGE", "OPENING", "_TASK", "system", "prompt")
"""Endings of the names of texts for a model; they are not shown to a person."""
TABLE_AT_MOST = 12
"""A table of more words than these is no choice of words in a sentence."""
NUMBER = re.compile(
    r"count|number|total|limit|done|size|_at_most|characters|most|rows|turns$|^facts$|_ms$|^n$",
    re.IGNORECASE,
)


class Reader:
    """Reads one module. told: the calls, arguments and names whose texts are said to a person; None for all of them."""

    def __init__(self, file: Path, module: ModuleType, told: Collection[str] | None) -> None:
        self._tree = ast.parse(file.read_text(encoding="utf-8"))
        self._module, self._told = module, told
        self._given = _given(file.parent)
        self._local: dict[str, ast.expr] = {}
        self._answers = dict(_answers(self._tree))

    def templates(self) -> Iterator[str]:
        """Every text as a template, in the order of the code."""
        yield from map(_numbered, self._below(self._tree, said=self._told is None))

    def _below(self, node: ast.AST, *, said: bool) -> Iterator[str]:
        """The texts below a node. said: whether they are said to a person."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.keyword(arg="system" | "prompt"):
                return
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "re")) | ast.Attribute(attr="split")):
                return
            case ast.Assign(targets=[ast.Name(id=name)]) if name.endswith(UNSAID):
                return
            case ast.expr() if _is_text(node):
                if said:
                    yield from _whole(node) if isinstance(node, ast.Constant) else self._ways(node)
                return
            case ast.FunctionDef():
                self._local = _written_in(node)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                said = said or self._tells(name)
            case ast.keyword(arg=str(name)) | ast.Assign(targets=[ast.Name(id=name)]):
                said = said or self._tells(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                said = said or self._tells(name)
        for child in ast.iter_child_nodes(node):
            yield from self._below(child, said=said)

    def _tells(self, name: str) -> bool:
        return self._told is not None and name in self._told

    def _ways(self, value: ast.AST, spec: str = "") -> Iterator[str]:
        """How a text, or a part of one, can come out. spec: how a part is formatted."""
        match value:
            case ast.Constant(value=str(text)):
                yield text.replace("{", "{{").replace("}", "}}")
            case ast.JoinedStr(values=values):
                for pieces in itertools.product(*([*self._ways(each)] for each in values)):
                    yield "".join(pieces)
            case ast.FormattedValue(value=part, format_spec=how):
                yield from self._ways(part, ast.unparse(how)[2:-1] if how else "")
            case ast.BinOp(op=ast.Add(), left=one, right=other) if _is_text(value):
                for first, second in itertools.product(self._ways(one), self._ways(other)):
                    yield first + second
            case ast.IfExp(body=one, orelse=other) | ast.BoolOp(op=ast.Or(), values=[one, other]):
                yield from self._ways(one, spec)
                yield from self._ways(other, spec)
            case ast.Subscript(value=ast.Name(id=name)) if name.isupper() and _are_words(self._value(name)):
                yield from self._value(name).values()
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in self._given:
                yield from sorted(self._given[name])
            case ast.Call(func=ast.Name(id=name)) if name in self._answers:
                yield from self._ways(self._answers[name], spec)
            case ast.Name(id=name) if name in self._local:
                yield from self._ways(self._local[name], spec)
            case ast.Name(id=name) if name.isupper() and isinstance(self._value(name), str):
                yield self._value(name)
            case _:
                yield "{count}" if self._is_number(value, spec) else f"{{{_named(value)}}}"

    def _value(self, name: str) -> Any:
        return getattr(self._module, name, None)

    def _is_number(self, value: ast.AST, spec: str) -> bool:
        match value:
            case ast.Call(func=ast.Name(id="len" | "sum")) | ast.BinOp(right=ast.Constant(value=int())):
                return True
            case ast.BinOp(op=ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Mod()):
                return True
            case ast.Name(id=name) if name.isupper():
                return isinstance(self._value(name), int | float)
        return bool(re.search(r"[,dfg%]", spec)) or bool(NUMBER.search(_named(value)))


def _whole(node: ast.Constant) -> Iterator[str]:
    """A text as it stands, with the parts that str.format puts in; one that ends with a colon goes on."""
    text = str(node.value)
    told = text + "{what}" if text.endswith(": ") else text.lstrip() if text.endswith(".") else text
    yield re.sub(r"\{(\w*)(?::[^}]*)?\}", lambda part: f"{{{part[1] or 'what'}}}", told)


@functools.cache
def _given(room: Path) -> dict[str, set[str]]:
    """The words that the code of a room hands on to be put into a sentence."""
    given: dict[str, set[str]] = {}
    for file in room.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.keyword(arg=str(name), value=ast.expr() as value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ) if name in GIVEN and _is_text(value):
                    words = {str(each.value) for each in ast.walk(value) if isinstance(each, ast.Constant)}
                    given.setdefault(name, set()).update(words - {""})
    return given


def _answers(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The module's functions that do nothing but write a text out, with that."""
    for node in module.body:
        match node:
            case ast.FunctionDef(name=name, body=[*_, ast.Return(value=ast.expr() as value)]) if _is_text(
                value
            ):
                if sum(isinstance(each, ast.Return) for each in ast.walk(node)) == 1:
                    yield name, value


def _written_in(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """The texts that a function writes out and names, each once."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                named.setdefault(name, []).append(value)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                named.setdefault(name, []).append(value)
    return {
        name: values[0]
        for name, values in named.items()
        if len(values) == 1
        and _is_text(values[0])
        and not any(isinstance(each, ast.Name) and each.id in named for each in ast.walk(values[0]))
    }


def _is_text(value: ast.AST) -> bool:
    """Whether this is written out: a text, a choice between texts, or one after the other."""
    match value:
        case ast.Constant(value=text):
            return isinstance(text, str)
        case ast.BinOp(op=ast.Add(), left=one, right=other) | ast.IfExp(body=one, orelse=other):
            return _is_text(one) and _is_text(other)
    return isinstance(value, ast.JoinedStr)


def _are_words(value: Any) -> bool:
    """Whether this is a small table of words."""
    return (
        isinstance(value, dict)
        and len(value) <= TABLE_AT_MOST
        and all(isinstance(each, str) for each in value.values())
    )


def _named(value: ast.AST) -> str:
    """What a part is called after the code that makes it: `shortened(fact.claim, 60)` is a claim."""
    match value:
        case ast.Name(id=name):
            return name.lower().strip("_")
        case ast.Attribute(value=of, attr=name):
            return _named(of) if name in ("name", "title") and ast.unparse(of) != "self" else name.strip("_")
        case ast.Call(func=ast.Attribute(attr="join"), args=[first]):
            return first.id.lower() if isinstance(first, ast.Name) else "list"
        case ast.Call(func=ast.Attribute(value=of, attr="lower" | "strip" | "isoformat" | "removeprefix")):
            return _named(of)
        case ast.Call(args=[first, *_]):
            return _named(first)
        case ast.Call(func=of) | ast.Subscript(value=of):
            return _named(of)
    return "what"


def _numbered(text: str) -> str:
    """A second part of one name is `{name2}`."""
    seen: dict[str, int] = {}

    def one(part: re.Match[str]) -> str:
        name = "path" if part[1].endswith(("path", "relative")) else part[1]
        seen[name] = seen.get(name, 0) + 1
        return f"{{{name}{seen[name] if seen[name] > 1 else ''}}}"

    return PART.sub(one, text)
