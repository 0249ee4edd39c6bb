"""Every epoch that a ledger ever announced, in a small file beside it: `bank.ledger.epochs` (docs/mqtt.md).

A backup that is put back has forgotten the epochs since it was taken. If it is put back a second time, the tables go by
one of those: the bank announces it too, so that they take the new one, and knows the payments by its prices. The file is
no part of a backup. If it is lost, or another ledger's, the bank announces what its ledger says, and people look.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from firmware.bank.state import BankState
from firmware.plain import opened
from firmware.runtime import whole
from firmware.runtime.sqlite import StoreError
from firmware.wire.values import EPOCHS_MAX

log = logging.getLogger("felt.bank")


class EpochsFile:
    """The epochs beside one ledger, by the ledger's path: one a line."""

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(f"{ledger.name}.epochs")

    def hold(self, state: BankState) -> None:
        """Raises StoreError where the file is missing, empty, or of another ledger: it knows what people cannot."""
        if not set(self._read()) & set(_own(state)):
            raise StoreError(
                f"{self.path}: is missing, empty, or another ledger's. Put it back as it was; if it is lost, start once "
                "with `felt bank --restored`, and look at what the tables say (docs/operations.md)"
            )

    def forgotten(self, state: BankState) -> tuple[str, ...]:
        """Those that this ledger does not know of; none where the file is not this ledger's. Raises StoreError."""
        known, own = self._read(), _own(state)
        return tuple(one for one in known if one not in own) if set(known) & set(own) else ()

    def keep(self, state: BankState) -> None:
        """Durably: this ledger's epochs, with those that it has forgotten. Raises StoreError."""
        wanted = (*self.forgotten(state), *_own(state))[-EPOCHS_MAX:]
        if wanted == self._read():
            return
        whole.put(self.path, "".join(f"{epoch}\n" for epoch in wanted).encode())

    def _read(self) -> tuple[str, ...]:
        try:
            with opened(self.path) as file:
                said = tuple(file.read().decode("ascii", errors="replace").split())
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror}. May this user read it?") from error
        if all(re.fullmatch("[0-9a-f]{32}", one) for one in said):
            return said
        log.error(
            "%s is damaged and passed over: a second restore from one backup needs people at the tables", self.path
        )
        return ()


def _own(state: BankState) -> tuple[str, ...]:
    return (*state.before, state.epoch)
