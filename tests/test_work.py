"""Many fits at once: the same results for any number of workers, and a progress bar."""

from threading import Event

import joblib
import numpy as np
import pytest
from joblib.externals.loky import process_executor
from sklearn.tree import DecisionTreeClassifier

from errlab import bootstrap, crossval
from errlab._core import workers

X = np.sin(np.arange(120.0) ** 2).reshape(40, 3)
y = np.where(X[:, 0] + 0.7 * X[::-1, 1] > 0, "yes", "no")
TREE = DecisionTreeClassifier(random_state=0)


@pytest.mark.slow
def test_the_answer_does_not_depend_on_the_workers():
    nested, drawn = (
        [function(TREE, X, y, rng=0, n_jobs=n_jobs, **options) for n_jobs in (1, None, 2)]
        for function, options in (
            (crossval.estimate, {"cv": 4, "target": "model", "repeats": 3}),
            (bootstrap.loo_bootstrap, {"resamples": 20}),
        )
    )
    assert len({result.to_json() for result in nested}) == 1
    assert len({tuple(result.losses) for result in drawn}) == 1


@pytest.mark.slow
def test_a_worker_that_stops_while_it_gets_work_is_replaced_without_a_word(monkeypatch):
    """A worker stops after some idle time; here it gets work before joblib's thread knows."""
    stopped, given, raised = Event(), Event(), []
    manager = process_executor._ExecutorManagerThread
    original = manager.process_result_item

    def late(self, item):
        if isinstance(item, int):  # not a result, but the id of a process that has stopped
            stopped.set()
            given.wait()
        try:
            original(self, item)
        except UserWarning as warning:  # it would end the thread, and this test would never end
            raised.append(warning)
            self.executor_reference()._adjust_process_count()

    class Jobs(list):
        def __iter__(self):
            for number, job in enumerate(super().__iter__()):
                if number == 2:
                    given.set()
                yield job

    monkeypatch.setattr(manager, "process_result_item", late)
    with joblib.parallel_config("loky", idle_worker_timeout=0.5):
        workers.each(abs, [(-1,), (-2,)], n_jobs=2)
        stopped.wait()
        assert workers.each(abs, Jobs((-number,) for number in range(4)), n_jobs=2) == [0, 1, 2, 3]
    assert raised == []


def test_the_meter_is_silent_at_first_and_ends_its_line(monkeypatch, capsys):
    jobs = [(number,) for number in range(50)]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert workers.each(float, jobs, n_jobs=1) == list(range(50))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(workers, "PATIENCE", 0)
    monkeypatch.setattr(workers, "PAUSE", 0)
    workers.each(float, jobs, n_jobs=1)
    text = capsys.readouterr().err
    assert text.endswith("[" + 30 * "#" + "] 50 of 50\n")
    assert "\r[###############               ] 25 of 50" in text
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    workers.each(float, jobs, n_jobs=1)
    assert capsys.readouterr().err == ""
