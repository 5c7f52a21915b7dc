"""The service: over its API, over real processes, and as it is served."""
