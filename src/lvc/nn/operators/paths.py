"""SGN-BF without pair vectors: sums over roots and paths become products with count matrices.

A pair vector is linear in vertex vectors. Following one ``h_x W_c`` on its way outwards, layer by layer, it is met
again ``j`` layers later as ``h_x W_c W_{c+1} ··· W_{c+j}`` (each ``W`` of its own layer) at every u that lies ``j``
steps further from a root at distance ``c`` of x: ``A_{j,c}`` counts these. So the state is a few *waves*, one for each
layer of birth, of |V| vectors per distance; ``c = 1`` also stands for the wave of the root itself, ``A_{j+1,0}``, and
waves born of the input also stand for ``h_{w←v}^0 = h_w^0``, ``A_{j+1,c-1}``.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from lvc.graph import Graph
from lvc.nn.features import Features
from lvc.nn.operators.base import Layer, Operator, Rule, smallest
from lvc.nn.operators.pairwise import inverse
from lvc.nn.sparse import Matrix, entries, sum_of_products
from lvc.search.counts import path_counts
from lvc.search.kinds import BFS

CHEAP = 3  # walks of one step more, over entries of both factors, up to which A_{k,0} is made


class Wave(NamedTuple):
    """``h W_c ··· W_{c+age}`` for c = 1..r-age."""

    vectors: Tensor  # [r - age, n, H]
    age: int
    of_input: bool  # born in the first layer, with h^0


class Paths(Operator):
    """``Σ_v h_{u←v} = Σ_{k,m} A_{k,m} y_{k,m}`` (how SGN is computed, in docs). State: waves."""

    counts_what: ClassVar[dict[str, str]] = {"row": "vertices", "column": "vertices"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._cheap: dict[int, bool] = {}

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

    def start(self, h: Features) -> tuple[Wave, ...] | None:
        return None

    def step(self, state: tuple[Wave, ...] | None, h: Features, layer: Layer) -> tuple[Tensor, tuple[Wave, ...]]:
        # Without older waves, or with none to keep, W_c and the next matrix are one.
        merge = layer.rule.schedule == "rounds" and (layer.last or self.radius == 1)
        weight = layer.merged() if merge else layer.weight
        born = self._born(h, weight, of_input=state is None and layer.rule.schedule == "rounds")
        waves = [born, *self._onwards(state or (), weight)]
        if layer.rule.schedule == "sweep":
            while waves[-1].age < self.radius - 1:
                waves += self._onwards(waves[-1:], weight)
        total = self._meet(waves, layer.rule, layer.onto if merge else None)
        kept = () if layer.last or layer.rule.schedule == "sweep" else tuple(waves)
        return total if merge else torch.addmm(layer.onto, total, layer.mix), kept

    def _born(self, h: Features, weight: Tensor, of_input: bool) -> Wave:
        every = h @ weight.flatten(1)  # [n, r H]: one product for all distances
        return Wave(every.view(-1, weight.shape[1], weight.shape[2]).transpose(0, 1), 0, of_input)

    def _onwards(self, waves: tuple[Wave, ...] | list[Wave], weight: Tensor) -> list[Wave]:
        """Every wave one step further from its roots; what leaves the ball is dropped."""
        moved = []
        for vectors, age, of_input in waves:
            if age + 1 < self.radius:
                ahead = weight[:, age + 1 :].transpose(0, 1)
                moved.append(Wave(torch.bmm(vectors[:-1], ahead), age + 1, of_input))
        return moved

    def _meet(self, waves: list[Wave], rule: Rule, onto: Tensor | None) -> Tensor:
        """Where the waves are now: ``onto + Σ A_{k,m} y_{k,m}``."""
        terms = []
        for vectors, age, of_input in waves:
            first = of_input and len(vectors) > 1  # at one distance a wave of the input is like any other
            whole = age > 0 and self.is_cheap(age + 1)
            matrices = self.made(self._wave_matrices, age, first, whole, rule.scale, rule.own_term, like=vectors)
            if age == 0:  # a new wave lies vertex by vertex, so it is one factor as it stands
                terms.append((matrices[0], vectors.transpose(0, 1).reshape(-1, vectors.shape[2])))
            else:
                terms += zip(matrices, vectors, strict=True)
            if age > 0 and not whole:
                outer, inner = self.made(self._hop, age, rule.scale, like=vectors)
                terms.append((outer, inner @ vectors[0]))
        return sum_of_products(terms, onto)

    def _wave_matrices(
        self, age: int, of_input: bool, whole: bool, scale: str, own_term: bool, like: Tensor
    ) -> tuple[Matrix, ...]:
        """All that a wave of this age means, but for what ``_hop`` does of ``A_{age+1,0}`` if it is not whole.

        For each distance [n, n].

        Those of a new wave are one matrix, [n, n r], whose columns go vertex by vertex.
        """
        n, width = self.vertices, self.radius - age
        met = []
        for c in range(1, width + 1):
            parts = [self._scaled(age, c, scale)] if own_term else []
            if c == 1:
                parts += [self._scaled(1, 0, scale)] if age == 0 else self._reached(age + 1, scale, whole)
            elif of_input:
                parts.append(self._scaled(age + 1, c - 1, scale))
            met.append(parts)
        if age > 0:
            return tuple(Matrix.of(_total(parts, (n, n)), like) for parts in met)
        spread = [
            entries(part.row, part.col.astype(np.int64) * width + c, part.data, (n, n * width))
            for c, parts in enumerate(met)
            for part in parts
        ]
        return (Matrix.of(_total(spread, (n, n * width)), like),)

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
        if k not in self._cheap:
            degree = np.bincount(self.numpy("row1"), minlength=self.vertices)
            walks = int(degree[self.numpy(f"column{k - 1}")].sum())
            self._cheap[k] = walks <= CHEAP * (len(self.numpy(f"row{k - 1}")) + len(self.numpy("row1")))
        return self._cheap[k]

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


def _total(parts: list[sp.coo_matrix], shape: tuple[int, int]) -> sp.csr_matrix:
    """The sum of the parts, in one go."""
    if not parts:
        return sp.csr_matrix(shape)
    pieces = zip(*((part.row, part.col, part.data) for part in parts), strict=True)
    rows, columns, values = (np.concatenate(column) for column in pieces)
    total = entries(rows, columns, values, shape).tocsr()
    total.eliminate_zeros()
    return total
