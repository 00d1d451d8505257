"""completion: scripts that complete commands, actions, options and their values in bash, zsh and fish.

They are made from the parser, so they know what it knows."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from memdesk.cli.command import Command, Context, Parser


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Output of `completion --json`."""

    shell: str
    script: str


@dataclass(slots=True)
class Place:
    """Position in a command line: the words so far, with all that may follow.

    words: commands or actions with their summaries. options: option strings with their help. values: choices of the
    options that have some. folders: options that name a folder or a file."""

    at: str
    words: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[str]] = field(default_factory=dict)


def places(parser: Parser, summaries: dict[str, str], at: str = "") -> Iterator[Place]:
    """Yield every place of a parser. summaries: of the first words."""
    place = Place(at)
    deeper: dict[str, Parser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {each.dest: each.help or "" for each in action._choices_actions}
            deeper = dict(action.choices)
            place.words = {name: helps.get(name) or summaries.get(name, "") for name in deeper}
        elif action.help is argparse.SUPPRESS:
            continue
        elif action.option_strings:
            place.options |= {name: (action.help or "").replace("%%", "%") for name in action.option_strings}
            if action.choices:
                place.values |= {
                    name: [str(each) for each in action.choices] for name in action.option_strings
                }
        elif action.choices:
            place.words |= {str(each): "" for each in action.choices}
    yield place
    for name, parser_of in deeper.items():
        yield from places(parser_of, {}, f"{at} {name}".lstrip())


def bash(known: list[Place]) -> Iterator[str]:
    """Yield the lines of the script for bash."""
    yield "# bash completion for memdesk, made by `memdesk completion bash`"
    yield "_memdesk() {"
    yield '    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" at="" word found=""'
    yield '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield from _walk(known, '        case "$at/$word" in', '            {pattern}) at="$at/$word" ;;')
    yield "    done"
    yield '    case "$at $before" in'
    for place in known:
        for option, values in place.values.items():
            yield f"        {shlex.quote(f'{_path(place)} {option}')}) found={shlex.quote(' '.join(values))} ;;"
    yield "    esac"
    yield '    if [ -z "$found" ]; then'
    yield '        case "$at" in'
    for place in known:
        found = " ".join(("", *place.words, *place.options))
        yield f"            {shlex.quote(_path(place))}) found={shlex.quote(found)} ;;"
    yield "        esac"
    yield '        [[ $current == -* ]] || found="${found%% -*}"'
    yield "    fi"
    yield '    mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")'
    yield "}"
    yield "complete -o default -F _memdesk memdesk"


def zsh(known: list[Place]) -> Iterator[str]:
    """Yield the lines of the script for zsh."""
    yield "#compdef memdesk"
    yield "# zsh completion for memdesk, made by `memdesk completion zsh`"
    yield "_memdesk() {"
    yield '    local at="" word'
    yield "    local -a found"
    yield '    for word in "${(@)words[2,CURRENT-1]}"; do'
    yield from _walk(known, '        case "$at/$word" in', '            {pattern}) at="$at/$word" ;;')
    yield "    done"
    yield '    case "$at ${words[CURRENT-1]}" in'
    for place in known:
        for option, values in place.values.items():
            yield f"        {shlex.quote(f'{_path(place)} {option}')}) compadd -- {shlex.join(values)}; return ;;"
    yield "    esac"
    yield '    case "$at" in'
    for place in known:
        described = [
            f"{name.replace(':', chr(92) + ':')}:{text}"
            for name, text in {**place.words, **place.options}.items()
        ]
        yield f"        {shlex.quote(_path(place))}) found=({shlex.join(described)}) ;;"
    yield "    esac"
    yield '    [[ "$PREFIX" == -* ]] || found=("${(@)found:#-*}")'
    yield "    _describe memdesk found || _files"
    yield "}"
    yield '[ "$funcstack[1]" = _memdesk ] && _memdesk "$@" || compdef _memdesk memdesk'


def fish(known: list[Place]) -> Iterator[str]:
    """Yield the lines of the script for fish."""
    yield "# fish completion for memdesk, made by `memdesk completion fish`"
    yield "function __memdesk_at"
    yield "    set -l at ''"
    yield "    for word in (commandline -opc)[2..-1]"
    yield '        switch "$at/$word"'
    yield f"            case {shlex.join(_path(place) for place in known if place.at)}"
    yield '                set at "$at/$word"'
    yield "        end"
    yield "    end"
    yield '    test "$at" = "$argv[1]"'
    yield "end"
    for place in known:
        here = f"complete -c memdesk -n {_fish(f'__memdesk_at {_fish(_path(place))}')}"
        for name, text in place.words.items():
            yield f"{here} -f -a {_fish(name)} -d {_fish(text)}"
        for option, text in place.options.items():
            kind = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            values = f" -x -a {_fish(' '.join(place.values[option]))}" if option in place.values else ""
            yield f"{here} {kind}{values} -d {_fish(text)}"


def _walk(known: list[Place], head: str, line: str) -> Iterator[str]:
    """Yield the lines that follow the words of a command line as far as they are commands and actions."""
    yield head
    yield line.format(pattern=" | ".join(shlex.quote(_path(place)) for place in known if place.at))
    yield "        esac"


def _path(place: Place) -> str:
    """Return the words so far as a path: `/channels/create`, "" at the beginning."""
    return "".join(f"/{word}" for word in place.at.split())


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[list[Place]], Iterator[str]]] = {"bash": bash, "zsh": zsh, "fish": fish}


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(SHELLS), help="the shell that completes")


def complete(context: Context) -> int:
    """Print the script that completes `memdesk` in a shell.

    bash: eval "$(memdesk completion bash)" in ~/.bashrc. zsh: eval "$(memdesk completion zsh)" in ~/.zshrc, after
    compinit. fish: memdesk completion fish > ~/.config/fish/completions/memdesk.fish"""
    # The parser of all commands is made by the module that lists this one.
    from memdesk.cli.program import WORDS, parser

    shell = context.args.shell
    known = list(places(parser(), {word.name: word.summary for word in WORDS}))
    lines = list(SHELLS[shell](known))
    context.out.answer(Script(shell=shell, script="\n".join(lines) + "\n"), lines)
    return 0


COMMANDS = (Command(name="completion", run=complete, declare=_declare),)
