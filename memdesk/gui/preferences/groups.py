"""Settings in groups, in the order in which they are declared. A new one falls into the group it stands in."""

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
"""Each group and the setting that begins it."""


def grouped(rows: Sequence[SettingRow]) -> Iterator[tuple[str, list[SettingRow]]]:
    """The rows under their groups; a group that begins nowhere is left out."""
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
    """“Promote confidence” of promote_confidence, in the language of the window."""
    return tr(name.replace("_", " ").capitalize())


def shown(value: bool | int | float | str, choices: Sequence[str] = ()) -> str:
    """A value as a person reads it; only one of the setting's choices has words of its own."""
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
    """“0 to 1”; empty for what has no range."""
    if row.low is None or row.high is None:
        return ""
    return tr("{low} to {high}", low=f"{row.low:,g}", high=f"{row.high:,g}")


def typed(row: SettingRow, text: str) -> bool | int | float | str:
    """What was typed, as the setting's type takes it. Raises ValueError for what is no number of that type."""
    text = text.strip()
    if isinstance(row.default, int):
        return int(text.replace(",", ""))
    return float(text) if isinstance(row.default, float) else text
