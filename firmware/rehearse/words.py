"""Every word of a rehearsal with its meaning: what `felt rehearse --words` prints, and docs/rehearse.md is."""

from __future__ import annotations


def text_of(book: str) -> str:
    """The words of one book, or of all."""
    return book
