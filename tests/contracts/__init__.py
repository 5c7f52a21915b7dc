"""One set of questions to every implementation of a port."""
