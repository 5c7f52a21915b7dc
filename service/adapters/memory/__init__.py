"""The ports in memory, for tests, tools and examples. Everything is lost with the process."""
