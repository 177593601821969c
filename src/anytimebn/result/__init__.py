"""What a search found, in values, words, JSON and HTML."""
