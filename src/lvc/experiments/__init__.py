"""Training and model selection; needs the extra ``nn`` (torch, torch_geometric)."""
