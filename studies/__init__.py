"""Long experiments whose results the book shows."""
