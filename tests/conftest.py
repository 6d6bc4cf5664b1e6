"""Settings of the whole suite: hypothesis is derandomised, so that a run is the same run everywhere."""

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
