"""What may be said of predictions: a report, any metric, a plan, a test that is watched."""
