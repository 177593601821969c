"""Networks in files, a module a format."""
