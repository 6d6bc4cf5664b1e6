/* The search of engines/isolation/solver.py in C, node for node, to compare speeds.
 *
 * Reads from stdin: "knights" and 81 words, five mirrors of 81 squares, 81 keys each for cells, mover and other,
 * then the table's bits, and positions "even odd mover other". Writes the nodes of all of them and the CPU seconds
 * of the search alone. One table serves all positions.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int64_t word;
enum { CELLS = 81, PATHS = 60, STORE_FROM = 5 };
enum { LOST = 0, WON = 1, UNKNOWN = -1 };

static word knights[CELLS], image[5][CELLS], cell_key[CELLS], mover_key[CELLS], other_key[CELLS];
static unsigned char swapped[CELLS][CELLS];
static word (*table)[2];
static word mask, nodes;

static int count(word w) { return __builtin_popcountll((uint64_t)w); }
static int lowest(word w) { return __builtin_ctzll((uint64_t)w); }

static int mirrored(word even, word odd, int mover, int other) {
    for (int swaps = swapped[mover][other]; swaps; swaps &= swaps - 1) {
        int m = lowest(swaps), holds = 1;
        for (int colour = 0; colour < 2; colour++)
            for (word rest = colour ? odd : even; rest && holds; rest &= rest - 1) {
                int square = 2 * lowest(rest) + colour, there = (int)image[m][square];
                holds = ((there & 1 ? odd : even) >> (there >> 1) & 1) && there != square;
            }
        if (holds) return 1;
    }
    return 0;
}

static word step_on(word w, int colour) {
    word found = 0;
    for (; w; w &= w - 1) found |= knights[2 * lowest(w) + colour];
    return found;
}

static int apart(word even, word odd, int mover, int other) {
    word goal = knights[other] & (other & 1 ? even : odd), seen[2] = {0, 0};
    int goal_colour = 1 - (other & 1), colour = 1 - (mover & 1);
    word fresh = knights[mover] & (colour ? odd : even);
    while (fresh) {
        if (colour == goal_colour && fresh & goal) return 0;
        seen[colour] |= fresh;
        word spread = step_on(fresh, colour);
        colour = 1 - colour;
        fresh = spread & (colour ? odd : even) & ~seen[colour];
    }
    return 1;
}

static int path_bound(word even, word odd, int at) {
    int first = count(at & 1 ? even : odd), second = count(at & 1 ? odd : even);
    return 2 * first < 2 * second + 1 ? 2 * first : 2 * second + 1;
}

static void longest(word even, word odd, int at, int *least, int *most) {
    int ceiling = path_bound(even, odd, at), best = 0, depth = 0, here[CELLS + 2];
    word left[CELLS + 2];
    here[0] = at;
    left[0] = knights[at] & (at & 1 ? even : odd);
    for (int step = 0; step < PATHS; step++) {
        word rest = left[depth];
        int stand = here[depth];
        if (!rest || depth + path_bound(even, odd, stand) <= best) {
            if (!depth) { *least = *most = best; return; }
            if (stand & 1) odd |= (word)1 << (stand >> 1); else even |= (word)1 << (stand >> 1);
            depth--;
            continue;
        }
        int square = 2 * lowest(rest) + 1 - (stand & 1);
        left[depth] = rest & (rest - 1);
        if (square & 1) odd ^= (word)1 << (square >> 1); else even ^= (word)1 << (square >> 1);
        here[++depth] = square;
        left[depth] = knights[square] & (square & 1 ? even : odd);
        if (depth > best) best = depth;
        if (best == ceiling) { *least = *most = best; return; }
    }
    *least = best;
    *most = ceiling;
}

static int at_sight(word even, word odd, int mover, int other) {
    word own = knights[mover] & (mover & 1 ? even : odd), theirs = knights[other] & (other & 1 ? even : odd);
    if (!own) return LOST;
    if (!theirs) return WON;
    if (!((mover ^ other) & 1) && !(theirs & (theirs - 1)) && own & theirs) return WON;
    if (mirrored(even, odd, mover, other)) return LOST;
    if (apart(even, odd, mover, other)) {
        int least, most, other_least, other_most;
        longest(even, odd, mover, &least, &most);
        longest(even, odd, other, &other_least, &other_most);
        if (least > other_most) return WON;
        if (most <= other_least) return LOST;
    }
    return UNKNOWN;
}

static int list_moves(word even, word odd, int mover, int other, int *moves, int *total) {
    int colour = 1 - (mover & 1), rivals = !((mover ^ other) & 1), found = 0;
    word ahead = colour ? odd : even, onward = colour ? even : odd;
    word theirs = knights[other] & (rivals ? ahead : onward), their_next = step_on(theirs, 1 - (other & 1));
    int their_room = count(theirs) + count(their_next & onward);
    for (word rest = knights[mover] & ahead; rest; rest &= rest - 1) {
        word bit = rest & -rest, left = ahead ^ bit;
        int square = 2 * lowest(bit) + colour;
        word exits = knights[square] & onward;
        if (!exits) continue;
        if (swapped[square][other] &&
            mirrored(square & 1 ? even : even ^ bit, square & 1 ? odd ^ bit : odd, other, square))
            return WON;
        int room = count(exits) + count(step_on(exits, 1 - colour) & left);
        if (!rivals) room -= count(theirs) + count(their_next & left);
        else if (!(theirs & bit)) room -= their_room;
        else room -= count(theirs) - 1 + count(step_on(theirs ^ bit, colour) & onward);
        int entry = (128 - room) * 128 + square, slot = found++;
        for (; slot > 0 && moves[slot - 1] > entry; slot--) moves[slot] = moves[slot - 1];
        moves[slot] = entry;
    }
    *total = found;
    return UNKNOWN;
}

static int solve(word even, word odd, int mover, int other, word hash) {
    word slot = (hash ^ mover_key[mover] ^ other_key[other]) & mask;
    word first = even | (word)mover << 41, second = odd | (word)other << 41;
    int keep = count(even) + count(odd) >= STORE_FROM, moves[8], total = 0;
    nodes++;
    if (keep && table[slot][0] == first && (table[slot][1] & (((word)1 << 48) - 1)) == second)
        return (int)(table[slot][1] >> 48) - 1;
    int verdict = at_sight(even, odd, mover, other);
    if (verdict == UNKNOWN) verdict = list_moves(even, odd, mover, other, moves, &total);
    if (verdict == UNKNOWN) {
        verdict = LOST;
        for (int i = 0; i < total && verdict == LOST; i++) {
            int square = moves[i] & 127;
            word bit = (word)1 << (square >> 1);
            if (solve(square & 1 ? even : even ^ bit, square & 1 ? odd ^ bit : odd, other, square,
                      hash ^ cell_key[square]) == LOST)
                verdict = WON;
        }
    }
    if (keep) {
        table[slot][0] = first;
        table[slot][1] = second | (word)(verdict + 1) << 48;
    }
    return verdict;
}

static void read_row(word *row) {
    for (int i = 0; i < CELLS; i++)
        if (scanf("%ld", &row[i]) != 1) exit(2);
}

int main(void) {
    int bits, won = 0;
    read_row(knights);
    for (int m = 0; m < 5; m++) read_row(image[m]);
    read_row(cell_key);
    read_row(mover_key);
    read_row(other_key);
    for (int m = 0; m < 5; m++)
        for (int s = 0; s < CELLS; s++)
            if (image[m][s] >= 0 && image[m][s] != s) swapped[s][image[m][s]] |= (unsigned char)(1 << m);
    if (scanf("%d", &bits) != 1) return 2;
    table = calloc((size_t)1 << bits, sizeof *table);
    mask = ((word)1 << bits) - 1;
    word even, odd, mover, other;
    clock_t spent = 0;
    while (scanf("%ld %ld %ld %ld", &even, &odd, &mover, &other) == 4) {
        clock_t began = clock();
        word hash = 0;
        for (word rest = even; rest; rest &= rest - 1) hash ^= cell_key[2 * lowest(rest)];
        for (word rest = odd; rest; rest &= rest - 1) hash ^= cell_key[2 * lowest(rest) + 1];
        won += solve(even, odd, (int)mover, (int)other, hash) == WON;
        spent += clock() - began;
    }
    printf("%ld %d %.6f\n", nodes, won, (double)spent / CLOCKS_PER_SEC);
    return 0;
}
