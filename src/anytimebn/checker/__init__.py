"""Checks of results and certificates, by code that shares nothing with the search."""
