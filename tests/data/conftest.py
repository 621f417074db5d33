"""What wrote the logs needs the harnesses, which the tests do not."""

collect_ignore_glob = ["logs/*.py"]
