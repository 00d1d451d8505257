"""Heatmap and table of the same rows, with the same row chosen in both."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.salience.axis import Axis
from memdesk.gui.salience.canvas import HeatCanvas
from memdesk.gui.salience.table import HeatTable
from memdesk.gui.widgets import column
from memdesk.model.heatmap import HeatRow


class Views(QStackedWidget):
    """Stack of both views. Signals carry a row: picked, a row just chosen; opened; pin_asked and
    rescue_asked."""

    picked = Signal(object)
    opened = Signal(object)
    pin_asked = Signal(object)
    rescue_asked = Signal(object)

    def __init__(self, axis: Axis, canvas: HeatCanvas, table: HeatTable) -> None:
        super().__init__()
        self._canvas, self._table, self._is_table = canvas, table, False
        heat = QWidget()
        heat.setLayout(column(axis, canvas, gap=0))
        self.addWidget(heat)
        self.addWidget(table)
        canvas.laid_out.connect(axis.show_grid)
        canvas.picked.connect(self.picked)
        table.picked.connect(self._pick_in_table)
        for view in (canvas, table):
            view.opened.connect(self.opened)
            view.pin_asked.connect(self.pin_asked)
            view.rescue_asked.connect(self.rescue_asked)

    def mark(self, place: int) -> None:
        """Choose a row without a signal, -1 for none."""
        self._canvas.set_place(place)
        if self._is_table and place >= 0:
            blocked = self._table.blockSignals(True)
            self._table.choose(place)
            self._table.blockSignals(blocked)

    def show_table(self, is_table: bool) -> None:
        """Show the table or the heatmap; the keyboard focus moves along."""
        had_focus = self._canvas.hasFocus() or self._table.hasFocus()
        self._is_table = is_table
        # Before it is shown: a table that gets the focus without a row chooses its first.
        self.mark(self._canvas.place)
        self.setCurrentIndex(int(is_table))
        if self._canvas.place >= 0:
            self._canvas.bring(self._canvas.place)
        if had_focus:
            (self._table if is_table else self._canvas).setFocus()

    def _pick_in_table(self, row: HeatRow) -> None:
        self._canvas.set_place(self._table.currentIndex().row())
        self.picked.emit(row)
