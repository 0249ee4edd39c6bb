"""Every word of a rehearsal with its meaning: what `felt rehearse --words` prints, and what docs/rehearse.md is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from firmware.proof.rehearse.script import DECKS, DEVICES, FAULTS, LAMPS, MODES, NONE, UNDECLARED
from firmware.proof.rehearse.table import NO_MORE_BETS
from firmware.rules.book import Book
from firmware.rules.games import books, load_book
from firmware.rules.payment import Result
from firmware.table.decide import ANY_TIME, KEYS
from firmware.table.irregularity import ProblemKind
from firmware.table.state import Phase
from ui.words import ENGLISH

PHASES: Mapping[str, str] = {
    "shut": "closed for gaming; no deck is at the table",
    "inspect": "the dealer inspects the decks that came",
    "verify": "a floorperson verifies the inspection",
    "spread": "the cards lie face up for the first player",
    "wash": "the cards are mixed face down and stacked",
    "shuffle": "the deck is shuffled, by the machine or by hand",
    "cut": "the deck is cut",
    "idle": "open for gaming, nobody plays: the cards lie spread",
    "empty": "the table is being closed: the cards are counted",
    "closed": "between two rounds; something keeps bets closed",
    "open": "bets are open",
    "count": "bets are locked; the chips in front of the rack are counted",
    "difference": "chips and lamps differ; each seat of the difference is settled",
    "deal": "the cards are dealt; at level 0 also the place where a winner is named",
    "ask": "the players decide; the streets `preflop`, `flop` and `river` are words for it too",
    "supers": "all decisions are locked in; declared hands and instant payouts are settled",
    "draw": "players who paid the options fee get their cards",
    "reveal": "the dealer's hand is turned up",
    "hand": "cards are entered, for one hand or for the board and the dealer",
    "settle": "seats are compared and paid, from the last one down",
    "cards": "the five cards of a share of a meter are entered",
    "validate": "a floorperson looks at a winning hand",
    "price": "the bank is asked what a share of a meter is",
    "hold": "the amount is frozen; a second person closes the claim",
    "pay": "a validated prize is paid",
    "envy": "envy bonuses are paid",
    "void": "the round is void; every wager goes back",
}
KEY_WORDS: Mapping[str, str] = {
    "undo": "take the last press back",
    "floor": "call the floor, or end the call",
    "problem KIND": "what happened, from the list below; without a word the list itself",
    "apply": "tell the problem that was chosen; a floorperson signs it where the list asks for one",
    "back": "back from a panel",
    "acknowledge": "the shuffler's alarm was seen",
    "received": "decks came to the table",
    "preinspected": "decks came preinspected and preshuffled",
    "inspected": "the dealer found no defect",
    "defect": "the decks that came go away again",
    "verify": "a floorperson verified the inspection",
    "looked": "the first player had a look at the cards",
    "stacked": "the cards are washed and stacked",
    "shuffled": "the deck is shuffled",
    "shuffled-and-cut": "the deck is shuffled and cut by hand",
    "cut": "the deck is cut",
    "recut": "the deck is cut, or shuffled, again as the floor ordered",
    "face-up": "the spread cards are turned up or down for a player",
    "emptied N": "N cards came out of machine, shoe and rack at the closing",
    "shut-short": "a floorperson shuts a table whose count was off",
    "fetch": "the decks that are due or missing are changed",
    "sensor N": "the sensor of seat N failed, or works again",
    "account N": "the wagering account of seat N, for buttons of the Five Card Hand; `back` leaves it",
    "chips N": "a chip of N cents onto what is being edited, or into the account: `chips 2500` is $25",
    "no-chips": "no chips on what is being edited, or the least",
    "cash-out": "the account is paid out",
    "box N": "seat N plays, or does not; in a difference: the ante of a lit seat lies there and was not entered",
    "stakes N WAGER": "the wagers of seat N; one of them",
    "same-player N": "seat N and the one before it are one player's, or not",
    "seat N": "seat N: its answer, its turn, its wager, whatever the screen asks for",
    "no-more-bets": "the lock, from the screen",
    "count N": "N chips lie in front of the rack",
    "reopen REASON": "the lock was a mistake: bets are open again, once its switch is turned back; after the count a "
    "floorperson says why: `by-mistake`, `too-early` or `not-taken`",
    "settle HOW": "why chips and lamps differ at the seat that was tapped: `taken-back`, `no-chip`, `second-chip`, "
    "`returned`, `by-hand` or `no-ante`",
    "recount": "count the chips again",
    "dealt": "the cards are dealt",
    "winners": "the winners are asked for",
    "stub-right": "the stub was counted and is right",
    "clear": "the round is over; the cards go",
    "envy N ROW": "the hand that owes an envy bonus, of seat N, whose player made no progressive wager",
    "left N": "a floorperson has the player of seat N left, or not",
    "choose WHAT": "what the chosen player elects: `bet`, `fold`, `instant`, `buy`, `exchange N`",
    "raise N": "the amount of seat N's raise",
    "next": "everybody has answered: the next cards, or the dealer's hand",
    "row ROW": "the declared hand of the chosen seat, or its instant payout",
    "supers-settled": "the declared hands are paid",
    "bets": "the player who drew bets",
    "folds": "the player who drew folds",
    "correct N REASON": "the floor has seat N settled again: `wrong-result`, `wrong-amount`, `wrong-seat` or `fouled-deck`",
    "dealer HOW": "the dealer's hand qualifies, `yes` or `no`",
    "dealer-row ROW": "the row that wagers on the dealer's hand win on, or `none`",
    "cards": "enter cards",
    "rank R": "the rank of a card",
    "suit S": "the suit of a card",
    "royal S": "the suit of a royal flush: its five cards",
    "highest": "the card that was entered is the highest of a straight flush: its five cards",
    "slot N": "replace the card at this place",
    "enter": "all cards are entered",
    "cancel": "no cards, or no prize, after all",
    "hand ROW": "the winning hand of a progressive wager",
    "five HAND ROW": "what a Five Card Hand wager wins on: `own` or `dealer`, and the row or `magic`",
    "uncredit": "a floorperson takes the last credit back",
    "answer CHOICE": "the answer to the question that is asked of the seat in turn, `none` for none of its rows; "
    "`answer QUESTION = CHOICE` where a later question has its keys beside it",
    "look": "on to the seat whose turn it is: it is lit, or something is asked of it",
    "settled": "the seat in turn is collected and paid; who stands before it and gets nothing is collected too",
    "show": "the five cards are shown",
    "approve": "a floorperson validates the hand",
    "not-a-winner": "a floorperson finds that the hand does not win",
    "claim-paid": "a second person: the cage has paid",
    "accept-price": "a floorperson signs for the other amount that the bank says now",
    "claim-rejected": "a second person: the hand does not win",
    "paid": "the prize is paid",
    "envy-paid": "the envy bonuses are paid",
}
"""Every key's word with what follows it."""
ALARMS: Mapping[str, str] = {
    "journal": "the bank knows another journal of this table",
    "hash": "the bank holds another message than the table sent",
    "ahead": "the bank holds more messages than the table has sent",
    "rules": "table and bank play under different rules",
    "round": "a round came to the bank out of order",
    "void": "a void round that the bank cannot take back",
    "payment": "a payment without a wager, or for the second time",
    "day": "a gaming day that does not follow the last one",
    "claim": "a claim that the bank finds wrong",
    "amount": "a claim was paid otherwise than this ledger has it",
    "verdict": "a verdict that the bank holds until two people have looked: who signed it, or how soon",
    "owed": "a claim that was paid is owed more, since an earlier one was no winner",
    "new": "nobody has adopted this table yet",
    "behind": "table and bank: one saw rows of the other that are not there",
    "fork": "table and bank: one saw another row of the other than stands there",
    "epoch": "the bank's ledger is another one than before",
    "price": "the bank prices a claim above all that its meter ever held",
    "shuffler": "an alarm of the shuffler that nobody has seen; its fault is a word for it too",
}
STEPS: Sequence[tuple[str, str]] = (
    ("chip SEAT", "a chip comes to lie on the seat's sensor"),
    ("lift SEAT", "the chip goes"),
    (
        "button SEAT own",
        "a Five Card Hand button is pushed, `dealer` for the dealer's hand; it needs funds in the account",
    ),
    ("lockout on", "the lockout switch; `off`, or `cut` for its wire"),
    ("next-key", "the hardware NEXT key"),
    ("sensors gone", "as if unplugged; `back`"),
    ("badge-reader gone", "as if unplugged; `back`"),
    ("link down", "the way to the bank is lost; `up`"),
    ("shuffler KEY=VALUE...", "a status: `mode`, `count`, `deck`, `fault`, `alarm=yes`; what is not named stays"),
    ("shuffler gone", "as if unplugged; `back`; `auto`: it works by itself again"),
    (
        "badge NUMBER PIN",
        "a person shows a badge and types a PIN wherever a screen asks; `badge none`: that person goes",
    ),
    ("press WORD...", "the key with that word, its menu opened first"),
    ("hold WORD...", "the same for a key that has to be held"),
    ("force WORD...", "the same press though the screen may not offer it"),
    ("go on", "the primary key once; out of `deal` DEALT alone, where the first questions follow"),
    ("go on to PHASE", "the primary key until the table stands there; nothing else may be asked first"),
    ("tell SEAT in [WAGER AMOUNT]...", "who plays, and the stakes, in amounts that the table's chips make"),
    ("tell SEAT out", "nobody plays there"),
    (
        "tell SEAT same-player SEAT",
        "two seats are one player's; at level 0 at ENVY, the winner's and the one beside it",
    ),
    ("tell SEAT check", "a decision; also `play N`, `raise AMOUNT`, `bet`, `fold`, `buy`, `exchange N`, `instant`"),
    ("tell SEAT left", "the player has left"),
    ("tell dealer qualifies", "or `does-not-qualify`"),
    ("tell SEAT win", "the comparison; also `lose`, `tie`; `press settled` ends the seat's turn"),
    ("tell SEAT WAGER ROW", "which row the hand makes for that wager, or `none`"),
    ("cards board CARD...", "cards entered; also of `dealer`, `six` or a seat"),
    ("draw magic CARD", "what is drawn in this round; also `draw lucky SEAT`, `draw lucky dealer`, `draw none`"),
    ("wait DURATION", "time passes, for all tables: `h`, `m`, `s`, `ms`"),
    ("power", "the table loses its power and comes back from its journal"),
    ("open", "all that is usual from a shut table to open bets"),
    ("clear", "CLEAR, chips off, switch back, and what is usual until bets are open"),
    ("table NAME", "the steps that follow are of that table"),
)
EXPECTATIONS: Sequence[tuple[str, str]] = (
    ("expect phase WORD", "the table stands there"),
    ('expect text "..."', "one text on the screen contains it; `expect no text`"),
    ("expect key WORD...", "the screen, or a menu one press away, offers it; `expect no key`"),
    ('expect refused "..."', "the step before was refused, with a text containing it, and changed nothing"),
    ("expect lamp SEAT lit", f"the seat's lamp: {', '.join(f'`{lamp}`' for lamp in LAMPS)}"),
    ("expect lock open", "or `locked`"),
    (
        "expect payment SEAT WAGER RESULT RETURNED PAYOUT [limited] [for SEAT] [cite CITE]",
        "this round has that payment, as it stands after corrections",
    ),
    ("expect no payment SEAT WAGER", "none was made in this round"),
    ("expect order SEAT WAGER, SEAT WAGER...", "these were made in this order"),
    ("expect void CITE", "the start of the paragraph; `expect not void`"),
    ("expect deck N playable", "or `removed`: never dealt here again"),
    ("expect meter NAME AMOUNT", "the bank's ledger, cut to the cent; `expect pending` for what is claimed"),
    ("expect account SEAT AMOUNT", "what stands in a seat's wagering account"),
    ("expect alarm KIND", "`expect no alarm`"),
    ("expect taps N", "presses of this round"),
)
GIVEN: Sequence[tuple[str, str]] = (
    ("given rules.KEY VALUE", "of the rules submission; `rules.SECTION.KEY` adds the section"),
    ("given rules.SECTION present", "or `absent`"),
    ("given meter NAME AMOUNT", "what stands on a meter"),
    ("given table.dealing hand", "`shoe`, `hand`, `automated`"),
    ("given table.shuffler counts", "`none`, `shuffles`, `counts`, `reshuffles`"),
    ("given table.decks 2", "one or two"),
    ("given table.debounce_ms 20", "1 to 500"),
)
MANNERS = """
### How steps go

- `tell` presses the keys of what it tells, and no other: it takes nothing back and answers no other question. It is refused
  where that very answer cannot be given now. What is told of a seat before its question is asked is kept until it is;
  `settled` is refused while something is kept.
- `tell SEAT WAGER none` presses the key for none. Where another wager lies on the same cards, that key would answer for it
  too: then it waits until the other one is told. A prize of a meter has no such key: whoever names none has said it.
- A `tell` or a key that changes nothing is refused, but for an answer that stands already.
- A street ends by `go on`. `reveal` has none: `tell dealer` or `cards` ends it.
- At level 2 cards are entered in `reveal` and `hand`, and on a street where a decision or a draw changes them.
- A share of a meter passes `cards`, its five cards, then `validate`, `price` and `hold`; a fixed prize passes `validate`
  and `pay`.
- Several irregularities of one round are told one after the other.
- After a share of a meter or envy was paid two people have a round void: `press apply`, another `badge`, `press apply`.
- After `press problem correct` and `press apply`, `press seat N` names whose answers are asked again; where seats were
  settled or paid `press correct N REASON` does. `dealer` is the dealer's hand, `problem correct-declared` the first pass.
- With the Five Card Hand `press account N`, `press chips CENTS` and `press back` put money into an account; `button N own`
  or `dealer` wagers it.
- An alarm of the shuffler stands until `press acknowledge`; `clear` and `open` press it only where `shuffler auto` mended
  the unit.
"""
"""The page about the steps for the writer of a script."""
INTRODUCTION = """\
# Rehearsals

<!-- Made by `felt rehearse --words > docs/rehearse.md`; a test compares them. -->

A rehearsal plays one table, or several on one bank, without hardware, network, disk or wall clock. A script says what
people and devices do, and what must then be seen. The same script and seed give the same transcript, byte for byte.

    felt rehearse --book BOOK [--level N] SCRIPT
    felt rehearse --table TABLE.toml --bank BANK.toml --transcript OUT.jsonl --pictures DIR SCRIPT

Exit 0: every step went and every expectation held. Exit 1: one did not; standard error names the line and what stands on
the screen. Exit 2: the script or a file is malformed. Exit 3: Felt itself failed. Scripts to start from lie in
`tests/rehearsals`; the first line of each says for which table it is.

One step a line; `#` starts a comment; words are split as a shell does. A step starts one second after the end of the one
before it, `+15ms STEP` so long after its start. What the table refuses is a failure, unless the next line is
`expect refused`. With `--book` the people are 2001, PIN 4826 (floorperson) and 3001, PIN 7391 (manager).
"""


def text_of(book: str) -> str:
    """The words of one book, or with "" of all. Raises Refusal for a name that is no book's."""
    named = [load_book(book)] if book else [load_book(name) for name in books()]
    return (
        "\n".join([INTRODUCTION.rstrip(), *_language(), *_table_words(), *(line for one in named for line in _of(one))])
        + "\n"
    )


def _listed(
    title: str, words: Sequence[tuple[str, str]] | Mapping[str, str], heads: str = "word | meaning"
) -> Iterator[str]:
    rows = words.items() if isinstance(words, Mapping) else words
    yield from ("", f"## {title}", "", f"| {heads} |", "|---|---|")
    yield from (f"| `{word}` | {meaning} |" for word, meaning in rows)


def _language() -> Iterator[str]:
    yield from _listed("Given before the first step", GIVEN)
    yield "\nA table's name after `given` says which table it is about."
    yield from _listed("Steps", STEPS)
    yield MANNERS.rstrip()
    yield from _listed("Expectations", EXPECTATIONS)


def _table_words() -> Iterator[str]:
    yield from _listed("Phases", PHASES)
    keys = {word: f"{meaning} ({_offered(word.partition(' ')[0])})" for word, meaning in KEY_WORDS.items()}
    yield from _listed("Keys", keys, "key | meaning, and in which phases")
    yield from _listed("Problems", {str(kind): problem(kind) for kind in ProblemKind})
    yield "\nA deck is removed by `remove-N`, N being its number; `not-instant-N` is about seat N. `press problem KIND`"
    yield "chooses, and `press apply` tells it, with a floorperson's badge where the table asks for one; `press back` gives"
    yield "it up. A kind with a page of its own (`left`, `sensors`) is told by the keys of that page."
    yield from _listed("Alarms", ALARMS)
    devices: dict[str, str] = {}
    for name, (lost, there) in DEVICES.items():
        devices |= {f"{name} {lost}": "as if unplugged", f"{name} {there}": "there again"}
    devices["shuffler mode="] = ", ".join(f"`{mode}`" for mode in MODES)
    devices["shuffler count="] = "cards inside, or `unknown`"
    devices["shuffler deck="] = ", ".join(f"`{deck}`" for deck in DECKS)
    devices["shuffler fault="] = ", ".join(f"`{fault}`" for fault in FAULTS)
    devices["shuffler alarm=yes"] = "a new alarm"
    yield from _listed("Devices", devices)
    results = ", ".join(f"`{result}`" for result in Result)
    yield f"\nResults of a payment: {results}. Money is dollars with two decimals."


def _offered(verb: str) -> str:
    if verb in ANY_TIME:
        return "at any time"
    if verb == NO_MORE_BETS:
        return f"`{Phase.OPEN}`"
    return ", ".join(f"`{phase}`" for phase, keys in KEYS.items() if verb in keys)


def problem(kind: ProblemKind) -> str:
    """The name of a problem, as the screen says it; in general terms if it names a deck, a unit or a wager."""
    return re.sub(r"{[^}]*}", "…", ENGLISH.template(f"problem.{kind}"))


def _of(book: Book) -> Iterator[str]:
    yield from ("", f"## Rows of {book.name}", "", "| wager | paytable | rows |", "|---|---|---|")
    for wager, tables in book.paytables.items():
        for table in tables.values():
            rows = (*table.shares, *(row for row in table.rows if row not in table.shares))
            yield f"| `{wager}` | {table.name} | {' · '.join(f'`{row}`' for row in rows)} |"
    names = ", ".join(f"`{name}`" for name in book.wagers)
    meters = dict.fromkeys(meter for kinds in book.meters.values() for terms in kinds.values() for meter in terms)
    yield f"\nWagers: {names}. Meters: {', '.join(f'`{meter}`' for meter in meters) or 'none'}."
    yield f"Hands have their usual names; `{NONE}` is none of the rows, `{UNDECLARED}` a hand that was not declared."
