"""Thin vector files to a size that the repository can carry.

    python tests/vectors/thin.py FILE... [--keep NAME=N]

Each tag that occurs in a file keeps at least five lines (fewer where there are fewer), rarest
first, then lines are taken evenly over the file up to N. The output stands beside this script.
Of recorded games the short ones stay whole; of the others the first frames are kept.
"""

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

KEEP = {"battlesnake": 5000, "ludo": 8000, "isolation": 4000, "flag": 6000}
PER_TAG = 5
SHORT = 200
"""Frames times snakes of a game that is kept whole."""
FIRST_FRAMES = 25


def tags(record: dict) -> list[str]:
    """What a line exercises: its own tags, and for others the set-ups they differ in."""
    found = list(record.get("tags", []))
    if "ruleset" in record:
        board = record["before"]
        found += [f"ruleset:{record['ruleset']['name']}", f"snakes:{len(board['snakes'])}"]
        found += [f"board:{board['width']}x{board['height']}"]
    if "blocked" in record:
        placed = sum(cell is not None for cell in record["players"])
        found += [f"board:{record['width']}x{record['height']}:{placed}", f"source:{record.get('source')}"]
    return found


def thin(lines: list[str], keep: int) -> list[str]:
    """The lines to keep, in their order."""
    tagged = [set(tags(json.loads(line))) for line in lines]
    counts = Counter(tag for found in tagged for tag in found)
    chosen: set[int] = set()
    have: Counter[str] = Counter()
    for tag, _ in sorted(counts.items(), key=lambda item: (item[1], item[0])):
        for index, found in enumerate(tagged):
            if have[tag] >= PER_TAG:
                break
            if tag in found and index not in chosen:
                chosen.add(index)
                have.update(found)
    stride = max(1, len(lines) // max(1, keep - len(chosen)))
    for index in range(0, len(lines), stride):
        if len(chosen) >= keep:
            break
        chosen.add(index)
    return [lines[index] for index in sorted(chosen)]


def thin_games(lines: list[str]) -> list[str]:
    """Every game, cut where it is long."""
    kept: list[str] = []
    left = 0
    for line in lines:
        if "recorded" in (record := json.loads(line)):
            game = record["recorded"]
            left = game["frames"]
            if left * game["snakes"] > SHORT and left > FIRST_FRAMES:
                left = FIRST_FRAMES
                game.update(frames=left, whole=False, result=None)
            kept.append(json.dumps(record, separators=(",", ":")))
        elif left:
            kept.append(line)
            left -= 1
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--keep", action="append", default=[], metavar="NAME=N")
    arguments = parser.parse_args()
    keep = KEEP | {name: int(number) for name, number in (pair.split("=") for pair in arguments.keep)}
    for source in arguments.files:
        target = Path(__file__).parent / source.name
        if source.suffix != ".gz":
            target.write_bytes(source.read_bytes())
            continue
        lines = gzip.decompress(source.read_bytes()).decode().splitlines()
        if "recorded" in json.loads(lines[0]):
            kept = thin_games(lines)
        else:
            kept = thin(lines, keep.get(source.name.split(".")[0], len(lines)))
        # mtime=0 and no name: the same input gives the same bytes
        target.write_bytes(gzip.compress("".join(line + "\n" for line in kept).encode(), 9, mtime=0))
        print(f"{source.name}: {len(kept)} of {len(lines)} lines, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
