"""Territory: the cells that each snake is the first to reach alive.

All snakes flood the board at once. At step `t` a snake comes to a cell beside one that it has, if

- no body is there any more: a segment leaves when its snake has moved on that far, a doubled tail one step
  later, a constrictor's never (nobody's food on the way puts that off);
- it comes alive: a step costs 1 health, hazards cost or heal by their layers, food sets health to 100 (later
  food counts as eaten with the first, which spares further health layers and hardly matters);
- no longer snake comes at the same step. Of equals nobody gets the cell, and it is closed from then on;
- it has room: a snake with fewer than `t` cells at step `t` has run out of room; it claims no more.

A snake may wait, an even number of steps, before a cell that is not free yet.

`tail_reached` is 1 if the cell of the last segment lies in the snake's own territory: a hint that it can live
by following its tail. The last segment leaves with the first step; a doubled tail is free one step later, a
constrictor's, doubled in every turn, never. Where the head lies on the tail (all segments on one cell, at the
start of a game) it is 1: a head's cell is its own.

`territory.territory` is what evaluations call. It floods by the form of the grid (`context.flood_context`
picks the fastest that the board admits); where a flood gives up, another begins anew::

    grid[0].form    hazards            flood          gives up            then
    BITBOARDS       none, or healing   flood          one may starve      flood_health (none),
                                                                          flood_cells (healing)
    BITBOARDS       hurting            flood_health   never
    ROW_BITBOARDS   none, healing      flood_rows     one may starve      flood_cells
                    or deadly
    CELL_BFS        any                flood_cells    never

Two bitboards are for boards of up to 126 squares with closed edges, row bitboards for up to 62 columns, also
wrapped, `flood_cells` for all that is left. All find the same. The calls::

    territory.territory
      simultaneous_flood.flood
        flood_two                  two living snakes whose bodies nowhere cross themselves
          body_prefixes            bodies as differences, kept up to date by a search
        flood_any                  any number, bodies laid anew
      simultaneous_flood.flood_health
        flood_any                  with health layers
          health_layers            cells by the health that a snake still has there
      row_bitboards.flood_rows
      cell_bfs.flood_cells

`context` holds the board and the scratch of all of them, `bitboards` the steps that floods on two bitboards
share, `bits` counts bits.
"""
