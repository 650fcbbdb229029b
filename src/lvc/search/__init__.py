"""Graph searches from every root: numba kernels and their one caller."""
