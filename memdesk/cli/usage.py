"""Parser of the command line whose errors are one sentence with a next step, and suggest the word that was meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from typing import NoReturn

from memdesk.model.errors import BadAsk
from memdesk.model.message import message, verbatim

_CHOICE = re.compile(
    r"argument (?P<name>.+): invalid choice: (?P<given>'.*?'|\".*?\") \(choose from (?P<known>.*)\)"
)
_KIND = re.compile(r"argument (?P<name>.+): invalid (?P<kind>\w+) value: (?P<given>.+)")
_KINDS = {"int": "whole number", "float": "number", "fromisoformat": "day; write 2026-01-31"}
_VALUE = re.compile(r"argument (?P<name>.+?): (?P<problem>.*)")


class Parser(argparse.ArgumentParser):
    """Parser that raises BadAsk instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        raise wrong_usage(_sentence(message), self.prog)

    def unknown(self, words: Iterable[str]) -> BadAsk:
        """Return the error for words that the parser left over."""
        given = next((word for word in words if word.startswith("-")), "")
        if not given:
            return wrong_usage(f"There is one argument too many: {next(iter(words))}", self.prog)
        name = given.partition("=")[0]
        options = [option for action in self._actions for option in action.option_strings]
        return wrong_usage(f"There is no option {name}{_meant(name, options)}", self.prog)


def wrong_usage(sentence: str, program: str) -> BadAsk:
    """program: the words of the command whose help has the answer."""
    ended = sentence if sentence.endswith((".", "?")) else f"{sentence}."
    return BadAsk(verbatim(ended), next=message("`{program} --help` explains it.", program=program))


def unknown_command(word: str, known: Iterable[str], program: str) -> BadAsk:
    return wrong_usage(f"There is no command {word}{_meant(word, known)}", program)


def _meant(word: str, known: Iterable[str]) -> str:
    """Return the question for the nearest of the known words; a full stop where none is near."""
    from difflib import get_close_matches  # Three milliseconds, which only a mistake pays for.

    near = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f". Did you mean {near[0]}?" if near else "."


def _sentence(problem: str) -> str:
    """Return argparse's account of an error as a sentence."""
    if found := _CHOICE.fullmatch(problem):
        known = [word.strip("' ") for word in found["known"].split(",")]
        given = found["given"][1:-1]
        near = _meant(given, known)
        return f"{found['name']} cannot be {given}" + (near if near != "." else f"; it is {_one_of(known)}")
    if found := _KIND.fullmatch(problem):
        return f"{found['name']}: {found['given']} is no {_KINDS.get(found['kind'], found['kind'])}"
    if found := _VALUE.fullmatch(problem):
        return f"{found['name']}: {found['problem']}"
    return f"{problem[:1].upper()}{problem[1:]}"


def _one_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
