"""Colours and sizes that all drawings share."""

from __future__ import annotations

PICTURE_SUFFIXES = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 160.0
MAX_PIXELS = 9000.0  # of a side of a PNG file; larger drawings get fewer dots per inch
FONT_SIZE = 10.0
LABEL_SIZE = 7.0  # of what is written on arcs

FILL, ROOT_FILL, BORDER, ARC, TEXT = "#eef3fa", "#fff3dc", "#3d5a80", "#5b6b7f", "#14213d"
CENTRE_FILL = "#ffd98a"
COST_COLOUR, BOUND_COLOUR = "#c1442e", BORDER
ADDED, LOST, TURNED = "#2e7d32", COST_COLOUR, "#d98200"  # arcs, between two networks
GRID, FAINT = "#d9dee5", "#555555"
