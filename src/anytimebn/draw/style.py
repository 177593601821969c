"""Colours and sizes that all drawings share."""

from __future__ import annotations

DOTS_PER_INCH = 160.0
MAX_PIXELS = 9000.0  # of a side of a PNG file; larger drawings get fewer dots per inch
FONT_SIZE = 10.0

FILL, ROOT_FILL, BORDER, ARC, TEXT = "#eef3fa", "#fff3dc", "#3d5a80", "#5b6b7f", "#14213d"
COST_COLOUR, BOUND_COLOUR = "#c1442e", BORDER
GRID, FAINT = "#d9dee5", "#555555"
