"""Settings in JSON or JSON5, changed in place: comments, order and layout of everything else stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from memdesk.model.message import message

_SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.S)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.S)
_NAME = re.compile(r"[\w$]+")
_NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|Infinity|NaN)")
_WORDS = {"true": True, "false": False, "null": None}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LINE_REST = re.compile(r"[ \t]*(?://[^\n]*)?(?=\n)")
DEEPEST = 200
"""Depth of nesting that is read; no settings are deeper."""


@dataclass(slots=True)
class Node:
    """Value in a text. members: of an object, by name, with the place where each begins. items: of a list."""

    start: int
    end: int
    value: Any
    members: dict[str, tuple[int, Node]] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)


def read(text: str) -> Any:
    """Return the value of a text in JSON5. Raises ValueError."""
    return _Reader(text).node().value


def rewritten(text: str, wanted: Any) -> str:
    """Return a text in JSON5 that says what is wanted, with as little of it changed as can be. Raises ValueError."""
    root = _Reader(text).node()
    return text[: root.start] + _Writer(text).written(root, wanted) + text[root.end :]


class _Reader:
    """Reader of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._depth = 0

    def node(self) -> Node:
        """Return the only value of the text."""
        found = self._value(self._skip(0))
        if (end := self._skip(found.end)) != len(self._text):
            raise self._wrong(end)
        return found

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _wrong(self, at: int) -> ValueError:
        return ValueError(message("line {count} is not JSON", count=self._text.count(chr(10), 0, at) + 1))

    def _value(self, at: int) -> Node:
        opened = self._text[at : at + 1]
        if opened in ("{", "["):
            self._depth += 1
            if self._depth > DEEPEST:
                raise ValueError(message("it is nested too deep"))
            found = self._object(at) if opened == "{" else self._list(at)
            self._depth -= 1
            return found
        if match := _STRING.match(self._text, at):
            return Node(at, match.end(), _unescaped(match[0][1:-1]))
        if match := _NUMBER.match(self._text, at):
            return Node(at, match.end(), _number(match[0]))
        match = _NAME.match(self._text, at)
        if match is None or match[0] not in _WORDS:
            raise self._wrong(at)
        return Node(at, match.end(), _WORDS[match[0]])

    def _object(self, at: int) -> Node:
        found = Node(at, at, {})

        def member(start: int) -> int:
            match = _STRING.match(self._text, start) or _NAME.match(self._text, start)
            colon = self._skip(match.end()) if match else start
            if match is None or self._text[colon : colon + 1] != ":":
                raise self._wrong(start)
            name = _unescaped(match[0][1:-1]) if match[0][0] in "\"'" else match[0]
            node = self._value(self._skip(colon + 1))
            found.members[name], found.value[name] = (start, node), node.value
            return node.end

        found.end = self._separated(at + 1, "}", member)
        return found

    def _list(self, at: int) -> Node:
        found = Node(at, at, [])

        def item(start: int) -> int:
            found.items.append(self._value(start))
            found.value.append(found.items[-1].value)
            return found.items[-1].end

        found.end = self._separated(at + 1, "]", item)
        return found

    def _separated(self, at: int, close: str, read_one: Callable[[int], int]) -> int:
        """Read the items or members up to the closing bracket; return the place after it."""
        at = self._skip(at)
        while self._text[at : at + 1] != close:
            at = self._skip(read_one(at))
            if self._text[at : at + 1] == ",":
                at = self._skip(at + 1)
            elif self._text[at : at + 1] != close:
                raise self._wrong(at)
        return at + 1


@dataclass(slots=True)
class _Piece:
    """Part of an object or a list as written. lead: from the comma before it. tail: up to its comma and the end of
    that line. comma: the place of the comma in the tail, -1 without one."""

    lead: str
    text: str
    tail: str = ""
    comma: int = -1

    def ended(self, with_comma: bool) -> _Piece:
        if with_comma == (self.comma >= 0):
            return self
        if with_comma:
            return _Piece(self.lead, self.text, "," + self.tail, 0)
        return _Piece(self.lead, self.text, self.tail[: self.comma] + self.tail[self.comma + 1 :])


class _Writer:
    """Rewrites a JSON5 text: changed values are replaced, and comments, order and spaces stay."""

    def __init__(self, text: str) -> None:
        self._text = text
        first = re.search(r"\n([ \t]+)\S", text)
        self._unit = first[1] if first else "  "

    def written(self, node: Node, wanted: Any) -> str:
        """Return the text of a value that is to be the wanted one."""
        if _same(node.value, wanted):
            return self._text[node.start : node.end]
        if isinstance(node.value, dict) and isinstance(wanted, dict):
            return self._object(node, wanted)
        if isinstance(node.value, list) and isinstance(wanted, list):
            return self._list(node, wanted)
        return self._dumped(wanted, self._indent(node.start))

    def _object(self, node: Node, wanted: dict[str, Any]) -> str:
        places = [(start, member.end) for start, member in node.members.values()]
        pieces, rest = self._pieces(node, places)
        kept: list[_Piece] = []
        for piece, (name, (start, member)) in zip(pieces, node.members.items(), strict=True):
            if name in wanted:
                piece.text = self._text[start : member.start] + self.written(member, wanted[name])
                kept.append(piece)
        lead, indent = self._lead(node, places)
        for name, value in wanted.items():
            if name not in node.members:
                key = json.dumps(name, ensure_ascii=False)
                kept.append(_Piece(lead, f"{key}: {self._dumped(value, indent)}"))
        return self._joined(node, pieces, kept, rest)

    def _list(self, node: Node, wanted: list[Any]) -> str:
        places = [(each.start, each.end) for each in node.items]
        pieces, rest = self._pieces(node, places)
        lead, indent = self._lead(node, places)
        old, new = ([json.dumps(each, sort_keys=True) for each in some] for some in (node.value, wanted))
        kept: list[_Piece] = []
        for op, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if op == "equal":
                kept.extend(pieces[a:b])
            else:
                kept.extend(_Piece(lead, self._dumped(each, indent)) for each in wanted[c:d])
        return self._joined(node, pieces, kept, rest)

    def _pieces(self, node: Node, places: list[tuple[int, int]]) -> tuple[list[_Piece], str]:
        """Return the parts of an object or a list as they are written, and what is between the last and the end."""
        pieces, at = [], node.start + 1
        for start, end in places:
            comma = self._comma(end)
            found = _LINE_REST.match(self._text, comma + 1 if comma >= 0 else end)
            after = found.end() if found else max(comma + 1, end)
            tail = self._text[end:after]
            pieces.append(
                _Piece(self._text[at:start], self._text[start:end], tail, comma - end if comma >= 0 else -1)
            )
            at = after
        return pieces, self._text[at : node.end - 1]

    def _joined(self, node: Node, before: list[_Piece], after: list[_Piece], rest: str) -> str:
        opened, closed = self._text[node.start], self._text[node.end - 1]
        if not after:
            around = "".join(piece.lead + piece.tail.replace(",", "") for piece in before) + rest
            return opened + (around if around.strip() else "") + closed
        if not before:
            # Where nothing was, the comment inside stays at the beginning.
            after[0].lead = rest.rstrip() + after[0].lead
            rest = f"\n{self._indent(node.start)}"
        last = before[-1].comma >= 0 if before else False
        ended = [piece.ended(True) for piece in after[:-1]] + [after[-1].ended(last)]
        said = "".join(piece.lead + piece.text + piece.tail for piece in ended)
        return (
            opened + (said if before and after[0] is before[0] else self._begun(node, said)) + rest + closed
        )

    def _begun(self, node: Node, said: str) -> str:
        """Return the inside of a container whose first part is another one; of one line, without its space."""
        return (
            said.lstrip() if "\n" not in self._text[node.start : node.end] and "\n" not in said[:1] else said
        )

    def _comma(self, at: int) -> int:
        """Return the place of the comma that follows, -1 without one."""
        found = _SPACE.match(self._text, at)
        at = found.end() if found else at
        return at if self._text[at : at + 1] == "," else -1

    def _lead(self, node: Node, places: list[tuple[int, int]]) -> tuple[str, str]:
        """Return what is written before a new part, and its indentation."""
        if places and "\n" not in self._text[node.start : node.end]:
            return " ", self._indent(node.start)
        if places and "\n" in self._text[node.start : places[0][0]]:
            indent = self._indent(places[0][0])
        else:
            indent = self._indent(node.start) + self._unit
        return f"\n{indent}", indent

    def _indent(self, at: int) -> str:
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip())]

    def _dumped(self, value: Any, indent: str) -> str:
        dumped = json.dumps(value, indent=self._unit, ensure_ascii=False)
        return dumped.replace("\n", f"\n{indent}")


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        said = match[1]
        if said[0] in "ux" and len(said) > 1:
            return chr(int(said[1:], 16))
        return "" if said in ("\n", "\r\n", "\u2028", "\u2029") else _ESCAPED.get(said, said)

    return _ESCAPE.sub(one, text).encode("utf-16", "surrogatepass").decode("utf-16")


def _number(text: str) -> int | float:
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.lstrip("+"))
    if digits[:2] in ("0x", "0X"):
        return sign * int(digits, 16)
    return sign * (int(digits) if digits.isdigit() else float(digits.replace("Infinity", "inf")))
