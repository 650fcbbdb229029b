"""Local vertex colouring: rounds, stability, joint refinement, comparison, and what colours reveal."""
