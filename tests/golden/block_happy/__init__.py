"""Recorded matches of Block Happy."""
