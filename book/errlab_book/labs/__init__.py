"""Labs: readers type their own numbers into a page, which computes the results.

Each lab is one ES module with ``render({model, el})``, as anywidget requires, and a small class
here. With a kernel the class shows a Jupyter widget whose traits follow the page; on the built page
the same module works without a kernel. errlab defines every method; the page implements it again,
and tests compare the two on thousands of inputs.
"""

from errlab_book.labs._lab import Lab, Refused
from errlab_book.labs.bag import Bag
from errlab_book.labs.claim import Claim
from errlab_book.labs.climb import Climb
from errlab_book.labs.confusion import Confusion
from errlab_book.labs.groups import Groups
from errlab_book.labs.misses import Misses
from errlab_book.labs.pair import Pair
from errlab_book.labs.predictions import Predictions
from errlab_book.labs.ranks import Ranks
from errlab_book.labs.winner import Winner

__all__ = [
    "LABS",
    "Bag",
    "Claim",
    "Climb",
    "Confusion",
    "Groups",
    "Lab",
    "Misses",
    "Pair",
    "Predictions",
    "Ranks",
    "Refused",
    "Winner",
]

LABS: dict[str, type[Lab]] = {lab.name: lab for lab in Lab.__subclasses__()}
