"""A Valkey server of our own: which program to run, and its life over one data folder."""
