"""Every claim that a public function makes of fine input, with the conditions that it needs.

    python tests/conditions.py

prints the list. The functions and their arguments are those of `fuzz`, so that a new function is
in it as soon as it is public.
"""

import json
import re
import warnings
from typing import NamedTuple

import fuzz

# statements that something is proven, but not that nothing is, or that a search is exact
CLAIM = re.compile(
    r"(?<!nothing )(?<!none )(?<!not )\bproven\b|(?<!for a )finite sample"
    r"|\(exact\b|[;:] exact\b|exact (?:one-sided|McNemar|paired|binomial)"
)
IN_ITSELF = re.compile(r"\(exact, (?:if|for) [^)]+\)")  # a sentence that contains its own condition


class Told(NamedTuple):
    """A claim: the call, the texts that show it, and its conditions."""

    call: str
    texts: dict[str, str]
    conditions: list[str]


def shown(result):
    """Return every text in which a result is shown, by its name."""
    texts = {"text": str(result)}
    if hasattr(result, "_repr_html_"):
        texts["HTML"] = result._repr_html_()
    if hasattr(result, "to_json"):
        texts["JSON"] = result.to_json()
    elif hasattr(result, "to_dict"):
        texts["JSON"] = json.dumps(result.to_dict(), default=str)
    return texts


def claims():
    """Yield the claims of all public functions, for each form of their arguments."""
    for name, function in fuzz.functions().items():
        for variant, form in fuzz.forms(name, function):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    result = function(**{key: value for key, (value, _) in form.items()})
                except (ValueError, TypeError):
                    continue
                texts = shown(result)
            if any(CLAIM.search(IN_ITSELF.sub("", text)) for text in texts.values()):
                conditions = getattr(result, "conditions", list)()
                texts["details"] = getattr(result, "details", "")
                yield Told(" ".join(filter(None, (name, variant))), texts, conditions)


if __name__ == "__main__":
    for claim in claims():
        print(f"{claim.call}\n    {' '.join(claim.texts['text'].split())}")
        for condition in claim.conditions:
            print(f"      - {condition}")
