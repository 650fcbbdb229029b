"""What the three operators have in common: they hold tensors that batch, move and pickle, and they start and step."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from torch import Tensor

from lvc.errors import LvcError
from lvc.nn.features import Features
from lvc.nn.operators.joining import joined
from lvc.nn.sparse import JoinedRows
from lvc.search.balls import offsets

SCALES = ("sum", "mean", "sym")
SCHEDULES = ("rounds", "sweep")
Made = TypeVar("Made")
Starts = dict[str, np.ndarray]  # for each size of an operator, where every one of several graphs begins, and the end


@dataclass(frozen=True)
class Rule:
    """How a layer adds up: the paper's way unless told otherwise. Shared by every layer of a network."""

    scale: str = "sum"
    schedule: str = "rounds"
    own_term: bool = True

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise LvcError(f"scale must be one of {', '.join(SCALES)}, got {self.scale!r}")
        if self.schedule not in SCHEDULES:
            raise LvcError(f"schedule must be one of {', '.join(SCHEDULES)}, got {self.schedule!r}")


@dataclass(frozen=True)
class Layer:
    """The weights with which an operator steps."""

    weight: Tensor  # [F, r, H], W_c for c = 1..r; with roles [F, 3 r, H], role by role
    mix: Tensor  # [H, M], what the sum is multiplied with next; given here so that it can be merged ...
    onto: Tensor  # [n, M], ... and what it is then added to, in place
    rule: Rule
    last: bool  # no layer follows: the pair vectors are not needed any more

    def merged(self) -> Tensor:
        """``W_c mix`` for every c, [F, r, M]."""
        return self.weight @ self.mix


class Operator:
    """Turns ``(state, h, W)`` into ``(Σ_v h_{u←v}, new state)``.

    Holds named tensors; ``counts_what`` says which size each one's numbers point into, so that several graphs can be
    laid side by side. Matrices made of the tensors are kept with it; one that has moved, or a copy, makes its own.
    """

    counts_what: ClassVar[dict[str, str]] = {}
    _taken: Any = None  # of a batch that was cut out of collated graphs: where from
    _piece: tuple[Any, int] | None = None  # as piece_of, but once it was cut out with a weak reference to the Whole

    def __init__(
        self,
        search: str,
        radius: int,
        sizes: dict[str, int],
        tensors: dict[str, Tensor] | None = None,
        parts: tuple[Operator, ...] = (),
    ) -> None:
        self.search, self.radius, self.sizes, self.parts = search, radius, sizes, parts
        self._tensors = tensors
        self._made: dict[Hashable, Any] = {}
        self._joined: JoinedRows = {}

    @property
    def tensors(self) -> dict[str, Tensor]:
        if self._tensors is None:
            self._tensors = self.looked_up()
            if self._piece is not None:  # else the whole would hold them, too, for as long as this does
                self._piece = weakref.ref(self._piece[0]), self._piece[1]
        return self._tensors

    @property
    def piece_of(self) -> tuple[Any, int] | None:
        """Of graphs that were searched as one their :class:`Whole`, if it is still there, and which of them this is."""
        if self._piece is None:
            return None
        held, number = self._piece
        whole = held() if isinstance(held, weakref.ref) else held
        return None if whole is None else (whole, number)

    def looked_up(self) -> dict[str, Tensor]:
        """Its tensors; those of a piece, and of several graphs, are made and not kept."""
        if self._tensors is not None:
            return self._tensors
        if self.piece_of is not None:
            whole, number = self.piece_of
            return whole.tensors_of(number)
        return _tensors_of(self.parts)

    def start(self, h: Features) -> Any:
        """The state before the first layer: ``h_{w←v}^0 = h_w^0``."""
        raise NotImplementedError

    def step(self, state: Any, h: Features, layer: Layer) -> tuple[Tensor, Any]:
        """``onto + (Σ_v h_{u←v}) mix`` for every u, shape [n, M], and the state after this layer."""
        raise NotImplementedError

    @property
    def vertices(self) -> int:
        return self.sizes["vertices"]

    @classmethod
    def side_by_side(cls, operators: Sequence[Operator]) -> Operator:
        """One operator for the disjoint union of the graphs; what is made of each graph is made once and joined."""
        first = operators[0]
        if len(operators) == 1:
            return first
        sizes = {name: sum(one.sizes[name] for one in operators) for name in first.sizes}
        return type(first)(first.search, first.radius, sizes, parts=tuple(operators))

    @classmethod
    def united(cls, operators: Sequence[Operator]) -> tuple[Operator, Starts]:
        """One operator for the disjoint union, of which all is made at once; and where each graph begins."""
        first = operators[0]
        start = {name: offsets(np.array([one.sizes[name] for one in operators])) for name in first.sizes}
        sizes = {name: int(begins[-1]) for name, begins in start.items()}
        return type(first)(first.search, first.radius, sizes, _tensors_of(operators)), start

    def alone(self) -> Operator:
        """The same operator, of which nothing has been made yet."""
        return type(self)(self.search, self.radius, self.sizes, self.looked_up())

    def bounds(self, vertices: np.ndarray) -> tuple[Starts, Starts]:
        """Of several graphs whose ``vertices`` begin there: where each begins in every size, and in every tensor."""
        raise NotImplementedError

    @classmethod
    def points_into(cls, name: str) -> str:
        """Which size the numbers in tensor ``name`` point into; empty if they are no numbers of anything."""
        return cls.counts_what.get(name.rstrip("0123456789"), "")

    def numpy(self, name: str) -> np.ndarray:
        return self.tensors[name].cpu().numpy()

    @torch.compiler.disable
    def made(self, make: Callable[..., Made], *args: Hashable, like: Tensor) -> Made:
        """``make(*args, like)``, made once for each dtype and device of ``like``."""
        key = (make.__name__, *args, like.dtype, like.device)
        if key not in self._made:
            if self._taken is not None:
                self._made[key] = self._taken.made(make.__name__, *args, like=like)
            elif self.parts:
                ready = [one.made(getattr(one, make.__name__), *args, like=like) for one in self.parts]
                self._made[key] = joined(ready, self._joined)
            else:
                self._made[key] = make(*args, like)
        return self._made[key]

    def mark(self, made: Any, start: Starts) -> None:
        """Tell the matrices that were made of several graphs at once where each graph begins."""
        raise NotImplementedError

    def apply(self, function: Callable[[Tensor], Tensor]) -> Operator:
        """The same operator with ``function`` applied to its tensors."""
        tensors = {name: function(tensor) for name, tensor in self.looked_up().items()}
        return type(self)(self.search, self.radius, dict(self.sizes), tensors)

    # What torch_geometric asks of a thing it finds in a Data.
    def to(self, *args: Any, **kwargs: Any) -> Operator:
        held = {id(one): one for one in self._holders()}.values()  # a whole is asked once, not once for each piece
        nothing = [tensor[:0] for one in held for tensor in one.tensors.values()]
        if all(one.to(*args, **kwargs) is one for one in nothing):
            return self
        return self.apply(lambda tensor: tensor.to(*args, **kwargs))

    def _holders(self) -> Iterator[Operator]:
        """Who holds the tensors that its own are made of."""
        if self.parts:
            for part in self.parts:
                yield from part._holders()
        elif self._tensors is None and self.piece_of is not None:
            yield self.piece_of[0].operator
        else:
            yield self

    def cpu(self) -> Operator:
        return self.to("cpu")

    def cuda(self, *args: Any, **kwargs: Any) -> Operator:
        return self.apply(lambda tensor: tensor.cuda(*args, **kwargs))

    def clone(self) -> Operator:
        return self.apply(torch.clone)

    def detach(self) -> Operator:
        return self

    def contiguous(self) -> Operator:
        return self

    def pin_memory(self, *args: Any) -> Operator:
        return self.apply(lambda tensor: tensor.pin_memory(*args))

    def share_memory_(self) -> Operator:
        for tensor in self.tensors.values():
            tensor.share_memory_()
        return self

    def __getstate__(self) -> dict[str, Any]:
        elsewhere: dict[str, Any] = {"_made": {}, "_joined": {}, "_taken": None, "_piece": None, "parts": ()}
        return {**self.__dict__, **elsewhere, "_tensors": self.looked_up()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.search}, {self.vertices} vertices)"


def _tensors_of(operators: Sequence[Operator]) -> dict[str, Tensor]:
    """The tensors of several operators below each other, with numbers that point where they should."""
    first = operators[0]
    offset = dict.fromkeys(first.sizes, 0)
    parts: dict[str, list[Tensor]] = {}
    for operator in operators:
        for name, tensor in operator.looked_up().items():
            size = first.points_into(name)
            parts.setdefault(name, []).append(tensor + offset[size] if size else tensor)
        for size, length in operator.sizes.items():
            offset[size] += length
    return {name: torch.cat(column) for name, column in parts.items()}


def smallest(numbers: np.ndarray) -> Tensor:
    """Integers as a tensor, 32 bits wide if they fit."""
    fits = numbers.size == 0 or max(int(numbers.max()), -int(numbers.min())) < 2**31
    return torch.from_numpy(np.array(numbers, dtype=np.int32 if fits else np.int64, order="C"))
