"""The command line: reading files of all kinds, and what each command computes."""
