"""File formats: nothing else reads or writes files."""
