"""The tests, in the shape of the product: kernel, games, properties of every game, contracts of every adapter."""
