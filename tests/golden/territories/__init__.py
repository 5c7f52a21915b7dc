"""Recorded matches of Blockers! Territories."""
