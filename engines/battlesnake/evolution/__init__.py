"""Rolling-horizon coevolution: your plans and those of your rivals are bred against each other.

One generation::

    evolution.Evolution    a population of genomes for you, and for each of the nearest rivals
      _evaluate            for each rival, against your best by first move; then for you, against the rivals'
                           best (for some turns, then SMART), and against SMART alone
        genome.roll_out          from here on compiled: a genome in a scenario, turn by turn
          decode                 a gene becomes a move that is not sure to be deadly
          rules.play_turn        all snakes move at once
          evaluation.evaluate    every few turns, and after the last
        fitness                  part worst scenario, part mean of all
      found                the fittest individual of each first move: what agents read
      _breed
        genome.breed             elites as they are; the others by tournament, crossover and mutation

`evolution` knows populations and scenarios, `genome` what a gene stands for and what a rollout is worth.
"""
