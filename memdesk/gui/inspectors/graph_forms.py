"""Forms of the graph: to correct an entity, to link two memories, and to change or remove such a link."""

from __future__ import annotations

from typing import Any, Protocol

from shiboken6 import isValid

from memdesk.api import curation, memory
from memdesk.api.endpoint import Endpoint
from memdesk.gui.inspectors.belief import labelled_row
from memdesk.gui.inspectors.links import secondary_text
from memdesk.gui.inspectors.memory_forms import BelowForm, MemorySearch
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.terms import relation_words, term
from memdesk.gui.widgets import Area, Control, Drop, Field, Form, Option, row
from memdesk.gui.widgets.text import excerpt
from memdesk.model.browse import Inspection, Related
from memdesk.model.curation import EditEntity, EditRelation, Link, Retire
from memdesk.model.entity import ABOUT, ENTITY_RELATIONS, ENTITY_TYPES, STRUCTURAL
from memdesk.model.remember import NewEntity, NewRelation

DESCRIPTION_LINES = 4
RelationAsk = tuple[Endpoint[Any, Any], object, str]
"""A call that changes a relation, its request, and the sentence afterwards."""


def relation_options(present: str = "") -> list[Option]:
    """Return the types that a person may give a relation between two entities. present: the type it has."""
    types = dict.fromkeys((present, *ENTITY_RELATIONS)) if present else ENTITY_RELATIONS
    return [Option(type, relation_words(type)) for type in types]


class End(Protocol):
    """End of a relation, as the inspector and the graph have it."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def channel(self) -> str: ...


def relation_sentence(source: str, type: str, target: str) -> str:
    """Return a relation as a sentence: “Mara” works for “Tidepool”."""
    return tr(
        "“{source}” {relation} “{target}”",
        source=excerpt(source),
        relation=relation_words(type),
        target=excerpt(target),
    )


def new_link(source: End, target_id: str, target: str, type: str) -> RelationAsk:
    """Return the call that links a memory to another. type: ABOUT links a fact to an entity."""
    says = relation_sentence(source.title, type, target)
    if type == ABOUT:
        return curation.LINK, Link(fact_id=source.id, entity_id=target_id), says
    ask = NewRelation(source=source.id, target=target_id, type=type, channel=source.channel, confidence=1.0)
    return memory.RELATE, ask, says


def retyped(relation_id: str, type: str, says: str) -> RelationAsk:
    """Return the call that gives a relation another type. says: the relation as it will be."""
    return curation.EDIT_RELATION, EditRelation(relation_id=relation_id, type=type), says


def removed(relation_id: str, says: str) -> RelationAsk:
    """Return the call that removes a relation. says: the relation as it was."""
    return curation.RETIRE, Retire(id=relation_id), tr("No longer: {relation}", relation=says)


def sentence_from(seen: Inspection, other: Related, type: str) -> str:
    """Return the relation of a memory to a neighbour as a sentence. type: the one it has, or will have."""
    ends = (seen.title, other.title)
    source, target = ends if other.outgoing else ends[::-1]
    return relation_sentence(source, type, target)


def removal(seen: Inspection, other: Related) -> RelationAsk:
    """Return the call that removes the relation of a memory to a neighbour."""
    return removed(other.relation_id, sentence_from(seen, other, other.relation))


class EntityForm(Form):
    """Form that replaces the name of an entity. `saved` carries the requested EditEntity."""

    def __init__(self, seen: Inspection) -> None:
        self._seen = seen
        self._description = next((each.value for each in seen.fields if each.name == "description"), "")
        self.name = Field(seen.title, name=tr("Name"))
        types = dict.fromkeys((seen.category, *ENTITY_TYPES))
        self.type = Drop([Option(type, term(type)) for type in types], seen.category, name=tr("Type"))
        self.known_as = Field(
            ", ".join(seen.known_as),
            placeholder=tr("Other names, with commas between"),
            name=tr("Other names"),
        )
        self.description = Area(self._description, name=tr("Description"), lines=DESCRIPTION_LINES)
        self._keeps = secondary_text(tr("The old name stays as another name."))
        super().__init__(
            tr("Edit"),
            tr("Save"),
            self.name,
            self._keeps,
            labelled_row(tr("Type"), self.type),
            labelled_row(tr("Also known as"), self.known_as),
            self.description,
            first=self.name,
        )
        self._keeps.hide()
        self.name.textChanged.connect(lambda _: self.check())
        for field in (self.name, self.known_as):
            field.returnPressed.connect(self.submit)

    def resume(self, draft: EditEntity) -> None:
        """Fill the form from an unfinished correction."""
        self.name.setText(draft.name or self._seen.title)
        self.type.set_value(draft.type or self._seen.category)
        kept = [name for name in self._seen.known_as if name not in draft.drop_aliases]
        self.known_as.setText(", ".join((*kept, *draft.aliases)))
        self.description.set_text(self._description if draft.description is None else draft.description)

    def asked(self) -> EditEntity | None:
        """Return the correction with the changed fields only; None if nothing differs."""
        seen = self._seen
        name, type, text = self.name.text().strip(), str(self.type.value()), self.description.text().strip()
        names = tuple(dict.fromkeys(each.strip() for each in self.known_as.text().split(",") if each.strip()))
        new = tuple(each for each in names if each not in seen.known_as)
        gone = tuple(each for each in seen.known_as if each not in names)
        if (name, type, text, new, gone) == (seen.title, seen.category, self._description, (), ()):
            return None
        return EditEntity(
            entity_id=seen.id,
            was=seen.title,
            name=name if name != seen.title else None,
            type=type if type != seen.category else None,
            description=text if text != self._description else None,
            aliases=new,
            drop_aliases=gone,
        )

    @property
    def begun(self) -> bool:
        return self.asked() is not None

    def check(self) -> bool:
        """Return True if the name is not empty; otherwise show an error and disable Save."""
        name = self.name.text().strip()
        self._keeps.setVisible(name.casefold() not in ("", self._seen.title.casefold()))
        self.name.set_error("" if name else tr("A name needs words."))
        self.save.set_enabled(bool(name), tr("A name needs words."))
        return bool(name)


class LinkForm(BelowForm):
    """Form that links a memory to another one: a fact to an entity it is about, an entity to an entity.

    Its request is a RelationAsk. An entity that is not there yet is made first, as a change of its own."""

    def __init__(self, session: Session, seen: Inspection) -> None:
        self._session, self._seen = session, seen
        self._other: tuple[str, str] | None = None
        self._new_name = ""
        self.make = Control("button", "", "plus")
        of_fact = seen.kind == "fact"
        self.type = Drop(
            [Option(ABOUT, relation_words(ABOUT))] if of_fact else relation_options(),
            lead=tr("It is") if of_fact else "",
            name=tr("Relation"),
        )
        self.to = MemorySearch(
            session, seen, ("entity",), placeholder=tr("To which? Search"), name=tr("Link to")
        )
        self.says = secondary_text("")
        super().__init__(
            tr("Link to another"),
            self.type,
            self.to,
            row(self.make, None),
            self.says,
            first=self.to,
            save=tr("Link"),
            icon="link",
        )
        self.type.setVisible(not of_fact)
        self._clear()
        self.to.changed.connect(self._clear)
        self.to.chosen.connect(self._choose)
        self.to.searched.connect(self._offer_new)
        self.make.clicked.connect(lambda: session.spawn(self._make()))
        self.type.chosen.connect(lambda _: self._show_choice())

    def _clear(self) -> None:
        self._other = None
        self._offer_new("", ())
        self._show_choice()

    def _offer_new(self, name: str, found: tuple[str, ...]) -> None:
        """Offer to make an entity of this name, if none that was found has it."""
        self._new_name = "" if name.casefold() in map(str.casefold, found) else name
        self.make.setText(tr("Make the entity “{name}”", name=excerpt(name)))
        self.make.setVisible(bool(self._new_name))

    async def _make(self) -> None:
        """Make the entity, and choose it."""
        name = self._new_name
        ask = NewEntity(name=name, channel=self._seen.channel)
        made = await self._session.do(memory.UPSERT_ENTITY, ask, tr("Made the entity “{name}”", name=name))
        if isValid(self):
            self.make.hide()
            self._choose(made.id, name)

    def _choose(self, id: str, title: str) -> None:
        self._other = (id, title)
        self._show_choice()
        self.to.search.setFocus()

    def enter(self) -> None:
        """Link to the chosen one, or choose the first that was found."""
        if self._other is not None:
            self.submit()
        else:
            self.to.press_first()

    def _show_choice(self) -> None:
        asked = self.asked()
        self.says.setText(asked[2] if asked is not None else "")
        self.save.set_enabled(asked is not None, tr("Choose the other end."))

    def asked(self) -> RelationAsk | None:
        """Return the call that links the two; None while no other end is chosen."""
        return None if self._other is None else new_link(self._seen, *self._other, str(self.type.value()))


class RelationForm(BelowForm):
    """Form that gives a relation another type, or removes it. Its request is a RelationAsk."""

    def __init__(self, seen: Inspection, other: Related) -> None:
        self._seen, self._other = seen, other
        self.remove = Control("button", tr("Remove"), "retire")
        self.type = Drop(relation_options(other.relation), other.relation, name=tr("Relation"))
        retypes = other.relation not in STRUCTURAL
        super().__init__(
            tr("Change the link"),
            secondary_text(sentence_from(seen, other, other.relation)),
            *([self.type] if retypes else []),
            row(self.remove, None),
            first=self.type if retypes else self.remove,
            save=tr("Save"),
            icon="check",
        )
        self.save.setVisible(retypes)
        self.remove.clicked.connect(lambda: self.saved.emit(removal(seen, other)))

    def asked(self) -> RelationAsk | None:
        """Return the call that changes the type; None if it is unchanged."""
        type = str(self.type.value())
        if type == self._other.relation:
            return None
        return retyped(self._other.relation_id, type, sentence_from(self._seen, self._other, type))
