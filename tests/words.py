"""Everything that a result says, as one text."""


def whole(result):
    """The lines that are printed, and the details behind them."""
    return f"{result}\n{result.details}"
