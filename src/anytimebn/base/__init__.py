"""What every stage uses: errors, checks of arguments, text for people, files, threads."""
