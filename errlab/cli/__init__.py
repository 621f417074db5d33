"""The command line: readers for many kinds of files, and the commands."""
