"""The second stage: what the families of a network cost."""
