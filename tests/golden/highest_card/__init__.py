"""Recorded matches of Highest Card."""
