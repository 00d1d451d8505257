"""Completion of the command line in the shells that are there, and the errors of usage."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memdesk.cli.completion import SHELLS, places
from memdesk.cli.program import GROUPS, WORDS, parser
from memdesk.model.errors import BadAsk

KNOWN = list(places(parser(), {word.name: word.summary for word in WORDS}))
LINES = {
    "memdesk fac": {"facts"},
    "memdesk channels cr": {"create"},
    "memdesk --json channels cr": {"create"},
    "memdesk log --sin": {"--since"},
    "memdesk completion z": {"zsh"},
    "memdesk compact --pol": {"--policy"},
}


@pytest.fixture(scope="module", params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if not shutil.which(name):
        pytest.skip(f"{name} is not here")
    return name


def test_every_shell_completes_commands_actions_options_and_values(shell: str, tmp_path: Path) -> None:
    script = tmp_path / f"completion.{shell}"
    script.write_text("\n".join(SHELLS[shell](KNOWN)) + "\n", encoding="utf-8")
    assert subprocess.run([shell, "-n", script], capture_output=True, check=False).stderr == b""
    if shell == "zsh":  # It completes only where a person types.
        return
    found = {line: set(completed(shell, script, line).split()) for line in LINES}
    assert found == LINES


def test_the_command_prints_each_script_and_the_licences_name_what_must_be_named(memdesk: Any) -> None:
    printed = (memdesk("completion", "bash"), memdesk("completion", "zsh"), memdesk("completion", "fish"))
    assert [ran.out.splitlines() for ran in printed] == [list(script(KNOWN)) for script in SHELLS.values()]
    said = memdesk("licences", "--json").json
    named = {row["name"].lower(): row["licence"] for row in said["rows"]}
    assert {"wordllama", "numpy", "pyside6_essentials"} <= set(named) and "pytest" not in named
    assert all(named.values()) and "Llama 2" in said["notices"]


def completed(shell: str, script: Path, line: str) -> str:
    if shell == "fish":
        question = f"source {script}; complete -C '{line}' | string split -f1 \\t"
    else:
        words = line.split()
        question = (
            f"source {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1};"
            "_memdesk; echo ${COMPREPLY[*]}"
        )
    command = [shell, "-c", question]
    environment = {**os.environ, "HOME": str(script.parent)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment).stdout


def test_an_empty_word_is_completed_with_commands_and_with_no_option(tmp_path: Path) -> None:
    script = tmp_path / "completion.bash"
    script.write_text("\n".join(SHELLS["bash"](KNOWN)) + "\n", encoding="utf-8")
    question = f"source {script}; COMP_WORDS=(memdesk ''); COMP_CWORD=1; _memdesk; echo ${{COMPREPLY[*]}}"
    said = subprocess.run(["bash", "-c", question], capture_output=True, text=True, check=True).stdout
    assert set(said.split()) == {word.name for word in WORDS}


def test_the_help_has_every_command_under_one_heading() -> None:
    said = parser().format_help()
    for title, words in GROUPS:
        part = said.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in part.splitlines()] == [word.name for word in words]
    assert len({word.name for word in WORDS}) == len(WORDS)


@pytest.mark.parametrize(
    ("words", "sentence", "help_of"),
    [
        (["facst"], "There is no command facst. Did you mean facts?", "memdesk"),
        (["xylophone"], "There is no command xylophone.", "memdesk"),
        ([], "The following arguments are required: COMMAND.", "memdesk"),
        (["facts", "--limt", "3"], "There is no option --limt. Did you mean --limit?", "memdesk facts"),
        (["facts", "--limit", "few"], "--limit: 'few' is no whole number.", "memdesk facts"),
        (["channels", "creat"], "ACTION cannot be creat. Did you mean create?", "memdesk channels"),
        (["log", "--since", "7y"], "--since: '7y' is no time;", "memdesk log"),
        (["goals", "list", "a", "b"], "There is one argument too many: a.", "memdesk goals list"),
        (["--channel", "ops", "stop"], "stop takes no --channel.", "memdesk stop"),
    ],
)
def test_wrong_usage_gets_one_sentence_and_the_help_that_explains_it(
    words: list[str], sentence: str, help_of: str
) -> None:
    from memdesk.cli.program import parsed

    with pytest.raises(BadAsk) as raised:
        parsed(words)
    assert raised.value.says.startswith(sentence)
    assert raised.value.next == f"`{help_of} --help` explains it."


def test_wrong_usage_is_json_where_json_was_asked_for_and_exits_with_2() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memdesk", "facst", "--json"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["says"] == "There is no command facst. Did you mean facts?"
