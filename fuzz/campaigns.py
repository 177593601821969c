"""All campaigns by name; a module of its own each, which is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from fuzz.campaign import Campaign

CAMPAIGN_NAMES = (
    "search",
    "tables",
    "readers",
    "certificates",
    "signals",
    "kills",
    "faults",
    "load",
    "long_kills",
)


def load(name: str) -> Campaign:
    """Give the campaign of this name."""
    campaign = import_module(f"fuzz.{name}").CAMPAIGN
    assert isinstance(campaign, Campaign)
    return campaign
