"""Both packages, as they are published."""

from packages import built as built
from packages import sources as sources
