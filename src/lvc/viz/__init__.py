"""Figures of searches and colourings; needs the extra ``viz`` (matplotlib)."""
