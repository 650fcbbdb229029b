"""graph6 and sparse6: one graph as one line of printable text (McKay, https://users.cecs.anu.edu.au/~bdm/data/formats.txt).

Every character carries six bits as the code ``63 + bits``. Nothing here loops over edges in Python.
"""

from __future__ import annotations

import numpy as np

from lvc.errors import LvcError

HEADERS = (">>graph6<<", ">>sparse6<<")
_BITS = np.arange(5, -1, -1)  # the shifts that read one character from its highest bit down


def decode(text: str) -> tuple[int, np.ndarray]:
    """The number of vertices and the edges, int64[m, 2], of one graph6 or sparse6 text.

    The header ``>>graph6<<`` or ``>>sparse6<<`` may stand in front. A sparse6 text may hold self-loops and repeated
    edges; they are returned as they stand.

    >>> n, edges = decode("Bw")  # the triangle
    >>> n, edges.tolist()
    (3, [[0, 1], [0, 2], [1, 2]])
    """
    body = text.strip()
    for header in HEADERS:
        body = body.removeprefix(header).lstrip()
    if not body:
        raise LvcError("the graph6 text is empty; the graph without vertices is written '?'")
    if "\n" in body:
        raise LvcError("the graph6 text has more than one line; give one graph at a time")
    if body[0] in "&;" or body.startswith(">>"):
        raise LvcError(f"text that begins with {body[:2]!r} is neither graph6 nor sparse6; convert it to graph6 first")
    if body[0] == ":":
        n, rest = _split_size(_six_bits(body[1:], offset=1), "sparse6")
        return n, _sparse6_edges(n, rest)
    n, rest = _split_size(_six_bits(body, offset=0), "graph6")
    return n, _graph6_edges(n, rest)


def encode(n: int, edges: np.ndarray) -> str:
    """The graph6 text, without header, of the simple graph with ``n`` vertices and ``edges``, int64[m, 2].

    >>> encode(3, np.array([[0, 1], [2, 0], [1, 2]]))
    'Bw'
    """
    low, high = edges.min(axis=1, initial=n), edges.max(axis=1, initial=0)
    place = high * (high - 1) // 2 + low
    values = np.zeros((n * (n - 1) // 2 + 5) // 6, dtype=np.uint8)
    np.add.at(values, place // 6, (32 >> (place % 6)).astype(np.uint8))
    return (_size_bits(n) + (values + 63).tobytes()).decode("ascii")


def _size_bits(n: int) -> bytes:
    if n <= 62:
        return bytes([n + 63])
    length, mark = (3, b"~") if n <= 258047 else (6, b"~~")
    return mark + bytes((n >> 6 * (length - 1 - i) & 63) + 63 for i in range(length))


def _six_bits(body: str, offset: int) -> np.ndarray:
    """The value 0..63 of every character."""
    codes = np.frombuffer(body.encode("ascii", "replace"), dtype=np.uint8)  # "?" stands in for what is not ASCII
    wrong = np.flatnonzero((codes < 63) | (codes > 126))
    first = int(wrong[0]) if len(wrong) else len(body)
    if not body.isascii():
        first = min(first, next(i for i, character in enumerate(body) if not character.isascii()))
    if first < len(body):
        raise LvcError(
            f"character {body[first]!r} at position {first + offset} cannot stand in graph6 or sparse6 text; "
            "check the text, and read a file with Graph.from_file(path)"
        )
    return codes - np.uint8(63)


def _split_size(values: np.ndarray, kind: str) -> tuple[int, np.ndarray]:
    """The number of vertices (one, three or six characters, after none, one or two ``~``) and the values after it."""
    marks = 0 if len(values) and values[0] < 63 else 1 + int(len(values) > 1 and values[1] == 63)
    end = marks + (1, 3, 6)[marks]
    if len(values) < end:
        raise LvcError(f"the {kind} text ends inside the number of vertices; the line was cut short, copy it again")
    n = 0
    for value in values[marks:end]:
        n = n << 6 | int(value)
    return n, values[end:]


def _graph6_edges(n: int, values: np.ndarray) -> np.ndarray:
    """Bit ``j (j - 1) / 2 + i`` says whether ``i < j`` are joined."""
    bits = n * (n - 1) // 2
    if len(values) != (bits + 5) // 6:
        what = "cut short" if len(values) < (bits + 5) // 6 else "too long"
        raise LvcError(
            f"graph6 with {n} vertices has {(bits + 5) // 6} characters after the size, got {len(values)}; "
            f"the line is {what}, copy it again"
        )
    filled = np.flatnonzero(values)
    character, bit = np.nonzero(values[filled, None] >> _BITS & 1)
    place = filled[character] * 6 + bit
    if len(place) and place[-1] >= bits:
        raise LvcError("the padding bits after the last pair of vertices must be 0, got 1; copy the line again")
    high = ((1 + np.sqrt(1.0 + 8.0 * place)) / 2).astype(np.int64)
    high -= high * (high - 1) // 2 > place  # the square root is off by at most one
    high += high * (high + 1) // 2 <= place
    return np.stack([place - high * (high - 1) // 2, high], axis=1)


def _sparse6_edges(n: int, values: np.ndarray) -> np.ndarray:
    """A walk over the vertices: each unit is a bit ``step`` and a vertex ``x`` of ``k`` bits.

    ``v += step``; then ``x > v`` moves to ``v = x`` and ``x <= v`` is the edge ``x v``. So after every unit
    ``v_t = max(v_{t-1} + step_t, x_t)``, a running maximum.
    """
    k = max(n - 1, 0).bit_length()
    bits = (values[:, None] >> _BITS & 1).reshape(-1)
    units = bits[: len(bits) // (k + 1) * (k + 1)].reshape(-1, k + 1).astype(np.int64)
    x = units[:, 1:] @ (1 << np.arange(k - 1, -1, -1, dtype=np.int64))
    steps = np.cumsum(units[:, 0])
    v = steps + np.maximum.accumulate(np.maximum(x - steps, 0)) if len(x) else x
    beyond = np.flatnonzero(v >= n)
    end = int(beyond[0]) if len(beyond) else len(x)
    padding = bits[end * (k + 1) :]
    # Where n = 2^k a writer may begin the padding with one 0, lest it read as a self-loop.
    if len(padding) >= 6 or not padding[1:].all() or (len(padding) and not padding[0] and n != 1 << k):
        raise LvcError(
            f"the sparse6 text names a vertex beyond its {n} vertices, or its padding bits are not 1; "
            "copy the line again"
        )
    x, v, step = x[:end], v[:end], units[:end, 0]
    before = np.concatenate([np.zeros(1, dtype=np.int64), v])[:-1] + step
    joined = x <= before
    return np.stack([x[joined], v[joined]], axis=1)
