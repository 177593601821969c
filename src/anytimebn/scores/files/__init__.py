"""Local scores in files, a module a format."""
