"""The rules of Blockers! Territories."""
