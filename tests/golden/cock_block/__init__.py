"""Recorded matches of Cock Block."""
