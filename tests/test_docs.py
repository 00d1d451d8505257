"""README.md, CONTRIBUTING.md and resources/docs are true: commands, options, shell lines, tables and links."""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.cli.program import WORDS, parser
from tests.warm import memdesk

CHECKOUT = Path(__file__).parent.parent
DOCS = CHECKOUT / "resources" / "docs"
README, CONTRIBUTING = CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md"
README_BYTES, CONTRIBUTING_BYTES = 6 * 1024, 9 * 1024
PAGES = (README, CONTRIBUTING, *sorted(DOCS.glob("*.md")))
WORK_AS_PRINTED = ("calls", "runtimes", "models", "backup")
"""Pages whose shell lines are run, in this order, by one shell on one desk."""
STOP_AT_AN_ERROR = "trap 'code=$?; [ $code = 28 ] || exit $code' ERR"
"""28 is how curl ends when its time is over, as the change feed does."""
OF_THE_RUNTIMES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCLAW_STATE_DIR")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(markdown: str) -> list[str]:
    """Return the shell blocks of a page or a section, in order."""
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", markdown, re.DOTALL)]


def section(markdown: str, title: str) -> str:
    """Return the text between one second-level heading and the next."""
    return markdown.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def run(*command: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout and return its output."""
    program = shutil.which(command[0], path=(env or os.environ)["PATH"]) or command[0]
    return subprocess.run(
        [program, *command[1:]],
        cwd=CHECKOUT,
        env=env,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


@pytest.mark.parametrize(("page", "most"), [(README, README_BYTES), (CONTRIBUTING, CONTRIBUTING_BYTES)])
def test_what_a_reader_opens_first_is_short(page: Path, most: int) -> None:
    assert page.stat().st_size <= most


def test_the_readme_starts_with_exactly_two_commands() -> None:
    commands = [line for block in blocks(section(text(README), "Start")) for line in block.splitlines()]
    assert commands == ["python3 packaging/run.py demo", "python3 packaging/run.py test"]
    assert run(*commands[1].split()[:1], "packaging/run.py", "--help").returncode == 0


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = CHECKOUT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "packaging/run.py test" in script.read_text(encoding="utf-8")


def test_the_tables_of_the_pages_are_fresh() -> None:
    done = run(sys.executable, "packaging/reference.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_to_a_heading_that_exist(page: Path) -> None:
    assert not list(dead_links(page))


def dead_links(page: Path) -> Iterator[str]:
    """Yield the relative links of a page that lead nowhere."""
    for link in LINK.findall(without_code(text(page))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        found = target.is_relative_to(CHECKOUT) and target.exists()
        if not found or (anchor and anchor not in anchors(text(target))):
            yield link


def test_every_file_that_contributing_names_exists() -> None:
    named = re.findall(r"`((?:memdesk|packaging|resources|tests)/[\w/.]*)", text(CONTRIBUTING))
    assert [path for path in named if not (CHECKOUT / path).exists()] == []


def without_code(markdown: str) -> str:
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE))


def anchors(markdown: str) -> list[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    return [re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings]


def test_the_index_and_the_readme_name_every_page() -> None:
    pages = {page.name for page in DOCS.glob("*.md")} - {"index.md"}
    assert sorted(LINK.findall(text(DOCS / "index.md"))) == sorted(pages)
    assert {f"resources/docs/{page}" for page in pages} <= set(LINK.findall(text(README)))


def test_the_page_of_commands_names_every_command_and_no_other() -> None:
    told = re.findall(r"^\| `memdesk ([\w-]+)", text(DOCS / "commands.md"), re.MULTILINE)
    assert sorted(told) == sorted(word.name for word in WORDS)


the_parser = functools.cache(parser)
"""Declaring every command takes longer than reading a line with it."""


@pytest.mark.parametrize(
    "line", re.findall(r"^\| `memdesk (\w+.*?)` \|", text(DOCS / "commands.md"), re.MULTILINE)
)
def test_every_option_in_the_table_of_commands_exists(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, *options = re.split(r" (?=\[?--)", line)
    name, *actions = re.findall(r"[a-z-]+", words)
    asked = [[name, "--help"], *([name, action, "--help"] for action in actions)]
    for each in asked:
        with pytest.raises(SystemExit):
            the_parser().parse_args(each)
    known = capsys.readouterr().out
    assert all(option.split()[0].strip("[]") in known for option in options)


def lines_of_memdesk() -> Iterator[str]:
    """Yield every line of a shell block that begins with `memdesk`."""
    for page in PAGES:
        for block in blocks(text(page)):
            yield from (line for line in block.splitlines() if line.startswith("memdesk "))


@pytest.mark.parametrize("line", sorted(set(lines_of_memdesk())))
def test_every_line_that_calls_memdesk_is_understood(line: str) -> None:
    the_parser().parse_args(shlex.split(line, comments=True)[1:])


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs curl and bash")
def test_the_shell_lines_of_the_pages_work_as_printed(tmp_path: Path) -> None:
    lines = (
        f"echo; echo '## {page}, block {n}'\n{block}"
        for page in WORK_AS_PRINTED
        for n, block in enumerate(blocks(text(DOCS / f"{page}.md")))
    )
    home = visitors_home(tmp_path)
    try:
        done = run("bash", "-u", "-c", "\n".join((STOP_AT_AN_ERROR, *lines)), env=home)
    finally:
        for desk in ("memdesk-try", "memdesk-other"):
            run("memdesk", "stop", env={**home, "MEMDESK_DESK": str(tmp_path / desk)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"says"' not in done.stdout, done.stdout
    for expected in (
        '"turn_index":0',
        '"parts":',
        '"op":"learn"',
        '"undid":',
        'data: {"id":',
        '"openapi"',
        "hook.py session-start",
        '"servers"',
        "Nadia asked for invoices in PDF",
    ):
        assert expected in done.stdout, f"{expected} is not in {done.stdout}"


def visitors_home(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a person with an empty home and `memdesk` on the path."""
    program = tmp_path / "bin" / "memdesk"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(memdesk())} "$@"\n')
    program.chmod(0o755)
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "MEMDESK_")) and name not in OF_THE_RUNTIMES
    }
    return {**kept, "HOME": str(tmp_path), "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
