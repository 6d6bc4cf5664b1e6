"""Learning."""

import numpy as np
import pytest

from engines.core.rng import seeded
from engines.flag.equilibrium.fast_round import AFTER, WINNER
from engines.flag.equilibrium.learning import FACTORED, Learner, Valuation, coalesce, fit, harvest
from engines.flag.equilibrium.local_search import Effort
from engines.flag.equilibrium.value import EMBEDDING, HEAD, HIDDEN, Network

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code


def test_learning_is_the_same_again_and_lessens_the_error():
    def course():
        random, rng = seeded(5), np.random.Generator(np.random.PCG64(1))
        parts, head = np.zeros((4, 2, FACTORED, HIDDEN), np.float32), np.zeros(HEAD, np.float32)
        virtual = FACTORED - EMBEDDING[2]
        parts[:, :, EMBEDDING[2] :] = rng.normal(0, 0.3, (4, 2, virtual, HIDDEN))
        head[..., :HIDDEN] = rng.normal(0, 0.05, (*HEAD[:3], HIDDEN))
        learner = Learner(parts, np.full_like(parts, 1e-3), head, np.full_like(head, 1e-3))
        net = Network(np.zeros(EMBEDDING, np.float32), head)
        coalesce(parts, net.embedding)
        seen, worth, after = np.zeros((60, AFTER), np.int64), np.zeros(60), np.zeros(AFTER, np.int64)
        after[WINNER] = 0
        harvest(random, net, after, seen, worth, Valuation(Effort(4, 30, 1), 0.98, 0.2))
        errors = [fit(random, learner, seen, worth, 600, 0.003) for _ in range(6)]
        coalesce(parts, net.embedding)
        return errors, net.embedding, worth

    errors, rows, worth = course()
    again = course()
    assert errors[-1] < 0.5 * errors[0]
    assert np.abs(worth).max() <= 1
    assert errors == again[0]
    assert (rows == again[1]).all()
