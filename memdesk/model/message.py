"""Sentences of the engine: an English template, which is their id, with named parts.

    message("{count} of “{name}” were kept.", count=3, name=folder)     a sentence
    verbatim(claim)                                                     text that a person or an agent wrote

A Message is its English text wherever a text is wanted. The window asks for id and parts and words them in its own
language; `packaging/sentences.py` gathers the templates, so the first argument of `message` is a literal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from types import MappingProxyType
from typing import Annotated, Any, Self

_NONE: Mapping[str, object] = MappingProxyType({})
_PLAIN = (str, int, float)
"""Types of parts that are written as they are. A tuple: a union of types is made at every call."""


class Message(str):
    """English text with the template and the parts it was made of.

    id: the template; "" for text that is nobody's sentence but a person's or an agent's own words. parts: values by
    name: a text, a number, a Message, or a list of them."""

    __slots__ = ("id", "parts")
    id: str
    parts: Mapping[str, object]

    def __new__(cls, text: str = "", id: str = "", parts: Mapping[str, object] = _NONE) -> Self:
        made = super().__new__(cls, text)
        made.id, made.parts = id, parts
        return made

    def __reduce__(self) -> tuple[type[Message], tuple[str, str, dict[str, object]]]:
        return Message, (str(self), self.id, dict(self.parts))

    def __deepcopy__(self, memo: object) -> Message:
        return self

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Callable[[Any], Any]) -> Any:
        """Describe a Message to pydantic: a text in JSON, or id and parts where the context asks for them."""
        from pydantic_core import core_schema

        return core_schema.no_info_wrap_validator_function(
            lambda value, _: as_message(value),
            core_schema.str_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                _in_context, info_arg=True, return_schema=core_schema.any_schema()
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string"}


class _Kept:
    """Annotation of a JSON object that may contain messages."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core import core_schema

        schema: Any = handler(source)
        kept = core_schema.plain_serializer_function_ser_schema(
            _in_context, info_arg=True, return_schema=schema
        )
        return core_schema.no_info_after_validator_function(unpacked, schema, serialization=kept)


Details = Annotated[dict[str, Any], _Kept()]
"""JSON object in which messages are sent like those of other fields."""


def _in_context(value: Any, info: Any) -> Any:
    """Return a value as it is sent: messages as id and parts if the context is true."""
    if info.context:
        return packed(value)
    return str(value) if isinstance(value, Message) else value


def message(template: str, /, **parts: object) -> Message:
    """Return the sentence of a template. Parts are inserted by name, as str.format does; a list is joined by commas."""
    plain = {name: part if isinstance(part, _PLAIN) else _part(part) for name, part in parts.items()}
    listed = {name: ", ".join(map(str, part)) for name, part in plain.items() if isinstance(part, list)}
    return Message(template.format(**plain | listed), template, plain)


def verbatim(text: str) -> Message:
    """Return text that a person or an agent wrote, which is never translated; a Message stays what it is."""
    return text if isinstance(text, Message) else Message(text)


def term(word: str) -> Message:
    """Return a word of the model, such as the label of a record type, which is its own id."""
    return Message(word, word)


def counted(number: int, one: str, many: str) -> Message:
    """Return a number of things of the model, "1 fact" or "12 facts": their names are words of the translations."""
    return term(f"1 {one}") if number == 1 else message("{count} " + many, count=f"{number:,}")


NO_MESSAGE = Message()


def joined(*sentences: Message) -> Message:
    """Return sentences one after the other, without the empty ones."""
    said = [each for each in sentences if each]
    if not said:
        return NO_MESSAGE
    return reduce(lambda first, second: message("{first} {second}", first=first, second=second), said)


def capital(sentence: Message) -> Message:
    """Return a message whose English begins with a capital, as a sentence made of a reason does."""
    return Message(sentence[:1].upper() + sentence[1:], sentence.id, sentence.parts)


def uncapital(sentence: Message) -> Message:
    """Return a message whose English begins with a small letter, as within a sentence."""
    return Message(sentence[:1].lower() + sentence[1:], sentence.id, sentence.parts)


def remade(original: Message, parts: Mapping[str, object]) -> Message:
    """Return a message of the same template with other parts."""
    return message(original.id, **parts)


def writable(sentence: Message) -> Message:
    """Return a message whose bytes that are no text, as in a file's name, are `?`."""
    if sentence.isascii():
        return sentence
    parts = {name: _writable(each) for name, each in sentence.parts.items()}
    return Message(_writable(str(sentence)), _writable(sentence.id), parts)


def packed(value: Any) -> Any:
    """Return a JSON value in which each Message is {"id": …, "parts": {…}}; verbatim text is a string."""
    match value:
        case Message(id=str(id), parts=parts) if id:
            return {"id": id, "parts": {name: packed(part) for name, part in parts.items()}}
        case dict():
            return {name: packed(each) for name, each in value.items()}
        case list() | tuple():
            return [packed(each) for each in value]
        case Message():
            return str(value)
    return value


def unpacked(value: Any) -> Any:
    """Return a JSON value with the Messages that `packed` took apart."""
    match value:
        case {"id": str(id), "parts": dict(parts), **rest} if not rest:
            return message(id, **{name: unpacked(part) for name, part in parts.items()})
        case dict():
            return {name: unpacked(each) for name, each in value.items()}
        case list():
            return [unpacked(each) for each in value]
    return value


def as_message(value: Any) -> Message:
    """Return the Message in a JSON value: id and parts, or a text."""
    unpacked_value = unpacked(value)
    return unpacked_value if isinstance(unpacked_value, Message) else verbatim(str(unpacked_value))


MESSAGE = "message"
"""Name in a JSON column under which the id and parts of a stored text are kept."""


def kept_message(sentence: Message) -> dict[str, Any]:
    """Return the entry of a JSON column that keeps a message whose text is stored in another; {} if verbatim."""
    return {MESSAGE: packed(sentence)} if verbatim(sentence).id else {}


def without_message(column: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON column without the entry of kept_message."""
    return {name: value for name, value in column.items() if name != MESSAGE}


def with_stored_parts(text: str, packed_message: Any) -> Message:
    """Return a stored text with the id and parts stored with it; verbatim if they do not make this text."""
    unpacked_value = unpacked(packed_message)
    if isinstance(unpacked_value, Message) and unpacked_value.casefold() == text.casefold():
        return Message(text, unpacked_value.id, unpacked_value.parts)
    return verbatim(text)


def _writable(part: Any) -> Any:
    if isinstance(part, Message) and part.id:
        return writable(part)
    return part.encode(errors="replace").decode() if isinstance(part, str) else part


def _part(part: object) -> object:
    """Return a part as it can be written as JSON."""
    if isinstance(part, list | tuple):
        return [_part(each) for each in part]
    return part if isinstance(part, _PLAIN) else str(part)
