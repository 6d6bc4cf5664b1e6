"""Settings of the whole suite: hypothesis is derandomised, so that a run is the same run everywhere."""

import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quadriga",
    derandomize=True,
    deadline=None,  # no wall-clock assertions
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("quadriga")

# Set where every outside part has been brought along (`.ci/run`): then a skip would hide its absence.
# The official Battlesnake program alone may be missing there; `.ci/run` tells of the tests that need it.
REQUIRED = os.environ.get("QUADRIGA_REQUIRE_OUTSIDE") == "1"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    required = item.get_closest_marker("outside") and not item.get_closest_marker("referee")
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail") and required:
        report.outcome = "failed"
        report.longrepr = f"an outside part is required here: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if REQUIRED and report.outcome == "skipped":
        report.outcome = "failed"
        report.longrepr = f"an outside part is required here: {report.longrepr}"
    return report
