"""Applications under test, in process: kernels are loaded once for the whole run."""

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.runtime.loader import Engines
from app.settings import Settings


@pytest.fixture(scope="session")
def engines():
    loaded = Engines()
    loaded.load(Settings(_env_file=None))
    assert loaded.ready, loaded.failure
    return loaded


@pytest.fixture(scope="session")
def app(engines):
    return create_app(Settings(_env_file=None), engines=engines)


@pytest.fixture(scope="session")
def client(app):
    with TestClient(app, raise_server_exceptions=False) as found:
        yield found
