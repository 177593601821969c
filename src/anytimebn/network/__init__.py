"""Bayesian networks: structure, probabilities, equivalence, and other packages' objects."""
