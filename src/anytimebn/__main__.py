"""``python -m anytimebn``: the command line, when its script is not on the path."""

from anytimebn.cli import main

main()
