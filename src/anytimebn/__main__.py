"""``python -m anytimebn``: the command line, where its script is not on the path."""

from anytimebn.cli import main

main()
