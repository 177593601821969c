"""Attacks on anytimebn that are kept: ``python -m fuzz``, or ``make fuzz``.

A campaign draws cases from a seed, runs them, and compares what comes out with an oracle that
shares no code with the product. See `fuzz.campaign` for what a campaign is.
"""
