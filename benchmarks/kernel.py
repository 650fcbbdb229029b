"""Histograms of colours as graph kernels, against GraKeL's Weisfeiler-Lehman kernel: accuracy and time, in one run.

    LVC_DATA=... python benchmarks/kernel.py [--quick] [--out FILE]

Ten stratified folds, shuffled by a seed and the same for all rows; in each, C is chosen by five inner folds of the
training graphs. SVC takes kernels, GraKeL's and X Xᵀ of ours, made once for all graphs. LinearSVC takes histograms in a
pipeline, which learns the colours of the training graphs in every fold anew. Both are scaled to norm 1, but for one row
of counts as they are. "Features" is the time to make one kernel or histogram of all graphs, median of three turns;
"whole" is all folds, and the kernel. One thread throughout. It needs the real graphs, and GraKeL
(pip install 'lvc-gnn[bench]').
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from lvc import Graph
from lvc.data import load_graphs
from lvc.search.threads import set_num_threads
from lvc.sklearn import ColourHistogram
from lvc.timing import medians
from measure import record

ROUNDS = 5
SEARCHES = ("wl", "bfs:1", "bfs:2", "dfs:1", "bfs:2+dfs:1")
CS = {"C": [0.01, 0.1, 1.0, 10.0, 100.0]}
Report = Callable[..., None]


def labelled_graphs(name: str) -> tuple[list[Graph], np.ndarray]:
    """The graphs of a data set with their vertex labels, and their classes."""
    data = load_graphs(name)
    graphs = [Graph.from_pyg(graph).with_labels(graph.x.argmax(1)) for graph in data.graphs]
    return graphs, data.labels


def grakel_kernel(graphs: list[Graph]) -> Callable[[], np.ndarray]:
    """GraKeL's kernel of the same graphs in its own form; making that form is not timed."""
    import grakel

    theirs = [
        grakel.Graph(
            {v: dict.fromkeys(graph.neighbours(v).tolist(), 1.0) for v in range(graph.n)},
            node_labels=dict(enumerate(np.asarray(graph.labels).tolist())),
        )
        for graph in graphs
    ]
    kernel = grakel.WeisfeilerLehman(n_iter=ROUNDS, base_graph_kernel=grakel.VertexHistogram)
    return lambda: kernel.fit_transform(theirs)


def own_kernel(graphs: list[Graph], search: str) -> np.ndarray:
    found = ColourHistogram(search, ROUNDS).fit_transform(graphs)
    return (found @ found.T).toarray()


def scaled(kernel: np.ndarray) -> np.ndarray:
    """``K(g, h) / sqrt(K(g, g) K(h, h))``."""
    norm = np.sqrt(np.diag(kernel))
    return kernel / norm[:, None] / norm


def with_chosen_c(classifier: Any) -> GridSearchCV:
    return GridSearchCV(classifier, CS, cv=StratifiedKFold(5, shuffle=True, random_state=0))


def accuracies(model: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    return cross_val_score(model, X, classes, cv=StratifiedKFold(10, shuffle=True, random_state=0))


def compare(name: str, turns: int, report: Report) -> None:
    graphs, classes = labelled_graphs(name)
    counters = {f"{search}, LinearSVC": ColourHistogram(search, ROUNDS, normalise=True) for search in SEARCHES}
    counters["wl, LinearSVC, counts"] = ColourHistogram("wl", ROUNDS)
    kernels = {"GraKeL, SVC": grakel_kernel(graphs)}
    kernels |= {f"{search}, SVC": partial(own_kernel, graphs, search) for search in ("wl", "bfs:2")}
    for counter in counters.values():
        counter.fit_transform(graphs[:9])  # compiles
    runs = {row: partial(counter.fit_transform, graphs) for row, counter in counters.items()}
    took = medians({**kernels, **runs}, turns, warm=0)
    if not np.array_equal(kernels["GraKeL, SVC"](), kernels["wl, SVC"]()):
        raise SystemExit(f"{name}: GraKeL's kernel and the one of wl differ")
    for row in took:
        began = time.perf_counter()
        if row in kernels:
            scores = accuracies(with_chosen_c(SVC(kernel="precomputed")), scaled(kernels[row]()), classes)
        else:
            model = make_pipeline(counters[row], with_chosen_c(LinearSVC(random_state=0)))
            scores = accuracies(model, graphs, classes)
        whole = time.perf_counter() - began
        report(name, row, 100 * scores, took[row], whole, took["GraKeL, SVC"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="MUTAG only")
    parser.add_argument("--out", type=Path, default=Path("out/kernel.jsonl"))
    options = parser.parse_args()
    if not os.environ.get("LVC_DATA"):
        print("kernels are compared on real graphs only; set LVC_DATA to the folder that has them")
        return
    packages = {package: version(package) for package in ("scikit-learn", "grakel")}

    def report(name: str, row: str, scores: np.ndarray, features: float, whole: float, grakel: float) -> None:
        line = {"what": "kernel", "graphs": name, "row": row, "rounds": ROUNDS}
        line |= {"accuracy": scores.mean(), "deviation": scores.std(), "folds": scores.round(2).tolist()}
        line |= {"features_s": features, "whole_s": whole, "ratio": features / grakel, **packages}
        record(options.out, line)
        score = f"{scores.mean():5.1f} ± {scores.std():4.1f} %"
        spent = f"features {features:7.3f} s, {features / grakel:6.3f} of GraKeL's; whole {whole:6.1f} s"
        print(f"{name:9} {row:22} {score}   {spent}", flush=True)

    set_num_threads(1)
    warnings.simplefilter("ignore", ConvergenceWarning)  # with large C it stops after its 1000 iterations
    for name in ("MUTAG",) if options.quick else ("MUTAG", "PROTEINS", "NCI1"):
        compare(name, 3, report)


if __name__ == "__main__":
    main()
