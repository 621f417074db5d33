"""Shared code: argument checks, registries, intervals, claims as text, model fitting, workers."""
