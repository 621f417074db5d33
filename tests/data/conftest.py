"""Don't collect the programs that wrote the logs, because they need the harnesses."""

collect_ignore_glob = ["logs/*.py"]
