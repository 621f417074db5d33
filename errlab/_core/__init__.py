"""What every room uses: arguments, registries, an interval, claims as text, training, workers."""
