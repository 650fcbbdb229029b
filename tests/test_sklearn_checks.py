"""scikit-learn's own estimator checks; those that need arrays are declared, and exactly these fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from lvc import Graph
from lvc.sklearn import ColourHistogram

NO_ARRAY = "fits an array of numbers; X are graphs"
NEEDS_ARRAYS = dict.fromkeys(
    [
        "check_complex_data",
        "check_dict_unchanged",
        "check_dont_overwrite_parameters",
        "check_dtype_object",
        "check_estimator_sparse_array",
        "check_estimator_sparse_matrix",
        "check_estimator_sparse_tag",
        "check_estimators_dtypes",
        "check_estimators_empty_data_messages",
        "check_estimators_fit_returns_self",
        "check_estimators_nan_inf",
        "check_estimators_overwrite_params",
        "check_estimators_pickle",
        "check_f_contiguous_array_estimator",
        "check_fit2d_1feature",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_fit_check_is_fitted",
        "check_fit_idempotent",
        "check_fit_score_takes_y",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_n_features_in",
        "check_n_features_in_after_fitting",
        "check_pipeline_consistency",
        "check_positive_only_tag_during_fit",
        "check_readonly_memmap_input",
        "check_transformer_data_not_an_array",
        "check_transformer_general",
    ],
    NO_ARRAY,
)
#: What fails even if every row of an array is made a graph: what is asked of the array itself.
ABOUT_ARRAYS = {
    "check_complex_data": "complex numbers have a message of their own in scikit-learn",
    "check_estimator_sparse_array": "asks for a message about sparse arrays",
    "check_estimator_sparse_matrix": "asks for a message about sparse matrices",
    "check_estimator_sparse_tag": "asks for a message about sparse arrays",
    "check_estimators_empty_data_messages": "asks for a message about arrays without columns",
    "check_estimators_nan_inf": "asks for a message about NaN",
    "check_fit2d_predict1d": "asks for a message about the shape of an array",
    "check_n_features_in": "graphs have no number of features",
    "check_n_features_in_after_fitting": "graphs have no number of features",
    "check_transformer_general": "passes but for its end: graphs to transform may have any number of vertices",
}


class AsIfOfArrays(ColourHistogram):
    """With the true tag scikit-learn leaves out all checks; with this one it makes them all."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


class OfRows(AsIfOfArrays):
    """Takes arrays: a row is a path whose labels are the numbers in it, rounded down."""

    def fit(self, X: Any, y: Any = None) -> OfRows:
        super().fit(_paths(X))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        return super().fit_transform(_paths(X))

    def transform(self, X: Any) -> Any:
        return super().transform(_paths(X))


def _paths(X: Any) -> Any:
    rows = np.asarray(X)
    if rows.ndim != 2:
        return rows
    steps = [(i, i + 1) for i in range(rows.shape[1] - 1)]
    return [Graph.from_edges(len(row), steps, labels=np.floor(row)) for row in rows]


@parametrize_with_checks([OfRows()], expected_failed_checks=lambda estimator: ABOUT_ARRAYS)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("estimator", "declared"), [(AsIfOfArrays(), NEEDS_ARRAYS), (OfRows(), ABOUT_ARRAYS)])
def test_what_is_declared_is_exactly_what_fails(estimator, declared):
    done = check_estimator(estimator, on_fail=None, on_skip=None)
    failed = {one["check_name"] for one in done if one["status"] == "failed"}
    assert failed == set(declared)
    assert sum(one["status"] == "passed" for one in done) > 10


def test_scikit_learn_is_told_that_x_are_graphs():
    tags = ColourHistogram().__sklearn_tags__()
    assert not tags.input_tags.two_d_array
    assert tags.input_tags.string
    assert tags.requires_fit
    assert tags.transformer_tags.preserves_dtype == []
