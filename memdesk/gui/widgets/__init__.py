"""Widgets of the MemDesk window, from which the frame and the panels are built.

Every widget takes its colours from look when it paints, so themes change at run time; each has an accessible
name and works by keyboard. Tokens are names as "t2" or "acc" (look.DARK). Sizes are px.

Layout functions
    row(*items, gap=8, margins=(l, t, r, b))     side by side; an item is a widget, a layout, px, or None to
        stretch
    column(*items, gap=8, margins=...)           from top to bottom
    Ground(token="stage", edges="", layout=None, *, height=0, width=0)   flat surface; edges as "bottom right"
    rule(vertical=False)                         a hairline
    PanelHead(title, subtitle="", *actions)      48 px header of a panel: .title, .subtitle are Texts; parts
        shrink
    Toolbar(layout, *, edges, height=40)         a row over a panel, whose parts shrink as it narrows
    Folding(*drops)                              drops side by side, those without room in a menu:
        .offer(drop, on)
    Section(heading="", note="", *items, token="panel", edges="bottom", gap=6)   part of the inspector: .body
    Scroll(content, token="stage")               scroll area without a frame
    Splitter(*parts, vertical=False, minimum=0, stacks_below=0)   1 px line, 7 px grip; .add(part)

Text
    Text(text="", px=12, token="t2", *, weight=400, mono, italic, wrap, elide, selectable, numeric)
        .setText, .set_markup(build, plain=""), .set_token
    span(text, token="t1", *, weight=0, ground="", strike, mono, href="")   escaped rich text for set_markup
    word_diff(before, after) -> tuple[Piece, ...]; word_diff_markup(before, after, side="both")

Buttons and choices
    Control(kind, text="", icon="", *, lead, count, keys, tone, channel, drop, small, tip)
        kind: button primary ghost chip hide segment rail field link; Qt's clicked and toggled;
        .setText .set_count .set_icon .set_channel .set_collapsed(rail) .set_enabled(on, why_not)
    Segments(options, value=None, *, name="")    exclusive (value, text) pairs; chosen(value); .value
        .set_value .fold
    Drop(options, value=None, *, lead, icon, many, every, small, name)   chosen(value or tuple); .set_options
    Option(value=, text=, channel=None, icon="", separator_before=False)
    Acts({name: (word, icon, keys)}, *, primary)   at the foot of a record: .show_acts .expect .arrived
        .press; asked

Input fields
    Field(text="", *, placeholder, name, icon, keys, quiet, width)       QLineEdit; .set_error(sentence)
    Area(text="", *, placeholder, name, lines=3, mono, tab_moves_on)     several lines: .editor .text
        .set_text; changed
    Form(heading, save, *items)   is saved or cancelled: saved(asked) cancelled; subclasses write asked, begun
    FormStack(*pages)             pages, or a form over them: .show_page .open_form(form, saved) .close_form;
        closed

    Slider(name, share=0, *, lit="below"|"above")   0 to 1 in steps of 0.05: .share .set_share; QSlider's
        signals

Marks
    ChannelMark(name, number, token="t2")  AgentMark(name, shape, *, who="agent"|"person"|"job"|"hook")
    KindMark(category, token, *, fill, size)  Icon(icon, token, *, name, size)  Dot(token, name)
    Tag(text, tone="plain"|"acc"|"ok"|"warn"|"bad")  KeyCap(keys)
    Bar(value, mark=None, token="ok", *, width=96)   Meter(value, *, marks, warn_at, width, name, thick);
        set_value

States
    Skeleton(*, rows, pitch, shares, pad)        shows after 150 ms, Cancel after 2 s: cancelled
    Empty(sentence, detail="", *, step, keys)    step_taken; .set_words(sentence, detail, step)
    Failure(what, rest="", *, details, keys)     retried, details_asked; .set_words(what, rest)
    Strip(sentence, button, *, flush)            warning: pressed; .set_sentence
    UndoStrip()                                  .offer(sentence, change, icon); undone(change); hides after 8
        s

Tables
    Column(title=, text=, width=0, align, numeric, px, token, weight, strike, italic, mono, paint, tip,
        pressable, sort,
        hidden_below)
    RowsModel(columns, rows=())                  in memory: .set_rows .rows .row(place)
    WindowedModel(columns, fetch, spawn)         any length: .reset(total, first_page) .refresh .retry .put
        .row
    Table(model, *, name, many, token, row_px=30, pad=20, hairlines, single_letters, paint_row)
        picked(record) opened(record) pressed(record, title) gathered() sort_asked(by, descending);
        .record() .choose(place) .ranges() .show_sort .flash(place)
    List(text, paint_row, *, name, rows, token="panel", row_px=54, pad=16)   one painted row each: .rows is a
        RowsModel
    Head(token, pad); RowState(selected, hovered, focused) is passed to paint functions
    Diff(rows) of FieldChange(name=, before=, after=)    .set_rows .moved()

Painting for delegates, in widgets.paint: box, ring, draw_text, text_width, key_cap, channel_square, channel,
agent, person, job; here: author, paint_tag, tag_width, paint_bar, skeleton_bar; in icons: paint, kind_shape.
A widget with its own focusInEvent calls ring_on_focus(self, event.reason())."""

from memdesk.gui.widgets.badges import (
    AgentMark,
    ChannelMark,
    Dot,
    Icon,
    KeyCap,
    KindMark,
    Tag,
    author,
    paint_tag,
    tag_width,
)
from memdesk.gui.widgets.bars import Bar, Meter, paint_bar
from memdesk.gui.widgets.cells import TwoLines
from memdesk.gui.widgets.columns import Column, ColumnsModel, Head, RowsModel, RowState
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.diff import Diff, FieldChange
from memdesk.gui.widgets.drop import Drop, Option, Segments
from memdesk.gui.widgets.field import Area, Field, Slider
from memdesk.gui.widgets.layout import (
    Action,
    ActionBar,
    Form,
    FormStack,
    Ground,
    Scroll,
    Section,
    column,
    row,
    rule,
)
from memdesk.gui.widgets.notes import Strip, UndoStrip
from memdesk.gui.widgets.paint import ring_on_focus, show_ring
from memdesk.gui.widgets.placeholders import Empty, Failure, Skeleton, skeleton_bar
from memdesk.gui.widgets.rows import List, Table
from memdesk.gui.widgets.splitter import Splitter
from memdesk.gui.widgets.text import Piece, Text, span, word_diff, word_diff_markup
from memdesk.gui.widgets.toolbar import Folding, PanelHead, Toolbar
from memdesk.gui.widgets.windowed import WindowedModel

__all__ = [
    "Action",
    "ActionBar",
    "AgentMark",
    "Area",
    "Bar",
    "ChannelMark",
    "Column",
    "ColumnsModel",
    "Control",
    "Diff",
    "Dot",
    "Drop",
    "Empty",
    "Failure",
    "Field",
    "FieldChange",
    "Folding",
    "Form",
    "FormStack",
    "Ground",
    "Head",
    "Icon",
    "KeyCap",
    "KindMark",
    "List",
    "Meter",
    "Option",
    "PanelHead",
    "Piece",
    "RowState",
    "RowsModel",
    "Scroll",
    "Section",
    "Segments",
    "Skeleton",
    "Slider",
    "Splitter",
    "Strip",
    "Table",
    "Tag",
    "Text",
    "Toolbar",
    "TwoLines",
    "UndoStrip",
    "WindowedModel",
    "author",
    "column",
    "paint_bar",
    "paint_tag",
    "ring_on_focus",
    "row",
    "rule",
    "show_ring",
    "skeleton_bar",
    "span",
    "tag_width",
    "word_diff",
    "word_diff_markup",
]
