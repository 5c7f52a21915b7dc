"""Bots: legal moves, secrecy, repeatability, strength."""
