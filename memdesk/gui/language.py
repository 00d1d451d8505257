"""The language of the window: English as written in the code, Chinese from Qt's translations in resources/translations.

    tr("Undo")                                  a text of the interface
    tr("“{title}” is retired", title=claim)     parts go in by name, after translation
    tr("%Ln fact(s)", "", count)                counted: “1 fact”, “5,833 facts”, “5,833 条事实”
    VERBS = {"promote": marked("Promote")}        named at import, said later with tr(VERBS[verb])

What a person or an agent wrote is never translated. `packaging/translations.py` gathers the texts.
"""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from memdesk.files.places import resource

Language = Literal["system", "en", "zh"]
LOCALES: dict[str, str] = {"en": "en_US", "zh": "zh_CN"}
NATIVE = {"en": "English", "zh": "简体中文"}
"""What speakers of a language call it; the same in every language."""
_COUNTED = re.compile(r"\((?:(\w+)\|)?(\w+)\)")


class _Now:
    """What is spoken at this moment."""

    def __init__(self) -> None:
        self.choice: Language = "system"
        self.spoken = "en"
        self.translator: QTranslator | None = None


_now = _Now()


def use(language: Language) -> None:
    """Speak a language from here on; what was said already stays. An application must exist.

    Raises RuntimeError where the translations of a language are missing."""
    if _now.translator is not None:
        QCoreApplication.removeTranslator(_now.translator)
    _now.choice, _now.translator = language, None
    _now.spoken = _system() if language == "system" else language
    QLocale.setDefault(QLocale(LOCALES[_now.spoken]))
    if _now.spoken == "en":
        return
    translator = QTranslator()
    file = resource("translations", f"{LOCALES[_now.spoken]}.qm")
    if not translator.load(str(file)):
        raise RuntimeError(f"{file.name} is missing or torn; install MemDesk again.")
    QCoreApplication.installTranslator(translator)
    _now.translator = translator


def choice() -> Language:
    """The language last asked for, `system` included."""
    return _now.choice


def spoken() -> str:
    """The language that is spoken now: a key of LOCALES."""
    return _now.spoken


def chosen(said: str) -> Language:
    """A language by its name; `system` for one there is not."""
    return next((language for language in get_args(Language) if language == said), "system")


def marked(text: str) -> str:
    """A text that is named here and said elsewhere, with tr."""
    return text


def tr(text: str, note: str = "", n: int = -1, /, **parts: Any) -> str:
    """A text of the interface in the language of the window.

    note: tells alike texts apart. n: the count for %Ln; in English “fact(s)” and “entit(y|ies)” then have one form.
    parts: what goes into the text by name, as str.format does."""
    said = QCoreApplication.translate("", text, note, n)
    if n >= 0 and _now.spoken == "en":
        said = _COUNTED.sub(lambda found: (found[1] or "") if n == 1 else found[2], said)
    return said.format(**parts) if parts else said


def _system() -> str:
    """Chinese where the system's first language with translations is Chinese."""
    known = (tag.replace("_", "-").partition("-")[0] for tag in QLocale.system().uiLanguages())
    return next((tag for tag in known if tag in LOCALES), "en")
