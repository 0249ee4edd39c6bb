"""The commands of `felt`, one file each: its options, then what it runs. Each part's own imports stay inside its command."""

REFUSED = 2
"""Exit code for input, configuration or a file that cannot be used."""
