"""The embedded Valkey server: the program to run, and its life over one data folder."""
