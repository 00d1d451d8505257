"""Files of workspaces: the desk reads them with placeholders, and writes them with the secrets that they have.

A secret in a file is its owner's, and its bytes stay. Versions, facts and indexes of the file have the placeholder; a
write puts the value back where the file had it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.secrets.detector import MARK, PLACEHOLDER
from memdesk.files.reading import TextFile, TextFormat

PERSON = "person:"


def hidden(engine: Engine, file: TextFile, path: Path | None = None) -> TextFile:
    """Return a file with placeholders in its text; its manner turns them back into its bytes.

    path: the file of a workspace, to which an earlier version with the same secret may be written back."""
    own = (
        frozenset(match["id"] for match in PLACEHOLDER.finditer(file.text))
        if MARK in file.text
        else frozenset()
    )
    text = engine.vault.masked(file.text, again=own)
    if text == file.text:
        return file
    there = {match[0] for match in PLACEHOLDER.finditer(file.text)}
    values = tuple(
        (match[0], value)
        for match in PLACEHOLDER.finditer(text)
        if match[0] not in there and (value := engine.vault.value(match["id"])) is not None
    )
    if path is not None:
        engine.vault.keep(text, file=str(path))
    return replace(file, text=text, manner=replace(file.manner, hidden=tuple(dict.fromkeys(values))))


def as_written(engine: Engine, file: TextFile | None, text: str, path: Path, *, author: str) -> TextFormat:
    """Return the manner in which a text is written to a file: with the secrets that this file has or had.

    A person's text may bring secrets into a file; in the text of anybody else they stay placeholders."""
    manner = TextFormat() if file is None else file.manner
    if MARK not in text:
        return manner
    known = dict(manner.hidden)
    own = {match[0] for match in PLACEHOLDER.finditer("" if file is None else file.text)} - known.keys()
    by_person = author.startswith(PERSON)
    for match in PLACEHOLDER.finditer(text):
        if match[0] in known or match[0] in own:
            continue
        if by_person or engine.vault.is_in(match["id"], str(path)):
            value = engine.vault.value(match["id"])
            if value is not None:
                known[match[0]] = value
    if by_person:
        engine.vault.keep("".join(known), author=author, file=str(path))
    return replace(manner, hidden=tuple(known.items()))
