"""What a search for good settings may choose from, and where it begins."""

from __future__ import annotations

from typing import Any

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from lvc.errors import LvcError
from lvc.experiments.settings import SGN

Space = dict[str, BaseDistribution]

COMMON: Space = {
    "hidden_channels": CategoricalDistribution((64, 128)),
    "num_layers": IntDistribution(1, 5),
    "dropout": FloatDistribution(0.0, 0.9, step=0.1),
    "input_dropout": FloatDistribution(0.0, 0.9, step=0.1),
    "features": CategoricalDistribution(("raw", "row")),
    "learning_rate": FloatDistribution(1e-3, 3e-2, log=True),
    "weight_decay": FloatDistribution(1e-7, 1e-2, log=True),
}
SEARCHING: Space = {
    "radius": IntDistribution(1, 4),
    "scale": CategoricalDistribution(("sum", "mean", "sym")),
    "norm": CategoricalDistribution((None, "batch_norm", "layer_norm")),
    "jk": CategoricalDistribution((None, "last", "cat", "max")),
    "act": CategoricalDistribution(("relu", None)),
    "own_term": CategoricalDistribution((True, False)),
}
TELEPORT: Space = {"alpha": CategoricalDistribution((0.1, 0.2, 0.5, 0.9))}

# The baselines begin with what their papers print, with and without row-normalised features.
PUBLISHED: dict[str, Any] = {
    "hidden_channels": 64,
    "num_layers": 2,
    "dropout": 0.5,
    "input_dropout": 0.5,
    "features": "row",
    "learning_rate": 0.01,
    "weight_decay": 5e-4,
    "alpha": 0.1,
}
BASELINE_STARTS = (PUBLISHED, PUBLISHED | {"features": "raw"})
# SGN begins with the paper's equations as they stand, and with three kinds of network that suit one kind of graph each.
SGN_STARTS = (
    PUBLISHED | {"radius": 1, "scale": "sum", "norm": "batch_norm", "jk": None, "act": "relu", "own_term": True},
    PUBLISHED
    | {"radius": 1, "scale": "mean", "norm": None, "jk": None, "act": "relu", "own_term": False}
    | {"hidden_channels": 128, "dropout": 0.2, "input_dropout": 0.0, "weight_decay": 1e-6},
    PUBLISHED
    | {"radius": 1, "scale": "mean", "norm": "layer_norm", "jk": "cat", "act": "relu", "own_term": True}
    | {"features": "raw", "dropout": 0.9, "input_dropout": 0.3, "weight_decay": 5e-3},
    PUBLISHED | {"radius": 2, "scale": "sym", "norm": None, "jk": None, "act": None, "own_term": True},
)


def space_of(model: str, largest_radius: int = 4, fixed: tuple[str, ...] = ()) -> Space:
    """What is searched for ``model``, without what is ``fixed``.

    >>> sorted(space_of("appnp", fixed=("dropout", "features", "input_dropout")))
    ['alpha', 'hidden_channels', 'learning_rate', 'num_layers', 'weight_decay']
    """
    space = dict(COMMON)
    if model in SGN:
        if largest_radius < 1:
            raise LvcError(f"the largest radius must be at least 1, got {largest_radius}")
        space |= SEARCHING | {"radius": IntDistribution(1, largest_radius)}
        fixed = (*fixed, "radius") if "search" in fixed else fixed
    if model in ("appnp", "gprgnn"):
        space |= TELEPORT
    return {name: choice for name, choice in space.items() if name not in fixed}


def starts_of(model: str, space: Space, largest_radius: int = 4) -> list[dict[str, Any]]:
    """Where the search begins: one setting for each of the first trials.

    >>> starts_of("mlp", {"dropout": COMMON["dropout"], "features": COMMON["features"]})
    [{'dropout': 0.5, 'features': 'row'}, {'dropout': 0.5, 'features': 'raw'}]
    """
    starts = []
    for whole in SGN_STARTS if model in SGN else BASELINE_STARTS:
        start = {name: value for name, value in whole.items() if name in space}
        if "radius" in start:
            start["radius"] = min(int(whole["radius"]), largest_radius)
        if start and start not in starts:
            starts.append(start)
    return starts


def settings_from(model: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """What was chosen as settings: a radius becomes the search of that radius.

    >>> settings_from("sgn-df", {"radius": 2, "norm": None})
    {'norm': None, 'search': 'dfs:1+dfs:2'}
    """
    settings = {name: value for name, value in chosen.items() if name != "radius"}
    if "radius" in chosen:
        radius = chosen["radius"]
        deep = "dfs:1" if radius == 1 else f"dfs:1+dfs:{radius}"
        settings["search"] = f"bfs:{radius}" if model == "sgn-bf" else deep
    return settings
