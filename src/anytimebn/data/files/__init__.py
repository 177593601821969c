"""Tables in files, a module a format."""
