"""Vectors of LLVM's in numba's compiled functions: what the kernels of products share."""

from __future__ import annotations

from typing import Any

from llvmlite import ir


def everywhere(builder: Any, scalar: Any, vector: Any) -> Any:
    """A vector of this type that holds the scalar in every place."""
    nothing, places = ir.Constant(vector, ir.Undefined), ir.VectorType(ir.IntType(32), vector.count)
    return builder.shuffle_vector(
        builder.insert_element(nothing, scalar, ir.IntType(32)(0)), nothing, ir.Constant(places, None)
    )


def at(builder: Any, array: Any, row: Any, column: Any) -> Any:
    """Where this entry of an array stands whose rows lie one behind the other."""
    width = builder.extract_value(array.shape, 1)
    return builder.gep(array.data, [builder.add(builder.mul(row, width), column)])


def vector_at(builder: Any, array: Any, row: Any, column: Any, vector: Any) -> Any:
    """The same for as many columns as the vector has places."""
    return builder.bitcast(at(builder, array, row, column), vector.as_pointer())


def add_product(builder: Any, total: Any, factor: Any, other: Any) -> None:
    """``factor * other`` onto the vector that ``total`` points to, rounded once if the processor can."""
    product = builder.fmul(factor, other, flags=("contract",))
    builder.store(builder.fadd(product, builder.load(total), flags=("contract",)), total)
