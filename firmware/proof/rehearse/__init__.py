"""Rehearsals: one table or several on one bank, played by a script in one process (docs/rehearse.md)."""
