"""The tuned search: deepening over moves that are made at once.

With one rival left, a node near the root (`Tuning.mixed`) where both heads can enter one cell is a matrix
game: it is worth what best mixed play makes of all pairs of words. Elsewhere the order of moving changes
little, and the rival chooses after you (which costs a fraction of the pairs). With more rivals, one of those
near you at a time deviates from a plain habit that all others follow. A draw has a worth of its own.

At the root all pairs are valued, and a word by what the others may plausibly do: `Findings.scores`. Or, at
half the cost, a duel's words by their worst reply alone, and only the best of them exactly (`by_word`).

Words and replies that are not the likely best of a node may be looked at less deep (`Tuning.late`): what is
expected of them is that they change nothing, and where one would it is looked at again in full.

The tree is walked by a machine with an explicit stack, so a search rests and goes on after any turn.
Tables remember what was best at nodes seen before, in this search alone, though their arrays serve the next.

From the outside in: `search` deepens and counts, and `findings` says how it is set and what it tells; a
`walker` is a place in the tree; `walk` plays the turns; `listing` says which words and replies a node tries,
`pairs` which of them is next and what its value does; `node` names what is noted of a node.
"""
