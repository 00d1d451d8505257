"""A screen reader without a voice: it reads the tree that the accessibility bus has of a program, and hears its focus.

Run by a Python that has the bus's own library, which is seldom the one of the project. It answers each line of its
input with a line of JSON: `tree` gives [depth, role, name, states] of everything visible in the named program, and
`focus` what got the keyboard since it was last asked, as [role, name], oldest first."""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

DEEP = 40
PROGRAM = sys.argv[1]
heard = []


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def said(thing):
    """Its role and name."""
    return [thing.get_role_name(), (thing.get_name() or "").partition("\t")[0]]


def states(thing):
    """Names of its states, such as focusable and showing."""
    return [state.value_nick for state in thing.get_state_set().get_states()]


def tree():
    """Everything visible, in reading order."""
    desktop = Atspi.get_desktop(0)
    programs = [desktop.get_child_at_index(at) for at in range(desktop.get_child_count())]
    waiting = [(0, each) for each in programs if each is not None and each.get_name() == PROGRAM]
    found = []
    while waiting:
        depth, thing = waiting.pop()
        thing.clear_cache()
        has = states(thing)
        if depth > 1 and "showing" not in has:
            continue
        found.append([depth, *said(thing), has])
        children = (
            [thing.get_child_at_index(at) for at in range(thing.get_child_count())] if depth < DEEP else []
        )
        waiting += [(depth + 1, each) for each in reversed(children) if each is not None]
    return found


def hear(event):
    if event.detail1:
        heard.append(said(event.source))


def answer(stream, _condition):
    word = stream.readline().strip()
    if not word:
        Atspi.event_quit()
        return False
    try:
        answered = tree() if word == "tree" else heard[:]
    except GLib.Error as gone:  # Something went while it was read; whoever asks, asks again.
        answered = {"error": str(gone)}
    if word == "focus":
        heard.clear()
    say(json.dumps(answered))
    return True


Atspi.init()
listener = Atspi.EventListener.new(hear)
listener.register("object:state-changed:focused")
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, answer)
say("ready")
Atspi.event_main()
