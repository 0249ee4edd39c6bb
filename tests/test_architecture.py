"""The house rules that a machine can check: who may import whom, one library one door, words, sizes, no float in money."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from firmware.__main__ import PROOF
from firmware.rules.games import SHIPPED, books

ROOT = Path(__file__).parent.parent
PACKAGES = ("firmware", "hal", "ui")
LINES_MAX = 70


def module_name(path: Path) -> str:
    """`firmware.table.state` for its file; a package for its `__init__`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_python(path: Path) -> bool:
    """A module, or a script without an ending that says it is Python."""
    return path.suffix == ".py" or (path.suffix == "" and path.is_file() and b"python" in path.read_bytes()[:40])


class Parsed(Mapping[str, ast.Module]):
    """Every module below these folders, by its name; read when somebody asks for it."""

    def __init__(self, *folders: str) -> None:
        files = sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if is_python(path))
        self._files = {module_name(path): path for path in files}

    def __getitem__(self, module: str) -> ast.Module:
        return _parsed(self._files[module])

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, module: object) -> bool:
        return module in self._files


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


TREES = Parsed(*PACKAGES)
EVERYTHING = Parsed(*PACKAGES, "scripts", "tests")
"""Also what is not the product: what starts, measures and proves it."""


def every(modules: Iterable[str]) -> Callable[[Callable[[str], None]], Callable[[], None]]:
    """One test that holds all these modules to a rule; what breaks it is named by the rule's own message."""

    def held_to(rule: Callable[[str], None]) -> Callable[[], None]:
        def test() -> None:
            for module in modules:
                rule(module)

        test.__doc__ = rule.__doc__
        return test

    return held_to


OURS = every(TREES)
ALL = every(EVERYTHING)


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All of a file; nearly every rule goes through it."""
    return tuple(ast.walk(tree))


def imports(tree: ast.Module) -> Iterator[str]:
    """Every module that a file imports, wherever in it, in full."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, "imports are absolute"
            yield node.module
            yield from (
                f"{node.module}.{alias.name}" for alias in node.names if f"{node.module}.{alias.name}" in EVERYTHING
            )


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


# Who may import whom ------------------------------------------------------------------------------------------------

PURE = ("firmware.rules", "firmware.wire", "firmware.table", "firmware.bank")

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "firmware.rules": ("firmware.rules",),
    "firmware.wire": ("firmware.wire", "firmware.rules"),
    "firmware.table": ("firmware.table", "firmware.wire", "firmware.rules"),
    "firmware.bank": ("firmware.bank", "firmware.wire", "firmware.rules"),
    "firmware.plain": (),
    "firmware.config": (
        "firmware.plain",
        "firmware.rules",
        "firmware.table.procedures",
        "firmware.wire",
        "hal.reader.protocols",
        "hal.shuffler.protocols",
        "ui.dealer.panels",
        "ui.dealer.theme",
        "ui.words",
    ),
    "firmware.settle": ("firmware.plain", "firmware.rules"),
    "firmware.proof.conformance": (
        "firmware.proof.conformance",
        "firmware.runtime.signed_notes",
        "firmware.runtime.words",
        "firmware.runtime.link",
        "firmware.runtime.clock",
        "firmware.config",
        "firmware.wire",
        "firmware.rules",
        "hal.debounce",
    ),
    "firmware.proof.rehearse": (
        "firmware.proof.rehearse",
        "firmware.runtime",
        "firmware.config",
        "firmware.plain",
        *PURE,
        "hal",
        "ui",
    ),
    "firmware.runtime": ("firmware.runtime", "firmware.config", "firmware.plain", *PURE, "hal", "ui"),
    "firmware.proof.simulation": PACKAGES,
    "firmware.commands": PACKAGES,
    "firmware.__main__": ("firmware.commands", "firmware.runtime", "firmware.config", "firmware.bank", "hal", "ui"),
    "firmware": (),
    "hal": ("hal",),
    "ui": ("ui", "hal.workers", *PURE),
}
"""Longest name first in the search below: a package, and what of ours it may import."""

DOORS: dict[str, tuple[str, ...]] = {
    "gpiozero": ("hal.gpio",),
    "serial": ("hal.serial",),
    "evdev": ("hal.input_device",),
    "pygame": ("ui.dealer.display",),
    "paho": ("firmware.runtime.link",),
    "sqlite3": ("firmware.runtime.sqlite",),
    "amqtt": ("firmware.runtime.broker",),
    "prometheus_client": ("firmware.runtime.metrics",),
    "argon2": ("firmware.runtime.pins",),
    "cryptography": ("firmware.runtime.signed_notes", "firmware.runtime.doctor.papers"),
    "msgspec": (
        "firmware.wire",
        "firmware.table",
        "firmware.bank",
        "firmware.runtime",
        "firmware.config",
        "firmware.commands",
        "ui.dealer",
    ),
}
"""Library -> the only modules (or, of msgspec, packages) that may import it."""


def owner(module: str) -> str:
    return max((package for package in MAY_IMPORT if within(module, package)), key=len)


@OURS
def test_who_may_import_whom(module: str) -> None:
    allowed = MAY_IMPORT[owner(module)]
    wrong = [
        name
        for name in imports(TREES[module])
        if name.split(".")[0] in (*PACKAGES, "scripts", "tests") and not any(within(name, one) for one in allowed)
    ]
    assert not wrong, f"{module} may import {allowed or 'nothing of ours'}, not {wrong}"


@OURS
def test_the_proof_is_no_part_of_a_table(module: str) -> None:
    """It is not installed: only `scripts`, tests, and the commands that are named for a part of it start it."""
    if within(module, PROOF):
        return
    own = f"{PROOF}.{module.removeprefix('firmware.commands.')}.command"
    reaches = [name for name in imports(TREES[module]) if within(name, PROOF) and not within(name, own)]
    assert not reaches, f"{module} imports {reaches}"


def test_a_table_is_installed_without_the_proof() -> None:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"][
        "find"
    ]
    assert f"{PROOF}*" in found["exclude"]


def circle(trees: Mapping[str, ast.Module]) -> set[str]:
    """Modules that import one another, directly or through others, also where only a type checker would see it."""
    try:
        TopologicalSorter({module: set(imports(tree)) & trees.keys() for module, tree in trees.items()}).prepare()
    except CycleError as found:
        return set(found.args[1])
    return set()


def test_no_module_imports_itself_round_a_corner() -> None:
    assert not circle(EVERYTHING)


def test_a_circle_would_be_found() -> None:
    hidden = "if TYPE_CHECKING:\n    from ui.b import B"
    trees = {"ui.a": ast.parse(hidden), "ui.b": ast.parse("import ui.c"), "ui.c": ast.parse("import ui.a")}
    assert circle(trees) == {"ui.a", "ui.b", "ui.c"}


@OURS
def test_one_library_one_door(module: str) -> None:
    for name in imports(TREES[module]):
        top = name.split(".")[0]
        if top in PACKAGES or (top in sys.stdlib_module_names and top not in DOORS):
            continue
        assert top in DOORS, f"{module} imports {top}: a new library needs a door here"
        assert any(within(module, door) for door in DOORS[top]), f"{top} is imported by {DOORS[top]} only, not {module}"


@pytest.mark.parametrize("library", DOORS)
def test_every_door_is_used(library: str) -> None:
    """A door that nobody goes through any more is a dependency to drop."""
    assert any(name.split(".")[0] == library for tree in TREES.values() for name in imports(tree))


RECORDS = ("firmware.wire", "firmware.table", "firmware.bank", "ui")


@every([name for name in TREES if any(within(name, package) for package in RECORDS)])
def test_there_is_one_kind_of_record(module: str) -> None:
    """A frozen Struct; a dataclass is for what changes (CONTRIBUTING.md)."""
    for node in nodes(TREES[module]):
        if isinstance(node, ast.ClassDef):
            made = [ast.unparse(one) for one in node.decorator_list]
            assert not any(one.startswith("dataclass(frozen=True") for one in made), where(module, node)
            is_struct = any(ast.unparse(base) in ("Struct", "msgspec.Struct") for base in node.bases)
            assert not is_struct or "frozen=True" in map(ast.unparse, node.keywords), where(module, node)


# The auditor of the shifts --------------------------------------------------------------------------------------------

AUDITOR = [
    *(name for name in TREES if name.startswith("firmware.proof.simulation.account")),
    "firmware.proof.simulation.screen_reader",
]
NEVER_SEEN = ("firmware.table", "firmware.bank", "firmware.wire", "firmware.runtime", "firmware.proof.rehearse")


@every(AUDITOR)
def test_the_auditor_sees_no_table(module: str) -> None:
    """Neither its state nor an event, by itself or through what it imports: he has the screen, the cards and the law."""
    reached, waiting = set[str](), [module]
    while waiting:
        new = set(imports(EVERYTHING[waiting.pop()])) & EVERYTHING.keys() - reached
        reached |= new
        waiting += new
    assert not [name for name in reached if any(within(name, one) for one in NEVER_SEEN)], module


# Pure code ----------------------------------------------------------------------------------------------------------

PURE_MODULES = [module for module in TREES if any(within(module, package) for package in PURE)]
IMPURE = {
    "time",
    "random",
    "secrets",
    "os",
    "io",
    "socket",
    "threading",
    "subprocess",
    "asyncio",
    "logging",
    "uuid",
    "sys",
}
"""The clock, chance and the world come to pure code as arguments."""


@every(PURE_MODULES)
def test_money_is_never_float(module: str) -> None:
    for node in nodes(TREES[module]):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), where(module, node)
        assert not (isinstance(node, ast.Name) and node.id == "float"), where(module, node)
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not is_path(node)), where(
            module, node
        )


MAKES_PAYMENTS = frozenset({"Payment", "lose", "push", "win", "win_fixed", "void", "bonus", "award", "limited"})
MULTIPLIES = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
OF_MONEY = re.compile(
    r"\b(ante|base|amount|cents|chips|odds|paid|payouts?|percent|price|prize|raised|returned|stakes?|times|wagers?)\b"
)
TABLE_MODULES = [name for name in TREES if within(name, "firmware.table")]


@every([name for name in TREES if not within(name, "firmware.rules")])
def test_only_the_rules_make_a_payment(module: str) -> None:
    """What is paid, returned and lost is the law's word: nobody else makes one, or changes one."""
    doors = [node for node in nodes(TREES[module]) if isinstance(node, ast.ImportFrom)]
    made = {alias.name for node in doors if node.module == "firmware.rules.payment" for alias in node.names}
    assert made <= {"Payment", "Result", "Source", "StandingMeters"}, f"{module} imports {made}"
    for node in nodes(TREES[module]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in MAKES_PAYMENTS & made, where(module, node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr != "_replace", where(module, node)


@every(TABLE_MODULES)
def test_the_table_counts_no_money(module: str) -> None:
    """It adds up what the law says; multiples, odds and shares are the law's."""
    for node in nodes(TREES[module]):
        if isinstance(node, ast.BinOp) and isinstance(node.op, MULTIPLIES):
            assert not OF_MONEY.search(ast.unparse(node)), where(module, node)


def test_counted_money_would_be_found() -> None:
    sums = ("ante * times", "prize.amount // 2", "one.stake * odds", "cents % chip")
    assert all(OF_MONEY.search(sum_) for sum_ in sums) and not OF_MONEY.search("ns // 1_000_000")


def is_path(node: ast.BinOp) -> bool:
    """`files(…) / "books"`: a slash with a string or an f-string on its right is a path, not a division."""
    return isinstance(node.right, ast.JoinedStr) or (
        isinstance(node.right, ast.Constant) and isinstance(node.right.value, str)
    )


@every(PURE_MODULES)
def test_pure_code_reads_no_clock_and_throws_no_dice(module: str) -> None:
    allowed = {"sys"} if module == "firmware.rules.games.registry" else set()  # the table of modules: it loads some
    assert not {name.split(".")[0] for name in imports(TREES[module])} & IMPURE - allowed, module
    for node in nodes(TREES[module]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in ("now", "utcnow", "today", "monotonic_ns"), where(module, node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "input", "open"), where(module, node)


def where(module: str, node: ast.AST) -> str:
    return f"{module}:{getattr(node, 'lineno', '?')}: {ast.unparse(node)[:80]}"


# Games --------------------------------------------------------------------------------------------------------------

GAMES = "firmware.rules.games"
NAMES_OF_GAMES = re.compile(
    r"\b(lunar|maryland|pennsylvania|ultimate|texas|heads[ -]up|world poker|uth|[a-z]{2}-\d\S*|\d{3}a|36\.05\.16)\b",
    re.IGNORECASE,
)
"""A book, or the section of a law it is printed in, or a word of a game's title."""
MAY_NAME = {"firmware.config": "DEFAULT_BOOK", GAMES: "SHIPPED"}
"""The default of the simulation, where a game is registered, whose screens a document shows: module -> the name there."""


def said(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every string and every name of a module, its docstrings left out: they explain the law by its paragraphs."""
    prose = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node, node.value
        for part in ("id", "attr", "name", "arg", "module"):
            if isinstance(name := getattr(node, part, None), str):
                yield node, re.sub(r"[_.]", " ", name)


ASKING = [module for module in EVERYTHING if not within(module, "tests")]


@every(ASKING)
def test_only_the_folder_of_a_game_names_its_book(module: str) -> None:
    """All others ask the game of their house: what it is called, what is dealt, what is asked, what is said."""
    if any(within(module, f"{GAMES}.{folder}") for folder in SHIPPED):
        return
    allowed = {
        id(part)
        for node in EVERYTHING[module].body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == MAY_NAME.get(module)
        for part in ast.walk(node)
    }
    named = [
        where(module, node)
        for node, text in said(EVERYTHING[module])
        if NAMES_OF_GAMES.search(text) and id(node) not in allowed
    ]
    assert not named


@pytest.mark.parametrize("text", [*books(), *SHIPPED, "play lunar", "653a.11(h)", "36.05.16.10B(4)", "uth-04"])
def test_a_name_of_a_game_would_be_found(text: str) -> None:
    assert NAMES_OF_GAMES.search(text.replace("_", " "))


def test_no_game_asks_another() -> None:
    for folder in SHIPPED:
        others = [f"{GAMES}.{other}" for other in SHIPPED if other != folder]
        asked = imports(TREES[f"{GAMES}.{folder}.game"])
        assert not [name for name in asked if any(within(name, other) for other in others)]


# Everywhere ---------------------------------------------------------------------------------------------------------


MAY_SLEEP = ("scripts.bench_latency",)
"""It measures what happens after a pause of a given length; nothing is awaited."""


@ALL
def test_nothing_sleeps_where_an_event_can_be_awaited(module: str) -> None:
    for node in nodes(EVERYTHING[module]) if module not in MAY_SLEEP else ():
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        assert name != "sleep", where(module, node)


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def public(body: list[ast.stmt]) -> Iterator[tuple[str, Definition]]:
    """Public functions and classes of a module, and public methods of its public classes but those of a base in it."""
    classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                said = inherited(node, classes)
                yield from ((f"{node.name}.{name}", one) for name, one in public(node.body) if name not in said)


def inherited(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> set[str]:
    """What the bases in the same module are able to do, and theirs."""
    bases = [classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in classes]
    return {name for base in bases for name in (*(name for name, _ in public(base.body)), *inherited(base, classes))}


@OURS
def test_everything_public_says_what_it_is(module: str) -> None:
    tree = TREES[module]
    empty = not tree.body
    assert empty or ast.get_docstring(tree), f"{module} does not open with what it is"
    silent = [
        name
        for name, node in public(tree.body)
        if not ast.get_docstring(node) and not is_overridden(name) and not is_stub(node)
    ]
    assert not silent, f"{module}: without a docstring: {', '.join(silent)}"


def is_stub(node: Definition) -> bool:
    """`def grab(self) -> None: ...` on one line: a protocol's name for what a library does."""
    return node.lineno == node.end_lineno


def is_overridden(name: str) -> bool:
    """Methods that a library calls by their name (`http.server`) say nothing new."""
    return name.rpartition(".")[2] in ("do_GET", "log_message", "handle_error")


@ALL
def test_functions_fit_on_a_screen(module: str) -> None:
    long = [
        f"{node.name} ({(node.end_lineno or 0) - node.lineno + 1} lines)"
        for node in nodes(EVERYTHING[module])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > LINES_MAX
    ]
    assert not long, f"{module}: {', '.join(long)}; at most {LINES_MAX} lines"


FORBIDDEN = {
    "manager",
    "handler",
    "helper",
    "helpers",
    "util",
    "utils",
    "process",
    "processor",
    "data",
    "misc",
    "common",
}


def words(name: str) -> set[str]:
    """`PinDesk_two` -> pin, desk, two."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


@OURS
def test_names_use_the_fields_words(module: str) -> None:
    names = [*module.split("."), *(node.name for node in nodes(TREES[module]) if isinstance(node, Definition))]
    wrong = [name for name in names if words(name) & FORBIDDEN]
    assert not wrong, f"{module}: {', '.join(wrong)}: say what it is in the field's words"


@OURS
def test_nothing_is_left_to_be_done(module: str) -> None:
    text = (ROOT / Path(*module.split("."))).with_suffix(".py")
    source = (text if text.exists() else text.with_suffix("") / "__init__.py").read_text(encoding="utf-8")
    assert not re.search(r"\b(TODO|FIXME|XXX|HACK)\b", source), module
    for node in nodes(TREES[module]):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type is not None else ""
            swallowed = len(node.body) == 1 and isinstance(node.body[0], ast.Pass)
            broad = caught in ("", "Exception", "BaseException")
            assert not (swallowed and broad), f"{module}:{node.lineno}: swallows whatever it is"


HAL = every([module for module in TREES if within(module, "hal")])
POKER = re.compile(
    r"\b(?:poker|hold ?'?em|antes?|blinds?|flop|trips|royal|straights?|progressives?|bonus|dealer's hand"
    r"|\d{3}a\.\d|36\.05)\b",
    re.IGNORECASE,
)


@HAL
def test_hal_knows_no_poker(module: str) -> None:
    """Levels and numbers in, levels and numbers out: it would serve a roulette table. Names and texts alike."""
    for node in nodes(TREES[module]):
        said = node.value if isinstance(node, ast.Constant) else node.id if isinstance(node, ast.Name) else ""
        if isinstance(said, str) and "It knows no poker" not in said:
            assert not POKER.search(said.replace("_", " ")), where(module, node)


def test_the_folder_of_units_is_no_package() -> None:
    """`systemd/` with an `__init__.py` would shadow the package of that name."""
    assert not (ROOT / "systemd" / "__init__.py").exists()
