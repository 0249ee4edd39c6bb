"""A record is a frozen dataclass in all that anybody asks of one; only the making is quicker."""

from __future__ import annotations

import dataclasses
import pickle
from typing import ClassVar

import msgspec
import pytest

from firmware.rules.records import named_record, record, replace


@named_record
class Base:
    VERSION: ClassVar[int] = 1
    tap: int = 0


@record
class Chip(Base):
    seat: int
    names: tuple[str, ...] = ()


@record
class Other(Base):
    seat: int
    names: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlainBase:
    VERSION: ClassVar[int] = 1
    tap: int = 0


@dataclasses.dataclass(frozen=True)
class PlainChip(PlainBase):
    seat: int
    names: tuple[str, ...] = ()


def test_it_is_written_as_a_dataclass_is() -> None:
    assert repr(Chip(3, ("a",), tap=7)) == repr(PlainChip(3, ("a",), tap=7)).replace("PlainChip", "Chip")


def test_equal_fields_of_one_kind_are_equal_and_hash_alike_however_they_were_made() -> None:
    one, again = Chip(3, ("a",), tap=7), replace(Chip(1, tap=7), names=("a",), seat=3)
    decoded = msgspec.json.decode(b'{"tap":7,"names":["a"],"seat":3}', type=Chip)
    assert one == again == decoded and hash(one) == hash(again) == hash(decoded)
    assert one != Other(3, ("a",), tap=7) and one != Chip(3, ("a",)) and one != 3
    assert len({one, again, decoded, Other(3, ("a",), tap=7)}) == 2


def test_nothing_of_it_is_changed_or_taken_away() -> None:
    chip = Chip(3)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'seat'"):
        chip.seat = 4  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'seat'"):
        del chip.seat
    assert chip == Chip(3)


def test_fields_of_a_named_record_are_given_by_name_and_follow_nobodys_order() -> None:
    assert [field.name for field in dataclasses.fields(Chip)] == ["tap", "seat", "names"]
    with pytest.raises(TypeError):
        Chip(3, (), 7)  # type: ignore[call-arg]


def test_it_can_be_taken_apart_made_again_and_kept() -> None:
    chip = Chip(3, ("a",), tap=7)
    match chip:
        case Chip(seat, names):
            assert (seat, names) == (3, ("a",))
    assert dataclasses.replace(chip, seat=4) == Chip(4, ("a",), tap=7)
    assert pickle.loads(pickle.dumps(chip)) == chip
    assert msgspec.json.encode(chip) == b'{"tap":7,"seat":3,"names":["a"]}'
