"""Write the skeleton of a new call: its declaration, its verb and a test.

python packaging/run.py new call goals.pause AskGoal GoalChanged    NAME, and the records of request and answer

Records that exist are used; one that does not is added to the module of the other in memdesk/model. The declaration
goes to the module of its resource in memdesk/api, the verb to the module of a call there with the same answer, else of
the first. A request named Ask…, Find…, List… or Read… makes a call that only reads."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "memdesk"
ENGINE = "from memdesk.engine.engine import Engine\n"
USAGE = "python packaging/run.py new call RESOURCE.NAME ASK ANSWER, such as: new call goals.pause AskGoal GoalChanged"


def main(arguments: Sequence[str]) -> int:
    """Write the skeleton and print the files to finish. Returns 2 for a wrong question."""
    match arguments:
        case [name, ask, answer] if name.count(".") == 1:
            pass
        case _:
            print(USAGE, file=sys.stderr)
            return 2
    resource, verb = name.split(".")
    api = PACKAGE / "api" / f"{resource}.py"
    if not api.exists():
        missing = f"There is no resource {resource}: {api.relative_to(ROOT)} is missing."
        print(f"{missing} Declare its first call by hand, and name it in RESOURCES.", file=sys.stderr)
        return 2
    module = home_of_verb(api, answer)
    engine = PACKAGE / "engine" / Path(*module.split(".")).with_suffix(".py")
    changed = [*model_of(ask, answer), declare(api, name, ask, answer, f"{module}:{verb}")]
    changed += [add_verb(engine, verb, ask, answer), add_test(engine, resource, verb)]
    tidy(changed)
    print("\n".join(f"finish {each.relative_to(ROOT)}" for each in dict.fromkeys(changed)))
    return 0


def only_reads(ask: str) -> bool:
    return ask.startswith(("Ask", "Find", "List", "Read"))


def home_of_verb(api: Path, answer: str) -> str:
    """Return the engine's module that serves calls of a resource with this answer, else its first call, such as
    `memory.goals`."""
    source = api.read_text(encoding="utf-8")
    alike = re.findall(rf'\b{answer},\n    "[^"]*",\n    "([a-z_.]+):', source)
    verbs = [*alike, *re.findall(r'"([a-z_.]+):[a-z_]+"', source)]
    found: list[str] = [each for each in verbs if not each.startswith("service.")]
    if not found:
        raise SystemExit(f"No call of {api.name} is served by the engine.")
    return found[0]


def module_of(record: str) -> Path | None:
    """Return the module of memdesk/model that defines a record."""
    pattern = re.compile(rf"^class {record}\b", re.MULTILINE)
    modules = sorted((PACKAGE / "model").glob("*.py"))
    return next((each for each in modules if pattern.search(each.read_text(encoding="utf-8"))), None)


def model_of(ask: str, answer: str) -> list[Path]:
    """Add the record that is missing, and return its module in a list; an empty one where both exist."""
    home = module_of(ask) or module_of(answer)
    if home is None:
        raise SystemExit(f"Neither {ask} nor {answer} is a record of memdesk/model. Write one of them first.")
    missing = [each for each in (ask, answer) if module_of(each) is None]
    for record in missing:
        append(home, f'@dataclass(frozen=True, slots=True, kw_only=True)\nclass {record}:\n    """TODO."""\n')
    return [home] if missing else []


def declare(api: Path, name: str, ask: str, answer: str, verb: str) -> Path:
    """Add the declaration to the module of its resource."""
    lines = (f'"{name}"', ask, answer, '"TODO: one sentence"', f'"{verb}"', "role=TODO", "example=TODO")
    constant = name.partition(".")[2].upper()
    method = "Get" if only_reads(ask) else "Post"
    append(api, f"{constant} = {method}({', '.join(lines)})\n", imports=(ask, answer), blank=False)
    return api


def add_verb(engine: Path, verb: str, ask: str, answer: str) -> Path:
    """Add the function that serves the call."""
    signed = "" if only_reads(ask) else ", *, author: str"
    text = f'def {verb}(engine: Engine, ask: {ask}{signed}) -> {answer}:\n    """TODO."""\n'
    append(engine, text + "    raise NotImplementedError\n", imports=(ask, answer))
    return engine


def add_test(engine: Path, resource: str, verb: str) -> Path:
    """Add a test to the tests of the resource."""
    test = ROOT / "tests" / "engine" / f"test_{resource}.py"
    if not test.exists():
        test.write_text(
            f'"""{resource.capitalize()}."""\n\nfrom __future__ import annotations\n\n{ENGINE}',
            encoding="utf-8",
        )
    subject = engine.with_suffix("").relative_to(ROOT).as_posix().replace("/", ".")
    given = "engine: Engine" if ENGINE in test.read_text(encoding="utf-8") else ""
    text = f'def test_{verb}({given}) -> None:\n    raise NotImplementedError("{subject}.{verb}")\n'
    append(test, text)
    return test


def append(file: Path, text: str, *, imports: Sequence[str] = (), blank: bool = True) -> None:
    """Add text at the end of a module, and imports of records that it does not import yet."""
    source = file.read_text(encoding="utf-8")
    known = {each.asname or each.name for each in ast.walk(ast.parse(source)) if isinstance(each, ast.alias)}
    known |= {each.name for each in ast.walk(ast.parse(source)) if isinstance(each, ast.ClassDef)}
    lines = ""
    for record in imports:
        home = module_of(record)
        if record not in known and home is not None:
            lines += f"from memdesk.model.{home.stem} import {record}\n"
    future = "from __future__ import annotations\n"
    source = source.replace(future, f"{future}\n{lines}" if lines else future, 1)
    file.write_text(source.rstrip() + ("\n\n\n" if blank else "\n") + text, encoding="utf-8")


def tidy(files: Sequence[Path]) -> None:
    """Sort the imports and format."""
    names = [str(each) for each in files]
    for command in (["check", "--quiet", "--select", "I", "--fix"], ["format", "--quiet"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, *names], cwd=ROOT, check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
