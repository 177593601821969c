"""Drawings, of names and arcs and of curves: nothing here knows what a network is."""
