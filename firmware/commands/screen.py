"""`felt screen`: the dealer's touchscreen."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands.options import Commands, add_config


def add_command(commands: Commands[argparse.ArgumentParser]) -> None:
    """`felt screen`."""
    screen = commands.add_parser("screen", help="the dealer's touchscreen; may be killed and restarted at any time")
    add_config(screen, "table.toml")
    screen.add_argument(
        "--touch",
        default="auto",
        choices=("auto", "cabinet", "evdev", "none"),
        help="where touches come from besides SDL; auto: the cabinet in a simulation, else evdev",
    )
    screen.add_argument("--cabinet", action="store_true", help="show the simulated cabinet below the screen")
    screen.add_argument("--pictures", type=Path, metavar="DIR", help="write a picture of every kind of screen there")
    screen.add_argument("--trace", type=Path, metavar="FILE", help="add a line for every frame drawn, with its time")
    screen.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from firmware import config as c
    from firmware.runtime.screen import CabinetWindow, Pictures, ScreenService, Trace, extra_height_px
    from firmware.runtime.stopping import until_signalled
    from hal.cabinet.ends import CabinetPanel
    from hal.cabinet.wire import DEVICE_SOCKET, WORLD_SOCKET
    from hal.cabinet.world import World
    from hal.watchdog import Watchdog
    from ui.dealer.display import Display
    from ui.dealer.panels import PANELS
    from ui.dealer.theme import PALETTES
    from ui.words import Words

    config = c.load_table(options.config, people=False)
    home = options.home or c.home(config, options.config)
    panel, words = PANELS[config.screen.panel], Words(config.screen.language)
    touch = options.touch
    if touch == "auto":
        touch = "cabinet" if config.seats.hardware == "cabinet" else "evdev"
    cabinet = CabinetWindow(World(home / WORLD_SOCKET), panel) if options.cabinet else None
    service = ScreenService(
        c.glass_socket(config, home),
        Display(
            panel,
            f"Felt {config.id.upper()}",
            extra_height_px(panel, cabinet=cabinet is not None),
            words,
            PALETTES[config.screen.theme],
        ),
        panel,
        Watchdog(),
        Pictures(options.pictures) if options.pictures else None,
        cabinet,
        Trace(options.trace) if options.trace else None,
        words,
    )
    if touch == "cabinet":
        CabinetPanel(service.put, home / DEVICE_SOCKET).start()
    elif touch == "evdev":
        from hal.touch import TouchPanel
        from hal.touch import panel as open_panel

        path = Path(config.screen.touch) if config.screen.touch else None
        TouchPanel(service.put, open_panel(panel.width_mm, panel.height_mm, path)).start()
    until_signalled(service.stop)
    service.run()
    return 0
