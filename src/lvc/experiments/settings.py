"""Everything that decides a run, in one frozen value that is saved with the result."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, get_type_hints

from lvc.data.datasets import DATASETS
from lvc.data.folds import GRAPH_PROTOCOLS
from lvc.data.graph_datasets import GRAPH_DATASETS
from lvc.data.splits import PROTOCOLS
from lvc.errors import LvcError
from lvc.search.kinds import BFS, DFS
from lvc.search.parsing import parse_search

SGN = {"sgn-bf": "bfs:2", "sgn-df": "dfs:1+dfs:2"}
MODELS = ("mlp", "gcn", "gcn-jk", "gat", "appnp", "chebnet", "gprgnn", "bernnet", "h2gcn", *SGN)
GRAPH_MODELS = ("agnostic-chemical", "agnostic-social", "dgcnn", "diffpool", "ecc", "gin", "graphsage", *SGN)
FEATURES = ("raw", "row")
GRAPH_FEATURES = ("raw", "standard")
READOUTS = ("sum", "mean", "max")
OF_SGN = ("scale", "schedule", "norm", "jk", "act", "own_term", "mlp_layers")  # settings that no other model has
CHOICES: dict[str, tuple[str | None, ...]] = {
    "scale": ("sum", "mean", "sym"),
    "schedule": ("rounds", "sweep"),
    "norm": (None, "batch_norm", "layer_norm", "graph_norm", "instance_norm", "pair_norm"),
    "jk": (None, "last", "cat", "max", "lstm"),
    "act": (None, "relu", "leaky_relu", "elu", "gelu", "silu", "tanh"),
}
OWN_READOUT = ("dgcnn", "diffpool", "graphsage")  # models whose readout is not chosen
#: Settings that only some models have.
ONLY_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(OF_SGN, tuple(SGN)),
    "alpha": ("appnp", "gprgnn"),
    "propagation_dropout": ("gprgnn", "bernnet"),
    "readout": tuple(model for model in GRAPH_MODELS if model not in OWN_READOUT),
    "head_layers": tuple(SGN),  # the others have the heads of their papers
    "num_layers": tuple(model for model in (*MODELS, *GRAPH_MODELS) if model != "agnostic-chemical"),
}
#: Of models that were mended; others have 1.
VERSIONS = {"appnp": 2, "chebnet": 2, "gprgnn": 3, "bernnet": 3, "h2gcn": 2}


@dataclass(frozen=True)
class Settings:
    """One model on one data set under one protocol. ``search`` and what follows it up to ``mlp_layers`` is SGN's."""

    task: ClassVar[str]
    models: ClassVar[tuple[str, ...]]
    datasets: ClassVar[tuple[str, ...]]
    protocols: ClassVar[tuple[str, ...]]
    at_least_one: ClassVar[tuple[str, ...]] = (
        "hidden_channels",
        "num_layers",
        "mlp_layers",
        "epochs",
        "patience",
        "splits",
    )
    shares: ClassVar[tuple[str, ...]] = ("dropout",)

    dataset: str
    model: str
    search: str | None = None
    scale: str = "sum"
    schedule: str = "rounds"
    norm: str | None = None
    jk: str | None = None
    act: str | None = "relu"
    own_term: bool = True
    mlp_layers: int = 2
    hidden_channels: int = 64
    num_layers: int = 2
    dropout: float = 0.5
    learning_rate: float = 0.01
    weight_decay: float = 5e-4
    epochs: int = 1000
    patience: int = 100  # epochs without a better validation accuracy
    protocol: str = "random"
    splits: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        by_lower = {name.lower(): name for name in self.datasets}
        object.__setattr__(self, "dataset", by_lower.get(self.dataset.lower(), self.dataset))
        one_of("model", self.model, self.models)
        one_of("protocol", self.protocol, self.protocols)
        at_least_one(self, *self.at_least_one)
        not_negative(self, "learning_rate", "weight_decay", "seed")
        for what in self.shares:
            if not 0 <= getattr(self, what) < 1:
                raise LvcError(f"{what} must be at least 0 and less than 1, got {getattr(self, what)}")
        if self.model in SGN:
            self._check_sgn()
        elif self.search is not None:
            raise LvcError(f"{self.model} does not search; leave search out, or use one of {', '.join(SGN)}")
        for field in fields(self):
            models = [one for one in self.models if one in ONLY_OF.get(field.name, self.models)]
            if self.model not in models and getattr(self, field.name) != field.default:
                raise LvcError(f"{self.model} has no {field.name}; leave it out, or use one of {', '.join(models)}")

    def _check_sgn(self) -> None:
        search = parse_search(self.search or SGN[self.model])
        kind = BFS if self.model == "sgn-bf" else DFS
        if not all(isinstance(part, kind) for part in search.parts):
            raise LvcError(f"{self.model} searches like {SGN[self.model]}, not {search}")
        object.__setattr__(self, "search", str(search))
        for what, known in CHOICES.items():
            one_of(what, getattr(self, what), known)

    @property
    def key(self) -> str:
        """A short name of exactly these settings."""
        everything = asdict(self) | ({"version": VERSIONS[self.model]} if self.model in VERSIONS else {})
        if self.model not in ONLY_OF["propagation_dropout"]:
            everything.pop("propagation_dropout", None)  # younger than many results
        if everything.get("head_layers") == 0:
            everything.pop("head_layers")  # younger, too
        return hashlib.sha256(json.dumps(everything, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def trainings(self) -> int:
        """How often a model is trained on one split; the accuracies are averaged."""
        return 1


@dataclass(frozen=True)
class VertexSettings(Settings):
    """Vertex classification: one graph, the whole of it in every step."""

    task = "vertex"
    models = MODELS
    datasets = tuple(DATASETS)
    protocols = PROTOCOLS
    shares = ("dropout", "input_dropout", "propagation_dropout")

    input_dropout: float = 0.0
    propagation_dropout: float = 0.0  # GPRGNN's and BernNet's
    alpha: float = 0.1  # APPNP's and GPRGNN's
    features: str = "row"  # raw, or rows divided by their sums

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("features", self.features, FEATURES)
        if not 0 <= self.alpha <= 1:
            raise LvcError(f"alpha must be between 0 and 1, got {self.alpha}")


@dataclass(frozen=True)
class GraphSettings(Settings):
    """Graph classification: many graphs, in batches."""

    task = "graph"
    models = GRAPH_MODELS
    datasets = tuple(GRAPH_DATASETS)
    protocols = GRAPH_PROTOCOLS
    at_least_one = (*Settings.at_least_one, "batch_size", "runs")

    norm: str | None = "batch_norm"
    jk: str | None = "cat"
    num_layers: int = 3
    dropout: float = 0.2
    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    epochs: int = 300
    patience: int = 50
    protocol: str = "errica"
    readout: str = "sum"
    head_layers: int = 0  # of SGN, after the readout
    batch_size: int = 32
    features: str = "raw"  # or standard: minus the mean, over the deviation, of the vertices that are trained on
    runs: int = 3  # trainings of the chosen settings on each fold

    def __post_init__(self) -> None:
        super().__post_init__()
        not_negative(self, "head_layers")
        one_of("readout", self.readout, READOUTS)
        one_of("features", self.features, GRAPH_FEATURES)

    @property
    def trainings(self) -> int:
        return self.runs


def have_their_types(settings: Settings) -> bool:
    """Whether every value is what its field says: those that were read from a file may be anything.

    >>> have_their_types(VertexSettings("Cora", "gcn")), have_their_types(VertexSettings("Cora", "gcn", epochs=3.5))
    (True, False)
    """
    hints = get_type_hints(type(settings))
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return all(
        isinstance(value, (int, float) if hints[name] is float else hints[name])
        and (hints[name] is bool or not isinstance(value, bool))
        for name, value in values.items()
    )


def at_least_one(settings: Any, *names: str) -> None:
    for what in names:
        if not 1 <= getattr(settings, what) < sys.maxsize:
            raise LvcError(f"{what} must be at least 1{_and_no_giant(settings, what)}")


def not_negative(settings: Any, *names: str) -> None:
    """Raise unless these settings are 0 or more, and can be counted with."""
    for what in names:
        if not 0 <= getattr(settings, what) < sys.maxsize:
            raise LvcError(f"{what} must be 0 or more{_and_no_giant(settings, what)}")


def _and_no_giant(settings: Any, what: str) -> str:
    value = getattr(settings, what)
    return f"{' and less than 2^63' if value >= sys.maxsize else ''}, got {value}"


def one_of(what: str, value: str | None, known: tuple[str | None, ...]) -> None:
    if value not in known:
        raise LvcError(f"unknown {what} {value!r}; use one of {', '.join(one or 'none' for one in known)}")


def parse_settings(texts: list[str], kind: Any = VertexSettings, elsewhere: tuple[str, ...] = ()) -> dict[str, Any]:
    """Settings from texts such as ``dropout=0.5``, ``norm=none`` or ``own_term=false``; some are said ``elsewhere``.

    >>> parse_settings(["hidden_channels=128", "own_term=false", "jk=none"])
    {'hidden_channels': 128, 'own_term': False, 'jk': None}
    """
    known = {field.name: field.type for field in fields(kind) if field.name not in elsewhere}
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in known:
            raise LvcError(f"a setting is NAME=VALUE with one of {', '.join(known)}, got {text!r}")
        found[name] = _parsed(name, value, str(known[name]))
    return found


def _parsed(name: str, value: str, kind: str) -> Any:
    if value.lower() == "none" and "None" in kind:
        return None
    if kind == "bool" and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if kind == "tuple[int, int]":
        parts = value.split("-")
        if len(parts) != 2 or not all(part.isdecimal() for part in parts):
            raise LvcError(f"{name} must be two numbers such as 10-60, got {value!r}")
        return tuple(map(int, parts))
    try:
        return {"int": int, "float": float}.get(kind, str)(value) if kind != "bool" else int("no")
    except ValueError:
        raise LvcError(f"{name} must be of type {kind}, got {value!r}") from None
