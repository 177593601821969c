"""The scikit-learn estimator: scikit-learn's own checks, and what people do with it."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks
from strategies import random_table

import anytimebn as ab

DATA = random_table([2, 3, 2, 4], rows=300, seed=3)
FRAME = DATA.to_pandas()
ARRAY = FRAME.to_numpy()


# No check is expected to fail. scikit-learn itself leaves out what does not apply to categorical
# unsupervised estimators (targets, sample weights), and input of the array API.
@parametrize_with_checks([ab.BayesianNetworkLearner(), ab.BayesianNetworkLearner(bins=3)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_estimator_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_fit_gives_what_learn_gives():
    result = ab.learn(FRAME, score="bdeu", max_parents=2)
    learner = ab.BayesianNetworkLearner(score="bdeu", max_parents=2).fit(FRAME)
    assert learner.result_.status == "optimal"
    assert learner.result_.cost == result.cost
    assert learner.result_.network is learner.network_
    assert learner.network_.arcs == result.network.arcs
    assert learner.n_features_in_ == 4
    assert list(learner.feature_names_in_) == list(FRAME.columns)
    matrix = learner.adjacency_matrix_
    found = {(a, b) for a in matrix.index for b in matrix.columns if matrix.loc[a, b]}
    assert found == set(result.network.arcs)


def test_arrays_have_names_by_position():
    learner = ab.BayesianNetworkLearner().fit(ARRAY)
    assert learner.network_.names == ("X0", "X1", "X2", "X3")
    assert not hasattr(learner, "feature_names_in_")
    assert isinstance(learner.adjacency_matrix_, np.ndarray)
    assert learner.adjacency_matrix_.sum() == len(learner.network_.arcs)
    with pytest.warns(UserWarning, match="fitted without feature names"):  # by scikit-learn
        assert learner.score(FRAME.set_axis(list("abcd"), axis=1)) == learner.score(ARRAY)


def test_score_is_a_parameter_and_a_method():
    learner = ab.BayesianNetworkLearner(score="bdeu")
    assert learner.get_params()["score"] == "bdeu"
    assert "score='bdeu'" in repr(learner)
    learner.set_params(score="bic")
    assert clone(learner).get_params()["score"] == "bic"
    learner.fit(FRAME)
    assert learner.result_.score_name == "bic"
    expected = learner.network_.log_likelihood(FRAME) / len(FRAME)
    assert np.isclose(learner.score(FRAME), expected)
    assert learner.score_samples(FRAME).shape == (300,)
    assert "mean log-likelihood" in ab.BayesianNetworkLearner.score.__doc__


def test_pickled_learner_and_result_are_the_same():
    learner = ab.BayesianNetworkLearner(score="bic").fit(FRAME)
    back = pickle.loads(pickle.dumps(learner))
    assert back.get_params() == learner.get_params()
    assert back.score(FRAME) == learner.score(FRAME)
    assert back.result_.events == learner.result_.events
    assert back.network_.arcs == learner.network_.arcs


def test_grid_search_chooses_score_and_max_parents():
    grid = {"score": ["mdl", "bdeu"], "max_parents": [0, 2]}
    search = GridSearchCV(ab.BayesianNetworkLearner(), grid, cv=3, error_score="raise").fit(FRAME)
    assert search.best_params_["max_parents"] == 2
    assert search.best_estimator_.result_.score_name == search.best_params_["score"]
    assert search.score(FRAME) == search.best_estimator_.score(FRAME)


def test_pipeline_cuts_numbers_before_learning():
    random = np.random.default_rng(0)
    first = random.normal(size=400)
    numbers = np.column_stack([first, first + 0.1 * random.normal(size=400), random.random(400)])
    binner = KBinsDiscretizer(
        3, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf"
    )
    pipeline = make_pipeline(binner, ab.BayesianNetworkLearner()).fit(numbers)
    assert len(pipeline[-1].network_.arcs) == 1
    assert cross_val_score(pipeline, numbers, cv=3).shape == (3,)
    # Or the learner cuts them itself, and new numbers in the same places.
    own = ab.BayesianNetworkLearner(bins=3).fit(numbers)
    assert np.isfinite(own.score(numbers + 1.0))


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (FRAME, pd.DataFrame),
        (pl.from_pandas(FRAME), pl.DataFrame),
        (DATA.to_arrow(), type(DATA.to_arrow())),
        (ARRAY, np.ndarray),
        (ARRAY.tolist(), np.ndarray),
    ],
)
def test_sample_looks_like_what_was_learned_from(table, kind):
    learner = ab.BayesianNetworkLearner(seed=5).fit(table)
    drawn = learner.sample(50)
    assert isinstance(drawn, kind)
    assert np.isfinite(learner.score(drawn))
    numbers = np.asarray(drawn)
    assert drawn.shape == (50, 4)
    assert set(np.unique(numbers)) <= {0, 1, 2, 3}
    assert np.array_equal(np.asarray(learner.sample(50)), np.asarray(drawn))
    assert not np.array_equal(np.asarray(learner.sample(50, seed=1)), np.asarray(drawn))


def test_samples_of_text_are_objects():
    words = np.array([["a", "x"], ["b", "x"], ["b", "y"]] * 5, dtype=object)
    drawn = ab.BayesianNetworkLearner().fit(words).sample(20)
    assert drawn.dtype == object
    assert set(drawn[:, 0]) == {"a", "b"}


def test_categories_that_no_row_shows_are_known():
    frame = pd.DataFrame({"a": list("xyxy"), "b": list("uvuv")})
    new = pd.DataFrame({"a": ["z"], "b": ["u"]})
    plain = ab.BayesianNetworkLearner().fit(frame)
    with pytest.raises(ab.InputError, match="column 'a' has the value 'z' at row 0"):
        plain.score(new)
    declared = frame.assign(a=pd.Categorical(frame["a"], categories=list("zyx")))
    learner = ab.BayesianNetworkLearner().fit(declared)
    assert learner.network_.states[0] == ("x", "y", "z")
    assert np.isfinite(learner.score(new))
    enum = pl.from_pandas(frame).with_columns(pl.col("a").cast(pl.Enum(["x", "y", "z"])))
    assert ab.BayesianNetworkLearner().fit(enum).network_.states[0] == ("x", "y", "z")


def test_constraints_and_limits_are_passed_on():
    names = list(FRAME.columns)
    learner = ab.BayesianNetworkLearner(
        require=[(names[0], names[1])], max_expansions=10, equivalent_sample_size=0
    ).fit(FRAME)
    assert (names[0], names[1]) in learner.network_.arcs
    expected = FRAME[names[0]].value_counts(normalize=True).sort_index()
    if not learner.network_.parents[0]:
        np.testing.assert_allclose(learner.network_.probabilities[0], expected)
    with pytest.raises(ab.InputError, match="unknown score 'mdk'"):
        ab.BayesianNetworkLearner(score="mdk").fit(FRAME)


def test_missing_values_are_refused_or_made_a_value():
    frame = pd.DataFrame({"a": ["x", None, "y"] * 4, "b": ["u", "v", "v"] * 4})
    with pytest.raises(ab.InputError, match="missing values in column 'a'"):
        ab.BayesianNetworkLearner().fit(frame)
    learner = ab.BayesianNetworkLearner(missing="category").fit(frame)
    assert np.isfinite(learner.score(frame))


def test_with_scikit_learn_the_estimator_is_listed():
    assert "BayesianNetworkLearner" in dir(ab)


def test_without_scikit_learn_the_rest_works_and_the_extra_is_named():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from anytimebn import *\n"
        "import pydoc, anytimebn as ab\n"
        "assert 'Learn Bayesian network' in pydoc.render_doc(ab)\n"
        "try: ab.BayesianNetworkLearner\n"
        "except ImportError as error: print(error)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "BayesianNetworkLearner needs sklearn: pip install 'anytimebn[sklearn]'" in ended.stdout
