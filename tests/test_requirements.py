"""What is installed is pinned by hash, agrees with pyproject.toml, and names no place it comes from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)(?: ; (?P<marker>.+))?")
DOCUMENT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = DOCUMENT["project"]["optional-dependencies"]
LISTS = {
    "build": DOCUMENT["build-system"]["requires"],
    "felt": DOCUMENT["project"]["dependencies"],
    "run": DOCUMENT["project"]["dependencies"] + EXTRAS["broker"] + EXTRAS["mirror"],
    "test": DOCUMENT["project"]["dependencies"] + EXTRAS["broker"] + EXTRAS["mirror"] + EXTRAS["test"],
    "mirror": EXTRAS["mirror"],
    "device": EXTRAS["device"],
    "lock": EXTRAS["lock"],
}
"""File -> what pyproject.toml asks of it."""


def blocks(path: Path) -> list[list[str]]:
    """Each package's lines: its pin, then its hashes."""
    text = "".join(line for line in path.read_text(encoding="utf-8").splitlines(True) if not line.startswith("#"))
    return [[line.strip() for line in block.split("\\\n")] for block in re.split(r"\n(?=\S)", text.strip())]


def pins(path: Path) -> dict[str, str]:
    """Package -> version."""
    matches = [PIN.fullmatch(block[0]) for block in blocks(path)]
    assert all(matches), path
    return {canonicalize_name(match["name"]): match["version"] for match in matches if match}


def test_every_list_has_its_file() -> None:
    assert {path.stem for path in FILES} == set(LISTS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_package_is_pinned_by_hash_and_comes_from_nowhere(path: Path) -> None:
    for pin, *hashes in blocks(path):
        assert PIN.fullmatch(pin) and hashes, pin
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in hashes), pin


@pytest.mark.parametrize("name", LISTS)
def test_what_is_asked_is_pinned(name: str) -> None:
    """Where this fails, run `scripts/lock`."""
    pinned = pins(ROOT / "requirements" / f"{name}.txt")
    for requirement in map(Requirement, LISTS[name]):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version and requirement.specifier.contains(version), f"{requirement}: pinned is {version}"


def test_one_version_of_a_package_everywhere() -> None:
    found: dict[str, str] = {}
    for path in FILES:
        for name, version in pins(path).items():
            assert found.setdefault(name, version) == version, (path.name, name)


def test_a_casino_does_not_have_the_laptops_broker() -> None:
    assert "amqtt" in pins(ROOT / "requirements" / "run.txt")
    assert "amqtt" not in pins(ROOT / "requirements" / "felt.txt")
