"""Widgets of the MemDesk window, from which the frame and the panels are built.

Every widget takes its colours from look when it paints, so themes change at run time; each has an accessible
name and works by keyboard. Tokens are names as "t2" or "acc" (look.DARK). Sizes are px.

Layout     row, column, rule; Ground (flat surface with hairlines), Section, Scroll, Splitter, Toolbar, PanelHead,
           Folding (drops; those without room are in a menu), Flow (on as many lines as it needs)
Text       Text, span and word_diff_markup for its rich text
Buttons    Control (kinds: button primary ghost chip hide segment rail field link), Segments, Drop, Slider
Input      Field, Area, Form (saved or cancelled), FormStack (pages, or a form over them)
Marks      ChannelMark, AgentMark, Icon, Dot, Tag, KeyCap, Bar, Meter, Steps
States     Skeleton, Empty, Failure, Strip (warning), UndoStrip
Tables     Column, RowsModel (in memory), WindowedModel (any length), Table, List (one row painted, or TwoLines)

A Column is declared: its text, and in front of it an icon, a bar or a channel's square. Where that is not enough,
its `paint` uses the functions of widgets.paint (box, ring, draw_text, channel, key_cap, ...) and author, paint_tag
and paint_bar of this package. A widget with its own focusInEvent calls ring_on_focus(self, event.reason())."""

from memdesk.gui.widgets.badges import (
    AgentMark,
    Bar,
    ChannelMark,
    Dot,
    Icon,
    KeyCap,
    Meter,
    Steps,
    Tag,
    author,
    paint_bar,
    paint_tag,
    tag_width,
)
from memdesk.gui.widgets.columns import Column, ColumnsModel, Head, RowsModel, RowState, TwoLines
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.drop import Drop, Option, Segments
from memdesk.gui.widgets.field import Area, Field, Form, FormStack, Slider, changed_fields
from memdesk.gui.widgets.layout import (
    Flow,
    Ground,
    Scroll,
    Section,
    Splitter,
    column,
    delayed,
    laid_out,
    pages,
    remove_widgets,
    row,
    rule,
)
from memdesk.gui.widgets.paint import ring_on_focus, show_ring
from memdesk.gui.widgets.placeholders import Empty, Failure, Skeleton, Strip, UndoStrip, skeleton_bar
from memdesk.gui.widgets.rows import List, Table
from memdesk.gui.widgets.text import Piece, Text, span, word_diff, word_diff_markup
from memdesk.gui.widgets.toolbar import Folding, PanelHead, Toolbar
from memdesk.gui.widgets.windowed import WindowedModel
