"""Tests of Cock Block: rules through positions, secrecy, positions, and whole matches of players with a goal."""
