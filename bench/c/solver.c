/* The search of engines/isolation/solver/dfs.py in C, node for node, to compare speeds.
 *
 * Reads from stdin: the number of cells, "knights" and 81 words, five mirrors of 81 squares, how many verdicts are
 * kept for each pair of squares, and positions "even odd mover other". Writes the nodes of all of them, how many are
 * won, and the CPU seconds of the search alone. One table serves all positions.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int64_t word;
enum { CELLS = 81, PATHS = 60, PART = 7, PARTS = 6, EXACT = 127, MIRRORED = 2 };
enum { LOST = 0, WON = 1, UNKNOWN = -1 };

/* Why a verdict holds: the winner's trail is blank, the walls are not; above the last wall the verdict. */
typedef struct { word trail[2], walls[2]; } grounds;

static word knights[CELLS], image[5][CELLS], leap[2][PARTS][1 << PART];
static unsigned char swapped[CELLS][CELLS];
static grounds *decided;
static int *turns;
static int cells, ways;
static word nodes;
static const word ALL = ((word)1 << 41) - 1;

static int count(word w) { return __builtin_popcountll((uint64_t)w); }
static int lowest(word w) { return __builtin_ctzll((uint64_t)w); }
static int least(int a, int b) { return a < b ? a : b; }

static word leaps(word w, int colour) {
    word(*t)[1 << PART] = leap[colour];
    word found = t[0][w & 127] | t[1][w >> 7 & 127] | t[2][w >> 14 & 127] | t[3][w >> 21 & 127];
    if (w >> 28) found |= t[4][w >> 28 & 127] | t[5][w >> 35];
    return found;
}

static int mirrored(const word blank[2], int mover, int other) {
    for (int swaps = swapped[mover][other]; swaps; swaps &= swaps - 1) {
        int m = lowest(swaps), holds = 1;
        for (int colour = 0; colour < 2; colour++)
            for (word rest = blank[colour]; rest && holds; rest &= rest - 1) {
                int square = 2 * lowest(rest) + colour, there = (int)image[m][square];
                holds = (blank[there & 1] >> (there >> 1) & 1) && there != square;
            }
        if (holds) return 1;
    }
    return 0;
}

/* What can be reached from these cells of that colour; 1 as soon as some of it is the goal. */
static int flood(const word blank[2], word fresh, int colour, int goal_colour, word goal, word seen[2]) {
    seen[0] = seen[1] = 0;
    while (fresh) {
        seen[colour] |= fresh;
        if (colour == goal_colour && fresh & goal) return 1;
        fresh = leaps(fresh, colour) & blank[1 - colour] & ~seen[1 - colour];
        colour = 1 - colour;
    }
    return 0;
}

/* A path's length and cells; in *most a length that none exceeds. */
static int longest(const word region[2], int at, int wanted, int *most, word trail[2]) {
    int ahead = count(region[1 - (at & 1)]), behind = count(region[at & 1]);
    int ceiling = least(2 * ahead, 2 * behind + 1), best = 0, floor = wanted - 1, depth = 0, here[CELLS + 2];
    word rest[CELLS + 2], left[2] = {region[0], region[1]};
    trail[0] = trail[1] = 0;
    if (wanted == EXACT) floor = 0, wanted = ceiling;
    if (ceiling < wanted) { *most = wanted - 1; return 0; }
    if (wanted <= 0) { *most = ceiling; return 0; }
    here[0] = at;
    rest[0] = knights[at] & left[1 - (at & 1)];
    for (int step = 0; step < PATHS; step++) {
        int stand = here[depth];
        if (!rest[depth] || depth + least(2 * ahead, 2 * behind + 1) <= floor) {
            if (!depth) { *most = floor; return best; }
            left[stand & 1] ^= (word)1 << (stand >> 1);
            int was = ahead;
            ahead = behind + 1;
            behind = was;
            depth--;
            continue;
        }
        int square = 2 * lowest(rest[depth]) + 1 - (stand & 1), was = behind;
        rest[depth] &= rest[depth] - 1;
        left[square & 1] ^= (word)1 << (square >> 1);
        behind = ahead - 1;
        ahead = was;
        here[++depth] = square;
        rest[depth] = knights[square] & left[1 - (square & 1)];
        if (depth > floor) {
            best = floor = depth;
            trail[0] = region[0] ^ left[0];
            trail[1] = region[1] ^ left[1];
            if (best >= wanted) break;
        }
    }
    *most = ceiling;
    return best;
}

static void boundary(const word blank[2], const word region[2], int at, word walls[2]) {
    word from[2] = {region[0], region[1]};
    from[at & 1] |= (word)1 << (at >> 1);
    walls[0] = leaps(from[1], 1) & ~blank[0];
    walls[1] = leaps(from[0], 0) & ~blank[1];
}

static int separated(const word blank[2], int mover, int other, word own, word theirs, grounds *why) {
    word mine[2], his[2], trail[2], way[2];
    int low, high, other_low, other_high;
    if (flood(blank, own, 1 - (mover & 1), 1 - (other & 1), theirs, mine)) return UNKNOWN;
    flood(blank, theirs, 1 - (other & 1), 0, 0, his);
    if (count(mine[0]) + count(mine[1]) <= count(his[0]) + count(his[1])) {
        low = longest(mine, mover, EXACT, &high, trail);
        other_low = longest(his, other, high, &other_high, way);
    } else {
        other_low = longest(his, other, EXACT, &other_high, way);
        low = longest(mine, mover, other_high + 1, &high, trail);
    }
    if (low > other_high) {
        why->trail[0] = trail[0], why->trail[1] = trail[1];
        boundary(blank, his, other, why->walls);
        return WON;
    }
    if (high <= other_low) {
        why->trail[0] = way[0], why->trail[1] = way[1];
        boundary(blank, mine, mover, why->walls);
        return LOST;
    }
    return UNKNOWN;
}

static int list_moves(const word blank[2], int mover, int other, word own, word theirs, word their_next,
                      int *moves, word *listed) {
    int colour = 1 - (mover & 1), rivals = !((mover ^ other) & 1), found = 0;
    word ahead = blank[colour], onward = blank[1 - colour];
    *listed = 0;
    for (word rest = own; rest; rest &= rest - 1) {
        word bit = rest & -rest, left = ahead ^ bit;
        int square = 2 * lowest(bit) + colour;
        word exits = knights[square] & onward;
        if (!exits) continue;
        *listed |= bit;
        int room = count(exits) + count(leaps(exits, 1 - colour) & left);
        if (!rivals) room -= count(theirs) + count(their_next & left);
        else {
            word still = theirs & ~bit, beyond = still == theirs ? their_next : leaps(still, colour) & onward;
            room -= count(still) + count(beyond) + count(leaps(beyond, 1 - colour) & left & ~still);
        }
        int entry = (128 - room) * 128 + square, slot = found++;
        for (; slot > 0 && moves[slot - 1] > entry; slot--) moves[slot] = moves[slot - 1];
        moves[slot] = entry;
    }
    return found;
}

static int solve(word even, word odd, int mover, int other, int ply, grounds *why) {
    word blank[2] = {even, odd}, listed;
    int next = 1 - (mover & 1), their = 1 - (other & 1), verdict, moves[8];
    word own = knights[mover] & blank[next], theirs = knights[other] & blank[their], next_theirs;
    nodes++;
    *why = (grounds){{0, 0}, {0, 0}};
    if (!own) {
        why->walls[next] = knights[mover];
        return LOST;
    }
    if (!theirs) {
        why->trail[next] = own & -own;
        why->walls[their] = knights[other];
        return WON;
    }
    if (next == their && !(theirs & (theirs - 1)) && own & theirs) {
        why->trail[next] = theirs;
        why->walls[their] = knights[other] ^ theirs;
        return WON;
    }
    int row = mover * cells + other;
    grounds *kept = decided + (word)row * ways;
    for (int way = 0; way < ways; way++) {
        grounds *g = kept + way;
        if ((g->trail[0] & ~even) | (g->trail[1] & ~odd) | (g->walls[0] & even) | (g->walls[1] & odd)) continue;
        if (!(g->walls[1] >> 48)) break;
        *why = *g;
        why->walls[1] &= ALL;
        return (int)(g->walls[1] >> 48) - 1;
    }
    if (ply <= MIRRORED && mirrored(blank, mover, other)) {
        *why = (grounds){{even, odd}, {ALL & ~even, ALL & ~odd}};
        verdict = LOST;
    } else {
        word next_own = leaps(own, next) & blank[1 - next];
        next_theirs = leaps(theirs, their) & blank[1 - their];
        word met = next == their ? (own & theirs) | (next_own & next_theirs) : (own & next_theirs) | (next_own & theirs);
        verdict = met ? UNKNOWN : separated(blank, mover, other, own, theirs, why);
    }
    if (verdict == UNKNOWN) {
        verdict = LOST;
        int total = list_moves(blank, mover, other, own, theirs, next_theirs, moves, &listed);
        *why = (grounds){{0, 0}, {0, 0}};
        for (int i = 0; i < total && verdict == LOST; i++) {
            int square = moves[i] & 127;
            word bit = (word)1 << (square >> 1);
            grounds child;
            int found = solve(next ? even : even ^ bit, next ? odd ^ bit : odd, other, square, ply + 1, &child);
            child.walls[next] &= ~bit;
            if (found == LOST) {
                *why = child;
                why->trail[next] |= bit;
                verdict = WON;
            } else
                for (int c = 0; c < 2; c++) why->trail[c] |= child.trail[c], why->walls[c] |= child.walls[c];
        }
        if (verdict == LOST) {
            why->walls[next] |= knights[mover] & ~own;
            for (word rest = own & ~listed; rest; rest &= rest - 1) {
                why->walls[1 - next] |= knights[2 * lowest(rest) + next];
                word replies = next == their ? theirs & ~(rest & -rest) : theirs;
                if (!(why->trail[their] & replies)) why->trail[their] |= replies & -replies;
            }
        }
    }
    grounds *slot = kept + turns[row];
    *slot = *why;
    slot->walls[1] |= (word)(verdict + 1) << 48;
    turns[row] = turns[row] + 1 < ways ? turns[row] + 1 : 0;
    return verdict;
}

static void read_row(word *row) {
    for (int i = 0; i < CELLS; i++)
        if (scanf("%ld", &row[i]) != 1) exit(2);
}

int main(void) {
    int won = 0;
    if (scanf("%d", &cells) != 1) return 2;
    read_row(knights);
    for (int m = 0; m < 5; m++) read_row(image[m]);
    for (int m = 0; m < 5; m++)
        for (int s = 0; s < cells; s++)
            if (image[m][s] != s) swapped[s][image[m][s]] |= (unsigned char)(1 << m);
    for (int s = 0; s < cells; s++)
        for (int bits = 0; bits < 1 << PART; bits++)
            if (bits >> ((s >> 1) % PART) & 1) leap[s & 1][(s >> 1) / PART][bits] |= knights[s];
    if (scanf("%d", &ways) != 1) return 2;
    decided = calloc((size_t)(cells * cells * ways), sizeof *decided);
    turns = calloc((size_t)(cells * cells), sizeof *turns);
    word even, odd, mover, other;
    clock_t spent = 0;
    while (scanf("%ld %ld %ld %ld", &even, &odd, &mover, &other) == 4) {
        clock_t began = clock();
        grounds why;
        won += solve(even, odd, (int)mover, (int)other, 0, &why) == WON;
        spent += clock() - began;
    }
    printf("%ld %d %.6f\n", nodes, won, (double)spent / CLOCKS_PER_SEC);
    return 0;
}
