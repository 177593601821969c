"""The scikit-learn estimator: scikit-learn's own checks, and what people do with it."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_classifier
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
@pytest.mark.filterwarnings("ignore:.* cuts no column:anytimebn.DataWarning")
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
        plain.network_.log_likelihood(new)
    declared = frame.assign(a=pd.Categorical(frame["a"], categories=list("zyx")))
    learner = ab.BayesianNetworkLearner().fit(declared)
    assert learner.network_.states[0] == ("z", "y", "x")
    assert np.isfinite(learner.score(new))
    enum = pl.from_pandas(frame).with_columns(pl.col("a").cast(pl.Enum(["x", "y", "z"])))
    assert ab.BayesianNetworkLearner().fit(enum).network_.states[0] == ("x", "y", "z")


def test_cross_validation_of_rare_values_is_never_nan():
    rare = [f"only {row}" if row % 10 == 0 else "common" for row in range(60)]
    frame = pd.DataFrame({"a": rare, "b": ["x", "y"] * 30, "c": ["u", "v", "v"] * 20})
    for size, kind in ((1.0, np.isfinite), (0.0, lambda scores: ~np.isnan(scores))):
        learner = ab.BayesianNetworkLearner(equivalent_sample_size=size)
        scores = cross_val_score(learner, frame, cv=4, error_score="raise")
        assert kind(scores).all()


def test_values_that_were_not_seen_are_as_likely_as_states_without_a_row():
    frame = pd.DataFrame({"a": list("xxyxyy"), "b": list("uuvuvv")})
    learner = ab.BayesianNetworkLearner(require=["a->b"]).fit(frame)
    wider = frame.assign(a=pd.Categorical(frame["a"], list("xyz")))
    wider["b"] = pd.Categorical(frame["b"], list("uvw"))
    known = ab.BayesianNetworkLearner(require=["a->b"]).fit(wider)
    new = pd.DataFrame({"a": ["z", "x", "z"], "b": ["u", "w", "w"]})
    np.testing.assert_allclose(learner.score_samples(new), known.score_samples(new))
    np.testing.assert_allclose(
        learner.score_samples(frame), learner.network_.row_log_likelihoods(frame)
    )


@pytest.mark.parametrize("missing", ["category", "drop", "em"])
def test_cross_validation_of_missing_values_is_never_nan(missing):
    frame = FRAME.astype(object).copy()
    frame.iloc[:3, 0] = None  # in one fold only
    frame.iloc[150, 1] = None
    learner = ab.BayesianNetworkLearner(missing=missing)
    assert np.isfinite(cross_val_score(learner, frame, cv=4, error_score="raise")).all()


def test_missing_values_are_completed():
    random = np.random.default_rng(2)
    frame = FRAME.mask(random.random(FRAME.shape) < 0.1)
    learner = ab.BayesianNetworkLearner(missing="em").fit(frame)
    assert learner.result_.details["completion"]["values"] == int(frame.isna().sum().sum())
    assert learner.network_.arities == DATA.arities


def test_codes_are_categories_where_that_is_said():
    frame = pd.DataFrame({"code": [row % 40 for row in range(120)], "b": [0, 1, 1] * 40})
    with pytest.raises(ab.InputError, match="too many distinct numbers"):
        ab.BayesianNetworkLearner().fit(frame)
    learner = ab.BayesianNetworkLearner(categorical=["code"]).fit(frame)
    assert learner.network_.arities == (40, 2)


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


# --- with a target ---

FEATURES = FRAME.drop(columns=FRAME.columns[0])
LABELS = FRAME[FRAME.columns[0]].map({0: "no", 1: "yes"})


def test_y_is_a_variable_and_is_predicted():
    learner = ab.BayesianNetworkLearner(score="bdeu").fit(FEATURES, LABELS)
    assert learner.target_ == LABELS.name
    assert learner.network_.names == (*FEATURES.columns, LABELS.name)
    assert learner.n_features_in_ == 3
    assert learner.classes_.tolist() == ["no", "yes"]
    probabilities = learner.predict_proba(FEATURES)
    assert probabilities.shape == (300, 2)
    expected = learner.network_.predict_proba(FEATURES, LABELS.name)
    np.testing.assert_array_equal(probabilities, expected)
    predicted = learner.predict(FEATURES)
    assert predicted.tolist() == [["no", "yes"][row.argmax()] for row in probabilities]
    assert learner.score(FEATURES, LABELS) == (predicted == LABELS).mean()
    whole = FEATURES.assign(**{LABELS.name: LABELS})
    both = [
        learner.network_.row_log_likelihoods(whole.assign(**{LABELS.name: value}))
        for value in ("no", "yes")
    ]
    np.testing.assert_allclose(learner.score_samples(FEATURES), np.logaddexp(*both))
    back = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(back.predict(FEATURES), predicted)


@pytest.mark.parametrize(
    "y",
    [
        LABELS.to_numpy(),
        LABELS.tolist(),
        LABELS.to_numpy()[:, None],
        pl.Series("kind", LABELS.tolist()),
        LABELS.astype("category"),
    ],
)
def test_y_may_be_any_column(y):
    learner = ab.BayesianNetworkLearner().fit(ARRAY[:, 1:], y)
    assert set(learner.predict(ARRAY[:, 1:])) <= {"no", "yes"}
    assert learner.target_ in ("y", "kind", LABELS.name)
    assert 0.5 < learner.score(ARRAY[:, 1:], y) <= 1


@pytest.mark.parametrize("kind", [bool, np.int8, float, object])
def test_classes_have_the_type_of_y(kind):
    y = ARRAY[:, 0].astype(kind)
    learner = ab.BayesianNetworkLearner().fit(ARRAY[:, 1:], y)
    assert learner.classes_.dtype == y.dtype
    assert learner.predict(ARRAY[:, 1:]).dtype == y.dtype
    np.testing.assert_array_equal(learner.classes_, np.unique(y))


def test_target_may_be_a_column_of_the_table():
    name = FRAME.columns[0]
    learner = ab.BayesianNetworkLearner(target=name).fit(FRAME)
    assert learner.network_.names == tuple(FRAME.columns)
    assert learner.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(learner.predict(FRAME), learner.predict(FEATURES))
    assert learner.score(FRAME) == pytest.approx(learner.score_samples(FRAME).mean())
    assert learner.score(FRAME, FRAME[name]) == (learner.predict(FRAME) == FRAME[name]).mean()
    array = ab.BayesianNetworkLearner(target="X0").fit(ARRAY)
    np.testing.assert_array_equal(array.predict(ARRAY), array.predict(ARRAY[:, 1:]))
    with pytest.raises(ab.InputError, match="no variable 'X9'"):
        ab.BayesianNetworkLearner(target="X9").fit(ARRAY)
    with pytest.raises(ab.InputError, match="is a column of X, and y was given"):
        learner.fit(FRAME, LABELS)
    named = ab.BayesianNetworkLearner(target="label").fit(FEATURES, LABELS)
    assert named.target_ == "label"


def test_without_a_target_nothing_is_predicted():
    learner = ab.BayesianNetworkLearner()
    assert not hasattr(learner, "predict")
    learner.fit(FEATURES, LABELS)
    assert is_classifier(learner)
    learner.fit(FRAME)
    assert not hasattr(learner, "predict")
    assert not hasattr(learner, "classes_")
    assert not is_classifier(learner)


def test_y_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ab.BayesianNetworkLearner().fit(FEATURES, LABELS[:-1])
    with pytest.raises(ab.InputError, match="a single column is needed"):
        ab.BayesianNetworkLearner().fit(FEATURES, ARRAY[:, :2])
    with pytest.raises(ab.InputError, match="missing values in column 'y'"):
        ab.BayesianNetworkLearner().fit(ARRAY[:, 1:], np.where(ARRAY[:, 0] == 0, np.nan, 1.0))


def test_rows_with_holes_and_new_values_are_predicted():
    frame = FEATURES.astype(object)
    learner = ab.BayesianNetworkLearner(missing="drop").fit(frame, LABELS)
    holes = frame.mask(np.random.default_rng(0).random(frame.shape) < 0.4)
    assert set(learner.predict(holes)) <= {"no", "yes"}
    with pytest.warns(ab.DataWarning, match="counts as missing"):
        learner.predict(frame.assign(**{frame.columns[0]: 99}))


def test_pipeline_and_grid_search_predict():
    random = np.random.default_rng(0)
    numbers = random.normal(size=(300, 3))
    y = np.where(numbers[:, 0] + 0.3 * random.normal(size=300) > 0, "high", "low")
    binner = KBinsDiscretizer(
        4, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf"
    )
    pipeline = make_pipeline(binner, ab.BayesianNetworkLearner()).fit(numbers, y)
    assert pipeline.score(numbers, y) > 0.8
    assert pipeline.predict_proba(numbers).shape == (300, 2)
    assert pipeline.classes_.tolist() == ["high", "low"]
    grid = {"bayesiannetworklearner__max_parents": [0, 1]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(numbers, y)
    assert search.best_params_ == {"bayesiannetworklearner__max_parents": 1}
    assert search.best_score_ > 0.8
    assert set(search.predict(numbers)) == {"high", "low"}
    own = ab.BayesianNetworkLearner(bins=4, target="label")
    for scoring in ("accuracy", "neg_log_loss", "roc_auc"):
        found = cross_val_score(own, numbers, y, cv=3, scoring=scoring, error_score="raise")
        assert np.isfinite(found).all()
