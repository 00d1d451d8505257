"""Markdown parsing. Pure, so that a worker can do it; raw HTML and comments are never interpreted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

COMMENT = re.compile(r"^[ \t]*<!--.*?-->[ \t]*$", re.MULTILINE | re.DOTALL)
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """File parsed as markdown. front: its YAML front matter as written; tokens: from markdown-it."""

    front: str
    front_lines: int
    tokens: tuple[Token, ...]


def parse(text: str) -> Parsed:
    """Parse a file. Comments are removed but their line breaks stay, so that line numbers do not change."""
    head = FRONT_MATTER.match(text)
    blank = "\n" * head[0].count("\n") if head else ""
    body = blank + text[head.end() :] if head else text
    body = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), body)
    return Parsed(front=head[1] if head else "", front_lines=len(blank), tokens=tuple(PARSER.parse(body)))
