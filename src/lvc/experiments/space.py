"""What a search for good settings may choose from, and where it begins."""

from __future__ import annotations

from itertools import product
from typing import Any

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from lvc.experiments.settings import ONLY_OF, SGN, GraphSettings, Settings

Space = dict[str, BaseDistribution]

VERTEX: Space = {
    "hidden_channels": CategoricalDistribution((64, 128)),
    "num_layers": IntDistribution(1, 5),
    "dropout": FloatDistribution(0.0, 0.9, step=0.1),
    "input_dropout": FloatDistribution(0.0, 0.9, step=0.1),
    "features": CategoricalDistribution(("raw", "row")),
    "learning_rate": FloatDistribution(1e-3, 3e-2, log=True),
    "weight_decay": FloatDistribution(1e-7, 1e-2, log=True),
    "alpha": CategoricalDistribution((0.1, 0.2, 0.5, 0.9)),
    "propagation_dropout": FloatDistribution(0.0, 0.9, step=0.1),
}
VERTEX_SEARCHING: Space = {
    "radius": IntDistribution(1, 4),
    "scale": CategoricalDistribution(("sum", "mean", "sym")),
    "norm": CategoricalDistribution((None, "batch_norm", "layer_norm")),
    "jk": CategoricalDistribution((None, "last", "cat", "max")),
    "act": CategoricalDistribution(("relu", None)),
    "own_term": CategoricalDistribution((True, False)),
    "mlp_layers": CategoricalDistribution((1, 2)),
}
GRAPH: Space = {
    "num_layers": IntDistribution(1, 5),
    "dropout": CategoricalDistribution((0.2, 0.5, 0.7)),
    "learning_rate": FloatDistribution(3e-4, 1e-2, log=True),
    "weight_decay": FloatDistribution(1e-7, 1e-2, log=True),
    "readout": CategoricalDistribution(("sum", "mean", "max")),
    "batch_size": CategoricalDistribution((32, 128)),
    "features": CategoricalDistribution(("raw", "standard")),
}
GRAPH_SEARCHING: Space = {
    "radius": IntDistribution(1, 3),
    "scale": CategoricalDistribution(("sum", "mean")),
    "head_layers": CategoricalDistribution((0, 2)),
}

# The baselines begin with what most of their papers share, with and without row-normalised features.
PUBLISHED: dict[str, Any] = {
    "hidden_channels": 64,
    "num_layers": 2,
    "dropout": 0.5,
    "input_dropout": 0.5,
    "features": "row",
    "learning_rate": 0.01,
    "weight_decay": 5e-4,
    "alpha": 0.1,
    "propagation_dropout": 0.5,
}
VERTEX_STARTS = (PUBLISHED, PUBLISHED | {"features": "raw"})
# SGN begins with the paper's equations as they stand, and with three kinds of network that suit one kind of graph each.
VERTEX_SGN_STARTS = (
    PUBLISHED
    | {"radius": 1, "scale": "sum", "norm": "batch_norm", "jk": None, "act": "relu", "own_term": True, "mlp_layers": 2},
    PUBLISHED
    | {"radius": 2, "scale": "mean", "norm": "batch_norm", "jk": None, "act": "relu", "own_term": False}
    | {"mlp_layers": 2, "hidden_channels": 128, "features": "raw", "input_dropout": 0.7, "weight_decay": 1e-6},
    PUBLISHED
    | {"radius": 1, "scale": "mean", "norm": "layer_norm", "jk": "cat", "act": "relu", "own_term": True}
    | {"mlp_layers": 1, "features": "raw", "input_dropout": 0.3, "weight_decay": 5e-3},
    PUBLISHED
    | {"radius": 2, "scale": "sym", "norm": None, "jk": None, "act": "relu", "own_term": True}
    | {"mlp_layers": 1, "hidden_channels": 128, "dropout": 0.8, "input_dropout": 0.8},
)
GRAPH_START: dict[str, Any] = {
    "num_layers": 3,
    "dropout": 0.2,
    "learning_rate": 1e-3,
    "weight_decay": 1e-7,
    "readout": "sum",
    "batch_size": 32,
    "features": "raw",
    "radius": 2,
    "scale": "sum",
}
GRAPH_STARTS = (  # the first is never given up
    GRAPH_START | {"readout": "mean"},
    GRAPH_START,
    GRAPH_START | {"readout": "mean", "dropout": 0.5, "learning_rate": 3e-3, "features": "standard"},
)
# SGN begins once with means of pairs and of vertices, the calmest of all; once with sums of both and a head, which can
# count; then with the paper's sums over pairs and the baselines' readouts by means.
GRAPH_SGN_STARTS = (
    GRAPH_STARTS[0] | {"scale": "mean", "radius": 1, "head_layers": 0},
    GRAPH_STARTS[1] | {"head_layers": 2},
    GRAPH_STARTS[0] | {"head_layers": 0},
    GRAPH_STARTS[2] | {"radius": 1, "head_layers": 0},
)
# The paper's grid for graphs; width 64 and the rest as the settings have it.
GRAPH_GRID: dict[str, tuple[Any, ...]] = {
    "num_layers": (1, 2, 3, 4, 5),
    "dropout": (0.2, 0.5, 0.7),
    "radius": (1, 2, 3),
}
GRID_RADIUS = max(GRAPH_GRID["radius"])


def space_of(kind: type[Settings], model: str, largest_radius: int = 4, fixed: tuple[str, ...] = ()) -> Space:
    """What is searched for ``model``, without what is ``fixed``.

    >>> from lvc.experiments.settings import VertexSettings
    >>> sorted(space_of(VertexSettings, "appnp", fixed=("dropout", "features", "input_dropout")))
    ['alpha', 'hidden_channels', 'learning_rate', 'num_layers', 'weight_decay']
    """
    graphs = issubclass(kind, GraphSettings)
    space = dict(GRAPH if graphs else VERTEX)
    if model in SGN:
        searching = GRAPH_SEARCHING if graphs else VERTEX_SEARCHING
        space |= searching | {"radius": IntDistribution(1, largest_radius)}
        fixed = (*fixed, "radius") if "search" in fixed else fixed
    fixed = (*fixed, *(name for name in space if model not in ONLY_OF.get(name, (model,))))
    return {name: choice for name, choice in space.items() if name not in fixed}


def starts_of(kind: type[Settings], model: str, space: Space, largest_radius: int = 4) -> list[dict[str, Any]]:
    """Where the search begins: one setting for each of the first trials.

    >>> from lvc.experiments.settings import VertexSettings
    >>> starts_of(VertexSettings, "mlp", {"dropout": VERTEX["dropout"], "features": VERTEX["features"]})
    [{'dropout': 0.5, 'features': 'row'}, {'dropout': 0.5, 'features': 'raw'}]
    """
    graphs, ours = issubclass(kind, GraphSettings), model in SGN
    wholes: tuple[dict[str, Any], ...] = (
        (GRAPH_SGN_STARTS if ours else GRAPH_STARTS) if graphs else (VERTEX_SGN_STARTS if ours else VERTEX_STARTS)
    )
    starts = []
    for whole in wholes:
        start = {name: value for name, value in whole.items() if name in space}
        if "radius" in start:
            start["radius"] = min(int(whole["radius"]), largest_radius)
        if start and start not in starts:
            starts.append(start)
    return starts


def grid_of(model: str, largest_radius: int = 3, fixed: tuple[str, ...] = ()) -> tuple[Space, list[dict[str, Any]]]:
    """The paper's whole grid for graphs, without what is ``fixed``: what varies, and every point of it.

    >>> len(grid_of("sgn-df")[1]), len(grid_of("gin")[1]), len(grid_of("agnostic-chemical")[1])
    (45, 15, 3)
    """
    fixed = (*fixed, "radius") if "search" in fixed or model not in SGN else fixed
    names = [name for name in GRAPH_GRID if name not in fixed and model in ONLY_OF.get(name, (model,))]
    choices = {name: tuple(v for v in GRAPH_GRID[name] if name != "radius" or v <= largest_radius) for name in names}
    points = [dict(zip(names, point, strict=True)) for point in product(*choices.values())]
    return {name: CategoricalDistribution(values) for name, values in choices.items()}, points


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
