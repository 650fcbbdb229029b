"""Nothing here runs without torch; and lvc.nn comes first, for it silences what torch_geometric warns of on import."""

import importlib.util

collect_ignore_glob = []
if importlib.util.find_spec("torch") is None or importlib.util.find_spec("torch_geometric") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    import lvc.nn  # noqa: F401
