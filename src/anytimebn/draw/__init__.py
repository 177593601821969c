"""Drawings of graphs and curves: nothing here knows what a network is."""
