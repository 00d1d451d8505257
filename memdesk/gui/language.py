"""The language of the window: English as written in the code, Chinese from Qt's translations in
resources/translations.

    tr("Undo")                                  a text of the interface
    tr("“{title}” is retired", title=claim)     parts are inserted by name, after translation
    tr("%Ln fact(s)", "", count)                counted: “1 fact”, “5,833 facts”, “5,833 条事实”
    VERBS = {"promote": marked("Promote")}        marked at import, translated later with tr(VERBS[verb])
    KINDS = marked_words("fact, entity")          several texts, separated by commas

Text that a person or an agent wrote is never translated. `packaging/translations.py` collects the texts."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from memdesk.files.places import resource

Language = Literal["system", "en", "zh"]
LOCALES: dict[str, str] = {"en": "en_US", "zh": "zh_CN"}
NATIVE = {"en": "English", "zh": "简体中文"}
"""Each language's name in that language; the same in every translation."""
_COUNTED = re.compile(r"\(([\w ]+)\|([\w ]+)\)|\((\w+)\)")


class _Now:
    """Language in use."""

    def __init__(self) -> None:
        self.choice: Language = "system"
        self.spoken = "en"
        self.translator: QTranslator | None = None


_now = _Now()


def use(language: Language) -> None:
    """Switch to a language; texts already shown stay as they are. An application must exist.

    Raises RuntimeError if the translations of a language are missing."""
    if _now.translator is not None:
        QCoreApplication.removeTranslator(_now.translator)
    _now.choice, _now.translator = language, None
    _now.spoken = spoken(language)
    QLocale.setDefault(QLocale(LOCALES[_now.spoken]))
    if _now.spoken == "en":
        return
    translator = QTranslator()
    file = resource("translations", f"{LOCALES[_now.spoken]}.qm")
    if not translator.load(str(file)):
        raise RuntimeError(f"{file.name} is missing or torn; install MemDesk again.")
    QCoreApplication.installTranslator(translator)
    _now.translator = translator


def spoken(language: Language) -> str:
    """Return the key of LOCALES that a choice comes to."""
    return _system() if language == "system" else language


def choice() -> Language:
    """Return the language last asked for, `system` included."""
    return _now.choice


def current_language() -> str:
    """Return the language in use: a key of LOCALES."""
    return _now.spoken


def by_name(said: str) -> Language:
    """Return a language by its name; `system` for an unknown name."""
    return next((language for language in get_args(Language) if language == said), "system")


def marked(text: str) -> str:
    """Return a text unchanged: marks it for translation here, to be translated later with tr."""
    return text


def marked_words(texts: str) -> tuple[str, ...]:
    """Return the texts of a list with commas between, each marked for translation."""
    return tuple(texts.split(", "))


def tr(text: str, note: str = "", n: int = -1, /, **parts: Any) -> str:
    """Return a text of the interface in the language of the window.

    note: distinguishes identical texts. n: the count for %Ln; in English it also selects the form of
    “fact(s)” and “entit(y|ies)”. parts: values inserted into the text by name, as str.format does."""
    said = QCoreApplication.translate("", text, note, n)
    if n >= 0 and _now.spoken == "en":
        said = _COUNTED.sub(lambda found: (found[1] or "") if n == 1 else found[2] or found[3], said)
    return said.format(**parts) if parts else said


def sentences(*said: str) -> str:
    """Join sentences, without the empty ones. A Chinese full stop has its space within."""
    return "".join(
        each if each.endswith(("。", "！", "？")) else f"{each} " for each in said if each
    ).rstrip()


def _system() -> str:
    """Return the first system language that has translations; English if there is none."""
    known = (tag.replace("_", "-").partition("-")[0] for tag in QLocale.system().uiLanguages())
    return next((tag for tag in known if tag in LOCALES), "en")
