"""SGN-BF without pair vectors: sums over roots and paths become products with count matrices.

A pair vector is linear in vertex vectors. Following one ``h_x W_c`` on its way outwards, layer by layer, it is met
again ``j`` layers later as ``h_x W_c W_{c+1} ··· W_{c+j}`` (each ``W`` of its own layer) at every u that lies ``j``
steps further from a root at distance ``c`` of x: ``A_{j,c}`` counts these. So the state is a few *waves*, one for each
layer of birth, kept as its ``h`` and ``W_c``; ``c = 1`` also stands for the wave of the root
itself, ``A_{j+1,0}``, and waves born of the input also stand for ``h_{w←v}^0 = h_w^0``, ``A_{j+1,c-1}``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from lvc.graph import Graph
from lvc.nn.dense import multiplied
from lvc.nn.features import Features, mapped
from lvc.nn.operators.base import Layer, Operator, Rule, Starts, smallest
from lvc.nn.operators.pairwise import inverse
from lvc.nn.sparse import Matrix, entries, sum_of_products
from lvc.search.balls import offsets
from lvc.search.counts import path_counts
from lvc.search.kinds import BFS

PRICE_OF_AN_ENTRY = 16  # how many entries of a dense factor are multiplied in the time of one of a sparse factor
CHEAP = 3  # walks of one step more, over entries of both factors, up to which A_{k,0} is made


class Wave(NamedTuple):
    """Vectors that were born in one layer and travel outwards; what they meet there are small matrices."""

    vectors: Features  # h, [n, F]; or, of a wide h, what was multiplied at once, h W_c, [n, r, H]
    weight: Tensor | None  # W_c of the layer they were born in, [F, r, H]; None if they are multiplied with it
    of_input: bool  # born in the first layer, with h^0


class Paths(Operator):
    """``Σ_v h_{u←v} = Σ_{k,m} A_{k,m} y_{k,m}`` (how SGN is computed, in docs). State: waves."""

    counts_what: ClassVar[dict[str, str]] = {"row": "vertices", "column": "vertices"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._cheap: dict[int, bool] = {}
        self._cheap_pieces: dict[int, np.ndarray] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_cheap_pieces": {}}

    @classmethod
    def of(cls, graph: Graph, search: BFS, radius: int) -> Paths:
        counts = path_counts(graph, radius)
        tensors = {"level": smallest(counts.level), "ends": smallest(counts.ends)}
        vertices = np.arange(graph.n)
        if radius == 1:
            tensors |= {
                "row1": smallest(np.repeat(vertices, np.diff(graph.indptr))),
                "column1": smallest(graph.indices),
                "count1": torch.ones(len(graph.indices), 1, dtype=torch.int32),
            }
        for k in range(1, radius):
            tensors[f"row{k}"] = smallest(np.repeat(vertices, np.diff(counts.indptr[k - 1])))
            tensors[f"column{k}"] = smallest(counts.indices[k - 1])
            tensors[f"count{k}"] = smallest(counts.values[k - 1])
            tensors[f"beside{k}"] = smallest(counts.beside[k - 1])
            tensors[f"beyond{k}"] = smallest(counts.beyond[k - 1])
        return cls(str(search), radius, {"vertices": graph.n}, tensors)

    def bounds(self, vertices: np.ndarray) -> tuple[Starts, Starts]:
        rows = dict.fromkeys(("level", "ends"), vertices)
        for k in range(1, max(self.radius, 2)):
            at_distance = np.searchsorted(self.numpy(f"row{k}"), vertices)
            rows |= {f"{what}{k}": at_distance for what in ("row", "column", "count", "beside", "beyond")}
        return {"vertices": vertices}, rows

    def start(self, h: Features) -> tuple[Wave, ...] | None:
        return None

    def step(self, state: tuple[Wave, ...] | None, h: Features, layer: Layer) -> tuple[Tensor, tuple[Wave, ...]]:
        if layer.rule.schedule == "sweep":
            waves = [Wave(h, layer.weight, False)] * self.radius
        else:
            of_input = state is None
            if of_input and not layer.last and _is_wide(h, self.radius, layer.weight.shape[2]):
                return self._enter(h, layer)
            waves = [Wave(h, layer.weight, of_input), *(state or ())]
        terms = []
        for age, (wave, product) in enumerate(zip(waves, self._products(waves, layer.mix), strict=True)):
            terms += self._terms(age, wave, product, layer.rule)
        kept = [] if layer.last or layer.rule.schedule == "sweep" else waves[: self.radius - 1]
        return sum_of_products(terms, layer.onto), tuple(kept)

    def _enter(self, h: Features, layer: Layer) -> tuple[Tensor, tuple[Wave, ...]]:
        """The first layer, if h is wider than what it is multiplied with: it is multiplied at once, and once only."""
        weight = layer.weight
        every = mapped(h, weight.flatten(1)).view(-1, *weight.shape[1:])
        met = self._matrix(0, True, layer.rule, every) @ every.flatten(0, 1)
        return multiplied(met, layer.mix, layer.onto), (Wave(every, None, True),)

    def _products(self, waves: Sequence[Wave], mix: Tensor) -> list[Tensor]:
        """With what each wave is multiplied, ``W_c W_{c+1} ··· W_{c+age} mix`` for c = 1, 2, ...: [F, r - age, M].

        A wave that is one layer older meets what the wave before it meets one step further out, after its own ``W_c``.
        """
        products: list[Tensor] = []
        for age, wave in enumerate(waves):
            ahead = products[-1][:, 1:] if age else mix
            if wave.weight is None:
                products.append(ahead)
            elif age == 0:
                products.append(wave.weight @ ahead)
            else:
                own = wave.weight[:, : self.radius - age].transpose(0, 1)
                products.append(torch.bmm(own, ahead.transpose(0, 1)).transpose(0, 1))
        return products

    def _terms(self, age: int, wave: Wave, product: Tensor, rule: Rule) -> list[tuple[Matrix, Tensor]]:
        """What the wave means where it is now: the products ``A_{k,m} y_{k,m}``, as factors."""
        if not (rule.own_term or wave.of_input):
            product = product[:, :1]  # at other distances from their root the vectors meet no one
        count, width = product.shape[1:]
        if wave.weight is None:
            assert isinstance(wave.vectors, Tensor)
            every = torch.bmm(wave.vectors[:, :count].transpose(0, 1), product.transpose(0, 1)).transpose(0, 1)
        else:
            every = mapped(wave.vectors, product.flatten(1)).view(-1, count, width)
        terms = [(self._matrix(age, wave.of_input, rule, every), every.reshape(-1, width))]
        if age > 0 and not self.is_cheap(age + 1):
            outer, inner = self.made(self._hop, age, rule.scale, like=every)
            terms.append((outer, inner @ every[:, 0]))
        return terms

    def _matrix(self, age: int, of_input: bool, rule: Rule, like: Tensor) -> Matrix:
        first = of_input and age + 1 < self.radius  # at one distance a wave of the input is like any other
        whole = age > 0 and self.is_cheap(age + 1)
        return self.made(self._wave_matrix, age, first, whole, rule.scale, rule.own_term, like=like)

    def _wave_matrix(self, age: int, of_input: bool, whole: bool, scale: str, own_term: bool, like: Tensor) -> Matrix:
        """All that a wave of this age means, but for what ``_hop`` does of ``A_{age+1,0}`` if it is not whole.

        One matrix for all distances, [n, n distances], whose columns go vertex by vertex.
        """
        n, width = self.vertices, self.radius - age if own_term or of_input else 1
        spread = []
        for c in range(width):
            parts = [self._scaled(age, c + 1, scale)] if own_term else []
            if c == 0:
                parts += [self._scaled(1, 0, scale)] if age == 0 else self._reached(age + 1, scale, whole)
            elif of_input:
                parts.append(self._scaled(age + 1, c, scale))
            for part in parts:
                column = part.col.astype(np.int64) * width + c
                spread.append(entries(part.row, column, part.data, (n, n * width)))
        return _total(spread, (n, n * width), like)

    def mark(self, made: Matrix | tuple[Matrix, Matrix], start: Starts) -> None:
        vertices = start["vertices"]
        for one in (made,) if isinstance(made, Matrix) else made:
            one.mark(vertices, vertices * (one.shape[1] // max(one.shape[0], 1)))

    def _counts(self, k: int, m: int) -> sp.coo_matrix:
        """A_{k,m}, stored for k < r."""
        n = self.vertices
        if k == 0:
            values = self.numpy("level")[:, m - 1].astype(np.float64) if m else np.ones(n)
            return entries(np.arange(n), np.arange(n), values, (n, n))
        values = self.numpy(f"count{k}")[:, m].astype(np.float64)
        return entries(self.numpy(f"row{k}"), self.numpy(f"column{k}"), values, (n, n))

    def _scaled(self, k: int, m: int, scale: str) -> sp.coo_matrix:
        """A_{k,m}; mean: divided by its row sums; sym: by the square roots of its row sums and column sums."""
        counts = self._counts(k, m)
        if scale == "sum":
            return counts
        power = 1.0 if scale == "mean" else 0.5
        by_row = inverse(np.asarray(counts.sum(axis=1)).ravel(), power)[counts.row]
        by_column = inverse(np.asarray(counts.sum(axis=0)).ravel(), power)[counts.col] if scale == "sym" else 1.0
        return entries(counts.row, counts.col, counts.data * by_row * by_column, counts.shape)

    def _divisors(self, k: int, scale: str) -> tuple[np.ndarray, np.ndarray]:
        """By what the rows and columns of A_{k,0}, which is symmetric, are multiplied."""
        ones = np.ones(self.vertices)
        if scale == "sum":
            return ones, ones
        sums = self.numpy("ends") if k == self.radius else np.asarray(self._counts(k, 0).sum(axis=1)).ravel()
        return (inverse(sums, 1.0), ones) if scale == "mean" else (inverse(sums, 0.5),) * 2

    def _reached(self, k: int, scale: str, whole: bool) -> list[sp.coo_matrix]:
        """The whole of A_{k,0}, k > 1, or only what ``_hop`` has too much of it."""
        closing = -self._closing(k, scale)
        if not whole:
            return [closing]
        by_row, by_column = self._divisors(k, scale)
        product = (sp.diags(by_row) @ self._counts(k - 1, 0)) @ (self._counts(1, 0).tocsr() @ sp.diags(by_column))
        return [product.tocoo(), closing]

    def is_cheap(self, k: int) -> bool:
        """Whether A_{k,0} itself has hardly more entries than the two factors and C that stand for it.

        In molecules it has fewer; and one product in the place of three is what counts in batches of small graphs.
        """
        if k not in self._cheap and self._taken is not None:  # as for all graphs that it was cut out of
            self._cheap[k] = self._taken.collated.together.is_cheap(k)
        if k not in self._cheap and self.parts:
            self._cheap[k] = all(isinstance(part, Paths) and part.is_cheap(k) for part in self.parts)
        if k not in self._cheap and self.piece_of is not None:
            whole, number = self.piece_of
            self._cheap[k] = bool(whole.operator.are_cheap(k, whole.start["vertices"])[number])
        if k not in self._cheap:
            self._cheap[k] = bool(self.are_cheap(k, np.array([0, self.vertices]))[0])
        return self._cheap[k]

    def are_cheap(self, k: int, vertices: np.ndarray) -> np.ndarray:
        """:meth:`is_cheap` of each of several graphs, whose ``vertices`` begin there."""
        if k not in self._cheap_pieces:
            row, far = self.numpy("row1"), self.numpy(f"row{k - 1}")
            walks = offsets(np.bincount(row, minlength=self.vertices)[self.numpy(f"column{k - 1}")])
            here, nearest = np.searchsorted(far, vertices), np.searchsorted(row, vertices)
            self._cheap_pieces[k] = np.diff(walks[here]) <= CHEAP * (np.diff(here) + np.diff(nearest))
        return self._cheap_pieces[k]

    def _closing(self, k: int, scale: str) -> sp.coo_matrix:
        """C of ``A_{k,0} = A_{k-1,0} A − C``, k > 1."""
        near, far = self._counts(k - 2, 0), self._counts(k - 1, 0)
        beyond = self.numpy(f"beyond{k - 2}") if k > 2 else self.numpy("level")[:, 0]
        rows, columns = np.concatenate([near.row, far.row]), np.concatenate([near.col, far.col])
        by_row, by_column = self._divisors(k, scale)
        values = np.concatenate([beyond, self.numpy(f"beside{k - 1}")]) * by_row[rows] * by_column[columns]
        return entries(rows, columns, values, near.shape)

    def _hop(self, k: int, scale: str, like: Tensor) -> tuple[Matrix, Matrix]:
        """A_{k,0} and A: their product is A_{k+1,0} but for C."""
        by_row, by_column = self._divisors(k + 1, scale)
        outer = sp.diags(by_row) @ self._counts(k, 0)
        return Matrix.of(outer, like), Matrix.of(self._counts(1, 0) @ sp.diags(by_column), like)


def _total(parts: list[sp.coo_matrix], shape: tuple[int, int], like: Tensor) -> Matrix:
    """The sum of the parts, in one go."""
    pieces = zip(*((part.row, part.col, part.data) for part in parts), strict=True)
    rows, columns, values = (np.concatenate(column) for column in pieces) if parts else np.empty((3, 0))
    return Matrix.of_entries(rows, columns, values, shape, like)


def _is_wide(h: Features, radius: int, hidden: int) -> bool:
    """Whether it is cheaper to multiply h once and to keep what comes out, than to keep h and to multiply it again.

    A wave that is kept as it was born spares the first layer a product of hidden size, and is multiplied
    r - 1, r - 2, ... times in the layers to come.
    """
    width = h.shape[1] if isinstance(h, Tensor) else h.entries_per_row * PRICE_OF_AN_ENTRY
    return (width - hidden) * (radius * (radius - 1) // 2) > hidden
