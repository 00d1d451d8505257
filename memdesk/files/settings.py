"""Settings file, settings.toml: read, checked against each setting's range, and rewritten with its comments
kept."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import tomlkit

from memdesk.files.atomic import write_atomic
from memdesk.model.errors import BadAsk
from memdesk.model.settings import DEFAULTS, Settings

FIELDS = {item.name: item for item in fields(Settings)}
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def load_settings(path: Path) -> Settings:
    """Return the desk's settings, with defaults for those not in the file. Raises BadAsk naming the bad one."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return DEFAULTS
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadAsk(f"{path.name} cannot be read: {error}.", next=f"Correct {path} or remove it.") from error
    strange = next((name for name in given if name not in FIELDS), None)
    if strange is not None:
        raise BadAsk(f"{path.name} has a setting nobody knows: {strange}.", next=f"Correct {path}.")
    try:
        return Settings(**{name: checked(name, value) for name, value in given.items()})
    except BadAsk as wrong:
        raise BadAsk(f"{path.name}: {wrong.says}", next=f"Correct {path}.") from None


def rewrite_settings(path: Path, values: Mapping[str, Any], reset: Iterable[str]) -> bytes | None:
    """Set these values in the file and remove the reset ones; comments and all else stay as written.

    Returns the file's former bytes, None where there was none. Raises BadAsk when it cannot be read,
    StorageFailed when it cannot be written; it is then as it was."""
    load_settings(path)
    before = path.read_bytes() if path.exists() else None
    document = tomlkit.parse("" if before is None else before.decode())
    for name in reset:
        document.pop(name, None)
    document.update(values)
    write_atomic(path, tomlkit.dumps(document).encode())
    return before


def put_back(path: Path, before: bytes | None) -> None:
    """Restore the file's content from before it was rewritten."""
    if before is None:
        path.unlink(missing_ok=True)
    else:
        write_atomic(path, before)


def checked(name: str, value: Any) -> Any:
    """Return a value in its setting's type. Raises BadAsk for another type, or naming the range or the
    choices it missed."""
    if name not in FIELDS:
        close = difflib.get_close_matches(name[:100], FIELDS, n=1)
        meant = f"Did you mean {close[0]}?" if close else "Every setting is in `memdesk settings`."
        raise BadAsk(f"There is no setting {name[:60]}.", next=meant)
    item = FIELDS[name]
    expected: type[Any] = type(item.default)
    about = item.metadata
    number = expected in (int, float) and isinstance(value, int | float) and not isinstance(value, bool)
    if (not number and not isinstance(value, expected)) or (
        expected is int and isinstance(value, float) and not value.is_integer()
    ):
        raise BadAsk(f"{name} should be {_NAMES[expected]}.")
    low, high = about["low"], about["high"]
    if number and not (low <= value <= high):
        unit = f" {about['unit']}" if about["unit"] else ""
        raise BadAsk(f"{name} should lie between {low:g} and {high:g}{unit}.")
    if about["choices"] and value not in about["choices"]:
        raise BadAsk(f"{name} should be one of {', '.join(about['choices'])}.")
    if about.get("address") and value:
        _check_address(name, value)
    return expected(value)


def _check_address(name: str, value: str) -> None:
    """Raise BadAsk unless this is the address of a server, with no key in it: settings are shown and exported."""
    try:
        parts = urlsplit(value)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise BadAsk(f"{name} should be the address of a server, such as http://localhost:11434/v1.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadAsk(
            f"{name} should hold no key, password or parameter.",
            next="Keys belong into the environment or the keyring; `memdesk models` says where each is looked for.",
        )
