"""x"""


def ask_about_new(engine: object) -> None:
    """x"""
