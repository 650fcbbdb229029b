"""Arguments and options of the commands that learn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DatasetArgument = Annotated[str, typer.Argument(metavar="DATA", help="A data set of `lvc data`.", show_default=False)]
GraphsArgument = Annotated[
    str, typer.Argument(metavar="DATA", help="A data set of `lvc data --graphs`.", show_default=False)
]
ModelOption = Annotated[
    str, typer.Option(help="mlp, gcn, gcn-jk, gat, appnp, chebnet, gprgnn, bernnet, h2gcn, sgn-bf, sgn-df.")
]
GraphModelOption = Annotated[
    str,
    typer.Option(
        help="agnostic-chemical, agnostic-social, dgcnn, diffpool, ecc, gin, graphsage, sgn-bf, sgn-df.",
    ),
]
ProtocolOption = Annotated[str, typer.Option(help="random, per-class or published.")]
FoldsOption = Annotated[
    str | None,
    typer.Option(
        "--protocol",
        help="errica (published folds) or stratified; by default errica if its folds are below LVC_DATA.",
        show_default=False,
    ),
]
SplitsOption = Annotated[
    int, typer.Option(help="How many splits; they overlap, so the 95 % interval over them is too narrow.")
]
FoldCountOption = Annotated[
    int, typer.Option("--splits", help="How many of the folds; training on ten is the protocol.")
]
SeedOption = Annotated[int, typer.Option(help="Decides splits and weights.")]
ThreadsOption = Annotated[int, typer.Option(min=1, max=1024, help="Threads of torch.")]
JobsOption = Annotated[int, typer.Option(min=1, help="Processes side by side, one split or fold each.")]
TrialJobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        min=1,
        help="Processes side by side, one trial each, then one split; who is faster decides who is given up.",
    ),
]
FoldJobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        min=1,
        help="Processes side by side, one fold each; if there are more than folds, one trial each first.",
    ),
]
OutOption = Annotated[Path, typer.Option(metavar="FILE", help="Where the result line goes.")]
SearchOption = Annotated[
    str | None, typer.Option("--search", "-s", help="SGN's search, e.g. bfs:2.", show_default=False)
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Another setting, e.g. hidden_channels=128; may be repeated; a wrong NAME is answered with all of them.",
    ),
]
FixOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting that is not searched; may be repeated; a wrong NAME is answered with all of them.",
    ),
]
AsInOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="With the settings of FILE's best result of this model on this data set, by validation, "
        "but for protocol, splits and seed.",
        show_default=False,
    ),
]
TrialsOption = Annotated[int, typer.Option(help="How many settings to try, those of earlier runs included.")]
RadiusOption = Annotated[
    int, typer.Option(help="Of the searches that SGN is tried with; not with --search or a baseline.")
]
StorageOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Any Optuna storage; by default SQLite beside FILE. Commands that have it in common share their trials.",
        show_default=False,
    ),
]
