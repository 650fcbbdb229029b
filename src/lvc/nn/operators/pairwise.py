"""The definition, for any η: one vector per pair. Every other operator is tested against this one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from lvc.graph import Graph
from lvc.nn.features import Features, SparseFeatures
from lvc.nn.operators.base import Layer, Operator, Rule, Starts, smallest
from lvc.nn.sparse import Matrix
from lvc.search.kinds import Local
from lvc.search.trees import ROLES, trees


class Pairwise(Operator):
    """SGN as printed: ``h_{u←v} = (h_u + Σ_{w∈η_v(u)} h_{w←v}) W_c``, pair by pair. State: all pair vectors.

    Where members have roles (``levels``), every role has a ``W_c`` of its own, that of the parents takes h_u too.
    """

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
        if found.role is not None:
            tensors["role"] = smallest(found.role)
        return cls(str(search), radius, sizes, tensors)

    def start(self, h: Features) -> Tensor:
        h = h.dense() if isinstance(h, SparseFeatures) else h
        return h[self.tensors["vertex"].long()]

    def step(self, state: Tensor, h: Features, layer: Layer) -> tuple[Tensor, Tensor | None]:
        h = h.dense() if isinstance(h, SparseFeatures) else h
        of_roles, leave = self.made(self._matrices, layer.rule, like=h)
        vertex, distance = self.tensors["vertex"].long(), self.tensors["distance"]
        state = torch.where(distance[:, None] == 0, h[vertex], state)  # h_{v←v} = h_v
        arriving = [arrive @ (groups @ state) for groups, arrive in of_roles]
        if layer.rule.own_term:
            arriving[0] = arriving[0] + h[vertex]
        new = state.new_zeros(len(vertex), layer.weight.shape[2])
        for c in range(1, self.radius + 1):
            here = (distance == c).nonzero().squeeze(1)
            made = [part[here] @ layer.weight[:, k * self.radius + c - 1] for k, part in enumerate(arriving)]
            new = new.index_copy(0, here, sum(made[1:], made[0]))
        return torch.addmm(layer.onto, leave @ new, layer.mix), None if layer.last else new

    def _matrices(self, rule: Rule, like: Tensor) -> tuple[tuple[tuple[Matrix, Matrix], ...], Matrix]:
        """For every role η as sums over groups and the group's sum to its pairs; and the pairs of each vertex u."""
        vertex, distance, of = self.numpy("vertex"), self.numpy("distance"), self.numpy("of")
        group, member = self.numpy("group"), self.numpy("member")
        n, pairs, groups = self.vertices, self.sizes["pairs"], self.sizes["groups"]
        inner = np.flatnonzero(distance > 0)
        users = np.bincount(of[inner], minlength=groups)
        roots = roots_per_distance(vertex, distance, n, self.radius)
        of_roles = []
        for mine in self._roles():
            size = np.bincount(group[mine], minlength=groups)[of[inner]]
            used = np.bincount(member[mine], weights=users[group[mine]], minlength=pairs)
            alpha, beta, omega = divisors(rule, size, used, roots)
            of_roles.append(
                (
                    Matrix.of_entries(group[mine], member[mine], beta[member[mine]], (groups, pairs), like),
                    Matrix.of_entries(inner, of[inner], alpha, (pairs, groups), like),
                )
            )
        leaving = omega[vertex[inner], distance[inner] - 1]
        return tuple(of_roles), Matrix.of_entries(vertex[inner], inner, leaving, (n, pairs), like)

    def mark(self, made: tuple[tuple[tuple[Matrix, Matrix], ...], Matrix], start: Starts) -> None:
        of_roles, leave = made
        for groups, arrive in of_roles:
            groups.mark(start["groups"], start["pairs"])
            arrive.mark(start["pairs"], start["groups"])
        leave.mark(start["vertices"], start["pairs"])

    def _roles(self) -> list[np.ndarray]:
        """The members of each role; all of them, where there are no roles."""
        if "role" not in self.tensors:
            return [np.arange(len(self.tensors["member"]))]
        role = self.numpy("role")
        return [np.flatnonzero(role == k) for k in range(ROLES)]


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
        return ones(len(size)), ones(len(used)), ones(roots.shape)
    power = 1.0 if rule.scale == "mean" else 0.5
    by_sender = ones(len(used)) if rule.scale == "mean" else inverse(used, power)
    return inverse(size, power), by_sender, inverse(roots, power)


def ones(shape: int | tuple[int, ...]) -> np.ndarray:
    """Nothing but ones, which take no memory."""
    return np.broadcast_to(1.0, shape)


def inverse(number: np.ndarray, power: float) -> np.ndarray:
    """``number ** -power``, and 0 where there is nothing to divide."""
    return np.where(number > 0, np.maximum(number, 1).astype(np.float64) ** -power, 0.0)
