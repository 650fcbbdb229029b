"""The definition, for any η: one vector per pair. Every other operator is tested against this one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from lvc.graph import Graph
from lvc.nn.features import Features, SparseFeatures
from lvc.nn.operators.base import Layer, Operator, Rule, smallest
from lvc.nn.sparse import Matrix, entries
from lvc.search.kinds import Local
from lvc.search.trees import trees


class Pairwise(Operator):
    """SGN as printed: ``h_{u←v} = (h_u + Σ_{w∈η_v(u)} h_{w←v}) W_c``, pair by pair. State: all pair vectors."""

    counts_what: ClassVar[dict[str, str]] = {"vertex": "vertices", "member": "pairs", "group": "groups", "of": "groups"}

    @classmethod
    def of(cls, graph: Graph, search: Local, radius: int) -> Pairwise:
        found = trees(graph, search)
        sizes = {"vertices": graph.n, "pairs": len(found.vertex), "groups": len(found.group_start) - 1}
        tensors = {
            "vertex": smallest(found.vertex),
            "distance": smallest(found.distance),
            "of": smallest(np.maximum(found.group, 0)),  # group of the pair; what stands at a root is not used
            "group": smallest(np.repeat(np.arange(sizes["groups"]), np.diff(found.group_start))),
            "member": smallest(found.member),
        }
        return cls(str(search), radius, sizes, tensors)

    def start(self, h: Features) -> Tensor:
        h = h.dense() if isinstance(h, SparseFeatures) else h
        return h[self.tensors["vertex"].long()]

    def step(self, state: Tensor, h: Features, layer: Layer) -> tuple[Tensor, Tensor | None]:
        h = h.dense() if isinstance(h, SparseFeatures) else h
        groups, arrive, leave = self.made(self._matrices, layer.rule, like=h)
        vertex, distance = self.tensors["vertex"].long(), self.tensors["distance"]
        state = torch.where(distance[:, None] == 0, h[vertex], state)  # h_{v←v} = h_v
        eta_sum = arrive @ (groups @ state)
        arriving = h[vertex] + eta_sum if layer.rule.own_term else eta_sum
        new = state.new_zeros(len(vertex), layer.weight.shape[2])
        for c in range(1, self.radius + 1):
            here = (distance == c).nonzero().squeeze(1)
            new = new.index_copy(0, here, arriving[here] @ layer.weight[:, c - 1])
        return torch.addmm(layer.onto, leave @ new, layer.mix), None if layer.last else new

    def _matrices(self, rule: Rule, like: Tensor) -> tuple[Matrix, Matrix, Matrix]:
        """η as sums over groups, the group's sum to its pairs, and the pairs of each vertex u."""
        vertex, distance, of = self.numpy("vertex"), self.numpy("distance"), self.numpy("of")
        group, member = self.numpy("group"), self.numpy("member")
        n, pairs, groups = self.vertices, self.sizes["pairs"], self.sizes["groups"]
        inner = np.flatnonzero(distance > 0)
        size = np.bincount(group, minlength=groups)[of[inner]]
        users = np.bincount(of[inner], minlength=groups)
        used = np.bincount(member, weights=users[group], minlength=pairs)
        alpha, beta, omega = divisors(rule, size, used, roots_per_distance(vertex, distance, n, self.radius))
        return (
            Matrix.of(entries(group, member, beta[member], (groups, pairs)), like),
            Matrix.of(entries(inner, of[inner], alpha, (pairs, groups)), like),
            Matrix.of(entries(vertex[inner], inner, omega[vertex[inner], distance[inner] - 1], (n, pairs)), like),
        )


def roots_per_distance(vertex: np.ndarray, distance: np.ndarray, n: int, radius: int) -> np.ndarray:
    """``#{ v : d(u,v) = c }``, float64[n, r]."""
    inner = distance > 0
    place = vertex[inner].astype(np.int64) * radius + distance[inner] - 1
    return np.bincount(place, minlength=n * radius).reshape(n, radius).astype(np.float64)


def divisors(
    rule: Rule, size: np.ndarray, used: np.ndarray, roots: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Factors of the sum over η (by receiver, by sender) and of the sum over the roots at one distance.

    mean: ``1/|η_v(u)|``, 1, ``1/#roots``. sym: ``1/√|η_v(u)|``, ``1/√#{u : w ∈ η_v(u)}``, ``1/√#roots``.
    """
    if rule.scale == "sum":
        return np.ones(len(size)), np.ones(len(used)), np.ones(roots.shape)
    power = 1.0 if rule.scale == "mean" else 0.5
    by_sender = np.ones(len(used)) if rule.scale == "mean" else inverse(used, power)
    return inverse(size, power), by_sender, inverse(roots, power)


def inverse(number: np.ndarray, power: float) -> np.ndarray:
    """``number ** -power``, and 0 where there is nothing to divide."""
    return np.where(number > 0, np.maximum(number, 1).astype(np.float64) ** -power, 0.0)
