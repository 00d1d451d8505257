"""Pointer and keys of the drawing, and the opening of rows in place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from memdesk.gui.language import tr
from memdesk.gui.panels.graph.graph_data import (
    SHOWN_AT_MOST,
    Fetched,
    GraphQuery,
    Hidden,
    Scene,
    with_neighbours,
    without_neighbours,
)
from memdesk.gui.panels.graph.graph_layout import LEFT, RIGHT, ROW_PX
from memdesk.gui.panels.graph.graph_rows import Drag, grows_at, pill_area, shrinks_at, tip
from memdesk.gui.panels.graph.graph_view import SCALE_STEP, GraphView
from memdesk.gui.session import Session
from memdesk.gui.widgets.paint import NO_RING_REASONS, RETURN_REASONS
from memdesk.model.entity import ENTITY

STEPS = {Qt.Key.Key_J: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_K: -1, Qt.Key.Key_Up: -1}
EDGE_PX = 24
"""Distance from the edge of the view within which a dragged row makes the drawing scroll."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
HELD = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class Canvas(GraphView):
    """Drawing with its signals, which carry ids of records.

    picked: chosen by a click or a key. entered: to become the new centre. grow_asked: show its neighbours, or
    more of them. shrink_asked: hide its neighbours. back_asked: return to the earlier centre. merge_asked: a
    row was dragged onto another of its kind. link_asked: one was linked to another, by a drag with Shift, a drag of a
    fact and an entity, or L. link_begun: L was pressed on a row, whose other end is to be chosen; "" when that ended.
    menu_asked: the menu of a row, and where on the screen.

    Focus alone chooses no row: the window's letter keys act on the record in the inspector, and only a record
    that a person picks is shown there."""

    picked = Signal(str)
    entered = Signal(str)
    grow_asked = Signal(str)
    shrink_asked = Signal(str)
    back_asked = Signal()
    merge_asked = Signal(str, str)
    link_asked = Signal(str, str)
    link_begun = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self._linking: str | None = None
        self._grabbed: float | None = None
        self._lifted: tuple[str, QPointF] | None = None

    def _pick(self, id: str) -> None:
        self.select(id)
        self.picked.emit(id)

    def say_at(self, id: str, sentence: str) -> None:
        """Show a message next to a row, for example that it has no more neighbours."""
        QToolTip.showText(self.below(id), sentence, self.viewport())

    def below(self, id: str) -> QPoint:
        """Return the point of the screen below a row, or of the centre."""
        area = self._placed.area(id) if self._placed is not None else None
        at = self._center_point() if area is None else area.bottomLeft()
        return self.viewport().mapToGlobal(self._to_view(at))

    # Linking.

    def begin_link(self, id: str) -> None:
        """Let a person choose the other end of a link from a row, by a press or with Enter."""
        self._linking = id
        self.setFocus()
        self.link_begun.emit(id)

    def end_link(self) -> None:
        """Choose no other end."""
        if self._linking is not None:
            self._linking = None
            self.link_begun.emit("")

    def _link_to(self, id: str) -> bool:
        """Link the row whose other end is chosen to another one; returns False if there is none to link."""
        source = self._linking
        if source is None or id == source:
            return False
        self.end_link()
        self.link_asked.emit(source, id)
        return True

    # Places.

    def _to_drawing(self, at: QPointF) -> QPointF:
        return QPointF(at.x() / self._scale, at.y() / self._scale + self.verticalScrollBar().value())

    def _to_view(self, at: QPointF) -> QPoint:
        top = self.verticalScrollBar().value()
        return QPoint(round(at.x() * self._scale), round((at.y() - top) * self._scale))

    def _at(self, at: QPointF) -> str | None:
        """Return the row or the centre at a point of the view. The centre is above the rows."""
        if self._placed is None:
            return None
        point = self._to_drawing(at)
        pill = pill_area(self._placed.arrangement, self._center_point())
        return self._placed.center if pill.contains(point) else self._placed.at(point)

    # Pointer.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a row, press one of its signs, or start to pan the drawing."""
        self._by_keyboard = False
        if event.button() == Qt.MouseButton.BackButton:
            self.back_asked.emit()
            return
        id = self._at(event.position())
        if event.button() == Qt.MouseButton.MiddleButton or id is None:
            self._grabbed = event.position().y()
        elif event.button() == Qt.MouseButton.LeftButton and self._link_to(id):
            self.select(id)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._press(id, self._to_drawing(event.position()))
        elif event.button() == Qt.MouseButton.RightButton:
            self._pick(id)

    def _press(self, id: str, point: QPointF) -> None:
        assert self._placed is not None
        spot = None if id == self._placed.center else self._placed.arrangement.spots[id]
        if spot is not None and grows_at(spot, self._opened, point):
            self.grow_asked.emit(id)
        elif spot is not None and shrinks_at(spot, self._opened, point):
            self.shrink_asked.emit(id)
        else:
            self._lifted = (id, point)
            self._pick(id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hover a row, drag it onto another, or pan."""
        if self._lifted is not None:
            links = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._carry_to(event.position(), *self._lifted, links=links)
            return
        if self._grabbed is None:
            self._hover(self._at(event.position()))
            over = self._hovered is not None
            self.viewport().setCursor(
                Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
            )
            return
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + round((self._grabbed - event.position().y()) / self._scale))
        self._grabbed = event.position().y()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the pan, or drop the dragged row on the row below it."""
        self._grabbed = self._lifted = None
        carry, self._carry = self._carry, None
        if carry is not None:
            self.viewport().update()
            if carry.fits and carry.onto is not None:
                asked = self.link_asked if carry.links else self.merge_asked
                asked.emit(carry.id, carry.onto)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)

    def _carry_to(self, at: QPointF, id: str, start: QPointF, *, links: bool) -> None:
        """Move the dragged row; near the edge the drawing scrolls. links: it will be linked, not merged."""
        assert self._placed is not None
        point = self._to_drawing(at)
        if self._carry is None and (point - start).manhattanLength() < QApplication.startDragDistance():
            return
        bar = self.verticalScrollBar()
        if not EDGE_PX <= at.y() <= self.viewport().height() - EDGE_PX:
            bar.setValue(bar.value() + (ROW_PX if at.y() > EDGE_PX else -ROW_PX))
        nodes, onto = self._placed.scene.nodes, self._at(at)
        onto = None if onto == id else onto
        kinds = {nodes[id].kind} if onto is None else {nodes[id].kind, nodes[onto].kind}
        links = links or len(kinds) > 1
        fits = onto is not None and (not links or ENTITY.name in kinds)
        self._carry = Drag(id=id, at=self._to_drawing(at), onto=onto, fits=fits, links=links)
        no = onto is not None and not fits
        self.viewport().setCursor(Qt.CursorShape.ForbiddenCursor if no else Qt.CursorShape.ClosedHandCursor)
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Make a row the centre, except by its signs or by another button."""
        id = self._at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or id is None or self._placed is None:
            return
        point = self._to_drawing(event.position())
        spot = None if id == self._placed.center else self._placed.arrangement.spots[id]
        on_sign = spot and (grows_at(spot, self._opened, point) or shrinks_at(spot, self._opened, point))
        if spot is not None and not on_sign:
            self.entered.emit(id)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the chosen row if a key opened it."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        id = self._selected if by_key else self._at(QPointF(event.pos()))
        if id is not None:
            self.menu_asked.emit(id, self.below(id) if by_key else event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or with Ctrl change the scale."""
        turned = event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and turned:
            self.set_scale(self.scale_now * (SCALE_STEP if turned > 0 else 1 / SCALE_STEP))
            event.accept()
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Clear the hover after the pointer has left; show a tool tip for the row under a resting pointer."""
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event)
            return True
        return bool(super().viewportEvent(event))

    def _show_tip(self, event: QHelpEvent) -> None:
        id = self._at(QPointF(event.pos()))
        node = self._placed.scene.nodes.get(id) if self._placed is not None and id is not None else None
        if node is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), tip(node), self.viewport())

    # Keyboard.

    def event(self, event: QEvent) -> bool:
        """Claim Alt+Left for the earlier centre, before the window uses it for the inspector."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_back(event):
            event.accept()
            return True
        return bool(super().event(event))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the chosen row if the focus came by keyboard, or the centre if none is chosen."""
        super().focusInEvent(event)
        if event.reason() not in RETURN_REASONS:
            self._by_keyboard = event.reason() not in NO_RING_REASONS
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, make a row the centre, open it, go back; the window's own letter keys act on the chosen row."""
        key, plain = Qt.Key(event.key()), not event.modifiers() & HELD
        if self._carry is not None and key == Qt.Key.Key_Escape:
            self._carry = self._lifted = None
            self.viewport().update()
        elif self._linking is not None and key == Qt.Key.Key_Escape:
            self.end_link()
        elif _is_back(event):
            self.back_asked.emit()
        elif self._placed is None or not plain or not (self._move_by(key) or self._act_by(key)):
            super().keyPressEvent(event)

    def _move_by(self, key: Qt.Key) -> bool:
        assert self._placed is not None
        middle, view = self._center_point().y(), self.viewport().height() / self._scale
        match key:
            case Qt.Key.Key_J | Qt.Key.Key_Down | Qt.Key.Key_K | Qt.Key.Key_Up:
                id = self._placed.step(self._selected, STEPS[key])
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                side = LEFT if key == Qt.Key.Key_Left else RIGHT
                id = self._placed.beside(self._selected, side, middle)
            case Qt.Key.Key_PageDown | Qt.Key.Key_PageUp:
                id = self._placed.page(self._selected, view if key == Qt.Key.Key_PageDown else -view)
            case Qt.Key.Key_Home | Qt.Key.Key_End:
                id = self._placed.center if key == Qt.Key.Key_Home else self._placed.last
            case _:
                return False
        self._by_keyboard = True
        self._pick(id)
        return True

    def _act_by(self, key: Qt.Key) -> bool:
        assert self._placed is not None
        id = self._selected
        if key == Qt.Key.Key_Backspace:
            self.back_asked.emit()
        elif id is None:
            return False
        elif key in ENTER and self._linking is not None:
            self._link_to(id)
        elif key == Qt.Key.Key_L:
            self.begin_link(id)
        elif key in ENTER and id != self._placed.center:
            self.entered.emit(id)
        elif key == Qt.Key.Key_Plus and id != self._placed.center:
            self.grow_asked.emit(id)
        elif key == Qt.Key.Key_Minus and id in self._opened:
            self.shrink_asked.emit(id)
        else:
            return False
        return True


def _is_back(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Left and event.modifiers() == Qt.KeyboardModifier.AltModifier


class Opening(QObject):
    """Opens and closes rows of the drawing. grow and shrink return the resulting query.

    changed: the data shown before, and the new data. outdated: all data must be loaded again."""

    changed = Signal(object, object)
    outdated = Signal()

    def __init__(self, session: Session, canvas: Canvas, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._canvas = session, canvas

    def grow(self, query: GraphQuery, shown: Fetched | None, id: str) -> GraphQuery:
        """Show neighbours of a row, or more of them, or a message that there are none. shown: None while a
        load is pending."""
        wanted = query.opening(id)
        if shown is None:
            self.outdated.emit()
        elif id in shown.opened and (not shown.hidden(id) or wanted == query):
            self._canvas.say_at(id, nothing_new_reason(shown.hidden(id), query.opened[id]))
            return query
        else:
            self._session.spawn(self._ask(wanted, shown, id))
        return wanted

    async def _ask(self, query: GraphQuery, shown: Fetched, id: str) -> None:
        self.changed.emit(shown, await with_neighbours(self._session, shown, query, id))

    def shrink(self, query: GraphQuery, shown: Fetched | None, id: str) -> GraphQuery:
        """Hide the neighbours of a row."""
        if shown is None:
            self.outdated.emit()
        else:
            self.changed.emit(shown, without_neighbours(shown, id))
        return query.closing(id)

    def show_result(self, before: Fetched | None, it: Fetched, scene: Scene) -> None:
        """Show a message if a row that was just opened added no new rows."""
        known = before.opened if before is not None else {}
        for id, more in it.opened.items():
            if id not in scene.nodes or more is known.get(id):
                continue
            if not any(node.id in scene.nodes and scene.nodes[node.id].parent == id for node in more.nodes):
                self._canvas.say_at(id, nothing_new_reason(it.hidden(id), it.query.opened[id]))


def limit_reason() -> str:
    """Return the reason why a drawing does not become any larger."""
    return tr(
        "No more than %Ln row(s) are asked for at once. Find any other memory by its words.",
        "",
        SHOWN_AT_MOST,
    )


def nothing_new_reason(hidden: Hidden, wanted: int) -> str:
    """Return the reason why opening a row has added no new rows. hidden: the neighbours it leaves out.
    wanted: number of neighbours asked for."""
    if not hidden:
        return tr("All that it is connected to is shown.")
    if wanted >= SHOWN_AT_MOST:
        return limit_reason()
    strongest = tr("The strongest that it is connected to are shown already; press + again for more.")
    return f"{strongest} ({hidden.short})"
