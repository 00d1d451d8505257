"""Write icons, pages of the manual and completion scripts below a /usr, from the MemDesk that runs this script."""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from memdesk import __version__
from memdesk.cli.command import Parser
from memdesk.cli.completion import SHELLS, places
from memdesk.cli.program import WORDS, parser
from memdesk.files.places import resource

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
COMPLETIONS = {
    "bash": "bash-completion/completions/memdesk",
    "zsh": "zsh/vendor-completions/_memdesk",
    "fish": "fish/vendor_completions.d/memdesk.fish",
}


def main(root: Path) -> None:
    write_icons(root / "share" / "icons" / "hicolor")
    manual = root / "share" / "man" / "man1"
    manual.mkdir(parents=True, exist_ok=True)
    for name, lines in manual_pages():
        text = "\n".join(lines) + "\n"
        (manual / f"{name}.1.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    known = list(places(parser(), {word.name: word.summary for word in WORDS}))
    for shell, where in COMPLETIONS.items():
        file = root / "share" / where
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(SHELLS[shell](known)) + "\n", encoding="utf-8")


def write_icons(folder: Path) -> None:
    """Draw the icon in every size."""
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication.instance() or QGuiApplication([])
    drawing = QSvgRenderer(str(resource("desktop", "memdesk.svg")), application)
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        drawing.render(painter)
        painter.end()
        place = folder / f"{size}x{size}" / "apps"
        place.mkdir(parents=True, exist_ok=True)
        image.save(str(place / "memdesk.png"))


def manual_pages() -> Iterator[tuple[str, Iterator[str]]]:
    """Yield each page of the manual, by name, with its lines as roff."""
    whole = parser()
    yield "memdesk", page("memdesk", "see, judge and correct what AI agents remember", whole)
    commands = next(each for each in whole._actions if isinstance(each, argparse._SubParsersAction))
    for word in WORDS:
        yield f"memdesk-{word.name}", page(f"memdesk-{word.name}", word.summary, commands.choices[word.name])


def page(name: str, summary: str, of: Parser) -> Iterator[str]:
    """Yield the lines of a page: what a command is for, its synopsis, arguments and actions."""
    yield f'.TH {roff(name.upper())} 1 "" "MemDesk {__version__}" "User commands"'
    yield ".na"
    yield from (".SH NAME", f"{roff(name)} \\- {roff(summary)}", ".SH SYNOPSIS")
    yield line(" ".join(of.format_usage().removeprefix("usage: ").split()))
    yield from (".SH DESCRIPTION", line(of.description or ""))
    if name == "memdesk":
        yield from (".SH COMMANDS AND EXIT CODES", ".nf", *map(line, (of.epilog or "").splitlines()), ".fi")
    yield ".SH OPTIONS"
    yield from arguments(of)
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction) and name != "memdesk":
            for word, deeper in action.choices.items():
                yield from (f".SS {roff(word)}", line(deeper.description or ""))
                yield from arguments(deeper)


def arguments(of: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines of the arguments of a parser, each with its help."""
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help is argparse.SUPPRESS:
            continue
        shown = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        value = (
            f" {action.metavar or action.dest.upper()}" if action.option_strings and action.nargs != 0 else ""
        )
        yield from (".TP", f".B {roff(shown + value)}", line((action.help or "").replace("%%", "%")))


def line(text: str) -> str:
    """Return a line of running text: a dot or a quote at its start would be a command of roff."""
    written = roff(text)
    return f"\\&{written}" if written.startswith((".", "'")) else written


def roff(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
