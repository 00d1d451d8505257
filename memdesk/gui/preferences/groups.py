"""Settings in groups, in the order of their declaration. A new setting joins the group of its neighbour
before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memdesk.gui.language import marked, tr
from memdesk.gui.preferences.looks import CHOICES
from memdesk.model.status import SettingRow

GROUPS = (
    (marked("You"), "person"),
    (marked("Promotion"), "promotion"),
    (marked("Fading and tidying"), "decay_per_day"),
    (marked("Jobs"), "consolidate_minutes"),
    (marked("Extraction"), "extraction_enabled"),
    (marked("Recall"), "recall_limit"),
    (marked("Working memory"), "working_ttl_seconds"),
    (marked("Context"), "context_policy"),
    (marked("Prompt"), "prompt_tokens"),
    (marked("Audit"), "audit_level"),
    (marked("Language model"), "model_url"),
    (marked("Agents' tools"), "memory_tool_dialect"),
    (marked("Import"), "import_file_megabytes"),
)
"""Title of each group and its first setting."""


def grouped(rows: Sequence[SettingRow]) -> Iterator[tuple[str, list[SettingRow]]]:
    """Yield the rows by group; a group whose first setting is missing is left out."""
    begins = {name: title for title, name in GROUPS}
    title, group = GROUPS[0][0], list[SettingRow]()
    for row in rows:
        if row.name in begins and group:
            yield title, group
            group = []
        title = begins.get(row.name, title)
        group.append(row)
    if group:
        yield title, group


def words(name: str) -> str:
    """Return a setting's name in the language of the window: “Promote confidence” for promote_confidence."""
    return tr(name.replace("_", " ").capitalize())


def shown(value: bool | int | float | str, choices: Sequence[str] = ()) -> str:
    """Return a value as text for a person; only the choices of a setting are translated."""
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    if value in choices:
        return tr(CHOICES.get(value, value.replace("_", " ")))
    return value or tr("nothing")


def bounds(row: SettingRow) -> str:
    """Return the range of a setting: “0 to 1”; empty if it has none."""
    if row.low is None or row.high is None:
        return ""
    return tr("{low} to {high}", low=f"{row.low:,g}", high=f"{row.high:,g}")


def typed(row: SettingRow, text: str) -> bool | int | float | str:
    """Return a typed text as a value of the setting's type. Raises ValueError if it is not a number of that
    type."""
    text = text.strip()
    if isinstance(row.default, int):
        return int(text.replace(",", ""))
    return float(text) if isinstance(row.default, float) else text
